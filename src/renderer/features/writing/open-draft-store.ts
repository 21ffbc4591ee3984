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
   * Waits until this window is the one that stores the account's open composers. It stays so until `ending`; only one
   * window can be at a time.
   * @returns true if the window should reopen the composers; false if it had to wait for another window to close
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
