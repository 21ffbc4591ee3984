import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ServiceUnderTest, startTestService } from './service-under-test.ts'
import type { Contact, List, TopicSubscription } from './wire-shapes.ts'

/** Lists of contacts and of a contact's topics, with their limits (platform.md 18 and 19). */
describe('contacts and their topics', () => {
  let service: ServiceUnderTest
  beforeEach(async () => {
    let now = Date.parse('2026-05-01T00:00:00Z')
    // Gives every contact and topic a different time.
    service = await startTestService({ service: { now: () => (now += 1000) } })
  })
  afterEach(() => service.close())

  const addContacts = async (count: number): Promise<void> => {
    for (let n = 1; n <= count; n++) await service.ask('POST', '/contacts', { email: `c${n}@example.com` })
  }
  const addTopics = async (count: number): Promise<readonly string[]> => {
    const ids: string[] = []
    for (let n = 1; n <= count; n++) {
      const { body } = await service.ask('POST', '/topics', {
        name: `t${n}`,
        default_subscription: n % 2 ? 'opt_in' : 'opt_out',
      })
      ids.push(body.id)
    }
    return ids
  }

  const lists = [
    ['list contacts', '/contacts', addContacts, (item: { email?: string }) => item.email?.slice(0, 2)],
    ['list topics of a contact', '/contacts/c1@example.com/topics', addTopics, (item: { name?: string }) => item.name],
  ] as const

  describe.each(lists)('%s', (_name, path, add, show) => {
    beforeEach(async () => {
      if (path !== '/contacts') await addContacts(1)
    })
    const page = async (query = '') => {
      const { data, has_more } = await service.get<List<{ id: string; email?: string; name?: string }>>(
        `${path}${query}`,
      )
      return { shown: data.map((item) => show(item)?.slice(1)), ids: data.map(({ id }) => id), has_more }
    }

    test('`limit` omitted: everything in one response, newest first', async () => {
      await add(25)
      expect(await page()).toMatchObject({ has_more: false, shown: { length: 25 } })
    })

    test('`limit`: minimum 1, maximum 100', async () => {
      await add(3)
      expect(await page('?limit=1')).toMatchObject({ shown: ['3'], has_more: true })
      expect(await page('?limit=100')).toMatchObject({ shown: ['3', '2', '1'], has_more: false })
      for (const limit of ['0', '101', '1.5', '-1', 'x', '']) {
        expect((await service.ask('GET', `${path}?limit=${limit}`)).status, limit).toBe(422)
      }
    })

    test('`after` and `before`: the ID is not in the returned list, and only one may be used', async () => {
      await add(5)
      const { ids } = await page()
      expect(await page(`?limit=2&after=${ids[1]}`)).toMatchObject({ shown: ['3', '2'], has_more: true })
      expect(await page(`?limit=2&before=${ids[3]}`)).toMatchObject({ shown: ['4', '3'], has_more: true })
      expect(await page(`?after=${ids[3]}`)).toMatchObject({ shown: ['1'], has_more: false })
      expect((await service.ask('GET', `${path}?after=${ids[0]}&before=${ids[1]}`)).body.message).toMatch(
        /^You can only pass one of/,
      )
      expect((await service.ask('GET', `${path}?after=nobody`)).status).toBe(404)
    })
  })

  test('a page stays correct while contacts are added and deleted', async () => {
    await addContacts(4)
    const first = await service.get<List<Contact>>('/contacts?limit=2')
    await service.ask('POST', '/contacts', { email: 'new@example.com' })
    await service.ask('DELETE', '/contacts/c4@example.com')
    const second = await service.get<List<Contact>>(`/contacts?limit=2&after=${first.data[1]?.id}`)
    expect(second.data.map(({ email }) => email)).toEqual(['c2@example.com', 'c1@example.com'])
  })

  test('a contact has its documented format (platform.md 18.1)', async () => {
    await service.ask('POST', '/contact-properties', { key: 'company', type: 'string' })
    await service.ask('POST', '/contacts', {
      email: 'Ann@Example.com',
      first_name: 'Ann',
      properties: { company: 'Acme' },
    })
    const [contact] = (await service.get<List<Contact>>('/contacts')).data
    expect(contact).toMatchObject({
      email: 'Ann@Example.com',
      first_name: 'Ann',
      unsubscribed: false,
      properties: { company: 'Acme' },
    })
    expect(contact?.created_at).toMatch(/^2026-05-01T00:\d\d:\d\d\.\d{3}Z$/)
  })

  test('a contact is found by ID and address, in any case', async () => {
    await addContacts(1)
    const [contact] = (await service.get<List<Contact>>('/contacts')).data
    for (const name of [contact?.id, 'c1@example.com', 'C1@EXAMPLE.COM', encodeURIComponent('c1@example.com')]) {
      expect((await service.get<Contact>(`/contacts/${name}`)).email).toBe('c1@example.com')
    }
    expect(await service.ask('GET', '/contacts/nobody@example.com')).toMatchObject({
      status: 404,
      body: { message: 'Contact not found' },
    })
  })

  test('a property must exist and match its type; null removes it', async () => {
    await service.ask('POST', '/contact-properties', { key: 'seats', type: 'number' })
    await addContacts(1)
    const change = (properties: object) => service.ask('PATCH', '/contacts/c1@example.com', { properties })
    expect((await change({ other: 'x' })).status).toBe(422)
    expect((await change({ seats: 'many' })).status).toBe(422)
    expect((await change({ seats: 5 })).status).toBe(200)
    expect((await service.get<Contact>('/contacts/c1@example.com')).properties).toEqual({
      seats: { type: 'number', value: 5 },
    })
    await change({ seats: null })
    expect((await service.get<Contact>('/contacts/c1@example.com')).properties).toEqual({})
  })

  test('a topic uses its default until the contact chooses, in both body forms', async () => {
    await addContacts(1)
    const [first, second] = await addTopics(2)
    const subscriptions = async () =>
      (await service.get<List<TopicSubscription>>('/contacts/c1@example.com/topics')).data.map(
        ({ name, subscription }) => [name, subscription],
      )
    expect(await subscriptions()).toEqual([
      ['t2', 'opt_out'],
      ['t1', 'opt_in'],
    ])
    const path = '/contacts/c1@example.com/topics'
    await service.ask('PATCH', path, [{ id: first, subscription: 'opt_out' }])
    await service.ask('PATCH', path, { topics: [{ id: second, subscription: 'opt_in' }] })
    expect(await subscriptions()).toEqual([
      ['t2', 'opt_in'],
      ['t1', 'opt_out'],
    ])
    const unknown = [{ id: '00000000-0000-4000-8000-000000000000', subscription: 'opt_in' }]
    expect(await service.ask('PATCH', path, unknown)).toMatchObject({
      status: 404,
      body: { message: 'Topic not found' },
    })
  })

  test('a topic is created within limits, changed except its default, and deleted', async () => {
    await addContacts(1)
    const made = (body: object) => service.ask('POST', '/topics', { default_subscription: 'opt_in', ...body })
    for (const wrong of [
      { name: '' },
      { name: 'x'.repeat(51) },
      { name: 'x', description: 'x'.repeat(201) },
      { name: 'x', visibility: 'secret' },
      { name: 'x', default_subscription: 'maybe' },
      { name: 'x', default_subscription: undefined },
    ]) {
      expect((await made(wrong)).status, JSON.stringify(wrong)).toBe(422)
    }
    const { status, body } = await made({ name: 'x'.repeat(50), description: 'x'.repeat(200) })
    expect({ status, body }).toMatchObject({ status: 201, body: { object: 'topic' } })
    const path = `/topics/${body.id}`
    expect(await service.get(path)).toMatchObject({ visibility: 'private', default_subscription: 'opt_in' })
    const change = { name: 'News', description: null, visibility: 'public', default_subscription: 'opt_out' }
    expect(await service.ask('PATCH', path, change)).toMatchObject({ status: 200, body: { id: body.id } })
    expect(await service.get(path)).toMatchObject({
      ...{ name: 'News', description: null, visibility: 'public' },
      default_subscription: 'opt_in',
    })
    await service.ask('PATCH', '/contacts/c1@example.com/topics', [{ id: body.id, subscription: 'opt_out' }])
    expect(await service.ask('DELETE', path)).toMatchObject({ status: 200, body: { id: body.id, deleted: true } })
    expect((await service.get<List<TopicSubscription>>('/contacts/c1@example.com/topics')).data).toEqual([])
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      expect(await service.ask(method, path, method === 'PATCH' ? { name: 'x' } : undefined)).toMatchObject({
        status: 404,
        body: { message: 'Topic not found' },
      })
    }
  })

  test('an unknown segment returns audience not found, but deleting it succeeds', async () => {
    expect((await service.ask('GET', '/segments/none')).body.message).toBe('Audience not found')
    expect((await service.ask('DELETE', '/segments/none')).body.deleted).toBe(true)
  })
})
