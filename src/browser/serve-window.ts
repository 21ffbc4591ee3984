import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'
import type { ServedHost } from '../host/host.ts'
import { serveQuestions } from '../host/serve-questions.ts'

/** Serves one window, over the WebSocket that it has opened. */
export const serveWindow = (client: WebSocket, host: ServedHost): void => {
  const { ask, end } = serveQuestions(host, `tab ${randomUUID()}`, (message) => {
    if (client.readyState === client.OPEN) client.send(message)
  })
  client.on('close', end)
  client.on('error', () => client.terminate())
  client.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary || !ask(data.toString('utf8'))) client.close(1003, 'not a question')
  })
}
