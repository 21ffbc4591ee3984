import type { Events } from '../../shared/contract.ts'

export type EventListeners = { readonly [Name in keyof Events]?: (payload: Events[Name]) => void }

export interface EngineService {
  /** Called with each event, after the windows have received it. */
  readonly listeners?: EventListeners
  start?(): void
  /** Resolves once the account's abort signal has stopped the service. */
  ended?(): Promise<void>
}

export const notifyService = <Name extends keyof Events>(
  { listeners }: EngineService,
  { name, payload }: { readonly name: Name; readonly payload: Events[Name] },
): void => listeners?.[name]?.(payload)
