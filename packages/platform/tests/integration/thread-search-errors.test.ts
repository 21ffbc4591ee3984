import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServiceUnderTest, startTestService } from './service-under-test.ts'

/** Every limit and error of platform.md 10, with its message. */
describe('thread search errors', () => {
  let service: ServiceUnderTest
  beforeAll(async () => {
    service = await startTestService()
  })
  afterAll(() => service.close())

  const uuid = '00000000-0000-4000-8000-000000000000'
  const guide = 'See https://resend.com/docs/api-reference/pagination for more information.'
  const many = (count: number, value = 'a'): string => Array.from({ length: count }, () => value).join(',')

  test.each([
    [
      '`query` longer than 256 characters',
      `query=${'x'.repeat(300)}`,
      'The `query` parameter must be at most 256 characters, but received 300.',
    ],
    [
      '`query` has more than 32 words',
      `query=${many(40).replaceAll(',', '+')}`,
      'The `query` parameter must contain at most 32 words, but received 40.',
    ],
    ...['from', 'to', 'cc', 'bcc'].map((name): [string, string, string] => [
      `\`${name}\` has more than 20 values`,
      `${name}=${many(21)}`,
      `The \`${name}\` parameter must contain at most 20 values, but received 21.`,
    ]),
    [
      '`start_date` is not a date or ISO 8601 timestamp',
      'start_date=yesterday',
      'The `start_date` must be a valid ISO 8601 date.',
    ],
    [
      '`end_date` is not a date or ISO 8601 timestamp',
      'end_date=2026-02-30',
      'The `end_date` must be a valid ISO 8601 date.',
    ],
    [
      '`end_date` earlier than `start_date`',
      'start_date=2026-05-02&end_date=2026-05-01',
      'The `start_date` must be on or before the `end_date`.',
    ],
    [
      '`folders` contains an unknown folder',
      'folders=inbox,drafts',
      'The `folders` value "drafts" must be one of: inbox, archive, spam, sent, trash.',
    ],
    [
      '`labels` contains a value that is not a UUID',
      'labels=billing',
      'The `labels` value "billing" must be a valid UUID.',
    ],
    [
      '`labels` has more than 50 IDs',
      `labels=${many(60, uuid)}`,
      'The `labels` parameter must contain at most 50 label IDs, but received 60.',
    ],
    ...['0', '101', 'ten'].map((limit): [string, string, string] => [
      `\`limit\` out of range: ${limit}`,
      `limit=${limit}`,
      `The pagination limit must be a number between 1 and 100. ${guide}`,
    ]),
    ['`read` is not `true` or `false`', 'read=1', 'The `read` parameter must be `true` or `false`.'],
    [
      '`has_attachment` is not `true` or `false`',
      'has_attachment=yes',
      'The `has_attachment` parameter must be `true` or `false`.',
    ],
    [
      '`after` is a date instead of a thread ID',
      'after=2026-05-01',
      'The `after` parameter must be a thread ID. To filter by date, use `GET /inboxes/:id/threads/search` with `start_date`.',
    ],
    [
      '`before` is a date instead of a thread ID',
      'before=2026-05-01T10:00:00Z',
      'The `before` parameter must be a thread ID. To filter by date, use `GET /inboxes/:id/threads/search` with `end_date`.',
    ],
    [
      'both `after` and `before` set',
      `after=${uuid}&before=${uuid}`,
      `You can only pass one of \`before\` or \`after\` for pagination. ${guide}`,
    ],
    ...['from', 'to', 'cc', 'bcc', 'folders', 'labels'].map((name): [string, string, string] => [
      `\`${name}\` repeated`,
      name === 'folders'
        ? 'folders=inbox&folders=spam'
        : name === 'labels'
          ? `labels=${uuid}&labels=${uuid}`
          : `${name}=a&${name}=b`,
      `The \`${name}\` parameter must not be repeated. Separate its values with commas.`,
    ]),
  ])('422 validation_error: %s', async (_row, query, message) => {
    const answer = await service.ask('GET', `/inboxes/${service.inboxId}/threads/search?${query}`)
    expect(answer).toMatchObject({ status: 422, body: { statusCode: 422, message, name: 'validation_error' } })
  })

  test('applies lower limits set by switches', async () => {
    const strict = await startTestService({ searchLimits: { words: 3, people: 1 } })
    const said = async (query: string) =>
      (await strict.ask('GET', `/inboxes/${strict.inboxId}/threads/search?${query}`)).body.message
    expect(await said('query=a+b+c&from=a')).toBeUndefined()
    expect(await said('query=a+b+c+d')).toBe('The `query` parameter must contain at most 3 words, but received 4.')
    expect(await said('cc=a,b')).toBe('The `cc` parameter must contain at most 1 values, but received 2.')
    await strict.close()
  })

  test('reports the mistake that comes first in the table', async () => {
    const mistakes = [
      ['query=' + 'x'.repeat(257), '`query`'],
      ['bcc=' + many(21), '`bcc`'],
      ['start_date=2026-05-02&end_date=2026-05-01', '`start_date`'],
      ['folders=drafts', '`folders`'],
      ['labels=billing', '`labels`'],
      ['limit=0', 'limit'],
      ['has_attachment=yes', '`has_attachment`'],
      ['after=2026-05-01', '`after`'],
      ['to=a&to=b', '`to`'],
    ] as const
    for (const [index, [, name]] of mistakes.entries()) {
      const query = mistakes.slice(index).map(([parameters]) => parameters)
      const { body } = await service.ask('GET', `/inboxes/${service.inboxId}/threads/search?${query.join('&')}`)
      expect(body.message, name).toContain(name)
    }
    const { body } = await service.ask('GET', `/inboxes/${service.inboxId}/threads?read=1&limit=0`)
    expect(body.message).toContain('limit')
  })

  test.each([
    ['Inbox does not exist', () => `/inboxes/${uuid}/threads/search`, 'Inbox not found.'],
    [
      'An e-mail address is not accepted as inbox',
      () => `/inboxes/${service.inboxAddress}/threads/search`,
      'Inbox not found.',
    ],
    [
      'A label ID in `labels` does not exist in the inbox',
      () => `/inboxes/${service.inboxId}/threads/search?labels=${uuid}`,
      `Label "${uuid}" not found.`,
    ],
    [
      'The thread in `after` is not in the results',
      () => `/inboxes/${service.inboxId}/threads/search?after=${uuid}`,
      `The pagination cursor references an object that does not exist. ${guide}`,
    ],
    [
      'The thread in `before` is not in the results',
      () => `/inboxes/${service.inboxId}/threads/search?before=nonsense`,
      `The pagination cursor references an object that does not exist. ${guide}`,
    ],
  ])('404 not_found: %s', async (_row, path, message) => {
    const answer = await service.ask('GET', path())
    expect(answer).toMatchObject({ status: 404, body: { statusCode: 404, message, name: 'not_found' } })
  })

  test.each([
    ['`query` of 256 characters', `query=${'x'.repeat(256)}`],
    ['`query` of 256 characters outside the basic plane', `query=${encodeURIComponent('😀'.repeat(256))}`],
    ['`query` of 32 words', `query=${many(32).replaceAll(',', '+')}`],
    ['20 values in `from`', `from=${many(20)}`],
    ['`limit` 1', 'limit=1'],
    ['`limit` 100', 'limit=100'],
    ['the same day as `start_date` and `end_date`', 'start_date=2026-05-01&end_date=2026-05-01'],
    ['empty parameters, which say nothing', 'query=&from=&to=,&folders=&labels='],
  ])('accepts values just within the limits: %s', async (_case, query) => {
    await service.get(`/inboxes/${service.inboxId}/threads/search?${query}`)
  })

  test('reports the same messages for parameters shared with the thread list', async () => {
    const answer = await service.ask('GET', `/inboxes/${service.inboxId}/threads?folders=drafts`)
    expect(answer.body.message).toBe('The `folders` value "drafts" must be one of: inbox, archive, spam, sent, trash.')
  })
})
