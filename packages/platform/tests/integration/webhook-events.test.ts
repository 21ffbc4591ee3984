import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ServiceUnderTest, startTestService } from './service-under-test.ts'
import type { Draft, List, Plain, Thread, ThreadEmail } from './wire-shapes.ts'
import type { WebhookInbox } from '../../src/start-platform.ts'

type Data = Readonly<Record<string, unknown>>

const uuid = expect.stringMatching(/^[\da-f-]{36}$/) as string
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string

/** Events and payloads. Source: the vendor's documentation, "Event Types", and the types of its SDK. */
describe('the events of a change', () => {
  let service: ServiceUnderTest
  let hook: WebhookInbox
  beforeEach(async () => {
    service = await startTestService({ faults: true })
    hook = service.webhook()
  })
  afterEach(() => service.close())

  let seen = 0
  beforeEach(() => {
    seen = 0
  })
  /** Deliveries since the last call, once all are made. */
  const fresh = async (): Promise<readonly { readonly type: string; readonly data: Data }[]> => {
    await service.settled()
    const news = hook.received.slice(seen)
    seen = hook.received.length
    return news
  }
  const types = async (): Promise<readonly string[]> => (await fresh()).map(({ type }) => type)
  const only = async (): Promise<{ readonly type: string; readonly data: Data }> => {
    const news = await fresh()
    expect(news).toHaveLength(1)
    return news[0] ?? { type: '', data: {} }
  }
  const change = async (method: string, path: string, body?: unknown): Promise<Plain> => {
    const { status, body: answer } = await service.ask(method, path, body)
    expect([200, 201], JSON.stringify(answer)).toContain(status)
    return answer
  }
  const control = async (method: string, path: string, body: object): Promise<number> => {
    const answer = await fetch(`${service.baseUrl}/_control${path}`, {
      method,
      headers: { authorization: `Bearer ${service.apiKey}`, 'user-agent': 'tests' },
      body: JSON.stringify(body),
    })
    return answer.status
  }
  const inbox = (): string => `/inboxes/${service.inboxId}`
  /** Delivers a message without looking at its events. */
  const thread = async (subject = 'Order 12'): Promise<{ readonly id: string; readonly path: string }> => {
    await service.deliver({ subject, text: 'x' })
    const { data } = await service.get<List<Thread>>(`${inbox()}/threads?limit=1`)
    await fresh()
    const id = data[0]?.id ?? ''
    return { id, path: `${inbox()}/threads/${id}` }
  }
  const send = (to: string | readonly string[], more: object = {}): Promise<Plain> =>
    change('POST', '/emails', { from: 'onboarding@resend.dev', to, subject: 'Hello', text: 'x', ...more })

  describe('of mail', () => {
    test('a received message creates its thread, and is received twice: by the account and by the inbox', async () => {
      await service.deliver({
        subject: 'Order 12',
        cc: 'bob@elsewhere.example',
        html: '<img src="cid:dot">',
        attachments: [{ filename: 'dot.png', content: 'png', contentType: 'image/png', cid: 'dot' }],
      })
      const [created, received, inboxed, ...others] = await fresh()
      expect(others).toEqual([])
      const emailId = received?.data.email_id
      const attachment = { id: uuid, filename: 'dot.png' }
      expect(received).toMatchObject({
        type: 'email.received',
        data: {
          email_id: uuid,
          created_at: isoTime,
          from: 'ann@example.com',
          to: [service.inboxAddress],
          cc: ['bob@elsewhere.example'],
          bcc: [],
          received_for: [service.inboxAddress],
          subject: 'Order 12',
          attachments: [{ ...attachment, content_type: 'image/png', content_disposition: 'inline', content_id: 'dot' }],
        },
      })
      expect(received).not.toHaveProperty('data.attachments.0.size')
      const email = {
        id: emailId,
        direction: 'inbound',
        from: 'Ann Lee <ann@example.com>',
        to: [service.inboxAddress],
        cc: ['bob@elsewhere.example'],
        bcc: [],
        reply_to: [],
        subject: 'Order 12',
        message_id: received?.data.message_id,
        attachments: [{ ...attachment, size: 3 }],
        read: false,
        received_at: isoTime,
      }
      const data = {
        source: 'system',
        inbox_id: service.inboxId,
        thread_id: uuid,
        thread: { object: 'inbox_thread', id: uuid, subject: 'Order 12', folder: 'inbox', labels: [], read: false },
        email_id: emailId,
        email,
      }
      expect(created?.type).toBe('inbox.thread.created')
      expect(created?.data).toEqual(data)
      expect(inboxed?.type).toBe('inbox.email.received')
      expect(inboxed?.data).toEqual(data)
    })

    test('mail to a local address without an inbox has no inbox events', async () => {
      await service.deliver({ to: 'other@linnet.example', subject: 'x' })
      expect(await types()).toEqual(['email.received'])
    })

    test('a sent e-mail names its tags, and joins the sender’s inbox as the system', async () => {
      const { id } = await send('eve@example.com', {
        from: service.inboxAddress,
        tags: [{ name: 'kind', value: 'welcome' }],
      })
      const [created, sent, inboxed, ...others] = await fresh()
      expect(others).toEqual([])
      expect(created).toMatchObject({ type: 'inbox.thread.created', data: { source: 'system', email_id: id } })
      expect(sent?.type).toBe('email.sent')
      expect(sent?.data).toEqual({
        created_at: isoTime,
        email_id: id,
        message_id: expect.stringContaining('@') as string,
        from: service.inboxAddress,
        to: ['eve@example.com'],
        subject: 'Hello',
        tags: { kind: 'welcome' },
      })
      expect(inboxed).toMatchObject({ type: 'inbox.email.sent', data: { source: 'system', email_id: id } })
    })

    test('a scheduled e-mail is sent later; a cancelled one has no event', async () => {
      const { id } = await send('eve@example.com', { scheduled_at: 'in 1 hour' })
      expect(await types()).toEqual(['email.scheduled'])
      service.advance(3_600_001)
      expect((await hook.next('email.sent')).data).toMatchObject({ email_id: id })
      const other = await send('eve@example.com', { scheduled_at: 'in 1 hour' })
      await fresh()
      await change('POST', `/emails/${other.id}/cancel`)
      expect(await types()).toEqual([])
    })

    test('a test address sends the events of its fate', async () => {
      const { id } = await send('bounced@resend.dev')
      expect(await types()).toEqual(['email.sent'])
      service.advance(1000)
      expect((await hook.next('email.bounced')).data).toMatchObject({
        email_id: id,
        to: ['bounced@resend.dev'],
        bounce: { type: 'Permanent', subType: 'General', message: expect.stringContaining('550') as string },
      })
      expect((await hook.next('suppression.added')).data).toEqual({
        id: uuid,
        email: 'bounced@resend.dev',
        origin: 'bounce',
        source_id: id,
        created_at: isoTime,
      })
      await fresh()
      await send('bounced@resend.dev')
      expect(await only()).toMatchObject({
        type: 'email.suppressed',
        data: { suppressed: { type: 'OnAccountSuppressionList', message: expect.any(String) as string } },
      })
    })

    test('an e-mail without a further event has none', async () => {
      await send('delivered@resend.dev')
      await change('POST', '/suppressions', { email: 'delivered@resend.dev' })
      expect(await types()).toEqual(['email.sent', 'suppression.added'])
      service.advance(1000)
      expect(await types()).toEqual([])
    })

    test('an event of one of several recipients names this one', async () => {
      await send(['eve@example.com', 'complained@resend.dev'])
      expect((await only()).data).toMatchObject({ to: ['eve@example.com', 'complained@resend.dev'] })
      service.advance(2000)
      await service.settled()
      expect((await hook.next('email.complained')).data).toMatchObject({ to: ['complained@resend.dev'] })
    })

    test.each([
      ['Permanent', 'NoEmail', true],
      ['Transient', 'General', false],
      ['Transient', 'MailboxFull', false],
      ['Transient', 'MessageTooLarge', false],
      ['Transient', 'ContentRejected', false],
      ['Transient', 'AttachmentRejected', false],
      ['Undetermined', 'Undetermined', false],
    ])('a bounce can be %s/%s; suppresses the address: %s', async (type, subType, suppresses) => {
      const { id } = await send('eve@example.com')
      await fresh()
      expect(await control('PUT', `/emails/${id}`, { last_event: 'bounced', bounce: { type, subType } })).toBe(200)
      const [bounced, ...others] = await fresh()
      expect(bounced).toMatchObject({ type: 'email.bounced', data: { email_id: id, bounce: { type, subType } } })
      expect(others.map((each) => each.type)).toEqual(suppresses ? ['suppression.added'] : [])
    })

    test('a bounce has no subtype of another type', async () => {
      const { id } = await send('eve@example.com')
      const bounce = { type: 'Permanent', subType: 'MailboxFull' }
      expect(await control('PUT', `/emails/${id}`, { last_event: 'bounced', bounce })).toBe(422)
    })

    test('each other event of a delivery has its own details', async () => {
      const { id } = await send('eve@example.com')
      await fresh()
      const after = async (report: object): Promise<{ readonly type: string; readonly data: Data }> => {
        await control('PUT', `/emails/${id}`, report)
        return (await fresh())[0] ?? { type: '', data: {} }
      }
      expect((await after({ last_event: 'delivery_delayed' })).type).toBe('email.delivery_delayed')
      expect((await after({ last_event: 'delivered' })).type).toBe('email.delivered')
      expect((await after({ last_event: 'opened' })).type).toBe('email.opened')
      expect(await after({ last_event: 'clicked', click: { link: 'https://example.com/x' } })).toMatchObject({
        type: 'email.clicked',
        data: { click: { link: 'https://example.com/x', timestamp: isoTime } },
      })
      expect(await after({ last_event: 'failed', failed: { reason: 'invalid_recipient' } })).toMatchObject({
        type: 'email.failed',
        data: { failed: { reason: 'invalid_recipient' } },
      })
      expect(await after({ last_event: 'delivered' })).not.toHaveProperty('data.failed')
      expect((await after({ last_event: 'complained' })).type).toBe('email.complained')
    })
  })

  describe('of a thread', () => {
    test('moving it names both folders; moving it again to the same one is no event', async () => {
      const { id, path } = await thread()
      await change('PATCH', path, { folder: 'archive', read: true })
      const event = await only()
      expect(event.type).toBe('inbox.thread.folder.updated')
      expect(event.data).toEqual({
        from: 'inbox',
        to: 'archive',
        source: 'api',
        inbox_id: service.inboxId,
        thread_id: id,
        thread: { object: 'inbox_thread', id, subject: 'Order 12', folder: 'archive', labels: [], read: true },
      })
      await change('PATCH', path, { folder: 'archive' })
      await change('PATCH', path, { read: false })
      expect(await types()).toEqual([])
      await change('DELETE', path)
      expect((await only()).data).toMatchObject({ from: 'archive', to: 'trash', source: 'api' })
    })

    test('new mail moves it back as the system', async () => {
      const { path } = await thread()
      await change('PATCH', path, { folder: 'archive' })
      await fresh()
      await service.deliver({ subject: 'Re: Order 12' })
      const events = await fresh()
      const moved = 'inbox.thread.folder.updated'
      expect(events.map(({ type }) => type)).toEqual(['email.received', 'inbox.email.received', moved])
      expect(events[2]?.data).toMatchObject({ from: 'archive', to: 'inbox', source: 'system' })
    })

    test('mail that the API sends to another inbox moves its thread back as the system', async () => {
      const { id } = await change('POST', '/inboxes', { email_address: 'desk@linnet.example' })
      const mail = { from: service.inboxAddress, subject: 'Re: Order 12' }
      await send('desk@linnet.example', mail)
      const [found] = (await service.get<List<Thread>>(`/inboxes/${id}/threads`)).data
      await change('PATCH', `/inboxes/${id}/threads/${found?.id}`, { folder: 'archive' })
      await fresh()
      await send('desk@linnet.example', mail)
      const moved = (await fresh()).filter(({ type }) => type === 'inbox.thread.folder.updated')
      expect(moved.map(({ data }) => [data.thread_id, data.source])).toEqual([[found?.id, 'system']])
    })

    test('each label has its own event, and only if it really changes', async () => {
      const { path } = await thread()
      const red = await change('POST', `${inbox()}/labels`, { name: 'Red', color: '#FF0000' })
      const blue = await change('POST', `${inbox()}/labels`, { name: 'Blue', color: '#0000FF' })
      expect(await types()).toEqual([])
      await change('POST', `${path}/labels`, { labels: [red.id, blue.id] })
      const [first, second] = await fresh()
      expect(first).toMatchObject({
        type: 'inbox.thread.labels.updated',
        data: { added: [{ id: red.id, name: 'Red', color: '#FF0000' }], removed: [], source: 'api' },
      })
      expect(second?.data).toMatchObject({ added: [{ id: blue.id }], removed: [], thread: { labels: [{}, {}] } })
      await change('PUT', `${path}/labels`, { labels: [blue.id] })
      expect((await only()).data).toMatchObject({ added: [], removed: [{ id: red.id }] })
      await change('DELETE', `${path}/labels/${blue.id}`)
      expect((await only()).data).toMatchObject({ added: [], removed: [{ id: blue.id }] })
      await change('POST', `${path}/labels`, { labels: [red.id] })
      await fresh()
      await change('DELETE', `${inbox()}/labels/${red.id}`)
      expect(await types()).toEqual([])
    })

    test('only the dashboard and the agent can assign it', async () => {
      const { id, path } = await thread()
      const assign = (source: string, assignee: string | null, by: string | null = null): Promise<number> =>
        control('PUT', `/as/${source}${path}/assignee`, { assignee_email: assignee, assigned_by_email: by })
      expect((await service.ask('PUT', `${path}/assignee`, { assignee_email: 'ada@example.com' })).status).toBe(404)
      expect(await assign('dashboard', 'ada@example.com', 'grace@example.com')).toBe(200)
      expect(await only()).toMatchObject({
        type: 'inbox.thread.assigned',
        data: {
          assignee_email: 'ada@example.com',
          assigned_by_email: 'grace@example.com',
          previous_assignee_email: null,
          source: 'dashboard',
          thread_id: id,
        },
      })
      await assign('agent', 'bob@example.com')
      expect((await only()).data).toMatchObject({
        assignee_email: 'bob@example.com',
        assigned_by_email: null,
        previous_assignee_email: 'ada@example.com',
        source: 'agent',
      })
      await assign('dashboard', null)
      const unassigned = await only()
      expect(unassigned.type).toBe('inbox.thread.unassigned')
      expect(Object.keys(unassigned.data).toSorted()).toEqual(
        ['previous_assignee_email', 'source', 'inbox_id', 'thread_id', 'thread'].toSorted(),
      )
      await assign('dashboard', null)
      expect(await types()).toEqual([])
      expect(await assign('dashboard', 'nobody')).toBe(422)
      expect(await assign('api', 'ada@example.com')).toBe(404)
    })

    test.each(['dashboard', 'agent'])('the %s moves, labels and drafts under its own name', async (source) => {
      const { path } = await thread()
      const { id: label } = await change('POST', `${inbox()}/labels`, { name: 'Red' })
      expect(await control('PATCH', `/as/${source}${path}`, { folder: 'archive' })).toBe(200)
      expect(await control('POST', `/as/${source}${path}/labels`, { labels: [label] })).toBe(200)
      expect(await control('POST', `/as/${source}${inbox()}/drafts`, { text: 'Dear Ann' })).toBe(201)
      expect((await fresh()).map(({ type, data }) => [type, data.source])).toEqual([
        ['inbox.thread.folder.updated', source],
        ['inbox.thread.labels.updated', source],
        ['inbox.draft.created', source],
      ])
    })
  })

  describe('of a draft', () => {
    test('follows a standalone draft from its creation to its e-mail', async () => {
      const { id } = await change('POST', `${inbox()}/drafts`, { to: 'eve@example.com', subject: 'Hi', text: 'x' })
      const created = await only()
      const draft = {
        object: 'inbox_draft',
        id,
        type: 'standalone',
        to: ['eve@example.com'],
        cc: [],
        bcc: [],
        subject: 'Hi',
        thread_id: null,
        reply_to_email_id: null,
        email_id: null,
        created_at: isoTime,
        updated_at: isoTime,
        attachments: [],
      }
      expect(created.type).toBe('inbox.draft.created')
      expect(created.data).toEqual({ source: 'api', inbox_id: service.inboxId, draft_id: id, draft })
      await change('PATCH', `${inbox()}/drafts/${id}`, { subject: 'Hello', attachments: [] })
      expect(await only()).toMatchObject({ type: 'inbox.draft.updated', data: { draft: { id, subject: 'Hello' } } })
      const sent = await change('POST', `${inbox()}/drafts/${id}/send`)
      const events = await fresh()
      expect(events.map(({ type }) => type)).toEqual([
        'inbox.draft.sent',
        'inbox.thread.created',
        'email.sent',
        'inbox.email.sent',
      ])
      const { thread_id: threadId } = await service.get<Draft>(`${inbox()}/drafts/${id}`)
      expect(events[0]?.data).toMatchObject({ draft_id: id, email_id: sent.id, thread_id: threadId, source: 'api' })
      expect(events[0]?.data).not.toHaveProperty('draft.text')
    })

    test('names the thread of a reply, and has no draft once it is deleted', async () => {
      const { id: threadId, path } = await thread()
      const [email] = (await service.get<List<ThreadEmail>>(`${path}/emails`)).data
      const target = { thread_id: threadId, reply_to_email_id: email?.id }
      const { id } = await change('POST', `${inbox()}/drafts`, { ...target, text: 'x' })
      expect((await only()).data).toMatchObject({ thread_id: threadId, thread: { id: threadId }, draft_id: id })
      await change('POST', `${inbox()}/drafts`, { ...target, text: 'again' })
      expect(await types()).toEqual([])
      await change('DELETE', `${inbox()}/drafts/${id}`)
      const deleted = await only()
      expect(deleted.type).toBe('inbox.draft.deleted')
      expect(Object.keys(deleted.data).toSorted()).toEqual(['draft_id', 'inbox_id', 'source', 'thread', 'thread_id'])
    })
  })

  test('of an inbox: its domain, its settings and its end, without events for its contents', async () => {
    const { id } = await change('POST', '/inboxes', { email_address: 'desk@other.example' })
    const [domain, created] = await fresh()
    expect(domain).toMatchObject({ type: 'domain.created', data: { name: 'other.example', status: 'verified' } })
    expect(created).toMatchObject({ type: 'inbox.created', data: { source: 'api', inbox_id: id } })
    expect(created?.data.inbox).toEqual(await service.get(`/inboxes/${id}`))
    await change('PATCH', `/inboxes/${id}`, { name: 'Desk' })
    await change('PATCH', `/inboxes/${id}/agent`, { tone: 'concise_casual' })
    const changes = await fresh()
    expect(changes.map(({ type }) => type)).toEqual(['inbox.updated', 'inbox.updated'])
    expect(changes[0]?.data).toMatchObject({ inbox: { name: 'Desk' } })
    await service.deliver({ to: 'desk@other.example' })
    await change('POST', `/inboxes/${id}/drafts`, { text: 'x' })
    await fresh()
    await change('DELETE', `/inboxes/${id}`)
    const deleted = await only()
    expect([deleted.type, deleted.data]).toEqual(['inbox.deleted', { source: 'api', inbox_id: id }])
  })

  test('of contacts, topics and suppressions', async () => {
    const { id: segment } = await change('POST', '/segments', { name: 'All' })
    const { id: topic } = await change('POST', '/topics', { name: 'News', default_subscription: 'opt_in' })
    const shown = { id: topic, name: 'News', description: null, default_subscription: 'opt_in' }
    const times = { created_at: isoTime, updated_at: isoTime }
    expect((await only()).data).toEqual({ ...shown, deleted: false, ...times })
    const { id } = await change('POST', '/contacts', {
      email: 'eve@example.com',
      first_name: 'Eve',
      segments: [{ id: segment }],
      topics: [{ id: topic, subscription: 'opt_out' }],
    })
    const [created, subscribed, ...others] = await fresh()
    expect(others).toEqual([])
    const contact = {
      id,
      audience_id: segment,
      segment_ids: [segment],
      ...times,
      email: 'eve@example.com',
      first_name: 'Eve',
      last_name: null,
      unsubscribed: false,
    }
    expect([created?.type, created?.data]).toEqual(['contact.created', contact])
    expect([subscribed?.type, subscribed?.data]).toEqual([
      'contact.topics.updated',
      { email: 'eve@example.com', topics: [{ id: topic, subscription: 'opt_out' }] },
    ])
    await change('PATCH', `/contacts/${id}`, { unsubscribed: true })
    expect(await only()).toMatchObject({ type: 'contact.updated', data: { unsubscribed: true } })
    await change('DELETE', `/contacts/${id}`)
    const deleted = await only()
    expect([deleted.type, deleted.data]).toEqual(['contact.deleted', { ...contact, unsubscribed: true }])
    await change('PATCH', `/topics/${topic}`, { name: 'All news' })
    await change('DELETE', `/topics/${topic}`)
    expect((await fresh()).map(({ type, data }) => [type, data.name, data.deleted])).toEqual([
      ['topic.updated', 'All news', false],
      ['topic.deleted', 'All news', true],
    ])
    await change('POST', '/suppressions', { email: 'eve@example.com' })
    await change('POST', '/suppressions', { email: 'eve@example.com' })
    const added = await only()
    await change('DELETE', '/suppressions/eve@example.com')
    const removed = await only()
    expect([added.type, removed.type]).toEqual(['suppression.added', 'suppression.removed'])
    expect(removed.data).toEqual(added.data)
  })

  test('an import of contacts has none', async () => {
    const form = new FormData()
    form.set('file', new Blob(['email\neve@example.com\n']))
    await change('POST', '/contacts/imports', form)
    expect(await types()).toEqual([])
  })

  test('a rejected request has none', async () => {
    const { path } = await thread()
    expect((await service.ask('PATCH', path, { folder: 'nowhere' })).status).toBe(422)
    service.faults(['error_500 PATCH /inboxes times=1'])
    expect((await service.ask('PATCH', path, { folder: 'archive' })).status).toBe(500)
    expect(await types()).toEqual([])
  })
})
