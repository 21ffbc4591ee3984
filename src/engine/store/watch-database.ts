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

const timed = <Args extends readonly unknown[], Answer>(
  sql: string,
  run: (...args: Args) => Answer,
  count: (answer: Answer) => number,
): ((...args: Args) => Answer) => {
  return (...args) => {
    const start = performance.now()
    const answer = run(...args)
    const milliseconds = Math.round(performance.now() - start)
    if (milliseconds > SLOW_MS) slowQueries.publish({ sql, milliseconds, rows: count(answer) } satisfies SlowQuery)
    return answer
  }
}

/** Times every statement prepared from now on. Costs two clock reads per run. */
export const timeQueries = (database: Database.Database): void => {
  const prepare = database.prepare.bind(database)
  const prepareTimed = (sql: string): Database.Statement => {
    const statement = prepare(sql)
    return Object.assign(statement, {
      run: timed(sql, statement.run.bind(statement), ({ changes }) => changes),
      get: timed(sql, statement.get.bind(statement), (row) => (row === undefined ? 0 : 1)),
      all: timed(sql, statement.all.bind(statement), (rows) => rows.length),
    })
  }
  Object.assign(database, {
    prepare: prepareTimed,
    exec: timed('exec', database.exec.bind(database), () => 0),
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

type Work = (...input: unknown[]) => unknown

/** Names of an object's own functions and of its class's methods. */
const namesOf = (store: object): readonly string[] => {
  const methods = Object.getPrototypeOf(store) as object
  const inherited = methods === Object.prototype ? [] : Object.getOwnPropertyNames(methods)
  return [...Object.keys(store), ...inherited.filter((name) => name !== 'constructor')]
}

/** Wraps an object's functions; values are copied as they are. @param failed called with each error, which is then thrown unless this throws another */
export const watchCalls = <Store extends object>(
  store: Store,
  failed: (thrown: unknown) => void,
): PublicMembers<Store> => {
  const members = store as Readonly<Record<string, unknown>>
  const watched = namesOf(store).map((name) => {
    const work = members[name]
    if (typeof work !== 'function') return [name, work] as const
    const watch: Work = (...input) => {
      try {
        return (work as Work).apply(store, input)
      } catch (thrown) {
        failed(thrown)
        throw thrown
      }
    }
    return [name, watch] as const
  })
  // Safe cast: each wrapper has the type of its function.
  return Object.fromEntries(watched) as PublicMembers<Store>
}

/** Wraps a store so that every call reports file damage. */
export const watchForCorruption = <Store extends object>(store: Store, onCorrupt: () => void): PublicMembers<Store> =>
  watchCalls(store, (thrown) => {
    if (isCorruptionError(thrown)) onCorrupt()
  })

/**
 * Runs `work` in the surrounding transaction if there is one, otherwise in a new one. Doesn't use SQLite's nested
 * transactions (savepoints): they copy every page before changing it, and partial rollback is never needed.
 */
export const runInTransaction = <Value>(database: Database.Database, work: () => Value): Value =>
  database.inTransaction ? work() : database.transaction(work)()
