/** Crash reports are small text files. A memory dump would expose mail and the key to anyone it is sent to. */
import { lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { release, type } from 'node:os'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import type { LogLine } from '../shared/log.ts'
import type { CrashablePart } from '../shared/run-state.ts'
import type { LogFile } from './log-file.ts'
import { redact } from './redact.ts'

const MAX_FILES = 20
const MAX_BYTES = 32_768
const MAX_LOG_LINES = 40

/** Our file names: time and part. Other files in the folder are ignored. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-(?:window|engine|app)\.txt$/

/** The crash files in `<data folder>/crashes`, a folder created when first needed. */
export class CrashFiles {
  readonly #dataDirectory: string
  readonly #directory: string
  readonly #logFile: Pick<LogFile, 'lastLines'>
  readonly #now: () => Date

  constructor(dataDirectory: string, logFile: Pick<LogFile, 'lastLines'>, now: () => Date = () => new Date()) {
    this.#dataDirectory = dataDirectory
    this.#directory = join(dataDirectory, 'crashes')
    this.#logFile = logFile
    this.#now = now
  }

  /** Writes a crash file at once. Never throws: on a full disk, the log and the window still report the crash. */
  write(part: CrashablePart, reason: LogLine): void {
    try {
      this.#write(part, reason)
    } catch {
      // The screen and the log report it as well.
    }
  }

  /** Names of the files, oldest first. Empty if the folder can't be read. */
  names(): readonly string[] {
    try {
      return readdirSync(this.#directory)
        .filter((name) => NAME.test(name) && lstatSync(join(this.#directory, name)).isFile())
        .sort()
    } catch {
      return []
    }
  }

  #write(part: CrashablePart, reason: LogLine): void {
    const at = this.#now().toISOString()
    const versions: Readonly<Partial<Record<string, string>>> = process.versions
    const text = [
      `Linnet ${manifest.version}: the ${part} ended unexpectedly.`,
      `When: ${at}`,
      `Why: ${reason}`,
      `System: ${type()} ${release()}, ${process.arch}`,
      `Versions: Node ${versions.node ?? 'unknown'}, Electron ${versions.electron ?? 'none'}, Chromium ${versions.chrome ?? 'none'}`,
      `Up: ${Math.round(process.uptime())} s`,
      'Log before the crash:',
      ...this.#logFile.lastLines(MAX_LOG_LINES).map((line) => `  ${redact(line, [this.#dataDirectory])}`),
      '',
    ].join('\n')
    const inFolder = (name: string): string => join(this.#directory, name)
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
    const file = inFolder(`${at.replace(/[:.]/g, '-')}-${part}.txt`)
    rmSync(file, { force: true })
    writeFileSync(file, Buffer.from(text).subarray(0, MAX_BYTES), { mode: 0o600, flag: 'wx' })
    for (const old of this.names().slice(0, -MAX_FILES)) rmSync(inFolder(old), { force: true })
  }
}
