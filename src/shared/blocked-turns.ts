import { logLine, type Log } from './log.ts'

/** Milliseconds between two looks at the clock. Node's own `monitorEventLoopDelay` forgets the turn that it is reset in. */
export const LOOK_MS = 50
/** Longer than this, a turn delays the answer to a person's click so that it is seen. */
const BLOCKED_MS = 100

/**
 * Notes each turn that blocked its thread for over 100 ms, by how late the look after it came.
 * @param clock milliseconds that never go back
 * @returns the look, to be taken every 50 ms
 */
export const createTurnWatch = (thread: 'engine' | 'host', clock: () => number, log: Log): (() => void) => {
  let last = clock()
  return () => {
    const now = clock()
    const late = Math.round(now - last) - LOOK_MS
    last = now
    if (late > BLOCKED_MS) log('warn', logLine`${thread}: a turn blocked the thread for at least ${late} ms`)
  }
}
