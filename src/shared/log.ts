import { ProblemError } from './result.ts'

/**
 * People other than the mail's owner read the log, so it must not contain mail: lines consist of text from the source
 * code and values of closed types. Plain `string` values (an address, subject, path, key, response) don't compile.
 */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const
/** `error`: a bug in Linnet. `warn`: slow or incomplete. `info`: ordinary events. `debug`: everything else. */
export type LogLevel = (typeof LOG_LEVELS)[number]

declare const brand: unique symbol
/** A line, or part of one. Only this module can create it. */
export type LogLine = string & { readonly [brand]: true }

export type Log = (level: LogLevel, line: LogLine) => void

// eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/consistent-type-definitions -- an interface would not fit a record with any key
type Nothing = {}

/** `never` for string types with arbitrary content, either entirely (`string`) or in part (`label:${string}`). */
type Known<Value> = Value extends LogLine
  ? Value
  : Value extends string
    ? Nothing extends Record<Value, true>
      ? never
      : Value
    : Value

/** Creates a line for the log: `` log('warn', logLine`inbox ${number} of ${total}: ${problem.code}`) ``. */
export const logLine = <const Values extends readonly (string | number | boolean | null)[]>(
  words: TemplateStringsArray,
  ...values: { readonly [Index in keyof Values]: Known<Values[Index]> }
): LogLine => words.reduce((line, word, index) => `${line}${String(values[index - 1])}${word}`) as LogLine

/** A short name defined in code, such as an error's class or code: letters, digits and underscores only. */
const asName = (value: unknown): LogLine | null =>
  typeof value === 'string' && /^[A-Za-z]\w{0,49}$/.test(value) ? (value as LogLine) : null

const MAX_FRAMES = 4
const MAX_CAUSES = 3

/** Files and lines of a stack. Omits folders, and the message above the stack, which may contain anything. */
const framesOf = ({ stack = '', message }: Error): LogLine => {
  const start = stack.indexOf(message)
  const frames = start === -1 ? '' : stack.slice(start + message.length)
  const places = [...frames.matchAll(/\n\s+at [^\n]*?([\w.-]{1,60}\.[cm]?[jt]s:\d+:\d+)\)?(?=\n|$)/g)]
  return places
    .slice(0, MAX_FRAMES)
    .map(([, place]) => ` at ${String(place)}`)
    .join('') as LogLine
}

/** Describes a failure for the log by its class, code, source locations and causes. Never includes its message. */
export const describeThrown = (thrown: unknown, causes = MAX_CAUSES): LogLine => {
  if (!(thrown instanceof Error)) return logLine`a thrown ${typeof thrown}`
  const name = asName(thrown.name) ?? logLine`Error`
  const code = asName(thrown instanceof ProblemError ? thrown.problem.code : 'code' in thrown ? thrown.code : null)
  const cause =
    thrown.cause === undefined || causes === 0 ? logLine`` : logLine`, from ${describeThrown(thrown.cause, causes - 1)}`
  return logLine`${name}${code === null ? logLine`` : logLine` ${code}`}${framesOf(thrown)}${cause}`
}

/** The SQL of a query without literals: values are usually bound, but not always. */
export const describeQuery = (sql: string): LogLine =>
  sql
    .replaceAll(/--[^\n]*/g, ' ')
    .replaceAll(/'(?:[^']|'')*'?/g, '?')
    .replaceAll(/\b\d[\w.]*/g, '?')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 200) as LogLine

/** Milliseconds after which a turn counts as blocked: longer turns visibly delay the response to a click. */
const BLOCKED_MS = 100

export const logBlockedTurn = (thread: 'engine' | 'host', milliseconds: number, log: Log): void => {
  if (milliseconds > BLOCKED_MS) log('warn', logLine`${thread}: blocked for ${Math.round(milliseconds)} ms`)
}
