import { crc32 } from 'node:zlib'
import { createTableReader, openBroken, type BrokenFileRow } from '../store/read-broken.ts'
import { modelFile, openDatabase, type FileKind, type OpenedDatabase } from '../store/open-database.ts'
import type { Field, Intent, Lane, Step } from './intent.ts'
import { intents } from './migrations/0001-intents.ts'
import { generations } from './migrations/0002-generations.ts'

/** How many changes can be undone, at most. */
const KEPT_CHANGES = 500

/** The kind of file that an outbox is: `LNOb`. It is held by one process, so that no change is ever sent by two. */
const OUTBOX_FILE: FileKind = { applicationId: 0x4c4e_4f62, migrations: [intents, generations], exclusive: true }

/** One field's wish as it is to be kept: `intent` null where none is left. */
export interface IntentWrite {
  readonly target: Lane & { readonly field: Field }
  readonly intent: Intent | null
}

/** What was changed at once, so that it can be undone. */
interface KeptChange {
  readonly id: string
  readonly steps: string
}

/** All that an outbox holds. */
export interface OutboxContent {
  readonly generation: number
  /** Oldest first. */
  readonly intents: readonly Intent[]
  readonly changes: readonly KeptChange[]
  /** Whether every row is there and as it was written. */
  readonly isWhole: boolean
}

/** One of the two files in which the outbox is kept. */
export interface OutboxCopy {
  /** As it was found: of a file that was set aside, what could still be read. */
  readonly found: OutboxContent
  readonly read: () => OutboxContent
  /** How many wishes there are. */
  readonly pending: () => number
  /** Whether there was no file before, or an empty one. */
  readonly isMissing: boolean
  readonly setAside: string | null
  readonly write: (
    generation: number,
    writes: readonly IntentWrite[],
    change: { readonly id: string; readonly steps: readonly Step[] } | null,
  ) => void
  /** Puts other content in the place of all that is there. */
  readonly replace: (content: OutboxContent) => void
  readonly steps: (changeId: string) => readonly Step[] | undefined
  /** Brings what is in the log to its place in the file. */
  readonly checkpoint: () => void
  readonly close: (isDamaged?: boolean) => void
}

const digestOf = ({ kind, scope, id, field, wanted, sending }: Intent): number =>
  crc32(JSON.stringify([kind, scope, id, field, wanted, sending]))

const isText = (value: unknown): value is string => typeof value === 'string'

/** Null for a row that is not as it was written. */
const toIntent = ({ kind, scope, id, field, wanted, sending, digest }: BrokenFileRow): Intent | null => {
  if (kind !== 'thread' && kind !== 'contact') return null
  if (!isText(scope) || !isText(id) || !isText(field) || !isText(wanted)) return null
  if (sending !== null && !isText(sending)) return null
  const intent = { kind, scope, id, field: field as Field, wanted, sending } as const
  return digest === null || digest === undefined || digest === digestOf(intent) ? intent : null
}

const toChange = ({ id, steps }: BrokenFileRow): readonly KeptChange[] =>
  isText(id) && isText(steps) ? [{ id, steps }] : []

const readContent = ({ database }: OpenedDatabase): OutboxContent => {
  const rows = database.prepare<[], BrokenFileRow>('SELECT * FROM intents ORDER BY sequence').all()
  const changes = database.prepare<[], BrokenFileRow>('SELECT * FROM changes ORDER BY sequence').all()
  const state = database.prepare<[], { generation: number; pending: number }>('SELECT * FROM state').get()
  const read = rows.flatMap((row) => toIntent(row) ?? [])
  return {
    generation: state?.generation ?? 0,
    intents: read,
    changes: changes.flatMap(toChange),
    isWhole: state !== undefined && read.length === rows.length && rows.length === state.pending,
  }
}

/** A file that is not there knows less than any other. */
const NOTHING: OutboxContent = { generation: -1, intents: [], changes: [], isWhole: false }

/** What can still be read of an outbox that was set aside. */
const salvageContent = (file: string, sound: string): OutboxContent => {
  const opened = openBroken(file, sound, ['intents'], modelFile(OUTBOX_FILE))
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
    return {
      generation: typeof state?.generation === 'number' ? state.generation : NOTHING.generation,
      intents: rowsOf('intents').flatMap((row) => toIntent(row) ?? []),
      changes: rowsOf('changes').flatMap(toChange),
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
    const upsert = database.prepare<[string, string, string, string, string, string | null, number]>(
      `INSERT INTO intents (kind, scope, id, field, wanted, sending, digest) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (kind, scope, id, field)
       DO UPDATE SET wanted = excluded.wanted, sending = excluded.sending, digest = excluded.digest`,
    )
    const remove = database.prepare<[string, string, string, string]>(
      'DELETE FROM intents WHERE kind = ? AND scope = ? AND id = ? AND field = ?',
    )
    const insertChange = database.prepare<[string, string]>('INSERT OR REPLACE INTO changes (id, steps) VALUES (?, ?)')
    const prune = database.prepare<[number]>(
      'DELETE FROM changes WHERE sequence <= (SELECT max(sequence) FROM changes) - ?',
    )
    const selectSteps = database.prepare<[string], string>('SELECT steps FROM changes WHERE id = ?').pluck()
    const selectPending = database.prepare<[], number>('SELECT pending FROM state').pluck()
    const count = database.prepare<[number]>(
      'UPDATE state SET generation = ?, pending = (SELECT count(*) FROM intents)',
    )

    const keep = (intent: Intent): void => {
      const { kind, scope, id, field, wanted, sending } = intent
      upsert.run(kind, scope, id, field, wanted, sending, digestOf(intent))
    }

    return {
      found: setAside !== null ? salvageContent(setAside, file) : isNew ? NOTHING : readContent(opened),
      read: () => readContent(opened),
      pending: () => selectPending.get() ?? 0,
      isMissing: isNew && setAside === null,
      setAside,
      write: database.transaction<OutboxCopy['write']>((generation, writes, change) => {
        for (const { target, intent } of writes) {
          if (intent === null) remove.run(target.kind, target.scope, target.id, target.field)
          else keep(intent)
        }
        if (change !== null) {
          insertChange.run(change.id, JSON.stringify(change.steps))
          prune.run(KEPT_CHANGES)
        }
        count.run(generation)
      }),
      replace: database.transaction<OutboxCopy['replace']>(({ generation, intents: all, changes }) => {
        database.exec('DELETE FROM intents; DELETE FROM changes; DELETE FROM state; INSERT INTO state VALUES (0, 0)')
        for (const intent of all) keep(intent)
        for (const { id, steps } of changes) insertChange.run(id, steps)
        count.run(generation)
      }),
      steps: (changeId) => {
        const kept = selectSteps.get(changeId)
        try {
          return kept === undefined ? undefined : (JSON.parse(kept) as Step[])
        } catch {
          // A change that cannot be read cannot be undone.
          return undefined
        }
      },
      checkpoint: () => void database.pragma('wal_checkpoint(PASSIVE)'),
      close,
    }
  } catch (thrown) {
    close(true)
    throw thrown
  }
}
