/**
 * Assistants: programs that read a person's mail by the Model Context Protocol (`linnet mcp`). They read what a person has
 * turned on, everything that they ask for is noted, and what they want changed is proposed to the person.
 */
import { z } from 'zod'
import { FOLDERS, MOVE_TARGETS } from './model.ts'
import { writingTarget } from './writing.ts'

/** What of an account there is to read besides its inboxes. */
const ASSISTANT_LISTS = ['received', 'sent', 'contacts'] as const

const id = z.string().min(1).max(512)

/** What assistants may read of an account. */
export const assistantAccess = z
  .object({
    /** Folders that are turned on. */
    folders: z
      .array(z.object({ inboxId: id, folder: z.enum(FOLDERS) }).strict())
      .max(10_000)
      .readonly(),
    /** The account's own lists, and its contacts with their topics. */
    lists: z.array(z.enum(ASSISTANT_LISTS)).max(ASSISTANT_LISTS.length).readonly(),
  })
  .strict()
export type AssistantAccess = z.infer<typeof assistantAccess>

export const NO_ACCESS: AssistantAccess = { folders: [], lists: [] }

/** How a program starts `linnet mcp`. */
export interface AssistantServer {
  readonly command: string
  readonly args: readonly string[]
}

/** Whether assistants read anything of an account. */
export const isReadable = ({ folders, lists }: AssistantAccess): boolean => folders.length + lists.length > 0

/** Calls that are read at once at most. */
export const CALLS_AT_ONCE = 200

export interface AssistantCall {
  readonly id: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The program, as it calls itself: a stranger's word. */
  readonly client: string
  /** The tool, such as `search_mail`. */
  readonly tool: string
  /** What it asked for, in short. */
  readonly asked: string
  /** What it was told, in Linnet's words. */
  readonly answer: string
  readonly isRefused: boolean
}

export const PROPOSAL_BOUNDS = {
  threads: 100,
  labels: 20,
  people: 50,
  subject: 2_000,
  text: 100_000,
  reason: 500,
  open: 100,
} as const

const { threads, labels, people, subject, text } = PROPOSAL_BOUNDS
const threadIds = z.array(id).min(1).max(threads).readonly()

/** What an assistant wants changed. */
export const proposedChange = z.discriminatedUnion('kind', [
  z
    .object({
      kind: z.literal('labels'),
      threadIds,
      add: z.array(id).max(labels).readonly(),
      remove: z.array(id).max(labels).readonly(),
    })
    .strict(),
  z.object({ kind: z.literal('move'), threadIds, folder: z.enum(MOVE_TARGETS) }).strict(),
  z
    .object({
      kind: z.literal('draft'),
      /** What it answers; null for a new message. */
      target: writingTarget.nullable(),
      isToAll: z.boolean(),
      /** Addresses of a new message: those of an answer are its own. */
      to: z.array(z.string().max(1_000)).max(people).readonly(),
      /** Empty for an answer under the subject of what it answers. */
      subject: z.string().max(subject),
      text: z.string().max(text),
    })
    .strict(),
])
export type ProposedChange = z.infer<typeof proposedChange>

/** What a person may decide. */
export const DECISIONS = ['done', 'dismissed'] as const
export type ProposalState = 'open' | (typeof DECISIONS)[number]

export interface Proposal {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly client: string
  readonly inboxId: string
  /** Why, in the assistant's words. */
  readonly reason: string
  readonly change: ProposedChange
  readonly state: ProposalState
}
