import { crc32 } from 'node:zlib'
import type Database from 'better-sqlite3'
import { buildEmptyDatabase, type DatabaseFileKind } from '../../store/open-database.ts'
import { createTableReader, openDamagedDatabase, type UntrustedRow } from '../../store/damaged-database.ts'
import type {
  LocalField,
  ReplacedId,
  ChangeSubject,
  SubjectField,
  UndoRecord,
  WaitingChange,
  UndoableChange,
} from './change.ts'
import { toRuleRun, type RuleRun } from './rule-runs.ts'
import { messageRunsSchema, outboxSchema } from './schema.ts'
import { z } from 'zod'

/** Equal changes to some subjects. For 10,000 threads they take little more space than their IDs. */
const packed = z.array(
  z.object({
    kind: z.string(),
    scope: z.string(),
    ids: z.array(z.string()),
    field: z.string(),
    before: z.string(),
    after: z.string(),
  }),
)

/** Stores equal changes to several subjects as one entry. */
export const packChanges = (changes: readonly UndoableChange[]): string => {
  const groups = new Map<string, { readonly change: Omit<UndoableChange, 'id'>; readonly ids: string[] }>()
  for (const { id, kind, scope, field, before, after } of changes) {
    const change = { kind, scope, field, before, after }
    const key = JSON.stringify(Object.values(change))
    const group = groups.get(key) ?? { change, ids: [] }
    groups.set(key, group)
    group.ids.push(id)
  }
  return JSON.stringify([...groups.values()].map(({ change, ids }) => ({ ...change, ids })))
}

/** @returns undefined if unreadable; the change then can't be undone */
export const unpackChanges = (text: string): readonly UndoableChange[] | undefined => {
  try {
    return packed
      .parse(JSON.parse(text))
      .flatMap(({ ids, kind, scope, field, before, after }) =>
        ids.map((id) => ({ kind, scope, id, field, before, after })),
      )
  } catch {
    return undefined
  }
}

/** Outbox files (`LNOb`) are locked by one process, so two can't send the same change. */
export const OUTBOX_FILE: DatabaseFileKind = {
  applicationId: 0x4c4e_4f62,
  migrations: [outboxSchema, messageRunsSchema],
  exclusive: true,
}

interface StoredUndo extends Omit<UndoRecord, 'changes'> {
  /** Packed; read with `unpackChanges`. */
  readonly changes: string
}

export interface StoredOldValue extends SubjectField {
  readonly changeId: string
  readonly value: string | null
}

export interface ListedEntry {
  readonly list: string
  /** The entry as JSON. */
  readonly entry: string
}

export interface OutboxContent {
  readonly generation: number
  /** Oldest first. */
  readonly waiting: readonly WaitingChange[]
  /**
   * Like `oldValues` and `ruleRuns`, read only on demand: megabytes of data that aren't needed to open an intact outbox.
   */
  readonly made: () => readonly StoredUndo[]
  readonly replacedIds: readonly ReplacedId[]
  readonly oldValues: () => readonly StoredOldValue[]
  /** Subjects without pending changes whose display may still show pending ones. */
  readonly unprojected: readonly (ChangeSubject & { readonly generation: number })[]
  /** Entries of all lists; each list's entries are in order. */
  readonly listed: readonly ListedEntry[]
  readonly own: readonly LocalField[]
  /** Oldest first. */
  readonly ruleRuns: () => readonly RuleRun[]
  /** True if every row is present and undamaged. */
  readonly isWhole: boolean
}

export const digestWaitingChange = ({ kind, scope, id, field, wanted, sending }: WaitingChange): number =>
  crc32(JSON.stringify([kind, scope, id, field, wanted, sending]))

const isText = (value: unknown): value is string => typeof value === 'string'

// Each of these returns an empty list for a damaged row.
const toWaitingChange = (row: UntrustedRow): readonly WaitingChange[] => {
  const { kind, scope, id, field, wanted, sending, large, digest } = row
  if (!isText(kind) || !isText(scope) || !isText(id) || !isText(field) || !isText(wanted)) return []
  if (sending !== null && !isText(sending)) return []
  const change = { kind, scope, id, field, wanted, sending, ...(isText(large) && { large }) } as const
  return digest === digestWaitingChange(change) ? [change] : []
}

const toStoredUndo = ({ id, changes, subjects, undoes }: UntrustedRow): readonly StoredUndo[] =>
  isText(id) && isText(changes)
    ? [
        {
          id,
          changes,
          subjects: typeof subjects === 'number' ? subjects : null,
          undoes: isText(undoes) ? undoes : null,
        },
      ]
    : []

const toStoredOldValue = ({ change_id: changeId, kind, scope, id, field, value }: UntrustedRow) =>
  isText(changeId) && isText(kind) && isText(scope) && isText(id) && isText(field) && (value === null || isText(value))
    ? [{ changeId, kind, scope, id, field, value }]
    : []

const toReplacedId = ({ kind, scope, was, id }: UntrustedRow): readonly ReplacedId[] =>
  isText(kind) && isText(scope) && isText(was) && isText(id) ? [{ kind, scope, was, id }] : []

const toUnprojected = ({ kind, scope, id, generation }: UntrustedRow): OutboxContent['unprojected'] =>
  isText(kind) && isText(scope) && isText(id) && typeof generation === 'number' ? [{ kind, scope, id, generation }] : []

export const digestListedEntry = (list: string, place: number, entry: string): number =>
  crc32(JSON.stringify([list, place, entry]))

export const toListedEntry = ({ list, place, entry, digest }: UntrustedRow): readonly ListedEntry[] =>
  isText(list) && typeof place === 'number' && isText(entry) && digest === digestListedEntry(list, place, entry)
    ? [{ list, entry }]
    : []

export const digestLocalField = ({ kind, scope, id, field, value }: LocalField): number =>
  crc32(JSON.stringify([kind, scope, id, field, value]))

const toLocalField = ({ kind, scope, id, field, value, digest }: UntrustedRow): readonly LocalField[] => {
  if (!isText(kind) || !isText(scope) || !isText(id) || !isText(field) || !isText(value)) return []
  const own = { kind, scope, id, field, value }
  return digest === digestLocalField(own) ? [own] : []
}

const TABLES = [
  ...(['waiting', 'made', 'replaced_ids', 'old_values', 'unshown', 'lists', 'own_fields'] as const),
  ...(['rule_runs', 'state'] as const),
] as const
type Table = (typeof TABLES)[number]

/** @param rowsOf reads a table, in the order in which its rows were inserted */
const parseContent = (rowsOf: (table: Table) => readonly UntrustedRow[]): OutboxContent => {
  const [state] = rowsOf('state')
  return {
    generation: typeof state?.generation === 'number' ? state.generation : -1,
    waiting: rowsOf('waiting').flatMap(toWaitingChange),
    made: () => rowsOf('made').flatMap(toStoredUndo),
    replacedIds: rowsOf('replaced_ids').flatMap(toReplacedId),
    oldValues: () => rowsOf('old_values').flatMap(toStoredOldValue),
    unprojected: rowsOf('unshown').flatMap(toUnprojected),
    listed: rowsOf('lists').flatMap(toListedEntry),
    own: rowsOf('own_fields').flatMap(toLocalField),
    ruleRuns: () => rowsOf('rule_runs').flatMap(toRuleRun),
    isWhole: false,
  }
}

/** Content of a missing file; counts as older than any other. */
export const EMPTY_OUTBOX_CONTENT: OutboxContent = parseContent(() => [])

export const readOutboxContent = (database: Database.Database): OutboxContent => {
  const rowsOf = (table: Table): readonly UntrustedRow[] =>
    database.prepare<[], UntrustedRow>(`SELECT * FROM ${table} ORDER BY rowid`).all()
  const count = (table: Table): unknown => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
  const content = parseContent(rowsOf)
  const [state] = rowsOf('state')
  const isComplete = (read: readonly unknown[], table: Table, expected: unknown): boolean =>
    read.length === expected && count(table) === expected
  return {
    ...content,
    isWhole:
      state !== undefined &&
      isComplete(content.waiting, 'waiting', state.pending) &&
      isComplete(content.listed, 'lists', state.listed) &&
      isComplete(content.own, 'own_fields', state.own) &&
      count('rule_runs') === state.runs,
  }
}

/** Recovers readable content from a damaged outbox that was set aside. */
export const salvageOutboxContent = (file: string, sound: string): OutboxContent => {
  const opened = openDamagedDatabase(file, sound, ['waiting'], buildEmptyDatabase(OUTBOX_FILE))
  if (opened === null) return EMPTY_OUTBOX_CONTENT
  const rowsOf = (table: Table): readonly UntrustedRow[] => {
    try {
      const { read, last } = createTableReader(opened.source, table)
      return read(0, last)
    } catch {
      return []
    }
  }
  try {
    const tables = new Map(TABLES.map((table) => [table, rowsOf(table)]))
    return parseContent((table) => tables.get(table) ?? [])
  } finally {
    opened.end()
  }
}
