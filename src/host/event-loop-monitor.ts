import { type Log, logBlockedTurn } from '../shared/log.ts'

const CHECK_INTERVAL_MS = 50

/**
 * Logs turns that block the thread, watching only during calls so that an idle thread can sleep. Uses a timer, because
 * Electron's main thread reports no idle time.
 */
export const createEventLoopMonitor = (log: Log): (<Answer>(call: () => Promise<Answer>) => Promise<Answer>) => {
  let inFlight = 0
  let isLooking = false
  const lookSoon = (): void => {
    isLooking = true
    const since = performance.now()
    setTimeout(() => {
      logBlockedTurn('host', performance.now() - since - CHECK_INTERVAL_MS, log)
      isLooking = false
      if (inFlight > 0) lookSoon()
    }, CHECK_INTERVAL_MS).unref()
  }
  return (call) => {
    inFlight += 1
    if (!isLooking) lookSoon()
    return call().finally(() => (inFlight -= 1))
  }
}
