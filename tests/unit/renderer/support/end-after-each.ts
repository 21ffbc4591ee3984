import { afterEach } from 'vitest'

/** A signal per test, aborted when the test has ended. */
export const endAfterEach = (): { readonly signal: AbortSignal } => {
  let ending = new AbortController()
  afterEach(() => {
    ending.abort()
    ending = new AbortController()
  })
  return {
    get signal() {
      return ending.signal
    },
  }
}
