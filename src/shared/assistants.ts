/**
 * Assistants are programs that read the user's mail through MCP (`linnet mcp`). They read only what the user turned on,
 * every call is logged, and changes are only proposed.
 */
import { z } from 'zod'
import { FOLDERS, MOVE_TARGETS, type Thread, type ThreadChange } from './model.ts'
import { draftTargetSchema } from './drafts.ts'
import { canMoveTo, MOVE_SENTENCES, type ThreadSentences } from './thread-moves.ts'

const ASSISTANT_LISTS = ['received', 'sent', 'contacts'] as const

const id = z.string().min(1).max(512)

export const assistantAccessSchema = z
  .object({
    folders: z
      .array(z.object({ inboxId: id, folder: z.enum(FOLDERS) }).strict())
      .max(10_000)
      .readonly(),
    /** Account-wide lists of e-mails, and the contacts with their topics. */
    lists: z.array(z.enum(ASSISTANT_LISTS)).max(ASSISTANT_LISTS.length).readonly(),
  })
  .strict()
export type AssistantAccess = z.infer<typeof assistantAccessSchema>

export const NO_ASSISTANT_ACCESS: AssistantAccess = { folders: [], lists: [] }

/** Command that starts `linnet mcp`. */
export interface AssistantServer {
  readonly command: string
  readonly args: readonly string[]
}

export const hasAnyAccess = ({ folders, lists }: AssistantAccess): boolean => folders.length + lists.length > 0

export const MAX_CALLS_PER_PAGE = 200

export interface AssistantCall {
  readonly id: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Name that the program gives itself; untrusted. */
  readonly client: string
  /** For example `search_mail`. */
  readonly tool: string
  readonly asked: string
  readonly answer: string
  readonly isRefused: boolean
}

export const PROPOSAL_LIMITS = {
  threads: 100,
  labels: 20,
  people: 50,
  subject: 2_000,
  text: 100_000,
  reason: 500,
  open: 100,
} as const

const { threads, labels, people, subject, text } = PROPOSAL_LIMITS
const threadIds = z.array(id).min(1).max(threads).readonly()

export const proposedChangeSchema = z.discriminatedUnion('kind', [
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
      /** The message being answered; null for a new message. */
      target: draftTargetSchema.nullable(),
      isToAll: z.boolean(),
      /** Recipients of a new message; a reply gets its recipients from the original. */
      to: z.array(z.string().max(1_000)).max(people).readonly(),
      /** Empty to keep the original's subject in a reply. */
      subject: z.string().max(subject),
      text: z.string().max(text),
    })
    .strict(),
])
export type ProposedChange = z.infer<typeof proposedChangeSchema>
export type ThreadProposal = Exclude<ProposedChange, { kind: 'draft' }>
type OfKind<Kind> = Extract<ProposedChange, { kind: Kind }>

/** Words for counts, in the order shown. */
export const PROPOSAL_COUNTS: Readonly<Record<ProposedChange['kind'], readonly [one: string, many: string]>> = {
  labels: ['label', 'labels'],
  move: ['move', 'moves'],
  draft: ['draft', 'drafts'],
}

interface ThreadPlan {
  readonly title: (threads: string) => string
  readonly change: ThreadChange
  readonly applies: (thread: Thread) => boolean
  /** Null if the change only concerns labels, which the confirmation names. */
  readonly said: ThreadSentences | null
}

const THREAD_PLANS: { readonly [Kind in ThreadProposal['kind']]: (change: OfKind<Kind>) => ThreadPlan } = {
  labels: ({ add, remove }) => {
    const addLabels = [...new Set(add)]
    const removeLabels = [...new Set(remove)].filter((labelId) => !add.includes(labelId))
    return {
      title: (threads) => {
        if (removeLabels.length === 0) return `Label ${threads}`
        return add.length === 0 ? `Remove labels from ${threads}` : `Change labels on ${threads}`
      },
      change: { addLabels, removeLabels },
      applies: () => true,
      said: null,
    }
  },
  move: ({ folder }) => ({
    title: MOVE_SENTENCES[folder].todo,
    change: { folder },
    applies: (thread) => canMoveTo(thread, folder),
    said: MOVE_SENTENCES[folder],
  }),
}

/** A proposal's effect on its threads, and the words for it. Ignores duplicate IDs. */
export const planThreads = (change: ThreadProposal): ThreadPlan & { readonly threadIds: readonly string[] } => ({
  ...(THREAD_PLANS[change.kind] as (change: ThreadProposal) => ThreadPlan)(change),
  threadIds: [...new Set(change.threadIds)],
})

export const PROPOSAL_DECISIONS = ['done', 'dismissed'] as const
export type ProposalState = 'open' | (typeof PROPOSAL_DECISIONS)[number]

export interface Proposal {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly client: string
  readonly inboxId: string
  readonly reason: string
  readonly change: ProposedChange
  readonly state: ProposalState
}
