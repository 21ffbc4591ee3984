import { describe, expect, it } from 'vitest'
import { ALL_CONTACTS } from '../../../src/shared/contact-query.ts'
import { eventually } from './support/eventually.ts'
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
})
