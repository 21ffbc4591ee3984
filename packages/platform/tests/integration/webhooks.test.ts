import { mkdtempSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Resend } from 'resend'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type ServiceUnderTest, startTestService } from './service-under-test.ts'
import type { List, Plain } from './wire-shapes.ts'
import { Database } from '../../src/storage/database.ts'
import {
  type EventItem,
  attemptsOf,
  create,
  day,
  eventsOf,
  happen,
  hour,
  minute,
  second,
  start,
  startEndpoint,
} from './webhook-log.ts'

describe('the webhooks of an account', () => {
  let service: ServiceUnderTest
  beforeEach(async () => {
    service = await startTestService()
  })
  afterEach(() => service.close())

  test.each([
    [{ events: ['email.sent'] }, 'missing_required_field', 'Missing `endpoint` field.'],
    [{ endpoint: 'http://127.0.0.1/' }, 'missing_required_field', 'Missing `events` field.'],
    [{ endpoint: 'ftp://127.0.0.1/', events: ['email.sent'] }, 'validation_error', 'http or https URL'],
    [{ endpoint: 'nowhere', events: ['email.sent'] }, 'validation_error', 'http or https URL'],
    [{ endpoint: 'http://127.0.0.1/', events: [] }, 'validation_error', 'at least one event type'],
    [{ endpoint: 'http://127.0.0.1/', events: ['email.lost'] }, 'validation_error', 'Invalid `events.0` field.'],
  ])('rejects %j', async (body, name, message) => {
    const answer = await service.ask('POST', '/webhooks', body)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ name, message: expect.stringContaining(message) as string })
    expect((await service.get<List<Plain>>('/webhooks')).data).toEqual([])
  })

  test('show their secret alone, but not in the list', async () => {
    const { status, body } = await create(service, 'https://example.com/hook', ['email.sent', 'inbox.created'])
    expect([status, body]).toEqual([
      201,
      { object: 'webhook', id: body.id, signing_secret: expect.stringMatching(/^whsec_[\w+/]{32}$/) as string },
    ])
    const item = { id: body.id, endpoint: 'https://example.com/hook', status: 'enabled' }
    const { data } = await service.get<List<object>>('/webhooks')
    expect(data).toEqual([
      { ...item, events: ['email.sent', 'inbox.created'], created_at: expect.stringContaining('+00') as string },
    ])
    expect(await service.get(`/webhooks/${body.id}`)).toEqual({
      object: 'webhook',
      ...data[0],
      signing_secret: body.signing_secret,
    })
  })

  test('can be changed and deleted with their log', async () => {
    const { id } = (await create(service, 'https://example.com/hook')).body
    const path = `/webhooks/${id}`
    expect((await service.ask('PATCH', path, {})).status).toBe(422)
    expect((await service.ask('PATCH', path, { status: 'paused' })).status).toBe(422)
    expect((await service.ask('PATCH', path, { events: ['email.sent'], status: 'disabled' })).body).toEqual({
      object: 'webhook',
      id,
    })
    expect(await service.get(path)).toMatchObject({ events: ['email.sent'], status: 'disabled' })
    expect((await service.ask('DELETE', path)).body).toEqual({ object: 'webhook', id, deleted: true })
    for (const end of ['', '/events', '/events/msg_1', '/events/msg_1/attempts']) {
      const answer = await service.ask('GET', `${path}${end}`)
      expect([answer.status, answer.body.message]).toEqual([404, 'Webhook not found'])
    }
  })

  test('need full access', async () => {
    const { body } = await service.ask('POST', '/api-keys', { name: 'sender', permission: 'sending_access' })
    const headers = { authorization: `Bearer ${body.token}` }
    for (const path of ['/webhooks', '/webhooks/x/events']) {
      expect((await service.ask('GET', path, undefined, headers)).body).toMatchObject({ name: 'restricted_api_key' })
    }
  })

  test('log events newest first, page by page, with their payloads', async () => {
    const { id } = (await create(service, 'https://example.com/hook')).body
    for (let number = 1; number <= 21; number += 1) await happen(service, `Topic ${number}`)
    const first = await eventsOf(service, id)
    expect(first).toHaveLength(20)
    const rest = await service.get<List<EventItem>>(`/webhooks/${id}/events?limit=1&after=${first.at(-1)?.id}`)
    expect([rest.data.length, rest.has_more]).toEqual([1, false])
    const names = await Promise.all(
      [...first, ...rest.data].map(async (event) => {
        const { payload } = await service.get<{ payload: { data: { name: string } } }>(
          `/webhooks/${id}/events/${event.id}`,
        )
        return payload.data.name
      }),
    )
    expect(names).toEqual(Array.from({ length: 21 }, (_, index) => `Topic ${21 - index}`))
    const refused = await service.ask('GET', `/webhooks/${id}/events?before=${first[0]?.id}`)
    expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining('`before`')])
    expect((await service.ask('GET', `/webhooks/${id}/events?after=msg_x`)).status).toBe(404)
    expect((await service.ask('GET', `/webhooks/${id}/events/msg_x`)).body.message).toBe('Webhook event not found')
  })

  test('keep the newest 10,000 events', async () => {
    const { id } = (await create(service, 'https://example.com/hook', ['suppression.added'])).body
    const add = (from: number, count: number) =>
      service.ask('POST', '/suppressions/batch/add', {
        emails: Array.from({ length: count }, (_, index) => `m${from + index}@example.com`),
      })
    await add(0, 1)
    const [oldest] = await eventsOf(service, id)
    for (let from = 1; from < 9_901; from += 100) await add(from, 100)
    await add(9_901, 99)
    await service.settled()
    expect((await service.ask('GET', `/webhooks/${id}/events/${oldest?.id}`)).status).toBe(200)
    await add(10_000, 1)
    await service.settled()
    expect((await service.ask('GET', `/webhooks/${id}/events/${oldest?.id}`)).status).toBe(404)
  })

  test('log only the types they ask for, and only while they are enabled', async () => {
    const all = service.webhook()
    const { id } = (await create(service, 'https://example.com/hook', ['topic.deleted'])).body
    const { body: topic } = await service.ask('POST', '/topics', { name: 'x', default_subscription: 'opt_in' })
    await service.ask('DELETE', `/topics/${topic.id}`)
    await service.ask('PATCH', `/webhooks/${id}`, { status: 'disabled' })
    const { body: other } = await service.ask('POST', '/topics', { name: 'x', default_subscription: 'opt_in' })
    await service.ask('DELETE', `/topics/${other.id}`)
    expect((await eventsOf(service, id)).map(({ type }) => type)).toEqual(['topic.deleted'])
    const shared = (await eventsOf(service, all.id)).filter(({ type }) => type === 'topic.deleted')
    expect(shared.map((event) => event.id)).toContain((await eventsOf(service, id))[0]?.id)
    expect(shared).toHaveLength(2)
  })
})

describe('a delivery', () => {
  test('is signed as by Svix, so that the vendor’s SDK verifies it', async () => {
    const service = await start()
    const resend = new Resend(service.apiKey, { baseUrl: service.baseUrl })
    const hook = service.webhook()
    // Receivers compare the timestamp with their own clock, not with the platform's.
    service.advance(30 * day)
    await happen(service)
    const { body: payload, headers } = await hook.next('topic.created')
    const verify = (webhookSecret: string, body = payload) =>
      resend.webhooks.verify({ payload: body, headers, webhookSecret })
    expect(verify(hook.signingSecret)).toMatchObject({ type: 'topic.created', data: { name: 'News' } })
    expect(() => verify(hook.signingSecret, payload.replace('News', 'Lies'))).toThrow('signature')
    expect(() => verify(`whsec_${Buffer.alloc(24).toString('base64')}`)).toThrow('signature')
  })

  test('is signed with the old secret too for 24 hours after a rotation', async () => {
    const service = await start()
    const resend = new Resend(service.apiKey, { baseUrl: service.baseUrl })
    const hook = service.webhook()
    const old = hook.signingSecret
    const { data } = await resend.webhooks.rotateSigningSecret(hook.id)
    expect(data).toEqual({ object: 'webhook', id: hook.id, signing_secret: hook.signingSecret })
    expect(hook.signingSecret).not.toBe(old)
    const verifies = async (secret: string): Promise<boolean> => {
      await happen(service)
      const { body: payload, headers } = await hook.next()
      try {
        resend.webhooks.verify({ payload, headers, webhookSecret: secret })
        return true
      } catch {
        return false
      }
    }
    expect([await verifies(old), await verifies(hook.signingSecret)]).toEqual([true, true])
    service.advance(day)
    expect([await verifies(old), await verifies(hook.signingSecret)]).toEqual([false, true])
  })

  test('succeeds with any 2xx, once', async () => {
    const service = await start()
    const { url, requests } = await startEndpoint(204)
    const { id } = (await create(service, url)).body
    await happen(service)
    const [event] = await eventsOf(service, id)
    expect(event?.status).toBe('success')
    expect(await service.get(`/webhooks/${id}/events/${event?.id}`)).toMatchObject({ next_attempt_at: null })
    expect(requests).toMatchObject([{ 'svix-id': event?.id, 'content-type': 'application/json' }])
    service.advance(day)
    await service.settled()
    expect(requests).toHaveLength(1)
  })

  test('is retried by the published schedule, with the same ID, until it fails', async () => {
    const service = await start()
    const { url, requests } = await startEndpoint(500)
    const { id } = (await create(service, url)).body
    await happen(service)
    const event = async (): Promise<EventItem> =>
      service.get<EventItem>(`/webhooks/${id}/events/${(await eventsOf(service, id))[0]?.id}`)
    const delays = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour]
    let time = 1_800_000_000_000
    for (const [index, delay] of delays.entries()) {
      time += delay
      expect(await event()).toMatchObject({ status: 'attempting', next_attempt_at: new Date(time).toISOString() })
      service.advance(delay - 1)
      await service.settled()
      expect(requests).toHaveLength(index + 1)
      service.advance(1)
      await service.settled()
      expect(requests).toHaveLength(index + 2)
    }
    expect(await event()).toMatchObject({ status: 'failed', next_attempt_at: null })
    service.advance(day)
    await service.settled()
    expect(requests).toHaveLength(8)
    expect(new Set(requests.map((headers) => headers['svix-id'])).size).toBe(1)
    const attempts = await attemptsOf(service, id, (await event()).id)
    expect(attempts).toHaveLength(8)
    expect(attempts[0]).toEqual({
      id: expect.stringMatching(/^atmpt_/) as string,
      http_status_code: 500,
      response: 'Status 500',
      sent_at: new Date(time).toISOString(),
    })
  })

  test('succeeds at last', async () => {
    const service = await start()
    const { url } = await startEndpoint(503, 200)
    const { id } = (await create(service, url)).body
    await happen(service)
    service.advance(5 * second)
    await service.settled()
    const [event] = await eventsOf(service, id)
    expect(event?.status).toBe('success')
    const codes = (await attemptsOf(service, id, event?.id ?? '')).map((attempt) => attempt.http_status_code)
    expect(codes).toEqual([200, 503])
  })

  test.each<readonly [string, RequestListener, RegExp]>([
    ['hangs up', (incoming) => incoming.socket.destroy(), /ECONNRESET/],
    ['does not respond', () => undefined, /no response within 0\.2 s/],
    ['responds without an end', (_, outgoing) => void outgoing.writeHead(200).write('x'), /no response within 0\.2 s/],
  ])('fails if the endpoint %s', async (_, listener, reason) => {
    const service = await start({ webhookTimeout: 200 })
    const { url } = await startEndpoint(listener)
    const { id } = (await create(service, url)).body
    await happen(service)
    const [event] = await eventsOf(service, id)
    expect(event?.status).toBe('attempting')
    const [attempt] = await attemptsOf(service, id, event?.id ?? '')
    expect(attempt).toMatchObject({ http_status_code: 0, response: expect.stringMatching(reason) as string })
  })

  test('follows no redirect', async () => {
    const service = await start()
    const target = await startEndpoint(200)
    const { url } = await startEndpoint((_, outgoing) => outgoing.writeHead(307, { location: target.url }).end())
    const { id } = (await create(service, url)).body
    await happen(service)
    expect((await eventsOf(service, id))[0]?.status).toBe('attempting')
    expect(target.requests).toEqual([])
  })

  test.each([
    'http://192.0.2.1/',
    'https://example.com/hook',
    'http://localhost.example.com/',
    'http://[::ffff:c000:201]/',
  ])('is not made to %s, which is not on this machine', async (endpoint) => {
    const service = await start()
    const { id } = (await create(service, endpoint)).body
    await happen(service)
    service.advance(day)
    await service.settled()
    const [event] = await eventsOf(service, id)
    expect(event?.status).toBe('pending')
    expect(await attemptsOf(service, id, event?.id ?? '')).toEqual([])
  })

  test('reaches localhost', async () => {
    const service = await start()
    const { url, requests } = await startEndpoint(200)
    await create(service, url.replace('127.0.0.1', 'localhost'))
    await happen(service)
    expect(requests).toHaveLength(1)
  })

  test('is in the order of the events, and does not wait for other webhooks', async () => {
    const service = await start()
    const { url } = await startEndpoint(() => undefined)
    await create(service, url)
    const hook = service.webhook({ events: ['topic.created'] })
    for (const name of ['One', 'Two', 'Three']) {
      await service.ask('POST', '/topics', { name, default_subscription: 'opt_in' })
    }
    const names = [await hook.next(), await hook.next(), await hook.next()].map(({ data }) => data.name)
    expect(names).toEqual(['One', 'Two', 'Three'])
  })
})

describe('a replay', () => {
  test('delivers a finished event once more', async () => {
    const service = await start()
    const hook = service.webhook({ events: ['topic.created'] })
    await happen(service)
    const { id } = await hook.next()
    const path = `/webhooks/${hook.id}/events/${id}/replay`
    expect((await service.ask('POST', path)).body).toEqual({ object: 'webhook_event', id })
    expect((await hook.next()).id).toBe(id)
    await service.settled()
    expect(await attemptsOf(service, hook.id, id)).toHaveLength(2)
  })

  test('leaves the schedule of retries alone', async () => {
    const service = await start()
    const { url, requests } = await startEndpoint(500)
    const { id } = (await create(service, url)).body
    await happen(service)
    const [{ id: event } = { id: '' }] = await eventsOf(service, id)
    const before = await service.get<EventItem>(`/webhooks/${id}/events/${event}`)
    await service.ask('POST', `/webhooks/${id}/events/${event}/replay`)
    await service.settled()
    expect(requests).toHaveLength(2)
    expect(await service.get(`/webhooks/${id}/events/${event}`)).toEqual(before)
  })
})

describe('an endpoint that keeps failing', () => {
  test('is disabled after five days, and can be enabled again', async () => {
    const service = await start()
    const { url, requests } = await startEndpoint(500, 500, 200)
    const { id } = (await create(service, url)).body
    const status = async (): Promise<string> => (await service.get<EventItem>(`/webhooks/${id}`)).status
    await happen(service)
    expect(await status()).toBe('enabled')
    service.advance(5 * day)
    await service.settled()
    expect(await status()).toBe('disabled')
    await happen(service)
    expect(await eventsOf(service, id)).toHaveLength(1)
    service.advance(day)
    await service.settled()
    expect(requests).toHaveLength(2)
    await service.ask('PATCH', `/webhooks/${id}`, { status: 'enabled' })
    await service.settled()
    expect([(await eventsOf(service, id))[0]?.status, await status()]).toEqual(['success', 'enabled'])
  })

  test('stays enabled if a delivery succeeds in between', async () => {
    const service = await start()
    const { url } = await startEndpoint(500, 200, 500)
    const { id } = (await create(service, url)).body
    await happen(service)
    service.advance(day)
    await service.settled()
    service.advance(5 * day)
    await happen(service, 'Other')
    expect((await service.get<EventItem>(`/webhooks/${id}`)).status).toBe('enabled')
  })
})

test('the log and the retries survive a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-webhooks-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = { data: join(folder, 'mail.db'), apiKey: 're_restart' }
  const { url, requests } = await startEndpoint(500, 200)
  const first = await startTestService({ service: { ...file, now: () => 1_800_000_000_000 } })
  const { id } = (await create(first, url)).body
  await happen(first)
  await first.close()
  const later = await startTestService({ service: { ...file, now: () => 1_800_000_000_000 + 5 * second } })
  onTestFinished(() => later.close())
  await later.settled()
  expect(requests).toHaveLength(2)
  expect((await eventsOf(later, id)).map(({ status }) => status)).toEqual(['success'])
})

test('an attempt that the end of the platform cuts off is made after the next start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-webhooks-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = { data: join(folder, 'mail.db'), apiKey: 're_restart' }
  const { url, requests } = await startEndpoint(() => undefined, 200)
  const first = await startTestService({ service: file })
  const { id } = (await create(first, url)).body
  await first.ask('POST', '/topics', { name: 'x', default_subscription: 'opt_in' })
  await expect.poll(() => requests.length).toBe(1)
  expect((await eventsOf(first, id))[0]?.status).toBe('attempting')
  await first.close()
  const later = await startTestService({ service: file })
  onTestFinished(() => later.close())
  await later.settled()
  const [event] = await eventsOf(later, id)
  expect(event?.status).toBe('success')
  expect(await attemptsOf(later, id, event?.id ?? '')).toHaveLength(1)
})

test('a replay that a killed platform had begun is made after the next start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-webhooks-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = { data: join(folder, 'mail.db'), apiKey: 're_restart' }
  const { url, requests } = await startEndpoint(200)
  const first = await startTestService({ service: file })
  const { id } = (await create(first, url)).body
  await happen(first)
  await first.close()
  // The state on disk during a replay.
  const db = new Database(file.data)
  db.run("UPDATE webhook_events SET status = 'attempting'")
  db.close()
  const later = await startTestService({ service: file })
  onTestFinished(() => later.close())
  await later.settled()
  expect(requests).toHaveLength(2)
  expect((await eventsOf(later, id))[0]?.status).toBe('success')
})
