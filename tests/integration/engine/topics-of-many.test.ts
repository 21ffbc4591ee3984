import { describe, expect, it } from 'vitest'
import { ALL_CONTACTS } from '../../../src/shared/contact-query.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { eventually } from './support/eventually.ts'
import { startRecordingProxy, type ResponseOverride } from './support/recording-proxy.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const make = async (platform: TestPlatform, path: string, body: object): Promise<string> =>
  (await platform.ask<{ id: string }>('POST', path, body)).id
const addressOf = (at: number): string => `person-${at}@harbour.example`

const choices = async (platform: TestPlatform, count: number, name = 'News'): Promise<readonly string[]> => {
  const answers = Array.from({ length: count }, async (_, at) => {
    const { data } = await platform.ask<{ data: readonly { readonly name: string; readonly subscription: string }[] }>(
      'GET',
      `/contacts/${addressOf(at)}/topics`,
    )
    return data.find((topic) => topic.name === name)?.subscription ?? 'none'
  })
  return Promise.all(answers)
}

/** Creates contacts; every third one has opted out of a topic that is on by default. */
const open = async (count: number, instead?: ResponseOverride) => {
  const platform = await startTestPlatform()
  const newsId = await make(platform, '/topics', { name: 'News', default_subscription: 'opt_in' })
  const tidesId = await make(platform, '/topics', { name: 'Tides', default_subscription: 'opt_out' })
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) {
    const topics = at % 3 === 0 ? { topics: [{ id: newsId, subscription: 'opt_out' }] } : {}
    ids.push(await make(platform, '/contacts', { email: addressOf(at), ...topics }))
  }
  const proxy = await startRecordingProxy(platform.baseUrl, instead)
  const directory = temporaryDirectory()
  const engine = await openSettledEngine({ ...platform, baseUrl: proxy.baseUrl }, directory)
  await engine.call('contact.refreshCatalog', {})
  const reopen = () => openTestEngine({ ...platform, baseUrl: proxy.baseUrl }, directory)
  return { platform, proxy, engine, reopen, newsId, tidesId, ids }
}
const before = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => (at % 3 === 0 ? 'opt_out' : 'opt_in'))
const all = (count: number, state: string): readonly string[] => Array.from({ length: count }, () => state)
const everybody = { query: ALL_CONTACTS }
const over = (engine: TestEngine) =>
  eventually(
    () => engine.call('change.underWay', {}),
    (underWay) => underWay.length === 0,
    undefined,
    (underWay) => JSON.stringify(underWay),
  )

describe('a topic of many contacts', () => {
  it('is set for all matches, and undone per contact', async () => {
    const COUNT = 45
    const { platform, proxy, engine, newsId } = await open(COUNT)
    const done = await engine.call('topic.setForMany', {
      topicId: newsId,
      subscription: 'opt_in',
      of: everybody,
    })
    expect(done).toMatchObject({ contacts: COUNT, left: 0 })
    expect(await engine.call('change.underWay', {})).toMatchObject([{ kind: 'contact', total: COUNT, sent: 0 }])
    await over(engine)
    expect(await choices(platform, COUNT)).toEqual(all(COUNT, 'opt_in'))
    // Contacts that already have the value are read, but not changed.
    expect(proxy.changes()).toHaveLength(15)

    const undone = await engine.call('change.undo', { changeId: done.changeId })
    await over(engine)
    expect(await choices(platform, COUNT)).toEqual(before(COUNT))
    expect(proxy.changes()).toHaveLength(30)
    expect(undone).toMatchObject({ undone: true })
    await engine.call('change.undo', { changeId: undone.undone ? undone.changeId : '' })
    await over(engine)
    expect(await choices(platform, COUNT)).toEqual(all(COUNT, 'opt_in'))
  })

  it('is set for a filter or a list, one topic after another', async () => {
    const { platform, engine, newsId, tidesId, ids } = await open(12)
    const query = { ...ALL_CONTACTS, typed: 'person-1' }
    await engine.call('topic.setForMany', { topicId: newsId, subscription: 'opt_out', of: { query } })
    await engine.call('topic.setForMany', {
      topicId: tidesId,
      subscription: 'opt_in',
      of: { contactIds: ids.slice(0, 2) },
    })
    await over(engine)
    const matching = new Set([1, 10, 11])
    expect(await choices(platform, 12)).toEqual(before(12).map((state, at) => (matching.has(at) ? 'opt_out' : state)))
    expect(await choices(platform, 12, 'Tides')).toEqual([...all(2, 'opt_in'), ...all(10, 'opt_out')])
  })

  it('doesn’t rely on days-old local state', async () => {
    const { platform, engine, newsId, ids } = await open(2)
    await engine.call('person.refresh', { address: addressOf(1) })
    await platform.ask('PATCH', `/contacts/${addressOf(1)}/topics`, [{ id: newsId, subscription: 'opt_out' }])
    const { changeId } = await engine.call('topic.setForMany', {
      topicId: newsId,
      subscription: 'opt_in',
      of: { contactIds: ids },
    })
    await over(engine)
    expect(await choices(platform, 2)).toEqual(['opt_in', 'opt_in'])
    await engine.call('change.undo', { changeId })
    await over(engine)
    expect(await choices(platform, 2)).toEqual(['opt_out', 'opt_out'])
  })

  it('shows at once offline, and leaves no trace if undone before sending', async () => {
    const { platform, proxy, engine, newsId, ids } = await open(30)
    await engine.call('person.refresh', { address: addressOf(0) })
    await platform.fault({ kind: 'error_503', path: '/contacts' })
    const { changeId } = await engine.call('topic.setForMany', {
      topicId: newsId,
      subscription: 'opt_in',
      of: { contactIds: ids },
    })
    const seen = async () => {
      const { topics } = await engine.call('person.get', { address: addressOf(0) })
      return topics?.topics.find(({ id }) => id === newsId)?.subscription
    }
    expect(await seen()).toBe('opt_in')
    await engine.call('change.undo', { changeId })
    expect(await seen()).toBe('opt_out')
    await platform.fault()
    await engine.call('sync.now', {})
    await over(engine)
    expect(proxy.changes()).toEqual([])
    expect(await choices(platform, 30)).toEqual(before(30))
  })

  it('resumes after a crash and lost responses, and is undone completely', async () => {
    const COUNT = 60
    const { platform, engine, reopen, newsId } = await open(COUNT)
    await platform.fault({ kind: 'lost', method: 'PATCH', path: '/contacts', times: 4 })
    const { changeId } = await engine.call('topic.setForMany', {
      topicId: newsId,
      subscription: 'opt_in',
      of: everybody,
    })
    await eventually(
      () => choices(platform, COUNT),
      (now) => now.filter((state) => state === 'opt_in').length > 45,
    )
    await engine.close()
    expect(await choices(platform, COUNT)).toContain('opt_out')
    const again = await reopen()
    await again.settled()
    await over(again)
    expect(await choices(platform, COUNT)).toEqual(all(COUNT, 'opt_in'))
    await again.call('change.undo', { changeId })
    await again.close()
    const last = await reopen()
    await last.settled()
    await over(last)
    expect(await choices(platform, COUNT)).toEqual(before(COUNT))
  })

  it('skips rejected and missing contacts', async () => {
    const COUNT = 12
    let refused = ''
    const { platform, engine, newsId, ids } = await open(COUNT, ({ method, path }) =>
      method === 'PATCH' && refused !== '' && path.startsWith(`/contacts/${refused}`)
        ? { status: 422, body: { name: 'validation_error', statusCode: 422, message: 'This contact is locked.' } }
        : null,
    )
    refused = ids[4] ?? ''
    await platform.ask('DELETE', `/contacts/${addressOf(5)}`)
    await engine.call('topic.setForMany', { topicId: newsId, subscription: 'opt_out', of: { contactIds: ids } })
    await over(engine)
    const told = (await engine.rollbackNotices()).map(({ message }) => message)
    expect(told).toHaveLength(2)
    expect(told.join('\n')).toContain('This contact is locked.')
    expect(told.join('\n')).toContain('the platform no longer has this contact.')
    const others = ids.flatMap((_id, at) => (at === 4 || at === 5 ? [] : [at]))
    for (const at of others) {
      const { topics } = await engine.call('person.refresh', { address: addressOf(at), again: true })
      expect(topics?.topics.find(({ id }) => id === newsId)?.subscription).toBe('opt_out')
    }
  })

  it('keeps a later change to a single contact', async () => {
    const { platform, engine, newsId, ids } = await open(30)
    await engine.call('person.refresh', { address: addressOf(7) })
    await platform.fault({ kind: 'error_503', path: '/contacts' })
    const { changeId } = await engine.call('topic.setForMany', {
      topicId: newsId,
      subscription: 'opt_out',
      of: { contactIds: ids },
    })
    await engine.call('contact.setTopic', { contactId: ids[7] ?? '', topicId: newsId, subscription: 'opt_in' })
    await platform.fault()
    await engine.call('sync.now', {})
    await over(engine)
    await engine.settled()
    const wanted = all(30, 'opt_out').map((state, at) => (at === 7 ? 'opt_in' : state))
    expect(await choices(platform, 30)).toEqual(wanted)
    await engine.call('change.undo', { changeId })
    await over(engine)
    expect(await choices(platform, 30)).toEqual(before(30))
  })

  it('can be a new topic, and is dropped if that is deleted', async () => {
    const { platform, proxy, engine, ids } = await open(30)
    await platform.fault({ kind: 'error_503', method: 'POST', path: '/topics' })
    const made = { description: null, visibility: 'private', byDefault: 'opt_out' } as const
    const winds = await engine.call('topic.create', { ...made, name: 'Winds' })
    const waves = await engine.call('topic.create', { ...made, name: 'Waves' })
    for (const { topicId } of [winds, waves]) {
      await engine.call('topic.setForMany', { topicId, subscription: 'opt_in', of: { contactIds: ids } })
    }
    await engine.call('topic.delete', { topicId: waves.topicId })
    await platform.fault()
    await engine.call('sync.now', {})
    await over(engine)
    await engine.settled()
    expect(await choices(platform, 30, 'Winds')).toEqual(all(30, 'opt_in'))
    expect(await choices(platform, 30, 'Waves')).toEqual(all(30, 'none'))
    expect(await engine.rollbackNotices()).toEqual([])
    expect(
      proxy
        .changes()
        .filter(({ method }) => method === 'POST')
        .filter(({ status }) => status < 300),
    ).toHaveLength(1)
  })

  it('skips contacts that are still queued, and says so', async () => {
    const { platform, engine, newsId } = await open(2)
    await platform.fault({ kind: 'error_503', method: 'POST', path: '/contacts' })
    await engine.call('contact.add', { address: 'zoe@pier.example', firstName: 'Zoë', lastName: null })
    const input = { topicId: newsId, subscription: 'opt_out' } as const
    expect(await engine.call('topic.setForMany', { ...input, of: everybody })).toMatchObject({
      contacts: 2,
      left: 1,
    })
    const zoe = { query: { ...ALL_CONTACTS, typed: 'zoe' } }
    expect(await engine.problemOf('topic.setForMany', { ...input, of: zoe })).toMatchObject({
      message: 'These contacts are not on the platform yet. Try again once they are.',
    })
    const nobody = { query: { ...ALL_CONTACTS, typed: 'nobody' } }
    expect(await engine.problemOf('topic.setForMany', { ...input, of: nobody })).toMatchObject({
      code: 'invalid_input',
    })
    expect(await engine.problemOf('topic.setForMany', { ...input, topicId: 'gone', of: everybody })).toMatchObject({
      code: 'not_found',
    })
  })
})
