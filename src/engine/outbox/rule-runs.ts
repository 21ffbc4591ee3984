/** The runs of rules, as the outbox's files store them: the rule, the message, and the result. */
import { crc32 } from 'node:zlib'
import type Database from 'better-sqlite3'
import type { BrokenFileRow } from '../store/read-broken.ts'

/** In place of a message: the rule never acts on the thread again, because the user undid what it did. */
const EXEMPT = '*'
/** The same once that undo was undone, by the change that did it: undoing this one exempts the thread again. */
const exemptUntil = (changeId: string): string => `${EXEMPT} ${changeId}`
const IS_MESSAGE = `substr(email, 1, 1) <> '${EXEMPT}'`

export interface RuleRun {
  readonly rule: string
  /** The inbox of the thread. */
  readonly scope: string
  readonly thread: string
  /** The ID of the message that matched; empty, in rows of earlier versions, for all messages of the thread up to `at`. */
  readonly email: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Null if nothing changed. */
  readonly changeId: string | null
  /** JSON. */
  readonly did: string
}

/** A message of a thread, for `isDone`. */
export interface RuledEmail {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
}

/** The runs of rules in one thread. */
export interface ThreadRuns {
  /** True if the rule has acted on the message, or may not act on its thread. */
  readonly isDone: (rule: string, email: RuledEmail) => boolean
  /** True if the rule has acted on any message of the thread. */
  readonly hasRun: (rule: string) => boolean
}

/** A run as the log shows it. */
export interface LoggedRuns extends RuleRun {
  readonly sequence: number
  readonly threads: number
  /** True if it can still be undone. */
  readonly isUndoable: boolean
}

/** Stored runs, about 15 MB. Beyond them the oldest go, and no rule acts on mail from before the oldest one left (`floor`). */
const KEPT_RUNS = 100_000

/** Rows of the first version have no message. */
const digestOf = ({ rule, scope, thread, email, at, changeId, did }: RuleRun): number =>
  crc32(JSON.stringify([rule, scope, thread, at, changeId, did, ...(email === '' ? [] : [email])]))

/** @returns nothing for a damaged row */
export const toRuleRun = ({
  rule,
  scope,
  thread,
  email = '',
  at,
  change_id: changeId,
  did,
  digest,
}: BrokenFileRow): readonly RuleRun[] => {
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
  ofChange: database.prepare<[string], BrokenFileRow>('SELECT * FROM rule_runs WHERE change_id = ?'),
  endExemption: database.prepare<[string]>(`DELETE FROM rule_runs WHERE change_id = ? AND NOT ${IS_MESSAGE}`),
  oldest: database
    .prepare<[number], number>(`SELECT at FROM rule_runs WHERE (SELECT runs FROM state) >= ? ORDER BY sequence LIMIT 1`)
    .pluck(),
  // Runs of one change and rule follow each other. Those that changed nothing are an entry each.
  log: database.prepare<[string | null, string | null, number, number], BrokenFileRow>(
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
      const { rule, scope, thread, email, at, changeId, did } = run
      this.#sql.insert.run(rule, scope, thread, email, at, changeId, did, digestOf(run))
    }
    this.#sql.prune.run(KEPT_RUNS)
    this.#sql.count.run()
  }

  /**
   * Exempts the threads of an undone change from the rules that made it. Undoing the undo ends that. Within a transaction.
   * @param undo the change that undid it
   */
  noteUndo(changeId: string, undo: string): void {
    const runs = this.#sql.ofChange.all(changeId).flatMap(toRuleRun)
    this.#sql.endExemption.run(changeId)
    this.add(runs.map((run) => ({ ...run, email: run.email === EXEMPT ? exemptUntil(undo) : EXEMPT, changeId: undo })))
  }

  ofThread(scope: string, thread: string): ThreadRuns {
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

  /** Runs from before this time may be forgotten, milliseconds since the epoch; null if none are. */
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
