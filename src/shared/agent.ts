/** The agent that the platform has for an inbox (platform facts 3.9): it never sends, what it writes are drafts. */
import type { Freshness } from './model.ts'

export const AGENT_ACTIONS = [
  'draft_reply',
  'forward_thread',
  'add_labels',
  'assign_thread',
  'mark_as_spam',
  'archive',
  'move_to_trash',
] as const

export const AGENT_TONES = [
  'concise_professional',
  'concise_casual',
  'expanded_professional',
  'expanded_casual',
] as const

export const AGENT_INSTRUCTIONS = 4_000

export interface AgentSettings {
  /** What it is to do, in a person's words; null for none: then it does nothing. */
  readonly instructions: string | null
  /** One of `AGENT_TONES`, or one that the platform has added since; null for its own. */
  readonly tone: string | null
  /** Of `AGENT_ACTIONS`, and those that the platform has added since: without one it does nothing. */
  readonly actions: readonly string[]
}

/** What is left out stays as it is. */
export type AgentChange = { readonly [Field in keyof AgentSettings]?: AgentSettings[Field] | undefined }

/** What is known of an inbox's agent. */
export interface AgentOfInbox {
  /** Null where they are not known, or the platform has no agent for the inbox. */
  readonly settings: AgentSettings | null
  /** When the platform said so. */
  readonly freshness: Freshness
  /** False where the platform said that there is none. */
  readonly isOffered: boolean
}

/** Whether it does anything, by the platform's rule. */
export const isAgentAtWork = ({ instructions, actions }: AgentSettings): boolean =>
  instructions !== null && instructions.trim() !== '' && actions.length > 0
