import { afterAll } from 'vitest'

/**
 * Vitest setup for the renderer's tests. The files of a worker share one jsdom, so each file resets the address and the
 * page and drops its windows' hashchange listeners. Otherwise they would react to the next file's navigation.
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
