import { z } from 'zod'
import type { AddressedEvent, Asking } from '../shared/contract.ts'
import type { Result } from '../shared/result.ts'

const questionSchema = z.object({
  id: z.int(),
  name: z.string().max(128),
  input: z.unknown(),
  accountId: z.string().max(64).nullable().catch(null),
})

const parseQuestion = (text: string): z.infer<typeof questionSchema> | null => {
  try {
    return questionSchema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

export type Told = { readonly id: number; readonly result: Result<unknown> } | { readonly event: AddressedEvent }

/** The host, or the part of it that this client may call. */
export interface Answering {
  readonly call: (name: string, input: unknown, asking: Asking) => Promise<Result<unknown>>
  readonly subscribe: (listener: (event: AddressedEvent) => void) => () => void
  readonly leave: (caller: string) => void
}

/** Serves one client in JSON. `ask` returns false for an invalid request; call `end` when the connection closes. */
export const serveQuestions = (
  host: Answering,
  caller: string,
  send: (message: string) => void,
): { readonly ask: (message: string) => boolean; readonly end: () => void } => {
  const tell = (told: Told): void => send(JSON.stringify(told))
  const unsubscribe = host.subscribe((event) => tell({ event }))
  return {
    ask: (message) => {
      const question = parseQuestion(message)
      if (question === null) return false
      const { id, name, input, accountId } = question
      void host.call(name, input, { accountId, caller }).then((result) => tell({ id, result }))
      return true
    },
    end: () => {
      unsubscribe()
      host.leave(caller)
    },
  }
}
