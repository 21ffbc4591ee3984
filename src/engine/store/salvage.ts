import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type Database from 'better-sqlite3'
import { readKeptTopics } from '../api/contacts.ts'
import { bareInbox, readKeptInbox } from '../api/inboxes.ts'
import { CACHE_FILE, type Cache } from './cache.ts'
import { modelFile } from './open-database.ts'
import { createTableReader, openBroken, type BrokenFileRow as Row } from './read-broken.ts'
import {
  readSealedContact,
  readSealedEmail,
  readSealedReceivedEmail,
  readSealedSentEmail,
  readSealedThread,
} from './sealed-words.ts'
import type { ContentRow } from './content-rows.ts'
import type { InboxRef } from './inboxes.ts'
import type { TouchedThreads } from './touched-threads.ts'

/** Rows that are read and written in one turn of the event loop. */
const ROWS_A_TURN = 64

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const number = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN)

/**
 * Moves everything that can still be read of a broken cache into a new one: most of it would be fetched again, but mail
 * that the platform has dropped is nowhere else. Works in turns of the event loop; what the new cache has already met is
 * newer and stays.
 * @param broken the file that was set aside
 * @param sound a cache that SQLite can open: the header is the same in all of them
 * @param keepContent is given what the broken cache knew of files beside it
 * @param changed is told of threads that have come
 * @returns whether all of it was gone through: false where the signal ended it
 */
const salvageCache = async (
  broken: string,
  sound: string,
  cache: Cache,
  keepContent: (row: ContentRow) => void,
  signal: AbortSignal,
  changed: (inboxId: string, touched: TouchedThreads) => void,
): Promise<boolean> => {
  if (!existsSync(broken)) return true
  const opened = openBroken(broken, sound, ['inboxes', 'threads', 'emails'], modelFile(CACHE_FILE))
  if (opened === null) return true
  const { source, end } = opened

  const eachRow = async (table: string, keep: (row: Row) => void): Promise<void> => {
    let reader: ReturnType<typeof createTableReader>
    try {
      reader = createTableReader(source, table)
    } catch {
      // The table is not there, in a broken file.
      return
    }
    for (let first = 0; first <= reader.last && !reader.isHopeless(); first += ROWS_A_TURN) {
      await nextTurn()
      if (signal.aborted) return
      const rows = reader.read(first, first + ROWS_A_TURN - 1)
      if (rows.length > 0) cache.together(() => rows.forEach(keep))
    }
  }

  /** By the key that the broken file gave them. */
  const inboxes = new Map<number, InboxRef>()
  /** Threads whose e-mails could not be found by their index. */
  const incomplete = new Map<number, { readonly inbox: InboxRef; readonly id: string }>()

  const keepInbox = (row: Row): void => {
    const id = text(row.id)
    const inbox = readKeptInbox(text(row.wire), id) ?? (id === '' ? null : bareInbox(id))
    if (inbox === null) return
    const position = number(row.position) || 0
    cache.inboxes.restore({ inbox, position, onServer: row.on_server === 1, isAdded: row.added === 1 })
    const key = cache.inboxes.get(id)?.key
    if (key !== undefined) inboxes.set(number(row.key), { key, id })
  }

  const selectEmails = (): Database.Statement<[number], Row> | null => {
    try {
      return source.prepare('SELECT * FROM emails WHERE thread_key = ?')
    } catch {
      return null
    }
  }
  const ofThread = selectEmails()
  const emailsOf = (threadKey: number): readonly Row[] | null => {
    try {
      return ofThread?.all(threadKey) ?? null
    } catch {
      return null
    }
  }
  /** Keeps the pieces of a body that is apart from its e-mail. */
  const keepPieces = (name: string | null): void => {
    if (name === null) return
    try {
      const pieces = source.prepare<[string], Row>('SELECT place, text FROM body_pieces WHERE name = ?').all(name)
      for (const { place, text: piece } of pieces) cache.emails.storeBodyPiece(name, number(place), text(piece))
    } catch {
      // What is missing of a body does not take the e-mail with it.
    }
  }
  /** Keeps e-mails of a thread beside those that are there. @returns how many of the rows are as they were written */
  const keepEmails = (inbox: InboxRef, threadId: string, rows: readonly Row[]): number => {
    const read = rows.flatMap((row) => {
      const kept = readSealedEmail(text(row.wire), text(row.id))
      return kept === null ? [] : [{ ...kept, sealed: text(row.wire), isThere: row.on_server === 1 }]
    })
    for (const { thing: email } of read) for (const name of Object.values(email.apartNames)) keepPieces(name)
    for (const { thing: email, sealed, isThere } of read) cache.emails.restore(inbox, threadId, email, sealed, isThere)
    return read.filter(({ isSound }) => isSound).length
  }

  const keepThread = (row: Row): void => {
    const inbox = inboxes.get(number(row.inbox_key))
    const id = text(row.id)
    const thread = readSealedThread(text(row.wire), id)?.thing
    if (inbox === undefined || thread === undefined || cache.threads.get(inbox, id) !== undefined) return
    if (cache.deleted.has({ list: 'threads', inboxId: inbox.id, id })) return
    const hasOutbound = row.has_outbound === 1
    changed(inbox.id, cache.threads.storePage(inbox, [thread], { askedAt: 0, inSent: hasOutbound }))
    const emails = emailsOf(number(row.key))
    if (emails === null) incomplete.set(number(row.key), { inbox, id })
    const isWhole =
      emails !== null &&
      keepEmails(inbox, id, emails) === emails.length &&
      emails.length >= thread.emailCount &&
      row.emails_at === row.received_at
    if (isWhole || (emails !== null && emails.length > 0 && row.on_server !== 1)) {
      const snippet = typeof row.snippet === 'string' ? row.snippet : null
      cache.threads.storeReading(inbox, id, { emailsAt: thread.receivedAt, snippet, hasOutbound })
    }
    if (row.on_server !== 1) cache.threads.markGone(inbox, id)
  }

  const keepStray = (row: Row): void => {
    const thread = incomplete.get(number(row.thread_key))
    if (thread !== undefined) keepEmails(thread.inbox, thread.id, [row])
  }

  /** What the platform still has is asked for again where it is not as it was written. */
  const isWhole = (row: Row, isSound: boolean): boolean => row.complete === 1 && (isSound || row.on_server !== 1)

  try {
    await eachRow('inboxes', keepInbox)
    await eachRow('threads', keepThread)
    if (incomplete.size > 0) await eachRow('emails', keepStray)
    await eachRow('received_emails', (row) => {
      const kept = readSealedReceivedEmail(text(row.wire), text(row.id))
      if (cache.deleted.has({ list: 'received', id: text(row.id) })) return
      if (kept !== null) cache.receivedEmails.restore(kept.thing, isWhole(row, kept.isSound), row.on_server === 1)
    })
    await eachRow('sent_emails', (row) => {
      const kept = readSealedSentEmail(text(row.wire), text(row.id))
      if (cache.deleted.has({ list: 'sent', id: text(row.id) })) return
      if (kept !== null) cache.sentEmails.restore(kept.thing, isWhole(row, kept.isSound), row.on_server === 1)
    })
    await eachRow('contacts', (row) => {
      const contact = readSealedContact(text(row.wire), text(row.id))?.thing
      if (contact !== undefined && !cache.contacts.has(contact.id)) cache.contacts.storePage([contact], 0)
    })
    await eachRow('contact_topics', (row) => {
      const topics = readKeptTopics(text(row.wire))
      const contactId = text(row.contact_id)
      if (topics !== null && cache.topics.ofContact(contactId) === undefined) {
        cache.topics.replaceAll(contactId, topics, number(row.fetched_at) || 0)
      }
    })
    await eachRow('contents', (row) => {
      keepContent({
        key: text(row.key),
        digest: text(row.digest),
        bytes: number(row.bytes),
        contentType: text(row.content_type) || null,
        share: text(row.share) || null,
        fetchedAt: number(row.fetched_at) || 0,
        usedAt: number(row.used_at) || 0,
      })
    })
    return !signal.aborted
  } finally {
    end()
  }
}

/** The fact that names the broken cache from which mail is still being moved. */
const SALVAGE_FACT = 'salvage'

interface SalvageParts {
  readonly directory: string
  /** The cache's own file. */
  readonly sound: string
  readonly cache: Cache
  readonly keepContent: (row: ContentRow) => void
  readonly changed: (inboxId: string, touched: TouchedThreads) => void
  readonly report: (thrown: unknown) => void
  readonly signal: AbortSignal
}

/** Moves mail from a cache that was set aside, over as many starts of the account as that takes. */
export class Salvage {
  readonly #parts: SalvageParts

  constructor(parts: SalvageParts) {
    this.#parts = parts
  }

  /** Remember that mail is to be moved from this file, which lies beside the cache. */
  begin(broken: string): void {
    this.#parts.cache.facts.set(SALVAGE_FACT, basename(broken))
  }

  /** @returns whether it is over and what waits is to be shown anew; false where nothing was to be moved, or the signal came */
  async run(): Promise<boolean> {
    const { directory, sound, cache, keepContent, changed, report, signal } = this.#parts
    const broken = cache.facts.get(SALVAGE_FACT) ?? ''
    if (broken === '') return false
    try {
      if (!(await salvageCache(join(directory, broken), sound, cache, keepContent, signal, changed))) return false
    } catch (thrown) {
      report(thrown)
    }
    if (signal.aborted) return false
    cache.facts.set(SALVAGE_FACT, '')
    return true
  }
}
