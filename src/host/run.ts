import type { Handlers, HostCommand } from '../shared/contract.ts'
import { logLine, type Log, type LogLine } from '../shared/log.ts'
import type { PartEnds, RunMode, RunState } from '../shared/run-state.ts'
import type { CrashFiles } from './crash-files.ts'
import type { StartWatch } from './start-watch.ts'

/** For so long all has to be well before a start has come to something. */
const WELL_AFTER_MS = 20_000

export interface PartEnd {
  readonly reason: LogLine
  readonly isOutOfMemory: boolean
  /** Restarted, or about to be. */
  readonly isBack: boolean
}

interface RunParts {
  readonly log: Log
  readonly crashFiles: CrashFiles
  readonly startWatch: StartWatch
  readonly isSafeAsked: boolean
  readonly changed: (state: RunState) => void
  /** Another way was chosen while Linnet runs. */
  readonly switched: () => Promise<void>
}

/** This run of Linnet: how it was started, and what of it has ended. */
export class Run {
  readonly #parts: RunParts
  readonly #begun = Promise.withResolvers<undefined>()
  /** Resolves once it is known how to start: at once, but where a person is asked. */
  readonly chosen: Promise<void> = this.#begun.promise
  #mode: RunMode
  #ends: readonly PartEnds[] = []
  #timer: NodeJS.Timeout | null = null

  constructor(parts: RunParts) {
    this.#parts = parts
    const { log, crashFiles, startWatch } = parts
    this.#mode = parts.isSafeAsked ? 'safe' : startWatch.hasFailed ? 'asking' : 'usual'
    if (this.#mode === 'asking') log('warn', logLine`host: the starts before this one failed; how to start is asked`)
    else this.#begun.resolve(undefined)
    if (!startWatch.wasCutOff) return
    const reason = logLine`it did not close: ended by the system, by hand or by a fault of its own`
    log('warn', logLine`host: the run before this one ended: ${reason}`)
    crashFiles.write('app', reason)
  }

  state(): RunState {
    return { mode: this.#mode, ends: this.#ends }
  }

  handlers(): Handlers<Extract<HostCommand, `run.${string}`>> {
    return {
      'run.state': () => this.state(),
      'run.choose': ({ mode }) => this.choose(mode),
      'run.dismissEnds': () => {
        this.#ends = []
        this.#tell()
      },
    }
  }

  /** Goes on in that way, whatever was before. */
  async choose(mode: Exclude<RunMode, 'asking'>): Promise<void> {
    const wasAsking = this.#mode === 'asking'
    this.#mode = mode
    this.#parts.log('info', logLine`host: goes on in the mode ${mode}`)
    this.#ends = this.#ends.filter(({ isBack }) => isBack)
    this.#tell()
    if (wasAsking) this.#begun.resolve(undefined)
    else await this.#parts.switched()
  }

  /** Notes that a part has ended, where everybody can see it: on the screen, in the log and in a crash file. */
  ended(part: PartEnds['part'], { reason, isOutOfMemory, isBack }: PartEnd): void {
    const { log, crashFiles, startWatch } = this.#parts
    log('error', logLine`host: the ${part} ended: ${reason}; ${isBack ? 'started again' : 'left alone'}`)
    crashFiles.write(part, reason)
    if (!isBack) startWatch.fail()
    const before = this.#ends.find((each) => each.part === part)
    const end = { part, count: (before?.count ?? 0) + 1, lastAt: Date.now(), isOutOfMemory, isBack }
    this.#ends = [...this.#ends.filter((each) => each !== before), end]
    this.#tell()
  }

  /** The window has what it shows: the start has come to something where nothing ends within a while. */
  up(): void {
    this.#timer ??= setTimeout(() => this.#parts.startWatch.succeed(), WELL_AFTER_MS).unref()
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    // Closed at the question, Linnet has not started: the next start asks again.
    if (this.#mode === 'asking') this.#parts.startWatch.fail()
    this.#parts.startWatch.close()
  }

  #tell(): void {
    this.#parts.changed(this.state())
  }
}
