import { z } from 'zod'
import type { AddressedEvent, Asking } from '../shared/contract.ts'
import type { Result } from '../shared/result.ts'

/** A question of a window or of a command; the answer carries the same id. */
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

/** What goes back over a line: the answer of a question, or something that has happened. */
export type Told = { readonly id: number; readonly result: Result<unknown> } | { readonly event: AddressedEvent }

/** What answers: the host, or as much of it as this side may ask. */
export interface Answering {
  readonly call: (name: string, input: unknown, asking: Asking) => Promise<Result<unknown>>
  readonly subscribe: (listener: (event: AddressedEvent) => void) => () => void
  readonly leave: (caller: string) => void
}

/**
 * One other side of the host: its questions in any order, its answers as they come, and every event, each as JSON.
 * @param caller by which its calls are known (`Asking`)
 * @returns `ask` takes a message, and says whether it is a question; `end` is for when the line is gone
 */
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
