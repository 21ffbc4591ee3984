import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ServiceUnderTest, type TestOptions, startTestService } from './service-under-test.ts'
import type { Draft, Inbox, List, Plain, SentEmail, Thread } from './wire-shapes.ts'

describe('platform behaviour across endpoints', () => {
  let service: ServiceUnderTest
  const restart = async (options: TestOptions): Promise<void> => {
    await service.close()
    service = await startTestService(options)
  }
  beforeEach(async () => {
    service = await startTestService()
  })
  afterEach(() => service.close())

  /** Sends a raw request, for what an HTTP client wouldn't send. @returns the complete response */
  const raw = (request: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1', () => socket.end(request))
      let answer = ''
      socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
      socket.on('end', () => {
        resolve(answer)
      })
      socket.on('error', reject)
    })

  describe('keys', () => {
    test('without a User-Agent the edge answers 403 with code 1010', async () => {
      const answer = await raw(
        `GET /inboxes HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nAuthorization: Bearer ${service.apiKey}\r\n\r\n`,
      )
      expect(answer).toMatch(/^HTTP\/1\.1 403 /)
      expect(answer).toContain('error code: 1010')
    })

    test('a request without a key gets 401 missing_api_key in the platform’s field order', async () => {
      const response = await fetch(`${service.baseUrl}/inboxes`)
      expect([response.status, response.headers.get('content-type')]).toEqual([401, 'application/json; charset=utf-8'])
      expect(await response.text()).toBe(
        '{"statusCode":401,"message":"Missing API key in the authorization header","name":"missing_api_key"}',
      )
    })

    test.each([401, 400, 403] as const)('a wrong key gets %i, as configured', async (invalidKeyStatus) => {
      await restart({ invalidKeyStatus })
      const answer = await service.ask('GET', '/inboxes', undefined, { authorization: 'Bearer re_wrong' })
      expect(answer).toMatchObject({
        status: invalidKeyStatus,
        body: { name: 'invalid_api_key', message: 'API key is invalid' },
      })
    })

    test('with --any-key any key is accepted, but one is required', async () => {
      await restart({ anyKey: true })
      const answer = await service.ask('GET', '/inboxes', undefined, { authorization: 'Bearer re_built_in' })
      expect(answer.status).toBe(200)
      expect((await fetch(`${service.baseUrl}/inboxes`, { headers: { 'user-agent': 'x' } })).status).toBe(401)
    })

    test('a sending key can only send', async () => {
      const { body } = await service.ask('POST', '/api-keys', { name: 's', permission: 'sending_access' })
      const authorization = `Bearer ${body.token}`
      const email = { from: service.inboxAddress, to: 'eve@example.com', subject: 'x', text: 'x' }
      expect((await service.ask('POST', '/emails', email, { authorization })).status).toBe(200)
      expect((await service.ask('POST', '/emails/batch', [email], { authorization })).status).toBe(200)
      for (const [method, path] of [
        ['GET', '/inboxes'],
        ['GET', '/emails'],
        ['GET', '/contacts'],
        ['POST', '/api-keys'],
      ] as const) {
        const answer = await service.ask(method, path, undefined, { authorization })
        expect(answer, path).toMatchObject({ status: 401, body: { name: 'restricted_api_key' } })
      }
    })

    test('a domain’s sending key sends from no other', async () => {
      await service.ask('POST', '/inboxes', { email_address: 'desk@other.example' })
      const inbox = await service.get<Inbox>(`/inboxes/${service.inboxId}`)
      const { body } = await service.ask('POST', '/api-keys', {
        name: 's',
        permission: 'sending_access',
        domain_id: inbox.domain_id,
      })
      const send = (from: string) =>
        service.ask(
          'POST',
          '/emails',
          { from, to: 'eve@example.com', subject: 'x', text: 'x' },
          { authorization: `Bearer ${body.token}` },
        )
      expect((await send('any@linnet.example')).status).toBe(200)
      expect(await send('desk@other.example')).toMatchObject({ status: 403, body: { name: 'validation_error' } })
    })

    test('a deleted key is rejected', async () => {
      const { body } = await service.ask('POST', '/api-keys', { name: 'short-lived' })
      const authorization = `Bearer ${body.token}`
      expect((await service.ask('GET', '/inboxes', undefined, { authorization })).status).toBe(200)
      await service.ask('DELETE', `/api-keys/${body.id}`)
      expect((await service.ask('GET', '/inboxes', undefined, { authorization })).status).toBe(401)
    })
  })

  describe('rate limit', () => {
    test('requests over the limit get 429 with retry-after until the next second', async () => {
      let now = 1_800_000_000_000
      await restart({ rateLimit: 3, service: { now: () => now } })
      const statuses: number[] = []
      for (let n = 0; n < 5; n++) statuses.push((await service.ask('GET', '/inboxes')).status)
      expect(statuses).toEqual([200, 200, 200, 429, 429])
      const refused = await service.ask('GET', '/inboxes')
      expect(refused.body.name).toBe('rate_limit_exceeded')
      expect(refused.headers.get('retry-after')).toBe('1')
      now += 1000
      const allowed = await service.ask('GET', '/inboxes')
      expect(allowed.status).toBe(200)
      const headers = ['limit', 'remaining', 'reset', 'policy'].map((name) => allowed.headers.get(`ratelimit-${name}`))
      expect(headers).toEqual(['3', '2', '1', '3;w=1'])
    })

    test('every response has the headers, including errors', async () => {
      for (const path of ['/inboxes', '/nowhere', '/inboxes/none']) {
        expect((await service.ask('GET', path)).headers.get('ratelimit-limit'), path).not.toBeNull()
      }
    })
  })

  describe('idempotency keys', () => {
    const email = { from: 'a@linnet.example', to: 'eve@example.com', subject: 'once', text: 'x' }
    const send = (key: string, body: object = email) => service.ask('POST', '/emails', body, { 'idempotency-key': key })
    const sentCount = async (): Promise<number> => (await service.get<List<SentEmail>>('/emails?limit=100')).data.length

    test('a repeated request gets the same response and takes effect once', async () => {
      const [first, second] = [await send('k1'), await send('k1')]
      expect(second).toMatchObject({ status: 200, body: first.body })
      expect(await sentCount()).toBe(1)
    })

    test('a different request with the same key is a conflict', async () => {
      await send('k1')
      expect(await send('k1', { ...email, subject: 'other' })).toMatchObject({
        status: 409,
        body: { name: 'invalid_idempotent_request' },
      })
      expect(await sentCount()).toBe(1)
    })

    test('of two concurrent requests, one takes effect', async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => send('k1')))
      expect(await sentCount()).toBe(1)
      for (const { status, body } of answers) {
        if (status !== 200) expect([status, body.name]).toEqual([409, 'concurrent_idempotent_requests'])
      }
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    })

    test('a rejected request doesn’t use up its key', async () => {
      expect((await send('k1', { ...email, to: 'nobody' })).status).toBe(422)
      expect((await send('k1')).status).toBe(200)
    })

    test('a key expires after 24 hours', async () => {
      await send('k1')
      service.advance(24 * 60 * 60 * 1000 + 1)
      await send('k1')
      expect(await sentCount()).toBe(2)
    })

    test.each([
      ['empty', ''],
      ['longer than 256 characters', 'k'.repeat(257)],
    ])('a key that is %s is rejected', async (_case, key) => {
      expect(await send(key)).toMatchObject({ status: 400, body: { name: 'invalid_idempotency_key' } })
    })

    test('replies and drafts support them too', async () => {
      await service.deliver({ subject: 'Question' })
      const [thread] = (await service.get<List<Thread>>(`/inboxes/${service.inboxId}/threads`)).data
      const emails = `/inboxes/${service.inboxId}/threads/${thread?.id}/emails`
      const [original] = (await service.get<List<Plain>>(emails)).data
      const twice = async (path: string, body: object): Promise<void> => {
        const [first, second] = [
          await service.ask('POST', path, body, { 'idempotency-key': path }),
          await service.ask('POST', path, body, { 'idempotency-key': path }),
        ]
        expect([second.status, second.body]).toEqual([first.status, first.body])
        expect(first.status).toBeLessThan(300)
      }
      await twice(`${emails}/${original?.id}/reply`, { text: 'x' })
      await twice(`${emails}/${original?.id}/forward`, { to: 'eve@example.com' })
      const drafts = `/inboxes/${service.inboxId}/drafts`
      await twice(drafts, { to: 'eve@example.com', subject: 'd', text: 'x' })
      const [draft] = (await service.get<List<Draft>>(drafts)).data
      await twice(`${drafts}/${draft?.id}/send`, {})
      expect((await service.get<List<Plain>>(emails)).data).toHaveLength(3)
    })
  })

  describe('unknown endpoints and unreadable bodies', () => {
    test('an unknown endpoint gets 404, a known one with another method 405', async () => {
      expect(await service.ask('GET', '/nowhere')).toMatchObject({ status: 404, body: { name: 'not_found' } })
      expect(await service.ask('PUT', '/contacts')).toMatchObject({ status: 405, body: { name: 'method_not_allowed' } })
    })

    test.each([
      ['not JSON', '{"name":'],
      ['empty words', 'hello'],
    ])('a body that is %s gets 400 validation_error', async (_case, body) => {
      expect(await service.ask('POST', '/segments', body)).toMatchObject({
        status: 400,
        body: { name: 'validation_error' },
      })
    })

    test.each([
      ['an array', [], 'validation_error'],
      ['null', null, 'validation_error'],
      ['without a field', {}, 'missing_required_field'],
      ['with a field of another type', { name: 7 }, 'validation_error'],
    ])('a body that is %s gets 422', async (_case, body, name) => {
      expect(await service.ask('POST', '/segments', JSON.stringify(body))).toMatchObject({
        status: 422,
        body: { name },
      })
    })

    test('a missing field is named', async () => {
      expect((await service.ask('POST', '/contacts')).body.message).toBe('Missing `email` field.')
      expect((await service.ask('POST', '/emails', { to: 'a@b.example' })).body.message).toBe('Missing `from` field.')
      expect((await service.ask('POST', '/emails', { from: 'x', to: 'a@b.example', subject: '' })).body.message).toBe(
        'Invalid `from` field. The email address needs to follow the `email@example.com` or `Name <email@example.com>` format',
      )
    })

    test('a body beyond the limit gets 413', async () => {
      const answer = await service.ask('POST', '/segments', JSON.stringify({ name: 'x'.repeat(49 * 1024 * 1024) }))
      expect(answer).toMatchObject({ status: 413, body: { name: 'validation_error' } })
    })
  })

  describe('switches for unknown platform behaviour', () => {
    test.each([
      ['not_found', 404],
      ['forbidden', 403],
    ] as const)('--inboxes %s: an account without the beta gets %i', async (inboxes, status) => {
      await restart({ inboxes })
      expect((await service.ask('GET', '/inboxes')).status).toBe(status)
      expect((await service.ask('GET', '/contacts')).status).toBe(200)
    })

    test('--operations contract: the six operations and nothing else', async () => {
      await restart({ operations: 'contract' })
      expect((await service.ask('GET', `/inboxes/${service.inboxId}/threads/search`)).status).toBe(200)
      for (const path of ['/inboxes', '/emails/receiving', '/usage', `/inboxes/${service.inboxId}/threads`]) {
        expect((await service.ask('GET', path)).status, path).toBe(404)
      }
    })

    test('--missing-label not_found: removing a label that the thread doesn’t have', async () => {
      const take = async (): Promise<number> => {
        await service.deliver({ subject: 'x' })
        const { body } = await service.ask('POST', `/inboxes/${service.inboxId}/labels`, { name: 'l' })
        const [thread] = (await service.get<List<Thread>>(`/inboxes/${service.inboxId}/threads`)).data
        return (await service.ask('DELETE', `/inboxes/${service.inboxAddress}/threads/${thread?.id}/labels/${body.id}`))
          .status
      }
      expect(await take()).toBe(200)
      await restart({ missingLabel: 'not_found' })
      expect(await take()).toBe(404)
    })

    test('--inbox-attachments off, --highlights on', async () => {
      await restart({ inboxAttachments: false, highlights: true })
      await service.deliver({ subject: 'x', attachments: [{ filename: 'a.txt', content: 'a' }] })
      const [email] = (await service.get<List<Plain>>('/emails/receiving')).data
      expect((await service.ask('GET', `/emails/receiving/${email?.id}/attachments`)).status).toBe(404)
      expect((await service.get<List<Thread>>(`/inboxes/${service.inboxId}/threads/search`)).data[0]).toHaveProperty(
        'highlights',
      )
    })

    test('--sent-joins-inbox off: POST /emails adds nothing to the inbox', async () => {
      const sentThreads = async (): Promise<number> => {
        await service.ask('POST', '/emails', {
          from: service.inboxAddress,
          to: 'eve@example.com',
          subject: 'x',
          text: 'x',
        })
        return (await service.get<List<Thread>>(`/inboxes/${service.inboxId}/threads?folders=sent`)).data.length
      }
      expect(await sentThreads()).toBe(1)
      await restart({ sentJoinsInbox: false })
      expect(await sentThreads()).toBe(0)
    })
  })
})
