import { describe, expect, it } from 'vitest'
import { ALL_CONTACTS } from '../../../src/shared/contact-query.ts'
import { eventually } from './support/eventually.ts'
import { startStrayingProxy } from './support/straying-proxy.ts'
import { openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const add = async (platform: TestPlatform, ...contacts: readonly object[]): Promise<readonly string[]> => {
  const ids: string[] = []
  for (const contact of contacts) ids.push((await platform.ask<{ id: string }>('POST', '/contacts', contact)).id)
  return ids
}

const emailsOf = async (engine: TestEngine, query = {}): Promise<readonly string[]> =>
  (await engine.call('contact.list', { offset: 0, limit: 200, query: { ...ALL_CONTACTS, ...query } })).items.map(
    ({ email }) => email,
  )

describe('the contacts of an account', () => {
  it('are filtered and ordered on this computer, and follow what changes on the platform', async () => {
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

  it('are met by ID and by address, also those that are not on this computer, with one request and no walk', async () => {
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
        message: expect.stringContaining('no such contact') as string,
      })
    }
    await engine.settled()
    await platform.stop()
    expect(await engine.problemOf('contact.get', { contactId: 'nobody@mail.example' })).toMatchObject({
      code: 'unreachable',
      message: 'You are offline, and this contact is not on this computer.',
    })
  })

  it('that are deleted elsewhere leave the list when their card is looked at, and the others stay', async () => {
    const platform = await startTestPlatform()
    const [ann = '', bob = ''] = await add(platform, { email: 'ann@mail.example' }, { email: 'bob@mail.example' })
    const engine = await openTestEngine(platform)
    await engine.settled()
    await platform.ask('DELETE', `/contacts/${ann}`)
    expect(await engine.problemOf('contact.topics', { contactId: ann })).toMatchObject({
      code: 'not_found',
      message: 'This contact is no longer on the platform.',
    })
    await eventually(
      () => engine.events('contacts.changed'),
      ({ length }) => length > 0,
    )
    expect(await emailsOf(engine)).toEqual(['bob@mail.example'])
    expect(await engine.problemOf('contact.get', { contactId: ann })).toMatchObject({ code: 'not_found' })
    expect((await engine.call('contact.topics', { contactId: bob })).freshness.state).toBe('live')
  })

  it('stay in the list where only their topics cannot be had', async () => {
    const platform = await startTestPlatform()
    const [ann = ''] = await add(platform, { email: 'ann@mail.example' })
    const door = await startStrayingProxy(platform.baseUrl)
    const engine = await openTestEngine({ ...platform, baseUrl: door.baseUrl })
    await engine.settled()
    door.stray((_method, path) => (/\/contacts\/[^?]/.test(path) ? 404 : null))
    await engine.problemOf('contact.topics', { contactId: ann })
    expect(await emailsOf(engine)).toEqual(['ann@mail.example'])
  })
})
