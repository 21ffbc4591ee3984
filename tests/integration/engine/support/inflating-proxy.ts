import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { listenOnLoopback } from '../../../support/loopback-server.ts'

interface ThreadEmail {
  readonly id: string
  readonly subject: string | null
  readonly html: string | null
}

/** A requested page of a thread's e-mails, and the bytes actually sent. */
export interface EmailsPage {
  readonly query: string
  readonly items: number
  readonly bytes: () => number
}

/**
 * A proxy that replaces the bodies of a platform's e-mails with ones of any size.
 * @param bodyOf the HTML of an e-mail, or undefined to keep its own
 * @param sizesAreTold true to send responses with a Content-Length
 */
export const startInflatingProxy = async (
  target: string,
  bodyOf: (email: ThreadEmail) => string | undefined,
  sizesAreTold = true,
): Promise<{ readonly baseUrl: string; readonly pages: () => readonly EmailsPage[] }> => {
  const pages: EmailsPage[] = []
  const baseUrl = await listenOnLoopback((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const { method = 'GET', url = '/' } = incoming
      const headers = {
        authorization: incoming.headers.authorization ?? '',
        'user-agent': 'linnet-tests',
        'content-type': 'application/json',
      }
      const forward = async (): Promise<void> => {
        const body = Buffer.concat(chunks)
        const answer = await fetch(`${target}${url}`, { method, headers, ...(body.length > 0 && { body }) })
        const text = await answer.text()
        const isEmails = answer.ok && /\/threads\/[^/]+\/emails(?:\?|$)/.test(url)
        if (!isEmails) {
          outgoing.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
          return
        }
        const list = JSON.parse(text) as { readonly data: readonly ThreadEmail[] }
        const data = list.data.map((email) => ({ ...email, html: bodyOf(email) ?? email.html }))
        const inflated = Buffer.from(JSON.stringify({ ...list, data }))
        pages.push({
          query: url.split('?')[1] ?? '',
          items: data.length,
          bytes: () => outgoing.socket?.bytesWritten ?? 0,
        })
        outgoing.writeHead(200, {
          'content-type': 'application/json',
          connection: 'close',
          ...(sizesAreTold && { 'content-length': inflated.length }),
        })
        const pieces = Array.from({ length: Math.ceil(inflated.length / 65_536) }, (_, at) =>
          inflated.subarray(at * 65_536, (at + 1) * 65_536),
        )
        await pipeline(Readable.from(pieces), outgoing)
      }
      forward().catch(() => outgoing.destroy())
    })
  })
  return { baseUrl, pages: () => pages }
}
