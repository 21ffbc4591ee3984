import type { Host } from '../host/start-host.ts'
import type { AddressedEvent } from '../shared/contract.ts'
import { isFirstCommand } from '../shared/first-answers.ts'

/** The host as windows have it. */
export type ServedHost = Pick<Host, 'call' | 'subscribe' | 'leave' | 'preferences'>

/** A host for a window that opens before the host exists: questions wait for it, in their order. */
export interface LateHost extends Pick<Host, 'call' | 'subscribe' | 'leave'> {
  /** Null until it is there. */
  readonly now: () => ServedHost | null
  /** It is there. */
  readonly arrive: (host: ServedHost) => void
}

/** @param needed is told once that what a window shows waits for the host */
export const createLateHost = (needed: () => void): LateHost => {
  const waiting = Promise.withResolvers<ServedHost>()
  const listeners = new Set<(event: AddressedEvent) => void>()
  let host: ServedHost | null = null
  return {
    now: () => host,
    arrive: (arrived) => {
      host = arrived
      arrived.subscribe((event) => listeners.forEach((listener) => listener(event)))
      waiting.resolve(arrived)
    },
    call: async (name, input, asking) => {
      if (host === null && isFirstCommand(name)) needed()
      return (await waiting.promise).call(name, input, asking)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    // Before that, there is nothing that it has asked for.
    leave: (caller) => host?.leave(caller),
  }
}
