import type Database from 'better-sqlite3'
import { toEmail, toTime } from '../api/model-from-wire.ts'
import type { WireEmail } from '../api/wire.ts'
import type { Email } from '../../shared/model.ts'
import { BEGINNING, bodyLength, CARRIED, pieceOf, versionOf, withBodiesApart } from './bodies-apart.ts'
import type { OnBroken } from './broken-row.ts'
import type { SearchIndex } from '../search-index/search-index.ts'
import type { SearchableEmail } from '../search-index/searchable-email.ts'
import { createSearchableReader } from './indexed-rows.ts'
import type { InboxRef } from './inboxes.ts'
import { createBodyPieces } from './body-pieces.ts'
import { joinTransaction } from './join-transaction.ts'
import { readSealedEmail, seal } from './sealed-wire.ts'

export interface EmailStore {
  /**
   * The e-mails of a thread, oldest first; the newest with their bodies, as far as one answer carries them.
   * @param threadRead whether the person sees the thread as read: then each of its e-mails is (contract, "read")
   */
  readonly ofThread: (inbox: InboxRef, threadId: string, threadRead: boolean) => readonly Email[]
  /** An e-mail as search sees it; undefined for one that is not here or cannot be read. */
  readonly searchable: (inbox: InboxRef, threadId: string, emailId: string) => SearchableEmail | undefined
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
  readonly storePage: (inbox: InboxRef, threadId: string, wires: readonly WireEmail[]) => boolean
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
  readonly restore: (inbox: InboxRef, threadId: string, wire: WireEmail, sealed: string, onServer: boolean) => void
  /** The newest e-mail of a thread that can be read, in the platform's words. */
  readonly newest: (inbox: InboxRef, threadId: string) => WireEmail | undefined
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

export const createEmailStore = (
  database: Database.Database,
  search: Pick<SearchIndex, 'keepEmail' | 'dropEmail'>,
  onBroken: OnBroken,
): EmailStore => {
  const toSearchable = createSearchableReader(database)
  const selectKey = database
    .prepare<[number, string], number>('SELECT key FROM threads WHERE inbox_key = ? AND id = ?')
    .pluck()
  const select = database.prepare<[number], Row>(
    'SELECT key, id, on_server, wire FROM emails WHERE thread_key = ? ORDER BY received_at, key',
  )
  // Behind the checksum, where there is one. An e-mail that cannot be read is not known: it is fetched again.
  const JSON_TEXT = "iif(substr(wire, 1, 1) = '{', wire, substr(wire, 9))"
  const selectKnown = database.prepare<[number], { id: string; read: number | null; direction: string | null }>(
    `SELECT id, json_extract(${JSON_TEXT}, '$.read') AS read, json_extract(${JSON_TEXT}, '$.direction') AS direction
     FROM emails WHERE thread_key = ? AND on_server = 1 AND json_valid(${JSON_TEXT}) ORDER BY received_at, key`,
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

  /** Lays what is kept in pieces over an e-mail whose other bodies are here. */
  const withPieces = (email: Email, { html_apart: html, text_apart: text }: WireEmail): Email => {
    const rest = withBodiesApart(email, { html, text })
    if (rest.apart === null) return rest
    return {
      ...rest,
      apart: {
        ...rest.apart,
        html: typeof html === 'string' ? bodies.count(html) : rest.apart.html,
        text: typeof text === 'string' ? bodies.count(text) : rest.apart.text,
        beginning: typeof text === 'string' ? (bodies.piece(text, 0) ?? '').slice(0, BEGINNING) : rest.apart.beginning,
      },
    }
  }

  const readOne = (inbox: InboxRef, threadId: string, emailId: string): WireEmail | undefined => {
    const key = selectKey.get(inbox.key, threadId)
    const row = key === undefined ? undefined : selectOne.get(key, emailId)
    return row === undefined ? undefined : readSealedEmail(row.wire, row.id)?.wire
  }

  return {
    ofThread: (inbox, threadId, threadRead) => {
      const key = selectKey.get(inbox.key, threadId)
      if (key === undefined) return []
      let room = CARRIED
      const newestFirst = select
        .all(key)
        .toReversed()
        .flatMap((row) => {
          const kept = readSealedEmail(row.wire, row.id)
          if (kept?.isSound !== true) onBroken({ kind: 'emails', inboxId: inbox.id, threadId })
          if (kept === null) return []
          const { wire } = kept
          const read = threadRead || (wire.read ?? true)
          const email = toEmail(wire, { threadId, read, onServer: row.on_server === 1 })
          const length = bodyLength(email)
          const isApart = typeof wire.html_apart === 'string' || typeof wire.text_apart === 'string'
          if (isApart || length > room) return [withPieces(email, wire)]
          room -= length
          return [email]
        })
      return newestFirst.toReversed()
    },
    searchable: (inbox, threadId, emailId) => {
      const wire = readOne(inbox, threadId, emailId)
      return wire === undefined ? undefined : toSearchable(wire)
    },
    bodyPiece: (inbox, threadId, emailId, body, version, place) => {
      const wire = readOne(inbox, threadId, emailId)
      if (wire === undefined) return undefined
      const email = toEmail(wire, { threadId, read: true, onServer: true })
      if (versionOf(email, { html: wire.html_apart, text: wire.text_apart }) !== version) return undefined
      const name = wire[`${body}_apart`]
      return typeof name === 'string' ? bodies.piece(name, place) : (pieceOf(email[body], place) ?? undefined)
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
    storePage: (inbox, threadId, wires) => {
      const key = selectKey.get(inbox.key, threadId)
      if (key === undefined) return false
      return joinTransaction(database, () => {
        const written = wires.map((wire) => {
          bodies.settle([inbox.id, threadId, wire.id], wire)
          const emailKey = upsert.get(key, wire.id, toTime(wire.received_at), seal(wire))
          if (emailKey !== undefined) search.keepEmail(key, emailKey, toSearchable(wire))
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
    restore: (inbox, threadId, wire, sealed, onServer) => {
      const key = selectKey.get(inbox.key, threadId)
      if (key === undefined) return
      joinTransaction(database, () => {
        const received = toTime(wire.received_at)
        const { changes, lastInsertRowid } = insertRestored.run(key, wire.id, received, Number(onServer), sealed)
        if (changes > 0) search.keepEmail(key, Number(lastInsertRowid), toSearchable(wire))
        const row = changes > 0 ? undefined : select.all(key).find(({ id }) => id === wire.id)
        const kept = row === undefined ? wire : readSealedEmail(row.wire, row.id)?.wire
        if (kept !== undefined) bodies.settle([inbox.id, threadId, wire.id], kept)
      })
    },
    newest: (inbox, threadId) => {
      const key = selectKey.get(inbox.key, threadId)
      if (key === undefined) return undefined
      return select
        .all(key)
        .flatMap((row) => readSealedEmail(row.wire, row.id)?.wire ?? [])
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
            rewrite.run(seal(kept.wire), row.key)
            search.keepEmail(key, row.key, toSearchable(kept.wire))
          }
        }
      })
    },
  }
}
