import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import type { ServedHost } from '../host/host.ts'

/** A question of the window; the answer carries the same id. */
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

/** One window: its questions in any order, its answers as they come, and every event. */
export const serveWindow = (client: WebSocket, host: ServedHost): void => {
  const send = (message: object): void => {
    if (client.readyState === client.OPEN) client.send(JSON.stringify(message))
  }
  const caller = `tab ${randomUUID()}`
  const unsubscribe = host.subscribe((event) => send({ event }))
  client.on('close', () => {
    unsubscribe()
    host.leave(caller)
  })
  client.on('error', () => client.terminate())
  client.on('message', (data: Buffer, isBinary: boolean) => {
    const question = isBinary ? null : parseQuestion(data.toString('utf8'))
    if (question === null) return client.close(1003, 'not a question')
    const { id, name, input, accountId } = question
    void host.call(name, input, { accountId, caller }).then((result) => send({ id, result }))
  })
}
