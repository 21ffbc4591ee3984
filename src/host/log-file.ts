/** Both hosts' log: small private files. Lines are written at once: those before a crash are what a log is for. */
import { appendFileSync, chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LOG_LEVELS, type Log, type LogLevel } from '../shared/log.ts'
import { redact } from './redact.ts'

const MAX_FILE_BYTES = 1_000_000
/** `linnet.log`, and those before it: `linnet.1.log` is the newest of them. */
const OLDER_FILES = 3

export interface LogFile {
  /** Writes a line where the level asks for it. Never throws: a log that cannot be written is gone without. */
  readonly log: Log
  readonly level: () => LogLevel
  /** Keeps the level for this start and the next ones. A level that cannot be kept lasts as long as this start. */
  readonly setLevel: (level: LogLevel) => void
  /** The last lines that were written, oldest first, this start's and those before it. */
  readonly lastLines: (count: number) => readonly string[]
}

interface LogOptions {
  readonly dataDirectory: string
  /** `LINNET_LOG`: a level for this start alone; what is none is passed over. */
  readonly givenLevel: string | undefined
  /** For a terminal: every error, and warnings where a level was given for this start. */
  readonly echo: (line: string) => void
  readonly maxFileBytes?: number
}

const isLevel = (value: unknown): value is LogLevel => LOG_LEVELS.some((level) => level === value)

/** File system errors must not stop anything: null. */
const attempt = <Value>(work: () => Value): Value | null => {
  try {
    return work()
  } catch {
    return null
  }
}

/** Opens the log below `<data folder>/logs`, or goes without where that cannot be. */
export const openLogFile = (options: LogOptions): LogFile => {
  const { dataDirectory, givenLevel, echo, maxFileBytes = MAX_FILE_BYTES } = options
  const directory = join(dataDirectory, 'logs')
  const fileOf = (age: number): string => join(directory, age === 0 ? 'linnet.log' : `linnet.${age}.log`)
  const levelFile = join(directory, 'level')

  const prepare = (): void => {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    attempt(() => chmodSync(fileOf(0), 0o600))
  }
  attempt(prepare)
  let size = attempt(() => statSync(fileOf(0)).size) ?? 0
  const keptLevel = attempt(() => readFileSync(levelFile, 'utf8').trim())
  let level: LogLevel = isLevel(givenLevel) ? givenLevel : isLevel(keptLevel) ? keptLevel : 'info'

  const rotate = (): void => {
    for (let age = OLDER_FILES; age > 0; age -= 1) attempt(() => renameSync(fileOf(age - 1), fileOf(age)))
    size = 0
  }
  const append = (line: string): void => {
    const bytes = Buffer.byteLength(line)
    if (size > 0 && size + bytes > maxFileBytes) rotate()
    appendFileSync(fileOf(0), line, { mode: 0o600 })
    size += bytes
  }
  const write = (line: string): void => {
    try {
      append(line)
    } catch {
      // Someone may have cleared the folder away; where that is not it, the next line tries again.
      attempt(() => {
        prepare()
        size = 0
        append(line)
      })
    }
  }
  const linesOf = (age: number): readonly string[] =>
    (attempt(() => (statSync(fileOf(age)).isFile() ? readFileSync(fileOf(age), 'utf8') : '')) ?? '')
      .split('\n')
      .filter((line) => line !== '')

  return {
    log: (lineLevel, text) => {
      if (LOG_LEVELS.indexOf(lineLevel) > LOG_LEVELS.indexOf(level)) return
      const line = redact(text, [dataDirectory])
      write(`${new Date().toISOString()} ${lineLevel.padEnd(5)} ${line}\n`)
      if (lineLevel === 'error' || (lineLevel === 'warn' && isLevel(givenLevel))) echo(line)
    },
    level: () => level,
    setLevel: (next) => {
      level = next
      attempt(() => {
        prepare()
        writeFileSync(levelFile, `${next}\n`, { mode: 0o600 })
      })
    },
    lastLines: (count) => {
      const newest = linesOf(0)
      return (newest.length < count ? [...linesOf(1), ...newest] : newest).slice(-count)
    },
  }
}
