import type { OpenDraft } from '../../../shared/preferences.ts'
import type { PreferencesManager } from '../../kernel/preferences-manager.svelte.ts'

/** Where it is kept over a restart which composers are open. */
export interface KeptOpenDrafts {
  readonly read: () => readonly OpenDraft[]
  readonly write: (open: readonly OpenDraft[]) => void
  /**
   * Resolves when this window is the one that keeps them, until `ending`: of several windows that is one at a time.
   * @returns whether it opens them again: one that has waited for another window's end does not
   */
  readonly claim: (ending: AbortSignal) => Promise<boolean>
}

/** Milliseconds that a page which is loaded anew may wait for itself to be gone. */
const SOON_MS = 1_000

/** The preferences keep which composers of an account are open. @param account its ID, or "all" */
export const keptOpenDrafts = (preferences: PreferencesManager, account: string): KeptOpenDrafts => ({
  read: () => preferences.values.openDrafts[account] ?? [],
  write: (open) => {
    const { [account]: _before, ...others } = preferences.values.openDrafts
    void preferences.choose({ openDrafts: open.length === 0 ? others : { ...others, [account]: open } })
  },
  claim: (ending) =>
    new Promise((resolve) => {
      const asked = performance.now()
      const hold = (): Promise<void> => {
        resolve(performance.now() - asked < SOON_MS)
        return new Promise((release) => {
          ending.addEventListener('abort', () => release(), { once: true })
        })
      }
      // It rejects where the account is left before it was this window's turn.
      navigator.locks.request(`open drafts of ${account}`, { signal: ending }, hold).catch(() => undefined)
    }),
})
