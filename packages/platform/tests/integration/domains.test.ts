import { describe, expect, test } from 'vitest'
import type { ServiceUnderTest } from './service-under-test.ts'
import { start } from './webhook-log.ts'
import type { Inbox, List, Plain, ReceivedEmail, SentEmail } from './wire-shapes.ts'

interface DnsRecord {
  readonly record: string
  readonly name: string
  readonly type: string
  readonly status: string
  readonly value: string
}

interface Domain extends Plain {
  readonly status: string
  readonly region: string
  readonly records: readonly DnsRecord[]
}

const add = async (service: ServiceUnderTest, body: object): Promise<Domain> => {
  const answer = await service.ask<Domain>('POST', '/domains', body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body
}
const get = (service: ServiceUnderTest, id: string): Promise<Domain> => service.get<Domain>(`/domains/${id}`)
const finishCheck = async (service: ServiceUnderTest): Promise<void> => {
  service.advance(1000)
  await service.settled()
}
const verify = async (service: ServiceUnderTest, id: string): Promise<void> => {
  expect((await service.ask('POST', `/domains/${id}/verify`)).body).toEqual({ object: 'domain', id })
  await finishCheck(service)
}
const sendFrom = (service: ServiceUnderTest, from: string, headers: Readonly<Record<string, string>> = {}) =>
  service.ask('POST', '/emails', { from, to: 'eve@example.com', subject: 'Hello', text: 'x' }, headers)
const states = ({ records }: Domain): readonly string[] => [
  ...new Set(records.map(({ record, status }) => `${record} ${status}`)),
]
const unverified = (name: string) => ({
  status: 403,
  body: {
    statusCode: 403,
    message: `The ${name} domain is not verified. Please, add and verify your domain.`,
    name: 'validation_error',
  },
})

/** Sources: the types of the vendor's SDK, and its documentation, "Domains" and "Errors". */
describe('domains', () => {
  test('the domain of an inbox is verified from the start', async () => {
    const service = await start()
    const inbox = await service.get<Inbox>(`/inboxes/${service.inboxId}`)
    const { data } = await service.get<List<Domain>>('/domains')
    expect(data).toEqual([
      {
        id: inbox.domain_id,
        name: 'linnet.example',
        status: 'verified',
        created_at: '2027-01-15T08:00:00.000000+00:00',
        region: 'us-east-1',
        open_tracking: false,
        click_tracking: false,
        capabilities: { sending: 'enabled', receiving: 'enabled' },
      },
    ])
    expect(states(await get(service, inbox.domain_id))).toEqual(['SPF verified', 'DKIM verified', 'Receiving verified'])
  })

  test('a new domain comes with its DNS records, unchecked', async () => {
    const service = await start()
    const domain = await add(service, { name: 'Example.com' })
    const selector = expect.stringMatching(/^[\da-f]{32}\._domainkey$/) as string
    const target = expect.stringMatching(/^[\da-f]{32}\.dkim\.amazonses\.com\.$/) as string
    const dkim = { record: 'DKIM', name: selector, type: 'CNAME', ttl: 'Auto', status: 'not_started', value: target }
    const spf = { record: 'SPF', name: 'send', ttl: 'Auto', status: 'not_started' }
    expect(domain).toEqual({
      id: domain.id,
      name: 'example.com',
      status: 'not_started',
      created_at: '2027-01-15T08:00:00.000000+00:00',
      region: 'us-east-1',
      open_tracking: false,
      click_tracking: false,
      capabilities: { sending: 'enabled', receiving: 'disabled' },
      records: [
        { ...spf, type: 'MX', value: 'feedback-smtp.us-east-1.amazonses.com', priority: 10 },
        { ...spf, type: 'TXT', value: '"v=spf1 include:amazonses.com ~all"' },
        dkim,
        dkim,
        dkim,
      ],
    })
    expect(new Set(domain.records.map(({ name }) => name)).size).toBe(4)
    expect(await get(service, domain.id)).toEqual({ ...domain, object: 'domain' })
  })

  test('records follow the region, the subdomains and the capabilities', async () => {
    const service = await start()
    const { name, region, records } = await add(service, {
      name: 'post.Bücher.example',
      region: 'ap-northeast-1',
      custom_return_path: 'Bounces',
      tracking_subdomain: 'links',
      open_tracking: true,
      tls: 'enforced',
      capabilities: { receiving: 'enabled' },
    })
    expect([name, region]).toEqual(['post.xn--bcher-kva.example', 'ap-northeast-1'])
    expect(records.filter(({ record }) => record !== 'DKIM').map((record) => [record.name, record.value])).toEqual([
      ['bounces.post', 'feedback-smtp.ap-northeast-1.amazonses.com'],
      ['bounces.post', '"v=spf1 include:amazonses.com ~all"'],
      ['post.xn--bcher-kva.example', 'inbound-smtp.ap-northeast-1.amazonaws.com'],
      ['links.post.xn--bcher-kva.example', 'links1.resend-dns.com'],
    ])
    expect(records.find(({ record }) => record === 'DKIM')?.name).toMatch(/\._domainkey\.post$/)
    const receiver = await add(service, {
      name: 'in.example',
      capabilities: { sending: 'disabled', receiving: 'enabled' },
    })
    expect(receiver.records.map(({ record }) => record)).toEqual(['Receiving'])
  })

  test('are listed newest first, all at once without a limit', async () => {
    const service = await start()
    for (let n = 1; n <= 21; n++) await add(service, { name: `n${n}.example` })
    const names = async (query = '') =>
      (await service.get<List<Domain>>(`/domains${query}`)).data.map(({ name }) => name)
    expect(await names()).toHaveLength(22)
    expect(await names('?limit=2')).toEqual(['n21.example', 'n20.example'])
    const [, second] = (await service.get<List<Domain>>('/domains?limit=2')).data
    expect(await names(`?limit=2&after=${second?.id}`)).toEqual(['n19.example', 'n18.example'])
    expect((await service.ask('GET', '/domains?limit=101')).status).toBe(422)
    service.reset()
    expect(await names()).toEqual(['linnet.example'])
  })

  test('a name can be registered once, also if an inbox has it', async () => {
    const service = await start()
    const { id } = await add(service, { name: 'bücher.example' })
    for (const [given, name] of [
      ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
      ['linnet.example', 'linnet.example'],
    ])
      expect(await service.ask('POST', '/domains', { name: given })).toMatchObject({
        status: 403,
        body: { name: 'validation_error', message: `The ${name} domain has been registered already.` },
      })
    await service.ask('DELETE', `/domains/${id}`)
    await add(service, { name: 'bücher.example' })
  })

  test.each<readonly [body: object, name: string, message: string]>([
    [{}, 'missing_required_field', 'Missing `name` field.'],
    ...[
      '',
      'example',
      'me@example.com',
      'a b.example',
      '-a.example',
      'a..example',
      'example.com.',
      'a.'.repeat(150),
    ].map(
      (name) =>
        [{ name }, 'validation_error', 'Invalid `name` field. It must be a domain name such as `example.com`'] as const,
    ),
    [
      { name: 'a.example', region: 'remote' },
      'invalid_region',
      'Region must be "us-east-1" | "eu-west-1" | "sa-east-1" | "ap-northeast-1".',
    ],
    [
      { name: 'a.example', custom_return_path: '1st' },
      'validation_error',
      'Invalid `custom_return_path` field. It must be a subdomain without dots, such as `send`',
    ],
    [
      { name: 'a.example', tracking_subdomain: '' },
      'validation_error',
      'Invalid `tracking_subdomain` field. It must be a subdomain without dots, such as `send`',
    ],
    [
      { name: 'a.example', capabilities: { sending: 'disabled' } },
      'validation_error',
      'At least one of `sending` and `receiving` must be enabled.',
    ],
  ])('a domain with a wrong field is rejected: %j', async (body, name, message) => {
    const service = await start()
    expect((await service.ask('POST', '/domains', body)).body).toEqual({ statusCode: 422, message, name })
    expect((await service.get<List<Domain>>('/domains')).data).toHaveLength(1)
  })

  test('an unknown domain gets 404, and a sending key no access', async () => {
    const service = await start()
    const { body } = await service.ask('POST', '/api-keys', { name: 's', permission: 'sending_access' })
    const authorization = `Bearer ${body.token}`
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['POST', '/verify'],
      ['DELETE', ''],
    ] as const) {
      const target = `/domains/b3a1ad47-8b4e-4a21-8c1a-29c4f0ccdb3c${path}`
      const unknown = await service.ask(method, target, method === 'PATCH' ? {} : undefined)
      expect(unknown.body).toEqual({ statusCode: 404, message: 'Domain not found', name: 'not_found' })
      const refused = await service.ask(method, target, undefined, { authorization })
      expect(refused).toMatchObject({ status: 401, body: { name: 'restricted_api_key' } })
    }
  })

  describe('verification', () => {
    test('is pending until the clock has moved a second', async () => {
      const service = await start()
      const { id } = await add(service, { name: 'new.example', tracking_subdomain: 'links' })
      await service.ask('POST', `/domains/${id}/verify`)
      await service.settled()
      const pending = await get(service, id)
      expect([pending.status, ...states(pending)]).toEqual([
        'pending',
        'SPF pending',
        'DKIM pending',
        'Tracking pending',
      ])
      await finishCheck(service)
      const verified = await get(service, id)
      expect([verified.status, ...states(verified)]).toEqual([
        'verified',
        'SPF verified',
        'DKIM verified',
        'Tracking verified',
      ])
    })

    test('lets an address of the domain send, also during a later check', async () => {
      const service = await start()
      const { id } = await add(service, { name: 'new.example' })
      expect(await sendFrom(service, 'me@new.example')).toMatchObject(unverified('new.example'))
      await service.ask('POST', `/domains/${id}/verify`)
      expect(await sendFrom(service, 'me@new.example')).toMatchObject(unverified('new.example'))
      await finishCheck(service)
      expect((await sendFrom(service, 'Me <me@NEW.example>')).status).toBe(200)
      await service.ask('POST', `/domains/${id}/verify`)
      expect((await get(service, id)).status).toBe('pending')
      expect((await sendFrom(service, 'me@new.example')).status).toBe(200)
    })

    test('lets all addresses of the domain receive, if that is enabled', async () => {
      const service = await start()
      const { id } = await add(service, { name: 'new.example' })
      const deliver = () => service.deliver({ to: 'any@new.example', subject: 'Hello', text: 'x' })
      await verify(service, id)
      await expect(deliver()).rejects.toThrow('No mailbox here for <any@new.example>')
      await service.ask('PATCH', `/domains/${id}`, { capabilities: { receiving: 'enabled' } })
      const enabled = await get(service, id)
      expect([enabled.status, ...states(enabled)]).toEqual([
        'partially_verified',
        'SPF verified',
        'DKIM verified',
        'Receiving not_started',
      ])
      await expect(deliver()).rejects.toThrow('No mailbox here')
      await verify(service, id)
      expect((await get(service, id)).status).toBe('verified')
      await deliver()
      const { data } = await service.get<List<ReceivedEmail>>('/emails/receiving')
      expect(data).toMatchObject([{ received_for: ['any@new.example'] }])
      const { body } = await service.ask('POST', '/emails', {
        from: service.inboxAddress,
        to: 'any@new.example',
        subject: 'Hello',
        text: 'x',
      })
      expect(await service.get<SentEmail>(`/emails/${body.id}`)).toMatchObject({ last_event: 'delivered' })
    })

    test('comes before inboxes; with forwarding, sending is enough', async () => {
      const service = await start()
      const { id } = await add(service, { name: 'new.example' })
      const inbox = (forwarding: boolean) =>
        service.ask('POST', '/inboxes', { email_address: `desk${forwarding}@new.example`, forwarding })
      expect(await inbox(true)).toMatchObject(unverified('new.example'))
      await verify(service, id)
      expect(await inbox(false)).toMatchObject(unverified('new.example'))
      expect((await inbox(true)).status).toBe(200)
      await service.ask('PATCH', `/domains/${id}`, { capabilities: { receiving: 'enabled' } })
      await verify(service, id)
      expect((await inbox(false)).status).toBe(200)
    })
  })

  test('a change keeps the other settings', async () => {
    const service = await start()
    const { id } = await add(service, { name: 'new.example', click_tracking: true, tracking_subdomain: 'links' })
    await verify(service, id)
    await service.ask('PATCH', `/domains/${id}`, { open_tracking: true })
    await service.ask('PATCH', `/domains/${id}`, { tls: 'enforced' })
    expect(await get(service, id)).toMatchObject({
      status: 'verified',
      open_tracking: true,
      click_tracking: true,
      tracking_subdomain: 'links',
      capabilities: { sending: 'enabled', receiving: 'disabled' },
    })
    await service.ask('PATCH', `/domains/${id}`, { click_tracking: false, tracking_subdomain: 'Links' })
    expect(states(await get(service, id))).toContain('Tracking verified')
    for (const wrong of [
      { tls: 'never' },
      { open_tracking: 'yes' },
      { capabilities: { sending: 'disabled' } },
      { tracking_subdomain: 'a.b' },
    ])
      expect((await service.ask('PATCH', `/domains/${id}`, wrong)).body).toMatchObject({ name: 'validation_error' })
    expect(await get(service, id)).toMatchObject({ open_tracking: true, click_tracking: false })
  })

  test('another tracking subdomain needs a new check, which the status ignores', async () => {
    const service = await start()
    const { id } = await add(service, { name: 'new.example', tracking_subdomain: 'links' })
    await verify(service, id)
    await service.ask('PATCH', `/domains/${id}`, { tracking_subdomain: 'go' })
    const moved = await get(service, id)
    expect([moved.status, ...states(moved)]).toEqual([
      'verified',
      'SPF verified',
      'DKIM verified',
      'Tracking not_started',
    ])
    expect(moved.records.at(-1)?.name).toBe('go.new.example')
  })

  test('a domain can’t send while sending is disabled', async () => {
    const service = await start()
    const { id } = await add(service, { name: 'new.example', capabilities: { receiving: 'enabled' } })
    await verify(service, id)
    await service.ask('PATCH', `/domains/${id}`, { capabilities: { sending: 'disabled' } })
    expect(states(await get(service, id))).toEqual(['Receiving verified'])
    expect((await sendFrom(service, 'me@new.example')).status).toBe(403)
    await service.ask('PATCH', `/domains/${id}`, { capabilities: { sending: 'enabled' } })
    expect((await sendFrom(service, 'me@new.example')).status).toBe(200)
  })

  test('a domain with inboxes can’t be deleted', async () => {
    const service = await start()
    const { domain_id: id } = await service.get<Inbox>(`/inboxes/${service.inboxId}`)
    expect((await service.ask('DELETE', `/domains/${id}`)).body).toEqual({
      statusCode: 422,
      message: 'The domain has inboxes. Delete them first.',
      name: 'validation_error',
    })
    await service.ask('DELETE', `/inboxes/${service.inboxId}`)
    expect((await service.ask('DELETE', `/domains/${id}`)).body).toEqual({ object: 'domain', id, deleted: true })
    expect(await sendFrom(service, service.inboxAddress)).toMatchObject(unverified('linnet.example'))
  })

  test('the key of a deleted domain can’t send from any', async () => {
    const service = await start()
    const { id } = await add(service, { name: 'new.example' })
    await verify(service, id)
    const { body } = await service.ask('POST', '/api-keys', { name: 's', permission: 'sending_access', domain_id: id })
    const authorization = `Bearer ${body.token}`
    expect((await sendFrom(service, 'me@new.example', { authorization })).status).toBe(200)
    await service.ask('DELETE', `/domains/${id}`)
    for (const from of ['me@new.example', service.inboxAddress, 'onboarding@resend.dev'])
      expect((await sendFrom(service, from, { authorization })).status, from).toBe(403)
  })

  test('each change is an event with the domain as it is then', async () => {
    const service = await start()
    const hook = service.webhook()
    const created = await add(service, { name: 'new.example' })
    const { id } = created
    await verify(service, id)
    await service.ask('PATCH', `/domains/${id}`, { open_tracking: true })
    const {
      object: _object,
      open_tracking,
      click_tracking,
      ...last
    } = await service.get<Record<string, unknown>>(`/domains/${id}`)
    await service.ask('DELETE', `/domains/${id}`)
    await service.settled()
    const events = hook.received.map(({ type, data }) => [type, data] as const)
    expect(events.map(([type, { status }]) => `${type} ${String(status)}`)).toEqual([
      'domain.created not_started',
      'domain.updated pending',
      'domain.updated verified',
      'domain.updated verified',
      'domain.deleted verified',
    ])
    expect(created).toEqual({ ...events[0]?.[1], open_tracking: false, click_tracking: false })
    expect(events.slice(2).map(([, data]) => data)).toEqual([last, last, last])
    expect([open_tracking, click_tracking]).toEqual([true, false])
  })
})
