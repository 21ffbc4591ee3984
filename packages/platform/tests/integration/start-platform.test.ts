import { describe, expect, test } from 'vitest'
import { type MailPlatform, startPlatform } from '../../src/start-platform.ts'
import type { List, Plain, ReceivedEmail } from './wire-shapes.ts'

const ask = (platform: MailPlatform, path: string, init: RequestInit = {}) =>
  fetch(`${platform.baseUrl}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${platform.apiKey}`, 'user-agent': 'tests' },
  })
const get = async <Body>(platform: MailPlatform, path: string): Promise<Body> =>
  (await (await ask(platform, path)).json()) as Body
const received = async (platform: MailPlatform): Promise<readonly ReceivedEmail[]> =>
  (await get<List<ReceivedEmail>>(platform, '/emails/receiving')).data

const raw = (...head: readonly string[]): string => [...head, 'Subject: Raw', '', 'Hello', ''].join('\r\n')

describe('startPlatform', () => {
  test('starts empty platforms side by side, each with its own ports and key', async () => {
    await using one = await startPlatform()
    await using other = await startPlatform()
    expect(new Set([one.baseUrl, other.baseUrl]).size).toBe(2)
    expect(new Set([one.smtpPort, other.smtpPort]).size).toBe(2)
    expect(await received(one)).toEqual([])
    expect((await ask({ ...other, apiKey: one.apiKey }, '/emails/receiving')).status).toBe(401)
  })

  test('frees its ports when disposed, and lets a second stop wait for the first', async () => {
    let ended: MailPlatform
    {
      await using platform = await startPlatform()
      ended = platform
    }
    await ended.close()
    await expect(ask(ended, '/emails')).rejects.toThrow()
    const again = await startPlatform({ port: Number(new URL(ended.baseUrl).port), smtpPort: ended.smtpPort })
    expect(again.baseUrl).toBe(ended.baseUrl)
    await again.close()
  })

  test('has no rate limit unless one is set', async () => {
    await using free = await startPlatform()
    await using limited = await startPlatform({ settings: { rateLimit: 1 }, now: () => 1_800_000_000_000 })
    const statuses = async (platform: MailPlatform) => [
      ...new Set(await Promise.all(Array.from({ length: 20 }, async () => (await ask(platform, '/emails')).status))),
    ]
    expect(await statuses(free)).toEqual([200])
    expect((await statuses(limited)).toSorted()).toEqual([200, 429])
  })

  test('explains an invalid option', async () => {
    const start = startPlatform as (options: unknown) => Promise<MailPlatform>
    await expect(start({ smtp_port: 0 })).rejects.toThrow(/^startPlatform: .*"smtp_port"/)
    await expect(start({ port: 70_000 })).rejects.toThrow(/^startPlatform\.port: /)
    await expect(start({ dataset: 'big' })).rejects.toThrow(/^startPlatform\.dataset: .*"empty"\|"demo"/)
    await expect(start({ settings: { rate: 1 } })).rejects.toThrow(/^startPlatform\.settings.*: /)
    await expect(start({ faults: [{ kind: 'earthquake' }] })).rejects.toThrow(/^faults\.0\.kind: .*"error_503"/)
    await expect(start({ faults: ['earthquake'] })).rejects.toThrow('There is no fault earthquake.')
    await expect(start({ imports: ['/nowhere.mbox'] })).rejects.toThrow('/nowhere.mbox')
  })

  describe('deliver', () => {
    test('accepts the visible fields of a message', async () => {
      await using platform = await startPlatform()
      const [email] = await platform.deliver({
        from: '"Lee, Ann" <ann@example.com>',
        to: [platform.inboxAddress, 'Eve <eve@elsewhere.example>'],
        cc: 'bob@linnet.example',
        replyTo: 'desk@example.com',
        subject: 'Grüße',
        html: '<p>Hello <img src="cid:dot"></p>',
        date: new Date('2026-02-03T04:05:06Z'),
        headers: { 'X-Ticket': '12' },
        attachments: [
          { filename: 'a.txt', content: 'à', contentType: 'text/plain' },
          { filename: 'dot.png', content: new Uint8Array([1, 2]), contentType: 'image/png', contentId: 'dot' },
        ],
      })
      expect(email).toMatchObject({ inboxId: platform.inboxId, threadId: expect.any(String) as string })
      expect(await get<Plain>(platform, `/emails/receiving/${email?.id}`)).toMatchObject({
        from: '"Lee, Ann" <ann@example.com>',
        to: [platform.inboxAddress, 'Eve <eve@elsewhere.example>'],
        cc: ['bob@linnet.example'],
        reply_to: ['desk@example.com'],
        subject: 'Grüße',
        html: expect.stringContaining('data:image/png;base64,AQI=') as string,
        text: expect.stringContaining('Hello') as string,
        headers: { 'x-ticket': '12', date: 'Tue, 03 Feb 2026 04:05:06 +0000' },
        attachments: [
          { filename: 'dot.png', size: 2, content_id: 'dot' },
          { filename: 'a.txt', size: 2 },
        ],
      })
    })

    test('works without any fields, and threads replies by Message-ID', async () => {
      await using platform = await startPlatform()
      const [first] = await platform.deliver({ messageId: '<first@example.com>' })
      const [answer] = await platform.deliver({ inReplyTo: '<first@example.com>', from: 'bob@example.com' })
      const [other] = await platform.deliver({})
      expect(answer?.threadId).toBe(first?.threadId)
      expect(other?.threadId).not.toBe(first?.threadId)
      expect((await received(platform)).map(({ from }) => from)).toContain('sender@example.com')
    })

    test('keeps a raw message byte for byte', async () => {
      await using platform = await startPlatform()
      const bytes = Buffer.from(raw('From: jos\xe9@example.com', `To: ${platform.inboxAddress}`), 'latin1')
      const [email] = await platform.deliver(bytes)
      const { raw: link } = await get<{ raw: { download_url: string } }>(platform, `/emails/receiving/${email?.id}`)
      const kept = Buffer.from(await (await fetch(link.download_url)).arrayBuffer())
      expect(kept.equals(bytes)).toBe(true)
    })

    test('delivers by header, by envelope, or to the inbox', async () => {
      await using platform = await startPlatform()
      const forOf = async (text: string, envelope?: { from?: string; to?: readonly string[] }) => {
        const [email] = await platform.deliver(text, envelope)
        return (await received(platform)).find(({ id }) => id === email?.id)?.received_for
      }
      const elsewhere = raw('From: ann@example.com', 'To: list@elsewhere.example')
      const bob = raw('From: ann@example.com', 'To: bob@linnet.example, eve@elsewhere.example')
      expect(await forOf(elsewhere)).toEqual([platform.inboxAddress])
      expect(await forOf(bob)).toEqual(['bob@linnet.example'])
      expect(await forOf(bob, { to: ['max@linnet.example'] })).toEqual(['max@linnet.example'])
    })

    test('rejects unknown recipients and invalid addresses', async () => {
      await using platform = await startPlatform()
      await expect(platform.deliver({ to: 'eve@elsewhere.example' })).rejects.toThrow(
        'No mailbox here for <eve@elsewhere.example>',
      )
      await expect(platform.deliver('x', { to: [platform.inboxAddress, 'eve@else.example'] })).rejects.toThrow(
        'No mailbox here for <eve@else.example>',
      )
      await expect(platform.deliver('x', { to: [] })).rejects.toThrow('The envelope names nobody.')
      await expect(platform.deliver({ from: 'nobody' })).rejects.toThrow(/^`from` takes addresses such as .*"nobody"/)
      await expect(platform.deliver({ from: 'a@b.example, c@d.example' })).rejects.toThrow('`from` takes one address.')
      await expect(platform.deliver({ cc: [''] })).rejects.toThrow(/^`cc` takes addresses/)
      expect(await received(platform)).toEqual([])
    })
  })

  test('adds and removes faults as rules or lines, and counts their hits', async () => {
    await using platform = await startPlatform({ faults: ['error_500 times=1'] })
    const status = async (path = '/emails') => (await ask(platform, path)).status
    expect([await status(), await status()]).toEqual([500, 200])
    expect(platform.faults()).toMatchObject([{ rule: { kind: 'error_500', times: 1 }, met: 1 }])
    platform.faults(['rate_limited GET /contacts skip=1', { kind: 'html', path: '/emails' }])
    expect([await status('/contacts'), await status('/contacts'), await status()]).toEqual([200, 429, 502])
    expect(platform.faults().map(({ seen, met }) => [seen, met])).toEqual([
      [2, 1],
      [1, 1],
    ])
    expect(() => platform.faults([{ kind: 'html', times: 0 }])).toThrow(/^faults\.0\.times: /)
    expect(platform.faults([])).toEqual([])
    expect(await status()).toBe(200)
  })

  test('moves the clock forward only', async () => {
    await using platform = await startPlatform({ settings: { accessLife: 1000 } })
    const timeOf = async (): Promise<number> => {
      const [email] = await platform.deliver({})
      const { created_at: time } = await get<{ created_at: string }>(platform, `/emails/receiving/${email?.id}`)
      return Date.parse(time)
    }
    const before = await timeOf()
    platform.advance(86_400_000)
    expect((await timeOf()) - before).toBeGreaterThanOrEqual(86_400_000)
    expect(() => platform.advance(-1)).toThrow(/^advance: /)
  })

  test('keeps only the inbox and the key on reset', async () => {
    await using platform = await startPlatform({ dataset: 'demo', faults: ['error_500 /topics'] })
    const post = (path: string, body: object) => ask(platform, path, { method: 'POST', body: JSON.stringify(body) })
    await post('/api-keys', { name: 'mine' })
    await post('/inboxes', { email_address: 'desk@other.example' })
    await platform.deliver({ to: 'desk@other.example' })
    platform.reset()
    for (const path of ['/emails', '/emails/receiving', '/contacts', '/topics', '/segments', '/templates']) {
      expect(await get(platform, path), path).toMatchObject({ data: [] })
    }
    const threads = `/inboxes/${platform.inboxId}/threads`
    expect(await get(platform, `${threads}?folders=inbox,archive,spam,sent,trash`)).toMatchObject({ data: [] })
    expect(await get(platform, `${threads}/search?query=the`)).toMatchObject({ data: [] })
    expect(await get(platform, `/inboxes/${platform.inboxId}/labels`)).toMatchObject({ data: [] })
    expect((await get<List<{ id: string }>>(platform, '/inboxes')).data.map(({ id }) => id)).toEqual([platform.inboxId])
    expect((await get<List<unknown>>(platform, '/api-keys')).data).toHaveLength(1)
    await expect(platform.deliver({ to: 'desk@other.example' })).rejects.toThrow('No mailbox here')
    await platform.deliver({ subject: 'Anew' })
    expect((await received(platform)).map(({ subject }) => subject)).toEqual(['Anew'])
  })
})
