import type { OpenDraft } from '../../../shared/preferences.ts'
import type { PreferencesManager } from '../../kernel/preferences-manager.svelte.ts'

/** Milliseconds a reloading page may wait for its predecessor to close. */
const RELOAD_GRACE_MS = 1_000

/** Stores an account's open composers in the preferences, across restarts. */
export class OpenDraftStore {
  readonly #preferences: PreferencesManager
  readonly #account: string

  /** @param account its ID, or "all" */
  constructor(preferences: PreferencesManager, account: string) {
    this.#preferences = preferences
    this.#account = account
  }

  read(): readonly OpenDraft[] {
    return this.#preferences.values.openDrafts[this.#account] ?? []
  }

  write(open: readonly OpenDraft[]): void {
    const { [this.#account]: _before, ...others } = this.#preferences.values.openDrafts
    const openDrafts = open.length === 0 ? others : { ...others, [this.#account]: open }
    void this.#preferences.choose({ openDrafts })
  }

  /**
   * Resolves when this window becomes the one that stores them, until `ending`; one window at a time.
   * @returns true if it should reopen them; false after waiting for another window to close
   */
  claim(ending: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const asked = performance.now()
      const holdLock = (): Promise<void> => {
        resolve(performance.now() - asked < RELOAD_GRACE_MS)
        return new Promise((release) => {
          ending.addEventListener('abort', () => release(), { once: true })
        })
      }
      // Rejects if the user leaves the account before this window's turn.
      navigator.locks.request(`open drafts of ${this.#account}`, { signal: ending }, holdLock).catch(() => undefined)
    })
  }
}
