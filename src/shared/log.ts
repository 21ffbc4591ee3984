import { ProblemError } from './result.ts'

/**
 * What may be written to the log. A log is read by people who are not the mail's owner, so nothing of the mail goes in:
 * a line is made of words that stand in the source and of values whose type says which values they can have. A text
 * whose type is plain `string` (an address, a subject, a path, a key, what a platform answered) does not compile.
 */
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const
/** `error`: Linnet is at fault. `warn`: something was slow or went without. `info`: what happened. `debug`: all else. */
export type LogLevel = (typeof LOG_LEVELS)[number]

declare const made: unique symbol
/** A line, or a part of one, that was made here. */
export type LogLine = string & { readonly [made]: true }

export type Log = (level: LogLevel, line: LogLine) => void

// eslint-disable-next-line @typescript-eslint/no-empty-object-type, @typescript-eslint/consistent-type-definitions -- an interface would not fit a record with any key
type Nothing = {}

/** `never` for a string that can hold anything, be it all of it (`string`) or the rest of it (`label:${string}`). */
type Known<Value> = Value extends LogLine
  ? Value
  : Value extends string
    ? Nothing extends Record<Value, true>
      ? never
      : Value
    : Value

/** Makes a line: `` log('warn', logLine`inbox ${number} of ${total}: ${problem.code}`) ``. */
export const logLine = <const Values extends readonly (string | number | boolean | null)[]>(
  words: TemplateStringsArray,
  ...values: { readonly [Index in keyof Values]: Known<Values[Index]> }
): LogLine => words.reduce((line, word, index) => `${line}${String(values[index - 1])}${word}`) as LogLine

/** A name that a program gave, an error's class or code: letters, digits and underscores, and nothing long. */
const asName = (value: unknown): LogLine | null =>
  typeof value === 'string' && /^[A-Za-z]\w{0,49}$/.test(value) ? (value as LogLine) : null

const MAX_PLACES = 4
const MAX_CAUSES = 3

/** The files and lines of a stack: without folders, and without the message before them, which may say anything. */
const placesOf = ({ stack = '', message }: Error): LogLine => {
  const start = stack.indexOf(message)
  const frames = start === -1 ? '' : stack.slice(start + message.length)
  const places = [...frames.matchAll(/\n\s+at [^\n]*?([\w.-]{1,60}\.[cm]?[jt]s:\d+:\d+)\)?(?=\n|$)/g)]
  return places
    .slice(0, MAX_PLACES)
    .map(([, place]) => ` at ${String(place)}`)
    .join('') as LogLine
}

/** Names a failure for the log: its class, its code, the places in the source and its causes. Never its message. */
export const describeThrown = (thrown: unknown, causes = MAX_CAUSES): LogLine => {
  if (!(thrown instanceof Error)) return logLine`a thrown ${typeof thrown}`
  const name = asName(thrown.name) ?? logLine`Error`
  const code = asName(thrown instanceof ProblemError ? thrown.problem.code : 'code' in thrown ? thrown.code : null)
  const cause =
    thrown.cause === undefined || causes === 0 ? logLine`` : logLine`, from ${describeThrown(thrown.cause, causes - 1)}`
  return logLine`${name}${code === null ? logLine`` : logLine` ${code}`}${placesOf(thrown)}${cause}`
}

/** The words of a query without the values that may stand in it: they are bound, but not all of them always are. */
export const describeQuery = (sql: string): LogLine =>
  sql
    .replaceAll(/--[^\n]*/g, ' ')
    .replaceAll(/'(?:[^']|'')*'?/g, '?')
    .replaceAll(/\b\d[\w.]*/g, '?')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 200) as LogLine
