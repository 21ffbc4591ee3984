import type Database from 'better-sqlite3'
import type { MailStats } from '../../../shared/people.ts'
import { PEOPLE_FIELDS, type PeopleField } from '../../../shared/thread-query.ts'
import { toPersonReference, personToken } from './index-tokens.ts'
import { computeRowidRange, type RowidRange, listKey, decodeAccountEmailKey } from './thread-order.ts'

type MailListName = 'threads' | 'received' | 'sent'

export interface MailWithPerson {
  /** Latest activity first, across all inboxes. */
  readonly threads: readonly { readonly inboxId: string; readonly threadId: string }[]
  /** Keys of sent e-mails addressed to this person, newest first. */
  readonly sentKeys: readonly number[]
  readonly extent: Readonly<Record<MailListName, MailStats | null>>
  /** False if there are too many e-mails or names, so that only the newest were examined. */
  readonly isAll: boolean
}

/** @param addresses all spellings of one person's address, in lower case */
export type FindMailWithPerson = (
  addresses: readonly string[],
  inboxKeys: readonly number[],
  most: { readonly threads: number; readonly sent: number },
) => MailWithPerson

/** Maximum names per address, newest first. Automated senders may use a new name each time. */
const MAX_NAMES = 40
/** Maximum e-mails examined in total. If there are more, only the newest of each inbox and list are examined. */
const MAX_EMAILS = 5_000
const MAX_EMAILS_PER_LIST = 1_500

export const NO_MAIL_WITH_PERSON: MailWithPerson = {
  threads: [],
  sentKeys: [],
  extent: { threads: null, received: null, sent: null },
  isAll: true,
}

const EVERYWHERE: RowidRange = { first: Number.MIN_SAFE_INTEGER, end: Number.MAX_SAFE_INTEGER }
/** Range of threads with too many e-mails to move (`index-writer.ts`). */
const LARGE_THREADS: RowidRange = { first: Number.MIN_SAFE_INTEGER, end: 0 }

const RECIPIENTS: readonly PeopleField[] = ['to', 'cc', 'bcc']

interface DocumentRow {
  readonly document: number
  readonly threadKey: number
  readonly emailKey: number
  readonly receivedAt: number
  readonly people: string
}

const listNameOf = ({ threadKey }: DocumentRow): MailListName => decodeAccountEmailKey(threadKey)?.list ?? 'threads'

const extentOf = (rows: readonly DocumentRow[] = []): MailStats | null => {
  const times = rows.map(({ receivedAt }) => receivedAt)
  const [first, last] = [
    times.reduce((a, b) => Math.min(a, b), Infinity),
    times.reduce((a, b) => Math.max(a, b), -Infinity),
  ]
  return rows.length === 0 ? null : { emails: rows.length, first, last }
}

export const createFindMailWithPerson = (database: Database.Database): FindMailWithPerson => {
  const selectKeys = database
    .prepare<[string, number], number>(
      'SELECT key FROM search_people WHERE substr(text, instr(text, char(10)) + 1) = ? ORDER BY key DESC LIMIT ?',
    )
    .pluck()
  const selectDocuments = database.prepare<[string, number, number, number], DocumentRow>(
    `SELECT d.document, d.thread_key AS threadKey, d.email_key AS emailKey, d.received_at AS receivedAt, d.people
     FROM search_words AS w JOIN search_documents AS d ON d.document = w.rowid
     WHERE search_words MATCH ? AND w.rowid >= ? AND w.rowid < ? ORDER BY w.rowid LIMIT ?`,
  )
  const selectThread = database.prepare<
    [number],
    { readonly inboxId: string; readonly threadId: string; readonly time: number }
  >(
    `SELECT inboxes.id AS inboxId, threads.id AS threadId, s.time
     FROM search_threads AS s JOIN threads ON threads.key = s.thread_key JOIN inboxes ON inboxes.key = threads.inbox_key
     WHERE s.thread_key = ?`,
  )

  return (addresses, inboxKeys, most) => {
    const keys = addresses.flatMap((address) => selectKeys.all(address, MAX_NAMES + 1))
    if (keys.length === 0) return NO_MAIL_WITH_PERSON
    const looked = keys.toSorted((a, b) => b - a).slice(0, MAX_NAMES)
    const expression = looked
      .flatMap((key) => PEOPLE_FIELDS.map((field) => `"${personToken(toPersonReference(field, key))}"`))
      .join(' OR ')
    const inboxRanges = inboxKeys.map(computeRowidRange)
    const ranges = [
      LARGE_THREADS,
      ...inboxRanges,
      computeRowidRange(listKey('received')),
      computeRowidRange(listKey('sent')),
    ]
    const read = ({ first, end }: RowidRange, limit: number): readonly DocumentRow[] =>
      selectDocuments.all(expression, first, end, limit)

    const some = read(EVERYWHERE, MAX_EMAILS + 1)
    const isMore = some.length > MAX_EMAILS
    const rows = isMore ? ranges.flatMap((range) => (range === null ? [] : read(range, MAX_EMAILS_PER_LIST))) : some
    const byPlace = Map.groupBy(rows, listNameOf)

    // Documents are ordered by thread within each inbox, newest first.
    const inThreads = byPlace.get('threads') ?? []
    const candidates = [LARGE_THREADS, ...inboxRanges].flatMap((range, at) => {
      const here = inThreads.filter(({ document }) => range !== null && document >= range.first && document < range.end)
      const threadKeys = [...new Set(here.map(({ threadKey }) => threadKey))]
      return at === 0 ? threadKeys : threadKeys.slice(0, most.threads)
    })
    const marks = new Set(looked.flatMap((key) => RECIPIENTS.map((field) => toPersonReference(field, key))))
    const sent = (byPlace.get('sent') ?? []).filter(({ people }) => people.split(' ').some((mark) => marks.has(mark)))

    return {
      threads: candidates
        .flatMap((threadKey) => selectThread.get(threadKey) ?? [])
        .toSorted((a, b) => b.time - a.time)
        .slice(0, most.threads)
        .map(({ inboxId, threadId }) => ({ inboxId, threadId })),
      sentKeys: sent.slice(0, most.sent).flatMap(({ emailKey }) => decodeAccountEmailKey(emailKey)?.rowKey ?? []),
      extent: { threads: extentOf(inThreads), received: extentOf(byPlace.get('received')), sent: extentOf(sent) },
      isAll: !isMore && keys.length <= MAX_NAMES,
    }
  }
}
