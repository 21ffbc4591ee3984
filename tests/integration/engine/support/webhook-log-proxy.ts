import type { ServerResponse } from 'node:http'
import { forwardRequest, listenOnLoopback } from '../../../support/loopback-server.ts'
import type { TestPlatform } from './test-platform.ts'

interface Row {
  readonly id: string
  readonly type: string
}

/**
 * Faults of a webhook's log. `repeats`: every page is the first one. `loses`: a third of the events never appear.
 * `reorders`: pages are sorted by ID. `forgets`: the log has lost the events that were read before. `odd types`: new
 * event types among the others. `empty payloads`: payloads without data. `held payloads`: no response. Numbers are HTTP
 * statuses.
 */
export const LOG_FAULTS = [
  ...(['repeats', 'loses', 'reorders', 'forgets', 'odd types', 'empty payloads', 'held payloads', 'html'] as const),
  ...([403, 404, 429, 500] as const),
] as const
export type LogFault = (typeof LOG_FAULTS)[number]

export interface WebhookLogProxy {
  readonly baseUrl: string
  readonly fault: (next: LogFault | null) => void
  /** Requests for webhooks and their logs, such as `GET /webhooks`. */
  readonly requests: () => readonly string[]
}

const LISTED = /^\/webhooks\/[^/]+\/events$/
const DETAIL = /^\/webhooks\/[^/]+\/events\/[^/]+$/

const isLost = ({ id }: Row): boolean => (id.codePointAt(id.length - 1) ?? 0) % 3 === 0
const ODD_TYPES = ['inbox.moon.landed', 'email.moon', 'moon.landed']
/** Half of the events have a type of the future. */
const toOdd = (row: Row): Row => {
  const code = row.id.codePointAt(row.id.length - 1) ?? 0
  return code % 2 === 0 ? row : { ...row, type: ODD_TYPES[code % 3] ?? row.type }
}

/** Serves the platform under another address, with faults in the logs of webhooks. */
export const startWebhookLogProxy = async (platform: Pick<TestPlatform, 'baseUrl'>): Promise<WebhookLogProxy> => {
  const requests: string[] = []
  const seen = new Set<string>()
  let forgotten: ReadonlySet<string> = new Set()
  let current: LogFault | null = null

  const changePage = (rows: readonly Row[]): readonly Row[] => {
    for (const { id } of rows) seen.add(id)
    const kept = rows.filter(({ id }) => !forgotten.has(id))
    if (current === 'loses') return kept.filter((row) => !isLost(row))
    if (current === 'reorders') return kept.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    return current === 'odd types' ? kept.map(toOdd) : kept
  }
  const answer = async (url: string, authorization: string, outgoing: ServerResponse): Promise<void> => {
    if (typeof current === 'number') {
      outgoing.writeHead(current, { 'content-type': 'application/json' })
      outgoing.end(JSON.stringify({ statusCode: current, message: 'Not now.', name: 'error' }))
      return
    }
    if (current === 'html') {
      outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>')
      return
    }
    const { pathname } = new URL(url, platform.baseUrl)
    if (current === 'held payloads' && DETAIL.test(pathname)) return
    const asked = current === 'repeats' ? url.replace(/[?&]after=[^&]*/, '') : url
    const response = await fetch(`${platform.baseUrl}${asked.replace(/events&/, 'events?')}`, {
      headers: { authorization, 'user-agent': 'linnet-tests' },
    })
    const body = (await response.json()) as { data?: readonly Row[]; payload?: object }
    if (LISTED.test(pathname) && body.data !== undefined) body.data = changePage(body.data)
    if (current === 'repeats' && LISTED.test(pathname)) Object.assign(body, { has_more: true })
    if (current === 'empty payloads' && DETAIL.test(pathname)) body.payload = { type: 'inbox.moon.landed' }
    outgoing.writeHead(response.status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  const baseUrl = await listenOnLoopback((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming
    const path = url.split('?')[0] ?? ''
    if (path.startsWith('/webhooks')) requests.push(`${method} ${path}`)
    if (method === 'GET' && (LISTED.test(path) || DETAIL.test(path)))
      answer(url, headers.authorization ?? '', outgoing).catch(() => outgoing.destroy())
    else forwardRequest(incoming, outgoing, platform.baseUrl, {})
  })
  return {
    baseUrl,
    fault: (next) => {
      if (next === 'forgets') forgotten = new Set(seen)
      current = next
    },
    requests: () => requests,
  }
}
