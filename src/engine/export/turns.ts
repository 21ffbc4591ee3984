import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds of a turn of the engine's thread that an export takes: a third of a frame. */
const TURN_MS = 5

/** Bytes that are worked on between two looks at the clock. */
export const AT_ONCE = 256 * 1024

/** @returns what gives way to everything else where this turn has taken long enough */
export const createBreathing = (): (() => Promise<void>) => {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < TURN_MS) return
    await nextTurn()
    since = performance.now()
  }
}

/** Some bytes after the other. */
export const slicesOf = function* (bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += AT_ONCE) yield bytes.subarray(at, at + AT_ONCE)
}
