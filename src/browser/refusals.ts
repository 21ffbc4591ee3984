import type { ServerResponse } from 'node:http'
import { SECURITY_HEADERS } from '../host/content-security-policy.ts'
import { RESTARTED_MESSAGE } from './port-redirect.ts'

export type Refusal = readonly [status: number, words: string]

/**
 * Browser host only: web pages can't open the desktop window, and COOP would make Chromium start another process there.
 */
export const BROWSER_SECURITY_HEADERS = { ...SECURITY_HEADERS, 'cross-origin-opener-policy': 'same-origin' }

export const UNAUTHORIZED_REFUSAL: Refusal = [
  401,
  `${RESTARTED_MESSAGE} A browser can connect only after Linnet has opened a window in it.`,
]

export const sendRefusal = (response: ServerResponse, [status, words]: Refusal): void => {
  response.writeHead(status, {
    ...BROWSER_SECURITY_HEADERS,
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
  })
  response.end(`${words}\n`)
}
