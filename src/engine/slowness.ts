import { createTurnWatch, LOOK_MS } from '../shared/blocked-turns.ts'
import { describeQuery, logLine, type Log } from '../shared/log.ts'
import { onSlowQuery } from './store/slow-queries.ts'
import { systemClock } from './timing/clock.ts'

/** Has the log tell what is slow in this thread: queries over 40 ms, and turns that block it for over 100 ms. */
export const noteSlowness = (log: Log): void => {
  onSlowQuery(({ sql, milliseconds, rows }) =>
    log('warn', logLine`query: ${milliseconds} ms, ${rows} rows: ${describeQuery(sql)}`),
  )
  const watch = createTurnWatch('engine', systemClock.elapsed, log)
  const look = (): void => {
    systemClock.after(LOOK_MS, look, { unref: true })
    watch()
  }
  systemClock.after(LOOK_MS, look, { unref: true })
}
