import { forwardRequest, listenOnLoopback } from '../../../support/loopback-server.ts'

export interface RecordedChange {
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly status: number
}

/** A response of the proxy to a change, or null to forward it. */
export type ResponseOverride = (
  change: Omit<RecordedChange, 'status'>,
) => { readonly status: number; readonly body: unknown } | null

/** A proxy that records every change that it forwards. */
export const startRecordingProxy = async (
  target: string,
  instead: ResponseOverride = () => null,
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
      forwardRequest(incoming, outgoing, target, {
        body,
        onStatus: (status) => {
          if (method !== 'GET') changes.push({ method, path: url, body: sent, status })
        },
      })
    })
  })
  return { baseUrl, changes: () => changes }
}
