import { logLine, type Log } from '../shared/log.ts'

/** Milliseconds in which everything closes even on a slow disk. */
const LONGEST = 30_000

/**
 * Kills a process that hangs while closing: without a window it would keep the next one from starting. Nothing is
 * lost: changes and mail are on the disk once shown, as crash tests check. Returns what cancels this.
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
