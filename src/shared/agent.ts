/** The platform's agent for an inbox (platform.md 16). It only writes drafts and never sends. */
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

export const MAX_AGENT_INSTRUCTION_CHARS = 4_000

export interface AgentSettings {
  /** The user's instructions; null for none, which makes the agent idle. */
  readonly instructions: string | null
  /** One of `AGENT_TONES`, or a tone that the platform added later; null for the default. */
  readonly tone: string | null
  /** Actions from `AGENT_ACTIONS`, or ones that the platform added later. If empty, the agent is idle. */
  readonly actions: readonly string[]
}

/** Omitted fields stay unchanged. */
export type AgentSettingsChange = { readonly [Field in keyof AgentSettings]?: AgentSettings[Field] | undefined }

export interface InboxAgent {
  /** Null if unknown, or if the platform has no agent for the inbox. */
  readonly settings: AgentSettings | null
  readonly freshness: Freshness
  /** False if the platform reported that the inbox has no agent. */
  readonly isOffered: boolean
}

/** True if the agent is active by the platform's rule. */
export const isAgentActive = ({ instructions, actions }: AgentSettings): boolean =>
  instructions !== null && instructions.trim() !== '' && actions.length > 0
