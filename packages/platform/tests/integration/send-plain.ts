import { request } from 'node:http'

/** Uses `node:http`, because `fetch` normalises what it sends. */
export const sendPlain = (
  baseUrl: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port: new URL(baseUrl).port,
        method,
        path,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        timeout: 10_000,
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        answer.on('end', () => {
          resolve({ status: answer.statusCode ?? 0, text })
        })
      },
    )
    outgoing.on('timeout', () => outgoing.destroy(new Error(`${method} ${path} hangs`)))
    outgoing.on('error', reject)
    outgoing.end(body)
  })
