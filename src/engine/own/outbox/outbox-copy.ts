import type Database from 'better-sqlite3'
import { openDatabase } from '../../store/open-database.ts'
import type { UntrustedRow } from '../../store/damaged-database.ts'
import {
  fieldKey,
  type ChangeWrite,
  type LocalField,
  type ReplacedId,
  type SubjectField,
  type UndoRecord,
  type WaitingChange,
} from './change.ts'
import {
  digestWaitingChange,
  digestListedEntry,
  digestLocalField,
  EMPTY_OUTBOX_CONTENT,
  OUTBOX_FILE,
  readOutboxContent,
  salvageOutboxContent,
  toListedEntry,
  type OutboxContent,
  type StoredOldValue,
  packChanges,
  unpackChanges,
} from './outbox-content.ts'
import { RuleRuns, type RuleRun } from './rule-runs.ts'

/**
 * Limits for stored undo data; one change may have 10,000 threads. Changes by rules have a separate limit, so they
 * don't displace the user's.
 */
const MAX_UNDO_ENTRIES = 500
const MAX_UNDO_BYTES = 16 * 1024 * 1024

/** Pages copied per turn of the event loop. */
const COPIED_AT_ONCE = 100

const prepare = (database: Database.Database) => ({
  // An update keeps the row's sequence: first queued, first sent.
  upsert: database.prepare<[string, string, string, string, string, string | null, number, string | null]>(
    `INSERT INTO waiting (kind, scope, id, field, wanted, sending, digest, large) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (kind, scope, id, field)
     DO UPDATE SET wanted = excluded.wanted, sending = excluded.sending, digest = excluded.digest,
       large = excluded.large`,
  ),
  remove: database.prepare<[string, string, string, string]>(
    'DELETE FROM waiting WHERE kind = ? AND scope = ? AND id = ? AND field = ?',
  ),
  insertMade: database.prepare<[string, string, number | null, string | null]>(
    'INSERT INTO made (id, changes, subjects, undoes) VALUES (?, ?, ?, ?)',
  ),
  // Changes that aren't completely sent can always be undone.
  prune: database.prepare<[number, number]>(
    `DELETE FROM made WHERE sequence IN (
       SELECT sequence FROM (
         SELECT sequence, row_number() OVER newest AS place, sum(octet_length(changes)) OVER newest AS bytes
         FROM made
         WINDOW newest AS (
           PARTITION BY id IN (SELECT change_id FROM rule_runs WHERE change_id = made.id) ORDER BY sequence DESC))
       WHERE place > ? OR (bytes > ? AND place > 1))
     AND NOT EXISTS (SELECT 1 FROM waiting WHERE large = made.id)`,
  ),
  pruneOldValues: database.prepare('DELETE FROM old_values WHERE change_id NOT IN (SELECT id FROM made)'),
  selectMade: database.prepare<[string], Omit<UndoRecord, 'changes'> & { readonly changes: string }>(
    'SELECT id, changes, subjects, undoes FROM made WHERE id = ?',
  ),
  selectLarge: database.prepare<[string], { readonly subjects: number; readonly undoes: string | null }>(
    'SELECT subjects, undoes FROM made WHERE id = ? AND subjects IS NOT NULL',
  ),
  insertOldValue: database.prepare<[string, string, string, string, string, string | null]>(
    'INSERT OR REPLACE INTO old_values (change_id, kind, scope, id, field, value) VALUES (?, ?, ?, ?, ?, ?)',
  ),
  setOldValue: database.prepare<[string, string, string, string, string]>(
    `UPDATE old_values SET value = ? WHERE kind = ? AND scope = ? AND id = ? AND field = ? AND value IS NULL`,
  ),
  selectUnread: database
    .prepare<[string, string, string, string], number>(
      'SELECT 1 FROM old_values WHERE kind = ? AND scope = ? AND id = ? AND field = ? AND value IS NULL',
    )
    .pluck(),
  selectOldValues: database.prepare<[string], SubjectField & { readonly value: string }>(
    'SELECT kind, scope, id, field, value FROM old_values WHERE change_id = ? AND value IS NOT NULL',
  ),
  insertReplacedId: database.prepare<[string, string, string, string]>(
    'INSERT OR REPLACE INTO replaced_ids (kind, scope, was, id) VALUES (?, ?, ?, ?)',
  ),
  insertUnshown: database.prepare<[string, string, string, number]>(
    'INSERT OR REPLACE INTO unshown (kind, scope, id, generation) VALUES (?, ?, ?, ?)',
  ),
  deleteShown: database.prepare<[number]>('DELETE FROM unshown WHERE generation <= ?'),
  selectPending: database.prepare<[], number>('SELECT pending FROM state').pluck(),
  selectGeneration: database.prepare<[], number>('SELECT generation FROM state').pluck(),
  selectListed: database.prepare<[], number>('SELECT listed + own FROM state').pluck(),
  selectList: database.prepare<[string], UntrustedRow>('SELECT * FROM lists WHERE list = ? ORDER BY place'),
  insertEntry: database.prepare<[string, number, string, number]>(
    'INSERT INTO lists (list, place, entry, digest) VALUES (?, ?, ?, ?)',
  ),
  emptyList: database.prepare<[string]>('DELETE FROM lists WHERE list = ?'),
  upsertOwn: database.prepare<[string, string, string, string, string, number]>(
    `INSERT INTO own_fields (kind, scope, id, field, value, digest) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (kind, scope, id, field) DO UPDATE SET value = excluded.value, digest = excluded.digest`,
  ),
  removeOwn: database.prepare<[string, string, string, string]>(
    'DELETE FROM own_fields WHERE kind = ? AND scope = ? AND id = ? AND field = ?',
  ),
  count: database.prepare<[number]>(
    `UPDATE state SET generation = ?, pending = (SELECT count(*) FROM waiting), listed = (SELECT count(*) FROM lists),
       own = (SELECT count(*) FROM own_fields)`,
  ),
})

/** Data written in the same transaction as the pending changes. */
export interface ExtraWrites {
  readonly made?: readonly UndoRecord[]
  /** Fields of the made change whose old value must be read before they are sent. */
  readonly unread?: readonly SubjectField[]
  readonly ruleRuns?: readonly RuleRun[]
  /** ID of the change that this one undoes. */
  readonly undone?: string
  readonly replaced?: ReplacedId | null
  /** The last generation that is fully displayed. */
  readonly shown: number
}

/** One of the outbox's two files. */
export class OutboxCopy {
  /** Content when the file was opened, or content recovered from a damaged file that was set aside. */
  readonly found: OutboxContent
  /** True if the file was missing or empty. */
  readonly isMissing: boolean
  readonly setAside: string | null
  readonly ruleRuns: RuleRuns
  readonly #database: Database.Database
  readonly #statements: ReturnType<typeof prepare>
  readonly #inTransaction: (work: () => void) => void
  readonly #close: (isDamaged?: boolean) => void

  /** @throws SQLite's `SQLITE_BUSY` if another process has the file open */
  constructor(file: string) {
    const { database, setAside, isNew, close } = openDatabase(file, OUTBOX_FILE)
    try {
      this.#database = database
      this.#close = close
      this.#statements = prepare(database)
      this.ruleRuns = new RuleRuns(database)
      this.#inTransaction = database.transaction((work: () => void) => work())
      this.setAside = setAside
      this.isMissing = isNew && setAside === null
      this.found =
        setAside !== null
          ? salvageOutboxContent(setAside, file)
          : isNew
            ? EMPTY_OUTBOX_CONTENT
            : readOutboxContent(database)
    } catch (thrown) {
      close(true)
      throw thrown
    }
  }

  read(): OutboxContent {
    return readOutboxContent(this.#database)
  }

  generation(): number {
    return this.#statements.selectGeneration.get() ?? 0
  }

  pending(): number {
    return this.#statements.selectPending.get() ?? 0
  }

  /** Number of list entries and local-only fields. */
  listed(): number {
    return this.#statements.selectListed.get() ?? 0
  }

  list(name: string): readonly string[] {
    return this.#statements.selectList.all(name).flatMap((row) => toListedEntry(row).map(({ entry }) => entry))
  }

  writeList(generation: number, name: string, entries: readonly string[]): void {
    this.#inTransaction(() => {
      this.#statements.emptyList.run(name)
      this.#fillList(name, entries)
      this.#statements.count.run(generation)
    })
  }

  write(generation: number, writes: readonly ChangeWrite[], besides: ExtraWrites): void {
    const { made, unread = [], ruleRuns = [], undone, replaced, shown } = besides
    const { deleteShown, remove, insertUnshown, insertMade, prune, pruneOldValues, count } = this.#statements
    this.#inTransaction(() => {
      deleteShown.run(shown)
      for (const { target, change, own } of writes) {
        if (own !== undefined) {
          this.#storeLocalField({ ...target, value: own })
          insertUnshown.run(target.kind, target.scope, target.id, generation)
        } else if (change === null) {
          remove.run(target.kind, target.scope, target.id, target.field)
          insertUnshown.run(target.kind, target.scope, target.id, generation)
        } else this.#storeChange(change)
      }
      this.ruleRuns.add(ruleRuns)
      if (made !== undefined) {
        for (const { id, changes, subjects = null, undoes = null } of made) {
          insertMade.run(id, packChanges(changes), subjects, undoes)
          if (undone !== undefined) this.ruleRuns.noteUndo(undone, id)
          for (const field of unread) this.#storeOldValue({ ...field, changeId: id, value: null })
        }
        if (prune.run(MAX_UNDO_ENTRIES, MAX_UNDO_BYTES).changes > 0) pruneOldValues.run()
      }
      if (replaced) this.#storeReplacedId(replaced)
      count.run(generation)
    })
  }

  storeOldValue(generation: number, { kind, scope, id, field }: SubjectField, value: string): void {
    this.#inTransaction(() => {
      this.#statements.setOldValue.run(value, kind, scope, id, field)
      this.#statements.count.run(generation)
    })
  }

  replace(content: OutboxContent): void {
    const { insertMade, insertUnshown, count } = this.#statements
    this.#inTransaction(() => {
      // Read everything first: `content` may come from this same file.
      const made = content.made()
      const oldValues = content.oldValues()
      const runs = content.ruleRuns()
      this.#database.exec(
        `DELETE FROM waiting; DELETE FROM made; DELETE FROM replaced_ids; DELETE FROM old_values;
         DELETE FROM unshown; DELETE FROM lists; DELETE FROM own_fields; DELETE FROM rule_runs; DELETE FROM state;
         INSERT INTO state (generation, pending, listed, own, runs) VALUES (0, 0, 0, 0, 0)`,
      )
      for (const change of content.waiting) this.#storeChange(change)
      for (const own of content.own) this.#storeLocalField(own)
      for (const { id, changes, subjects = null, undoes = null } of made) insertMade.run(id, changes, subjects, undoes)
      for (const each of oldValues) this.#storeOldValue(each)
      for (const replaced of content.replacedIds) this.#storeReplacedId(replaced)
      for (const { kind, scope, id, generation } of content.unprojected) insertUnshown.run(kind, scope, id, generation)
      for (const [name, listed] of Map.groupBy(content.listed, ({ list }) => list)) {
        const entries = listed.map(({ entry }) => entry)
        this.#fillList(name, entries)
      }
      this.ruleRuns.add(runs)
      count.run(content.generation)
    })
  }

  /** Undefined if unknown or unreadable. */
  undoRecord(id: string): UndoRecord | undefined {
    const record = this.#statements.selectMade.get(id)
    const changes = record === undefined ? undefined : unpackChanges(record.changes)
    if (record === undefined || changes === undefined) return undefined
    const read = this.#statements.selectOldValues.all(id)
    if (read.length === 0) return { ...record, changes }
    const oldValues = new Map(read.map((field) => [fieldKey(field), field.value]))
    return {
      ...record,
      changes: changes.map((change) => ({ ...change, before: oldValues.get(fieldKey(change)) ?? change.before })),
    }
  }

  /** Undefined if it isn't a large change. */
  largeChange(id: string): { readonly subjects: number; readonly undoes: string | null } | undefined {
    return this.#statements.selectLarge.get(id)
  }

  /** True if undo lacks the field's old value. */
  needsOldValue({ kind, scope, id, field }: SubjectField): boolean {
    return this.#statements.selectUnread.get(kind, scope, id, field) !== undefined
  }

  /** Copies the file in turns of the event loop, including writes made in the meantime. */
  async copyTo(file: string): Promise<void> {
    await this.#database.backup(file, { progress: () => COPIED_AT_ONCE })
  }

  checkpoint(): void {
    this.#database.pragma('wal_checkpoint(PASSIVE)')
  }

  close(isDamaged?: boolean): void {
    this.#close(isDamaged)
  }

  #fillList(name: string, entries: readonly string[]): void {
    const { insertEntry } = this.#statements
    entries.forEach((entry, place) => insertEntry.run(name, place, entry, digestListedEntry(name, place, entry)))
  }

  #storeChange(change: WaitingChange): void {
    const { kind, scope, id, field, wanted, sending, large = null } = change
    this.#statements.upsert.run(kind, scope, id, field, wanted, sending, digestWaitingChange(change), large)
  }

  #storeLocalField(own: LocalField): void {
    const { kind, scope, id, field, value } = own
    if (value === '') this.#statements.removeOwn.run(kind, scope, id, field)
    else this.#statements.upsertOwn.run(kind, scope, id, field, value, digestLocalField(own))
  }

  #storeReplacedId({ kind, scope, was, id }: ReplacedId): void {
    this.#statements.insertReplacedId.run(kind, scope, was, id)
  }

  #storeOldValue({ changeId, kind, scope, id, field, value }: StoredOldValue): void {
    this.#statements.insertOldValue.run(changeId, kind, scope, id, field, value)
  }
}
