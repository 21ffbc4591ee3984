import { performance } from 'node:perf_hooks'
import { logBlockedTurn } from '../shared/log-blocked-turn.ts'
import { describeQuery, logLine, type Log } from '../shared/log.ts'
import { onSlowQuery } from './store/slow-queries.ts'

/** CPU time of this thread in milliseconds: everything except waiting for events. */
const busyTime = (): number => performance.now() - performance.nodeTiming.idleTime

/** Logs slow queries of this thread (over 40 ms), and turns that block it for over 100 ms. */
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
