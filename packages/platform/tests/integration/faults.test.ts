import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ServiceUnderTest, startTestService } from './service-under-test.ts'
import type { Contact, List } from './wire-shapes.ts'

/** Injected faults as a client sees them, and none without a request for one. */
describe('injected faults', () => {
  let service: ServiceUnderTest
  beforeAll(async () => {
    service = await startTestService({ faults: true })
    for (const n of [1, 2])
      await service.ask('POST', '/contacts', { email: `c${n}@example.com`, first_name: `Person ${n}` })
  })
  afterAll(() => service.close())
  beforeEach(() => control('PUT', '/faults', { faults: [] }))

  const headers = (): Record<string, string> => ({ authorization: `Bearer ${service.apiKey}`, 'user-agent': 'tests' })
  const control = (method: string, path: string, body?: object, from = service) =>
    fetch(`${from.baseUrl}/_control${path}`, {
      method,
      headers: headers(),
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  const faults = (...rules: readonly object[]) => control('PUT', '/faults', { faults: rules })
  const ask = (path = '/contacts', init: RequestInit = {}) =>
    fetch(`${service.baseUrl}${path}`, { headers: headers(), ...init })

  test.each([
    ['error_500', 500, 'application_error'],
    ['error_503', 503, 'service_unavailable'],
    ['rate_limited', 429, 'rate_limit_exceeded'],
  ])('%s answers %i in the platform’s format', async (kind, status, name) => {
    await faults({ kind, retry_after: 7 })
    const answer = await ask()
    expect([answer.status, await answer.json()]).toMatchObject([status, { statusCode: status, name }])
    expect(answer.headers.get('retry-after')).toBe(status === 500 ? null : '7')
    expect(answer.headers.get('ratelimit-limit')).not.toBeNull()
  })

  test('error_422 answers with the given message', async () => {
    const message = 'The search is too broad.'
    await faults({ kind: 'error_422', message })
    const answer = await ask()
    expect(answer.status).toBe(422)
    expect(await answer.json()).toEqual({ statusCode: 422, message, name: 'validation_error' })
  })

  test('html answers a page instead of JSON', async () => {
    await faults({ kind: 'html' })
    const answer = await ask()
    expect([answer.status, answer.headers.get('content-type')]).toEqual([502, 'text/html; charset=utf-8'])
  })

  test('delay answers late but correctly', async () => {
    await faults({ kind: 'delay', delay_ms: 30 })
    expect((await ask()).status).toBe(200)
  })

  test('lost takes effect but is never answered', async () => {
    await faults({ kind: 'lost', method: 'POST' })
    const body = JSON.stringify({ email: 'lost@example.com' })
    await expect(ask('/contacts', { method: 'POST', body })).rejects.toThrow()
    expect((await service.get<Contact>('/contacts/lost@example.com')).email).toBe('lost@example.com')
  })

  test('cut breaks off in the middle of the response', async () => {
    await faults({ kind: 'cut' })
    const answer = await ask()
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow()
  })

  test.each(['truncated_json', 'malformed_json'])('%s is invalid JSON', async (kind) => {
    await faults({ kind })
    const answer = await ask()
    expect(answer.status).toBe(200)
    await expect(answer.json()).rejects.toThrow()
  })

  test('unknown_fields, unknown_enum and missing_field change every object', async () => {
    const first = async (): Promise<Record<string, unknown>> =>
      ((await (await ask()).json()) as List<Record<string, unknown>>).data[0] ?? {}
    await faults({ kind: 'unknown_fields' })
    expect(await first()).toHaveProperty('x_unknown')
    await faults({ kind: 'unknown_enum', field: 'object' })
    expect(await (await ask()).json()).toMatchObject({ object: 'x_unknown' })
    await faults({ kind: 'missing_field', field: 'first_name' })
    expect(await first()).not.toHaveProperty('first_name')
  })

  test('a rule applies to matching requests, with offset and count, and reports its hits', async () => {
    await faults({ kind: 'error_500', method: 'GET', path: '/contacts', skip: 1, times: 2 })
    const statuses: number[] = []
    for (let n = 0; n < 5; n++) statuses.push((await ask()).status)
    expect(statuses).toEqual([200, 500, 500, 200, 200])
    expect((await ask('/topics')).status).toBe(200)
    const { faults: state } = (await (await control('GET', '/faults')).json()) as { faults: readonly object[] }
    expect(state).toMatchObject([{ seen: 3, met: 2 }])
  })

  test('the clock can be advanced', async () => {
    const expiry = async (): Promise<number> => {
      const { body } = await service.ask('POST', '/api-keys', { name: 'x' })
      const keys = (await service.get<List<{ id: string; created_at: string }>>('/api-keys')).data
      return Date.parse(
        keys
          .find(({ id }) => id === body.id)
          ?.created_at.replace(' ', 'T')
          .replace('+00', 'Z') ?? '',
      )
    }
    const before = await expiry()
    await control('POST', '/clock', { advance_ms: 86_400_000 })
    expect((await expiry()) - before).toBeGreaterThanOrEqual(86_400_000)
  })

  test('the delivery status of a sent e-mail can be set', async () => {
    const { body: sent } = await service.ask('POST', '/emails', {
      ...{ from: service.inboxAddress, to: 'eve@example.com', subject: 's', text: 't' },
    })
    expect((await control('PUT', `/emails/${sent.id}`, { last_event: 'delivery_delayed' })).status).toBe(200)
    expect(await service.get(`/emails/${sent.id}`)).toMatchObject({ last_event: 'delivery_delayed' })
    expect((await control('PUT', `/emails/${sent.id}`, { last_event: 'eaten' })).status).toBe(422)
    expect((await control('PUT', '/emails/nobody', { last_event: 'failed' })).status).toBe(404)
  })

  test('an invalid rule is rejected with the reason', async () => {
    const answer = await faults({ kind: 'earthquake' })
    expect([answer.status, ((await answer.json()) as { message: string }).message]).toEqual([
      422,
      expect.stringContaining('faults.0.kind'),
    ])
  })

  test('nothing can be requested without a full key', async () => {
    const { body } = await service.ask('POST', '/api-keys', { name: 's', permission: 'sending_access' })
    for (const authorization of ['', 'Bearer re_wrong', `Bearer ${body.token}`]) {
      const answer = await fetch(`${service.baseUrl}/_control/faults`, { headers: { authorization } })
      expect(answer.status).toBe(401)
    }
  })

  test('the endpoint doesn’t exist without --faults', async () => {
    const plain = await startTestService()
    const answer = await fetch(`${plain.baseUrl}/_control/faults`, {
      headers: { authorization: `Bearer ${plain.apiKey}`, 'user-agent': 'x' },
    })
    expect(answer.status).toBe(404)
    await plain.close()
  })
})
