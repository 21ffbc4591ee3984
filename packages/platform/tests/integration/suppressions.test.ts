import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ServiceUnderTest, startTestService } from './service-under-test.ts'
import type { List, SentEmail, Thread } from './wire-shapes.ts'

interface Suppression {
  readonly id: string
  readonly email: string
  readonly origin: string
  readonly source_id: string | null
}

/** Source: the vendor's documentation, "Email Suppressions", and its API reference. */
describe('suppressions', () => {
  let service: ServiceUnderTest
  beforeEach(async () => {
    service = await startTestService({ faults: true })
  })
  afterEach(() => service.close())

  const send = async (to: string | readonly string[]): Promise<string> =>
    (await service.ask('POST', '/emails', { from: service.inboxAddress, to, subject: 'Hello', text: 'x' })).body.id
  const eventOf = async (id: string): Promise<string | null | undefined> =>
    (await service.get<SentEmail>(`/emails/${id}`)).last_event
  const tell = async (id: string, event: string): Promise<void> => {
    const answer = await fetch(`${service.baseUrl}/_control/emails/${id}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${service.apiKey}`, 'user-agent': 'tests' },
      body: JSON.stringify({ last_event: event }),
    })
    expect(answer.status).toBe(200)
  }
  const addresses = async (query = ''): Promise<readonly string[]> =>
    (await service.get<List<Suppression>>(`/suppressions${query}`)).data.map(({ email }) => email)

  test.each([
    ['bounced', 'bounce'],
    ['complained', 'complaint'],
  ])('an e-mail that %s suppresses its recipient until the entry is removed', async (event, origin) => {
    const first = await send('eve@example.com')
    expect((await service.ask('GET', '/suppressions/eve@example.com')).body).toMatchObject({
      statusCode: 404,
      message: 'Suppression not found',
      name: 'not_found',
    })
    await tell(first, event)
    const entry = await service.get<Suppression>('/suppressions/eve%40example.com')
    expect(entry).toMatchObject({ object: 'suppression', email: 'eve@example.com', origin, source_id: first })
    expect(await service.get(`/suppressions/${entry.id}`)).toEqual(entry)
    expect(await eventOf(await send('Eve <EVE@example.com>'))).toBe('suppressed')

    expect((await service.ask('DELETE', '/suppressions/EVE%40example.com')).body).toEqual({
      object: 'suppression',
      id: entry.id,
      deleted: true,
    })
    expect((await service.ask('DELETE', `/suppressions/${entry.id}`)).status).toBe(404)
    expect(await eventOf(await send('eve@example.com'))).toBe('sent')
  })

  test('sends only to recipients that aren’t suppressed', async () => {
    const { body: inbox } = await service.ask('POST', '/inboxes', { email_address: 'carl@linnet.example' })
    const { body: other } = await service.ask('POST', '/inboxes', { email_address: 'dora@linnet.example' })
    await service.ask('POST', '/suppressions', { email: 'carl@linnet.example' })
    expect(await eventOf(await send(['carl@linnet.example', 'dora@linnet.example']))).toBe('delivered')
    const subjects = async (id: string) =>
      (await service.get<List<Thread>>(`/inboxes/${id}/threads`)).data.map(({ subject }) => subject)
    expect([await subjects(inbox.id), await subjects(other.id)]).toEqual([[], ['Hello']])
  })

  test('holds back a scheduled e-mail whose recipient is suppressed by then', async () => {
    const { body } = await service.ask('POST', '/emails', {
      from: service.inboxAddress,
      to: 'eve@example.com',
      subject: 'Later',
      text: 'x',
      scheduled_at: 'in 1 hour',
    })
    await service.ask('POST', '/suppressions', { email: 'eve@example.com' })
    service.advance(3_600_001)
    await expect.poll(() => eventOf(body.id), { timeout: 5_000 }).toBe('suppressed')
  })

  test('lists test addresses that bounce or complain once each, with their origin', async () => {
    const id = await send(['bounced+a@resend.dev', 'complained+b@resend.dev', 'eve@example.com'])
    await expect.poll(() => eventOf(id), { timeout: 8_000 }).toBe('complained')
    service.advance(60_000)
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    expect(await eventOf(id)).toBe('complained')
    const { data } = await service.get<List<Suppression>>('/suppressions')
    expect(data.map(({ email, origin }) => [email, origin]).toSorted()).toEqual([
      ['bounced+a@resend.dev', 'bounce'],
      ['complained+b@resend.dev', 'complaint'],
    ])
  })

  test('adds trimmed, lower-case addresses, and keeps the origin of existing entries', async () => {
    const { status, body } = await service.ask('POST', '/suppressions', { email: ' Eve@Example.com ' })
    expect(status).toBe(201)
    expect((await service.ask('POST', '/suppressions', { email: 'eve@example.com' })).body.id).toBe(body.id)
    expect(await service.get('/suppressions/eve@example.com')).toMatchObject({ origin: 'manual', source_id: null })
    const first = await send('carl@example.com')
    await tell(first, 'bounced')
    await service.ask('POST', '/suppressions', { email: 'carl@example.com' })
    expect(await service.get('/suppressions/carl@example.com')).toMatchObject({ origin: 'bounce', source_id: first })
    expect((await service.ask('POST', '/suppressions', {})).body).toMatchObject({
      statusCode: 422,
      name: 'missing_required_field',
      message: 'Missing `email` field.',
    })
    expect((await service.ask('POST', '/suppressions', { email: 'nobody' })).status).toBe(422)
  })

  test('pages the list newest first, and filters it by origin', async () => {
    for (let n = 1; n <= 21; n++) await service.ask('POST', '/suppressions', { email: `m${n}@example.com` })
    await tell(await send('eve@example.com'), 'bounced')
    expect(await addresses()).toHaveLength(20)
    expect(await addresses('?limit=2')).toEqual(['eve@example.com', 'm21@example.com'])
    const { id } = await service.get<Suppression>('/suppressions/m21@example.com')
    expect(await addresses(`?limit=2&after=${id}`)).toEqual(['m20@example.com', 'm19@example.com'])
    expect(await addresses('?origin=bounce')).toEqual(['eve@example.com'])
    expect(await addresses('?origin=complaint')).toEqual([])
    expect((await service.ask('GET', '/suppressions?origin=boredom')).status).toBe(422)
    expect((await service.ask('GET', '/suppressions?limit=101')).status).toBe(422)
  })

  test('adds and removes up to 100 in a batch, by address or ID', async () => {
    const emails = ['a@example.com', 'b@example.com', 'c@example.com']
    const { body } = await service.ask<{ data: readonly { id: string }[] }>('POST', '/suppressions/batch/add', {
      emails,
    })
    expect(body.data).toHaveLength(3)
    const removed = await service.ask('POST', '/suppressions/batch/remove', {
      emails: ['A@example.com', 'z@example.com'],
    })
    expect(removed.body).toEqual({ data: [{ object: 'suppression', id: body.data[0]?.id, deleted: true }] })
    await service.ask('POST', '/suppressions/batch/remove', { ids: [body.data[1]?.id] })
    expect(await addresses()).toEqual(['c@example.com'])
    for (const wrong of [{}, { emails, ids: [body.data[2]?.id] }, { emails: [] }]) {
      expect((await service.ask('POST', '/suppressions/batch/remove', wrong)).status).toBe(422)
    }
    const many = Array.from({ length: 101 }, (_, n) => `n${n}@example.com`)
    expect((await service.ask('POST', '/suppressions/batch/add', { emails: many })).status).toBe(422)
  })
})

describe('the agent of an inbox', () => {
  let service: ServiceUnderTest
  beforeEach(async () => {
    service = await startTestService()
  })
  afterEach(() => service.close())

  test('keeps omitted fields, clears null ones, and accepts up to 4,000 characters', async () => {
    const path = `/inboxes/${service.inboxId}/agent`
    const most = 'x'.repeat(4_000)
    await service.ask('PATCH', path, {
      instructions: most,
      tone: 'concise_casual',
      actions: ['draft_reply', 'archive'],
    })
    await service.ask('PATCH', path, { tone: null })
    expect(await service.get(path)).toEqual({
      object: 'inbox_agent',
      instructions: most,
      tone: null,
      actions: ['draft_reply', 'archive'],
    })
    await service.ask('PATCH', path, { instructions: null, actions: [] })
    expect(await service.get(path)).toMatchObject({ instructions: null, actions: [] })
    for (const wrong of [
      {},
      { instructions: `${most}x` },
      { instructions: '' },
      { tone: 'rude' },
      { actions: ['delete_everything'] },
    ]) {
      expect((await service.ask('PATCH', path, wrong)).body).toMatchObject({
        statusCode: 422,
        name: 'validation_error',
      })
    }
    expect((await service.ask('GET', '/inboxes/nobody@example.com/agent')).body).toMatchObject({
      statusCode: 404,
      message: 'Inbox not found.',
    })
  })
})
