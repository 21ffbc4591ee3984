import { createTurnWatch, LOOK_MS } from '../shared/blocked-turns.ts'
import { describeQuery, logLine, type Log } from '../shared/log.ts'
import { onSlowQuery } from './store/slow-queries.ts'

/** Has the log tell what is slow in this thread: queries over 40 ms, and turns that block it for over 100 ms. */
export const noteSlowness = (log: Log): void => {
  onSlowQuery(({ sql, milliseconds, rows }) =>
    log('warn', logLine`query: ${milliseconds} ms, ${rows} rows: ${describeQuery(sql)}`),
  )
  setInterval(
    createTurnWatch('engine', () => performance.now(), log),
    LOOK_MS,
  ).unref()
}
