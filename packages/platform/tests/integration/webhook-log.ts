import { type RequestListener, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type ServiceUnderTest, startTestService } from './service-under-test.ts'
import type { List, Plain } from './wire-shapes.ts'
import type { Settings } from '../../src/settings.ts'

export interface EventItem {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly next_attempt_at: string | null
  readonly created_at: string
}

export interface Attempt {
  readonly id: string
  readonly http_status_code: number
  readonly response: string
  readonly sent_at: string
}

export const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000]

/** An endpoint on loopback that gives each answer once, then the last one. @returns its URL and the requests */
export const startEndpoint = async (
  ...answers: readonly (RequestListener | number)[]
): Promise<{ readonly url: string; readonly requests: readonly Readonly<Record<string, unknown>>[] }> => {
  const requests: Readonly<Record<string, unknown>>[] = []
  const server = createServer((incoming, outgoing) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)] ?? 200
    requests.push(incoming.headers)
    if (typeof answer === 'function') answer(incoming, outgoing)
    else outgoing.writeHead(answer).end(`Status ${answer}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, requests }
}

/** The clock stands still, so that times in the log are exact; `advance` moves it. */
export const start = async (settings: Partial<Settings> = {}): Promise<ServiceUnderTest> => {
  const service = await startTestService({ ...settings, service: { now: () => 1_800_000_000_000 } })
  onTestFinished(() => service.close())
  return service
}

export const create = (service: ServiceUnderTest, endpoint: string, events: readonly string[] = ['topic.created']) =>
  service.ask<Plain & { readonly signing_secret: string }>('POST', '/webhooks', { endpoint, events })

/** Causes one `topic.created` event, and waits for its delivery. */
export const happen = async (service: ServiceUnderTest, name = 'News'): Promise<void> => {
  await service.ask('POST', '/topics', { name, default_subscription: 'opt_in' })
  await service.settled()
}

export const eventsOf = async (service: ServiceUnderTest, id: string, query = ''): Promise<readonly EventItem[]> =>
  (await service.get<List<EventItem>>(`/webhooks/${id}/events${query}`)).data
export const attemptsOf = async (service: ServiceUnderTest, id: string, event: string): Promise<readonly Attempt[]> =>
  (await service.get<List<Attempt>>(`/webhooks/${id}/events/${event}/attempts`)).data
