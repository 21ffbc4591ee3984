import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allEndpoints } from '../../packages/platform/src/endpoints/all-endpoints.ts'
import { sendPlain } from '../../packages/platform/tests/integration/send-plain.ts'
import {
  type ServiceUnderTest,
  startTestService,
} from '../../packages/platform/tests/integration/service-under-test.ts'
import type { List, Thread, ThreadEmail } from '../../packages/platform/tests/integration/wire-shapes.ts'
import { counts, runs } from './support/endurance.ts'

/** Any input gets a 4xx in the platform's format, or an honest success. Never a 5xx, never silence. */
describe('random requests', () => {
  let service: ServiceUnderTest
  let known: Readonly<Record<string, string>>
  beforeAll(async () => {
    service = await startTestService({ trustDate: true })
    await service.deliver({ subject: 'A thread', text: 'body', attachments: [{ filename: 'a.txt', content: 'a' }] })
    await service.ask('POST', '/contacts', { email: 'c@example.com' })
    const [thread] = (await service.get<List<Thread>>(`/inboxes/${service.inboxId}/threads`)).data
    const [email] = (await service.get<List<ThreadEmail>>(`/inboxes/${service.inboxId}/threads/${thread?.id}/emails`))
      .data
    const { body: label } = await service.ask('POST', `/inboxes/${service.inboxId}/labels`, { name: 'l' })
    const { body: draft } = await service.ask('POST', `/inboxes/${service.inboxId}/drafts`, { text: 'd' })
    known = {
      inbox: service.inboxId,
      thread: thread?.id ?? '',
      email: email?.id ?? '',
      label: label.id,
      draft: draft.id,
      contact: 'c@example.com',
    }
  })
  afterAll(() => service.close())

  const junk = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      '',
      '.',
      '..',
      '%',
      '%zz',
      '%00',
      '%2e%2e',
      '\u0000',
      '💥',
      "' OR 1=1 --",
      '[]',
      '-1',
      '1e9',
      'null',
      'NaN',
      '__proto__',
      'a,b,,c',
      '2026-99-99',
    ),
    fc.uuid(),
  )
  /** A path segment that may exist. */
  const segment = (name: string): fc.Arbitrary<string> =>
    fc.oneof({ weight: 2, arbitrary: fc.constant(name) }, { weight: 1, arbitrary: junk.map(encodeSafely) })
  const query = (names: readonly string[]): fc.Arbitrary<string> =>
    fc
      .array(fc.tuple(fc.constantFrom(...names, 'limit', 'after', 'x'), junk.map(encodeSafely)), { maxLength: 5 })
      .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'))
  const json = fc.oneof(
    fc.json({ maxDepth: 4 }),
    fc.string({ maxLength: 60 }),
    fc
      .dictionary(
        fc.constantFrom(
          'to',
          'from',
          'subject',
          'text',
          'html',
          'labels',
          'read',
          'folder',
          'name',
          'color',
          'email',
          'email_address',
          'headers',
          'attachments',
          'topics',
          'properties',
          'key',
          'type',
          'scheduled_at',
          'expires_in',
          'thread_id',
          'tags',
        ),
        fc.oneof(junk, fc.jsonValue({ maxDepth: 3 })),
      )
      .map((body) => JSON.stringify(body)),
  )
  const extraHeaders = fc.dictionary(
    fc.constantFrom(
      'content-type',
      'idempotency-key',
      'x-batch-validation',
      'if-none-match',
      'accept',
      'range',
      'expect-ct',
    ),
    fc.oneof(
      fc.constantFrom('multipart/form-data', 'multipart/form-data; boundary=x', 'text/plain', 'permissive', ''),
      fc.stringMatching(/^[ -~]{0,40}$/),
    ),
    { maxKeys: 2 },
  )

  const endpointRequest = fc.constantFrom(...allEndpoints).chain((endpoint) =>
    fc.record({
      method: fc.oneof(
        { weight: 9, arbitrary: fc.constant<string>(endpoint.method) },
        { weight: 1, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS') },
      ),
      path: fc
        .tuple(
          ...endpoint.path
            .split('/')
            .map((part) => (part.startsWith(':') ? segment(known[part.slice(1)] ?? 'x') : fc.constant(part))),
        )
        .map((parts) => parts.join('/')),
      query: query(endpoint.query.map(({ name }) => name)),
      body: json,
      headers: extraHeaders,
    }),
  )

  test('are answered at every endpoint with any path, query, header and body', async () => {
    await fc.assert(
      fc.asyncProperty(endpointRequest, async ({ method, path, query: search, body, headers }) => {
        // The inbox and the key must survive the run.
        fc.pre(!(method === 'DELETE' && path === `/inboxes/${known.inbox}`))
        const sent = { authorization: `Bearer ${service.apiKey}`, 'user-agent': 'fuzz', ...headers }
        const { status, text } = await sendPlain(
          service.baseUrl,
          method,
          search === '' ? path : `${path}?${search}`,
          sent,
          method === 'GET' ? '' : body,
        )
        expect(status, text).toBeGreaterThanOrEqual(200)
        expect(status, text).toBeLessThan(500)
        const answer = JSON.parse(text) as Record<string, unknown>
        if (status >= 400) expect(Object.keys(answer)).toEqual(['statusCode', 'message', 'name'])
        if (status >= 400) expect(answer.statusCode).toBe(status)
      }),
      runs(counts(1_500)),
    )
  })

  test('are answered at any path', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('', '/downloads/raw', '/downloads/attachments'),
        fc.array(junk.map(encodeSafely), { maxLength: 6 }),
        fc.constantFrom('GET', 'POST', 'DELETE'),
        async (place, parts, method) => {
          const { status } = await sendPlain(
            service.baseUrl,
            method,
            `${place}/${parts.join('/')}`,
            { authorization: `Bearer ${service.apiKey}`, 'user-agent': 'fuzz' },
            '',
          )
          expect(status).toBeLessThan(500)
        },
      ),
      runs(counts(200)),
    )
  })
})

/** Encodes text for a request line, which allows no spaces or control characters. */
function encodeSafely(text: string): string {
  return /^[!-~]*$/.test(text) ? text.replace(/[?#]/g, '') : encodeURIComponent(text.toWellFormed())
}
