import type Database from 'better-sqlite3'
import type { FetchedReceivedEmail } from '../api/received-emails.ts'
import { emailWithNews, IN_EMAIL_WORDS, type FetchedEmail } from '../api/thread-emails.ts'
import type { Email, Folder } from '../../shared/model.ts'
import { BEGINNING, bodyLength, CARRIED, CARRIED_READ, pieceOf, versionOf, withBodiesApart } from './bodies-apart.ts'
import type { OnBroken } from './broken-row.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import type { SearchableEmail } from '../search-index/searchable-email.ts'
import { createSearchableReader, factsOf } from './indexed-rows.ts'
import type { InboxRef } from './inboxes.ts'
import { BodyPieces } from './body-pieces.ts'
import { joinTransaction } from './join-transaction.ts'
import { A_DAY, isCopyOf, isSameMessage } from './same-message.ts'
import { JSON_OF_WORDS, readSealedEmail, readSealedThread, seal } from './sealed-words.ts'

/** An e-mail of a thread, and whether the platform still has it. */
export type KeptEmail = FetchedEmail & { readonly onServer: boolean }

/** An e-mail of the cache without its bodies. */
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
  /** The header. */
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
  { isTooLarge, apartNames: _names, text, ...email }: FetchedEmail,
  here: Pick<Email, 'threadId' | 'read' | 'onServer'>,
): Email => ({ ...email, ...here, text: isTooLarge ? TOO_LARGE : text, apart: null })

const prepareStatements = (database: Database.Database) => ({
  threadKey: database
    .prepare<[number, string], number>('SELECT key FROM threads WHERE inbox_key = ? AND id = ?')
    .pluck(),
  // Of a thread that the platform has dropped, it holds no e-mail either.
  hasThread: database.prepare<[number], number>('SELECT on_server FROM threads WHERE key = ?').pluck(),
  ofThread: database.prepare<[number], Row>(
    'SELECT key, id, on_server, wire FROM emails WHERE thread_key = ? ORDER BY received_at, key',
  ),
  // An e-mail that cannot be read is not known: it is fetched again.
  known: database.prepare<[number], { id: string; read: number | null; direction: string | null }>(
    `SELECT id, json_extract(${JSON_OF_WORDS}, '${IN_EMAIL_WORDS.read}') AS read,
       json_extract(${JSON_OF_WORDS}, '${IN_EMAIL_WORDS.direction}') AS direction
     FROM emails WHERE thread_key = ? AND on_server = 1 AND json_valid(${JSON_OF_WORDS}) ORDER BY received_at, key`,
  ),
  arrivedSince: database.prepare<[number, number], ArrivedRow>(
    `SELECT id, received_at AS receivedAt, json_extract(${JSON_OF_WORDS}, '${IN_EMAIL_WORDS.from}') AS "from" FROM emails
     WHERE thread_key = ? AND received_at > ? AND json_valid(${JSON_OF_WORDS})
       AND json_extract(${JSON_OF_WORDS}, '${IN_EMAIL_WORDS.direction}') IS NOT 'outbound'
     ORDER BY received_at, key`,
  ),
  unread: database.prepare<[number], UnreadRow>(
    `SELECT id, json_extract(${JSON_OF_WORDS}, '${IN_EMAIL_WORDS.from}') AS "from",
       json_extract(${JSON_OF_WORDS}, '${IN_EMAIL_WORDS.subject}') AS subject
     FROM emails
     WHERE thread_key = ? AND on_server = 1 AND json_valid(${JSON_OF_WORDS})
       AND json_extract(${JSON_OF_WORDS}, '${IN_EMAIL_WORDS.read}') IS 0
       AND json_extract(${JSON_OF_WORDS}, '${IN_EMAIL_WORDS.direction}') IS NOT 'outbound'`,
  ),
  ids: database.prepare<[number], string>('SELECT id FROM emails WHERE thread_key = ? AND on_server = 1').pluck(),
  one: database.prepare<[number, string], Row>(
    'SELECT id, on_server, wire FROM emails WHERE thread_key = ? AND id = ?',
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
  insertRestored: database.prepare<[number, string, number, number, string]>(
    `INSERT INTO emails (thread_key, id, received_at, on_server, wire) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (thread_key, id) DO NOTHING`,
  ),
  markGone: database.prepare<[number, string]>(
    'UPDATE emails SET on_server = 0 WHERE thread_key = ? AND id = ? AND on_server = 1',
  ),
  rewrite: database.prepare<[string, number]>('UPDATE emails SET wire = ? WHERE key = ?'),
  remove: database.prepare<[number]>('DELETE FROM emails WHERE key = ?'),
  count: database.prepare<[number], number>('SELECT count(*) FROM emails WHERE thread_key = ?').pluck(),
})

/** The e-mails of the cache's threads. */
export class EmailStore {
  readonly #database: Database.Database
  readonly #search: Pick<SearchIndex, 'keepEmail' | 'dropEmail'>
  readonly #onBroken: OnBroken
  readonly #sql: ReturnType<typeof prepareStatements>
  readonly #bodies: BodyPieces
  readonly #readSearchable: ReturnType<typeof createSearchableReader>

  constructor(database: Database.Database, search: Pick<SearchIndex, 'keepEmail' | 'dropEmail'>, onBroken: OnBroken) {
    this.#database = database
    this.#search = search
    this.#onBroken = onBroken
    this.#sql = prepareStatements(database)
    this.#bodies = new BodyPieces(database)
    this.#readSearchable = createSearchableReader(database)
  }

  /**
   * The e-mails of a thread, oldest first; the newest and the unread ones with their bodies, as far as one answer carries
   * them.
   * @param threadRead whether the person sees the thread as read: then each of its e-mails is (contract, "read")
   */
  ofThread(inbox: InboxRef, threadId: string, threadRead: boolean): readonly Email[] {
    const key = this.#sql.threadKey.get(inbox.key, threadId)
    if (key === undefined) return []
    const hasThread = this.#sql.hasThread.get(key) === 1
    let room = CARRIED
    const newestFirst = this.#sql.ofThread
      .all(key)
      .toReversed()
      .flatMap((row, age) => {
        const kept = readSealedEmail(row.wire, row.id)
        if (kept?.isSound !== true) this.#onBroken({ kind: 'emails', inboxId: inbox.id, threadId })
        if (kept === null) return []
        const { read, apartNames } = kept.thing
        const onServer = hasThread && row.on_server === 1
        const email = toEmail(kept.thing, { threadId, read: threadRead || read, onServer })
        const length = bodyLength(email)
        const isApart = apartNames.html !== null || apartNames.text !== null
        const isOld = age >= CARRIED_READ && email.read
        if (isApart || isOld || length > room) return [this.#withPieces(email, apartNames)]
        room -= length
        return [email]
      })
    return newestFirst.toReversed()
  }

  /** An e-mail of a thread as the platform gave it; undefined for one that is not here or cannot be read. */
  get(inbox: InboxRef, threadId: string, emailId: string): KeptEmail | undefined {
    const key = this.#sql.threadKey.get(inbox.key, threadId)
    const row = key === undefined ? undefined : this.#sql.one.get(key, emailId)
    const email = row === undefined ? undefined : readSealedEmail(row.wire, row.id)?.thing
    if (key === undefined || row === undefined || email === undefined) return undefined
    return { ...email, onServer: row.on_server === 1 && this.#sql.hasThread.get(key) === 1 }
  }

  /** An e-mail as search sees it; undefined for one that is not here or cannot be read. */
  searchable(inbox: InboxRef, threadId: string, emailId: string): SearchableEmail | undefined {
    const email = this.get(inbox, threadId, emailId)
    return email === undefined ? undefined : this.#toSearchable(email)
  }

  /** The formatted body of an e-mail, whole; null where it has none, or is not here. */
  htmlOf(inbox: InboxRef, threadId: string, emailId: string): string | null {
    const email = this.get(inbox, threadId, emailId)
    return email === undefined ? null : this.bodyOf(email, 'html')
  }

  /** A whole body of an e-mail, also one that is kept in pieces. */
  bodyOf(email: FetchedEmail, body: 'html' | 'text'): string | null {
    const name = email.apartNames[body]
    if (name === null) return email[body]
    const pieces = Array.from({ length: this.#bodies.count(name) }, (_, place) => this.#bodies.piece(name, place) ?? '')
    return pieces.join('')
  }

  /**
   * Whether a thread in a folder, with the changes that wait, holds a message that the account's own list also holds: by
   * its ID, or by its Message-ID with sender and subject.
   */
  isIn(
    inbox: InboxRef,
    folder: Folder,
    message: Pick<FetchedReceivedEmail, 'id' | 'messageId' | 'from' | 'subject' | 'createdAt'>,
  ): boolean {
    const [from, to] = [message.createdAt - A_DAY, message.createdAt + A_DAY]
    const isHere = this.#sql.inFolder.all(inbox.key, folder, from, message.id, from, to).some(({ id, wire }) => {
      const email = id === message.id ? message : readSealedEmail(wire, id)?.thing
      return email !== undefined && isCopyOf(email, message)
    })
    // For a thread whose e-mails are not here, what its list says of the newest one has to do.
    return (
      isHere ||
      this.#sql.unreadInFolder.all(inbox.key, folder, from, to).some(({ id, wire }) => {
        const thread = readSealedThread(wire, id)?.thing
        return thread !== undefined && isSameMessage({ from: thread.from ?? '', subject: thread.subject }, message)
      })
    )
  }

  /** Who has sent an e-mail, as the platform says it; undefined for one that is not here or cannot be read. */
  senderOf(inbox: InboxRef, threadId: string, emailId: string): string | undefined {
    return this.get(inbox, threadId, emailId)?.from
  }

  /** A piece of a body that is apart from its e-mail; undefined where there is none, or the bodies have changed. */
  bodyPiece(
    inbox: InboxRef,
    threadId: string,
    emailId: string,
    body: 'html' | 'text',
    version: string,
    place: number,
  ): string | undefined {
    const kept = this.get(inbox, threadId, emailId)
    if (kept === undefined) return undefined
    const email = toEmail(kept, { threadId, read: true, onServer: true })
    if (versionOf(email, kept.apartNames) !== version) return undefined
    const name = kept.apartNames[body]
    return name === null ? (pieceOf(email[body], place) ?? undefined) : this.#bodies.piece(name, place)
  }

  /**
   * The ID of the e-mail of a thread that came in at a time; null where none did, or several.
   * @param time milliseconds since the epoch
   */
  atTime(inbox: InboxRef, threadId: string, time: number): string | null {
    const key = this.#sql.threadKey.get(inbox.key, threadId)
    const ids = key === undefined ? [] : this.#sql.atTime.all(key, time)
    return ids.length === 1 ? (ids[0] ?? null) : null
  }

  /** The e-mails that the platform is known to have, oldest first, as far as reading on needs to know them. */
  known(inbox: InboxRef, threadId: string): readonly KnownEmail[] {
    const key = this.#sql.threadKey.get(inbox.key, threadId)
    if (key === undefined) return []
    return this.#sql.known.all(key).map(({ id, read, direction }) => ({
      id,
      read: read !== 0,
      isOutbound: direction === 'outbound',
    }))
  }

  /** Cached e-mails that came into a thread and that the platform has as unread. */
  unread(inbox: InboxRef, threadId: string): readonly UnreadRow[] {
    const key = this.#sql.threadKey.get(inbox.key, threadId)
    return key === undefined ? [] : this.#sql.unread.all(key)
  }

  /** Cached e-mails that came into a thread after a time, oldest first. `from` is the header. */
  arrivedSince(inbox: InboxRef, threadId: string, since: number): readonly (ArrivedRow & { readonly from: string })[] {
    const key = this.#sql.threadKey.get(inbox.key, threadId)
    return key === undefined
      ? []
      : this.#sql.arrivedSince.all(key, since).map((arrived) => ({ ...arrived, from: arrived.from ?? '' }))
  }

  /**
   * Keeps some e-mails of a thread.
   * @returns whether anything differs from before
   */
  storePage(inbox: InboxRef, threadId: string, emails: readonly FetchedEmail[]): boolean {
    const key = this.#sql.threadKey.get(inbox.key, threadId)
    if (key === undefined) return false
    return joinTransaction(this.#database, () => {
      const written = emails.map((fetched) => {
        const email = this.#withKnown(key, fetched)
        this.#bodies.settle([inbox.id, threadId, email.id], email)
        const emailKey = this.#sql.upsert.get(key, email.id, email.receivedAt, seal(email))
        if (emailKey !== undefined) this.#search.keepEmail(key, emailKey, this.#toSearchable(email))
        return emailKey !== undefined
      })
      return written.some((isWritten) => isWritten)
    })
  }

  /**
   * Keeps a piece of a body that is apart from its e-mail, under the name of `nameBody`: the same name is the same
   * text. It goes when the e-mail is stored again without that name, or is removed.
   */
  storeBodyPiece(name: string, place: number, text: string): void {
    this.#bodies.store(name, place, text)
  }

  /**
   * Marks the e-mails of a thread that the platform no longer lists; they stay readable.
   * @param listed the IDs of all that it lists
   * @returns whether there were any
   */
  markOthersGone(inbox: InboxRef, threadId: string, listed: readonly string[]): boolean {
    const key = this.#sql.threadKey.get(inbox.key, threadId)
    if (key === undefined) return false
    const kept = new Set(listed)
    return joinTransaction(this.#database, () => {
      const gone = this.#sql.ids.all(key).filter((id) => !kept.has(id))
      for (const id of gone) this.#sql.markGone.run(key, id)
      this.#bodies.settleThread(inbox.id, threadId, key)
      return gone.length > 0
    })
  }

  /**
   * Takes over an e-mail from another cache, where this one does not know it.
   * @param sealed as it was kept there: where that was damaged, who reads it finds out and has it fetched again
   */
  restore(inbox: InboxRef, threadId: string, email: FetchedEmail, sealed: string, onServer: boolean): void {
    const key = this.#sql.threadKey.get(inbox.key, threadId)
    if (key === undefined) return
    joinTransaction(this.#database, () => {
      const { id, receivedAt } = email
      const { changes, lastInsertRowid } = this.#sql.insertRestored.run(key, id, receivedAt, Number(onServer), sealed)
      if (changes > 0) this.#search.keepEmail(key, Number(lastInsertRowid), this.#toSearchable(email))
      const row = changes > 0 ? undefined : this.#sql.ofThread.all(key).find((other) => other.id === id)
      const kept = row === undefined ? email : readSealedEmail(row.wire, row.id)?.thing
      if (kept !== undefined) this.#bodies.settle([inbox.id, threadId, id], kept)
    })
  }

  /** How many e-mails of a thread are here. */
  count(inbox: InboxRef, threadId: string): number {
    const key = this.#sql.threadKey.get(inbox.key, threadId)
    return key === undefined ? 0 : (this.#sql.count.get(key) ?? 0)
  }

  /**
   * Removes all e-mails of a thread with their texts, so that the thread can be removed.
   * @returns their IDs; `email` where it could be read
   */
  removeAll(
    inbox: InboxRef,
    threadId: string,
  ): readonly { readonly id: string; readonly email: KeptEmail | undefined }[] {
    const key = this.#sql.threadKey.get(inbox.key, threadId)
    if (key === undefined) return []
    return joinTransaction(this.#database, () => {
      const removed = this.#sql.ofThread.all(key).map((row) => {
        const email = readSealedEmail(row.wire, row.id)?.thing
        this.#sql.remove.run(row.key)
        return { id: row.id, email: email && { ...email, onServer: false } }
      })
      this.#bodies.removeThread(inbox.id, threadId)
      return removed
    })
  }

  /** The newest e-mail of a thread that can be read, as the platform gave it. */
  newest(inbox: InboxRef, threadId: string): FetchedEmail | undefined {
    const key = this.#sql.threadKey.get(inbox.key, threadId)
    if (key === undefined) return undefined
    return this.#sql.ofThread
      .all(key)
      .flatMap((row) => readSealedEmail(row.wire, row.id)?.thing ?? [])
      .at(-1)
  }

  /**
   * Gives up on the e-mails of a thread that are broken and did not come again: what can be read of them stays as it is,
   * what cannot is removed.
   */
  settleBroken(inbox: InboxRef, threadId: string): void {
    const key = this.#sql.threadKey.get(inbox.key, threadId)
    if (key === undefined) return
    joinTransaction(this.#database, () => {
      for (const row of this.#sql.ofThread.all(key)) {
        const kept = readSealedEmail(row.wire, row.id)
        if (kept === null) {
          this.#sql.remove.run(row.key)
          this.#search.dropEmail(row.key)
          this.#bodies.settle([inbox.id, threadId, row.id])
        } else if (!kept.isSound) {
          this.#sql.rewrite.run(seal(kept.thing), row.key)
          this.#search.keepEmail(key, row.key, this.#toSearchable(kept.thing))
        }
      }
    })
  }

  /** A fetched e-mail with what is known of it, and empty in this answer. */
  #withKnown(key: number, fetched: FetchedEmail): FetchedEmail {
    const row = this.#sql.one.get(key, fetched.id)
    if (row === undefined || row.wire === seal(fetched)) return fetched
    const known = readSealedEmail(row.wire, row.id)
    return known?.isSound === true ? emailWithNews(known.thing, fetched) : fetched
  }

  #toSearchable(email: FetchedEmail): SearchableEmail {
    return this.#readSearchable(email, factsOf(email))
  }

  /** Lays what is kept in pieces over an e-mail whose other bodies are here. */
  #withPieces(email: Email, { html, text }: FetchedEmail['apartNames']): Email {
    const rest = withBodiesApart(email, { html, text })
    if (rest.apart === null) return rest
    return {
      ...rest,
      apart: {
        ...rest.apart,
        html: html === null ? rest.apart.html : this.#bodies.count(html),
        text: text === null ? rest.apart.text : this.#bodies.count(text),
        beginning: text === null ? rest.apart.beginning : (this.#bodies.piece(text, 0) ?? '').slice(0, BEGINNING),
      },
    }
  }
}
