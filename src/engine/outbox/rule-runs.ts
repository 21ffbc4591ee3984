/** What rules did, as the outbox's files keep it: which rule had its turn with which thread, and what came of it. */
import { crc32 } from 'node:zlib'
import type Database from 'better-sqlite3'
import type { BrokenFileRow } from '../store/read-broken.ts'

export interface RuleRun {
  readonly rule: string
  /** The inbox of the thread. */
  readonly scope: string
  readonly thread: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Null where nothing was changed. */
  readonly changeId: string | null
  /** JSON. */
  readonly did: string
}

/** What a rule did at once. */
export interface LoggedRuns extends RuleRun {
  readonly sequence: number
  readonly threads: number
  /** Whether it can still be undone. */
  readonly isUndoable: boolean
}

/**
 * Runs that are kept: about 15 MB. Beyond them the oldest go, and with them the memory that those threads had their turn:
 * mail of the time before is then no news to any rule (`floor`).
 */
const KEPT_RUNS = 100_000

const digestOf = ({ rule, scope, thread, at, changeId, did }: RuleRun): number =>
  crc32(JSON.stringify([rule, scope, thread, at, changeId, did]))

/** @returns nothing for a row that is not as it was written */
export const toRuleRun = ({
  rule,
  scope,
  thread,
  at,
  change_id: changeId,
  did,
  digest,
}: BrokenFileRow): readonly RuleRun[] => {
  if (typeof rule !== 'string' || typeof scope !== 'string' || typeof thread !== 'string') return []
  if (typeof at !== 'number' || typeof did !== 'string' || (changeId !== null && typeof changeId !== 'string'))
    return []
  const run = { rule, scope, thread, at, changeId, did }
  return digest === digestOf(run) ? [run] : []
}

const prepare = (database: Database.Database) => ({
  insert: database.prepare<[string, string, string, number, string | null, string, number]>(
    'INSERT OR IGNORE INTO rule_runs (rule, scope, thread, at, change_id, did, digest) VALUES (?, ?, ?, ?, ?, ?, ?)',
  ),
  prune: database.prepare<[number]>(
    `DELETE FROM rule_runs
     WHERE sequence <= (SELECT sequence FROM rule_runs ORDER BY sequence DESC LIMIT 1 OFFSET ?)`,
  ),
  count: database.prepare('UPDATE state SET runs = (SELECT count(*) FROM rule_runs)'),
  ofThread: database
    .prepare<[string, string], string>('SELECT rule FROM rule_runs WHERE scope = ? AND thread = ?')
    .pluck(),
  oldest: database
    .prepare<[number], number>(`SELECT at FROM rule_runs WHERE (SELECT runs FROM state) >= ? ORDER BY sequence LIMIT 1`)
    .pluck(),
  // Runs of one change and rule follow each other; those that changed nothing are an entry each.
  log: database.prepare<[string | null, string | null, number, number], BrokenFileRow>(
    `SELECT max(sequence) AS sequence, count(*) AS threads, rule, scope, thread, at, change_id, did, digest,
       change_id IN (SELECT id FROM made) AS undoable
     FROM rule_runs WHERE (? IS NULL OR rule = ?) AND sequence < ?
     GROUP BY rule, coalesce(change_id, sequence) ORDER BY 1 DESC LIMIT ?`,
  ),
  threads: database.prepare<[], { readonly rule: string; readonly threads: number }>(
    'SELECT rule, count(*) AS threads FROM rule_runs WHERE change_id IS NOT NULL GROUP BY rule',
  ),
})

/** The table of them in one of the outbox's two files. */
export class RuleRuns {
  readonly #sql: ReturnType<typeof prepare>

  constructor(database: Database.Database) {
    this.#sql = prepare(database)
  }

  /** Within a transaction. */
  add(runs: readonly RuleRun[]): void {
    if (runs.length === 0) return
    for (const run of runs) {
      const { rule, scope, thread, at, changeId, did } = run
      this.#sql.insert.run(rule, scope, thread, at, changeId, did, digestOf(run))
    }
    this.#sql.prune.run(KEPT_RUNS)
    this.#sql.count.run()
  }

  /** The rules that had their turn with a thread. */
  ofThread(scope: string, thread: string): readonly string[] {
    return this.#sql.ofThread.all(scope, thread)
  }

  /** What was before this time may have been forgotten, milliseconds since the epoch; null where nothing was. */
  floor(): number | null {
    return this.#sql.oldest.get(KEPT_RUNS) ?? null
  }

  /** Newest first. @param before a `sequence` */
  log(rule: string | null, before: number | null, limit: number): readonly LoggedRuns[] {
    return this.#sql.log.all(rule, rule, before ?? Number.MAX_SAFE_INTEGER, limit).flatMap((row) =>
      toRuleRun(row).map((run) => ({
        ...run,
        sequence: Number(row.sequence),
        threads: Number(row.threads),
        isUndoable: row.undoable === 1,
      })),
    )
  }

  /** How many threads each rule has changed. */
  threadsByRule(): ReadonlyMap<string, number> {
    return new Map(this.#sql.threads.all().map(({ rule, threads }) => [rule, threads]))
  }
}
