import { crc32 } from 'node:zlib'
import type Database from 'better-sqlite3'
import { modelFile, type FileKind } from '../store/open-database.ts'
import { createTableReader, openBroken, type BrokenFileRow } from '../store/read-broken.ts'
import type { LocalField, ReplacedId, Subject, WaitingChange } from './change.ts'
import { parseAbout, type LargeChange, type Part, type PartState } from './large-parts.ts'
import { unpackChanges } from './undoable-changes.ts'
import { toRuleRun, type RuleRun } from './rule-runs.ts'
import { messageRunsSchema, outboxSchema } from './schema.ts'

/** Outbox files (`LNOb`) are locked by one process, so two can't send the same change. */
export const OUTBOX_FILE: FileKind = {
  applicationId: 0x4c4e_4f62,
  migrations: [outboxSchema, messageRunsSchema],
  exclusive: true,
}

/** A change as stored for undo. */
interface KeptTime {
  readonly id: string
  /** Packed; read with `unpackChanges`. */
  readonly changes: string
}

export interface KeptPart {
  readonly id: string
  readonly part: number
  readonly state: string
  readonly subjects: number
  /** Packed; read with `unpackChanges`. */
  readonly changes: string
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
   * Like `parts` and `ruleRuns`, read only on demand: megabytes of data that aren't needed to open an intact outbox.
   */
  readonly made: () => readonly KeptTime[]
  readonly replacedIds: readonly ReplacedId[]
  /** Oldest first. */
  readonly large: readonly LargeChange[]
  readonly parts: () => readonly KeptPart[]
  /** Subjects without pending changes whose display may still show pending ones. */
  readonly unprojected: readonly (Subject & { readonly generation: number })[]
  /** Entries of all lists; each list's entries are in order. */
  readonly listed: readonly ListedEntry[]
  readonly own: readonly LocalField[]
  /** Oldest first. */
  readonly ruleRuns: () => readonly RuleRun[]
  /** True if every row is present and undamaged. */
  readonly isWhole: boolean
}

export const digestOf = ({ kind, scope, id, field, wanted, sending }: WaitingChange): number =>
  crc32(JSON.stringify([kind, scope, id, field, wanted, sending]))

const isText = (value: unknown): value is string => typeof value === 'string'

/** @returns null for a damaged row */
export const toWaiting = ({
  kind,
  scope,
  id,
  field,
  wanted,
  sending,
  large,
  digest,
}: BrokenFileRow): WaitingChange | null => {
  if (!isText(kind) || !isText(scope) || !isText(id) || !isText(field) || !isText(wanted)) return null
  if (sending !== null && !isText(sending)) return null
  const change = { kind, scope, id, field, wanted, sending, ...(isText(large) && { large }) } as const
  return digest === digestOf(change) ? change : null
}

const toMade = ({ id, changes }: BrokenFileRow): readonly KeptTime[] =>
  isText(id) && isText(changes) ? [{ id, changes }] : []

export const toReplacedId = ({ kind, scope, was, id }: BrokenFileRow): readonly ReplacedId[] =>
  isText(kind) && isText(scope) && isText(was) && isText(id) ? [{ kind, scope, was, id }] : []

const toUnshown = ({ kind, scope, id, generation }: BrokenFileRow): OutboxContent['unprojected'] =>
  isText(kind) && isText(scope) && isText(id) && typeof generation === 'number' ? [{ kind, scope, id, generation }] : []

export const digestOfEntry = (list: string, place: number, entry: string): number =>
  crc32(JSON.stringify([list, place, entry]))

export const toListed = ({ list, place, entry, digest }: BrokenFileRow): readonly ListedEntry[] =>
  isText(list) && typeof place === 'number' && isText(entry) && digest === digestOfEntry(list, place, entry)
    ? [{ list, entry }]
    : []

export const digestOfOwn = ({ kind, scope, id, field, value }: LocalField): number =>
  crc32(JSON.stringify([kind, scope, id, field, value]))

export const toOwn = ({ kind, scope, id, field, value, digest }: BrokenFileRow): readonly LocalField[] => {
  if (!isText(kind) || !isText(scope) || !isText(id) || !isText(field) || !isText(value)) return []
  const own = { kind, scope, id, field, value }
  return digest === digestOfOwn(own) ? [own] : []
}

export const toLarge = ({ id, about }: BrokenFileRow): readonly LargeChange[] => {
  const read = isText(about) ? parseAbout(about) : undefined
  return isText(id) && read !== undefined ? [{ id, ...read }] : []
}

const toKeptPart = ({ id, part, state, subjects, changes }: BrokenFileRow): readonly KeptPart[] =>
  isText(id) && typeof part === 'number' && isText(state) && typeof subjects === 'number' && isText(changes)
    ? [{ id, part, state, subjects, changes }]
    : []

export const toPart = ({ part, state, subjects, changes }: KeptPart): Part | undefined => {
  const read = unpackChanges(changes)
  return read === undefined ? undefined : { part, state: state as PartState, subjects, changes: read }
}

export const WAITING = 'SELECT * FROM waiting ORDER BY sequence'
export const REPLACED_IDS = 'SELECT * FROM replaced_ids ORDER BY rowid'
export const OWN = 'SELECT * FROM own_fields'
export const LARGE = 'SELECT * FROM large_changes ORDER BY sequence'

export const readContent = (database: Database.Database): OutboxContent => {
  const rows = database.prepare<[], BrokenFileRow>(WAITING).all()
  const replacedIds = database.prepare<[], BrokenFileRow>(REPLACED_IDS).all()
  const large = database.prepare<[], BrokenFileRow>(LARGE).all()
  const unprojected = database.prepare<[], BrokenFileRow>('SELECT * FROM unshown').all()
  const inLists = database.prepare<[], BrokenFileRow>('SELECT * FROM lists ORDER BY list, place').all()
  const ownRows = database.prepare<[], BrokenFileRow>(OWN).all()
  const state = database
    .prepare<[], { generation: number; pending: number; listed: number; own: number; runs: number }>(
      'SELECT * FROM state',
    )
    .get()
  const runs = database.prepare<[], number>('SELECT count(*) FROM rule_runs').pluck().get()
  const read = rows.flatMap((row) => toWaiting(row) ?? [])
  const listed = inLists.flatMap(toListed)
  const own = ownRows.flatMap(toOwn)
  return {
    generation: state?.generation ?? 0,
    waiting: read,
    made: () => database.prepare<[], BrokenFileRow>('SELECT * FROM made ORDER BY sequence').all().flatMap(toMade),
    replacedIds: replacedIds.flatMap(toReplacedId),
    large: large.flatMap(toLarge),
    parts: () => database.prepare<[], BrokenFileRow>('SELECT * FROM parts ORDER BY sequence').all().flatMap(toKeptPart),
    unprojected: unprojected.flatMap(toUnshown),
    listed,
    own,
    ruleRuns: () =>
      database.prepare<[], BrokenFileRow>('SELECT * FROM rule_runs ORDER BY sequence').all().flatMap(toRuleRun),
    isWhole:
      state !== undefined &&
      read.length === rows.length &&
      rows.length === state.pending &&
      listed.length === inLists.length &&
      listed.length === state.listed &&
      own.length === ownRows.length &&
      own.length === state.own &&
      runs === state.runs,
  }
}

/** Content of a missing file; counts as older than any other. */
export const NOTHING: OutboxContent = {
  generation: -1,
  waiting: [],
  made: () => [],
  replacedIds: [],
  large: [],
  parts: () => [],
  unprojected: [],
  listed: [],
  own: [],
  ruleRuns: () => [],
  isWhole: false,
}

/** Recovers readable content from a damaged outbox that was set aside. */
export const salvageContent = (file: string, sound: string): OutboxContent => {
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
    const runs = rowsOf('rule_runs').flatMap(toRuleRun)
    return {
      generation: typeof state?.generation === 'number' ? state.generation : NOTHING.generation,
      waiting: rowsOf('waiting').flatMap((row) => toWaiting(row) ?? []),
      made: () => made,
      replacedIds: rowsOf('replaced_ids').flatMap(toReplacedId),
      large: rowsOf('large_changes').flatMap(toLarge),
      parts: () => parts,
      unprojected: rowsOf('unshown').flatMap(toUnshown),
      listed: rowsOf('lists').flatMap(toListed),
      own: rowsOf('own_fields').flatMap(toOwn),
      ruleRuns: () => runs,
      isWhole: false,
    }
  } finally {
    opened.end()
  }
}
