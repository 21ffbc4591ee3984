import type { OpenDraft } from '../../../shared/preferences.ts'
import type { PreferencesManager } from '../../kernel/preferences-manager.svelte.ts'

/** Milliseconds that a page which is loaded anew may wait for itself to be gone. */
const SOON_MS = 1_000

/** Keeps over a restart which composers of an account are open: in the preferences. */
export class KeptOpenDrafts {
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
   * Resolves when this window is the one that keeps them, until `ending`: of several windows that is one at a time.
   * @returns whether it opens them again: one that has waited for another window's end does not
   */
  claim(ending: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const asked = performance.now()
      const hold = (): Promise<void> => {
        resolve(performance.now() - asked < SOON_MS)
        return new Promise((release) => {
          ending.addEventListener('abort', () => release(), { once: true })
        })
      }
      // It rejects where the account is left before it was this window's turn.
      navigator.locks.request(`open drafts of ${this.#account}`, { signal: ending }, hold).catch(() => undefined)
    })
  }
}
