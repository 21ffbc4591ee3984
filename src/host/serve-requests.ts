import { z } from 'zod'
import type { AddressedEvent, CallContext } from '../shared/contract.ts'
import type { Result } from '../shared/result.ts'
import { parseJsonAs } from '../shared/parse-json.ts'

const requestSchema = z.object({
  id: z.int(),
  name: z.string().max(128),
  input: z.unknown(),
  accountId: z.string().max(64).nullable().catch(null),
})

export type ServerMessage =
  | { readonly id: number; readonly result: Result<unknown> }
  | { readonly event: AddressedEvent }

/** The host, or the part of it that this client may call. */
export interface RequestTarget {
  readonly call: (name: string, input: unknown, context: CallContext) => Promise<Result<unknown>>
  readonly subscribe: (listener: (event: AddressedEvent) => void) => () => void
  readonly leave: (caller: string) => void
}

/** Serves one client in JSON. `ask` returns false for an invalid request; call `end` when the connection closes. */
export const serveRequests = (
  host: RequestTarget,
  caller: string,
  send: (message: string) => void,
): { readonly ask: (message: string) => boolean; readonly end: () => void } => {
  const sendMessage = (message: ServerMessage): void => send(JSON.stringify(message))
  const unsubscribe = host.subscribe((event) => sendMessage({ event }))
  return {
    ask: (message) => {
      const request = parseJsonAs(requestSchema, message)
      if (request === null) return false
      const { id, name, input, accountId } = request
      void host.call(name, input, { accountId, caller }).then((result) => sendMessage({ id, result }))
      return true
    },
    end: () => {
      unsubscribe()
      host.leave(caller)
    },
  }
}
