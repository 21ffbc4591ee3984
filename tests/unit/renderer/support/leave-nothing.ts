import { afterAll } from 'vitest'

/**
 * Vitest's setup for the tests of the window. The files of a worker have one jsdom: when a file is over, it has no address and
 * nothing on its page any more, and the windows that the file opened follow it no longer. They would answer the steps of the next
 * file's windows, and what they left would be found there.
 */
if ('document' in globalThis) {
  const { addEventListener } = globalThis
  const following: Parameters<typeof addEventListener>[] = []
  globalThis.addEventListener = (...asked: Parameters<typeof addEventListener>): void => {
    addEventListener(...asked)
    if (asked[0] === 'hashchange') following.push(asked)
  }
  afterAll(() => {
    for (const [type, listener] of following) globalThis.removeEventListener(type, listener)
    globalThis.addEventListener = addEventListener
    history.replaceState(null, '', '/')
    document.body.replaceChildren()
  })
}
