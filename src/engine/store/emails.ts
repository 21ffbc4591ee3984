import type Database from 'better-sqlite3'
import type { FetchedReceivedEmail } from '../api/received-emails.ts'
import { IN_EMAIL_WORDS, type FetchedEmail } from '../api/thread-emails.ts'
import type { Email, Folder } from '../../shared/model.ts'
import { BEGINNING, bodyLength, CARRIED, CARRIED_READ, pieceOf, versionOf, withBodiesApart } from './bodies-apart.ts'
import type { OnBroken } from './broken-row.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import type { SearchableEmail } from '../search-index/searchable-email.ts'
import { createSearchableReader, factsOf } from './indexed-rows.ts'
import type { InboxRef } from './inboxes.ts'
import { createBodyPieces } from './body-pieces.ts'
import { joinTransaction } from './join-transaction.ts'
import { A_DAY, isCopyOf, isSameMessage } from './same-message.ts'
import { JSON_OF_WORDS, readSealedEmail, readSealedThread, seal } from './sealed-words.ts'

/** An e-mail of a thread, and whether the platform still has it. */
export type KeptEmail = FetchedEmail & { readonly onServer: boolean }

export interface EmailStore {
  /**
   * The e-mails of a thread, oldest first; the newest and those that were not read with their bodies, as far as one
   * answer carries them.
   * @param threadRead whether the person sees the thread as read: then each of its e-mails is (contract, "read")
   */
  readonly ofThread: (inbox: InboxRef, threadId: string, threadRead: boolean) => readonly Email[]
  /** An e-mail of a thread as the platform told it; undefined for one that is not here or cannot be read. */
  readonly get: (inbox: InboxRef, threadId: string, emailId: string) => KeptEmail | undefined
  /** An e-mail as search sees it; undefined for one that is not here or cannot be read. */
  readonly searchable: (inbox: InboxRef, threadId: string, emailId: string) => SearchableEmail | undefined
  /** The formatted body of an e-mail, whole; null where it has none, or is not here. */
  readonly htmlOf: (inbox: InboxRef, threadId: string, emailId: string) => string | null
  /** A body of an e-mail, also one that is kept in pieces, whole. */
  readonly bodyOf: (email: FetchedEmail, body: 'html' | 'text') => string | null
  /**
   * Whether a thread in a folder, with the changes that wait, holds a message that the account's own list also holds: by
   * its ID, or by its Message-ID with sender and subject.
   */
  readonly isIn: (
    inbox: InboxRef,
    folder: Folder,
    message: Pick<FetchedReceivedEmail, 'id' | 'messageId' | 'from' | 'subject' | 'createdAt'>,
  ) => boolean
  /** Who has sent an e-mail, as the platform says it; undefined for one that is not here or cannot be read. */
  readonly senderOf: (inbox: InboxRef, threadId: string, emailId: string) => string | undefined
  /** A piece of a body that is apart from its e-mail; undefined where there is none, or the bodies are other ones now. */
  readonly bodyPiece: (
    inbox: InboxRef,
    threadId: string,
    emailId: string,
    body: 'html' | 'text',
    version: string,
    place: number,
  ) => string | undefined
  /** The ID of the e-mail of a thread that came in at a time; null where none did, or several. @param time milliseconds since the epoch */
  readonly atTime: (inbox: InboxRef, threadId: string, time: number) => string | null
  /** The e-mails that the platform is known to have, oldest first, as far as reading on needs to know them. */
  readonly known: (inbox: InboxRef, threadId: string) => readonly KnownEmail[]
  /**
   * Keeps some e-mails of a thread.
   * @returns whether anything differs from before
   */
  readonly storePage: (inbox: InboxRef, threadId: string, emails: readonly FetchedEmail[]) => boolean
  /**
   * Keeps a piece of a body that is apart from its e-mail, under the name of `nameBody`: the same name is the same
   * text. It goes when the e-mail is stored again without that name, or is removed.
   */
  readonly storeBodyPiece: (name: string, place: number, text: string) => void
  /**
   * Marks the e-mails of a thread that the platform no longer lists; they stay readable.
   * @param listed the IDs of all that it lists
   * @returns whether there were any
   */
  readonly markOthersGone: (inbox: InboxRef, threadId: string, listed: readonly string[]) => boolean
  /**
   * Takes over an e-mail from another cache, where this one does not know it.
   * @param sealed as it was kept there: where that was damaged, who reads it finds out and has it fetched again
   */
  readonly restore: (inbox: InboxRef, threadId: string, email: FetchedEmail, sealed: string, onServer: boolean) => void
  /** How many e-mails of a thread are here. */
  readonly count: (inbox: InboxRef, threadId: string) => number
  /**
   * Removes all e-mails of a thread with their texts, so that the thread can be removed.
   * @returns their IDs; `email` where it could be read
   */
  readonly removeAll: (
    inbox: InboxRef,
    threadId: string,
  ) => readonly { readonly id: string; readonly email: KeptEmail | undefined }[]
  /** The newest e-mail of a thread that can be read, as the platform told it. */
  readonly newest: (inbox: InboxRef, threadId: string) => FetchedEmail | undefined
  /**
   * Gives up on the e-mails of a thread that are broken and did not come again: what can be read of them stays as it is,
   * what cannot is removed.
   */
  readonly settleBroken: (inbox: InboxRef, threadId: string) => void
}

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

const TOO_LARGE = 'This message’s text is too large to download. It is on the platform, unchanged.'

const toEmail = (
  { isTooLarge, apartNames: _names, text, ...email }: FetchedEmail,
  here: Pick<Email, 'threadId' | 'read' | 'onServer'>,
): Email => ({ ...email, ...here, text: isTooLarge ? TOO_LARGE : text, apart: null })

export const createEmailStore = (
  database: Database.Database,
  search: Pick<SearchIndex, 'keepEmail' | 'dropEmail'>,
  onBroken: OnBroken,
): EmailStore => {
  const readSearchable = createSearchableReader(database)
  const toSearchable = (email: FetchedEmail): SearchableEmail => readSearchable(email, factsOf(email))
  const selectKey = database
    .prepare<[number, string], number>('SELECT key FROM threads WHERE inbox_key = ? AND id = ?')
    .pluck()
  // Of a thread that the platform has dropped, it holds no e-mail either.
  const selectHasThread = database.prepare<[number], number>('SELECT on_server FROM threads WHERE key = ?').pluck()
  const select = database.prepare<[number], Row>(
    'SELECT key, id, on_server, wire FROM emails WHERE thread_key = ? ORDER BY received_at, key',
  )
  // An e-mail that cannot be read is not known: it is fetched again.
  const selectKnown = database.prepare<[number], { id: string; read: number | null; direction: string | null }>(
    `SELECT id, json_extract(${JSON_OF_WORDS}, '${IN_EMAIL_WORDS.read}') AS read,
       json_extract(${JSON_OF_WORDS}, '${IN_EMAIL_WORDS.direction}') AS direction
     FROM emails WHERE thread_key = ? AND on_server = 1 AND json_valid(${JSON_OF_WORDS}) ORDER BY received_at, key`,
  )
  const selectIds = database
    .prepare<[number], string>('SELECT id FROM emails WHERE thread_key = ? AND on_server = 1')
    .pluck()
  const bodies = createBodyPieces(database)
  const selectOne = database.prepare<[number, string], Row>(
    'SELECT id, on_server, wire FROM emails WHERE thread_key = ? AND id = ?',
  )
  const selectAtTime = database
    .prepare<[number, number], string>('SELECT id FROM emails WHERE thread_key = ? AND received_at = ?')
    .pluck()
  const selectInFolder = database.prepare<[number, Folder, number, string, number, number], Row>(
    `SELECT emails.key, emails.id, emails.on_server, emails.wire FROM threads JOIN emails ON emails.thread_key = threads.key
     WHERE inbox_key = ? AND folder = ? AND threads.received_at >= ? AND (emails.id = ? OR emails.received_at BETWEEN ? AND ?)`,
  )
  const selectUnreadInFolder = database.prepare<[number, Folder, number, number], { id: string; wire: string }>(
    `SELECT id, wire FROM threads WHERE inbox_key = ? AND folder = ? AND received_at BETWEEN ? AND ? AND emails_at IS NOT received_at`,
  )
  const upsert = database
    .prepare<[number, string, number, string], number>(
      `INSERT INTO emails (thread_key, id, received_at, on_server, wire) VALUES (?, ?, ?, 1, ?)
     ON CONFLICT (thread_key, id) DO UPDATE
     SET received_at = excluded.received_at, on_server = 1, wire = excluded.wire
     WHERE on_server <> 1 OR wire <> excluded.wire
     RETURNING key`,
    )
    .pluck()
  const insertRestored = database.prepare<[number, string, number, number, string]>(
    `INSERT INTO emails (thread_key, id, received_at, on_server, wire) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (thread_key, id) DO NOTHING`,
  )
  const markGone = database.prepare<[number, string]>(
    'UPDATE emails SET on_server = 0 WHERE thread_key = ? AND id = ? AND on_server = 1',
  )
  const rewrite = database.prepare<[string, number]>('UPDATE emails SET wire = ? WHERE key = ?')
  const remove = database.prepare<[number]>('DELETE FROM emails WHERE key = ?')
  const countOf = database.prepare<[number], number>('SELECT count(*) FROM emails WHERE thread_key = ?').pluck()

  /** Lays what is kept in pieces over an e-mail whose other bodies are here. */
  const withPieces = (email: Email, { html, text }: FetchedEmail['apartNames']): Email => {
    const rest = withBodiesApart(email, { html, text })
    if (rest.apart === null) return rest
    return {
      ...rest,
      apart: {
        ...rest.apart,
        html: html === null ? rest.apart.html : bodies.count(html),
        text: text === null ? rest.apart.text : bodies.count(text),
        beginning: text === null ? rest.apart.beginning : (bodies.piece(text, 0) ?? '').slice(0, BEGINNING),
      },
    }
  }

  const readOne = (inbox: InboxRef, threadId: string, emailId: string): KeptEmail | undefined => {
    const key = selectKey.get(inbox.key, threadId)
    const row = key === undefined ? undefined : selectOne.get(key, emailId)
    const email = row === undefined ? undefined : readSealedEmail(row.wire, row.id)?.thing
    if (key === undefined || row === undefined || email === undefined) return undefined
    return { ...email, onServer: row.on_server === 1 && selectHasThread.get(key) === 1 }
  }

  const bodyOf = (email: FetchedEmail, body: 'html' | 'text'): string | null => {
    const name = email.apartNames[body]
    if (name === null) return email[body]
    return Array.from({ length: bodies.count(name) }, (_, place) => bodies.piece(name, place) ?? '').join('')
  }

  return {
    ofThread: (inbox, threadId, threadRead) => {
      const key = selectKey.get(inbox.key, threadId)
      if (key === undefined) return []
      const hasThread = selectHasThread.get(key) === 1
      let room = CARRIED
      const newestFirst = select
        .all(key)
        .toReversed()
        .flatMap((row, age) => {
          const kept = readSealedEmail(row.wire, row.id)
          if (kept?.isSound !== true) onBroken({ kind: 'emails', inboxId: inbox.id, threadId })
          if (kept === null) return []
          const { read, apartNames } = kept.thing
          const onServer = hasThread && row.on_server === 1
          const email = toEmail(kept.thing, { threadId, read: threadRead || read, onServer })
          const length = bodyLength(email)
          const isApart = apartNames.html !== null || apartNames.text !== null
          const isOld = age >= CARRIED_READ && email.read
          if (isApart || isOld || length > room) return [withPieces(email, apartNames)]
          room -= length
          return [email]
        })
      return newestFirst.toReversed()
    },
    get: readOne,
    searchable: (inbox, threadId, emailId) => {
      const email = readOne(inbox, threadId, emailId)
      return email === undefined ? undefined : toSearchable(email)
    },
    htmlOf: (inbox, threadId, emailId) => {
      const email = readOne(inbox, threadId, emailId)
      return email === undefined ? null : bodyOf(email, 'html')
    },
    bodyOf,
    isIn: (inbox, folder, message) => {
      const [from, to] = [message.createdAt - A_DAY, message.createdAt + A_DAY]
      const isHere = selectInFolder.all(inbox.key, folder, from, message.id, from, to).some(({ id, wire }) => {
        const email = id === message.id ? message : readSealedEmail(wire, id)?.thing
        return email !== undefined && isCopyOf(email, message)
      })
      // Of a thread whose e-mails are not here, what its list says of the newest one has to do.
      return (
        isHere ||
        selectUnreadInFolder.all(inbox.key, folder, from, to).some(({ id, wire }) => {
          const thread = readSealedThread(wire, id)?.thing
          return thread !== undefined && isSameMessage({ from: thread.from ?? '', subject: thread.subject }, message)
        })
      )
    },
    senderOf: (inbox, threadId, emailId) => readOne(inbox, threadId, emailId)?.from,
    bodyPiece: (inbox, threadId, emailId, body, version, place) => {
      const kept = readOne(inbox, threadId, emailId)
      if (kept === undefined) return undefined
      const email = toEmail(kept, { threadId, read: true, onServer: true })
      if (versionOf(email, kept.apartNames) !== version) return undefined
      const name = kept.apartNames[body]
      return name === null ? (pieceOf(email[body], place) ?? undefined) : bodies.piece(name, place)
    },
    atTime: (inbox, threadId, time) => {
      const key = selectKey.get(inbox.key, threadId)
      const ids = key === undefined ? [] : selectAtTime.all(key, time)
      return ids.length === 1 ? (ids[0] ?? null) : null
    },
    known: (inbox, threadId) => {
      const key = selectKey.get(inbox.key, threadId)
      if (key === undefined) return []
      return selectKnown.all(key).map(({ id, read, direction }) => ({
        id,
        read: read !== 0,
        isOutbound: direction === 'outbound',
      }))
    },
    storePage: (inbox, threadId, emails) => {
      const key = selectKey.get(inbox.key, threadId)
      if (key === undefined) return false
      return joinTransaction(database, () => {
        const written = emails.map((email) => {
          bodies.settle([inbox.id, threadId, email.id], email)
          const emailKey = upsert.get(key, email.id, email.receivedAt, seal(email))
          if (emailKey !== undefined) search.keepEmail(key, emailKey, toSearchable(email))
          return emailKey !== undefined
        })
        return written.some((isWritten) => isWritten)
      })
    },
    storeBodyPiece: bodies.store,
    markOthersGone: (inbox, threadId, listed) => {
      const key = selectKey.get(inbox.key, threadId)
      if (key === undefined) return false
      const kept = new Set(listed)
      return joinTransaction(database, () => {
        const gone = selectIds.all(key).filter((id) => !kept.has(id))
        for (const id of gone) markGone.run(key, id)
        bodies.settleThread(inbox.id, threadId, key)
        return gone.length > 0
      })
    },
    restore: (inbox, threadId, email, sealed, onServer) => {
      const key = selectKey.get(inbox.key, threadId)
      if (key === undefined) return
      joinTransaction(database, () => {
        const { id, receivedAt } = email
        const { changes, lastInsertRowid } = insertRestored.run(key, id, receivedAt, Number(onServer), sealed)
        if (changes > 0) search.keepEmail(key, Number(lastInsertRowid), toSearchable(email))
        const row = changes > 0 ? undefined : select.all(key).find((other) => other.id === id)
        const kept = row === undefined ? email : readSealedEmail(row.wire, row.id)?.thing
        if (kept !== undefined) bodies.settle([inbox.id, threadId, id], kept)
      })
    },
    count: (inbox, threadId) => {
      const key = selectKey.get(inbox.key, threadId)
      return key === undefined ? 0 : (countOf.get(key) ?? 0)
    },
    removeAll: (inbox, threadId) => {
      const key = selectKey.get(inbox.key, threadId)
      if (key === undefined) return []
      return joinTransaction(database, () => {
        const removed = select.all(key).map((row) => {
          const email = readSealedEmail(row.wire, row.id)?.thing
          remove.run(row.key)
          return { id: row.id, email: email && { ...email, onServer: false } }
        })
        bodies.removeThread(inbox.id, threadId)
        return removed
      })
    },
    newest: (inbox, threadId) => {
      const key = selectKey.get(inbox.key, threadId)
      if (key === undefined) return undefined
      return select
        .all(key)
        .flatMap((row) => readSealedEmail(row.wire, row.id)?.thing ?? [])
        .at(-1)
    },
    settleBroken: (inbox, threadId) => {
      const key = selectKey.get(inbox.key, threadId)
      if (key === undefined) return
      joinTransaction(database, () => {
        for (const row of select.all(key)) {
          const kept = readSealedEmail(row.wire, row.id)
          if (kept === null) {
            remove.run(row.key)
            search.dropEmail(row.key)
            bodies.settle([inbox.id, threadId, row.id])
          } else if (!kept.isSound) {
            rewrite.run(seal(kept.thing), row.key)
            search.keepEmail(key, row.key, toSearchable(kept.thing))
          }
        }
      })
    },
  }
}
