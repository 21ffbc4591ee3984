import { describe, expect, it } from 'vitest'
import { ALL_CONTACTS } from '../../../src/shared/contact-query.ts'
import { importContacts } from '../../support/import-contacts.ts'
import { eventually } from './support/eventually.ts'
import { startInterceptingProxy } from './support/intercepting-proxy.ts'
import { openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const add = async (platform: TestPlatform, ...contacts: readonly object[]): Promise<readonly string[]> => {
  const ids: string[] = []
  for (const contact of contacts) {
    ids.push((await platform.ask<{ id: string }>('POST', '/contacts', contact)).id)
    // Contacts created within one millisecond have no order.
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return ids
}

const emailsOf = async (engine: TestEngine, query = {}): Promise<readonly string[]> =>
  (await engine.call('contact.list', { offset: 0, limit: 200, query: { ...ALL_CONTACTS, ...query } })).items.map(
    ({ email }) => email,
  )

describe('the contacts of an account', () => {
  it('are filtered and sorted locally, and follow changes on the platform', async () => {
    const platform = await startTestPlatform()
    const [zoe = ''] = await add(
      platform,
      { email: 'zoe@harbour.example', first_name: 'Zoë' },
      { email: 'ann@mail.example', first_name: 'Ann', unsubscribed: true },
      { email: 'bob@mail.example' },
    )
    const engine = await openTestEngine(platform)
    await engine.settled()
    const asked = platform.requests().length
    expect(await emailsOf(engine, { order: 'name' })).toEqual([
      'ann@mail.example',
      'bob@mail.example',
      'zoe@harbour.example',
    ])
    expect(await emailsOf(engine, { typed: 'ZOE' })).toEqual(['zoe@harbour.example'])
    expect(await emailsOf(engine, { typed: 'mail', subscription: 'subscribed' })).toEqual(['bob@mail.example'])
    expect(
      platform
        .requests()
        .slice(asked)
        .filter((request) => request.includes('/contacts')),
    ).toEqual([])

    await add(platform, { email: 'kite@mail.example' })
    await engine.call('sync.now', {})
    expect(await emailsOf(engine, { typed: 'kite' })).toEqual(['kite@mail.example'])
    await platform.ask('PATCH', `/contacts/${zoe}`, { first_name: 'Kite' })
    await engine.call('sync.now', {})
    await eventually(
      () => emailsOf(engine, { typed: 'kite', order: 'address' }),
      (emails) => emails.length === 2,
    )
  })

  it('are all read across pages and restarts, and none counts as deleted', async () => {
    const platform = await startTestPlatform()
    await add(platform, { email: 'ann@mail.example' })
    const engine = await openTestEngine(platform)
    await engine.settled()
    const lines = Array.from({ length: 2_600 }, (_, index) => `person${index}@mail.example`)
    await importContacts(platform, ['email', ...lines])
    const total = async (of: TestEngine): Promise<number> =>
      (await of.call('contact.list', { offset: 0, limit: 1 })).total
    await engine.call('sync.now', {})
    await engine.close()
    const again = await openTestEngine(platform, engine.directory)
    await eventually(
      () => total(again),
      (count) => count === 2_601,
    )
    await again.settled()
    expect(await total(again)).toBe(2_601)
  })

  it('are found by ID and address with one request, even if not stored', async () => {
    const platform = await startTestPlatform()
    await add(platform, { email: 'ann@mail.example', first_name: 'Ann' })
    const engine = await openTestEngine(platform)
    await engine.settled()
    const [later = ''] = await add(platform, { email: 'Later@mail.example' }, { email: 'kite@mail.example' })
    const asked = platform.requests().length
    const ofContacts = (): readonly string[] =>
      platform
        .requests()
        .slice(asked)
        .filter((request) => request.includes('/contacts'))
    expect(await engine.call('contact.get', { contactId: 'ANN@mail.example' })).toMatchObject({ firstName: 'Ann' })
    expect(ofContacts()).toEqual([])
    expect(await engine.call('contact.get', { contactId: later })).toMatchObject({ id: later })
    const kite = await engine.call('contact.get', { contactId: 'kite@mail.example' })
    expect(ofContacts()).toHaveLength(2)
    expect(await emailsOf(engine, { typed: 'kite' })).toEqual(['kite@mail.example'])
    expect(await engine.call('contact.get', { contactId: kite.id })).toEqual(kite)
    expect(ofContacts()).toHaveLength(2)
    for (const contactId of ['nobody@mail.example', '00000000-0000-4000-8000-000000000000']) {
      expect(await engine.problemOf('contact.get', { contactId })).toMatchObject({
        code: 'not_found',
        message: expect.stringContaining('This contact was not found') as string,
      })
    }
    await engine.settled()
    await platform.stop()
    expect(await engine.problemOf('contact.get', { contactId: 'nobody@mail.example' })).toMatchObject({
      code: 'unreachable',
      message: 'You are offline, and this contact is not on this computer yet. Go online to open it.',
    })
  })

  it('are all read if a page cursor becomes invalid', async () => {
    const platform = await startTestPlatform()
    await add(platform, ...Array.from({ length: 130 }, (_, index) => ({ email: `person${index}@mail.example` })))
    const door = await startInterceptingProxy(platform.baseUrl)
    // Deletes the row that the second page's cursor points to, and answers that page's request with 404.
    let lost: string | null = null
    door.intercept((_method, path) => {
      const after = /\/contacts\?.*after=([\w-]+)/.exec(path)?.[1] ?? null
      if (lost === null && after !== null) {
        lost = after
        void platform.ask('DELETE', `/contacts/${after}`)
      }
      return after !== null && after === lost ? 404 : null
    })
    const engine = await openTestEngine({ ...platform, baseUrl: door.baseUrl })
    await engine.settled()
    expect(lost).not.toBeNull()
    await eventually(
      () => emailsOf(engine),
      (emails) => emails.includes('person0@mail.example') && emails.length >= 129,
      undefined,
      ({ length }) => String(length),
    )
  })

  it('leave when their card shows that they were deleted elsewhere', async () => {
    const platform = await startTestPlatform()
    const [ann = '', bob = ''] = await add(platform, { email: 'ann@mail.example' }, { email: 'bob@mail.example' })
    const engine = await openTestEngine(platform)
    await engine.settled()
    await platform.ask('DELETE', `/contacts/${ann}`)
    expect(await engine.call('person.refresh', { address: 'ann@mail.example' })).toMatchObject({ contact: null })
    await eventually(
      () => engine.events('contacts.changed'),
      ({ length }) => length > 0,
    )
    expect(await emailsOf(engine)).toEqual(['bob@mail.example'])
    expect(await engine.problemOf('contact.get', { contactId: ann })).toMatchObject({ code: 'not_found' })
    expect(await engine.call('person.refresh', { address: 'bob@mail.example' })).toMatchObject({
      contact: { id: bob },
      topics: { freshness: { state: 'live' } },
    })
  })

  it('report why they can’t be read, and since when', async () => {
    const platform = await startTestPlatform()
    await add(platform, { email: 'ann@mail.example' })
    const engine = await openTestEngine(platform)
    await engine.settled()
    await engine.call('sync.now', {})
    const before = await engine.status()
    expect(before.failures).toBeUndefined()
    await platform.fault({ kind: 'error_500', path: '/contacts' })
    expect(await engine.problemOf('sync.now', {})).toMatchObject({ code: 'platform_failed' })
    const failing = await engine.status()
    expect(failing.failures).toMatchObject({
      contacts: { code: 'platform_failed', details: { status: 500 } },
      threads: {},
    })
    expect(failing.confirmedAt.contacts).toBe(before.confirmedAt.contacts)
    expect(await emailsOf(engine)).toEqual(['ann@mail.example'])
    await platform.fault()
    await engine.call('sync.now', {})
    expect((await engine.status()).failures).toBeUndefined()
  })

  it('stay listed if only their topics are unavailable', async () => {
    const platform = await startTestPlatform()
    await add(platform, { email: 'ann@mail.example' })
    const door = await startInterceptingProxy(platform.baseUrl)
    const engine = await openTestEngine({ ...platform, baseUrl: door.baseUrl })
    await engine.settled()
    door.intercept((_method, path) => (/\/contacts\/[^?]/.test(path) ? 404 : null))
    expect((await engine.call('person.refresh', { address: 'ann@mail.example' })).topics).toBeNull()
    expect(await emailsOf(engine)).toEqual(['ann@mail.example'])
  })

  it('refetch topics at once when the user retries', async () => {
    const platform = await startTestPlatform()
    await add(platform, { email: 'ann@mail.example' })
    const door = await startInterceptingProxy(platform.baseUrl)
    const engine = await openTestEngine({ ...platform, baseUrl: door.baseUrl })
    await engine.settled()
    const refresh = (how: { readonly again?: boolean } = {}) =>
      engine.call('person.refresh', { address: 'ann@mail.example', ...how })
    door.intercept((_method, path) => (/\/contacts\/[^/]+\/topics/.test(path) ? 404 : null))
    expect((await refresh()).topics).toBeNull()
    door.intercept(() => null)
    expect((await refresh()).topics).toBeNull()
    expect((await refresh({ again: true })).topics).not.toBeNull()
  })

  it('come first when just added, until the platform confirms or rejects them', async () => {
    const platform = await startTestPlatform()
    await add(platform, { email: 'ann@mail.example' }, { email: 'bob@mail.example' })
    const engine = await openTestEngine(platform)
    await engine.settled()
    await platform.fault({ kind: 'error_503', method: 'POST', path: '/contacts' })
    const added = { firstName: 'Zoë', lastName: null }
    // Pasted from a web page, with invisible characters (S10).
    await engine.call('contact.add', { address: '\u202aZoe@Harbour\u200b.example\u202c', ...added })
    const { changeId } = await engine.call('contact.add', { address: 'kite@mail.example', ...added, firstName: null })
    const everybody = ['kite@mail.example', 'Zoe@Harbour.example', 'bob@mail.example', 'ann@mail.example']
    expect(await emailsOf(engine)).toEqual(everybody)
    expect(await emailsOf(engine, { typed: 'zoe' })).toEqual(['Zoe@Harbour.example'])
    expect(await emailsOf(engine, { typed: 'mail', order: 'name' })).toEqual([
      'kite@mail.example',
      'ann@mail.example',
      'bob@mail.example',
    ])
    expect(await emailsOf(engine, { subscription: 'unsubscribed' })).toEqual([])
    const pages = await Promise.all([0, 1, 2, 3, 4].map((offset) => engine.call('contact.list', { offset, limit: 1 })))
    expect(pages.flatMap(({ items }) => items.map(({ email }) => email))).toEqual(everybody)
    expect(pages.every(({ total }) => total === 4)).toBe(true)
    for (const contactId of ['ZOE@harbour.example', 'zoe@harbour.example']) {
      expect(await engine.call('contact.get', { contactId })).toMatchObject({
        id: 'zoe@harbour.example',
        firstName: 'Zoë',
        createdAt: null,
      })
    }
    await engine.call('change.undo', { changeId })
    expect(await emailsOf(engine)).toEqual(everybody.slice(1))

    await platform.fault()
    await engine.call('sync.now', {})
    await engine.settled()
    const zoe = await engine.call('contact.get', { contactId: 'zoe@harbour.example' })
    expect(zoe).toMatchObject({ email: 'Zoe@Harbour.example', createdAt: expect.any(Number) as number })
    expect((await emailsOf(engine)).toSorted()).toEqual(everybody.slice(1).toSorted())
  })

  it('exclude a new contact that is queued for removal', async () => {
    const platform = await startTestPlatform()
    const engine = await openTestEngine(platform)
    await engine.settled()
    const { changeId } = await engine.call('contact.add', {
      address: 'ann@mail.example',
      firstName: null,
      lastName: null,
    })
    await engine.settled()
    await add(platform, { email: 'bob@mail.example' })
    await engine.call('sync.now', {})
    await eventually(
      () => emailsOf(engine),
      ({ length }) => length === 2,
    )
    await platform.fault({ kind: 'error_503', method: 'DELETE', path: '/contacts' })
    await engine.call('change.undo', { changeId })
    expect(await emailsOf(engine)).toEqual(['bob@mail.example'])
    expect(await emailsOf(engine, { typed: 'mail' })).toEqual(['bob@mail.example'])
    expect(await engine.problemOf('contact.get', { contactId: 'ann@mail.example' })).toMatchObject({
      code: 'not_found',
    })
  })

  it('leave, with the topic choice undone, if another client deleted them', async () => {
    const platform = await startTestPlatform()
    const [ann = ''] = await add(platform, { email: 'ann@mail.example' }, { email: 'bob@mail.example' })
    const { id: topicId } = await platform.ask<{ id: string }>('POST', '/topics', {
      name: 'News',
      default_subscription: 'opt_in',
    })
    const engine = await openTestEngine(platform)
    await engine.settled()
    await engine.call('person.refresh', { address: 'ann@mail.example' })
    await platform.ask('DELETE', `/contacts/${ann}`)
    await engine.call('contact.setTopic', { contactId: ann, topicId, subscription: 'opt_out' })
    const [told] = await eventually(engine.rollbackNotices, ({ length }) => length === 1)
    expect(told?.message).toBe(
      'Your topic change for ann@mail.example was undone: the platform no longer has this contact.',
    )
    expect(await emailsOf(engine)).toEqual(['bob@mail.example'])
    expect(await engine.call('person.get', { address: 'ann@mail.example' })).toMatchObject({ contact: null })
  })
})
