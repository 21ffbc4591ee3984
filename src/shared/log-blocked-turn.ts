import { logLine, type Log } from './log.ts'

/** Milliseconds after which a turn counts as blocked: longer turns visibly delay the response to a click. */
const BLOCKED_MS = 100

export const logBlockedTurn = (thread: 'engine' | 'host', milliseconds: number, log: Log): void => {
  if (milliseconds > BLOCKED_MS) log('warn', logLine`${thread}: blocked for ${Math.round(milliseconds)} ms`)
}
