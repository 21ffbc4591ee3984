import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SendMailOptions } from 'nodemailer'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, type ServiceUnderTest, startTestService } from './service-under-test.ts'
import type { Draft, List, Plain, ReceivedEmail, Thread, ThreadEmail } from './wire-shapes.ts'

describe('replies and drafts', () => {
  let service: ServiceUnderTest
  beforeEach(async () => {
    service = await startTestService({ trustDate: true })
  })
  afterEach(() => service.close())

  const arrived = async (
    message: SendMailOptions,
  ): Promise<{ readonly thread: Thread; readonly email: ThreadEmail; readonly path: string }> => {
    await service.deliver({
      subject: 'Question',
      text: 'What now?',
      messageId: '<question@x>',
      date: '2026-08-05T14:03:00Z',
      ...message,
    })
    const [thread] = (await service.get<List<Thread>>(`/inboxes/${service.inboxId}/threads`)).data
    const emails = `/inboxes/${service.inboxId}/threads/${thread?.id}/emails`
    const [email] = (await service.get<List<ThreadEmail>>(emails)).data
    if (!thread || !email) throw new Error('Nothing arrived.')
    return { thread, email, path: `${emails}/${email.id}` }
  }
  const sent = async (thread: Thread, answer: Answer<Plain>): Promise<ThreadEmail> => {
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return service.get<ThreadEmail>(`/inboxes/${service.inboxId}/threads/${thread.id}/emails/${answer.body.id}`)
  }

  describe('reply', () => {
    test('goes to the author, with the subject prefix and threading headers', async () => {
      const { thread, email, path } = await arrived({ headers: { References: '<older@x>' } })
      const reply = await sent(thread, await service.ask('POST', `${path}/reply`, { text: 'This.' }))
      expect(reply).toMatchObject({
        direction: 'outbound',
        to: [email.from],
        cc: [],
        subject: 'Re: Question',
        read: true,
      })
      await service.deliver({ subject: 'unrelated', inReplyTo: reply.message_id ?? '' })
      expect((await service.get<List<Thread>>(`/inboxes/${service.inboxId}/threads`)).data).toMatchObject([
        { email_count: 3 },
      ])
    })

    test('goes to Reply-To if set, without doubling the prefix', async () => {
      const { thread, path } = await arrived({ subject: 'RE: Question', replyTo: 'Desk <desk@example.com>' })
      expect(await sent(thread, await service.ask('POST', `${path}/reply`, { text: 'x' }))).toMatchObject({
        to: ['Desk <desk@example.com>'],
        subject: 'RE: Question',
      })
    })

    test('to all reaches everyone once except the inbox, without Bcc', async () => {
      const { thread, path } = await arrived({
        to: `${service.inboxAddress}, Tom <tom@example.com>`,
        cc: 'Cleo <cleo@example.com>',
      })
      const body = {
        text: 'x',
        reply_all: true,
        cc: ['CLEO@example.com', 'new@example.com'],
        bcc: 'secret@example.com',
      }
      expect(await sent(thread, await service.ask('POST', `${path}/reply`, body))).toMatchObject({
        to: ['Ann Lee <ann@example.com>'],
        cc: ['Tom <tom@example.com>', 'Cleo <cleo@example.com>', 'new@example.com'],
        bcc: ['secret@example.com'],
      })
    })

    test('to a sent e-mail goes to its recipients', async () => {
      const { thread, path } = await arrived({})
      const first = await sent(thread, await service.ask('POST', `${path}/reply`, { text: 'x' }))
      const again = `/inboxes/${service.inboxId}/threads/${thread.id}/emails/${first.id}/reply`
      expect(await sent(thread, await service.ask('POST', again, { text: 'y' }))).toMatchObject({
        to: ['Ann Lee <ann@example.com>'],
      })
    })

    test('fails cleanly if the inbox is deleted meanwhile', async () => {
      for (let round = 0; round < 5; round++) {
        const { body: inbox } = await service.ask('POST', '/inboxes', {
          email_address: `short-lived-${round}@linnet.example`,
        })
        await service.deliver({ to: `short-lived-${round}@linnet.example`, subject: 'x' })
        const [thread] = (await service.get<List<Thread>>(`/inboxes/${inbox.id}/threads`)).data
        const emails = `/inboxes/${inbox.id}/threads/${thread?.id}/emails`
        const [email] = (await service.get<List<ThreadEmail>>(emails)).data
        const [reply, deletion] = await Promise.all([
          service.ask('POST', `${emails}/${email?.id}/reply`, { text: 'x'.repeat(100_000) }),
          service.ask('DELETE', `/inboxes/${inbox.id}`),
        ])
        expect(deletion.status).toBe(200)
        expect([200, 404, 409]).toContain(reply.status)
      }
    })

    test.each([
      ['neither html nor text', {}],
      ['a subject over 2000 characters', { text: 'x', subject: 's'.repeat(2001) }],
      [
        'more than 10 files',
        { text: 'x', attachments: Array.from({ length: 11 }, () => ({ filename: 'a', content: 'AAAA' })) },
      ],
      [
        'more than 25 MB of files',
        { text: 'x', attachments: [{ filename: 'a', content: Buffer.alloc(26 * 1024 * 1024).toString('base64') }] },
      ],
      ['a bad MIME type', { text: 'x', attachments: [{ filename: 'a', content: 'AAAA', content_type: 'nonsense' }] }],
      ['a path to this machine', { text: 'x', attachments: [{ path: 'http://localhost/secret' }] }],
      ['In-Reply-To set by hand', { text: 'x', headers: { 'in-reply-to': '<a@b>' } }],
      ['References set by hand', { text: 'x', headers: { References: '<a@b>' } }],
      ['Reply-To set by hand', { text: 'x', headers: { 'REPLY-TO': 'a@b.example' } }],
      ['an empty header name', { text: 'x', headers: { '': 'x' } }],
      ['a line break in a header', { text: 'x', headers: { 'X-A': 'a\nb' } }],
      ['more than 50 recipients', { text: 'x', cc: Array.from({ length: 50 }, (_, n) => `p${n}@example.com`) }],
    ])('is rejected with %s', async (_case, body) => {
      const { path } = await arrived({})
      expect((await service.ask('POST', `${path}/reply`, body)).status).toBe(422)
    })
  })

  describe('forward', () => {
    test('quotes the original under a banner and sends its attachments again', async () => {
      const { thread, path } = await arrived({
        html: '<p>What <b>now</b>?</p><img src="cid:i@x">',
        attachments: [
          { filename: 'a.txt', content: 'abc' },
          { filename: 'i.png', content: 'png', cid: 'i@x' },
        ],
      })
      const body = {
        to: ['Eve <eve@example.com>'],
        text: 'Please look',
        attachments: [{ filename: 'more.txt', content: 'eA==' }],
      }
      const forwarded = await sent(thread, await service.ask('POST', `${path}/forward`, body))
      expect(forwarded).toMatchObject({ subject: 'Fwd: Question', to: ['Eve <eve@example.com>'] })
      expect(forwarded.text).toBe(
        [
          'Please look',
          '',
          '---------- Forwarded message ---------',
          'From: Ann Lee <ann@example.com>',
          'Date: Wed, Aug 5, 2026 at 2:03 PM',
          'Subject: Question',
          `To: ${service.inboxAddress}`,
          '',
          'What now?\n',
        ].join('\n'),
      )
      expect(forwarded.html).toContain(
        'Please look<br><br>---------- Forwarded message ---------<br>From: Ann Lee &lt;ann@example.com&gt;<br>',
      )
      expect(forwarded.html).toContain('<p>What <b>now</b>?</p><img src="data:image/png;base64,')
      expect(forwarded.attachments.map(({ filename }) => filename).toSorted()).toEqual(['a.txt', 'i.png', 'more.txt'])
    })

    test('counts the original’s attachments towards the ten files', async () => {
      const files = (count: number) =>
        Array.from({ length: count }, (_, n) => ({ filename: `${n}.txt`, content: 'eA==' }))
      const { path } = await arrived({ attachments: files(6) })
      expect(
        (await service.ask('POST', `${path}/forward`, { to: 'eve@example.com', attachments: files(5) })).status,
      ).toBe(422)
      expect(
        (await service.ask('POST', `${path}/forward`, { to: 'eve@example.com', attachments: files(4) })).status,
      ).toBe(200)
    })

    test('needs a recipient', async () => {
      const { path } = await arrived({})
      expect(await service.ask('POST', `${path}/forward`, { text: 'x' })).toMatchObject({
        status: 422,
        body: { message: 'Missing `to` field.' },
      })
    })
  })

  describe('drafts', () => {
    const drafts = (): string => `/inboxes/${service.inboxId}/drafts`
    const draft = (id: string): Promise<Draft> => service.get<Draft>(`${drafts()}/${id}`)

    test('a reply draft has a reply’s recipients and subject, exists once, and marks its thread', async () => {
      const { thread, email } = await arrived({})
      const body = { thread_id: thread.id, reply_to_email_id: email.id, text: 'First thought' }
      const first = await service.ask('POST', drafts(), body)
      const second = await service.ask('POST', drafts(), { ...body, text: 'Other' })
      expect([first.status, second.status, second.body.id]).toEqual([201, 200, first.body.id])
      expect(await draft(first.body.id)).toMatchObject({
        type: 'reply',
        to: ['Ann Lee <ann@example.com>'],
        subject: null,
        text: 'First thought',
      })
      const marked = (): Promise<List<Thread>> => service.get(`/inboxes/${service.inboxId}/threads`)
      expect((await marked()).data[0]?.has_draft).toBe(true)
      const answer = await service.ask('POST', `${drafts()}/${first.body.id}/send`)
      expect(await sent(thread, answer)).toMatchObject({
        to: ['Ann Lee <ann@example.com>'],
        subject: 'Re: Question',
        text: 'First thought',
      })
      expect((await marked()).data[0]).toMatchObject({ has_draft: false, email_count: 2 })
      // The first draft is sent, so a new one can be started.
      expect((await service.ask('POST', drafts(), body)).status).toBe(201)
    })

    test('a standalone draft creates a thread in sent, and then refers to it', async () => {
      const { body } = await service.ask('POST', drafts(), { to: 'Eve <eve@example.com>', subject: 'New', text: 'x' })
      expect((await service.get<List<Draft>>(drafts())).data).toMatchObject([
        { id: body.id, type: 'standalone', snippet: 'x' },
      ])
      const answer = await service.ask('POST', `${drafts()}/${body.id}/send`, { headers: { 'X-Campaign': '7' } })
      const after = await draft(body.id)
      expect(after.email_id).toBe(answer.body.id)
      const [thread] = (await service.get<List<Thread>>(`/inboxes/${service.inboxId}/threads?folders=sent`)).data
      expect(thread).toMatchObject({ id: after.thread_id, folder: 'sent', subject: 'New' })
      expect((await service.get<List<Draft>>(drafts())).data).toEqual([])
      for (const [method, path, change] of [
        ['POST', '/send', {}],
        ['PATCH', '', { text: 'y' }],
        ['DELETE', '', undefined],
      ] as const) {
        expect((await service.ask(method, `${drafts()}/${body.id}${path}`, change)).status, method).toBe(409)
      }
    })

    test('an update keeps omitted fields, clears null, and one body empties the other', async () => {
      const { body } = await service.ask('POST', drafts(), {
        to: 'a@example.com',
        subject: 's',
        text: 't',
        html: '<p>h</p>',
      })
      const change = async (fields: object): Promise<Draft> => {
        expect((await service.ask('PATCH', `${drafts()}/${body.id}`, fields)).status).toBe(200)
        return draft(body.id)
      }
      expect(await change({ subject: 'new' })).toMatchObject({
        subject: 'new',
        text: 't',
        html: '<p>h</p>',
        to: ['a@example.com'],
      })
      expect(await change({ to: null })).toMatchObject({ to: null, subject: 'new' })
      expect(await change({ text: 'only' })).toMatchObject({ text: 'only', html: null })
      expect(await change({ html: '<b>x</b>' })).toMatchObject({ text: null, html: '<b>x</b>' })
      expect((await service.ask('PATCH', `${drafts()}/${body.id}`, {})).status).toBe(422)
    })

    test('attachments are stored, replaced as a whole, and sent', async () => {
      const file = (filename: string) => ({ filename, content: 'aGVsbG8=', content_type: 'text/plain' })
      const { body } = await service.ask('POST', drafts(), {
        to: service.inboxAddress,
        subject: 's',
        text: 't',
        attachments: [file('a'), file('b')],
      })
      expect((await draft(body.id)).attachments).toMatchObject([{ filename: 'a', size: 5 }, { filename: 'b' }])
      await service.ask('PATCH', `${drafts()}/${body.id}`, { attachments: [file('c')] })
      await service.ask('POST', `${drafts()}/${body.id}/send`)
      const [received] = (await service.get<List<ReceivedEmail>>('/emails/receiving')).data
      expect(received?.attachments).toMatchObject([{ filename: 'c', size: 5 }])
    })

    test('an attachment from a URL is fetched when the draft is created', async () => {
      const files = createServer((request, answer) => {
        answer.writeHead(request.url === '/report.csv' ? 200 : 404, { 'content-type': 'text/csv' }).end('a,b')
      }).listen(0, '127.0.0.1')
      await new Promise((resolve) => files.once('listening', resolve))
      const base = `http://127.0.0.1:${(files.address() as AddressInfo).port}`
      const make = (path: string) =>
        service.ask('POST', drafts(), { subject: 's', attachments: [{ filename: 'r.csv', path }] })
      expect((await draft((await make(`${base}/report.csv`)).body.id)).attachments).toMatchObject([
        { filename: 'r.csv', size: 3 },
      ])
      expect((await make(`${base}/gone`)).status).toBe(422)
      files.close()
    })

    test.each([
      ['nothing in it', {}],
      ['only empty fields', { to: [], subject: '', text: '' }],
      ['a thread without an e-mail', { text: 'x', thread_id: '00000000-0000-4000-8000-000000000000' }],
      ['an address that is none', { to: 'nobody', text: 'x' }],
    ])('is rejected with %s', async (_case, body) => {
      expect((await service.ask('POST', drafts(), body)).status).toBe(422)
    })

    test('a reply draft to another thread’s e-mail isn’t found', async () => {
      const { thread } = await arrived({})
      const body = { text: 'x', thread_id: thread.id, reply_to_email_id: '00000000-0000-4000-8000-000000000000' }
      expect((await service.ask('POST', drafts(), body)).status).toBe(404)
    })

    test('a change acknowledged during sending is included', async () => {
      const content = Buffer.alloc(4_000_000, 'x').toString('base64')
      const { body: draft } = await service.ask('POST', drafts(), {
        to: 'eve@elsewhere.example',
        subject: 'Race',
        text: 'before',
        attachments: [{ filename: 'a.txt', content }],
      })
      const [sent, changed] = await Promise.all([
        service.ask('POST', `${drafts()}/${draft.id}/send`),
        service.ask('PATCH', `${drafts()}/${draft.id}`, { text: 'after' }),
      ])
      const draftNow = await service.get<Draft>(`${drafts()}/${draft.id}`)
      expect(draftNow.text).toBe(changed.status === 200 ? 'after' : 'before')
      if (sent.status === 200) {
        expect((await service.get<ReceivedEmail>(`/emails/${sent.body.id}`)).text).toBe(draftNow.text)
      } else expect(sent).toMatchObject({ status: 409, body: { name: 'resource_locked' } })
    })

    test('two requests to send a draft send it once', async () => {
      const { body } = await service.ask('POST', drafts(), { to: 'eve@example.com', subject: 's', text: 't' })
      const answers = await Promise.all([1, 2, 3, 4].map(() => service.ask('POST', `${drafts()}/${body.id}/send`)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
    })
  })

  describe('labels', () => {
    const labels = (): string => `/inboxes/${service.inboxAddress}/labels`

    test('adding is idempotent, setting replaces, removing leaves the label elsewhere', async () => {
      const { thread } = await arrived({})
      const [red, blue] = [
        await service.ask('POST', labels(), { name: 'Red', color: '#ff0000' }),
        await service.ask('POST', labels(), { name: 'Blue' }),
      ]
      const path = `/inboxes/${service.inboxAddress}/threads/${thread.id}/labels`
      const names = (answer: Answer<List<{ name: string }>>) => answer.body.data.map(({ name }) => name)
      expect(names(await service.ask('POST', path, { labels: [red.body.id] }))).toEqual(['Red'])
      expect(names(await service.ask('POST', path, { labels: [red.body.id, blue.body.id] }))).toEqual(['Red', 'Blue'])
      const removed = await service.ask<object>('DELETE', `${path}/${red.body.id}`)
      expect(removed.body).toEqual({ object: 'list', data: [expect.objectContaining({ name: 'Blue' })] })
      expect(names(await service.ask('PUT', path, { labels: [] }))).toEqual([])
      expect((await service.get<{ data: unknown[] }>(labels())).data).toHaveLength(2)
      const many = Array.from({ length: 11 }, () => red.body.id)
      expect((await service.ask('POST', path, { labels: many })).status).toBe(422)
      expect((await service.ask('POST', path, { labels: [] })).status).toBe(422)
      const unknown = '00000000-0000-4000-8000-000000000000'
      expect(await service.ask('PUT', path, { labels: [unknown] })).toMatchObject({
        status: 404,
        body: { message: `Label "${unknown}" not found.` },
      })
      await service.ask('PUT', path, { labels: [red.body.id] })
      await service.ask('DELETE', `${labels()}/${red.body.id}`)
      expect((await service.get<List<Thread>>(`/inboxes/${service.inboxId}/threads`)).data[0]?.labels).toEqual([])
    })

    test('names are unique per inbox, up to 100, with upper-case hex colours', async () => {
      for (let n = 0; n < 100; n++) await service.ask('POST', labels(), { name: `l${n}`, color: '#abcdef' })
      expect((await service.ask('POST', labels(), { name: 'one more' })).status).toBe(422)
      const list = (await service.get<{ data: { id: string; color: string }[] }>(labels())).data
      expect(list[0]?.color).toBe('#ABCDEF')
      await service.ask('DELETE', `${labels()}/${list[0]?.id}`)
      for (const body of [{ name: 'l1' }, { name: '' }, { name: 'x'.repeat(65) }, { name: 'x', color: 'red' }]) {
        expect((await service.ask('POST', labels(), body)).status, JSON.stringify(body)).toBe(422)
      }
      expect((await service.ask('PATCH', `${labels()}/${list[1]?.id}`, { name: 'l2' })).status).toBe(422)
    })
  })
})
