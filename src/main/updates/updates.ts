import type { SettingsStore } from '../../host/settings-file.ts'
import { ProblemError, toProblem } from '../../shared/result.ts'
import { NO_UPDATES_WORDS, type NoUpdates, type UpdateState, type UpdateStep } from '../../shared/updates.ts'

/** What looks for an update, fetches it and puts it in place. */
export interface Updater {
  /** The newest version where it is newer than this one. @throws ProblemError in words for a person */
  readonly look: () => Promise<string | null>
  /** Fetches what was found and checks it. @param progress hears from 0 to 1 */
  readonly download: (progress: (share: number) => void) => Promise<void>
  /** Puts it in place and ends this Linnet, which has closed everything. */
  readonly install: () => void
}

interface UpdatesParts {
  readonly version: string
  readonly unable: NoUpdates | null
  readonly server: string | null
  readonly isWanted: () => boolean
  /** Reads the code of it, which is large: not before a person has agreed. */
  readonly open: () => Promise<Updater>
  readonly settings: SettingsStore
  readonly changed: (state: UpdateState) => void
  /** Closes all that is open, and then has it installed. */
  readonly leave: (install: () => void) => Promise<void>
  readonly log: (thrown: unknown) => void
  /** From 0 to 1, so that not all of them ask at once. */
  readonly random?: () => number
}

/** Nothing is asked while a start is under way. */
const FIRST_MS = 5 * 60_000
const EVERY_MS = 24 * 60 * 60_000
/** Spread over an hour. */
const SPREAD_MS = 60 * 60_000
const CHECKED_AT = 'updatesCheckedAt'

/** Looks for updates where a person has agreed to it, and never before. */
export const createUpdates = (parts: UpdatesParts) => {
  const { version, unable, server, isWanted, settings, random = Math.random } = parts
  let step: UpdateStep = { kind: 'idle' }
  let updater: Promise<Updater> | null = null
  let looking: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null

  const checkedAt = (): number | null => {
    const kept = settings.get(CHECKED_AT)
    return typeof kept === 'number' && kept > 0 && kept <= Date.now() ? kept : null
  }
  const state = (): UpdateState => ({ version, unable, server, checkedAt: checkedAt(), step })
  const go = (next: UpdateStep): void => {
    step = next
    parts.changed(state())
  }

  const look = async (): Promise<void> => {
    try {
      go({ kind: 'checking' })
      updater ??= parts.open()
      const opened = await updater
      const found = await opened.look()
      settings.set({ [CHECKED_AT]: Date.now() })
      if (found === null) {
        go({ kind: 'idle' })
        return
      }
      go({ kind: 'downloading', version: found, progress: 0 })
      await opened.download((progress) => {
        // A window need not hear of less.
        const isNews = step.kind === 'downloading' && progress - step.progress >= 0.01
        if (isNews) go({ kind: 'downloading', version: found, progress })
      })
      go({ kind: 'ready', version: found })
    } catch (thrown) {
      parts.log(thrown)
      go({ kind: 'failed', message: toProblem(thrown).message })
    }
  }

  const stop = (): void => {
    if (timer !== null) clearTimeout(timer)
    timer = null
  }
  const plan = (soonest: number): void => {
    stop()
    if (unable !== null || !isWanted()) return
    const due = (checkedAt() ?? 0) + EVERY_MS + random() * SPREAD_MS - Date.now()
    timer = setTimeout(() => void check().catch(parts.log), Math.max(soonest, due)).unref()
  }

  async function check(): Promise<UpdateState> {
    if (unable !== null) throw new ProblemError({ code: 'refused', message: NO_UPDATES_WORDS[unable] })
    if (!isWanted()) {
      throw new ProblemError({
        code: 'refused',
        message: 'Linnet checks for updates only if you agree.',
      })
    }
    // What is here already need not be fetched again.
    if (step.kind !== 'ready') await (looking ??= look().finally(() => (looking = null)))
    plan(SPREAD_MS)
    return state()
  }

  return {
    state,
    check,
    /** A person has agreed, or not any more; also what a start knows of that. */
    follow: (isStart: boolean): void => {
      if (isWanted() && !isStart) void check().catch(parts.log)
      else plan(FIRST_MS)
    },
    /** @throws ProblemError `refused` where there is nothing to install */
    install: async (): Promise<void> => {
      if (step.kind !== 'ready' || updater === null) {
        throw new ProblemError({ code: 'refused', message: 'There is no update to install.' })
      }
      const opened = await updater
      await parts.leave(opened.install)
    },
    close: stop,
  }
}
