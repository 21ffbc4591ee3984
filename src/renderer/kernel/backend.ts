import type { CommandInput, CommandName, CommandOutput, EventName, Events, Transport } from '../../shared/contract.ts'
import { toProblem, type Result } from '../../shared/result.ts'

/** Whether the host can be reached. `refused`: it answers, but not to this address. Electron's host is always `open`. */
export type ConnectionState = 'connecting' | 'open' | 'lost' | 'refused'

/** A transport over a line that can break. */
export interface ConnectedTransport extends Transport {
  /** Tells the state now, and again whenever it changes; `movedTo` is the port of a host that was restarted. */
  readonly watchConnection: (listener: (state: ConnectionState, movedTo: string | null) => void) => void
}

/** The one door of the screens: every command and every event of the contract, typed. */
export interface Backend {
  /** Never throws: what goes wrong is the result's `error`. */
  readonly call: <Name extends CommandName>(
    name: Name,
    input: CommandInput<Name>,
  ) => Promise<Result<CommandOutput<Name>>>
  /** The handler is told as well which account an event is about; null for one that is about none, or about all. */
  readonly on: <Name extends EventName>(
    name: Name,
    handler: (payload: Events[Name], accountId: string | null) => void,
  ) => void
  /** The same door, whose event handlers end with the signal: for what lives as long as an account is open. */
  readonly until: (signal: AbortSignal) => Backend
  /** The same door for one account: its calls are about that account's mail, and other accounts' events do not come through. */
  readonly of: (accountId: string) => Backend
}

interface Listener {
  /** Null for whoever listens to all accounts. */
  readonly accountId: string | null
  readonly handler: (payload: never, accountId: string | null) => void
}

export const createBackend = (transport: Transport): Backend => {
  const listeners = new Map<EventName, readonly Listener[]>()
  transport.subscribe((event) => {
    for (const { accountId, handler } of listeners.get(event.name) ?? []) {
      const isMeant = accountId === null || event.accountId === null || accountId === event.accountId
      if (isMeant) handler(event.payload as never, event.accountId)
    }
  })
  const openDoor = (accountId: string | null, ending: AbortSignal | null): Backend => ({
    call: async <Name extends CommandName>(name: Name, input: CommandInput<Name>) => {
      try {
        // The host validated the input and built the answer by the same table that types this function.
        return (await transport.call(name, input, accountId)) as Result<CommandOutput<Name>>
      } catch (thrown) {
        return { ok: false, error: toProblem(thrown) }
      }
    },
    on: (name, handler) => {
      const listener = { accountId, handler }
      listeners.set(name, [...(listeners.get(name) ?? []), listener])
      ending?.addEventListener('abort', () => {
        listeners.set(
          name,
          (listeners.get(name) ?? []).filter((each) => each !== listener),
        )
      })
    },
    until: (signal) => openDoor(accountId, signal),
    of: (id) => openDoor(id, ending),
  })
  return openDoor(null, null)
}
