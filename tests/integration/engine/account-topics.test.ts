import { describe, expect, it } from 'vitest'
import type { TestPlatform } from './support/test-platform.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { eventually } from './support/eventually.ts'
import { startRecordingProxy } from './support/recording-proxy.ts'
import { openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'

const ANN = 'ann@harbour.example'
const BOB = 'bob@harbour.example'
const TIDES = { name: 'Tides', description: 'High and low', visibility: 'public', byDefault: 'opt_in' } as const

interface OnPlatform {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly default_subscription: string
  readonly visibility: string
}

const make = async (platform: TestPlatform, path: string, body: object): Promise<string> =>
  (await platform.ask<{ id: string }>('POST', path, body)).id
const topicsOnPlatform = async (platform: TestPlatform): Promise<readonly OnPlatform[]> =>
  (await platform.ask<{ data: readonly OnPlatform[] }>('GET', '/topics')).data
const choiceOnPlatform = async (platform: TestPlatform, address: string, name: string): Promise<string | undefined> =>
  (
    await platform.ask<{ data: readonly { readonly name: string; readonly subscription: string }[] }>(
      'GET',
      `/contacts/${address}/topics`,
    )
  ).data.find((topic) => topic.name === name)?.subscription
const namesHere = async (engine: TestEngine): Promise<readonly string[]> =>
  (await engine.call('contact.catalog', {})).topics.map(({ name }) => name)
const topicsOf = async (engine: TestEngine, address: string) => {
  const { topics } = await engine.call('person.get', { address })
  return (topics?.topics ?? []).map(({ name, subscription }) => [name, subscription])
}

/** Ann has opted out of the only topic; Bob hasn't chosen. */
const open = async () => {
  const platform = await startTestPlatform()
  const newsId = await make(platform, '/topics', { name: 'News', default_subscription: 'opt_in' })
  const annId = await make(platform, '/contacts', {
    email: ANN,
    first_name: 'Ann',
    topics: [{ id: newsId, subscription: 'opt_out' }],
  })
  await make(platform, '/contacts', { email: BOB })
  const proxy = await startRecordingProxy(platform.baseUrl)
  const directory = temporaryDirectory()
  const engine = await openTestEngine({ ...platform, baseUrl: proxy.baseUrl }, directory)
  await engine.settled()
  await engine.call('person.refresh', { address: ANN })
  await engine.call('person.refresh', { address: BOB })
  return { platform, proxy, directory, engine, newsId, annId }
}

/** Rejects all changes to topics and contacts until the returned function is called. */
const hold = async (platform: TestPlatform): Promise<() => Promise<void>> => {
  await platform.fault(
    ...['POST', 'PATCH', 'DELETE'].flatMap((method) =>
      ['/topics', '/contacts'].map((path) => `error_503 ${method} ${path}`),
    ),
  )
  return () => platform.fault()
}

/** Waits until the platform has rejected the change with a 503, so it stays queued. */
const heldBack = (platform: TestPlatform, request: string) =>
  eventually(platform.requests, (requests) => requests.some((each) => each.startsWith(request) && each.endsWith('503')))

describe('a topic of the account', () => {
  it('is created, edited and deleted on the platform', async () => {
    const { platform, proxy, engine, newsId } = await open()
    expect((await engine.call('contact.catalog', {})).topics).toMatchObject([
      { id: newsId, name: 'News', description: null, visibility: 'private', byDefault: 'opt_in' },
    ])
    const { topicId } = await engine.call('topic.create', { ...TIDES, byDefault: 'opt_out' })
    expect(await namesHere(engine)).toEqual(['Tides', 'News'])
    await engine.settled()
    expect(await topicsOnPlatform(platform)).toMatchObject([
      { name: 'Tides', description: 'High and low', default_subscription: 'opt_out', visibility: 'public' },
      { name: 'News' },
    ])
    // The earlier ID still works.
    await engine.call('topic.update', { topicId, description: '', visibility: 'private' })
    await engine.settled()
    const [tides] = await topicsOnPlatform(platform)
    expect(tides).toMatchObject({ name: 'Tides', description: null, visibility: 'private' })
    expect(proxy.changes().at(-1)?.body).toEqual({ description: null, visibility: 'private' })
    await engine.call('topic.delete', { topicId: tides?.id ?? '' })
    expect(await namesHere(engine)).toEqual(['News'])
    await engine.settled()
    expect((await topicsOnPlatform(platform)).map(({ name }) => name)).toEqual(['News'])
    expect(await engine.problemOf('topic.update', { topicId, name: 'Ebb' })).toMatchObject({ code: 'not_found' })
  })

  it.each([
    ['a blank name', { ...TIDES, name: '  ' }],
    ['a name that is too long', { ...TIDES, name: 'x'.repeat(51) }],
    ['a description that is too long', { ...TIDES, description: 'x'.repeat(201) }],
  ])('is not created with %s', async (_what, look) => {
    const { engine, proxy } = await open()
    expect(await engine.problemOf('topic.create', look)).toMatchObject({ code: 'invalid_input' })
    expect(proxy.changes()).toEqual([])
  })

  it('keeps subscriptions when created offline, through a restart', async () => {
    const { platform, proxy, directory, engine, annId } = await open()
    const forwardRequest = await hold(platform)
    const { topicId } = await engine.call('topic.create', TIDES)
    await engine.call('topic.update', { topicId, name: 'Tides and winds' })
    expect(await topicsOf(engine, ANN)).toEqual([
      ['Tides and winds', 'opt_in'],
      ['News', 'opt_out'],
    ])
    await engine.call('contact.setTopic', { contactId: annId, topicId, subscription: 'opt_out' })
    await engine.close()
    const again = await openTestEngine({ ...platform, baseUrl: proxy.baseUrl }, directory)
    expect(await topicsOf(again, ANN)).toEqual([
      ['Tides and winds', 'opt_out'],
      ['News', 'opt_out'],
    ])
    await forwardRequest()
    await again.call('sync.now', {})
    await again.settled()
    expect((await topicsOnPlatform(platform)).map(({ name }) => name)).toEqual(['Tides and winds', 'News'])
    expect(await choiceOnPlatform(platform, ANN, 'Tides and winds')).toBe('opt_out')
    expect(await choiceOnPlatform(platform, BOB, 'Tides and winds')).toBe('opt_in')
    expect(await topicsOf(again, ANN)).toContainEqual(['Tides and winds', 'opt_out'])
  })

  it('is never sent if undone or deleted before', async () => {
    const { platform, proxy, engine } = await open()
    const forwardRequest = await hold(platform)
    const { changeId } = await engine.call('topic.create', TIDES)
    const other = await engine.call('topic.create', { ...TIDES, name: 'Winds' })
    await heldBack(platform, 'POST /topics')
    await engine.call('change.undo', { changeId })
    await engine.call('topic.delete', { topicId: other.topicId })
    expect(await namesHere(engine)).toEqual(['News'])
    await forwardRequest()
    await engine.settled()
    expect(proxy.changes().filter(({ status }) => status < 300)).toEqual([])
    expect((await topicsOnPlatform(platform)).map(({ name }) => name)).toEqual(['News'])
  })

  it.each(['POST', 'PATCH', 'DELETE'])('ends up as wanted, once, if the response to %s is lost', async (method) => {
    const { platform, engine, newsId } = await open()
    const loseAnswer = () => platform.fault({ kind: 'lost', method, path: '/topics', times: 1 })
    if (method !== 'POST') await loseAnswer()
    if (method === 'POST') {
      // A topic with the same fields already exists and must not be mistaken for the new one.
      await make(platform, '/topics', {
        name: TIDES.name,
        description: TIDES.description,
        visibility: TIDES.visibility,
        default_subscription: TIDES.byDefault,
      })
      await engine.call('contact.refreshCatalog', {})
      await loseAnswer()
      await engine.call('topic.create', TIDES)
    } else if (method === 'PATCH') await engine.call('topic.update', { topicId: newsId, name: 'Newer' })
    else await engine.call('topic.delete', { topicId: newsId })
    // A concurrent refresh must not hide which topic was created.
    await engine.call('contact.refreshCatalog', {}).catch(() => undefined)
    await engine.settled()
    const wanted = { POST: ['Tides', 'Tides', 'News'], PATCH: ['Newer'], DELETE: [] }[method]
    expect((await topicsOnPlatform(platform)).map(({ name }) => name)).toEqual(wanted)
    expect(await namesHere(engine)).toEqual(wanted)
    expect(await engine.rollbackNotices()).toEqual([])
  })

  it('returns with its known subscriptions when undeleted', async () => {
    const { platform, engine, newsId } = await open()
    const { changeId } = await engine.call('topic.delete', { topicId: newsId })
    expect(await topicsOf(engine, ANN)).toEqual([])
    await engine.settled()
    expect(await topicsOnPlatform(platform)).toEqual([])
    expect(await topicsOf(engine, ANN)).toEqual([])
    expect(await engine.call('change.undo', { changeId })).toMatchObject({ undone: true })
    await engine.settled()
    const [news] = await topicsOnPlatform(platform)
    expect(news).toMatchObject({ name: 'News', default_subscription: 'opt_in', visibility: 'private' })
    expect(news?.id).not.toBe(newsId)
    expect(await choiceOnPlatform(platform, ANN, 'News')).toBe('opt_out')
    expect(await choiceOnPlatform(platform, BOB, 'News')).toBe('opt_in')
    // A window may still use the old ID.
    await engine.call('topic.update', { topicId: newsId, name: 'Newer' })
    await engine.settled()
    expect((await topicsOnPlatform(platform)).map(({ name }) => name)).toEqual(['Newer'])
  })

  it('returns with many subscriptions as parts of a large change', async () => {
    const { platform, engine, newsId } = await open()
    const addresses = Array.from({ length: 30 }, (_, at) => `person-${at}@harbour.example`)
    for (const email of addresses) {
      await make(platform, '/contacts', { email, topics: [{ id: newsId, subscription: 'opt_out' }] })
    }
    await engine.call('sync.now', {})
    await engine.settled()
    for (const address of addresses) await engine.call('person.refresh', { address })
    const { changeId } = await engine.call('topic.delete', { topicId: newsId })
    await engine.settled()
    await engine.call('change.undo', { changeId })
    await eventually(
      () => engine.call('change.underWay', {}),
      (underWay) => underWay.length === 0,
    )
    await engine.settled()
    for (const address of [ANN, ...addresses]) expect(await choiceOnPlatform(platform, address, 'News')).toBe('opt_out')
    expect(await choiceOnPlatform(platform, BOB, 'News')).toBe('opt_in')
  })

  it('accepts no subscriptions while its deletion is queued', async () => {
    const { platform, engine, newsId, annId } = await open()
    await hold(platform)
    await engine.call('topic.delete', { topicId: newsId })
    const input = { topicId: newsId, subscription: 'opt_in' } as const
    expect(await engine.problemOf('contact.setTopic', { ...input, contactId: annId })).toMatchObject({
      code: 'not_found',
    })
    expect(await engine.problemOf('topic.setForMany', { ...input, of: { contactIds: [annId] } })).toMatchObject({
      code: 'not_found',
    })
  })

  it('loses nothing if its deletion is undone before it was sent', async () => {
    const { platform, engine, newsId } = await open()
    const forwardRequest = await hold(platform)
    const { changeId } = await engine.call('topic.delete', { topicId: newsId })
    await heldBack(platform, `DELETE /topics/${newsId}`)
    await engine.call('change.undo', { changeId })
    expect(await topicsOf(engine, ANN)).toEqual([['News', 'opt_out']])
    await forwardRequest()
    await engine.settled()
    expect((await topicsOnPlatform(platform)).map(({ id }) => id)).toEqual([newsId])
    expect(await choiceOnPlatform(platform, ANN, 'News')).toBe('opt_out')
  })

  it('keeps another client’s new name when another field is changed', async () => {
    const { platform, engine, newsId } = await open()
    const forwardRequest = await hold(platform)
    await engine.call('topic.update', { topicId: newsId, description: 'Once a week' })
    await heldBack(platform, 'PATCH /topics')
    await forwardRequest()
    await platform.ask('PATCH', `/topics/${newsId}`, { name: 'Harbour news' })
    await engine.call('contact.refreshCatalog', {})
    expect((await engine.call('contact.catalog', {})).topics).toMatchObject([
      { name: 'Harbour news', description: 'Once a week' },
    ])
    expect(await topicsOf(engine, ANN)).toEqual([['Harbour news', 'opt_out']])
    await engine.settled()
    expect(await topicsOnPlatform(platform)).toMatchObject([{ name: 'Harbour news', description: 'Once a week' }])
  })

  it('drops the local change with a notice if another client deleted it', async () => {
    const { platform, engine, newsId } = await open()
    await platform.ask('DELETE', `/topics/${newsId}`)
    await engine.call('topic.update', { topicId: newsId, name: 'Newer' })
    const [told] = await eventually(engine.rollbackNotices, ({ length }) => length === 1)
    expect(told?.message).toBe('Your change to the topic “News” was undone: the platform no longer has this topic.')
    expect(await namesHere(engine)).toEqual([])
    expect(await topicsOf(engine, ANN)).toEqual([])
  })

  it('drops dependent changes with a notice if the platform rejects it', async () => {
    const { platform, engine, annId } = await open()
    await platform.fault({ kind: 'error_422', method: 'POST', path: '/topics' })
    const { topicId } = await engine.call('topic.create', TIDES)
    await engine.call('contact.setTopic', { contactId: annId, topicId, subscription: 'opt_out' })
    const [told] = await eventually(engine.rollbackNotices, ({ length }) => length > 0)
    expect(told?.message).toContain('Your new topic “Tides” was undone.')
    expect(await namesHere(engine)).toEqual(['News'])
    expect(await topicsOf(engine, ANN)).toEqual([['News', 'opt_out']])
  })
})
