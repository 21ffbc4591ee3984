import { performance } from 'node:perf_hooks'
import { logBlockedTurn } from '../../shared/log-blocked-turn.ts'
import { describeQuery, logLine, type Log } from '../../shared/log.ts'
import { onSlowQuery } from './slow-queries.ts'

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
