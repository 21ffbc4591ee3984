import { Resend } from 'resend'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServiceUnderTest, startTestService } from './service-under-test.ts'

type Result<Data> = { readonly data: Data; readonly error: null } | { readonly data: null; readonly error: object }

/** Returns the data of a call that must succeed. */
async function good<Data>(call: Promise<Result<Data>>): Promise<NonNullable<Data>> {
  const { data, error } = await call
  if (error !== null || !data) throw new Error(JSON.stringify(error))
  return data
}

/** The vendor's client against the service, without casts: requests are understood, and response fields exist. */
describe("the vendor's SDK", () => {
  let service: ServiceUnderTest
  let resend: Resend
  let inboxId: string
  let from: string
  beforeAll(async () => {
    service = await startTestService()
    resend = new Resend(service.apiKey, { baseUrl: service.baseUrl })
    inboxId = service.inboxId
    from = `Desk <${service.inboxAddress}>`
  })
  afterAll(() => service.close())

  test('inboxes: create, list, get, update, remove, agent', async () => {
    const { id } = await good(
      resend.inboxes.create({ emailAddress: 'walk@sdk.example', name: 'Walk', fromName: 'Walker' }),
    )
    const list = await good(resend.inboxes.list({ limit: 1 }))
    expect(list).toMatchObject({ object: 'list', has_more: true, data: [{ id, unread: 0, last_received: null }] })
    await good(resend.inboxes.update('walk@sdk.example', { name: 'Walked' }))
    expect(await good(resend.inboxes.get('walk@sdk.example'))).toMatchObject({
      id,
      name: 'Walked',
      from_name: 'Walker',
      drafts: 0,
    })
    await good(resend.inboxes.agent.update({ inboxId: id, tone: 'concise_casual', actions: ['archive'] }))
    expect(await good(resend.inboxes.agent.get({ emailAddress: 'walk@sdk.example' }))).toEqual({
      object: 'inbox_agent',
      instructions: null,
      tone: 'concise_casual',
      actions: ['archive'],
    })
    expect(await good(resend.inboxes.remove(id))).toEqual({ object: 'inbox', id, deleted: true })
  })

  test('threads: list, search, get, update, labels, e-mails, reply, forward, remove', async () => {
    await service.deliver({
      subject: 'From the SDK walk',
      text: 'needle',
      cc: 'Carl <carl@example.com>',
      attachments: [{ filename: 'a.txt', content: 'abc' }],
    })
    const found = await good(
      resend.inboxes.threads.search({ inboxId, query: 'needle', from: ['ann'], hasAttachment: true, limit: 5 }),
    )
    const thread = found.data[0]
    expect(thread).toMatchObject({
      subject: 'From the SDK walk',
      email_count: 1,
      has_attachment: true,
      folder: 'inbox',
    })
    const threadId = thread?.id ?? ''
    const selector = { inboxId, threadId }
    expect(
      (await good(resend.inboxes.threads.list({ inboxId, folders: ['inbox', 'sent'], read: false }))).data,
    ).toHaveLength(1)
    expect(await good(resend.inboxes.threads.get(selector))).toMatchObject({ object: 'inbox_thread', read: false })
    expect(await good(resend.inboxes.threads.update({ ...selector, read: true, folder: 'archive' }))).toMatchObject({
      read: true,
      folder: 'archive',
    })

    const red = await good(resend.inboxes.labels.create({ inboxId, name: 'Red', color: '#e93d82' }))
    const blue = await good(resend.inboxes.labels.create({ inboxId, name: 'Blue' }))
    await good(resend.inboxes.labels.update({ inboxId, labelId: red.id, name: 'Crimson' }))
    expect((await good(resend.inboxes.labels.list({ inboxId }))).data[0]).toMatchObject({
      name: 'Crimson',
      color: '#E93D82',
    })
    expect((await good(resend.inboxes.threads.labels.add({ ...selector, labels: [red.id] }))).data).toHaveLength(1)
    expect(
      (await good(resend.inboxes.threads.labels.set({ ...selector, labels: [red.id, blue.id] }))).data,
    ).toHaveLength(2)
    expect(await good(resend.inboxes.threads.labels.remove({ ...selector, labelId: red.id }))).toEqual({
      object: 'list',
      data: [expect.objectContaining({ name: 'Blue' })],
    })
    expect(await good(resend.inboxes.labels.remove({ inboxId, labelId: blue.id }))).toMatchObject({ deleted: true })

    const [email] = (await good(resend.inboxes.threads.emails.list({ ...selector, limit: 1 }))).data
    const emailId = email?.id ?? ''
    expect(await good(resend.inboxes.threads.emails.get({ ...selector, emailId }))).toMatchObject({
      direction: 'inbound',
    })
    const reply = await good(
      resend.inboxes.threads.emails.reply(
        {
          ...selector,
          emailId,
          text: 'Thanks',
          replyAll: true,
          attachments: [{ filename: 'r.txt', content: Buffer.from('r') }],
        },
        { idempotencyKey: 'walk-reply' },
      ),
    )
    expect(await good(resend.inboxes.threads.emails.get({ ...selector, emailId: reply.id }))).toMatchObject({
      direction: 'outbound',
      subject: 'Re: From the SDK walk',
      to: ['Ann Lee <ann@example.com>'],
      cc: ['Carl <carl@example.com>'],
    })
    const forward = await good(
      resend.inboxes.threads.emails.forward({ ...selector, emailId, to: 'eve@example.com', text: 'See below' }),
    )
    expect(
      (await good(resend.inboxes.threads.emails.get({ ...selector, emailId: forward.id }))).attachments,
    ).toHaveLength(1)
    expect(await good(resend.inboxes.threads.remove(selector))).toEqual({
      object: 'inbox_thread',
      id: threadId,
      deleted: true,
    })
  })

  test('drafts: create, list, get, update, send, remove', async () => {
    const content = { to: 'eve@example.com', subject: 'Draft', text: 'Body' }
    const { id: draftId } = await good(
      resend.inboxes.drafts.create({
        inboxId,
        ...content,
        attachments: [{ filename: 'd.txt', content: Buffer.from('d'), contentType: 'text/plain' }],
      }),
    )
    expect((await good(resend.inboxes.drafts.list({ inboxId }))).data[0]).toMatchObject({
      id: draftId,
      type: 'standalone',
      snippet: 'Body',
    })
    await good(resend.inboxes.drafts.update({ inboxId, draftId, html: '<p>New</p>', attachments: null }))
    expect(await good(resend.inboxes.drafts.get({ inboxId, draftId }))).toMatchObject({
      text: null,
      html: '<p>New</p>',
      attachments: [],
      email_id: null,
    })
    const sent = await good(resend.inboxes.drafts.send({ inboxId, draftId, headers: { 'X-Walk': '1' } }))
    expect(await good(resend.inboxes.drafts.get({ inboxId, draftId }))).toMatchObject({ email_id: sent.id })
    const other = await good(resend.inboxes.drafts.create({ inboxId, text: 'never mind' }))
    expect(await good(resend.inboxes.drafts.remove({ inboxId, draftId: other.id }))).toMatchObject({ deleted: true })
  })

  test('e-mails: send, batch, list, get, update, cancel, share, metrics, attachments', async () => {
    const { id } = await good(
      resend.emails.send(
        {
          from,
          to: ['eve@example.com'],
          subject: 'Sent',
          html: '<p>Hello</p>',
          replyTo: 'desk@example.com',
          tags: [{ name: 'kind', value: 'walk' }],
          headers: { 'X-One': '1' },
          attachments: [{ filename: 's.txt', content: Buffer.from('sent'), contentType: 'text/plain' }],
        },
        { idempotencyKey: 'walk-send' },
      ),
    )
    expect(await good(resend.emails.get(id))).toMatchObject({
      subject: 'Sent',
      last_event: 'sent',
      text: 'Hello',
      tags: [{ name: 'kind', value: 'walk' }],
    })
    expect((await good(resend.emails.list({ limit: 1 }))).data[0]).toMatchObject({
      id,
      reply_to: ['desk@example.com'],
      bcc: null,
    })
    const [attachment] = (await good(resend.emails.attachments.list({ emailId: id }))).data
    const full = await good(resend.emails.attachments.get({ emailId: id, id: attachment?.id ?? '' }))
    expect(await (await fetch(full.download_url)).text()).toBe('sent')
    const later = await good(
      resend.emails.send({ from, to: 'eve@example.com', subject: 'Later', text: 'x', scheduledAt: 'in 1 hour' }),
    )
    await good(resend.emails.update({ id: later.id, scheduledAt: '2099-01-01T00:00:00Z' }))
    expect(await good(resend.emails.get(later.id))).toMatchObject({
      last_event: 'scheduled',
      scheduled_at: '2099-01-01 00:00:00.000000+00',
    })
    await good(resend.emails.cancel(later.id))
    const batch = [
      { from, to: 'a@example.com', subject: 'A', text: 'a' },
      { from, to: 'nobody', subject: 'B', text: 'b' },
    ]
    expect((await good(resend.batch.send(batch.slice(0, 1)))).data).toHaveLength(1)
    const permissive = await good(resend.batch.send(batch, { batchValidation: 'permissive' }))
    expect([permissive.data.length, permissive.errors[0]?.index]).toEqual([1, 1])
    expect((await good(resend.emails.share(id, { expiresIn: '1h 30m' }))).url).toContain('/shared?token=')
    expect((await good(resend.emails.metrics())).totals.sent).toBeGreaterThan(0)
  })

  test('received e-mails: list, get, attachments, forward', async () => {
    await service.deliver({
      subject: 'Received',
      html: '<img src="cid:i@x">',
      attachments: [{ filename: 'i.png', content: 'png', cid: 'i@x' }],
    })
    const [item] = (await good(resend.emails.receiving.list({ limit: 1 }))).data
    const emailId = item?.id ?? ''
    expect(await good(resend.emails.receiving.get(emailId))).toMatchObject({
      subject: 'Received',
      received_for: [service.inboxAddress],
    })
    expect((await good(resend.emails.receiving.get(emailId, { html_format: 'cid' }))).html).toContain('cid:i@x')
    const [attachment] = (await good(resend.emails.receiving.attachments.list({ emailId }))).data
    expect(await good(resend.emails.receiving.attachments.get({ emailId, id: attachment?.id ?? '' }))).toMatchObject({
      content_id: 'i@x',
      content_disposition: 'inline',
    })
    const forwarded = await good(resend.emails.receiving.forward({ emailId, to: 'eve@example.com', from }))
    expect(await good(resend.emails.get(forwarded.id))).toMatchObject({ subject: 'Received' })
    await good(
      resend.emails.receiving.forward({ emailId, to: 'eve@example.com', from, passthrough: false, text: 'fyi' }),
    )
  })

  test('contacts with properties, segments, topics and imports', async () => {
    const property = await good(resend.contactProperties.create({ key: 'seats', type: 'number', fallbackValue: 1 }))
    await good(resend.contactProperties.update({ id: property.id, fallbackValue: 2 }))
    expect(await good(resend.contactProperties.get(property.id))).toMatchObject({ key: 'seats', fallbackValue: 2 })
    expect((await good(resend.contactProperties.list())).data).toHaveLength(1)

    const segment = await good(resend.segments.create({ name: 'Walkers' }))
    await good(resend.segments.update(segment.id, { name: 'Runners' }))
    expect(await good(resend.segments.get(segment.id))).toMatchObject({ name: 'Runners' })
    expect((await good(resend.segments.list())).data).toHaveLength(1)

    const topic = await good(
      resend.topics.create({ name: 'News', defaultSubscription: 'opt_out', description: 'All of it' }),
    )
    await good(resend.topics.update({ id: topic.id, name: 'Some news' }))
    expect(await good(resend.topics.get(topic.id))).toMatchObject({
      name: 'Some news',
      default_subscription: 'opt_out',
    })
    expect((await good(resend.topics.list())).data).toHaveLength(1)

    const email = 'walker@example.com'
    const { id } = await good(
      resend.contacts.create({ email, firstName: 'Wal', properties: { seats: 3 }, segments: [{ id: segment.id }] }),
    )
    expect((await good(resend.contacts.create({ email, lastName: 'Ker' }))).id).toBe(id)
    expect(await good(resend.contacts.get({ email }))).toMatchObject({
      first_name: 'Wal',
      last_name: 'Ker',
      properties: { seats: { type: 'number', value: 3 } },
    })
    await good(resend.contacts.update({ id, unsubscribed: true, firstName: null }))
    expect((await good(resend.contacts.list({ segmentId: segment.id }))).data[0]).toMatchObject({
      id,
      unsubscribed: true,
      first_name: null,
    })
    expect((await good(resend.contacts.list())).data).toHaveLength(1)
    expect((await good(resend.contacts.topics.list({ email }))).data[0]).toMatchObject({ subscription: 'opt_out' })
    await good(resend.contacts.topics.update({ email, topics: [{ id: topic.id, subscription: 'opt_in' }] }))
    expect((await good(resend.contacts.topics.list({ id }))).data[0]).toMatchObject({ subscription: 'opt_in' })
    expect((await good(resend.contacts.segments.list({ email }))).data).toHaveLength(1)
    await good(resend.contacts.segments.remove({ contactId: id, segmentId: segment.id }))
    await good(resend.contacts.segments.add({ email, segmentId: segment.id }))

    const file = new Blob([
      'E-Mail,seats,vorname\nwalker@example.com,4,Wally\nnew@example.com,,"New, Person"\nbroken,,\n',
    ])
    const imported = await good(
      resend.contacts.imports.create({
        file,
        columnMap: { email: 'E-Mail', firstName: 'vorname' },
        topics: [{ id: topic.id, subscription: 'opt_in' }],
      }),
    )
    expect(await good(resend.contacts.imports.get(imported.id))).toMatchObject({
      status: 'completed',
      counts: { total: 3, created: 1, updated: 1, skipped: 0, failed: 1 },
    })
    expect((await good(resend.contacts.imports.list({ status: 'completed' }))).data).toHaveLength(1)
    expect(await good(resend.contacts.get('new@example.com'))).toMatchObject({ first_name: 'New, Person' })

    // The deprecated audiences are the same as segments.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- tests that it still works
    const legacy = await good(resend.contacts.create({ audienceId: segment.id, email: 'old@example.com' }))
    expect(await good(resend.contacts.get({ audienceId: segment.id, id: legacy.id }))).toMatchObject({
      email: 'old@example.com',
    })
    expect(await good(resend.contacts.remove({ email }))).toEqual({ object: 'contact', contact: id, deleted: true })
    expect(await good(resend.topics.remove(topic.id))).toMatchObject({ deleted: true })
    expect(await good(resend.segments.remove(segment.id))).toMatchObject({ deleted: true })
    expect(await good(resend.contactProperties.remove(property.id))).toMatchObject({ deleted: true })
  })

  test('webhooks: create, list, get, update, events, attempts, replay, rotate, verify, remove', async () => {
    const inbox = service.webhook({ events: ['topic.created'] })
    const events = ['inbox.thread.created', 'topic.created'] as const
    const { id: webhookId, signing_secret: webhookSecret } = await good(
      resend.webhooks.create({ endpoint: inbox.endpoint, events: [...events] }),
    )
    expect((await good(resend.webhooks.list({ limit: 1 }))).data).toMatchObject([{ id: webhookId, events }])
    await good(resend.webhooks.update(webhookId, { events: ['topic.created'] }))
    expect(await good(resend.webhooks.get(webhookId))).toMatchObject({
      object: 'webhook',
      status: 'enabled',
      events: ['topic.created'],
      signing_secret: webhookSecret,
    })
    const topic = await good(resend.topics.create({ name: 'Walk', defaultSubscription: 'opt_in' }))
    const { id: eventId, body: payload, headers } = await inbox.next()
    await service.settled()
    expect(resend.webhooks.verify({ payload, headers, webhookSecret: inbox.signingSecret })).toMatchObject({
      type: 'topic.created',
      data: { id: topic.id, deleted: false },
    })
    const log = await good(resend.webhooks.events.list({ webhookId, limit: 1 }))
    expect(log).toMatchObject({ has_more: false, data: [{ id: eventId, type: 'topic.created', status: 'attempting' }] })
    const event = await good(resend.webhooks.events.get({ webhookId, eventId }))
    expect(event.payload).toEqual(JSON.parse(payload))
    expect(await good(resend.webhooks.events.replay({ webhookId, eventId }))).toEqual({
      object: 'webhook_event',
      id: eventId,
    })
    await service.settled()
    // The inbox rejects what the other webhook's secret signed.
    const attempts = await good(resend.webhooks.events.attempts.list({ webhookId, eventId }))
    expect(attempts.data.map((attempt) => attempt.http_status_code)).toEqual([401, 401])
    expect((await good(resend.webhooks.rotateSigningSecret(webhookId))).signing_secret).not.toBe(webhookSecret)
    expect(await good(resend.webhooks.remove(webhookId))).toEqual({ object: 'webhook', id: webhookId, deleted: true })
    await good(resend.webhooks.remove(inbox.id))
    await good(resend.topics.remove(topic.id))
  })

  test('e-mails by template', async () => {
    const variables = [{ key: 'NAME', type: 'string' as const }]
    const { id } = await good(
      resend.templates
        .create({ name: 'Greeting', html: '<p>Hello {{{NAME}}}</p>', subject: 'Hi', variables })
        .publish(),
    )
    const sent = await good(
      resend.emails.send({ from, to: 'eve@example.com', template: { id, variables: { NAME: 'Eve' } } }),
    )
    expect(await good(resend.emails.get(sent.id))).toMatchObject({ subject: 'Hi', html: '<p>Hello Eve</p>' })
    await good(resend.templates.remove(id))
  })

  test('suppressions: add, get, list, remove, several at once', async () => {
    const email = 'blocked@example.com'
    const { id } = await good(resend.suppressions.add({ email }))
    expect(await good(resend.suppressions.get(email))).toMatchObject({ id, email, origin: 'manual', source_id: null })
    expect((await good(resend.suppressions.list({ origin: 'manual', limit: 50 }))).data).toHaveLength(1)
    expect((await good(resend.suppressions.list({ origin: 'bounce' }))).data).toEqual([])
    expect(await good(resend.suppressions.remove(email))).toEqual({ object: 'suppression', id, deleted: true })
    expect((await resend.suppressions.get(id)).error).toMatchObject({ name: 'not_found' })
    const { data } = await good(resend.suppressions.batch.add({ emails: [email, 'two@example.com'] }))
    expect(data).toHaveLength(2)
    expect((await good(resend.suppressions.batch.remove({ ids: data.map((each) => each.id) }))).data).toHaveLength(2)
  })

  test('templates: create, publish, get, list, update, remove', async () => {
    const made = await resend.templates.create({
      name: 'Order confirmation',
      alias: 'order-confirmation',
      subject: 'Your {{{PRODUCT}}}',
      html: '<p>Hello {{{FIRST_NAME}}}, {{{PRODUCT}}} costs {{{PRICE}}}.</p>',
      replyTo: 'desk@example.com',
      variables: [
        { key: 'PRODUCT', type: 'string', fallbackValue: 'item' },
        { key: 'PRICE', type: 'number' },
      ],
    })
    const id = made.data?.id ?? ''
    expect(made.error).toBeNull()
    expect(await good(resend.templates.get(id))).toMatchObject({ status: 'draft', published_at: null })
    expect(await good(resend.templates.publish('order-confirmation'))).toEqual({ object: 'template', id })
    expect(await good(resend.templates.get('order-confirmation'))).toMatchObject({
      id,
      status: 'published',
      reply_to: ['desk@example.com'],
      text: 'Hello {{{FIRST_NAME}}}, {{{PRODUCT}}} costs {{{PRICE}}}.',
      has_unpublished_versions: false,
      variables: [
        { key: 'PRODUCT', type: 'string', fallback_value: 'item' },
        { key: 'PRICE', type: 'number', fallback_value: null },
      ],
    })
    await good(resend.templates.update(id, { name: 'Order' }))
    expect(await good(resend.templates.get(id))).toMatchObject({ name: 'Order', has_unpublished_versions: true })
    expect((await good(resend.templates.list({ limit: 1 }))).data).toMatchObject([{ id, status: 'published' }])
    expect(await good(resend.templates.remove(id))).toEqual({ object: 'template', id, deleted: true })
    expect((await resend.templates.get(id)).error).toEqual({
      statusCode: 404,
      message: 'Template not found',
      name: 'not_found',
    })
  })

  test('domains: create, list, get, verify, update, remove', async () => {
    const { id, records, status } = await good(
      resend.domains.create({ name: 'walk.example', region: 'eu-west-1', customReturnPath: 'bounces' }),
    )
    expect([status, records.map(({ record, type }) => `${record} ${type}`)]).toEqual([
      'not_started',
      ['SPF MX', 'SPF TXT', 'DKIM CNAME', 'DKIM CNAME', 'DKIM CNAME'],
    ])
    expect((await good(resend.domains.list({ limit: 1 }))).data).toMatchObject([{ id, name: 'walk.example' }])
    const letter = { from: 'me@walk.example', to: 'eve@example.com', subject: 'From a new domain', text: 'x' }
    expect((await resend.emails.send(letter)).error).toEqual({
      statusCode: 403,
      message: 'The walk.example domain is not verified. Please, add and verify your domain.',
      name: 'validation_error',
    })
    expect(await good(resend.domains.verify(id))).toEqual({ object: 'domain', id })
    service.advance(1000)
    await service.settled()
    expect(await good(resend.domains.get(id))).toMatchObject({ object: 'domain', status: 'verified' })
    await good(resend.emails.send(letter))
    expect(
      await good(
        resend.domains.update({
          id,
          openTracking: true,
          clickTracking: true,
          trackingSubdomain: 'links',
          tls: 'enforced',
          capabilities: { receiving: 'enabled' },
        }),
      ),
    ).toEqual({ object: 'domain', id })
    expect(await good(resend.domains.get(id))).toMatchObject({
      status: 'partially_verified',
      open_tracking: true,
      click_tracking: true,
      tracking_subdomain: 'links',
      capabilities: { sending: 'enabled', receiving: 'enabled' },
    })
    expect(await good(resend.domains.remove(id))).toEqual({ object: 'domain', id, deleted: true })
    expect((await resend.domains.get(id)).error).toEqual({
      statusCode: 404,
      message: 'Domain not found',
      name: 'not_found',
    })
  })

  test('API keys and usage', async () => {
    const key = await good(resend.apiKeys.create({ name: 'sender', permission: 'sending_access' }))
    await good(resend.apiKeys.update(key.id, { name: 'renamed' }))
    expect((await good(resend.apiKeys.list())).data.map(({ name }) => name)).toContain('renamed')
    const sender = new Resend(key.token, { baseUrl: service.baseUrl })
    await good(sender.emails.send({ from, to: 'eve@example.com', subject: 'By a sending key', text: 'x' }))
    expect((await sender.inboxes.list()).error).toEqual({
      statusCode: 401,
      message: 'This API key is restricted to only send emails',
      name: 'restricted_api_key',
    })
    expect(await good(resend.apiKeys.remove(key.id))).toMatchObject({ deleted: true })
    expect(await good(resend.usage.get())).toMatchObject({ object: 'usage', rate_limit: { duration: '1s' } })
  })
})
