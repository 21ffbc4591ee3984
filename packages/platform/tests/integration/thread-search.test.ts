import { randomUUID } from 'node:crypto'
import type { SendMailOptions } from 'nodemailer'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ServiceUnderTest, type TestOptions, startTestService } from './service-under-test.ts'
import type { List, Thread, ThreadEmail } from './wire-shapes.ts'

describe('thread search', () => {
  let service: ServiceUnderTest
  const restart = async (options: TestOptions): Promise<void> => {
    await service.close()
    service = await startTestService({ trustDate: true, ...options })
  }
  beforeEach(async () => {
    service = await startTestService({ trustDate: true })
  })
  afterEach(() => service.close())

  const threadsPath = (): string => `/inboxes/${service.inboxId}/threads`
  /** Subjects of the threads found, in order. */
  const search = async (query: string): Promise<unknown[]> =>
    (await service.get<List<Thread>>(`${threadsPath()}/search?${query}`)).data.map(({ subject }) => subject)
  const threadId = async (subject: string): Promise<string> => {
    const page = await service.get<List<Thread>>(`${threadsPath()}?folders=inbox,archive,spam,sent,trash&limit=100`)
    const thread = page.data.find((item) => item.subject === subject)
    if (!thread) throw new Error(`No thread ${subject}`)
    return thread.id
  }
  const change = (subject: string, body: object): Promise<unknown> =>
    threadId(subject).then((id) => service.ask('PATCH', `${threadsPath()}/${id}`, body))
  const reply = async (subject: string, body: object): Promise<void> => {
    const id = await threadId(subject)
    const { data } = await service.get<List<ThreadEmail>>(`${threadsPath()}/${id}/emails`)
    const answer = await service.ask('POST', `${threadsPath()}/${id}/emails/${data[0]?.id}/reply`, body)
    expect(answer.status).toBe(200)
  }
  const mail = (subject: string, more: SendMailOptions = {}): Promise<void> =>
    service.deliver({ subject, text: 'x', date: '2026-05-01T12:00:00Z', ...more })

  describe('query words (platform.md 9.1)', () => {
    test('finds words in subject, body, sender, recipients and attachment names', async () => {
      await mail('Quarterly report', {
        from: 'Zoë Çelik <zoe@shop.example>',
        cc: 'Ivo <ivo@cc.example>',
        text: 'The numbers look fine',
        attachments: [{ filename: 'Balance-Sheet.pdf', content: 'x' }],
      })
      for (const query of [
        'report numbers',
        'celik',
        'shop.example',
        'ivo',
        'balance',
        'inbox@linnet.example',
        'quarterly zoe sheet',
      ]) {
        expect(await search(`query=${query}`), query).toEqual(['Quarterly report'])
      }
      for (const query of ['report missing', 'numb', 'eport']) expect(await search(`query=${query}`), query).toEqual([])
    })

    test('finds words in an HTML body, but not its markup or scripts', async () => {
      await mail('page', {
        text: '',
        html: '<style>.hidden{}</style><p>Sp<b>ring</b>&nbsp;sale</p><script>evil()</script>',
      })
      expect(await search('query=spring sale')).toEqual(['page'])
      for (const query of ['hidden', 'evil', 'nbsp']) expect(await search(`query=${query}`), query).toEqual([])
    })
  })

  describe('commas and several parameters (platform.md 9.2)', () => {
    beforeEach(async () => {
      await mail('one', { from: 'Ann Lee <ann@red.example>', cc: 'carl@c.example' })
      await mail('two', { from: 'Bob Ray <bob@blue.example>', to: `${service.inboxAddress}, Dora <dora@d.example>` })
      await mail('three', { from: 'Cy Ann <cy@green.example>' })
    })

    test('matches `from` against parts of the address or name, in any case', async () => {
      expect((await search('from=ANN')).toSorted()).toEqual(['one', 'three'])
      expect((await search('from=blue.ex,green')).toSorted()).toEqual(['three', 'two'])
      expect(await search('from=lee <ann')).toEqual([])
    })

    test('matches `to`, `cc` and `bcc` like `from`', async () => {
      expect(await search('to=dora')).toEqual(['two'])
      expect(await search('cc=CARL@')).toEqual(['one'])
      expect(await search('bcc=ann')).toEqual([])
    })

    test('finds sent mail by `bcc`', async () => {
      await reply('one', { text: 'hi', bcc: 'Secret Sam <sam@hidden.example>' })
      expect(await search('bcc=secret&folders=sent')).toEqual(['one'])
    })
  })

  describe('conditions on the thread (platform.md 9.3)', () => {
    test('searches spam and trash only when named', async () => {
      for (const folder of ['archive', 'spam', 'trash'] as const) {
        await mail(folder)
        await change(folder, { folder })
      }
      await mail('inbox')
      expect(await search('')).toEqual(['inbox'])
      expect((await search('folders=inbox,archive,spam,trash')).toSorted()).toEqual([
        'archive',
        'inbox',
        'spam',
        'trash',
      ])
      expect(await search('folders=trash')).toEqual(['trash'])
    })

    test('includes threads the inbox replied to in `sent`, except those in spam or trash', async () => {
      await mail('answered')
      await reply('answered', { text: 'done' })
      expect(await search('folders=sent')).toEqual(['answered'])
      expect(await search('folders=inbox')).toEqual(['answered'])
      await change('answered', { folder: 'trash' })
      expect(await search('folders=sent')).toEqual([])
    })

    test('finds threads with any of the `labels`, by default in inbox, archive and sent', async () => {
      const label = async (name: string): Promise<string> =>
        (await service.ask('POST', `/inboxes/${service.inboxId}/labels`, { name })).body.id
      const [red, blue] = [await label('red'), await label('blue')]
      for (const [subject, labels] of [
        ['a', [red]],
        ['b', [blue]],
        ['c', []],
        ['d', [red, blue]],
      ] as const) {
        await mail(subject)
        await service.ask('PUT', `${threadsPath()}/${await threadId(subject)}/labels`, { labels })
      }
      await change('b', { folder: 'archive' })
      await change('d', { folder: 'spam' })
      expect((await search(`labels=${red},${blue}`)).toSorted()).toEqual(['a', 'b'])
      expect((await search(`labels=${red}&folders=inbox,spam`)).toSorted()).toEqual(['a', 'd'])
      expect((await search(`labels=${red.toUpperCase()}`)).toSorted()).toEqual(['a'])
    })

    test('filters threads by `read`: all or not all e-mails read', async () => {
      await mail('seen')
      await change('seen', { read: true })
      await mail('new')
      expect(await search('read=true')).toEqual(['seen'])
      expect(await search('read=false')).toEqual(['new'])
      await mail('seen', { inReplyTo: '<unknown@x>', subject: 'Re: seen' })
      expect(await search('read=true')).toEqual([])
    })
  })

  describe('conditions on one e-mail, and its folder (platform.md 9.4 and 9.5)', () => {
    test('doesn’t combine words from two e-mails of a thread', async () => {
      await mail('topic', { messageId: '<a@x>', text: 'alpha', from: 'ann@example.com' })
      await mail('Re: topic', { inReplyTo: '<a@x>', text: 'beta', from: 'bob@example.com' })
      expect(await search('query=alpha beta')).toEqual([])
      expect(await search('query=alpha&from=ann')).toEqual(['topic'])
      expect(await search('query=alpha&from=bob')).toEqual([])
    })

    test('matches only e-mails sent by the inbox in `sent`', async () => {
      await mail('topic', { text: 'question' })
      await reply('topic', { text: 'solution' })
      expect(await search('query=solution&folders=sent')).toEqual(['topic'])
      expect(await search('query=question&folders=sent')).toEqual([])
      expect(await search('query=question&folders=inbox')).toEqual(['topic'])
    })

    test('applies `has_attachment` to the e-mail with the words', async () => {
      await mail('topic', { messageId: '<a@x>', text: 'alpha', attachments: [{ filename: 'f.txt', content: 'x' }] })
      await mail('Re: topic', { inReplyTo: '<a@x>', text: 'beta' })
      expect(await search('query=alpha&has_attachment=true')).toEqual(['topic'])
      expect(await search('query=beta&has_attachment=true')).toEqual([])
      expect(await search('query=beta&has_attachment=false')).toEqual(['topic'])
    })

    test('includes both dates and their whole days, and respects offsets', async () => {
      await mail('late', { date: '2026-05-01T23:59:59Z' })
      await mail('next', { date: '2026-05-02T00:00:00Z' })
      expect(await search('end_date=2026-05-01')).toEqual(['late'])
      expect(await search('start_date=2026-05-02')).toEqual(['next'])
      expect(await search('start_date=2026-05-01T23:59:59Z&end_date=2026-05-01T23:59:59Z')).toEqual(['late'])
      expect(await search('end_date=2026-05-01T23:59:58Z')).toEqual([])
      expect(await search(`start_date=${encodeURIComponent('2026-05-02T02:00:00+02:00')}`)).toEqual(['next'])
      expect(await search('start_date=2026-05-02T00:00:00')).toEqual(['next'])
    })
  })

  test('above the cap, the threads with the newest matching e-mails are covered (platform.md 9.6)', async () => {
    await restart({ searchCap: 3 })
    for (let day = 1; day <= 5; day++) {
      await mail(`day ${day}`, { messageId: `<d${day}@x>`, text: 'needle', date: `2026-05-0${day}T00:00:00Z` })
    }
    // A later e-mail that doesn't match moves the oldest match to the top; the cap still drops it.
    await mail('Re: day 1', { inReplyTo: '<d1@x>', text: 'hay', date: '2026-05-09T00:00:00Z' })
    expect(await search('query=needle')).toEqual(['day 5', 'day 4', 'day 3'])
    expect(await search('')).toEqual(['day 1', 'day 5', 'day 4'])
  })

  describe('order and pages', () => {
    beforeEach(async () => {
      for (let day = 1; day <= 7; day++) await mail(`day ${day}`, { date: `2026-05-0${day}T00:00:00Z` })
    })

    test.each(['/search', ''])('threads%s: pages by latest activity in both directions', async (suffix) => {
      const page = (query: string) => service.get<List<Thread>>(`${threadsPath()}${suffix}?${query}`)
      const subjects = ({ data }: List<Thread>) => data.map(({ subject }) => subject)
      const first = await page('limit=3')
      expect([subjects(first), first.has_more]).toEqual([['day 7', 'day 6', 'day 5'], true])
      const second = await page(`limit=3&after=${first.data[2]?.id}`)
      expect([subjects(second), second.has_more]).toEqual([['day 4', 'day 3', 'day 2'], true])
      const last = await page(`limit=3&after=${second.data[2]?.id}`)
      expect([subjects(last), last.has_more]).toEqual([['day 1'], false])
      const back = await page(`limit=3&before=${last.data[0]?.id}`)
      expect([subjects(back), back.has_more]).toEqual([['day 4', 'day 3', 'day 2'], true])
      const top = await page(`limit=5&before=${back.data[0]?.id}`)
      expect([subjects(top), top.has_more]).toEqual([['day 7', 'day 6', 'day 5'], false])
    })

    test.each(['/search', ''])('threads%s: neither repeats nor skips a thread while mail arrives', async (suffix) => {
      const seen: unknown[] = []
      let cursor = ''
      for (;;) {
        const page: List<Thread> = await service.get(`${threadsPath()}${suffix}?limit=2${cursor}`)
        seen.push(...page.data.map(({ subject }) => subject))
        await mail(`new ${seen.length}`, { date: '2026-05-20T00:00:00Z' })
        if (!page.has_more) break
        cursor = `&after=${page.data.at(-1)?.id}`
      }
      expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1].map((day) => `day ${day}`))
    })

    test('returns 20 threads per page by default', async () => {
      for (let n = 0; n < 20; n++) await mail(`more ${n}`)
      expect((await search('')).length).toBe(20)
    })

    test('rejects a cursor that isn’t in the results', async () => {
      const answer = await service.ask('GET', `${threadsPath()}/search?query=zzz&after=${await threadId('day 3')}`)
      expect(answer.status).toBe(404)
    })
  })

  describe('matched_email_id', () => {
    const match = async (query: string): Promise<Thread> => {
      const [thread] = (await service.get<List<Thread>>(`${threadsPath()}/search?${query}`)).data
      if (!thread) throw new Error('Nothing matched.')
      return thread
    }
    /** Opens a match as a client does. */
    const open = (thread: Thread) =>
      service.get<ThreadEmail>(`${threadsPath()}/${thread.id}/emails/${thread.matched_email_id}`)

    beforeEach(async () => {
      await mail('topic', { messageId: '<a@x>', text: 'apple apple apple', date: '2026-05-01T00:00:00Z' })
      await mail('Re: topic', { inReplyTo: '<a@x>', text: 'one apple', date: '2026-05-02T00:00:00Z' })
      await mail('Re: topic', { inReplyTo: '<a@x>', text: 'pears', date: '2026-05-03T00:00:00Z' })
    })

    test('is the most relevant match of a search with words', async () => {
      expect((await open(await match('query=apple'))).text).toContain('apple apple apple')
    })

    test('is the newest match without words, or with only excluded ones', async () => {
      expect((await open(await match('from=ann'))).text).toContain('pears')
      expect((await open(await match('query=-pears'))).text).toContain('one apple')
      expect((await open(await match('end_date=2026-05-02'))).text).toContain('one apple')
    })

    test('is accepted in place of an e-mail ID, but isn’t one', async () => {
      const thread = await match('query=apple')
      const email = await open(thread)
      expect(email.id).not.toBe(thread.matched_email_id)
      const answer = await service.ask(
        'POST',
        `${threadsPath()}/${thread.id}/emails/${thread.matched_email_id}/reply`,
        { text: 'ok' },
      )
      expect(answer.status).toBe(200)
    })
  })

  test('finds a new e-mail after the index delay, while the thread list has it at once', async () => {
    await restart({ indexDelay: 60_000, trustDate: false })
    await mail('fresh')
    expect((await service.get<List<Thread>>(threadsPath())).data).toHaveLength(1)
    expect(await search('')).toEqual([])
    service.advance(59_000)
    expect(await search('')).toEqual([])
    service.advance(2000)
    expect(await search('')).toEqual(['fresh'])
  })

  test('never finds threads of another inbox', async () => {
    const other = await service.ask('POST', '/inboxes', { email_address: `other-${randomUUID()}@linnet.example` })
    await mail('mine')
    expect((await service.get<List<Thread>>(`/inboxes/${other.body.id}/threads/search`)).data).toEqual([])
  })
})
