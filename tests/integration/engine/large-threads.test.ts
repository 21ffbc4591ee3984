import { describe, expect, it } from 'vitest'
import type { BodyOwner } from '../../../src/shared/contract.ts'
import { MAX_CHUNK_LENGTH, type ChunkedBodies, type Email } from '../../../src/shared/model.ts'
import { eventually } from './support/eventually.ts'
import { startInflatingProxy } from './support/inflating-proxy.ts'
import { openSettledEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const MIB = 1024 * 1024

/** Delivers the e-mails `from` to `upTo`, exclusive, of one conversation. */
const converse = async (platform: TestPlatform, from: number, upTo: number): Promise<void> => {
  for (let count = from; count < upTo; count += 1) {
    await platform.deliver({
      messageId: `<long-${count}@example.com>`,
      ...(count > 0 && { inReplyTo: '<long-0@example.com>', references: ['<long-0@example.com>'] }),
      subject: count === 0 ? 'Long 0' : `Re: Long 0`,
      text: `Number ${count}`,
      html: `<p>Number ${count}</p>`,
    })
  }
}

const numberOf = ({ html }: { readonly html: string | null }): number => Number(/Number (\d+)/.exec(html ?? '')?.[1])

const threadIdOf = async (platform: TestPlatform): Promise<string> => {
  const { data } = await platform.ask<{ data: { id: string }[] }>('GET', `/inboxes/${platform.inboxId}/threads`)
  return data[0]?.id ?? ''
}

/** A separately loaded body, read as a window does. */
const readInPieces = async (engine: TestEngine, of: BodyOwner, apart: ChunkedBodies | null): Promise<string> => {
  const pieces: string[] = []
  const { html, version } = apart ?? { html: 0, version: '' }
  for (let place = 0; place < html; place += 1) {
    const piece = await engine.call('body.read', { of, body: 'html', version, place })
    expect(piece.length).toBeLessThanOrEqual(MAX_CHUNK_LENGTH)
    pieces.push(piece)
  }
  return pieces.join('')
}

describe('a large received e-mail', () => {
  it('arrives without its body, which is read in pieces', async () => {
    const platform = await startTestPlatform()
    const html = `<p>${'\u{1f426}'.repeat(900_000)}</p>`
    await platform.deliver({ subject: 'Large', text: 'In short', html })
    const engine = await openSettledEngine(platform)
    const { items } = await engine.call('receivedEmail.list', { offset: 0, limit: 1 })
    const id = items[0]?.id ?? ''
    const email = await engine.call('receivedEmail.get', { id })
    expect(email).toMatchObject({ html: null, text: null, apart: { html: 4, text: 1, beginning: 'In short\n' } })
    const of = { list: 'received', emailId: id } as const
    expect((await readInPieces(engine, of, email.apart)).trim()).toBe(html)
    const version = email.apart?.version ?? ''
    const first = { of, body: 'html', version, place: 0 } as const
    for (const none of [
      { ...first, place: 4 },
      { ...first, version: 'of other bodies' },
      { ...first, of: { list: 'received', emailId: 'other' } as const },
    ]) {
      expect(await engine.problemOf('body.read', none)).toMatchObject({ code: 'not_found' })
    }
  })
})

describe('a long thread', () => {
  it('includes the first bodies, and loads the others on request', async () => {
    const platform = await startTestPlatform()
    await converse(platform, 0, 40)
    const engine = await openSettledEngine(platform)
    const { inboxId } = platform
    const threadId = await threadIdOf(platform)
    const open = async (): Promise<readonly Email[]> => (await engine.call('thread.open', { inboxId, threadId })).emails
    const apartOf = (emails: readonly Email[]): readonly number[] =>
      emails.flatMap(({ apart }, at) => (apart === null ? [] : [at]))
    expect(apartOf(await open())).toEqual([])

    await engine.call('thread.change', { inboxId, threadIds: [threadId], change: { read: true } })
    const emails = await open()
    expect(apartOf(emails)).toEqual(Array.from({ length: 10 }, (_, at) => at))
    const [first] = emails
    expect(first).toMatchObject({ apart: { html: 1, text: 1, beginning: 'Number 0\n' } })
    const of = { list: 'threads', inboxId, threadId, emailId: first?.id ?? '' } as const
    expect(await readInPieces(engine, of, first?.apart ?? null)).toContain('<p>Number 0</p>')
  })
})

describe('a thread of large e-mails', () => {
  it.each([true, false])('is fetched in small pages, and complete afterwards (sizes told: %s)', async (told) => {
    const platform = await startTestPlatform()
    await converse(platform, 0, 7)
    const bodyOf = (email: { readonly html: string | null }): string =>
      `<p>${'\u{1f426}'.repeat(numberOf(email) === 3 ? 600_000 : 180_000)}${numberOf(email)}</p>`
    const { baseUrl, pages } = await startInflatingProxy(platform.baseUrl, bodyOf, told)
    const engine = await openSettledEngine({ baseUrl, apiKey: platform.apiKey })
    const { inboxId } = platform
    const threadId = await threadIdOf(platform)
    const conversation = await engine.call('thread.open', { inboxId, threadId })
    expect(conversation.emails).toHaveLength(7)
    // The newest bodies are included, and the response fits a few frames.
    expect(conversation.emails.at(-1)?.apart).toBeNull()
    expect(JSON.stringify(conversation).length).toBeLessThan(2.5 * MAX_CHUNK_LENGTH)
    const bodies: (string | null)[] = []
    for (const { id, html, apart } of conversation.emails) {
      const of = { list: 'threads', inboxId, threadId, emailId: id } as const
      bodies.push(apart === null ? html : await readInPieces(engine, of, apart))
    }
    expect(bodies).toEqual(Array.from({ length: 7 }, (_, count) => bodyOf({ html: `Number ${count}` })))
    expect(conversation.emails[3]?.apart).toMatchObject({ html: 3, text: 1, beginning: 'Number 3\n' })
    expect(pages().length).toBeLessThan(20)
    expect(await engine.rollbackNotices()).toEqual([])
  })

  it('shows an oversized e-mail by its headers, without downloading it again', async () => {
    const platform = await startTestPlatform()
    await converse(platform, 0, 3)
    const filler = 'x'.repeat(65 * MIB)
    const { baseUrl, pages } = await startInflatingProxy(platform.baseUrl, (email) =>
      numberOf(email) === 1 ? filler : undefined,
    )
    const engine = await openSettledEngine({ baseUrl, apiKey: platform.apiKey })
    const threadId = await threadIdOf(platform)
    const open = async (): Promise<readonly Email[]> =>
      (await engine.call('thread.open', { inboxId: platform.inboxId, threadId })).emails
    const emails = await open()
    expect(emails.map(({ html }) => html?.trim() ?? null)).toEqual(['<p>Number 0</p>', null, '<p>Number 2</p>'])
    expect(emails[1]).toMatchObject({
      from: 'ada@example.com',
      subject: 'Re: Long 0',
      text: expect.stringContaining('too large to download') as string,
    })
    expect(await engine.status()).toMatchObject({ problem: null, connection: 'online' })
    const asked = pages().length
    await engine.call('sync.now', {})
    await open()
    expect(pages()).toHaveLength(asked)
    expect(asked).toBeLessThan(8)
    const sent = pages().reduce((sum, { bytes }) => sum + bytes(), 0)
    expect(sent).toBeLessThan(20 * MIB)
  })

  it('fetches only its new e-mails', async () => {
    const platform = await startTestPlatform()
    await converse(platform, 0, 12)
    const inboxPath = `/inboxes/${platform.inboxId}`
    const threadId = await threadIdOf(platform)
    await platform.ask('PATCH', `${inboxPath}/threads/${threadId}`, { read: true })
    const { baseUrl, pages } = await startInflatingProxy(platform.baseUrl, () => undefined)
    const engine = await openSettledEngine({ baseUrl, apiKey: platform.apiKey })
    const open = async (): Promise<readonly Email[]> =>
      (await engine.call('thread.open', { inboxId: platform.inboxId, threadId })).emails
    const before = await open()
    const asked = pages().length
    await converse(platform, 12, 14)
    await engine.call('sync.now', {})
    const after = await eventually(open, (emails) => emails.length === 14)
    expect(after.slice(0, 12)).toEqual(before.map((email) => ({ ...email, read: after[0]?.read })))
    const news = pages().slice(asked)
    expect(news.map(({ query }) => query.includes(`after=${before.at(-1)?.id ?? ''}`))).not.toContain(false)
    expect(news.reduce((sum, { items }) => sum + items, 0)).toBeLessThanOrEqual(4)
  })
})
