import type Database from 'better-sqlite3'
import { bareInbox, readKeptInbox, type FetchedInbox } from '../api/inboxes.ts'
import { textOf } from '../api/words.ts'
import type { Inbox } from '../../shared/model.ts'
import type { OnBroken } from './broken-row.ts'
import { joinTransaction } from './join-transaction.ts'
import { ownAddressKey } from './thread-writers.ts'

/** An inbox, by both its names. */
export interface InboxRef {
  readonly key: number
  readonly id: string
}

/** An inbox as the cache knows it; `key` is what other tables refer to. */
export interface StoredInbox {
  readonly key: number
  readonly inbox: Inbox
  /** The name under which it writes; null where it has none. */
  readonly fromName: string | null
  readonly onServer: boolean
  /** Whether a person added it because the platform does not list it. */
  readonly isAdded: boolean
}

export interface InboxStore {
  /** In the platform's order. */
  readonly all: () => readonly StoredInbox[]
  readonly get: (id: string) => StoredInbox | undefined
  /** The addresses of all inboxes, as `ownAddressKey` writes them. Asked for each list of threads: kept until an inbox changes. */
  readonly ownAddresses: () => ReadonlySet<string>
  /**
   * Keeps what the platform lists. Those that it does not list stay as they are: a list alone takes nothing away.
   * @returns whether anything differs from before, which inboxes were marked as gone and are listed again, and which of
   *   those that are not marked the list does not show, leaving out those that a person added
   */
  readonly keepListed: (inboxes: readonly FetchedInbox[]) => {
    readonly isChanged: boolean
    readonly back: readonly string[]
    readonly unlisted: readonly string[]
  }
  /** Keeps an inbox that the platform knows and does not list. */
  readonly add: (id: string) => void
  /** Marks an inbox that the platform does not have any more; it stays readable. @returns whether that is new */
  readonly markGone: (id: string) => boolean
  /** The platform has an inbox again that was marked. @returns whether it was */
  readonly markBack: (id: string) => boolean
  /** Takes over an inbox from another cache, where this one does not know it. */
  readonly restore: (restored: {
    readonly inbox: FetchedInbox
    readonly position: number
    readonly onServer: boolean
    readonly isAdded: boolean
  }) => void
}

interface Row {
  readonly key: number
  readonly id: string
  readonly on_server: number
  readonly added: number
  readonly wire: string
}

export const createInboxStore = (database: Database.Database, onBroken: OnBroken = () => undefined): InboxStore => {
  const read = (row: Row): FetchedInbox => {
    const inbox = readKeptInbox(row.wire, row.id)
    if (inbox === null) onBroken({ kind: 'inboxes' })
    return inbox ?? bareInbox(row.id)
  }
  const toStored = (row: Row): StoredInbox => {
    const { fromName, ...inbox } = read(row)
    return {
      key: row.key,
      inbox: { ...inbox, onServer: row.on_server === 1 },
      fromName,
      onServer: row.on_server === 1,
      isAdded: row.added === 1,
    }
  }
  const selectAll = database.prepare<[], Row>(
    'SELECT key, id, on_server, added, wire FROM inboxes ORDER BY position, key',
  )
  const selectOne = database.prepare<[string], Row>('SELECT key, id, on_server, added, wire FROM inboxes WHERE id = ?')
  const upsert = database.prepare<[string, number, string]>(
    `INSERT INTO inboxes (id, position, on_server, wire) VALUES (?, ?, 1, ?)
     ON CONFLICT (id) DO UPDATE SET position = excluded.position, on_server = 1, wire = excluded.wire
     WHERE position <> excluded.position OR on_server <> 1 OR wire <> excluded.wire`,
  )
  const insertAdded = database.prepare<[string, string]>(
    `INSERT INTO inboxes (id, position, on_server, added, wire)
     VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM inboxes), 1, 1, ?)
     ON CONFLICT (id) DO UPDATE SET on_server = 1, added = 1`,
  )
  const insertRestored = database.prepare<[string, number, number, number, string]>(
    'INSERT INTO inboxes (id, position, on_server, added, wire) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
  )
  const mark = database.prepare<[string]>('UPDATE inboxes SET on_server = 0 WHERE id = ? AND on_server = 1')
  let addresses: ReadonlySet<string> | null = null
  const unmark = database.prepare<[string]>('UPDATE inboxes SET on_server = 1 WHERE id = ? AND on_server = 0')

  return {
    all: () => selectAll.all().map(toStored),
    get: (id) => {
      const row = selectOne.get(id)
      return row === undefined ? undefined : toStored(row)
    },
    ownAddresses: () => (addresses ??= new Set(selectAll.all().map((row) => ownAddressKey(read(row).emailAddress)))),
    keepListed: (inboxes) =>
      joinTransaction(database, () => {
        addresses = null
        const before = selectAll.all()
        const listed = new Set(inboxes.map(({ id }) => id))
        const written = inboxes.map((inbox, position) => upsert.run(inbox.id, position, textOf(inbox)).changes)
        return {
          isChanged: written.some((changes) => changes > 0),
          back: before.flatMap((row) => (row.on_server === 0 && listed.has(row.id) ? [row.id] : [])),
          unlisted: before.flatMap((row) =>
            row.on_server === 1 && row.added === 0 && !listed.has(row.id) ? [row.id] : [],
          ),
        }
      }),
    add: (id) => {
      addresses = null
      insertAdded.run(id, textOf(bareInbox(id)))
    },
    markGone: (id) => mark.run(id).changes > 0,
    markBack: (id) => unmark.run(id).changes > 0,
    restore: ({ inbox, position, onServer, isAdded }) => {
      addresses = null
      insertRestored.run(inbox.id, position, Number(onServer), Number(isAdded), textOf(inbox))
    },
  }
}
