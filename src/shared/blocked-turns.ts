import { logLine, type Log } from './log.ts'

/** A longer turn visibly delays the answer to a click. Milliseconds. */
const BLOCKED_MS = 100

export const noteTurn = (thread: 'engine' | 'host', milliseconds: number, log: Log): void => {
  if (milliseconds > BLOCKED_MS) log('warn', logLine`${thread}: blocked for ${Math.round(milliseconds)} ms`)
}
