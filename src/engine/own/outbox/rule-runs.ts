/** Log of rule runs: the rule, the message and the result. */
import { crc32 } from 'node:zlib'
import type Database from 'better-sqlite3'
import type { UntrustedRow } from '../../store/damaged-database.ts'

/** Stored instead of a message ID: the user undid a run, so the rule never acts on the thread again. */
const EXEMPT = '*'
/** Stored when the change `changeId` undid that undo, which lifts the exemption. Undoing this change restores it. */
const exemptUntil = (changeId: string): string => `${EXEMPT} ${changeId}`
const IS_MESSAGE = `substr(email, 1, 1) <> '${EXEMPT}'`

export interface RuleRun {
  readonly rule: string
  /** The thread's inbox. */
  readonly scope: string
  readonly thread: string
  /** ID of the matching message. Empty in rows of earlier versions, which cover all messages up to `at`. */
  readonly email: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Null if nothing changed. */
  readonly changeId: string | null
  /** The run's outcome, as JSON. */
  readonly did: string
}

export interface RuleRunEmail {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
}

export interface ThreadRuleRuns {
  /** True if the rule has acted on the message, or is exempt from acting on its thread. */
  readonly isDone: (rule: string, email: RuleRunEmail) => boolean
  /** True if the rule has acted on any message of the thread. */
  readonly hasRun: (rule: string) => boolean
}

export interface LoggedRuleRuns extends RuleRun {
  readonly sequence: number
  readonly threads: number
  /** True if it can still be undone. */
  readonly isUndoable: boolean
}

/**
 * Number of runs stored, about 15 MB. The oldest are dropped first; rules skip mail older than the oldest remaining run
 * (`floor`).
 */
const KEPT_RUNS = 100_000

/** Rows of the first version have no message ID, and their digest doesn't cover one. */
const digestOf = ({ rule, scope, thread, email, at, changeId, did }: RuleRun): number =>
  crc32(JSON.stringify([rule, scope, thread, at, changeId, did, ...(email === '' ? [] : [email])]))

/** @returns the run, or an empty list for a damaged row */
export const toRuleRun = ({
  rule,
  scope,
  thread,
  email = '',
  at,
  change_id: changeId,
  did,
  digest,
}: UntrustedRow): readonly RuleRun[] => {
  if (typeof rule !== 'string' || typeof scope !== 'string' || typeof thread !== 'string') return []
  if (typeof email !== 'string') return []
  if (typeof at !== 'number' || typeof did !== 'string' || (changeId !== null && typeof changeId !== 'string'))
    return []
  const run = { rule, scope, thread, email, at, changeId, did }
  return digest === digestOf(run) ? [run] : []
}

const prepare = (database: Database.Database) => ({
  insert: database.prepare<[string, string, string, string, number, string | null, string, number]>(
    `INSERT OR IGNORE INTO rule_runs (rule, scope, thread, email, at, change_id, did, digest)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  ),
  prune: database.prepare<[number]>(
    `DELETE FROM rule_runs
     WHERE sequence <= (SELECT sequence FROM rule_runs ORDER BY sequence DESC LIMIT 1 OFFSET ?)`,
  ),
  count: database.prepare('UPDATE state SET runs = (SELECT count(*) FROM rule_runs)'),
  ofThread: database.prepare<[string, string], Pick<RuleRun, 'rule' | 'email' | 'at'>>(
    'SELECT rule, email, at FROM rule_runs WHERE scope = ? AND thread = ?',
  ),
  ofChange: database.prepare<[string], UntrustedRow>('SELECT * FROM rule_runs WHERE change_id = ?'),
  endExemption: database.prepare<[string]>(`DELETE FROM rule_runs WHERE change_id = ? AND NOT ${IS_MESSAGE}`),
  oldest: database
    .prepare<[number], number>(`SELECT at FROM rule_runs WHERE (SELECT runs FROM state) >= ? ORDER BY sequence LIMIT 1`)
    .pluck(),
  // Runs with the same change and rule form one entry; each run that changed nothing forms its own.
  log: database.prepare<[string | null, string | null, number, number], UntrustedRow>(
    `SELECT max(sequence) AS sequence, count(DISTINCT thread) AS threads, rule, scope, thread, email, at, change_id,
       did, digest, change_id IN (SELECT id FROM made) AS undoable
     FROM rule_runs WHERE (? IS NULL OR rule = ?) AND sequence < ? AND ${IS_MESSAGE}
     GROUP BY rule, coalesce(change_id, sequence) ORDER BY 1 DESC LIMIT ?`,
  ),
  threads: database.prepare<[], { readonly rule: string; readonly threads: number }>(
    `SELECT rule, count(DISTINCT scope || ' ' || thread) AS threads FROM rule_runs
     WHERE change_id IS NOT NULL AND ${IS_MESSAGE} GROUP BY rule`,
  ),
})

export class RuleRuns {
  readonly #sql: ReturnType<typeof prepare>

  constructor(database: Database.Database) {
    this.#sql = prepare(database)
  }

  /** Call within a transaction. */
  add(runs: readonly RuleRun[]): void {
    if (runs.length === 0) return
    for (const run of runs) {
      const { rule, scope, thread, email, at, changeId, did } = run
      this.#sql.insert.run(rule, scope, thread, email, at, changeId, did, digestOf(run))
    }
    this.#sql.prune.run(KEPT_RUNS)
    this.#sql.count.run()
  }

  /** Exempts an undone change's threads from its rules, until the undo itself is undone. Call within a transaction. */
  noteUndo(changeId: string, undo: string): void {
    const runs = this.#sql.ofChange.all(changeId).flatMap(toRuleRun)
    this.#sql.endExemption.run(changeId)
    this.add(runs.map((run) => ({ ...run, email: run.email === EXEMPT ? exemptUntil(undo) : EXEMPT, changeId: undo })))
  }

  ofThread(scope: string, thread: string): ThreadRuleRuns {
    const runs = this.#sql.ofThread.all(scope, thread)
    return {
      isDone: (rule, { id, receivedAt }) =>
        runs.some(
          ({ email, at, ...run }) =>
            run.rule === rule && (email === EXEMPT || email === id || (email === '' && receivedAt <= at)),
        ),
      hasRun: (rule) => runs.some((run) => run.rule === rule),
    }
  }

  /** Runs before this time may have been dropped, in milliseconds since the epoch; null if none were. */
  floor(): number | null {
    return this.#sql.oldest.get(KEPT_RUNS) ?? null
  }

  /** Log entries, newest first. @param before only entries with a lower `sequence`; null for the newest */
  log(rule: string | null, before: number | null, limit: number): readonly LoggedRuleRuns[] {
    return this.#sql.log.all(rule, rule, before ?? Number.MAX_SAFE_INTEGER, limit).flatMap((row) =>
      toRuleRun(row).map((run) => ({
        ...run,
        sequence: Number(row.sequence),
        threads: Number(row.threads),
        isUndoable: row.undoable === 1,
      })),
    )
  }

  /** Number of threads that each rule has changed. */
  threadsByRule(): ReadonlyMap<string, number> {
    return new Map(this.#sql.threads.all().map(({ rule, threads }) => [rule, threads]))
  }
}
