import type Database from 'better-sqlite3'
import type { FetchedReceivedEmail } from '../platform/resources/received-emails.ts'
import { mergeEmail, EMAIL_PATHS, type FetchedEmail } from '../platform/resources/thread-emails.ts'
import type { Email, EmailBodies, Folder } from '../../shared/model.ts'
import { measureBodies, INLINE_BODY_CHARS, INLINE_READ_EMAILS, withoutBodies } from './separate-bodies.ts'
import type { OnBrokenRow } from './broken-row.ts'
import type { SearchIndex } from './search-index/search-index.ts'
import type { SearchableEmail } from './search-index/searchable-email.ts'
import { toSearchable, toEmailFacts } from './indexed-rows.ts'
import type { InboxRef } from './inboxes.ts'
import { createLargeBodyStore, withoutLargeBodies } from './large-bodies.ts'
import { runInTransaction } from './watch-database.ts'
import { MAX_DATE_DIFFERENCE_MS, isCopyOf, isSameMessage } from './same-message.ts'
import { PAYLOAD_JSON_SQL, parseChecksummedEmail, parseChecksummedThread, addChecksum } from './checksummed-payload.ts'

export type CachedEmail = FetchedEmail & { readonly onServer: boolean }

interface KnownEmail {
  readonly id: string
  readonly read: boolean
  readonly isOutbound: boolean
}

interface Row {
  readonly key: number
  readonly id: string
  readonly on_server: number
  readonly wire: string
}

interface UnreadRow {
  readonly id: string
  /** The `From` header. */
  readonly from: string | null
  readonly subject: string | null
}

interface ArrivedRow {
  readonly id: string
  readonly from: string | null
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
}

const TOO_LARGE = 'This message’s text is too large to download. It is on the platform, unchanged.'

const toEmail = (
  { isTooLarge, largeBodies: _large, text, ...email }: FetchedEmail,
  here: Pick<Email, 'threadId' | 'read' | 'onServer'>,
): Email => ({ ...email, ...here, text: isTooLarge ? TOO_LARGE : text, apart: null })

const prepareStatements = (database: Database.Database) => ({
  threadKey: database
    .prepare<[number, string], number>('SELECT key FROM threads WHERE inbox_key = ? AND id = ?')
    .pluck(),
  // If the platform has removed a thread, it no longer has the thread's e-mails either.
  hasThread: database.prepare<[number], number>('SELECT on_server FROM threads WHERE key = ?').pluck(),
  ofThread: database.prepare<[number], Row>(
    'SELECT key, id, on_server, wire FROM emails WHERE thread_key = ? ORDER BY received_at, key',
  ),
  // Unreadable e-mails don't count, so they are fetched again.
  known: database.prepare<[number], { id: string; read: number | null; direction: string | null }>(
    `SELECT id, json_extract(${PAYLOAD_JSON_SQL}, '${EMAIL_PATHS.read}') AS read,
       json_extract(${PAYLOAD_JSON_SQL}, '${EMAIL_PATHS.direction}') AS direction
     FROM emails WHERE thread_key = ? AND on_server = 1 AND json_valid(${PAYLOAD_JSON_SQL}) ORDER BY received_at, key`,
  ),
  arrivedSince: database.prepare<[number, number], ArrivedRow>(
    `SELECT id, received_at AS receivedAt, json_extract(${PAYLOAD_JSON_SQL}, '${EMAIL_PATHS.from}') AS "from" FROM emails
     WHERE thread_key = ? AND received_at > ? AND json_valid(${PAYLOAD_JSON_SQL})
       AND json_extract(${PAYLOAD_JSON_SQL}, '${EMAIL_PATHS.direction}') IS NOT 'outbound'
     ORDER BY received_at, key`,
  ),
  unread: database.prepare<[number], UnreadRow>(
    `SELECT id, json_extract(${PAYLOAD_JSON_SQL}, '${EMAIL_PATHS.from}') AS "from",
       json_extract(${PAYLOAD_JSON_SQL}, '${EMAIL_PATHS.subject}') AS subject
     FROM emails
     WHERE thread_key = ? AND on_server = 1 AND json_valid(${PAYLOAD_JSON_SQL})
       AND json_extract(${PAYLOAD_JSON_SQL}, '${EMAIL_PATHS.read}') IS 0
       AND json_extract(${PAYLOAD_JSON_SQL}, '${EMAIL_PATHS.direction}') IS NOT 'outbound'`,
  ),
  ids: database.prepare<[number], string>('SELECT id FROM emails WHERE thread_key = ? AND on_server = 1').pluck(),
  one: database.prepare<[number, string], Row>(
    'SELECT key, id, on_server, wire FROM emails WHERE thread_key = ? AND id = ?',
  ),
  atTime: database
    .prepare<[number, number], string>('SELECT id FROM emails WHERE thread_key = ? AND received_at = ?')
    .pluck(),
  inFolder: database.prepare<[number, Folder, number, string, number, number], Row>(
    `SELECT emails.key, emails.id, emails.on_server, emails.wire FROM threads JOIN emails ON emails.thread_key = threads.key
     WHERE inbox_key = ? AND folder = ? AND threads.received_at >= ? AND (emails.id = ? OR emails.received_at BETWEEN ? AND ?)`,
  ),
  unreadInFolder: database.prepare<[number, Folder, number, number], { id: string; wire: string }>(
    `SELECT id, wire FROM threads WHERE inbox_key = ? AND folder = ? AND received_at BETWEEN ? AND ? AND emails_at IS NOT received_at`,
  ),
  upsert: database
    .prepare<[number, string, number, string], number>(
      `INSERT INTO emails (thread_key, id, received_at, on_server, wire) VALUES (?, ?, ?, 1, ?)
     ON CONFLICT (thread_key, id) DO UPDATE
     SET received_at = excluded.received_at, on_server = 1, wire = excluded.wire
     WHERE on_server <> 1 OR wire <> excluded.wire
     RETURNING key`,
    )
    .pluck(),
  markGone: database.prepare<[number, string]>(
    'UPDATE emails SET on_server = 0 WHERE thread_key = ? AND id = ? AND on_server = 1',
  ),
  rewrite: database.prepare<[string, number]>('UPDATE emails SET wire = ? WHERE key = ?'),
  remove: database.prepare<[number]>('DELETE FROM emails WHERE key = ?'),
  count: database.prepare<[number], number>('SELECT count(*) FROM emails WHERE thread_key = ?').pluck(),
})

export class EmailStore {
  readonly #database: Database.Database
  readonly #search: Pick<SearchIndex, 'write'>
  readonly #onBroken: OnBrokenRow
  readonly #sql: ReturnType<typeof prepareStatements>
  readonly #largeBodies: ReturnType<typeof createLargeBodyStore>

  constructor(database: Database.Database, search: Pick<SearchIndex, 'write'>, onBroken: OnBrokenRow) {
    this.#database = database
    this.#search = search
    this.#onBroken = onBroken
    this.#sql = prepareStatements(database)
    this.#largeBodies = createLargeBodyStore(database)
  }

  /**
   * A thread's e-mails, oldest first. The newest and the unread ones include their bodies, as long as one response can
   * hold them.
   * @param threadRead true if the thread is displayed as read; all its e-mails are then shown as read (platform.md 7.4)
   */
  ofThread(inbox: InboxRef, threadId: string, threadRead: boolean): readonly Email[] {
    const key = this.#keyOf(inbox, threadId)
    const hasThread = this.#sql.hasThread.get(key) === 1
    let room = INLINE_BODY_CHARS
    const newestFirst = this.#sql.ofThread
      .all(key)
      .toReversed()
      .flatMap((row, age) => {
        const kept = parseChecksummedEmail(row.wire, row.id)
        if (kept?.isIntact !== true) this.#onBroken({ kind: 'emails', inboxId: inbox.id, threadId })
        if (kept === null) return []
        const { read, largeBodies } = kept.thing
        const onServer = hasThread && row.on_server === 1
        const email = toEmail(kept.thing, { threadId, read: threadRead || read, onServer })
        const length = measureBodies(email)
        const isLarge = largeBodies.html !== null || largeBodies.text !== null
        const isOld = age >= INLINE_READ_EMAILS && email.read
        if (isLarge || isOld || length > room) {
          const { text } = largeBodies.text === null ? email : this.#largeBodies.complete(row.key, kept.thing)
          return [withoutBodies({ ...email, text }, largeBodies)]
        }
        room -= length
        return [email]
      })
    return newestFirst.toReversed()
  }

  /** An e-mail in a thread with its complete bodies, in the platform's state; undefined if missing or unreadable. */
  get(inbox: InboxRef, threadId: string, emailId: string): CachedEmail | undefined {
    const key = this.#keyOf(inbox, threadId)
    const row = this.#sql.one.get(key, emailId)
    const email = row === undefined ? undefined : parseChecksummedEmail(row.wire, row.id)?.thing
    if (row === undefined || email === undefined) return undefined
    const onServer = row.on_server === 1 && this.#sql.hasThread.get(key) === 1
    return { ...this.#largeBodies.complete(row.key, email), onServer }
  }

  /** An e-mail's searchable text; undefined if missing or unreadable. */
  searchable(inbox: InboxRef, threadId: string, emailId: string): SearchableEmail | undefined {
    const email = this.get(inbox, threadId, emailId)
    return email === undefined ? undefined : toSearchable(email, toEmailFacts(email))
  }

  /**
   * True if the folder contains the message, considering pending changes. The message has the same ID, or the same
   * Message-ID, sender and subject.
   */
  isIn(
    inbox: InboxRef,
    folder: Folder,
    message: Pick<FetchedReceivedEmail, 'id' | 'messageId' | 'from' | 'subject' | 'createdAt'>,
  ): boolean {
    const [from, to] = [message.createdAt - MAX_DATE_DIFFERENCE_MS, message.createdAt + MAX_DATE_DIFFERENCE_MS]
    const isHere = this.#sql.inFolder.all(inbox.key, folder, from, message.id, from, to).some(({ id, wire }) => {
      const email = id === message.id ? message : parseChecksummedEmail(wire, id)?.thing
      return email !== undefined && isCopyOf(email, message)
    })
    // For threads without stored e-mails, compare the newest e-mail's list data.
    return (
      isHere ||
      this.#sql.unreadInFolder.all(inbox.key, folder, from, to).some(({ id, wire }) => {
        const thread = parseChecksummedThread(wire, id)?.thing
        return thread !== undefined && isSameMessage({ from: thread.from ?? '', subject: thread.subject }, message)
      })
    )
  }

  /** An e-mail's complete bodies, as `ofThread` shows them; undefined if missing or unreadable. */
  bodiesOf(inbox: InboxRef, threadId: string, emailId: string): Pick<EmailBodies, 'html' | 'text'> | undefined {
    const email = this.get(inbox, threadId, emailId)
    return email && toEmail(email, { threadId, read: true, onServer: true })
  }

  /**
   * ID of the thread's e-mail with exactly this time. Null if there is none, or several. @param time milliseconds since
   * the epoch
   */
  atTime(inbox: InboxRef, threadId: string, time: number): string | null {
    const ids = this.#sql.atTime.all(this.#keyOf(inbox, threadId), time)
    return ids.length === 1 ? (ids[0] ?? null) : null
  }

  /** E-mails that the platform still has, oldest first, with the fields needed to fetch more. */
  known(inbox: InboxRef, threadId: string): readonly KnownEmail[] {
    return this.#sql.known.all(this.#keyOf(inbox, threadId)).map(({ id, read, direction }) => ({
      id,
      read: read !== 0,
      isOutbound: direction === 'outbound',
    }))
  }

  /** Cached received e-mails in a thread that are unread on the platform. */
  unread(inbox: InboxRef, threadId: string): readonly UnreadRow[] {
    return this.#sql.unread.all(this.#keyOf(inbox, threadId))
  }

  /** Cached e-mails received in a thread after a given time, oldest first. `from` is the `From` header. */
  arrivedSince(inbox: InboxRef, threadId: string, since: number): readonly (ArrivedRow & { readonly from: string })[] {
    return this.#sql.arrivedSince
      .all(this.#keyOf(inbox, threadId), since)
      .map((arrived) => ({ ...arrived, from: arrived.from ?? '' }))
  }

  /** @returns true if anything has changed */
  storePage(inbox: InboxRef, threadId: string, emails: readonly FetchedEmail[]): boolean {
    const key = this.#sql.threadKey.get(inbox.key, threadId)
    if (key === undefined) return false
    return runInTransaction(this.#database, () => {
      const written = emails.map((fetched) => {
        const email = this.#withKnown(key, withoutLargeBodies(fetched))
        const emailKey = this.#sql.upsert.get(key, email.id, email.receivedAt, addChecksum(email))
        if (emailKey === undefined) return false
        this.#largeBodies.store(emailKey, email, fetched)
        this.#index(key, emailKey, email)
        return true
      })
      return written.some((isWritten) => isWritten)
    })
  }

  /** Marks e-mails that the platform no longer lists; they stay readable. @returns true if there were any */
  markOthersGone(inbox: InboxRef, threadId: string, listed: readonly string[]): boolean {
    const key = this.#keyOf(inbox, threadId)
    const kept = new Set(listed)
    return runInTransaction(this.#database, () => {
      const gone = this.#sql.ids.all(key).filter((id) => !kept.has(id))
      for (const id of gone) this.#sql.markGone.run(key, id)
      return gone.length > 0
    })
  }

  count(inbox: InboxRef, threadId: string): number {
    return this.#sql.count.get(this.#keyOf(inbox, threadId)) ?? 0
  }

  /**
   * Removes a thread's e-mails and bodies. Call before removing the thread. @returns their IDs, with `email` if
   * readable
   */
  removeAll(
    inbox: InboxRef,
    threadId: string,
  ): readonly { readonly id: string; readonly email: CachedEmail | undefined }[] {
    return runInTransaction(this.#database, () => {
      const removed = this.#sql.ofThread.all(this.#keyOf(inbox, threadId)).map((row) => {
        const email = parseChecksummedEmail(row.wire, row.id)?.thing
        this.#sql.remove.run(row.key)
        return { id: row.id, email: email && { ...email, onServer: false } }
      })
      return removed
    })
  }

  /** Newest readable e-mail of a thread, in the platform's state. */
  newest(inbox: InboxRef, threadId: string): FetchedEmail | undefined {
    return this.#sql.ofThread
      .all(this.#keyOf(inbox, threadId))
      .flatMap((row) => parseChecksummedEmail(row.wire, row.id)?.thing ?? [])
      .at(-1)
  }

  /** Gives up on damaged e-mails that weren't fetched again: keeps readable parts, removes the rest. */
  settleBroken(inbox: InboxRef, threadId: string): void {
    const key = this.#keyOf(inbox, threadId)
    runInTransaction(this.#database, () => {
      for (const row of this.#sql.ofThread.all(key)) {
        const kept = parseChecksummedEmail(row.wire, row.id)
        if (kept === null) {
          this.#sql.remove.run(row.key)
          this.#search.write((index) => index.dropEmail(row.key))
        } else if (!kept.isIntact) {
          this.#sql.rewrite.run(addChecksum(kept.thing), row.key)
          this.#index(key, row.key, kept.thing)
        }
      }
    })
  }

  /** -1 for an unknown thread, which has no e-mails. */
  #keyOf(inbox: InboxRef, threadId: string): number {
    return this.#sql.threadKey.get(inbox.key, threadId) ?? -1
  }

  /** Takes fields that are empty in this response from the stored e-mail. */
  #withKnown(key: number, fetched: FetchedEmail): FetchedEmail {
    const row = this.#sql.one.get(key, fetched.id)
    if (row === undefined || row.wire === addChecksum(fetched)) return fetched
    const known = parseChecksummedEmail(row.wire, row.id)
    return known?.isIntact === true ? mergeEmail(known.thing, fetched) : fetched
  }

  #index(threadKey: number, emailKey: number, email: FetchedEmail): void {
    const searchable = toSearchable(this.#largeBodies.complete(emailKey, email), toEmailFacts(email))
    this.#search.write((index) => index.indexEmail(threadKey, emailKey, searchable))
  }
}
