/** Small texts beside the log. A memory image would hold mail and the key, for whoever is sent it to find a fault. */
import { lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { release, type } from 'node:os'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import type { LogLine } from '../shared/log.ts'
import type { RunPart } from '../shared/run-state.ts'
import type { LogFile } from './log-file.ts'
import { redact } from './redact.ts'

/** Files that are kept: the newest ones. */
const MOST_FILES = 20
const MOST_BYTES = 32_768
const LINES = 40

/** A name of ours: the time, and what ended. Whatever else is in the folder is none of our business. */
const NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-(?:window|engine|app)\.txt$/

/** The crash files in `<data folder>/crashes`, which is made when there is something to keep. */
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

  /** Keeps what is known of an end, now. Never throws: on a full disk the log and the window still tell. */
  write(part: RunPart, reason: LogLine): void {
    try {
      this.#write(part, reason)
    } catch {
      // The screen and the log report it as well.
    }
  }

  /** The names of those that are kept, oldest first; none where the folder cannot be read. */
  names(): readonly string[] {
    try {
      return readdirSync(this.#directory)
        .filter((name) => NAME.test(name) && lstatSync(join(this.#directory, name)).isFile())
        .sort()
    } catch {
      return []
    }
  }

  #write(part: RunPart, reason: LogLine): void {
    const at = this.#now().toISOString()
    const versions: Readonly<Partial<Record<string, string>>> = process.versions
    const text = [
      `Linnet ${manifest.version}: the ${part} ended unexpectedly.`,
      `When: ${at}`,
      `Why: ${reason}`,
      `System: ${type()} ${release()}, ${process.arch}`,
      `Versions: Node ${versions.node ?? 'unknown'}, Electron ${versions.electron ?? 'none'}, Chromium ${versions.chrome ?? 'none'}`,
      `Up: ${Math.round(process.uptime())} s`,
      'The log before it:',
      ...this.#logFile.lastLines(LINES).map((line) => `  ${redact(line, [this.#dataDirectory])}`),
      '',
    ].join('\n')
    const inFolder = (name: string): string => join(this.#directory, name)
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
    const file = inFolder(`${at.replace(/[:.]/g, '-')}-${part}.txt`)
    rmSync(file, { force: true })
    writeFileSync(file, Buffer.from(text).subarray(0, MOST_BYTES), { mode: 0o600, flag: 'wx' })
    for (const old of this.names().slice(0, -MOST_FILES)) rmSync(inFolder(old), { force: true })
  }
}
