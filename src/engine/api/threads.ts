import { z } from 'zod'
import type { Folder, Label, Thread } from '../../shared/model.ts'
import type { Clock } from '../../shared/search/date-bounds.ts'
import { toSearchParameters } from '../../shared/search/search-parameters.ts'
import { NO_FILTER, type ThreadFilter } from '../../shared/thread-query.ts'
import type { ThreadState } from '../../shared/thread-state.ts'
import { toLabel, wireLabel } from './labels.ts'
import { path } from './path.ts'
import { toTime, writePlatformTime } from './platform-time.ts'
import { count, each, flag, id, readStoredWith, readPageOf, readWith, text, texts, RAW } from './read-response.ts'
import { PAGE_LIMIT, type CallOptions, type ListPage, type PageOptions, type Requests } from './requests.ts'
import type { FetchedEmail } from './thread-emails.ts'
import type { RawPayload } from './raw-payload.ts'

const threadState = { labels: each(wireLabel), read: flag, folder: z.string().optional().catch(undefined) }

/** A listed or found thread (contract, "Thread"). */
const wireThread = z.looseObject({
  id,
  subject: text,
  from: text,
  to: texts,
  cc: texts,
  bcc: texts,
  email_count: count,
  /** Former name of `email_count` (platform facts 0.1). */
  message_count: count,
  has_attachment: flag,
  has_draft: flag,
  received_at: text,
  matched_email_id: text,
  ...threadState,
})
type WireThread = z.infer<typeof wireThread>
type WireState = Pick<WireThread, 'folder' | 'read' | 'labels'>

/** A retrieved or updated thread (platform facts 3.2, "Summary"). */
const wireThreadSummary = z.looseObject({ id, subject: text, ...threadState })
type WireThreadSummary = z.infer<typeof wireThreadSummary>

/** A thread, as listed by the platform and as stored. */
export interface FetchedThread
  extends Omit<Thread, 'inboxId' | 'snippet' | 'writers' | 'hasOutbound' | 'onServer'>, RawPayload<WireThread> {}

export interface FoundThread {
  readonly thread: FetchedThread
  /** The platform's ID for the matching e-mail; no stored e-mail has it. */
  readonly matchedEmailId: string | null
}

/** Thread state from a response. Undefined fields are unchanged. */
export interface FetchedThreadState extends RawPayload<WireState> {
  readonly folder: string | undefined
  readonly read: boolean | undefined
  readonly labels: readonly Label[] | undefined
}

export interface FetchedThreadSummary extends FetchedThreadState {
  readonly subject: string | null
  readonly [RAW]: WireThreadSummary
}

/** SQLite JSON paths, to avoid parsing the payload. The first value of the right type counts, as in `toThread`. */
export const THREAD_PATHS = { emailCount: ['$.email_count', '$.message_count'] } as const

const NO_LABELS: readonly Label[] = []

const toThread = (wire: WireThread): FetchedThread => ({
  id: wire.id,
  subject: wire.subject ?? null,
  from: wire.from ?? null,
  to: wire.to ?? [],
  cc: wire.cc ?? [],
  bcc: wire.bcc ?? [],
  labels: wire.labels?.map(toLabel) ?? NO_LABELS,
  emailCount: wire.email_count ?? wire.message_count ?? 1,
  hasAttachment: wire.has_attachment ?? false,
  hasDraft: wire.has_draft ?? false,
  read: wire.read ?? true,
  receivedAt: toTime(wire.received_at),
  folder: wire.folder ?? 'inbox',
  [RAW]: wire,
})

const toState = <Wire extends WireState>(wire: Wire): FetchedThreadState & RawPayload<Wire> => ({
  folder: wire.folder,
  read: wire.read,
  labels: wire.labels === null ? NO_LABELS : wire.labels?.map(toLabel),
  [RAW]: wire,
})

export const readThreads = readPageOf(wireThread, toThread)
export const readStoredThread = readStoredWith(wireThread, toThread)
export const readThreadSummary = readWith(wireThreadSummary, (wire): FetchedThreadSummary => ({
  ...toState(wire),
  subject: wire.subject ?? null,
}))

/** Split off the matching e-mail: it belongs to the search, not the thread. */
const readFoundThreads: (body: unknown, limit: number) => ListPage<FoundThread> = readPageOf(
  wireThread,
  ({ matched_email_id: matched, ...thread }) => ({ thread: toThread(thread), matchedEmailId: matched ?? null }),
)

const readLabelsAsSent = readPageOf(wireLabel, (label) => label)

/** Responses to label changes contain only labels. */
const readThreadLabels = (body: unknown, limit: number): FetchedThreadState =>
  toState({ labels: readLabelsAsSent(body, limit).items })

const readLabelsToSet = readWith(z.looseObject({ labels: z.array(z.looseObject({ id })) }), ({ labels }) =>
  labels.map((label) => label.id),
)

/** Fields that the platform omits keep their known values. */
const merge = (before: WireThread, after: Partial<WireThread>): WireThread => ({
  ...before,
  ...Object.fromEntries(Object.entries(after).filter(([, value]) => value !== undefined)),
})

export const mergeThread = (known: FetchedThread, now: FetchedThread): FetchedThread =>
  toThread(merge(known[RAW], now[RAW]))

export const withState = (known: FetchedThread, state: FetchedThreadState): FetchedThread => {
  const { folder, read, labels } = state[RAW]
  return toThread(merge(known[RAW], { folder, read, labels }))
}

/** Applies the user's state once the platform no longer has the thread. */
export const withOwnState = (
  known: FetchedThread,
  { folder, read, labels }: Pick<FetchedThread, 'folder' | 'read' | 'labels'>,
): FetchedThread => toThread(merge(known[RAW], { folder, read, labels: labels.map((label) => ({ ...label })) }))

/** Copies the exact state of another thread, including missing fields. */
export const inStateOf = (thread: FetchedThread, other: FetchedThread): FetchedThread => {
  const { folder, read, labels } = other[RAW]
  return toThread({ ...thread[RAW], folder, read, labels })
}

/** Placeholder for a thread whose cached payload is lost. @param receivedAt milliseconds since the epoch */
export const bareThread = (
  threadId: string,
  { receivedAt, folder, read, labelIds }: ThreadState & { readonly receivedAt: number },
): FetchedThread =>
  toThread({
    id: threadId,
    received_at: writePlatformTime(receivedAt),
    folder,
    read,
    labels: labelIds.map((labelId) => ({ id: labelId })),
  })

/** Copies the sender, recipients and subject from an e-mail. */
export const withHeadOf = (thread: FetchedThread, email: FetchedEmail): FetchedThread => {
  const { from, to, cc, bcc, subject } = email[RAW]
  return toThread(merge(thread[RAW], { from, to, cc, bcc, subject }))
}

/** Builds an unlisted thread from its own responses. @param emails oldest first */
export const threadOfEmails = (summary: FetchedThreadSummary, emails: readonly FetchedEmail[]): FetchedThread => {
  const { subject, folder, labels, read } = summary[RAW]
  const newest = emails.at(-1)?.[RAW]
  return toThread({
    id: summary[RAW].id,
    subject,
    folder,
    labels,
    read,
    from: newest?.from,
    to: newest?.to,
    cc: newest?.cc,
    bcc: newest?.bcc,
    email_count: emails.length,
    has_attachment: (newest?.attachments ?? []).length > 0,
    received_at: newest?.received_at,
  })
}

/** @param now wall time, milliseconds since the epoch */
export const threadCalls = (requests: Requests, now: () => number) => ({
  /** The returned states are exact and current (platform facts 3.2). Latest activity first. */
  listThreads: async (inboxId: string, { folders }: { readonly folders: readonly Folder[] }, options: PageOptions) =>
    requests.page(readThreads, path`/inboxes/${inboxId}/threads`, options, { query: { folders: folders.join(',') } }),

  /** Contract, 2. @param inboxId never an address @param clock resolves the filter's dates; UTC and now by default */
  searchThreads: async (
    inboxId: string,
    filter: Partial<ThreadFilter>,
    { clock = { now: now(), timeZone: 'UTC' }, ...options }: PageOptions & { readonly clock?: Clock },
  ) =>
    requests.page(readFoundThreads, path`/inboxes/${inboxId}/threads/search`, options, {
      query: toSearchParameters({ ...NO_FILTER, ...filter }, clock),
    }),

  /** See platform facts 3.0, 8. */
  getThread: async (inboxId: string, threadId: string, options: CallOptions) =>
    readThreadSummary(await requests.get(path`/inboxes/${inboxId}/threads/${threadId}`, options), threadId),

  /** Platform facts 3.3. Needs at least one field. */
  updateThread: async (
    inboxId: string,
    threadId: string,
    change: { readonly read?: boolean; readonly folder?: string },
    options: CallOptions,
  ) => readThreadSummary(await requests.patch(path`/inboxes/${inboxId}/threads/${threadId}`, change, options)),

  /** Current label IDs. @throws UnreadableResponse unless all are readable, because setting labels replaces them */
  getLabelsToSet: async (inboxId: string, threadId: string, options: CallOptions): Promise<readonly string[]> =>
    readLabelsToSet(await requests.get(path`/inboxes/${inboxId}/threads/${threadId}`, options)),

  /** Platform facts 3.0, 16: replaces all labels. Returns the new ones. */
  setThreadLabels: async (inboxId: string, threadId: string, labelIds: readonly string[], options: CallOptions) =>
    readThreadLabels(
      await requests.put(path`/inboxes/${inboxId}/threads/${threadId}/labels`, { labels: labelIds }, options),
      PAGE_LIMIT,
    ),

  /** Platform facts 3.0, 15: one to ten labels a call. Returns all of the thread's labels. */
  addThreadLabels: async (inboxId: string, threadId: string, labelIds: readonly string[], options: CallOptions) =>
    readThreadLabels(
      await requests.post(path`/inboxes/${inboxId}/threads/${threadId}/labels`, { labels: labelIds }, options),
      PAGE_LIMIT,
    ),

  /** Contract, 3. Returns the remaining labels. */
  removeThreadLabel: async (inboxId: string, threadId: string, labelId: string, options: CallOptions) =>
    readThreadLabels(
      await requests.delete(path`/inboxes/${inboxId}/threads/${threadId}/labels/${labelId}`, options),
      PAGE_LIMIT,
    ),
})
