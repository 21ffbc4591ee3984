import { describe, expect, it } from 'vitest'
import type { PlatformRequest } from '../../../../src/engine/platform/http-client.ts'
import { createMailPlatform, type MailPlatform } from '../../../../src/engine/platform/mail-platform.ts'
import { UnreadableResponseError } from '../../../../src/engine/platform/platform-problem.ts'
import type { PageOptions } from '../../../../src/engine/platform/requests.ts'

const options = { priority: 'action', signal: new AbortController().signal } as const

const platformOf = (answer: (after: string | undefined, asked: number) => readonly object[]) => {
  let asked = 0
  const request = ({ query }: PlatformRequest): Promise<unknown> => {
    asked += 1
    if (asked > 1000) throw new Error('asked for ever')
    return Promise.resolve({ data: answer(query?.after as string | undefined, asked), has_more: true })
  }
  const platform = createMailPlatform({ request })
  return { platform, asked: () => asked }
}

describe('a list read to its end', () => {
  it('ends at a page with nothing new, even if two cursors form a cycle', async () => {
    const { platform, asked } = platformOf((after) => [{ id: after === 'a' ? 'b' : 'a', name: 'x' }])
    expect((await platform.listContactTopics('c', options)).map(({ id }) => id)).toEqual(['a', 'b'])
    expect(asked()).toBe(3)
  })

  it('ends at ten thousand items if the platform never does', async () => {
    const { platform, asked } = platformOf((_after, page) =>
      Array.from({ length: 100 }, (_, at) => ({ id: `${page}.${at}` })),
    )
    expect(await platform.listContactTopics('c', options)).toHaveLength(10_000)
    expect(asked()).toBe(100)
  })
})

describe('an object requested by ID', () => {
  const CALLS: Readonly<Record<string, (platform: MailPlatform) => Promise<unknown>>> = {
    'a received e-mail': (platform) => platform.getReceivedEmail('wanted', options),
    'a sent e-mail': (platform) => platform.getSentEmail('wanted', options),
    'a thread': (platform) => platform.getThread('inbox', 'wanted', options),
    'a draft': (platform) => platform.getDraft('inbox', 'wanted', options),
    'a template': (platform) => platform.getTemplate('wanted', options),
    'an event': (platform) => platform.getWebhookEvent('webhook', 'wanted', options),
  }

  it.each(Object.entries(CALLS))('isn’t taken from a response about another object: %s', async (_, ask) => {
    const answering = (id: string) => createMailPlatform({ request: () => Promise.resolve({ id, name: 'x' }) })
    await expect(ask(answering('other'))).rejects.toThrow(UnreadableResponseError)
    await expect(ask(answering('wanted'))).resolves.toBeDefined()
  })
})

const LISTS: Readonly<Record<string, (platform: MailPlatform, page: PageOptions) => Promise<unknown>>> = {
  inboxes: (platform, page) => platform.listInboxes(page),
  threads: (platform, page) => platform.listThreads('inbox', { folders: ['inbox'] }, page),
  'found threads': (platform, page) => platform.searchThreads('inbox', {}, page),
  'e-mails of a thread': (platform, page) =>
    platform.listThreadEmails('inbox', 'thread', { ...page, maxBytes: 1_000_000 }),
  contacts: (platform, page) => platform.listContacts(page),
  'contacts of a segment': (platform, page) => platform.listSegmentContacts('segment', page),
  'received e-mails': (platform, page) => platform.listReceivedEmails(page),
  'sent e-mails': (platform, page) => platform.listSentEmails(page),
  drafts: (platform, page) => platform.listDrafts('inbox', page),
  suppressions: (platform, page) => platform.listSuppressions(page),
  'events of a webhook': (platform, page) => platform.listWebhookEvents('webhook', page),
}

describe('a page of a list', () => {
  it.each(Object.entries(LISTS))('of %s with invalid parameters never leaves the client', async (_, list) => {
    const { platform, asked } = platformOf(() => [])
    const pages: readonly object[] = [
      ...[0, 101, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY].map((limit) => ({ limit })),
      ...['', ' ', 'a b', 'a\n', 'ü', 'x'.repeat(513)].map((after) => ({ after })),
      { after: 'a', before: 'b' },
    ]
    for (const page of pages) {
      const refused = list(platform, { ...options, ...page })
      await expect(refused, JSON.stringify(page)).rejects.toMatchObject({ problem: { code: 'invalid_input' } })
    }
    expect(asked()).toBe(0)
    for (const limit of [1, 100])
      await list(platform, { ...options, limit, after: '5f0c0f6e-0000-4000-8000-000000000000' })
    expect(asked()).toBe(2)
  })

  it('covers every paged list', () => {
    const { platform } = platformOf(() => [])
    // Labels come in one response; topics, templates and the like are always read completely, from the top.
    const others = [
      ...['listLabels', 'listAttachments', 'listContactTopics', 'listContactSegments'],
      ...['listTopics', 'listSegments', 'listContactProperties', 'listTemplates', 'listWebhooks'],
    ]
    const paged = Object.keys(platform).filter((name) => /^(list|search)/.test(name) && !others.includes(name))
    expect(paged).toHaveLength(Object.keys(LISTS).length)
  })
})

describe('a thread’s labels before they are all replaced', () => {
  const labelsOf = (answer: unknown): Promise<readonly string[]> =>
    createMailPlatform({ request: () => Promise.resolve(answer) }).getLabelsToSet('inbox', 'thread', options)

  it('are read completely or not at all, since omitted ones would be removed', async () => {
    expect(await labelsOf({ labels: [{ id: 'a', name: 'A' }, { id: 'b' }] })).toEqual(['a', 'b'])
    expect(await labelsOf({ labels: [] })).toEqual([])
    for (const answer of [{}, { labels: null }, { labels: [{ id: 'a' }, { name: 'B' }] }, { labels: [null] }, []])
      await expect(labelsOf(answer), JSON.stringify(answer)).rejects.toBeInstanceOf(UnreadableResponseError)
  })
})
