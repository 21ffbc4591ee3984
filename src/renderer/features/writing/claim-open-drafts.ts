/** Milliseconds a reloading page may wait for its predecessor to close. */
const RELOAD_GRACE_MS = 1_000

/**
 * Waits until this window is the one that stores the account's open composers. It stays so until `ending`; only one
 * window can be at a time.
 * @param account its ID, or "all"
 * @returns true if the window should reopen the composers; false if it had to wait for another window to close
 */
export const claimOpenDrafts = (account: string, ending: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = performance.now()
    const holdLock = (): Promise<void> => {
      resolve(performance.now() - asked < RELOAD_GRACE_MS)
      return new Promise((release) => {
        ending.addEventListener('abort', () => release(), { once: true })
      })
    }
    // Rejects if the user leaves the account before this window's turn.
    navigator.locks.request(`open drafts of ${account}`, { signal: ending }, holdLock).catch(() => undefined)
  })
