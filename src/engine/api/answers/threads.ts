import type { Label, Thread } from '../../../shared/model.ts'
import type { ThreadState } from '../../../shared/thread-state.ts'
import { toTime, writePlatformTime } from '../platform-time.ts'
import { wireLabel, wireThread, wireThreadSummary, WORDS, type WireThread, type WireThreadSummary } from '../wire.ts'
import type { FetchedEmail } from './emails.ts'
import { toLabel } from './labels.ts'
import { readKeptWith, readPageOf, readWith, type ListPage } from './read-answer.ts'
import type { Said } from './words.ts'

/** A thread, as the platform's lists tell it and as it is kept. */
export interface FetchedThread
  extends Omit<Thread, 'inboxId' | 'snippet' | 'writers' | 'hasOutbound' | 'onServer'>, Said<WireThread> {}

/** A thread that a search of the platform has found. */
export interface FoundThread {
  readonly thread: FetchedThread
  /** Of the e-mail that matched: an ID that the platform takes and that no e-mail here has. */
  readonly matchedEmailId: string | null
}

type WireState = Pick<WireThread, 'folder' | 'read' | 'labels'>

/** What an answer says of a thread's state. What it leaves out is undefined, and stays as it was. */
export interface FetchedThreadState extends Said<WireState> {
  readonly folder: string | undefined
  readonly read: boolean | undefined
  readonly labels: readonly Label[] | undefined
}

/** What the platform says of a thread when it is retrieved or updated. */
export interface FetchedThreadSummary extends FetchedThreadState {
  readonly [WORDS]: WireThreadSummary
}

/**
 * Where the words of a kept thread say what is read without reading all of them: paths of SQLite's JSON functions, the
 * first of them that holds a value of the right type counts, as in `toThread`.
 */
export const IN_THREAD_WORDS = { emailCount: ['$.email_count', '$.message_count'] } as const

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
  [WORDS]: wire,
})

const toState = <Wire extends WireState>(wire: Wire): FetchedThreadState & Said<Wire> => ({
  folder: wire.folder,
  read: wire.read,
  labels: wire.labels === null ? NO_LABELS : wire.labels?.map(toLabel),
  [WORDS]: wire,
})

export const readThreads = readPageOf(wireThread, toThread)
export const readKeptThread = readKeptWith(wireThread, toThread)
export const readThreadSummary = readWith(wireThreadSummary, toState)

/** Which e-mail matched belongs to a search, not to the thread. */
export const readFoundThreads: (body: unknown, limit: number) => ListPage<FoundThread> = readPageOf(
  wireThread,
  ({ matched_email_id: matched, ...thread }) => ({ thread: toThread(thread), matchedEmailId: matched ?? null }),
)

/** The labels of a thread, which is all that an answer to a change of them says. */
export const readThreadLabels = (body: unknown, limit: number): FetchedThreadState =>
  toState({ labels: [...readPageOf(wireLabel, (label) => label)(body, limit).items] })

/** What is known stays where the platform leaves a field out. */
const merge = (before: WireThread, after: Partial<WireThread>): WireThread => ({
  ...before,
  ...Object.fromEntries(Object.entries(after).filter(([, value]) => value !== undefined)),
})

/** A thread as it was known, with what the platform says of it now. */
export const withNews = (known: FetchedThread, now: FetchedThread): FetchedThread =>
  toThread(merge(known[WORDS], now[WORDS]))

/** A thread as it was known, with the state that the platform gives it now. */
export const withState = (known: FetchedThread, state: FetchedThreadState): FetchedThread => {
  const { folder, read, labels } = state[WORDS]
  return toThread(merge(known[WORDS], { folder, read, labels }))
}

/** A thread in a state that a person gave it, where the platform has no word on it any more. */
export const withOwnState = (
  known: FetchedThread,
  { folder, read, labels }: Pick<FetchedThread, 'folder' | 'read' | 'labels'>,
): FetchedThread => toThread(merge(known[WORDS], { folder, read, labels: labels.map((label) => ({ ...label })) }))

/** A thread in the state of another, down to what that one leaves out. */
export const inStateOf = (thread: FetchedThread, other: FetchedThread): FetchedThread => {
  const { folder, read, labels } = other[WORDS]
  return toThread({ ...thread[WORDS], folder, read, labels })
}

/** A thread of which the words are lost. @param receivedAt milliseconds since the epoch */
export const bareThread = (
  id: string,
  { receivedAt, folder, read, labelIds }: ThreadState & { readonly receivedAt: number },
): FetchedThread =>
  toThread({
    id,
    received_at: writePlatformTime(receivedAt),
    folder,
    read,
    labels: labelIds.map((labelId) => ({ id: labelId })),
  })

/** A thread with the people and the subject of an e-mail. */
export const withHeadOf = (thread: FetchedThread, email: FetchedEmail): FetchedThread => {
  const { from, to, cc, bcc, subject } = email[WORDS]
  return toThread(merge(thread[WORDS], { from, to, cc, bcc, subject }))
}

/** A thread that no list has shown yet, put together from what the platform says of it alone. @param emails oldest first */
export const threadOfEmails = (summary: FetchedThreadSummary, emails: readonly FetchedEmail[]): FetchedThread => {
  const { id, subject, folder, labels, read } = summary[WORDS]
  const newest = emails.at(-1)?.[WORDS]
  return toThread({
    id,
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
