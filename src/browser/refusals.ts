import type { ServerResponse } from 'node:http'
import { SECURITY_HEADERS } from '../host/content-security-policy.ts'
import { RESTARTED } from './port-redirect.ts'

export type Refusal = readonly [status: number, words: string]

/**
 * Browser host only: web pages can't open the desktop window, and COOP would make Chromium start another process there.
 */
export const HEADERS = { ...SECURITY_HEADERS, 'cross-origin-opener-policy': 'same-origin' }

export const NOT_ADMITTED: Refusal = [
  401,
  `${RESTARTED} A browser can connect only after Linnet has opened a window in it.`,
]

export const refuse = (response: ServerResponse, [status, words]: Refusal): void => {
  response.writeHead(status, {
    ...HEADERS,
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
  })
  response.end(`${words}\n`)
}
