import { z } from 'zod'
import { parseJsonAs } from '../../../shared/parse-json.ts'
import type { OwnFile } from '../own-file.ts'
import type { OwnTable } from '../own-table.ts'
import {
  fieldKey,
  type ChangeSubject,
  type ChangeWrite,
  type LocalField,
  type ReplacedId,
  type SubjectField,
  type UndoableChange,
  type UndoRecord,
  type WaitingChange,
} from './change.ts'
import { RuleRuns, type RuleRun } from './rule-runs.ts'

/** Delay before retrying a failed write, in milliseconds. A full disk may have free space by then. */
export const WRITE_RETRY_MS = 5_000

/**
 * Limits for stored undo data; one change may have 10,000 threads. Changes by rules have a separate limit, so they
 * don't displace the user's.
 */
const MAX_UNDO_ENTRIES = 500
const MAX_UNDO_BYTES = 16 * 1024 * 1024

/** Changes that aren't completely sent can always be undone. */
const OLD_MADE = `sequence IN (
  SELECT sequence FROM (
    SELECT sequence, row_number() OVER newest AS place, sum(octet_length(changes)) OVER newest AS bytes
    FROM applied_changes
    WINDOW newest AS (
      PARTITION BY id IN (SELECT change_id FROM rule_runs WHERE change_id = applied_changes.id) ORDER BY sequence DESC))
  WHERE place > ? OR (bytes > ? AND place > 1))
AND NOT EXISTS (SELECT 1 FROM pending_changes WHERE large = applied_changes.id)`

/** A change to one or many subjects. For 10,000 threads it takes little more space than their IDs. */
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
const packChanges = (changes: readonly UndoableChange[]): string => {
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
const unpackChanges = (text: string): readonly UndoableChange[] | undefined =>
  parseJsonAs(packed, text)?.flatMap(({ ids, ...change }) => ids.map((id) => ({ ...change, id }))) ?? undefined

const ONE_FIELD = 'kind = ? AND scope = ? AND id = ? AND field = ?'

interface StoredUndo {
  readonly id: string
  /** Packed; read with `unpackChanges`. */
  readonly changes: string
  readonly subjects: number | null
  readonly undoes: string | null
}

interface StoredOldValue extends SubjectField {
  readonly change_id: string
  readonly value: string | null
}

type StoredWaiting = Omit<WaitingChange, 'large'> & { readonly large: string | null }
type Table<Row extends object> = Pick<OwnTable<Row>, 'put' | 'rows' | 'select' | 'remove'>

interface OutboxContent {
  /** Oldest first. */
  readonly waiting: readonly WaitingChange[]
  readonly replacedIds: readonly ReplacedId[]
  /** Subjects without pending changes whose display may still show pending ones. */
  readonly unprojected: readonly ChangeSubject[]
  readonly own: readonly LocalField[]
}

/** Data written in the same transaction as the pending changes. */
interface ExtraWrites {
  readonly made?: readonly UndoRecord[]
  /** Fields of the made change whose old value must be read before they are sent. */
  readonly unread?: readonly SubjectField[]
  readonly ruleRuns?: readonly RuleRun[]
  /** ID of the change that this one undoes. */
  readonly undone?: string
  readonly replaced?: ReplacedId | null
}

/** Storage of the queue in the account's own file. When a write returns, it is durable. */
export class OutboxFile {
  readonly ruleRuns: RuleRuns
  /** True if changes may be pending here that the platform has already confirmed. */
  readonly wasRecovered: boolean
  readonly #own: Pick<OwnFile, 'write'>
  readonly #waiting: Table<StoredWaiting>
  readonly #made: Table<StoredUndo>
  readonly #replacedIds: Table<ReplacedId>
  readonly #oldValues: Table<StoredOldValue>
  readonly #unprojected: Table<ChangeSubject>
  readonly #localFields: Table<LocalField>
  /** Number of the last write, and of the last one that is fully displayed. */
  #written = 0
  #shown = 0

  constructor(own: Pick<OwnFile, 'table' | 'wasRecovered' | 'write'>) {
    this.#own = own
    this.wasRecovered = own.wasRecovered
    this.ruleRuns = new RuleRuns(own)
    this.#waiting = own.table('pending_changes')
    this.#made = own.table('applied_changes')
    this.#replacedIds = own.table('replaced_ids')
    this.#oldValues = own.table('old_values')
    this.#unprojected = own.table('unprojected')
    this.#localFields = own.table('local_fields')
  }

  read(): OutboxContent {
    return {
      waiting: this.#waiting.rows().map((change) => ({ ...change, large: change.large ?? undefined })),
      replacedIds: this.#replacedIds.rows(),
      unprojected: this.#unprojected.rows(),
      own: this.#localFields.rows(),
    }
  }

  /** Writes pending fields, and what belongs to them, in one transaction. */
  write(writes: readonly ChangeWrite[], besides: ExtraWrites = {}): void {
    const { made, unread = [], ruleRuns = [], undone, replaced } = besides
    this.#own.write((revision) => {
      this.#written = revision
      this.#unprojected.remove('revision <= ?', this.#shown)
      for (const write of writes) this.#writeField(write)
      this.ruleRuns.add(ruleRuns)
      if (made !== undefined) {
        for (const { id, changes, subjects = null, undoes = null } of made) {
          this.#made.put({ id, changes: packChanges(changes), subjects, undoes })
          if (undone !== undefined) this.ruleRuns.noteUndo(undone, id)
          for (const field of unread) this.#oldValues.put({ ...field, change_id: id, value: null })
        }
        if (this.#made.remove(OLD_MADE, MAX_UNDO_ENTRIES, MAX_UNDO_BYTES) > 0) {
          this.#oldValues.remove('change_id NOT IN (SELECT id FROM applied_changes)')
        }
      }
      if (replaced) this.#replacedIds.put(replaced)
    })
  }

  /** Stores a field's old value, for undo of the large changes that lack it. */
  storeOldValue(field: SubjectField, value: string): void {
    this.#own.write(() => {
      for (const lacking of this.#unreadOf(field)) this.#oldValues.put({ ...lacking, value })
    })
  }

  /** Call once everything written so far is displayed. Resets `unprojected`. */
  noteProjected(): void {
    this.#shown = this.#written
  }

  /** Undefined if unknown or unreadable. */
  undoRecord(id: string): UndoRecord | undefined {
    const [made] = this.#made.rows('WHERE id = ?', id)
    if (made === undefined) return undefined
    const changes = unpackChanges(made.changes)
    if (changes === undefined) return undefined
    const read = this.#oldValues.rows('WHERE change_id = ? AND value IS NOT NULL', id)
    const oldValues = new Map(read.map((field) => [fieldKey(field), field.value]))
    return {
      ...{ id, subjects: made.subjects, undoes: made.undoes },
      changes:
        oldValues.size === 0
          ? changes
          : changes.map((change) => ({ ...change, before: oldValues.get(fieldKey(change)) ?? change.before })),
    }
  }

  /** Undefined if it isn't a large change. */
  largeChange(id: string): { readonly subjects: number; readonly undoes: string | null } | undefined {
    const [large] = this.#made.select('subjects, undoes', 'WHERE id = ? AND subjects IS NOT NULL', id)
    return large && { subjects: Number(large.subjects), undoes: typeof large.undoes === 'string' ? large.undoes : null }
  }

  /** True if undo lacks the field's old value. */
  needsOldValue(field: SubjectField): boolean {
    return this.#unreadOf(field).length > 0
  }

  #unreadOf({ kind, scope, id, field }: SubjectField): readonly StoredOldValue[] {
    const tail = 'WHERE kind = ? AND scope = ? AND id = ? AND field = ? AND value IS NULL'
    return this.#oldValues.rows(tail, kind, scope, id, field)
  }

  #writeField({ target: { kind, scope, id, field }, change, own }: ChangeWrite): void {
    if (own === undefined && change !== null) {
      this.#waiting.put({ ...change, large: change.large ?? null })
      return
    }
    if (own === undefined) this.#waiting.remove(ONE_FIELD, kind, scope, id, field)
    else if (own === '') this.#localFields.remove(ONE_FIELD, kind, scope, id, field)
    else this.#localFields.put({ kind, scope, id, field, value: own })
    this.#unprojected.put({ kind, scope, id })
  }
}
