import type { Handlers, HostCommand } from '../shared/contract.ts'
import { logLine, type Log, type LogLine } from '../shared/log.ts'
import type { PartEnds, RunMode, RunState } from '../shared/run-state.ts'
import type { CrashFiles } from './crash-files.ts'
import type { StartWatch } from './start-watch.ts'

/** For so long all has to be well before a start has come to something. */
const WELL_AFTER_MS = 20_000

/** How a part ended unexpectedly. */
export interface PartEnd {
  readonly reason: LogLine
  readonly isOutOfMemory: boolean
  /** Whether it is there again, or soon will be. */
  readonly isBack: boolean
}

/** This run of Linnet: how it was started, and what of it has ended. */
export interface Run {
  readonly state: () => RunState
  readonly handlers: Handlers<Extract<HostCommand, `run.${string}`>>
  /** Resolves once it is known how to start: at once, but where a person is asked. */
  readonly chosen: Promise<void>
  /** Notes that a part has ended, where everybody can see it: on the screen, in the log and in a crash file. */
  readonly ended: (part: PartEnds['part'], end: PartEnd) => void
  /** Goes on in that way, whatever was before. */
  readonly choose: (mode: Exclude<RunMode, 'asking'>) => Promise<void>
  /** The window has what it shows: the start has come to something where nothing ends within a while. */
  readonly up: () => void
  /** Linnet is closed in order. */
  readonly close: () => void
}

export const openRun = (parts: {
  readonly log: Log
  readonly crashFiles: CrashFiles
  readonly startWatch: StartWatch
  /** Whether a person has asked for a safe start already. */
  readonly isSafeAsked: boolean
  readonly changed: (state: RunState) => void
  /** Another way was chosen while Linnet runs. */
  readonly switched: () => Promise<void>
}): Run => {
  const { log, crashFiles, startWatch } = parts
  let mode: RunMode = parts.isSafeAsked ? 'safe' : startWatch.hasFailed ? 'asking' : 'usual'
  let ends: readonly PartEnds[] = []
  let begin: () => void = () => undefined
  const chosen = new Promise<void>((resolve) => {
    begin = resolve
  })
  if (mode === 'asking') log('warn', logLine`host: the starts before this one failed; how to start is asked`)
  else begin()
  if (startWatch.wasCutOff) {
    const reason = logLine`it did not close: ended by the system, by hand or by a fault of its own`
    log('warn', logLine`host: the run before this one ended: ${reason}`)
    crashFiles.write('app', reason)
  }

  const state = (): RunState => ({ mode, ends })
  const tell = (): void => parts.changed(state())
  const choose = async (next: Exclude<RunMode, 'asking'>): Promise<void> => {
    const wasAsking = mode === 'asking'
    mode = next
    log('info', logLine`host: goes on in the mode ${next}`)
    ends = ends.filter(({ isBack }) => isBack)
    tell()
    if (wasAsking) begin()
    else await parts.switched()
  }

  let timer: NodeJS.Timeout | null = null
  return {
    state,
    chosen,
    choose,
    handlers: {
      'run.state': state,
      'run.choose': async ({ mode: next }) => {
        await choose(next)
        return null
      },
      'run.dismissEnds': () => {
        ends = []
        tell()
        return null
      },
    },
    ended: (part, { reason, isOutOfMemory, isBack }) => {
      log('error', logLine`host: the ${part} ended: ${reason}; ${isBack ? 'started again' : 'left alone'}`)
      crashFiles.write(part, reason)
      if (!isBack) startWatch.fail()
      const before = ends.find((each) => each.part === part)
      const end = { part, count: (before?.count ?? 0) + 1, lastAt: Date.now(), isOutOfMemory, isBack }
      ends = [...ends.filter((each) => each !== before), end]
      tell()
    },
    up: () => {
      timer ??= setTimeout(startWatch.succeed, WELL_AFTER_MS).unref()
    },
    close: () => {
      if (timer !== null) clearTimeout(timer)
      // Whoever closes Linnet at the question has not started it: the next start asks again.
      if (mode === 'asking') startWatch.fail()
      startWatch.close()
    },
  }
}
