import type { Handlers, HostCommand } from '../shared/contract.ts'
import { logLine, type Log, type LogLine } from '../shared/log.ts'
import type { PartCrashes, RunMode, RunState } from '../shared/run-state.ts'
import type { CrashFiles } from './crash-files.ts'
import type { StartupRecorder } from './startup-recorder.ts'

/** Everything must run this long before a start counts as successful. */
const SUCCESS_AFTER_MS = 20_000

export interface PartCrash {
  readonly reason: LogLine
  readonly isOutOfMemory: boolean
  /** True if the part was restarted, or is about to be. */
  readonly isRestarted: boolean
}

interface RunParts {
  readonly log: Log
  readonly crashFiles: CrashFiles
  readonly startWatch: StartupRecorder
  readonly isSafeAsked: boolean
  readonly changed: (state: RunState) => void
  readonly switched: () => Promise<void>
}

export class RunStateTracker {
  readonly #parts: RunParts
  readonly #modeChosen = Promise.withResolvers<undefined>()
  /** Resolves once the mode is known: at once, unless the user is asked. */
  readonly chosen: Promise<void> = this.#modeChosen.promise
  #mode: RunMode
  #crashes: readonly PartCrashes[] = []
  #timer: NodeJS.Timeout | null = null

  constructor(parts: RunParts) {
    this.#parts = parts
    const { log, crashFiles, startWatch } = parts
    this.#mode = parts.isSafeAsked ? 'safe' : startWatch.hasFailed ? 'asking' : 'usual'
    if (this.#mode === 'asking') log('warn', logLine`host: earlier starts failed; asking how to start`)
    else this.#modeChosen.resolve(undefined)
    if (!startWatch.wasCutOff) return
    const reason = logLine`not closed: ended by the system or the user, or crashed`
    log('warn', logLine`host: the previous run ended: ${reason}`)
    crashFiles.write('app', reason)
  }

  state(): RunState {
    return { mode: this.#mode, crashes: this.#crashes }
  }

  handlers(): Handlers<Extract<HostCommand, `run.${string}`>> {
    return {
      'run.state': () => this.state(),
      'run.choose': ({ mode }) => this.choose(mode),
      'run.dismissEnds': () => {
        this.#crashes = []
        this.#notify()
      },
    }
  }

  async choose(mode: Exclude<RunMode, 'asking'>): Promise<void> {
    const wasAsking = this.#mode === 'asking'
    this.#mode = mode
    this.#parts.log('info', logLine`host: continues in ${mode} mode`)
    this.#crashes = this.#crashes.filter(({ isRestarted }) => isRestarted)
    this.#notify()
    if (wasAsking) this.#modeChosen.resolve(undefined)
    else await this.#parts.switched()
  }

  /** Reports a crashed part on the screen, in the log and in a crash file. */
  recordCrash(part: PartCrashes['part'], { reason, isOutOfMemory, isRestarted }: PartCrash): void {
    const { log, crashFiles, startWatch } = this.#parts
    log('error', logLine`host: the ${part} ended: ${reason}; ${isRestarted ? 'restarted' : 'not restarted'}`)
    crashFiles.write(part, reason)
    if (!isRestarted) startWatch.fail()
    const before = this.#crashes.find((each) => each.part === part)
    const end = { part, count: (before?.count ?? 0) + 1, lastAt: Date.now(), isOutOfMemory, isRestarted }
    this.#crashes = [...this.#crashes.filter((each) => each !== before), end]
    this.#notify()
  }

  /** Call once the window has its content. The start is successful unless a part crashes soon after. */
  up(): void {
    this.#timer ??= setTimeout(() => this.#parts.startWatch.succeed(), SUCCESS_AFTER_MS).unref()
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    // Quitting at this question means Linnet hasn't started. The next start asks again.
    if (this.#mode === 'asking') this.#parts.startWatch.fail()
    this.#parts.startWatch.close()
  }

  #notify(): void {
    this.#parts.changed(this.state())
  }
}
