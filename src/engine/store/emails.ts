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
  /**
   * Keeps all e-mails of a thread. Those that the platform no longer lists stay readable and are marked.
   * @returns whether anything differs from before
   */
  readonly storeThread: (inbox: InboxRef, threadId: string, wires: readonly WireEmail[]) => boolean
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
  const upsert = database.prepare<[number, string, number, string]>(
    `INSERT INTO emails (thread_key, id, received_at, on_server, wire) VALUES (?, ?, ?, 1, ?)
     ON CONFLICT (thread_key, id) DO UPDATE
     SET received_at = excluded.received_at, on_server = 1, wire = excluded.wire
     WHERE on_server <> 1 OR wire <> excluded.wire`,
  )
  const markGone = database.prepare<[number, string]>(
    'UPDATE emails SET on_server = 0 WHERE thread_key = ? AND id = ? AND on_server = 1',
  )

  return {
    ofThread: (inbox, threadId, threadRead) => {
      const key = selectKey.get(inbox.key, threadId)
      if (key === undefined) return []
      return select.all(key).map((row) => {
        const wire = JSON.parse(row.wire) as WireEmail
        return toEmail(wire, { threadId, read: threadRead || (wire.read ?? true), onServer: row.on_server === 1 })
      })
    },
    storeThread: (inbox, threadId, wires) => {
      const key = selectKey.get(inbox.key, threadId)
      if (key === undefined) return false
      return joinTransaction(database, () => {
        const listed = new Set(wires.map(({ id }) => id))
        const written = wires.map(
          (wire) => upsert.run(key, wire.id, toTime(wire.received_at), JSON.stringify(wire)).changes,
        )
        const marked = select.all(key).map(({ id }) => (listed.has(id) ? 0 : markGone.run(key, id).changes))
        return [...written, ...marked].some((changes) => changes > 0)
      })
    },
  }
}
