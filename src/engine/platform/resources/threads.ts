import { z } from 'zod'
import type { Folder, Label, Thread } from '../../../shared/model.ts'
import type { Clock } from '../../../shared/search/date-bounds.ts'
import { toSearchParameters } from '../../../shared/search/search-parameters.ts'
import { NO_FILTER, type ThreadFilter } from '../../../shared/thread-query.ts'
import type { ThreadState } from '../../../shared/thread-state.ts'
import { toLabel, wireLabel } from './labels.ts'
import { apiPath } from '../api-path.ts'
import {
  wireCount,
  wireListOf,
  wireFlag,
  wireId,
  createParser,
  wireText,
  wireTexts,
  RAW_PAYLOAD,
  toTime,
  formatPlatformTime,
  type RawPayload,
} from '../parse-response.ts'
import { PAGE_LIMIT, type CallOptions, type ListPage, type PageOptions, type Requests } from '../requests.ts'
import type { FetchedEmail } from './thread-emails.ts'

const threadState = { labels: wireListOf(wireLabel), read: wireFlag, folder: z.string().optional().catch(undefined) }

/** A listed or found thread (platform.md 8.1). */
const wireThread = z.looseObject({
  id: wireId,
  subject: wireText,
  from: wireText,
  to: wireTexts,
  cc: wireTexts,
  bcc: wireTexts,
  email_count: wireCount,
  /** Former name of `email_count` (platform.md 24.1). */
  message_count: wireCount,
  has_attachment: wireFlag,
  has_draft: wireFlag,
  received_at: wireText,
  matched_email_id: wireText,
  ...threadState,
})
type WireThread = z.infer<typeof wireThread>
type WireState = Pick<WireThread, 'folder' | 'read' | 'labels'>

/** A retrieved or updated thread (platform.md 8.6). */
const wireThreadSummary = z.looseObject({ id: wireId, subject: wireText, ...threadState })
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
  readonly [RAW_PAYLOAD]: WireThreadSummary
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
  [RAW_PAYLOAD]: wire,
})

const toState = <Wire extends WireState>(wire: Wire): FetchedThreadState & RawPayload<Wire> => ({
  folder: wire.folder,
  read: wire.read,
  labels: wire.labels === null ? NO_LABELS : wire.labels?.map(toLabel),
  [RAW_PAYLOAD]: wire,
})

export const threadParser = createParser(wireThread, toThread)
export const parseThreadSummary = createParser(wireThreadSummary, (wire): FetchedThreadSummary => ({
  ...toState(wire),
  subject: wire.subject ?? null,
})).one

/** Split off the matching e-mail: it belongs to the search, not the thread. */
const parseFoundThreadPage: (body: unknown, limit: number) => ListPage<FoundThread> = createParser(
  wireThread,
  ({ matched_email_id: matched, ...thread }) => ({ thread: toThread(thread), matchedEmailId: matched ?? null }),
).page

const parseWireLabels = createParser(wireLabel, (label) => label).page

/** Responses to label changes contain only labels. */
const parseThreadLabels = (body: unknown): FetchedThreadState =>
  toState({ labels: parseWireLabels(body, PAGE_LIMIT).items })

const parseLabelIds = createParser(z.looseObject({ labels: z.array(z.looseObject({ id: wireId })) }), ({ labels }) =>
  labels.map((label) => label.id),
).one

/** Fields that the platform omits keep their known values. */
const merge = (before: WireThread, after: Partial<WireThread>): WireThread => ({
  ...before,
  ...Object.fromEntries(Object.entries(after).filter(([, value]) => value !== undefined)),
})

export const mergeThread = (known: FetchedThread, now: FetchedThread): FetchedThread =>
  toThread(merge(known[RAW_PAYLOAD], now[RAW_PAYLOAD]))

export const withState = (known: FetchedThread, state: FetchedThreadState): FetchedThread => {
  const { folder, read, labels } = state[RAW_PAYLOAD]
  return toThread(merge(known[RAW_PAYLOAD], { folder, read, labels }))
}

/** Applies the user's state once the platform no longer has the thread. */
export const withOwnState = (
  known: FetchedThread,
  { folder, read, labels }: Pick<FetchedThread, 'folder' | 'read' | 'labels'>,
): FetchedThread => toThread(merge(known[RAW_PAYLOAD], { folder, read, labels: labels.map((label) => ({ ...label })) }))

/** Copies the exact state of another thread, including missing fields. */
export const withStateOf = (thread: FetchedThread, other: FetchedThread): FetchedThread => {
  const { folder, read, labels } = other[RAW_PAYLOAD]
  return toThread({ ...thread[RAW_PAYLOAD], folder, read, labels })
}

/** Placeholder for a thread whose cached payload is lost. @param receivedAt milliseconds since the epoch */
export const createPlaceholderThread = (
  threadId: string,
  { receivedAt, folder, read, labelIds }: ThreadState & { readonly receivedAt: number },
): FetchedThread =>
  toThread({
    id: threadId,
    received_at: formatPlatformTime(receivedAt),
    folder,
    read,
    labels: labelIds.map((labelId) => ({ id: labelId })),
  })

/** Copies the sender, recipients and subject from an e-mail. */
export const withEmailHeaders = (thread: FetchedThread, email: FetchedEmail): FetchedThread => {
  const { from, to, cc, bcc, subject } = email[RAW_PAYLOAD]
  return toThread(merge(thread[RAW_PAYLOAD], { from, to, cc, bcc, subject }))
}

/** Builds an unlisted thread from its own responses. @param emails oldest first */
export const buildThreadFromEmails = (
  summary: FetchedThreadSummary,
  emails: readonly FetchedEmail[],
): FetchedThread => {
  const { subject, folder, labels, read } = summary[RAW_PAYLOAD]
  const newest = emails.at(-1)?.[RAW_PAYLOAD]
  return toThread({
    id: summary[RAW_PAYLOAD].id,
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
export const createThreadCalls = (requests: Requests, now: () => number) => ({
  /** The returned states are exact and current (platform.md 8.4). Latest activity first. */
  listThreads: async (inboxId: string, { folders }: { readonly folders: readonly Folder[] }, options: PageOptions) =>
    requests.page(threadParser.page, apiPath`/inboxes/${inboxId}/threads`, options, {
      query: { folders: folders.join(',') },
    }),

  /**
   * See platform.md 9. @param inboxId never an address @param clock resolves the filter's dates; UTC and now by default
   */
  searchThreads: async (
    inboxId: string,
    filter: Partial<ThreadFilter>,
    { clock = { now: now(), timeZone: 'UTC' }, ...options }: PageOptions & { readonly clock?: Clock },
  ) =>
    requests.page(parseFoundThreadPage, apiPath`/inboxes/${inboxId}/threads/search`, options, {
      query: toSearchParameters({ ...NO_FILTER, ...filter }, clock),
    }),

  /** See platform.md 8.6. */
  getThread: async (inboxId: string, threadId: string, options: CallOptions) =>
    parseThreadSummary(await requests.get(apiPath`/inboxes/${inboxId}/threads/${threadId}`, options), threadId),

  /** Needs at least one field (platform.md 8.7). */
  updateThread: async (
    inboxId: string,
    threadId: string,
    change: { readonly read?: boolean; readonly folder?: string },
    options: CallOptions,
  ) => parseThreadSummary(await requests.patch(apiPath`/inboxes/${inboxId}/threads/${threadId}`, change, options)),

  /** Current label IDs. @throws UnreadableResponseError unless all are readable, because setting labels replaces them */
  getLabelsToSet: async (inboxId: string, threadId: string, options: CallOptions): Promise<readonly string[]> =>
    parseLabelIds(await requests.get(apiPath`/inboxes/${inboxId}/threads/${threadId}`, options)),

  /** Replaces all labels (platform.md 8.11). Returns the new ones. */
  setThreadLabels: async (inboxId: string, threadId: string, labelIds: readonly string[], options: CallOptions) =>
    parseThreadLabels(
      await requests.put(apiPath`/inboxes/${inboxId}/threads/${threadId}/labels`, { labels: labelIds }, options),
    ),

  /** One to ten labels a call (platform.md 8.10). Returns all of the thread's labels. */
  addThreadLabels: async (inboxId: string, threadId: string, labelIds: readonly string[], options: CallOptions) =>
    parseThreadLabels(
      await requests.post(apiPath`/inboxes/${inboxId}/threads/${threadId}/labels`, { labels: labelIds }, options),
    ),

  /** Returns the remaining labels (platform.md 8.12). */
  removeThreadLabel: async (inboxId: string, threadId: string, labelId: string, options: CallOptions) =>
    parseThreadLabels(
      await requests.delete(apiPath`/inboxes/${inboxId}/threads/${threadId}/labels/${labelId}`, options),
    ),
})
