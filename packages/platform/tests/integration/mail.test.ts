import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ServiceUnderTest, type TestOptions, eventually, startTestService } from './service-under-test.ts'
import type { Attachment, List, ReceivedEmail, SentEmail, Thread, ThreadEmail } from './wire-shapes.ts'

const day = 24 * 60 * 60 * 1000

describe('mail', () => {
  let service: ServiceUnderTest
  const restart = async (options: TestOptions): Promise<void> => {
    await service.close()
    service = await startTestService(options)
  }
  beforeEach(async () => {
    service = await startTestService()
  })
  afterEach(() => service.close())

  const threads = async (query = 'folders=inbox,archive,spam,sent,trash'): Promise<readonly Thread[]> =>
    (await service.get<List<Thread>>(`/inboxes/${service.inboxId}/threads?${query}`)).data
  const emailsOf = async (thread: Thread | undefined): Promise<readonly ThreadEmail[]> =>
    (await service.get<List<ThreadEmail>>(`/inboxes/${service.inboxId}/threads/${thread?.id}/emails?limit=100`)).data
  const received = async (): Promise<readonly ReceivedEmail[]> =>
    (await service.get<List<ReceivedEmail>>('/emails/receiving')).data
  const send = (body: object) =>
    service.ask('POST', '/emails', { from: service.inboxAddress, subject: 's', text: 't', ...body })

  /** Speaks SMTP line by line, so a test can behave like any client. @returns the replies */
  const speakSmtp = (lines: readonly (string | Buffer)[]): Promise<readonly string[]> =>
    new Promise((resolve, reject) => {
      const replies: string[] = []
      const rest = [...lines]
      let pending = ''
      const socket = connect(service.smtpPort, '127.0.0.1')
      socket.setEncoding('utf8').on('data', (text: string) => {
        pending += text
        // The last line of a reply has a space after its code.
        if (!/^\d{3} .*\r\n$/m.test(pending)) return
        replies.push(pending.trim())
        pending = ''
        const next = rest.shift()
        if (next === undefined) socket.end()
        else socket.write(typeof next === 'string' ? `${next}\r\n` : next)
      })
      socket.on('close', () => {
        resolve(replies)
      })
      socket.on('error', reject)
    })

  describe('incoming SMTP', () => {
    test('a message is kept byte for byte', async () => {
      const message = Buffer.concat([
        Buffer.from(
          'From: "Jos\xe9" <jose@example.com>\r\nSubject: raw \xff\r\nX-Odd:\t tabs \t\r\n\r\nline\r\n..dot\r\n',
          'latin1',
        ),
        Buffer.from([0x80, 0xfe, 0x0d, 0x0a]),
      ])
      const stuffed = Buffer.from(message.toString('latin1').replace(/^\./gm, '..'), 'latin1')
      const replies = await speakSmtp([
        'EHLO test',
        'MAIL FROM:<jose@example.com> BODY=8BITMIME',
        `RCPT TO:<${service.inboxAddress}>`,
        'DATA',
        Buffer.concat([stuffed, Buffer.from('.\r\n')]),
        'QUIT',
      ])
      expect(replies[1]).toContain('8BITMIME')
      expect(replies[1]).toContain('SMTPUTF8')
      expect(replies[5]).toMatch(/^250/)
      const [item] = await received()
      const email = await service.get<ReceivedEmail>(`/emails/receiving/${item?.id}`)
      const download = await fetch(email.raw.download_url)
      expect(Buffer.from(await download.arrayBuffer()).equals(message)).toBe(true)
    })

    test('SMTPUTF8 addresses are accepted unchanged', async () => {
      await service.ask('POST', '/inboxes', { email_address: 'größe@linnet.example' })
      const replies = await speakSmtp([
        'EHLO test',
        'MAIL FROM:<jörg@beispiel.example> SMTPUTF8',
        'RCPT TO:<größe@linnet.example>',
        'DATA',
        Buffer.from('From: Jörg <jörg@beispiel.example>\r\nSubject: Grüße\r\n\r\nx\r\n.\r\n'),
        'QUIT',
      ])
      expect(replies[5]).toMatch(/^250/)
      expect((await received())[0]).toMatchObject({
        from: 'Jörg <jörg@beispiel.example>',
        subject: 'Grüße',
        received_for: ['größe@linnet.example'],
      })
    })

    test.each([
      ['a@xn--bcher-kva.example', 'a@bücher.example'],
      ['a@bücher.example', 'a@xn--bcher-kva.example'],
    ])('%s and %s are the same inbox', async (given, other) => {
      await service.ask('POST', '/inboxes', { email_address: given })
      const replies = await speakSmtp([
        'EHLO test',
        'MAIL FROM:<x@y.example> SMTPUTF8',
        `RCPT TO:<${given}>`,
        `RCPT TO:<${other}>`,
        'DATA',
        Buffer.from(`To: ${other}\r\nSubject: x\r\n\r\nx\r\n.\r\n`),
        'QUIT',
      ])
      expect(replies.map((reply) => reply.slice(0, 3))).toEqual([
        '220',
        '250',
        '250',
        '250',
        '250',
        '354',
        '250',
        '221',
      ])
      const emails = await received()
      expect(emails).toHaveLength(1)
      expect(emails[0]?.to).toHaveLength(1)
      expect((await service.ask('POST', '/inboxes', { email_address: other })).status).toBe(422)
    })

    test('a message to several recipients reaches each inbox once', async () => {
      const { body } = await service.ask('POST', '/inboxes', { email_address: 'second@linnet.example' })
      await service.deliver({
        subject: 'To many',
        to: 'Team <team@linnet.example>',
        envelope: {
          from: 'ann@example.com',
          to: [
            service.inboxAddress,
            'inbox+tag@linnet.example',
            'second@linnet.example',
            'team@linnet.example',
            'all@linnet.example',
          ],
        },
      })
      expect((await received()).map(({ received_for }) => received_for).toSorted()).toEqual(
        [
          [service.inboxAddress, 'inbox+tag@linnet.example'],
          ['second@linnet.example'],
          ['team@linnet.example', 'all@linnet.example'],
        ].toSorted(),
      )
      expect(await threads()).toHaveLength(1)
      expect((await service.get<List<Thread>>(`/inboxes/${body.id}/threads`)).data).toHaveLength(1)
    })

    test('an external recipient is rejected: nothing is relayed', async () => {
      const replies = await speakSmtp([
        'EHLO test',
        'MAIL FROM:<a@example.com>',
        'RCPT TO:<b@elsewhere.example>',
        'QUIT',
      ])
      expect(replies[3]).toMatch(/^550/)
    })

    test('an oversized message is rejected before and after transfer', async () => {
      const early = await speakSmtp(['EHLO test', 'MAIL FROM:<a@example.com> SIZE=99999999', 'QUIT'])
      expect(early[2]).toMatch(/^552/)
      await expect(service.deliver({ subject: 'big', text: 'x'.repeat(42 * 1024 * 1024) })).rejects.toThrow(
        /552|exceed/,
      )
      expect(await received()).toEqual([])
    })

    test('a received e-mail has its people, bodies, inline images and attachments', async () => {
      await service.deliver({
        from: '"Lee, Ann" <ann@example.com>',
        to: 'List <list@lists.example>',
        envelope: { from: 'bounce@example.com', to: [service.inboxAddress] },
        replyTo: 'reply@example.com',
        subject: 'All of it',
        text: 'plain',
        html: '<p><img src="cid:logo@x"></p>',
        attachments: [
          { filename: 'logo.png', content: 'png', cid: 'logo@x' },
          { filename: 'räport.pdf', content: 'pdf!', contentType: 'application/pdf' },
        ],
      })
      const [thread] = await threads()
      // The envelope recipients, not the To header.
      expect(thread).toMatchObject({
        from: '"Lee, Ann" <ann@example.com>',
        to: [service.inboxAddress],
        has_attachment: true,
      })
      const [email] = await emailsOf(thread)
      expect(email?.to).toEqual(['List <list@lists.example>', service.inboxAddress])
      expect(email?.html).toContain('src="data:image/png;base64,cG5n"')
      expect(email?.attachments).toMatchObject([{ filename: 'logo.png' }, { filename: 'räport.pdf', size: 4 }])
      const full = await service.get<ReceivedEmail>(`/emails/receiving/${email?.id}`)
      expect(full).toMatchObject({ html_format: 'data_uri', headers: { 'reply-to': 'reply@example.com' } })
      expect(full.attachments.map(({ filename }) => filename)).toEqual(['logo.png', 'räport.pdf'])
      const cid = await service.get<ReceivedEmail>(`/emails/receiving/${email?.id}?html_format=cid`)
      expect([cid.html_format, cid.html?.includes('cid:logo@x')]).toEqual(['cid', true])
      const pdf = await service.get<Attachment>(
        `/emails/receiving/${email?.id}/attachments/${email?.attachments[1]?.id}`,
      )
      const download = await fetch(pdf.download_url)
      expect([await download.text(), download.headers.get('content-type')]).toEqual(['pdf!', 'application/pdf'])
    })

    describe('an inline image', () => {
      const deliverImage = (): Promise<void> =>
        service.deliver({
          subject: 'Shown',
          html: '<p><img src="cid:logo@x"></p>',
          attachments: [{ filename: 'seagull.png', content: 'png', cid: 'logo@x' }],
        })
      const found = async (query: string): Promise<number> =>
        (await service.get<List<Thread>>(`/inboxes/${service.inboxId}/threads/search?${query}`)).data.length

      test.each([
        [{}, 'is an attachment like any other', [1, 1, true, 1]],
        [{ inlineImages: 'counted' }, 'is an attachment like any other', [1, 1, true, 1]],
        [{ inlineImages: 'named' }, 'is found by its name and is no attachment otherwise', [1, 0, false, 0]],
        [{ inlineImages: 'hidden' }, 'is none', [0, 0, false, 0]],
      ] as const)('with %j it %s', async (options, _what, expected) => {
        await restart(options)
        await deliverImage()
        const [thread] = await threads()
        const [email] = await emailsOf(thread)
        expect([
          await found('query=seagull'),
          await found('has_attachment=true'),
          thread?.has_attachment,
          email?.attachments.length,
        ]).toEqual(expected)
        expect(email?.html).toContain('data:image/png')
        expect((await received())[0]?.attachments).toMatchObject([{ content_disposition: 'inline' }])
      })

      test('has the same status in lists, has_attachment and query', async () => {
        const folder = await mkdtemp(join(tmpdir(), 'service-mail-'))
        const data = join(folder, 'mail.db')
        await restart({ inlineImages: 'hidden', service: { data } })
        await deliverImage()
        await restart({ service: { data } })
        const [thread] = await threads()
        const [email] = await emailsOf(thread)
        expect([
          await found('query=seagull'),
          await found('has_attachment=true'),
          thread?.has_attachment,
          email?.attachments.length,
        ]).toEqual([0, 0, false, 0])
        await restart({})
        await rm(folder, { recursive: true })
      })

      test('is inlined into the HTML up to 100 MB, and referenced beyond', async () => {
        await service.deliver({
          subject: 'Shown',
          html: '<img src="cid:big@x">'.repeat(2000),
          attachments: [{ filename: 'big.png', content: Buffer.alloc(60_000, 7), cid: 'big@x' }],
        })
        const [email] = await received()
        const full = await service.get<ReceivedEmail>(`/emails/receiving/${email?.id}`)
        expect(full.html_format).toBe('cid')
        expect(full.html?.length).toBeLessThan(100_000)
      })
    })

    test('an e-mail’s time is its arrival, or its Date header with --trust-date', async () => {
      await service.deliver({ subject: 'old', date: '2020-01-01T00:00:00Z' })
      expect((await threads())[0]?.received_at).not.toContain('2020')
      await restart({ trustDate: true })
      await service.deliver({ subject: 'old', date: '2020-01-01T00:00:00Z' })
      expect((await threads())[0]?.received_at).toBe('2020-01-01T00:00:00.000Z')
    })

    test('authentication comes from the message or the switch', async () => {
      const headers = { 'Authentication-Results': 'mx.example; spf=pass; dkim=fail (bad); dmarc=softfail' }
      const authentication = async () => {
        await service.deliver({ subject: 'x', headers })
        return (await service.get<ReceivedEmail>(`/emails/receiving/${(await received())[0]?.id}`)).authentication
      }
      expect(await authentication()).toEqual({ spf: 'pass', dkim: 'fail', dmarc: 'gray' })
      await restart({ authentication: { spf: 'fail', dkim: 'unknown', dmarc: 'pass' } })
      expect(await authentication()).toEqual({ spf: 'fail', dkim: 'unknown', dmarc: 'pass' })
    })
  })

  describe('threads', () => {
    const counts = async (): Promise<unknown[]> => (await threads()).map(({ email_count: count }) => count).toSorted()

    test('a reply joins by In-Reply-To, References or a shared reference', async () => {
      await service.deliver({ subject: 'a', messageId: '<1@x>' })
      await service.deliver({ subject: 'b', messageId: '<2@x>', inReplyTo: '<1@x>' })
      await service.deliver({ subject: 'c', messageId: '<3@x>', references: '<1@x> <gone@x>' })
      await service.deliver({ subject: 'd', messageId: '<4@x>', inReplyTo: '<gone@x>' })
      expect(await counts()).toEqual([4])
    })

    test('a reply that arrived before its question is joined by it', async () => {
      await service.deliver({ subject: 'Re: q', messageId: '<answer@x>', inReplyTo: '<question@x>' })
      await service.deliver({ subject: 'q', messageId: '<question@x>' })
      expect(await counts()).toEqual([2])
    })

    test('the subject only joins a participant’s reply within 30 days', async () => {
      await service.deliver({ subject: 'Plans', from: 'ann@example.com' })
      await service.deliver({ subject: 'Re: Plans', from: 'stranger@example.com' })
      await service.deliver({ subject: 'Plans', from: 'ann@example.com' })
      expect(await counts()).toEqual([1, 1, 1])
      await service.deliver({ subject: 'AW: Plans', from: 'Ann <ANN@example.com>' })
      expect(await counts()).toEqual([1, 1, 2])
      service.advance(40 * day)
      await service.deliver({ subject: 'Re: Plans', from: 'ann@example.com' })
      expect(await counts()).toEqual([1, 1, 1, 2])
    })

    test('new mail returns a thread from archive and trash, but not from spam', async () => {
      for (const folder of ['archive', 'trash', 'spam']) {
        await service.deliver({ subject: folder, messageId: `<${folder}@x>` })
        const thread = (await threads()).find(({ subject }) => subject === folder)
        await service.ask('PATCH', `/inboxes/${service.inboxId}/threads/${thread?.id}`, { folder, read: true })
        await service.deliver({ subject: `Re: ${folder}`, inReplyTo: `<${folder}@x>` })
      }
      const places = (await threads()).map(({ subject, folder, read }) => [subject, folder, read])
      expect(places.toSorted()).toEqual([
        ['archive', 'inbox', false],
        ['spam', 'spam', false],
        ['trash', 'inbox', false],
      ])
    })

    test('trash is emptied after 30 days, except threads taken out of it', async () => {
      for (const subject of ['gone', 'kept']) await service.deliver({ subject })
      for (const { id } of await threads()) {
        const answers = [
          await service.ask('DELETE', `/inboxes/${service.inboxId}/threads/${id}`),
          await service.ask('DELETE', `/inboxes/${service.inboxId}/threads/${id}`),
        ]
        expect(answers.map(({ body }) => body.deleted)).toEqual([true, false])
      }
      const kept = (await threads()).find(({ subject }) => subject === 'kept')
      await service.ask('PATCH', `/inboxes/${service.inboxId}/threads/${kept?.id}`, { folder: 'archive' })
      service.advance(30 * day + 1)
      const left = await eventually(async () => {
        const list = await threads()
        return list.length === 1 ? list : undefined
      })
      expect(left[0]).toMatchObject({ subject: 'kept', folder: 'archive' })
    })

    test('a thread of only sent e-mails returns to sent instead of the inbox', async () => {
      await send({ to: 'eve@example.com' })
      const [thread] = await threads()
      const move = (folder: string) =>
        service.ask<Thread>('PATCH', `/inboxes/${service.inboxId}/threads/${thread?.id}`, { folder })
      expect((await move('trash')).body.folder).toBe('trash')
      expect((await move('inbox')).body.folder).toBe('sent')
      expect((await move('sent')).status).toBe(422)
    })

    test('a thread lists its e-mails oldest first, paged in both directions', async () => {
      for (let n = 1; n <= 5; n++) {
        await service.deliver({
          subject: 'n',
          text: `${n}`,
          messageId: `<${n}@x>`,
          ...(n > 1 ? { inReplyTo: `<${n - 1}@x>` } : {}),
        })
      }
      const path = `/inboxes/${service.inboxId}/threads/${(await threads())[0]?.id}/emails`
      const page = async (query: string) => {
        const { data, has_more } = await service.get<List<ThreadEmail>>(`${path}?${query}`)
        return { texts: data.map(({ text }) => text?.trim()), has_more, ids: data.map(({ id }) => id) }
      }
      const first = await page('limit=2')
      expect(first).toMatchObject({ texts: ['1', '2'], has_more: true })
      const second = await page(`limit=2&after=${first.ids[1]}`)
      expect(second).toMatchObject({ texts: ['3', '4'], has_more: true })
      expect(await page(`limit=2&before=${second.ids[0]}`)).toMatchObject({ texts: ['1', '2'], has_more: false })
      expect((await service.ask('GET', `${path}?after=none`)).status).toBe(404)
    })

    test('--retention deletes old e-mails, and a thread with its last one', async () => {
      await restart({ retentionDays: 30 })
      await service.deliver({ subject: 'a', messageId: '<a@x>' })
      await service.deliver({ subject: 'b' })
      service.advance(20 * day)
      await service.deliver({ subject: 'Re: a', inReplyTo: '<a@x>' })
      service.advance(11 * day)
      const left = await eventually(async () => {
        const list = await threads()
        return list.length === 1 ? list : undefined
      })
      expect(left[0]).toMatchObject({ subject: 'a', email_count: 1 })
    })

    test('--retention leaves a thread of only sent e-mails in sent', async () => {
      await restart({ retentionDays: 30 })
      await service.deliver({ subject: 'a' })
      const [thread] = await threads()
      const [email] = await emailsOf(thread)
      service.advance(20 * day)
      const path = `/inboxes/${service.inboxId}/threads/${thread?.id}/emails/${email?.id}/reply`
      await service.ask('POST', path, { text: 'late' })
      service.advance(11 * day)
      const left = await eventually(async () => {
        const [now] = await threads('folders=sent')
        return now?.email_count === 1 ? now : undefined
      })
      expect(left.folder).toBe('sent')
    })
  })

  describe('outgoing mail', () => {
    test('mail to a local inbox arrives, and any other is only stored as sent', async () => {
      const { body } = await service.ask('POST', '/inboxes', { email_address: 'colleague@linnet.example' })
      const { body: sent } = await send({
        to: ['Colleague <colleague@linnet.example>'],
        bcc: 'hidden@linnet.example',
        subject: 'Loop',
      })
      const [thread] = (await service.get<List<Thread>>(`/inboxes/${body.id}/threads`)).data
      expect(thread).toMatchObject({
        subject: 'Loop',
        folder: 'inbox',
        read: false,
        from: service.inboxAddress,
        bcc: [],
      })
      expect(await service.get<SentEmail>(`/emails/${sent.id}`)).toMatchObject({ last_event: 'delivered' })
      expect((await received()).map(({ received_for }) => received_for)).toContainEqual(['hidden@linnet.example'])
      const { body: away } = await send({ to: 'eve@example.com' })
      expect(await service.get<SentEmail>(`/emails/${away.id}`)).toMatchObject({ last_event: 'sent' })
    })

    test.each([
      { to: 'delivered@resend.dev', events: ['sent', 'delivered'] },
      { to: 'Bounced+any.label@resend.dev', events: ['sent', 'bounced'] },
      { to: 'complained@resend.dev', events: ['sent', 'delivered', 'complained'] },
      { to: 'suppressed@resend.dev', events: ['suppressed'] },
      // Labels after a plus sign aren't supported for this address.
      { to: 'suppressed+label@resend.dev', events: ['sent'] },
      { to: ['suppressed@resend.dev', 'bounced@resend.dev'], events: ['sent', 'bounced'] },
      { to: ['bounced@resend.dev', 'delivered@resend.dev'], events: ['sent', 'delivered', 'bounced'] },
    ])('mail to the test addresses $to becomes $events in turn', async ({ to, events }) => {
      const { body } = await send({ to })
      for (const expected of events) {
        await eventually(async () => {
          const { last_event: event } = await service.get<SentEmail>(`/emails/${body.id}`)
          return event === expected ? true : undefined
        })
      }
      service.advance(60_000)
      await new Promise((resolve) => setTimeout(resolve, 1_200))
      expect(await service.get<SentEmail>(`/emails/${body.id}`)).toMatchObject({ last_event: events.at(-1) })
    })

    test('mail to suppressed addresses only isn’t counted as sent', async () => {
      const sent = async (): Promise<number> =>
        (await service.get<{ totals: { sent: number } }>('/emails/metrics')).totals.sent
      await send({ to: 'suppressed@resend.dev' })
      expect(await sent()).toBe(0)
      await send({ to: 'bounced@resend.dev' })
      expect(await sent()).toBe(1)
    })

    test('mail from an inbox to itself joins its own thread', async () => {
      await send({ to: service.inboxAddress, subject: 'Note' })
      expect(await threads()).toMatchObject([{ folder: 'inbox', email_count: 2, read: false }])
    })

    test('sent and received e-mails are found only under their own paths', async () => {
      const { body } = await send({ to: service.inboxAddress })
      const [inbound] = await received()
      expect((await service.ask('GET', `/emails/receiving/${body.id}`)).status).toBe(404)
      expect((await service.ask('GET', `/emails/${inbound?.id}`)).status).toBe(404)
    })

    test('a scheduled e-mail is sent at its time, and a cancelled one never', async () => {
      const { body: later } = await send({ to: service.inboxAddress, subject: 'Later', scheduled_at: 'in 1 hour' })
      const { body: never } = await send({ to: service.inboxAddress, subject: 'Never', scheduled_at: 'in 1 hour' })
      expect((await service.ask('POST', `/emails/${never.id}/cancel`)).status).toBe(200)
      expect(await threads()).toEqual([])
      service.advance(3_600_001)
      await eventually(async () => ((await threads()).length > 0 ? true : undefined))
      expect((await threads()).map(({ subject }) => subject)).toEqual(['Later'])
      expect(await service.get<SentEmail>(`/emails/${later.id}`)).toMatchObject({ last_event: 'delivered' })
      expect((await service.ask('POST', `/emails/${later.id}/cancel`)).status).toBe(422)
      expect(await service.get<List<Thread>>(`/inboxes/${service.inboxId}/threads/search?query=later`)).toMatchObject({
        data: [{ subject: 'Later' }],
      })
    })

    test('a sender of an unknown domain is rejected', async () => {
      expect(await send({ from: 'me@elsewhere.example', to: 'eve@example.com' })).toMatchObject({
        status: 403,
        body: { name: 'validation_error' },
      })
    })

    test('the address from the platform’s examples may send', async () => {
      const { status, body } = await send({ from: 'Acme <onboarding@resend.dev>', to: service.inboxAddress })
      expect(status).toBe(200)
      expect(await service.get(`/emails/${body.id}`)).toMatchObject({ from: 'Acme <onboarding@resend.dev>' })
      expect(await threads()).toMatchObject([{ from: 'Acme <onboarding@resend.dev>', folder: 'inbox' }])
    })

    test.each([
      ['no recipient', { to: [] }],
      ['51 recipients', { to: Array.from({ length: 51 }, (_, n) => `p${n}@example.com`) }],
      ['an attachment without content or path', { to: 'e@example.com', attachments: [{ filename: 'a' }] }],
      ['an empty attachment', { to: 'e@example.com', attachments: [{ filename: 'a', content: '' }] }],
      ['an attachment that is not base64', { to: 'e@example.com', attachments: [{ filename: 'a', content: '&' }] }],
      ['a program as attachment', { to: 'e@example.com', attachments: [{ filename: 'a.exe', content: 'AAAA' }] }],
      ['a path that is not http', { to: 'e@example.com', attachments: [{ path: 'file:///etc/hosts' }] }],
      ['a header with a line break', { to: 'e@example.com', headers: { 'X-A': 'a\r\nBcc: b@example.com' } }],
      ['an unreadable time', { to: 'e@example.com', scheduled_at: 'soonish' }],
    ])('rejects an e-mail with %s', async (_case, body) => {
      expect((await send(body)).status).toBe(422)
    })
  })

  describe('links', () => {
    test('a download link works without a key for an hour, unless modified', async () => {
      await service.deliver({ subject: 'x' })
      const email = await service.get<ReceivedEmail>(`/emails/receiving/${(await received())[0]?.id}`)
      const url = email.raw.download_url
      const status = async (link: string): Promise<number> => (await fetch(link)).status
      expect(await status(url)).toBe(200)
      expect(await status(url.replace(/expires=\d+/, 'expires=9999999999999'))).toBe(403)
      expect(await status(url.replace(email.id, '00000000-0000-4000-8000-000000000000'))).toBe(403)
      service.advance(60 * 60 * 1000 + 1)
      expect(await status(url)).toBe(403)
    })

    test('a share link opens the e-mail without its scripts, until it expires', async () => {
      await service.deliver({ subject: '<b>Shared</b>', html: '<script>alert(1)</script><p>Hello</p>' })
      const { body } = await service.ask('POST', `/emails/${(await received())[0]?.id}/share`, { expires_in: '10m' })
      const page = await fetch(body.url)
      const text = await page.text()
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(text).toContain('<h1>&lt;b&gt;Shared&lt;/b&gt;</h1>')
      expect(text).not.toContain('<script>')
      expect((await fetch(`${body.url}x`)).status).toBe(403)
      service.advance(11 * 60 * 1000)
      expect((await fetch(body.url)).status).toBe(410)
    })

    test.each([
      ['3 days', 'expires_in must not exceed 48 hours'],
      ['48h 1s', 'expires_in must not exceed 48 hours'],
      ['soon', 'expires_in must be a duration such as `10m`, `2 hours` or `1 day`'],
      ['', 'expires_in must be a duration such as `10m`, `2 hours` or `1 day`'],
    ])('a share link cannot live for "%s"', async (expiresIn, message) => {
      await service.deliver({ subject: 'x' })
      const answer = await service.ask('POST', `/emails/${(await received())[0]?.id}/share`, { expires_in: expiresIn })
      expect(answer).toMatchObject({ status: 422, body: { message, name: 'validation_error' } })
    })

    test('an unknown e-mail can’t be shared', async () => {
      expect(await service.ask('POST', '/emails/none/share')).toMatchObject({
        status: 404,
        body: { message: 'Email not found' },
      })
    })
  })

  describe('--import', () => {
    let folder: string
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'service-import-'))
    })
    afterEach(() => rm(folder, { recursive: true }))

    const letter = (id: number, more = ''): string =>
      `Message-ID: <${id}@x>\nDate: Fri, 0${id} May 2026 10:00:00 +0000\nFrom: ann@example.com\nTo: inbox@linnet.example\nSubject: Letter ${id}\n${more}\nBody ${id}\n`

    test('loads mbox files, messages and folders once, at their own dates', async () => {
      const mbox = `From ann@example.com Fri May  1 10:00:00 2026\n${letter(1, 'Status: RO\n')}>From the start\n\nFrom Monday, 10:00, to the end of 2026\n\nFrom  x@example.com Sat May 2 10:00 UTC 2026\n${letter(2)}\n`
      await writeFile(join(folder, 'old.mbox'), mbox)
      await mkdir(join(folder, 'Maildir', 'cur'), { recursive: true })
      await writeFile(join(folder, 'Maildir', 'cur', '1700000000.M1.host:2,S'), letter(3).replaceAll('\n', '\r\n'))
      await writeFile(
        join(folder, 'sent.eml'),
        letter(4)
          .replace('From: ann@example.com', 'From: inbox@linnet.example')
          .replace('To: inbox@linnet.example', 'To: eve@example.com'),
      )
      await writeFile(join(folder, 'notes.txt'), 'not mail')
      await restart({ service: { imports: [folder, join(folder, 'old.mbox')] } })
      const list = await threads()
      expect(list.map(({ subject, folder: place, read, received_at }) => [subject, place, read, received_at])).toEqual([
        ['Letter 4', 'sent', true, '2026-05-04T10:00:00.000Z'],
        ['Letter 3', 'inbox', true, '2026-05-03T10:00:00.000Z'],
        ['Letter 2', 'inbox', false, '2026-05-02T10:00:00.000Z'],
        ['Letter 1', 'inbox', true, '2026-05-01T10:00:00.000Z'],
      ])
      expect(list.map(({ email_count: count }) => count)).toEqual([1, 1, 1, 1])
      expect((await emailsOf(list[3]))[0]?.text).toContain('Body 1\nFrom the start')
      expect((await emailsOf(list[3]))[0]?.text).toContain('From Monday, 10:00, to the end of 2026')
    })

    test('a message that starts with the word From isn’t an mbox', async () => {
      await writeFile(join(folder, 'old.eml'), letter(1).replace(/^(.*\n.*\n)From: (.*\n)/, 'From : $2$1'))
      await restart({ service: { imports: [join(folder, 'old.eml')] } })
      expect(await threads()).toMatchObject([{ subject: 'Letter 1', from: 'ann@example.com' }])
    })

    test('the inbox’s own mail keeps its Bcc recipients, which search finds', async () => {
      const sent = letter(1, 'Bcc: Zoe Quill <zoe@example.com>, dan@example.com\n')
        .replace('From: ann@example.com', 'From: inbox@linnet.example')
        .replace('To: inbox@linnet.example', 'To: eve@example.com')
      await writeFile(join(folder, 'sent.eml'), sent)
      await restart({ service: { imports: [folder] } })
      expect(await threads()).toMatchObject([{ bcc: ['Zoe Quill <zoe@example.com>', 'dan@example.com'] }])
      const search = `/inboxes/${service.inboxId}/threads/search?folders=sent&bcc=quill`
      expect((await service.get<List<Thread>>(search)).data).toHaveLength(1)
    })
  })
})
