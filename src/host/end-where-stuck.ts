import { logLine, type Log } from '../shared/log.ts'

/** Milliseconds in which everything is closed, on a slow disk as well. */
const LONGEST = 30_000

/**
 * Ends this program, at once and whatever it is at, where it has not ended by itself in time: one that hangs for ever has no
 * window any more, and keeps the next one from starting. Unsent changes and mail are on the disk as soon as they are
 * shown, as the tests with sudden ends say.
 * @returns for what may take its time from here on
 */
export const endWhereStuck = (
  log: Log,
  kill = (): void => {
    process.kill(process.pid, 'SIGKILL')
  },
): (() => void) => {
  const timer = setTimeout(() => {
    log('error', logLine`host: not closed within ${LONGEST} ms; ended`)
    kill()
  }, LONGEST).unref()
  return () => clearTimeout(timer)
}
