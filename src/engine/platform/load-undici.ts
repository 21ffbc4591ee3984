import type * as Undici from 'undici'
import { systemClock } from '../timing/clock.ts'

let loading: Promise<typeof Undici> | null = null
let release: () => void = () => undefined
let held: Promise<void> = Promise.resolve()

/** Delays the first request, at most this many ms: undici is as large as the engine, and startup needs no network. */
export const delayNetwork = (atMost: number): void => {
  held = new Promise((resolve) => {
    release = resolve
    systemClock.after(atMost, resolve, { unref: true })
  })
}

/** Call once nothing more can be shown without the network. */
export const allowNetwork = (): void => release()

/** Undici stays at 7: 8 needs Node 22.19, which not every tested Electron has. @throws if the install is damaged */
export const loadUndici = (): Promise<typeof Undici> => {
  loading ??= held.then(() => import('undici'))
  return loading
}
