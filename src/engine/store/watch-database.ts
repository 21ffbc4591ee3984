import { channel } from 'node:diagnostics_channel'
import type Database from 'better-sqlite3'
import { performance } from 'node:perf_hooks'
import { describeQuery, logLine, type Log, logBlockedTurn } from '../../shared/log.ts'
import { isCorruptionError } from './storage-problem.ts'

/** Threshold for slow queries, in milliseconds. Slower queries delay the user and the engine's other work. */
const SLOW_MS = 40

/** A query that took over 40 ms. `rows` is the number of rows returned or changed. */
export interface SlowQuery {
  readonly sql: string
  readonly milliseconds: number
  readonly rows: number
}

/** Diagnostics channel for slow queries. The engine's thread subscribes to log them. */
const slowQueries = channel('linnet:slow-query')

/** @returns a function that unsubscribes */
export const onSlowQuery = (listener: (query: SlowQuery) => void): (() => void) => {
  const receive = (message: unknown): void => listener(message as SlowQuery)
  slowQueries.subscribe(receive)
  return () => {
    slowQueries.unsubscribe(receive)
  }
}

/** Called when a file turns out to be damaged, by connection. */
const damageListeners = new WeakMap<Database.Database, () => void>()

/** @param listener called when a statement or commit fails because the file is damaged, and by `reportDamage` */
export const onDamage = (database: Database.Database, listener: () => void): void => {
  damageListeners.set(database, listener)
}

export const reportDamage = (database: Database.Database): void => damageListeners.get(database)?.()

const fail = (database: Database.Database, thrown: unknown): never => {
  if (isCorruptionError(thrown)) reportDamage(database)
  throw thrown
}

/** Times all statements that are prepared from now on, and reports damage. Costs two clock reads per run. */
export const watchStatements = (database: Database.Database): void => {
  const watched =
    <Args extends readonly unknown[], Answer>(
      sql: string,
      run: (...args: Args) => Answer,
      count: (answer: Answer) => number,
    ): ((...args: Args) => Answer) =>
    (...args) => {
      const start = performance.now()
      try {
        const answer = run(...args)
        const milliseconds = Math.round(performance.now() - start)
        if (milliseconds > SLOW_MS) slowQueries.publish({ sql, milliseconds, rows: count(answer) } satisfies SlowQuery)
        return answer
      } catch (thrown) {
        return fail(database, thrown)
      }
    }
  const prepare = database.prepare.bind(database)
  const prepareWatched = (sql: string): Database.Statement => {
    const statement = prepare(sql)
    const iterate = statement.iterate.bind(statement)
    return Object.assign(statement, {
      run: watched(sql, statement.run.bind(statement), ({ changes }) => changes),
      get: watched(sql, statement.get.bind(statement), (row) => (row === undefined ? 0 : 1)),
      all: watched(sql, statement.all.bind(statement), (rows) => rows.length),
      *iterate(...values: unknown[]): IterableIterator<unknown> {
        try {
          yield* iterate(...values)
        } catch (thrown) {
          fail(database, thrown)
        }
      },
    })
  }
  Object.assign(database, {
    prepare: prepareWatched,
    exec: watched('exec', database.exec.bind(database), () => 0),
  })
}

/** Time that this thread wasn't idle, in milliseconds. */
const busyTime = (): number => performance.now() - performance.nodeTiming.idleTime

/** Logs slow queries in this thread (over 40 ms), and turns of the event loop that block it for over 100 ms. */
export const logSlowWork = (log: Log): void => {
  onSlowQuery(({ sql, milliseconds, rows }) =>
    log('warn', logLine`query: ${milliseconds} ms, ${rows} rows: ${describeQuery(sql)}`),
  )
  let before = busyTime()
  // Runs at the end of each turn. A timer would wake an idle thread.
  const look = (): void => {
    setImmediate(look).unref()
    logBlockedTurn('engine', busyTime() - before, log)
    before = busyTime()
  }
  look()
}

/** A store's public members. The mapped type drops private fields. */
export type PublicMembers<Store> = { readonly [Name in keyof Store]: Store[Name] }

/**
 * Runs `work` in the surrounding transaction if there is one, otherwise in a new one. Doesn't use SQLite's nested
 * transactions (savepoints): they copy every page before changing it, and partial rollback is never needed.
 */
export const runInTransaction = <Value>(
  database: Database.Database,
  work: () => Value,
  mode: 'deferred' | 'immediate' = 'deferred',
): Value => {
  if (database.inTransaction) return work()
  try {
    return database.transaction(work)[mode]()
  } catch (thrown) {
    // COMMIT isn't one of the watched statements.
    return fail(database, thrown)
  }
}
