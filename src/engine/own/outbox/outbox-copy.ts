import type Database from 'better-sqlite3'
import { openDatabase } from '../../store/open-database.ts'
import type { UntrustedRow } from '../../store/damaged-database.ts'
import type { ChangeWrite, UndoableChange, LocalField, ReplacedId, WaitingChange } from './change.ts'
import type { LargeChange, LargeChangeWrite, LargeChangePart } from './large-change-parts.ts'
import {
  digestWaitingChange,
  digestListedEntry,
  digestLocalField,
  EMPTY_OUTBOX_CONTENT,
  OUTBOX_FILE,
  readOutboxContent,
  salvageOutboxContent,
  toListedEntry,
  toLargeChangePart,
  type StoredLargeChangePart,
  type OutboxContent,
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
  insertMade: database.prepare<[string, string]>('INSERT OR REPLACE INTO made (id, changes) VALUES (?, ?)'),
  prune: database.prepare<[number, number]>(
    `DELETE FROM made WHERE sequence IN (
       SELECT sequence FROM (
         SELECT sequence,
           row_number() OVER newest AS place,
           sum(octet_length(changes) + ifnull(of_parts, 0)) OVER newest AS bytes
         FROM made LEFT JOIN (SELECT id AS large, sum(octet_length(changes)) AS of_parts FROM parts GROUP BY id)
           ON large = made.id
         WINDOW newest AS (
           PARTITION BY made.id IN (SELECT change_id FROM rule_runs WHERE change_id = made.id) ORDER BY sequence DESC))
       WHERE place > ? OR (bytes > ? AND place > 1))
     AND id NOT IN (SELECT id FROM large_changes)`,
  ),
  pruneParts: database.prepare('DELETE FROM parts WHERE id NOT IN (SELECT id FROM made)'),
  insertPart: database.prepare<[string, number, string, number, string]>(
    'INSERT OR REPLACE INTO parts (id, part, state, subjects, changes) VALUES (?, ?, ?, ?, ?)',
  ),
  selectPart: database.prepare<[string, number], StoredLargeChangePart>(
    'SELECT * FROM parts WHERE id = ? AND part = ?',
  ),
  selectPartsLeft: database
    .prepare<[string], number>("SELECT part FROM parts WHERE id = ? AND state <> 'made' ORDER BY part")
    .pluck(),
  selectPartsLeftOf: database
    .prepare<[string, string], number>(
      "SELECT part FROM parts WHERE id = ? AND state <> 'made' AND instr(changes, ?) > 0 ORDER BY part",
    )
    .pluck(),
  selectPartsWithout: database.prepare<[string], { readonly id: string; readonly part: number }>(
    `SELECT id, part FROM parts
     WHERE state != 'wanted' AND instr(changes, '"before":""') > 0 AND instr(changes, ?) > 0`,
  ),
  selectPartsMade: database
    .prepare<[string], number>("SELECT part FROM parts WHERE id = ? AND state = 'made' ORDER BY part")
    .pluck(),
  selectLastPart: database.prepare<[string], number | null>('SELECT max(part) FROM parts WHERE id = ?').pluck(),
  selectMadeCount: database
    .prepare<[string], number | null>("SELECT sum(iif(state = 'made', subjects, 0)) FROM parts WHERE id = ?")
    .pluck(),
  copyParts: database.prepare<[string, string, string]>(
    `INSERT INTO parts (id, part, state, subjects, changes)
     SELECT ?, part, ?, subjects, changes FROM parts WHERE id = ? AND state = 'made'`,
  ),
  dropParts: database.prepare<[string]>("DELETE FROM parts WHERE id = ? AND state <> 'made'"),
  insertLarge: database.prepare<[string, string]>('INSERT OR REPLACE INTO large_changes (id, about) VALUES (?, ?)'),
  deleteLarge: database.prepare<[string]>('DELETE FROM large_changes WHERE id = ?'),
  selectMade: database.prepare<[string], string>('SELECT changes FROM made WHERE id = ?').pluck(),
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
  readonly made?: readonly { readonly id: string; readonly changes: readonly UndoableChange[] }[]
  readonly ruleRuns?: readonly RuleRun[]
  /** ID of the change that this one undoes. */
  readonly undone?: string
  readonly replaced?: ReplacedId | null
  readonly large?: LargeChangeWrite | null
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
      // Drop large changes that were interrupted while being stored: none was applied yet.
      database.exec("DELETE FROM parts WHERE state <> 'made' AND id NOT IN (SELECT id FROM large_changes)")
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
    const { made, ruleRuns = [], undone, replaced, large, shown } = besides
    const { deleteShown, remove, insertUnshown, insertMade, prune, pruneParts, count } = this.#statements
    this.#inTransaction(() => {
      deleteShown.run(shown)
      for (const { target, change, own } of writes) {
        if (own !== undefined) {
          this.#storeLocalField({ ...target, value: own })
          insertUnshown.run(target.kind, target.scope, target.id, generation)
          continue
        }
        if (change !== null) {
          this.#storeChange(change)
          continue
        }
        remove.run(target.kind, target.scope, target.id, target.field)
        // Until a large change ends, its subjects can be found through its parts.
        if (large?.kind !== 'make') insertUnshown.run(target.kind, target.scope, target.id, generation)
      }
      this.ruleRuns.add(ruleRuns)
      if (made !== undefined) {
        for (const { id, changes } of made) {
          insertMade.run(id, packChanges(changes))
          if (undone !== undefined) this.ruleRuns.noteUndo(undone, id)
        }
        prune.run(MAX_UNDO_ENTRIES, MAX_UNDO_BYTES)
        pruneParts.run()
      }
      if (large) this.#writeLarge(large)
      if (replaced) this.#storeReplacedId(replaced)
      count.run(generation)
    })
  }

  replace(content: OutboxContent): void {
    const { insertMade, insertPart, insertUnshown, count } = this.#statements
    this.#inTransaction(() => {
      // Read everything first: `content` may come from this same file.
      const made = content.made()
      const parts = content.parts()
      const runs = content.ruleRuns()
      this.#database.exec(
        `DELETE FROM waiting; DELETE FROM made; DELETE FROM replaced_ids; DELETE FROM large_changes; DELETE FROM parts;
         DELETE FROM unshown; DELETE FROM lists; DELETE FROM own_fields; DELETE FROM rule_runs; DELETE FROM state;
         INSERT INTO state (generation, pending, listed, own, runs) VALUES (0, 0, 0, 0, 0)`,
      )
      for (const change of content.waiting) this.#storeChange(change)
      for (const own of content.own) this.#storeLocalField(own)
      for (const { id, changes } of made) insertMade.run(id, changes)
      for (const replaced of content.replacedIds) this.#storeReplacedId(replaced)
      for (const each of content.large) this.#storeLarge(each)
      for (const { id, part, state, subjects, changes } of parts) insertPart.run(id, part, state, subjects, changes)
      for (const { kind, scope, id, generation } of content.unprojected) insertUnshown.run(kind, scope, id, generation)
      for (const [name, listed] of Map.groupBy(content.listed, ({ list }) => list)) {
        const entries = listed.map(({ entry }) => entry)
        this.#fillList(name, entries)
      }
      this.ruleRuns.add(runs)
      count.run(content.generation)
    })
  }

  madeChanges(id: string): readonly UndoableChange[] | undefined {
    const packed = this.#statements.selectMade.get(id)
    return packed === undefined ? undefined : unpackChanges(packed)
  }

  /** Numbers of the parts yet to be applied, in order. */
  partsLeft(id: string): readonly number[] {
    return this.#statements.selectPartsLeft.all(id)
  }

  /** Numbers of the remaining parts that contain this subject. */
  partsLeftOf(id: string, subjectId: string): readonly number[] {
    return this.#statements.selectPartsLeftOf.all(id, JSON.stringify(subjectId))
  }

  /**
   * Parts that contain this subject and lack its old value. Excludes parts that aren't applied yet: pending changes
   * precede them, so the platform's current value isn't their old one.
   */
  partsWithoutBefore(subjectId: string): readonly { readonly id: string; readonly part: number }[] {
    return this.#statements.selectPartsWithout.all(JSON.stringify(subjectId))
  }

  /** Undefined if missing or unreadable. */
  part(id: string, part: number): LargeChangePart | undefined {
    const row = this.#statements.selectPart.get(id, part)
    return row === undefined ? undefined : toLargeChangePart(row)
  }

  partsMade(id: string): readonly number[] {
    return this.#statements.selectPartsMade.all(id)
  }

  lastPart(id: string): number {
    return this.#statements.selectLastPart.get(id) ?? 0
  }

  /** Number of threads changed so far; null if no part has been stored. */
  countMade(id: string): number | null {
    return this.#statements.selectMadeCount.get(id) ?? null
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

  #storePart(id: string, { part, state, subjects, changes }: LargeChangePart): void {
    this.#statements.insertPart.run(id, part, state, subjects, packChanges(changes))
  }

  #storeLarge({ id, ...about }: LargeChange): void {
    this.#statements.insertLarge.run(id, JSON.stringify(about))
  }

  #writeLarge(write: LargeChangeWrite): void {
    switch (write.kind) {
      case 'name':
        for (const part of write.parts) this.#storePart(write.id, part)
        return
      case 'begin':
        this.#storeLarge(write.large)
        if (write.large.source?.how === 'undo') this.ruleRuns.noteUndo(write.large.source.id, write.large.id)
        return
      case 'copy':
        this.#statements.copyParts.run(write.id, write.source.how, write.source.id)
        return
      case 'make':
        for (const part of write.parts) this.#storePart(write.id, { ...part, state: 'made' })
        for (const part of write.left) this.#storePart(write.id, part)
        return
      case 'drop':
        this.#statements.dropParts.run(write.id)
        return
      case 'end':
        this.#statements.deleteLarge.run(write.id)
    }
  }
}
