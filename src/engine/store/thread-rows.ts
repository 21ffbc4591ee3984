import type Database from 'better-sqlite3'
import { isMarkLabel, parseAssignmentLabelId, SNOOZED_FOLDER } from '../../shared/thread-marks.ts'
import { isInSent } from '../../shared/thread-state.ts'
import { createPlaceholderThread, type FetchedThread } from '../platform/resources/threads.ts'
import type { OnBrokenRow } from './broken-row.ts'
import type { InboxRef } from './inboxes.ts'
import { parseChecksummedThread, PAYLOAD_JSON_SQL, parseStoredIds } from './checksummed-payload.ts'
import type { ListedThreadState } from './thread-list-changes.ts'
import type { Thread, ThreadWriter } from '../../shared/model.ts'
import { EMAIL_PATHS } from '../platform/resources/thread-emails.ts'
import { parsePerson } from './search-index/searchable-email.ts'
import { canonicalizeAddress, stripAddressTag } from './canonical-address.ts'

/** Maximum senders stored per thread. A row shows three of them. */
const MAX_SENDERS = 40
/** Maximum e-mails read per thread, newest first. Otherwise, each new e-mail in a long thread would parse hundreds. */
const MAX_EMAILS = 100
/** Characters kept at each end of a long sender header: the start of the name and the end of the address. */
const HEADER_END_LENGTH = 400

/** SQL for the sender fields of a thread's e-mails, newest first. The parameter is the thread's key. */
const SELECT_SENDERS = `
  SELECT json_extract(${PAYLOAD_JSON_SQL}, '${EMAIL_PATHS.from}', '${EMAIL_PATHS.direction}', '${EMAIL_PATHS.read}')
  FROM emails WHERE thread_key = ? AND json_valid(${PAYLOAD_JSON_SQL}) ORDER BY received_at DESC, key DESC
  LIMIT ${MAX_EMAILS}`

const truncateHeader = (header: string): string =>
  header.length <= 2 * HEADER_END_LENGTH
    ? header
    : `${header.slice(0, HEADER_END_LENGTH)}…${header.slice(-HEADER_END_LENGTH)}`

/**
 * Senders as JSON, newest first: `[from, isOutbound, isUnread]` for each header and direction, with flags as 0 or 1.
 * @param senders rows of `SELECT_SENDERS`
 */
const encodeSenders = (senders: Iterable<string>): string => {
  const kept = new Map<string, readonly [string, 0 | 1, 0 | 1]>()
  for (const sender of senders) {
    const [from, direction, read] = JSON.parse(sender) as readonly unknown[]
    if (typeof from !== 'string') continue
    const isOutbound = direction === 'outbound' ? 1 : 0
    const key = `${isOutbound} ${from}`
    const earlier = kept.get(key)
    if (earlier === undefined && kept.size === MAX_SENDERS) continue
    kept.set(key, [earlier?.[0] ?? truncateHeader(from), isOutbound, read === false || earlier?.[2] === 1 ? 1 : 0])
  }
  return JSON.stringify([...kept.values()])
}

interface Sender {
  readonly from: string
  /** Null if the sender is only known from the thread's summary. */
  readonly isOutbound: boolean | null
  readonly isUnread: boolean
}

/** Reads the output of `encodeSenders`. Damaged data yields no senders. */
const decodeSenders = (kept: string | null): readonly Sender[] => {
  if (kept === null) return []
  try {
    const senders: unknown = JSON.parse(kept)
    if (!Array.isArray(senders)) return []
    return senders.flatMap((sender: unknown) => {
      if (!Array.isArray(sender)) return []
      const [from, isOutbound, isUnread] = sender as readonly unknown[]
      return typeof from === 'string' ? [{ from, isOutbound: isOutbound === 1, isUnread: isUnread === 1 }] : []
    })
  } catch {
    return []
  }
}

/** Fast path for nearly all addresses: ASCII ones only need lower-casing. */
// eslint-disable-next-line no-control-regex -- matches ASCII
const IS_PLAIN = /^[\u0000-\u007f]*$/
const addressKey = (address: string): string =>
  IS_PLAIN.test(address) ? address.trim().toLowerCase() : canonicalizeAddress(address)

/** One of the account's own addresses, in the form used for look-ups. */
export const ownAddressKey = (address: string): string => stripAddressTag(addressKey(address))

/**
 * Senders in a thread, each person once, newest first. An e-mail received from one of the account's own addresses
 * counts as the user's own if someone else wrote too. Otherwise its sender is shown, since it may be a colleague's
 * inbox, or forged.
 * @param kept the row's `writers`, from `encodeSenders`
 * @param isCurrent true if `kept` covers all e-mails; otherwise the sender named in the platform's list comes first
 * @param own all of the account's addresses, as `ownAddressKey`
 */
export const listThreadSenders = (
  kept: string | null,
  { from, read, hasOutbound }: Pick<Thread, 'from' | 'read' | 'hasOutbound'>,
  isCurrent: boolean,
  own: ReadonlySet<string>,
): readonly ThreadWriter[] => {
  const known = decodeSenders(kept)
  const newest: Sender | null = from === null ? null : { from, isOutbound: null, isUnread: !read }
  const senders = newest === null || (isCurrent && known.length > 0) ? known : [newest, ...known]
  const people = senders.map((sender) => {
    const address = addressKey(parsePerson(sender.from).address)
    return { ...sender, address, isOwn: sender.isOutbound === true || own.has(stripAddressTag(address)) }
  })
  const isAmongOwn = people.every(({ isOwn }) => isOwn)
  const writers = new Map<string | null, ThreadWriter>()
  for (const { from: header, address, isOwn, isOutbound, isUnread } of people) {
    const isMe = isOwn && (!isAmongOwn || (isOutbound ?? hasOutbound))
    const key = isMe ? null : address
    const earlier = writers.get(key)
    writers.set(key, {
      from: earlier?.from ?? header,
      isMe,
      isUnread: !read && !isMe && (isUnread || earlier?.isUnread === true),
    })
  }
  return [...writers.values()]
}

/** A stored thread: columns with the state shown to the user, and the platform's payload. */
export interface ThreadRow {
  readonly key: number
  readonly id: string
  readonly received_at: number
  readonly listed_at: number
  readonly folder: string
  readonly read: number
  /** JSON array of label IDs. */
  readonly label_ids: string
  readonly has_outbound: number
  readonly in_sent: number
  readonly on_server: number
  readonly snippet: string | null
  /** JSON from `encodeSenders`. */
  readonly writers: string | null
  readonly waits: number
  readonly emails_at: number | null
  readonly trashed_at: number | null
  /** The platform's checksummed payload; see `addChecksum`. */
  readonly wire: string
}

export const THREAD_COLUMNS = `threads.key, threads.id, threads.received_at, threads.listed_at, threads.folder,
  threads.read, threads.label_ids, threads.has_outbound, threads.in_sent, threads.on_server, threads.snippet,
  threads.writers, threads.waits, threads.emails_at, threads.trashed_at, threads.wire`

/** A row without its large columns, payload and display data. */
type StateRow = Pick<ThreadRow, 'received_at' | 'folder' | 'read' | 'label_ids' | 'has_outbound' | 'on_server'>

export interface ShownThread {
  readonly place: ListedThreadState
  readonly hasOutbound: boolean
  /** JSON array of label IDs. */
  readonly labelIds: string
}

/** Fields of the payload, whatever their types. */
interface NewestEmail {
  readonly id: string
  readonly messageId: string | null
  readonly from: unknown
  readonly subject: unknown
}

/** Thread details derived from its stored e-mails. */
export interface DerivedThreadDetails {
  /** Activity time up to which the e-mails are stored. */
  readonly emailsAt: number
  /** Start of the newest e-mail's text. */
  readonly snippet: string | null
  readonly hasOutbound: boolean
}

/** Labels for lists and search: the platform's labels, plus labels for local marks and the dashboard's assignee. */
const listedLabelIds = (row: Pick<ThreadRow, 'label_ids'>): readonly string[] => parseStoredIds(row.label_ids) ?? []

export const labelIdsOf = (row: Pick<ThreadRow, 'label_ids'>): readonly string[] =>
  listedLabelIds(row).filter((id) => !isMarkLabel(id))

/** Fields for a thread's assignee in the dashboard, if it has one. */
export const dashboardAssigneeOf = (row: Pick<ThreadRow, 'label_ids'>): { readonly dashboardAssignee?: string } => {
  const [dashboardAssignee] = listedLabelIds(row).flatMap((id) => parseAssignmentLabelId(id) ?? [])
  return dashboardAssignee === undefined ? {} : { dashboardAssignee }
}

export const toListedThreadState = (row: ThreadRow): ListedThreadState => ({
  receivedAt: row.received_at,
  listedAt: row.listed_at,
  folder: row.folder,
  inSent: row.in_sent === 1,
  labelIds: listedLabelIds(row),
  read: row.read === 1,
  onServer: row.on_server === 1,
})

/** Rebuilds a thread from its columns if the payload is damaged. */
export const rebuildThreadFromColumns = (row: ThreadRow): FetchedThread =>
  createPlaceholderThread(row.id, {
    ...toListedThreadState(row),
    folder: row.folder === SNOOZED_FOLDER ? 'inbox' : row.folder,
    labelIds: labelIdsOf(row),
  })

/** SQL for the current time, in milliseconds since the epoch. */
const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)"

/** SQL: the time at which a row moved to this folder came to the trash; null in other folders. */
const TRASHED_AT = `CASE WHEN ? <> 'trash' THEN NULL WHEN folder = 'trash' THEN trashed_at ELSE ${NOW} END`

const prepareStatements = (database: Database.Database) => ({
  select: database.prepare<[number, string], ThreadRow>(
    `SELECT ${THREAD_COLUMNS} FROM threads WHERE inbox_key = ? AND id = ?`,
  ),
  selectStanding: database.prepare<[number, string], StateRow>(
    'SELECT received_at, folder, read, label_ids, has_outbound, on_server FROM threads WHERE inbox_key = ? AND id = ?',
  ),
  // This statement and the next one use positional parameters: named ones would make a first sync and changes to
  // thousands of threads 5 % slower.
  insertIfNew: database.prepare<
    [number, string, number, number, string, number, string, number, number, string, string]
  >(
    `INSERT INTO threads (inbox_key, id, received_at, listed_at, folder, read, label_ids, has_outbound, in_sent, on_server,
       trashed_at, wire)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, iif(? = 'trash', ${NOW}, NULL), ?) ON CONFLICT (inbox_key, id) DO NOTHING`,
  ),
  update: database.prepare<[number, number, string, number, string, number, number, number, string, string, number]>(
    `UPDATE threads SET received_at = ?, listed_at = ?, folder = ?, read = ?, label_ids = ?, has_outbound = ?, in_sent = ?,
       on_server = ?, wire = ?,
       trashed_at = ${TRASHED_AT}
     WHERE key = ?`,
  ),
  updateState: database.prepare<[string, number, string, number]>(
    `UPDATE threads SET folder = ?, read = ?, trashed_at = ${TRASHED_AT} WHERE key = ?`,
  ),
  updateReading: database.prepare<{
    key: number
    emailsAt: number
    snippet: string | null
    writers: string | null
    waits: number
    hasOutbound: number
    inSent: number
  }>(
    `UPDATE threads SET emails_at = @emailsAt, snippet = @snippet, writers = @writers, waits = @waits,
       has_outbound = @hasOutbound, in_sent = @inSent
     WHERE key = @key`,
  ),
  selectSenders: database.prepare<[number], string>(SELECT_SENDERS).pluck(),
  selectNewest: database.prepare<[number], NewestEmail>(
    `SELECT id, message_id AS messageId, json_extract(${PAYLOAD_JSON_SQL}, '${EMAIL_PATHS.from}') AS "from",
       json_extract(${PAYLOAD_JSON_SQL}, '${EMAIL_PATHS.subject}') AS subject
     FROM emails WHERE thread_key = ? AND json_valid(${PAYLOAD_JSON_SQL}) ORDER BY received_at DESC, key DESC LIMIT 1`,
  ),
  remove: database.prepare<[number]>('DELETE FROM threads WHERE key = ?'),
  countGone: database.prepare<[], number>('SELECT count(*) FROM threads WHERE on_server = 0').pluck(),
})

export class ThreadRows {
  readonly #sql: ReturnType<typeof prepareStatements>
  readonly #onBroken: OnBrokenRow

  constructor(database: Database.Database, onBroken: OnBrokenRow) {
    this.#sql = prepareStatements(database)
    this.#onBroken = onBroken
  }

  find(inbox: InboxRef, threadId: string): ThreadRow | undefined {
    return this.#sql.select.get(inbox.key, threadId)
  }

  currentState(inbox: InboxRef, threadId: string): StateRow | undefined {
    return this.#sql.selectStanding.get(inbox.key, threadId)
  }

  /** The platform's thread. If the payload is damaged, reports it and uses the columns instead. */
  read(inbox: InboxRef, row: ThreadRow): FetchedThread {
    const read = parseChecksummedThread(row.wire, row.id)
    if (read?.isIntact !== true || parseStoredIds(row.label_ids) === null) {
      this.#onBroken({ kind: 'thread', inboxId: inbox.id, threadId: row.id })
    }
    return read?.thing ?? rebuildThreadFromColumns(row)
  }

  /** @returns the new row's key; null if the thread exists already */
  insertIfNew(
    inbox: InboxRef,
    threadId: string,
    { place, hasOutbound, labelIds }: ShownThread,
    sealed: string,
  ): number | null {
    const { changes, lastInsertRowid } = this.#sql.insertIfNew.run(
      inbox.key,
      threadId,
      place.receivedAt,
      place.listedAt,
      place.folder,
      Number(place.read),
      labelIds,
      Number(hasOutbound),
      Number(place.inSent),
      place.folder,
      sealed,
    )
    return changes === 0 ? null : Number(lastInsertRowid)
  }

  update(key: number, { place, hasOutbound, labelIds }: ShownThread, sealed: string): void {
    this.#sql.update.run(
      place.receivedAt,
      place.listedAt,
      place.folder,
      Number(place.read),
      labelIds,
      Number(hasOutbound),
      Number(place.inSent),
      Number(place.onServer),
      sealed,
      place.folder,
      key,
    )
  }

  /** Cheaper than `update`, if nothing else has changed. */
  updateState(key: number, { folder, read }: Pick<ListedThreadState, 'folder' | 'read'>): void {
    this.#sql.updateState.run(folder, Number(read), folder, key)
  }

  updateReading(
    { key, folder }: ThreadRow,
    reading: DerivedThreadDetails,
    { writers, waits }: Pick<ThreadRow, 'writers' | 'waits'>,
  ): void {
    const { emailsAt, snippet, hasOutbound } = reading
    const inSent = Number(isInSent(folder, hasOutbound))
    this.#sql.updateReading.run({ key, emailsAt, snippet, writers, waits, hasOutbound: Number(hasOutbound), inSent })
  }

  /** The newest cached e-mail of a thread, as far as its author's kind depends on it. */
  newestEmail(key: number): NewestEmail | undefined {
    return this.#sql.selectNewest.get(key)
  }

  /** Collects the senders of a thread's stored e-mails, for the column `writers`. */
  gatherWriters(key: number): string {
    return encodeSenders(this.#sql.selectSenders.all(key))
  }

  remove(key: number): void {
    this.#sql.remove.run(key)
  }

  /** Number of threads that the platform has removed. Scans all rows. */
  countGone(): number {
    return this.#sql.countGone.get() ?? 0
  }
}
