import { logLine, type Log } from '../shared/log.ts'

/** Milliseconds. Even on a slow disk, everything closes within this time. */
const KILL_TIMEOUT_MS = 30_000

/**
 * Kills a process that hangs while closing, as it would block the next start without showing a window. Nothing is lost:
 * changes and mail are on disk before they are shown, as crash tests verify. Returns a function that cancels the kill.
 */
export const killIfStuck = (
  log: Log,
  kill = (): void => {
    process.kill(process.pid, 'SIGKILL')
  },
): (() => void) => {
  const timer = setTimeout(() => {
    log('error', logLine`host: did not close within ${KILL_TIMEOUT_MS} ms; exiting`)
    kill()
  }, KILL_TIMEOUT_MS).unref()
  return () => clearTimeout(timer)
}
