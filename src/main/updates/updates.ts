import type { SettingsStore } from '../../host/settings-file.ts'
import { toProblem, createProblem } from '../../shared/result.ts'
import { NO_UPDATE_MESSAGES, type NoUpdateReason, type UpdateState, type UpdateStep } from '../../shared/updates.ts'

export interface Updater {
  /** The newest version if it is newer than this one. @throws ProblemError with a message for the user */
  readonly look: () => Promise<string | null>
  /** Downloads and verifies the update. @param progress called with 0 to 1 */
  readonly download: (progress: (share: number) => void) => Promise<void>
  /** Installs the update and quits. Everything is already closed. */
  readonly install: () => void
}

interface UpdatesParts {
  readonly version: string
  readonly unable: NoUpdateReason | null
  readonly server: string | null
  readonly isWanted: () => boolean
  /** Loads the updater's code, which is large, so only once the user has agreed. */
  readonly open: () => Promise<Updater>
  readonly settings: SettingsStore
  readonly changed: (state: UpdateState) => void
  /** Closes everything, then installs. */
  readonly leave: (install: () => void) => Promise<void>
  readonly log: (thrown: unknown) => void
  /** From 0 to 1, to spread the checks of many computers. */
  readonly random?: () => number
}

/** Delay before the first check, to keep the start free of requests. */
const FIRST_MS = 5 * 60_000
const CHECK_INTERVAL_MS = 24 * 60 * 60_000
const SPREAD_MS = 60 * 60_000
const CHECKED_AT = 'updatesCheckedAt'

/** Checks for updates, only with the user's consent. */
export const createUpdateChecker = (parts: UpdatesParts) => {
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
        // Report only steps of 1 % or more.
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
    const due = (checkedAt() ?? 0) + CHECK_INTERVAL_MS + random() * SPREAD_MS - Date.now()
    timer = setTimeout(() => void check().catch(parts.log), Math.max(soonest, due)).unref()
  }

  async function check(): Promise<UpdateState> {
    if (unable !== null) throw createProblem('refused', NO_UPDATE_MESSAGES[unable])
    if (!isWanted()) {
      throw createProblem('refused', 'Update checks are off. Turn on “Check for new versions” in Settings.')
    }
    // A downloaded update isn't fetched again.
    if (step.kind !== 'ready') await (looking ??= look().finally(() => (looking = null)))
    plan(SPREAD_MS)
    return state()
  }

  return {
    state,
    check,
    /** Call at start, and when the user's consent changes. */
    follow: (isStart: boolean): void => {
      if (isWanted() && !isStart) void check().catch(parts.log)
      else plan(FIRST_MS)
    },
    /** @throws ProblemError `refused` if there is nothing to install */
    install: async (): Promise<void> => {
      if (step.kind !== 'ready' || updater === null) {
        throw createProblem('refused', 'There is no update to install.')
      }
      const opened = await updater
      await parts.leave(opened.install)
    },
    close: stop,
  }
}
