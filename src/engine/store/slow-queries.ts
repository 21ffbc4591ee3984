import { channel } from 'node:diagnostics_channel'
import type Database from 'better-sqlite3'

/** Longer than this, a query keeps a person waiting and the engine from its other work. */
const SLOW_MS = 40

/** A query that took over 40 ms. `rows`: how many it gave, or changed. */
export interface SlowQuery {
  readonly sql: string
  readonly milliseconds: number
  readonly rows: number
}

/** Where slow queries are told, for whoever listens: the engine's thread does, and puts them in the log. */
const slowQueries = channel('linnet:slow-query')

/** @returns the function that ends the listening */
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

/** Times every statement that is prepared from here on. Costs two looks at the clock each time one is run. */
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
