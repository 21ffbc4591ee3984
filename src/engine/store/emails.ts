import type Database from 'better-sqlite3'
import { toEmail, toTime } from '../api/model-from-wire.ts'
import type { WireEmail } from '../api/wire.ts'
import type { Email } from '../../shared/model.ts'
import type { InboxRef } from './threads.ts'
import { joinTransaction } from './join-transaction.ts'

export interface EmailStore {
  /**
   * The e-mails of a thread, oldest first.
   * @param threadRead whether the person sees the thread as read: then each of its e-mails is (contract, "read")
   */
  readonly ofThread: (inbox: InboxRef, threadId: string, threadRead: boolean) => readonly Email[]
  /** The e-mails that the platform is known to have, oldest first, as far as reading on needs to know them. */
  readonly known: (inbox: InboxRef, threadId: string) => readonly KnownEmail[]
  /**
   * Keeps some e-mails of a thread.
   * @returns whether anything differs from before
   */
  readonly storePage: (inbox: InboxRef, threadId: string, wires: readonly WireEmail[]) => boolean
  /** Keeps a piece of a body that is apart from its e-mail, which names it: the same name is the same text. */
  readonly storeBodyPiece: (name: string, place: number, text: string) => void
  /**
   * Marks the e-mails of a thread that the platform no longer lists; they stay readable.
   * @param listed the IDs of all that it lists
   * @returns whether there were any
   */
  readonly markOthersGone: (inbox: InboxRef, threadId: string, listed: readonly string[]) => boolean
}

/** An e-mail of the cache without its bodies. */
interface KnownEmail {
  readonly id: string
  readonly read: boolean
  readonly isOutbound: boolean
}

interface Row {
  readonly id: string
  readonly on_server: number
  readonly wire: string
}

export const createEmailStore = (database: Database.Database): EmailStore => {
  const selectKey = database
    .prepare<[number, string], number>('SELECT key FROM threads WHERE inbox_key = ? AND id = ?')
    .pluck()
  const select = database.prepare<[number], Row>(
    'SELECT id, on_server, wire FROM emails WHERE thread_key = ? ORDER BY received_at, key',
  )
  const selectKnown = database.prepare<[number], { id: string; read: number | null; direction: string | null }>(
    `SELECT id, json_extract(wire, '$.read') AS read, json_extract(wire, '$.direction') AS direction
     FROM emails WHERE thread_key = ? AND on_server = 1 ORDER BY received_at, key`,
  )
  const selectIds = database
    .prepare<[number], string>('SELECT id FROM emails WHERE thread_key = ? AND on_server = 1')
    .pluck()
  const insertPiece = database.prepare<[string, number, string]>(
    'INSERT OR IGNORE INTO body_pieces (name, place, text) VALUES (?, ?, ?)',
  )
  const selectPieces = database
    .prepare<[string], string>('SELECT text FROM body_pieces WHERE name = ? ORDER BY place')
    .pluck()
  const upsert = database.prepare<[number, string, number, string]>(
    `INSERT INTO emails (thread_key, id, received_at, on_server, wire) VALUES (?, ?, ?, 1, ?)
     ON CONFLICT (thread_key, id) DO UPDATE
     SET received_at = excluded.received_at, on_server = 1, wire = excluded.wire
     WHERE on_server <> 1 OR wire <> excluded.wire`,
  )
  const markGone = database.prepare<[number, string]>(
    'UPDATE emails SET on_server = 0 WHERE thread_key = ? AND id = ? AND on_server = 1',
  )

  const joined = (name: string | null | undefined): { readonly body?: string } =>
    typeof name === 'string' ? { body: selectPieces.all(name).join('') } : {}
  /** An e-mail with the bodies that are kept apart. */
  const whole = (wire: WireEmail): WireEmail => ({
    ...wire,
    html: joined(wire.html_apart).body ?? wire.html,
    text: joined(wire.text_apart).body ?? wire.text,
  })

  return {
    ofThread: (inbox, threadId, threadRead) => {
      const key = selectKey.get(inbox.key, threadId)
      if (key === undefined) return []
      return select.all(key).map((row) => {
        const wire = whole(JSON.parse(row.wire) as WireEmail)
        return toEmail(wire, { threadId, read: threadRead || (wire.read ?? true), onServer: row.on_server === 1 })
      })
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
        const written = wires.map(
          (wire) => upsert.run(key, wire.id, toTime(wire.received_at), JSON.stringify(wire)).changes,
        )
        return written.some((changes) => changes > 0)
      })
    },
    storeBodyPiece: (name, place, text) => {
      insertPiece.run(name, place, text)
    },
    markOthersGone: (inbox, threadId, listed) => {
      const key = selectKey.get(inbox.key, threadId)
      if (key === undefined) return false
      const kept = new Set(listed)
      return joinTransaction(database, () => {
        const gone = selectIds.all(key).filter((id) => !kept.has(id))
        for (const id of gone) markGone.run(key, id)
        return gone.length > 0
      })
    },
  }
}
