import type { ServerResponse } from 'node:http'
import { SECURITY_HEADERS } from '../host/content-security-policy.ts'
import { RESTARTED } from './signpost.ts'

export type Refusal = readonly [status: number, words: string]

/** For browsers: no page opens the desktop's window, where Chromium would start a second process for this header. */
export const HEADERS = { ...SECURITY_HEADERS, 'cross-origin-opener-policy': 'same-origin' }

export const NOT_ADMITTED: Refusal = [401, `${RESTARTED} Linnet lets a browser in only after it opened a window there.`]

export const refuse = (response: ServerResponse, [status, words]: Refusal): void => {
  response.writeHead(status, {
    ...HEADERS,
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
  })
  response.end(`${words}\n`)
}
