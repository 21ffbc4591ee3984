import { letThrough, listenOnLoopback } from '../../../support/door.ts'

/** A change as it went to the platform, with what the platform answered. */
export interface RecordedChange {
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly status: number
}

/** An answer that the door itself gives to a change, instead of letting it through. */
export type Instead = (
  change: Omit<RecordedChange, 'status'>,
) => { readonly status: number; readonly body: unknown } | null

/** A platform behind a door that writes down every change which was let through. */
export const startRecordingProxy = async (
  target: string,
  instead: Instead = () => null,
): Promise<{ readonly baseUrl: string; readonly changes: () => readonly RecordedChange[] }> => {
  const changes: RecordedChange[] = []
  const baseUrl = await listenOnLoopback((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks)
      const { method = 'GET', url = '/' } = incoming
      const isJson = incoming.headers['content-type'] === 'application/json' && method !== 'GET' && body.length > 0
      const sent: unknown = isJson ? JSON.parse(body.toString()) : body.length === 0 ? null : body.toString()
      const refusal = method === 'GET' ? null : instead({ method, path: url, body: sent })
      if (refusal !== null) {
        outgoing.writeHead(refusal.status, { 'content-type': 'application/json' })
        outgoing.end(JSON.stringify(refusal.body))
        return
      }
      letThrough(incoming, outgoing, target, {
        body,
        onStatus: (status) => {
          if (method !== 'GET') changes.push({ method, path: url, body: sent, status })
        },
      })
    })
  })
  return { baseUrl, changes: () => changes }
}
