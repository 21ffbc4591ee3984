import type { CommandInput, CommandName, CommandOutput, EventName, Events, Transport } from '../../shared/contract.ts'
import { toProblem, type Result } from '../../shared/result.ts'

/** Whether the host can be reached. `refused`: it answers, but not to this address. Electron's host is always `open`. */
export type ConnectionState = 'connecting' | 'open' | 'lost' | 'refused'

/** A transport over a line that can break. */
export interface ConnectedTransport extends Transport {
  /** Tells the state now, and again whenever it changes. */
  readonly watchConnection: (listener: (state: ConnectionState) => void) => void
}

/** The one door of the screens: every command and every event of the contract, typed. */
export interface Backend {
  /** Never throws: what goes wrong is the result's `error`. */
  readonly call: <Name extends CommandName>(
    name: Name,
    input: CommandInput<Name>,
  ) => Promise<Result<CommandOutput<Name>>>
  readonly on: <Name extends EventName>(name: Name, handler: (payload: Events[Name]) => void) => void
  /** The same door, whose event handlers end with the signal: for what lives as long as an account is open. */
  readonly until: (signal: AbortSignal) => Backend
}

export const createBackend = (transport: Transport): Backend => {
  const handlers = new Map<EventName, readonly ((payload: never) => void)[]>()
  transport.subscribe((event) => {
    for (const handler of handlers.get(event.name) ?? []) handler(event.payload as never)
  })
  const call: Backend['call'] = async <Name extends CommandName>(name: Name, input: CommandInput<Name>) => {
    try {
      // The host validated the input and built the answer by the same table that types this function.
      return (await transport.call(name, input)) as Result<CommandOutput<Name>>
    } catch (thrown) {
      return { ok: false, error: toProblem(thrown) }
    }
  }
  const openDoor = (ending: AbortSignal | null): Backend => ({
    call,
    on: (name, handler) => {
      handlers.set(name, [...(handlers.get(name) ?? []), handler])
      ending?.addEventListener('abort', () => {
        handlers.set(
          name,
          (handlers.get(name) ?? []).filter((each) => each !== handler),
        )
      })
    },
    until: openDoor,
  })
  return openDoor(null)
}
