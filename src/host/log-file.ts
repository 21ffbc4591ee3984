/** The log of both hosts: small private files. Lines are written at once, so those before a crash are kept. */
import { appendFileSync, chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LOG_LEVELS, type Log, type LogLevel, describeThrown, logLine } from '../shared/log.ts'
import { redact } from './redact.ts'

const MAX_FILE_BYTES = 1_000_000
/** Files kept besides `linnet.log`. `linnet.1.log` is the newest of them. */
const OLDER_FILES = 3

export interface LogFile {
  /** Writes a line if the level includes it. Never throws: without a writable log, the line is dropped. */
  readonly log: Log
  readonly level: () => LogLevel
  /** Sets and stores the level. If storing fails, it applies until exit. */
  readonly setLevel: (level: LogLevel) => void
  /** The last lines, oldest first, including those of earlier starts. */
  readonly lastLines: (count: number) => readonly string[]
}

interface LogOptions {
  readonly dataDirectory: string
  /** `LINNET_LOG`: a level for this start only. Ignored if invalid. */
  readonly givenLevel: string | undefined
  /** Prints to a terminal: errors always, warnings if a level was given for this start. */
  readonly echo: (line: string) => void
  readonly maxFileBytes?: number
}

const isLevel = (value: unknown): value is LogLevel => LOG_LEVELS.some((level) => level === value)

/** Returns null on a file system error, because a broken log must not stop Linnet. */
const attempt = <Value>(work: () => Value): Value | null => {
  try {
    return work()
  } catch {
    return null
  }
}

/** Opens the log in `<data folder>/logs`, or works without a file if that fails. */
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
      // The folder may have been deleted. If that isn't the cause, the next line tries again.
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

/** Opens this process's log, which also gets the engine's lines. `LINNET_LOG` sets the level for this start. */
export const openLog = (dataDirectory: string): LogFile => {
  const file = openLogFile({
    dataDirectory,
    givenLevel: process.env.LINNET_LOG,
    echo: (line) => void process.stderr.write(`linnet: ${line}\n`),
  })
  process.on('uncaughtExceptionMonitor', (thrown) =>
    file.log('error', logLine`host: ended by ${describeThrown(thrown)}`),
  )
  return file
}
