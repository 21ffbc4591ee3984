/** Log of rule runs: the rule, the message and the result. */
import type { OwnFile } from '../own-file.ts'
import type { OwnTable } from '../own-table.ts'

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
  /** ID of the matching message. */
  readonly email: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Null if nothing changed. */
  readonly changeId: string | null
  /** The run's outcome, as JSON. */
  readonly did: string
}

export interface ThreadRuleRuns {
  /** True if the rule has acted on the message, or is exempt from acting on its thread. */
  readonly isDone: (rule: string, emailId: string) => boolean
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

type StoredRun = Omit<RuleRun, 'changeId'> & { readonly change_id: string | null }

const toRuleRun = ({ rule, scope, thread, email, at, change_id: changeId, did }: StoredRun): RuleRun => ({
  ...{ rule, scope, thread, email, at, changeId, did },
})

export class RuleRuns {
  readonly #runs: Pick<OwnTable<StoredRun>, 'add' | 'rows' | 'remove' | 'select'>

  constructor(own: Pick<OwnFile, 'table'>) {
    this.#runs = own.table('rule_runs')
  }

  /** Call within a transaction. The first run of a rule on a message counts. */
  add(runs: readonly RuleRun[]): void {
    if (runs.length === 0) return
    for (const { changeId, ...run } of runs) this.#runs.add({ ...run, change_id: changeId })
    this.#runs.remove('sequence <= (SELECT sequence FROM rule_runs ORDER BY sequence DESC LIMIT 1 OFFSET ?)', KEPT_RUNS)
  }

  /** Exempts an undone change's threads from its rules, until the undo itself is undone. Call within a transaction. */
  noteUndo(changeId: string, undo: string): void {
    const runs = this.#runs.rows('WHERE change_id = ?', changeId).map(toRuleRun)
    this.#runs.remove(`change_id = ? AND NOT ${IS_MESSAGE}`, changeId)
    this.add(runs.map((run) => ({ ...run, email: run.email === EXEMPT ? exemptUntil(undo) : EXEMPT, changeId: undo })))
  }

  ofThread(scope: string, thread: string): ThreadRuleRuns {
    const runs = this.#runs.rows('WHERE scope = ? AND thread = ?', scope, thread)
    return {
      isDone: (rule, emailId) =>
        runs.some(({ email, ...run }) => run.rule === rule && (email === EXEMPT || email === emailId)),
      hasRun: (rule) => runs.some((run) => run.rule === rule),
    }
  }

  /** Runs before this time may have been dropped, in milliseconds since the epoch; null if none were. */
  floor(): number | null {
    const [oldest] = this.#runs.rows('WHERE (SELECT count(*) FROM rule_runs) >= ? ORDER BY sequence LIMIT 1', KEPT_RUNS)
    return oldest?.at ?? null
  }

  /** Log entries, newest first. @param before only entries with a lower `sequence`; null for the newest */
  log(rule: string | null, before: number | null, limit: number): readonly LoggedRuleRuns[] {
    // Runs with the same change and rule form one entry; each run that changed nothing forms its own.
    const entries = this.#runs.select(
      `max(sequence) AS sequence, count(DISTINCT thread) AS threads, change_id IN (SELECT id FROM applied_changes) AS undoable`,
      `WHERE (? IS NULL OR rule = ?) AND sequence < ? AND ${IS_MESSAGE}
       GROUP BY rule, coalesce(change_id, sequence) ORDER BY 1 DESC LIMIT ?`,
      ...[rule, rule, before ?? Number.MAX_SAFE_INTEGER, limit],
    )
    return entries.flatMap(({ sequence, threads, undoable }) =>
      this.#runs.rows('WHERE sequence = ?', sequence).map((run) => ({
        ...toRuleRun(run),
        sequence: run.sequence,
        threads: Number(threads),
        isUndoable: undoable === 1,
      })),
    )
  }

  /** Number of threads that each rule has changed. */
  threadsByRule(): ReadonlyMap<string, number> {
    const counts = this.#runs.select(
      "rule, count(DISTINCT scope || ' ' || thread) AS threads",
      `WHERE change_id IS NOT NULL AND ${IS_MESSAGE} GROUP BY rule`,
    )
    return new Map(counts.map(({ rule, threads }) => [String(rule), Number(threads)]))
  }
}
