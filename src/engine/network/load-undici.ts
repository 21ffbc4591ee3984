import type * as Undici from 'undici'
import { systemClock } from '../timing/clock.ts'

let loading: Promise<typeof Undici> | null = null
let release: () => void = () => undefined
let held: Promise<void> = Promise.resolve()

/**
 * Has the first request wait until `releaseNetwork`, or for so long: the HTTP client is as large as all the rest of the engine,
 * and what a start shows first is here.
 * @param atMost milliseconds
 */
export const holdNetwork = (atMost: number): void => {
  held = new Promise((resolve) => {
    release = resolve
    systemClock.after(atMost, resolve, { unref: true })
  })
}

/** There is nothing to wait for any more, or nothing that could be shown without the network. */
export const releaseNetwork = (): void => release()

/**
 * Undici stays on its seventh line: the eighth needs Node 22.19, which not every Electron that Linnet is tried in brings.
 * @throws where the installation is damaged
 */
export const loadUndici = (): Promise<typeof Undici> => {
  loading ??= held.then(() => import('undici'))
  return loading
}
