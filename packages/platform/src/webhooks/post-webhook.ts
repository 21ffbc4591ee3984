import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { BlockList, isIP } from 'node:net'
import type { SignatureHeaders } from './webhook-types.ts'

export interface WebhookResponse {
  /** 0 without a response. */
  readonly status: number
  /** The start of the response's body, or the reason for its absence. */
  readonly text: string
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** True for a URL on this machine. Other names aren't looked up, so they never count. */
export function isLoopbackUrl(url: URL): boolean {
  const host = url.hostname.replaceAll(/[[\]]/g, '')
  if (isIP(host) === 0) return host === 'localhost' || host.endsWith('.localhost')
  return loopback.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6')
}

/** Resolves `localhost` without the hosts file, which could name another machine. */
const lookUpLoopback: LookupFunction = (_host, options, callback) => {
  const addresses = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]
  if (options.all === true) callback(null, addresses)
  else callback(null, '127.0.0.1', 4)
}

/** Characters of a response to keep. */
const keptResponse = 2000

/**
 * Sends one delivery. Redirects aren't followed, so a loopback endpoint can't lead to another machine.
 * @param signal aborts without a result: the promise rejects
 */
export async function postWebhook(
  url: URL,
  headers: SignatureHeaders,
  body: string,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<WebhookResponse> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    return await post(url, headers, body, AbortSignal.any([timeout, signal]))
  } catch (error) {
    if (signal.aborted) throw error
    const reason = timeout.aborted ? `no response within ${timeoutMs / 1000} s` : describe(error)
    return { status: 0, text: reason }
  }
}

function post(url: URL, headers: SignatureHeaders, body: string, signal: AbortSignal): Promise<WebhookResponse> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method: 'POST',
        signal,
        // A kept connection would keep the endpoint's server from closing.
        agent: false,
        ...(isLoopbackUrl(url) ? { lookup: lookUpLoopback } : {}),
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'linnet-service webhooks',
          'svix-id': headers.id,
          'svix-timestamp': headers.timestamp,
          'svix-signature': headers.signature,
        },
      },
      (incoming) => {
        let text = ''
        incoming.setEncoding('utf8')
        incoming.on('data', (chunk: string) => {
          if (text.length < keptResponse) text += chunk.slice(0, keptResponse - text.length)
        })
        incoming.on('error', reject)
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text }))
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message
}
