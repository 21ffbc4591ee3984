import type { CommandInput, CommandName, CommandOutput, EventName, Events, Transport } from '../../shared/contract.ts'
import { toProblem, type Result } from '../../shared/result.ts'

/** `refused`: the host responds, but not to this address. Electron's host is always `open`. */
export type ConnectionState = 'connecting' | 'open' | 'lost' | 'refused'

/** Transport over a connection that can break. */
export interface ConnectedTransport extends Transport {
  /** Reports the state now and on every change; `movedTo` is the port of a restarted host. */
  readonly watchConnection: (listener: (state: ConnectionState, movedTo: string | null) => void) => void
}

export interface Backend {
  /** Never throws: errors are in the result. */
  readonly call: <Name extends CommandName>(
    name: Name,
    input: CommandInput<Name>,
  ) => Promise<Result<CommandOutput<Name>>>
  /**
   * Calls the handler on each event, with the event's account ID; null if the event concerns no account, or all.
   * @returns removes the handler
   */
  readonly on: <Name extends EventName>(
    name: Name,
    handler: (payload: Events[Name], accountId: string | null) => void,
  ) => () => void
  /** A copy whose event handlers are removed when the signal aborts; used for the lifetime of an account. */
  readonly until: (signal: AbortSignal) => Backend
  /** A copy for one account: calls apply to it, and other accounts' events are filtered out. */
  readonly of: (accountId: string) => Backend
}

interface Listener {
  /** Null to listen to all accounts. */
  readonly accountId: string | null
  readonly handler: (payload: never, accountId: string | null) => void
}

export const createBackend = (transport: Transport): Backend => {
  const listeners = new Map<EventName, Set<Listener>>()
  transport.subscribe((event) => {
    for (const { accountId, handler } of [...(listeners.get(event.name) ?? [])]) {
      const isMeant = accountId === null || event.accountId === null || accountId === event.accountId
      if (isMeant) handler(event.payload as never, event.accountId)
    }
  })
  const createScope = (accountId: string | null, ending: AbortSignal | null): Backend => ({
    call: async <Name extends CommandName>(name: Name, input: CommandInput<Name>) => {
      try {
        // The host validates input and builds output from the same table that `CommandOutput` is derived from, so the
        // cast is safe.
        return (await transport.call(name, input, accountId)) as Result<CommandOutput<Name>>
      } catch (thrown) {
        return { ok: false, error: toProblem(thrown) }
      }
    },
    on: (name, handler) => {
      const listener = { accountId, handler }
      const all = listeners.get(name) ?? new Set()
      listeners.set(name, all.add(listener))
      const remove = (): void => void all.delete(listener)
      ending?.addEventListener('abort', remove)
      return remove
    },
    until: (signal) => createScope(accountId, signal),
    of: (id) => createScope(id, ending),
  })
  return createScope(null, null)
}
