import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type Database from 'better-sqlite3'
import { parseStoredTopics } from '../platform/resources/contacts.ts'
import { createPlaceholderInbox, parseStoredInbox } from '../platform/resources/inboxes.ts'
import { CACHE_FILE_KIND, type Cache } from './cache.ts'
import { buildEmptyDatabase } from './open-database.ts'
import { createTableReader, openDamagedDatabase, type UntrustedRow as Row } from './damaged-database.ts'
import {
  parseChecksummedContact,
  parseChecksummedEmail,
  parseChecksummedReceivedEmail,
  parseChecksummedSentEmail,
  parseChecksummedThread,
} from './checksummed-payload.ts'
import type { BlobRow } from './blob-rows.ts'
import type { InboxRef } from './inboxes.ts'
import type { ThreadListChanges } from './thread-list-changes.ts'

const ROWS_A_TURN = 64

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const number = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)

interface KeptThread {
  readonly inbox: InboxRef
  readonly id: string
}

interface RescueParts {
  readonly source: Database.Database
  readonly cache: Cache
  /** Called with the damaged cache's metadata of each external file. */
  readonly keepContent: (row: BlobRow) => void
  readonly changed: (inboxId: string, touched: ThreadListChanges) => void
  readonly signal: AbortSignal
}

/** A damaged e-mail counts as incomplete if the platform can send it again. */
const isCompleteEmail = (row: Row, isIntact: boolean): boolean =>
  row.complete === 1 && (isIntact || row.on_server !== 1)

/** Copies the rows of a damaged cache into a new one, table by table. */
class Rescue {
  readonly #source: Database.Database
  readonly #cache: Cache
  readonly #parts: RescueParts
  /** Restored inboxes, by their keys in the damaged file. */
  readonly #inboxes = new Map<number, InboxRef>()
  /** Threads with e-mails that the damaged file's index didn't find. */
  readonly #incomplete = new Map<number, KeptThread>()
  readonly #selectEmails: Database.Statement<[number], Row> | null

  constructor(parts: RescueParts) {
    this.#parts = parts
    this.#source = parts.source
    this.#cache = parts.cache
    this.#selectEmails = this.#prepareEmails()
  }

  /** @returns false if aborted */
  async run(): Promise<boolean> {
    await this.#eachRow('inboxes', (row) => this.#keepInbox(row))
    await this.#eachRow('threads', (row) => this.#keepThread(row))
    if (this.#incomplete.size > 0) await this.#eachRow('emails', (row) => this.#keepStray(row))
    await this.#eachRow('received_emails', (row) => this.#keepReceived(row))
    await this.#eachRow('sent_emails', (row) => this.#keepSent(row))
    await this.#eachRow('contacts', (row) => this.#storeContact(row))
    await this.#eachRow('contact_topics', (row) => this.#keepTopics(row))
    await this.#eachRow('contents', (row) => this.#keepContent(row))
    return !this.#parts.signal.aborted
  }

  async #eachRow(table: string, keep: (row: Row) => void): Promise<void> {
    let reader: ReturnType<typeof createTableReader>
    try {
      reader = createTableReader(this.#source, table)
    } catch {
      return
    }
    for (let first = 0; first <= reader.last && !reader.isHopeless(); first += ROWS_A_TURN) {
      await nextTurn()
      if (this.#parts.signal.aborted) return
      const rows = reader.read(first, first + ROWS_A_TURN - 1)
      if (rows.length > 0) this.#cache.inTransaction(() => rows.forEach(keep))
    }
  }

  #keepInbox(row: Row): void {
    const id = text(row.id)
    const inbox = parseStoredInbox(text(row.wire), id) ?? (id === '' ? null : createPlaceholderInbox(id))
    if (inbox === null) return
    const position = number(row.position) || 0
    this.#cache.inboxes.restore({ inbox, position, onServer: row.on_server === 1, isAdded: row.added === 1 })
    const key = this.#cache.inboxes.get(id)?.key
    if (key !== undefined) this.#inboxes.set(number(row.key), { key, id })
  }

  #keepThread(row: Row): void {
    const { threads, deleted } = this.#cache
    const inbox = this.#inboxes.get(number(row.inbox_key))
    const id = text(row.id)
    const thread = parseChecksummedThread(text(row.wire), id)?.thing
    if (inbox === undefined || thread === undefined || threads.get(inbox, id) !== undefined) return
    if (deleted.has({ list: 'threads', inboxId: inbox.id, id })) return
    const hasOutbound = row.has_outbound === 1
    this.#parts.changed(inbox.id, threads.storePage(inbox, [thread], { askedAt: 0, inSent: hasOutbound }))
    const emails = this.#emailsOf(number(row.key))
    if (emails === null) this.#incomplete.set(number(row.key), { inbox, id })
    const isComplete =
      emails !== null &&
      this.#keepEmails({ inbox, id }, emails) === emails.length &&
      emails.length >= thread.emailCount &&
      row.emails_at === row.received_at
    if (isComplete || (emails !== null && emails.length > 0 && row.on_server !== 1)) {
      const snippet = typeof row.snippet === 'string' ? row.snippet : null
      threads.storeReading(inbox, id, { emailsAt: thread.receivedAt, snippet, hasOutbound })
    }
    if (row.on_server !== 1) threads.markGone(inbox, id)
  }

  #prepareEmails(): Database.Statement<[number], Row> | null {
    try {
      return this.#source.prepare('SELECT * FROM emails WHERE thread_key = ?')
    } catch {
      return null
    }
  }

  #emailsOf(threadKey: number): readonly Row[] | null {
    try {
      return this.#selectEmails?.all(threadKey) ?? null
    } catch {
      return null
    }
  }

  /** Adds a thread's missing e-mails. @returns number of undamaged rows */
  #keepEmails({ inbox, id }: KeptThread, rows: readonly Row[]): number {
    const { emails } = this.#cache
    const read = rows.flatMap((row) => {
      const kept = parseChecksummedEmail(text(row.wire), text(row.id))
      return kept === null ? [] : [{ ...kept, sealed: text(row.wire), isThere: row.on_server === 1 }]
    })
    for (const { thing: email } of read)
      for (const name of Object.values(email.bodyPieceNames)) this.#keepBodyChunks(name)
    for (const { thing: email, sealed, isThere } of read) emails.restore(inbox, id, email, sealed, isThere)
    return read.filter(({ isIntact }) => isIntact).length
  }

  #keepBodyChunks(name: string | null): void {
    if (name === null) return
    try {
      const select = this.#source.prepare<[string], Row>('SELECT place, text FROM body_pieces WHERE name = ?')
      for (const { place, text: piece } of select.all(name)) {
        this.#cache.emails.storeBodyPiece(name, number(place), text(piece))
      }
    } catch {
      // The e-mail is worth keeping even if pieces of its body are missing.
    }
  }

  #keepStray(row: Row): void {
    const thread = this.#incomplete.get(number(row.thread_key))
    if (thread !== undefined) this.#keepEmails(thread, [row])
  }

  #keepReceived(row: Row): void {
    const kept = parseChecksummedReceivedEmail(text(row.wire), text(row.id))
    if (kept === null || this.#cache.deleted.has({ list: 'received', id: text(row.id) })) return
    this.#cache.receivedEmails.restore(kept.thing, isCompleteEmail(row, kept.isIntact), row.on_server === 1)
  }

  #keepSent(row: Row): void {
    const kept = parseChecksummedSentEmail(text(row.wire), text(row.id))
    if (kept === null || this.#cache.deleted.has({ list: 'sent', id: text(row.id) })) return
    this.#cache.sentEmails.restore(kept.thing, isCompleteEmail(row, kept.isIntact), row.on_server === 1)
  }

  #storeContact(row: Row): void {
    const { contacts } = this.#cache
    const contact = parseChecksummedContact(text(row.wire), text(row.id))?.thing
    if (contact !== undefined && !contacts.has(contact.id)) contacts.storePage([contact], 0)
  }

  #keepTopics(row: Row): void {
    const topics = parseStoredTopics(text(row.wire))
    const contactId = text(row.contact_id)
    if (topics === null || this.#cache.topics.ofContact(contactId) !== undefined) return
    this.#cache.topics.replaceAll(contactId, topics, number(row.fetched_at) || 0)
  }

  #keepContent(row: Row): void {
    this.#parts.keepContent({
      key: text(row.key),
      digest: text(row.digest),
      bytes: number(row.bytes),
      contentType: text(row.content_type) || null,
      share: text(row.share) || null,
      fetchedAt: number(row.fetched_at) || 0,
      usedAt: number(row.used_at) || 0,
    })
  }
}

/** Metadata key under which the damaged cache's file name is stored while its mail is being copied. */
const SALVAGE_KEY = 'salvage'

interface SalvageParts extends Omit<RescueParts, 'source'> {
  readonly directory: string
  /** File of the new cache, whose header can be reused. */
  readonly sound: string
  readonly report: (thrown: unknown) => void
}

/**
 * Copies everything readable from a damaged cache into a new one, over several starts if needed. Mail that the platform
 * has removed exists nowhere else. Rows already in the new cache are newer and are not overwritten.
 */
export class Salvage {
  readonly #parts: SalvageParts

  constructor(parts: SalvageParts) {
    this.#parts = parts
  }

  /** Records that mail must be copied from this file, which is in the cache's folder. */
  begin(broken: string): void {
    this.#parts.cache.accountMeta.set(SALVAGE_KEY, basename(broken))
  }

  /** @returns true if copying has finished; pending changes must then be applied again */
  async run(): Promise<boolean> {
    const { directory, cache, report, signal } = this.#parts
    const broken = cache.accountMeta.get(SALVAGE_KEY) ?? ''
    if (broken === '') return false
    try {
      if (!(await this.#rescue(join(directory, broken)))) return false
    } catch (thrown) {
      report(thrown)
    }
    if (signal.aborted) return false
    cache.accountMeta.set(SALVAGE_KEY, '')
    return true
  }

  async #rescue(broken: string): Promise<boolean> {
    if (!existsSync(broken)) return true
    const opened = openDamagedDatabase(
      broken,
      this.#parts.sound,
      ['inboxes', 'threads', 'emails'],
      buildEmptyDatabase(CACHE_FILE_KIND),
    )
    if (opened === null) return true
    try {
      return await new Rescue({ ...this.#parts, source: opened.source }).run()
    } finally {
      opened.end()
    }
  }
}
