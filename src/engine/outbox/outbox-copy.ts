import { crc32 } from 'node:zlib'
import { createTableReader, openBroken, type BrokenFileRow } from '../store/read-broken.ts'
import { modelFile, openDatabase, type FileKind, type OpenedDatabase } from '../store/open-database.ts'
import type { ChangeWrite, MadeChange, ReplacedId, Subject, WaitingChange } from './change.ts'
import { parseAbout, type LargeChange, type LargeWrite, type Part, type PartState } from './large-parts.ts'
import { packChanges, unpackChanges } from './made-changes.ts'
import { outboxSchema } from './schema.ts'

/** How often a person can go back, at most, and how many bytes of that are kept: one time may be of 10,000 threads. */
const KEPT_TIMES = 500
const KEPT_BYTES = 16 * 1024 * 1024

/** Pages that are copied in one turn of the event loop. */
const COPIED_AT_ONCE = 100

/** The kind of file that an outbox is: `LNOb`. It is held by one process, so that no change is ever sent by two. */
const OUTBOX_FILE: FileKind = {
  applicationId: 0x4c4e_4f62,
  migrations: [outboxSchema],
  exclusive: true,
}

/** What was changed at once, so that it can be undone. */
interface KeptTime {
  readonly id: string
  /** Packed: `unpackChanges` reads it. */
  readonly changes: string
}

/** Some threads of a large change, as they are kept. */
interface KeptPart {
  readonly id: string
  readonly part: number
  readonly state: string
  readonly subjects: number
  /** Packed: `unpackChanges` reads it. */
  readonly changes: string
}

/** An entry of one of a person's short lists. */
export interface ListedEntry {
  readonly list: string
  /** JSON. */
  readonly entry: string
}

/** All that an outbox holds. */
export interface OutboxContent {
  readonly generation: number
  /** Oldest first. */
  readonly waiting: readonly WaitingChange[]
  /** Read when it is asked for, as the next one is: they are megabytes, which a sound outbox is opened without. */
  readonly made: () => readonly KeptTime[]
  readonly replacedIds: readonly ReplacedId[]
  /** Oldest first. */
  readonly large: readonly LargeChange[]
  readonly parts: () => readonly KeptPart[]
  /** Subjects of which something waits no more, and that may still be shown as if it did. */
  readonly unshown: readonly (Subject & { readonly generation: number })[]
  /** Each list in its order. */
  readonly listed: readonly ListedEntry[]
  /** Whether every row is there and as it was written. */
  readonly isWhole: boolean
}

/** One of the two files in which the outbox is kept. */
export interface OutboxCopy {
  /** As it was found: of a file that was set aside, what could still be read. */
  readonly found: OutboxContent
  readonly read: () => OutboxContent
  /** Oldest first. */
  readonly waiting: () => readonly WaitingChange[]
  readonly generation: () => number
  /** How many changes wait. */
  readonly pending: () => number
  /** How many entries all lists have. */
  readonly listed: () => number
  /** The entries of a list, in their order. */
  readonly list: (name: string) => readonly string[]
  /** Puts other entries in the place of a list's. */
  readonly writeList: (generation: number, name: string, entries: readonly string[]) => void
  /** Whether there was no file before, or an empty one. */
  readonly isMissing: boolean
  readonly setAside: string | null
  readonly write: (
    generation: number,
    writes: readonly ChangeWrite[],
    besides: {
      readonly made?: { readonly id: string; readonly changes: readonly MadeChange[] }
      readonly replaced?: ReplacedId | null
      readonly large?: LargeWrite | null
      /** The generation up to which everything is shown. */
      readonly shown: number
    },
  ) => void
  /** Puts other content in the place of all that is there. */
  readonly replace: (content: OutboxContent) => void
  readonly unshown: () => readonly Subject[]
  readonly madeChanges: (id: string) => readonly MadeChange[] | undefined
  readonly replacedIds: () => readonly ReplacedId[]
  /** Those that are not over, oldest first. */
  readonly large: () => readonly LargeChange[]
  /** What is still to be taken in of a large change: the numbers of its parts, in their order. */
  readonly partsLeft: (id: string) => readonly number[]
  /** Those of them that speak of a thread. */
  readonly partsLeftOf: (id: string, subjectId: string) => readonly number[]
  /** One of its parts; undefined for one that is not there or cannot be read. */
  readonly part: (id: string, part: number) => Part | undefined
  /** The numbers of its parts that were taken in. */
  readonly partsMade: (id: string) => readonly number[]
  /** The highest number of its parts. */
  readonly lastPart: (id: string) => number
  /** How many threads it has changed so far; null where it has no parts. */
  readonly countMade: (id: string) => number | null
  /** Copies all that it holds into another file, some at a time; what is written meanwhile comes along. */
  readonly copyTo: (file: string) => Promise<void>
  /** Brings what is in the log to its place in the file. */
  readonly checkpoint: () => void
  readonly close: (isDamaged?: boolean) => void
}

const digestOf = ({ kind, scope, id, field, wanted, sending }: WaitingChange): number =>
  crc32(JSON.stringify([kind, scope, id, field, wanted, sending]))

const isText = (value: unknown): value is string => typeof value === 'string'

/** Null for a row that is not as it was written. */
const toWaiting = ({ kind, scope, id, field, wanted, sending, large, digest }: BrokenFileRow): WaitingChange | null => {
  if (!isText(kind) || !isText(scope) || !isText(id) || !isText(field) || !isText(wanted)) return null
  if (sending !== null && !isText(sending)) return null
  const change = { kind, scope, id, field, wanted, sending, ...(isText(large) && { large }) } as const
  return digest === digestOf(change) ? change : null
}

const toMade = ({ id, changes }: BrokenFileRow): readonly KeptTime[] =>
  isText(id) && isText(changes) ? [{ id, changes }] : []

const toReplacedId = ({ kind, scope, was, id }: BrokenFileRow): readonly ReplacedId[] =>
  isText(kind) && isText(scope) && isText(was) && isText(id) ? [{ kind, scope, was, id }] : []

const toUnshown = ({ kind, scope, id, generation }: BrokenFileRow): OutboxContent['unshown'] =>
  isText(kind) && isText(scope) && isText(id) && typeof generation === 'number' ? [{ kind, scope, id, generation }] : []

const digestOfEntry = (list: string, place: number, entry: string): number =>
  crc32(JSON.stringify([list, place, entry]))

const toListed = ({ list, place, entry, digest }: BrokenFileRow): readonly ListedEntry[] =>
  isText(list) && typeof place === 'number' && isText(entry) && digest === digestOfEntry(list, place, entry)
    ? [{ list, entry }]
    : []

const toLarge = ({ id, about }: BrokenFileRow): readonly LargeChange[] => {
  const read = isText(about) ? parseAbout(about) : undefined
  return isText(id) && read !== undefined ? [{ id, ...read }] : []
}

const toKeptPart = ({ id, part, state, subjects, changes }: BrokenFileRow): readonly KeptPart[] =>
  isText(id) && typeof part === 'number' && isText(state) && typeof subjects === 'number' && isText(changes)
    ? [{ id, part, state, subjects, changes }]
    : []

const toPart = ({ part, state, subjects, changes }: KeptPart): Part | undefined => {
  const read = unpackChanges(changes)
  return read === undefined ? undefined : { part, state: state as PartState, subjects, changes: read }
}

const WAITING = 'SELECT * FROM waiting ORDER BY sequence'
const LISTS = 'SELECT * FROM lists ORDER BY list, place'
const REPLACED_IDS = 'SELECT * FROM replaced_ids ORDER BY rowid'

const readContent = ({ database }: OpenedDatabase): OutboxContent => {
  const rows = database.prepare<[], BrokenFileRow>(WAITING).all()
  const replacedIds = database.prepare<[], BrokenFileRow>(REPLACED_IDS).all()
  const large = database.prepare<[], BrokenFileRow>('SELECT * FROM large_changes ORDER BY sequence').all()
  const unshown = database.prepare<[], BrokenFileRow>('SELECT * FROM unshown').all()
  const inLists = database.prepare<[], BrokenFileRow>(LISTS).all()
  const state = database
    .prepare<[], { generation: number; pending: number; listed: number }>('SELECT * FROM state')
    .get()
  const read = rows.flatMap((row) => toWaiting(row) ?? [])
  const listed = inLists.flatMap(toListed)
  return {
    generation: state?.generation ?? 0,
    waiting: read,
    made: () => database.prepare<[], BrokenFileRow>('SELECT * FROM made ORDER BY sequence').all().flatMap(toMade),
    replacedIds: replacedIds.flatMap(toReplacedId),
    large: large.flatMap(toLarge),
    parts: () => database.prepare<[], BrokenFileRow>('SELECT * FROM parts ORDER BY sequence').all().flatMap(toKeptPart),
    unshown: unshown.flatMap(toUnshown),
    listed,
    isWhole:
      state !== undefined &&
      read.length === rows.length &&
      rows.length === state.pending &&
      listed.length === inLists.length &&
      listed.length === state.listed,
  }
}

/** A file that is not there knows less than any other. */
const NOTHING: OutboxContent = {
  generation: -1,
  waiting: [],
  made: () => [],
  replacedIds: [],
  large: [],
  parts: () => [],
  unshown: [],
  listed: [],
  isWhole: false,
}

/** What can still be read of an outbox that was set aside. */
const salvageContent = (file: string, sound: string): OutboxContent => {
  const opened = openBroken(file, sound, ['waiting'], modelFile(OUTBOX_FILE))
  if (opened === null) return NOTHING
  const rowsOf = (table: string): readonly BrokenFileRow[] => {
    try {
      const { read, last } = createTableReader(opened.source, table)
      return read(0, last)
    } catch {
      return []
    }
  }
  try {
    const [state] = rowsOf('state')
    const made = rowsOf('made').flatMap(toMade)
    const parts = rowsOf('parts').flatMap(toKeptPart)
    return {
      generation: typeof state?.generation === 'number' ? state.generation : NOTHING.generation,
      waiting: rowsOf('waiting').flatMap((row) => toWaiting(row) ?? []),
      made: () => made,
      replacedIds: rowsOf('replaced_ids').flatMap(toReplacedId),
      large: rowsOf('large_changes').flatMap(toLarge),
      parts: () => parts,
      unshown: rowsOf('unshown').flatMap(toUnshown),
      listed: rowsOf('lists').flatMap(toListed),
      isWhole: false,
    }
  } finally {
    opened.end()
  }
}

/** @throws SQLite's `SQLITE_BUSY` where another process holds the file */
export const openOutboxCopy = (file: string): OutboxCopy => {
  const opened = openDatabase(file, OUTBOX_FILE)
  const { database, setAside, isNew, close } = opened
  try {
    // An update keeps the row's place in the sequence: what was asked for first is sent first.
    const upsert = database.prepare<[string, string, string, string, string, string | null, number, string | null]>(
      `INSERT INTO waiting (kind, scope, id, field, wanted, sending, digest, large) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (kind, scope, id, field)
       DO UPDATE SET wanted = excluded.wanted, sending = excluded.sending, digest = excluded.digest,
         large = excluded.large`,
    )
    const remove = database.prepare<[string, string, string, string]>(
      'DELETE FROM waiting WHERE kind = ? AND scope = ? AND id = ? AND field = ?',
    )
    const insertMade = database.prepare<[string, string]>('INSERT OR REPLACE INTO made (id, changes) VALUES (?, ?)')
    const prune = database.prepare<[number, number]>(
      `DELETE FROM made WHERE sequence IN (
         SELECT sequence FROM (
           SELECT sequence,
             row_number() OVER newest AS place,
             sum(octet_length(changes) + ifnull(of_parts, 0)) OVER newest AS bytes
           FROM made LEFT JOIN (SELECT id AS large, sum(octet_length(changes)) AS of_parts FROM parts GROUP BY id)
             ON large = made.id
           WINDOW newest AS (ORDER BY sequence DESC))
         WHERE place > ? OR (bytes > ? AND place > 1))
       AND id NOT IN (SELECT id FROM large_changes)`,
    )
    const pruneParts = database.prepare('DELETE FROM parts WHERE id NOT IN (SELECT id FROM made)')
    const insertPart = database.prepare<[string, number, string, number, string]>(
      'INSERT OR REPLACE INTO parts (id, part, state, subjects, changes) VALUES (?, ?, ?, ?, ?)',
    )
    const selectPart = database.prepare<[string, number], KeptPart>('SELECT * FROM parts WHERE id = ? AND part = ?')
    const selectPartsLeft = database
      .prepare<[string], number>("SELECT part FROM parts WHERE id = ? AND state <> 'made' ORDER BY part")
      .pluck()
    const selectPartsLeftOf = database
      .prepare<[string, string], number>(
        "SELECT part FROM parts WHERE id = ? AND state <> 'made' AND instr(changes, ?) > 0 ORDER BY part",
      )
      .pluck()
    const selectPartsMade = database
      .prepare<[string], number>("SELECT part FROM parts WHERE id = ? AND state = 'made' ORDER BY part")
      .pluck()
    const selectLastPart = database.prepare<[string], number | null>('SELECT max(part) FROM parts WHERE id = ?').pluck()
    const selectMadeCount = database
      .prepare<[string], number | null>("SELECT sum(iif(state = 'made', subjects, 0)) FROM parts WHERE id = ?")
      .pluck()
    const copyParts = database.prepare<[string, string, string]>(
      `INSERT INTO parts (id, part, state, subjects, changes)
       SELECT ?, part, ?, subjects, changes FROM parts WHERE id = ? AND state = 'made'`,
    )
    const dropParts = database.prepare<[string]>("DELETE FROM parts WHERE id = ? AND state <> 'made'")
    const insertLarge = database.prepare<[string, string]>(
      'INSERT OR REPLACE INTO large_changes (id, about) VALUES (?, ?)',
    )
    const deleteLarge = database.prepare<[string]>('DELETE FROM large_changes WHERE id = ?')
    const selectLarge = database.prepare<[], BrokenFileRow>('SELECT * FROM large_changes ORDER BY sequence')
    const selectMade = database.prepare<[string], string>('SELECT changes FROM made WHERE id = ?').pluck()
    const insertReplacedId = database.prepare<[string, string, string, string]>(
      'INSERT OR REPLACE INTO replaced_ids (kind, scope, was, id) VALUES (?, ?, ?, ?)',
    )
    const insertUnshown = database.prepare<[string, string, string, number]>(
      'INSERT OR REPLACE INTO unshown (kind, scope, id, generation) VALUES (?, ?, ?, ?)',
    )
    const deleteShown = database.prepare<[number]>('DELETE FROM unshown WHERE generation <= ?')
    const selectReplacedIds = database.prepare<[], BrokenFileRow>(REPLACED_IDS)
    const selectWaiting = database.prepare<[], BrokenFileRow>(WAITING)
    const selectUnshown = database.prepare<[], Subject>('SELECT kind, scope, id FROM unshown')
    const selectPending = database.prepare<[], number>('SELECT pending FROM state').pluck()
    const selectGeneration = database.prepare<[], number>('SELECT generation FROM state').pluck()
    const selectListed = database.prepare<[], number>('SELECT listed FROM state').pluck()
    const selectList = database.prepare<[string], BrokenFileRow>('SELECT * FROM lists WHERE list = ? ORDER BY place')
    const insertEntry = database.prepare<[string, number, string, number]>(
      'INSERT INTO lists (list, place, entry, digest) VALUES (?, ?, ?, ?)',
    )
    const emptyList = database.prepare<[string]>('DELETE FROM lists WHERE list = ?')
    const count = database.prepare<[number]>(
      `UPDATE state SET generation = ?, pending = (SELECT count(*) FROM waiting), listed = (SELECT count(*) FROM lists)`,
    )
    const fillList = (name: string, entries: readonly string[]): void => {
      entries.forEach((entry, place) => insertEntry.run(name, place, entry, digestOfEntry(name, place, entry)))
    }

    const keep = (change: WaitingChange): void => {
      const { kind, scope, id, field, wanted, sending, large = null } = change
      upsert.run(kind, scope, id, field, wanted, sending, digestOf(change), large)
    }
    const keepId = ({ kind, scope, was, id }: ReplacedId): void => void insertReplacedId.run(kind, scope, was, id)

    // The naming of a large change was cut off: nothing of it had been done.
    database.exec("DELETE FROM parts WHERE state <> 'made' AND id NOT IN (SELECT id FROM large_changes)")

    const keepPart = (id: string, { part, state, subjects, changes }: Part): void =>
      void insertPart.run(id, part, state, subjects, packChanges(changes))
    const keepLarge = ({ id, ...about }: LargeChange): void => void insertLarge.run(id, JSON.stringify(about))
    const writeLarge = (write: LargeWrite): void => {
      switch (write.kind) {
        case 'name':
          for (const part of write.parts) keepPart(write.id, part)
          return
        case 'begin':
          keepLarge(write.large)
          return
        case 'copy':
          copyParts.run(write.id, write.source.how, write.source.id)
          return
        case 'make':
          for (const part of write.parts) keepPart(write.id, { ...part, state: 'made' })
          for (const part of write.left) keepPart(write.id, part)
          return
        case 'drop':
          dropParts.run(write.id)
          return
        case 'end':
          deleteLarge.run(write.id)
      }
    }

    return {
      found: setAside !== null ? salvageContent(setAside, file) : isNew ? NOTHING : readContent(opened),
      read: () => readContent(opened),
      waiting: () => selectWaiting.all().flatMap((row) => toWaiting(row) ?? []),
      generation: () => selectGeneration.get() ?? 0,
      pending: () => selectPending.get() ?? 0,
      listed: () => selectListed.get() ?? 0,
      list: (name) => selectList.all(name).flatMap((row) => toListed(row).map(({ entry }) => entry)),
      writeList: database.transaction<OutboxCopy['writeList']>((generation, name, entries) => {
        emptyList.run(name)
        fillList(name, entries)
        count.run(generation)
      }),
      isMissing: isNew && setAside === null,
      setAside,
      write: database.transaction<OutboxCopy['write']>((generation, writes, { made, replaced, large, shown }) => {
        deleteShown.run(shown)
        for (const { target, change } of writes) {
          if (change !== null) {
            keep(change)
            continue
          }
          remove.run(target.kind, target.scope, target.id, target.field)
          // What a large change took in is found by its parts, until it is over.
          if (large?.kind !== 'make') insertUnshown.run(target.kind, target.scope, target.id, generation)
        }
        if (made !== undefined) {
          insertMade.run(made.id, packChanges(made.changes))
          prune.run(KEPT_TIMES, KEPT_BYTES)
          pruneParts.run()
        }
        if (large) writeLarge(large)
        if (replaced) keepId(replaced)
        count.run(generation)
      }),
      replace: database.transaction<OutboxCopy['replace']>((content) => {
        const { generation, waiting, replacedIds, large, unshown, listed } = content
        // They may be this file's own.
        const made = content.made()
        const parts = content.parts()
        database.exec(
          `DELETE FROM waiting; DELETE FROM made; DELETE FROM replaced_ids; DELETE FROM large_changes; DELETE FROM parts;
           DELETE FROM unshown; DELETE FROM lists; DELETE FROM state; INSERT INTO state VALUES (0, 0, 0)`,
        )
        for (const change of waiting) keep(change)
        for (const { id, changes } of made) insertMade.run(id, changes)
        for (const replaced of replacedIds) keepId(replaced)
        for (const each of large) keepLarge(each)
        for (const { id, part, state, subjects, changes } of parts) insertPart.run(id, part, state, subjects, changes)
        for (const { kind, scope, id, generation: since } of unshown) insertUnshown.run(kind, scope, id, since)
        for (const [name, entries] of Map.groupBy(listed, ({ list }) => list)) {
          fillList(
            name,
            entries.map(({ entry }) => entry),
          )
        }
        count.run(generation)
      }),
      large: () => selectLarge.all().flatMap(toLarge),
      partsLeft: (id) => selectPartsLeft.all(id),
      partsLeftOf: (id, subjectId) => selectPartsLeftOf.all(id, JSON.stringify(subjectId)),
      part: (id, part) => {
        const row = selectPart.get(id, part)
        return row === undefined ? undefined : toPart(row)
      },
      partsMade: (id) => selectPartsMade.all(id),
      lastPart: (id) => selectLastPart.get(id) ?? 0,
      countMade: (id) => selectMadeCount.get(id) ?? null,
      unshown: () => selectUnshown.all(),
      madeChanges: (id) => {
        const packed = selectMade.get(id)
        return packed === undefined ? undefined : unpackChanges(packed)
      },
      replacedIds: () => selectReplacedIds.all().flatMap(toReplacedId),
      copyTo: async (file) => {
        await database.backup(file, { progress: () => COPIED_AT_ONCE })
      },
      checkpoint: () => void database.pragma('wal_checkpoint(PASSIVE)'),
      close,
    }
  } catch (thrown) {
    close(true)
    throw thrown
  }
}
