import { describe, expect, it } from 'vitest'
import { ALL_CONTACTS } from '../../../src/shared/contact-query.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { eventually } from './support/eventually.ts'
import { startRecordingProxy } from './support/recording-proxy.ts'
import { startInterceptingProxy } from './support/intercepting-proxy.ts'
import { openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const ANN = 'ann.lee@harbour.example'
const BOB = 'bob@harbour.example'

const make = async (platform: TestPlatform, path: string, body: object): Promise<string> =>
  (await platform.ask<{ id: string }>('POST', path, body)).id
const onPlatform = (platform: TestPlatform, idOrAddress: string): Promise<Record<string, unknown>> =>
  platform.ask('GET', `/contacts/${idOrAddress}`)
const addressesOnPlatform = async (platform: TestPlatform): Promise<readonly string[]> =>
  (await platform.ask<{ data: readonly { readonly email: string }[] }>('GET', '/contacts')).data.map(
    ({ email }) => email,
  )
const segmentsOnPlatform = async (platform: TestPlatform, idOrAddress: string): Promise<readonly string[]> =>
  (
    await platform.ask<{ data: readonly { readonly id: string }[] }>('GET', `/contacts/${idOrAddress}/segments`)
  ).data.map(({ id }) => id)
const listed = async (engine: TestEngine, query = {}): Promise<readonly string[]> =>
  (await engine.call('contact.list', { offset: 0, limit: 200, query: { ...ALL_CONTACTS, ...query } })).items.map(
    ({ email }) => email,
  )

/** Ann, with a property of each type, a segment, and an opt-out from a topic that everyone else receives. */
const openAnn = async () => {
  const platform = await startTestPlatform()
  await make(platform, '/contact-properties', { key: 'company', type: 'string' })
  await make(platform, '/contact-properties', { key: 'seats', type: 'number' })
  const segmentId = await make(platform, '/segments', { name: 'Harbour' })
  const topicId = await make(platform, '/topics', { name: 'News', default_subscription: 'opt_in' })
  const otherTopicId = await make(platform, '/topics', { name: 'Tides', default_subscription: 'opt_in' })
  const id = await make(platform, '/contacts', {
    email: ANN,
    first_name: 'Ann',
    last_name: 'Lee',
    properties: { company: 'Herring & Co', seats: 4 },
    segments: [{ id: segmentId }],
    topics: [{ id: topicId, subscription: 'opt_out' }],
  })
  await make(platform, '/contacts', { email: BOB })
  const proxy = await startRecordingProxy(platform.baseUrl)
  const directory = temporaryDirectory()
  const engine = await openTestEngine({ ...platform, baseUrl: proxy.baseUrl }, directory)
  await engine.settled()
  await engine.call('person.refresh', { address: ANN })
  return { platform, proxy, directory, engine, id, segmentId, topicId, otherTopicId }
}

/** Rejects all changes to contacts until the returned function is called. */
const holdChanges = async (platform: TestPlatform): Promise<() => Promise<void>> => {
  await platform.fault(...['POST', 'PATCH', 'DELETE'].map((method) => `error_503 ${method} /contacts`))
  return () => platform.fault()
}

/** Waits until the platform has rejected so many requests with a 503, so that their changes stay queued. */
const heldBack = (platform: TestPlatform, method: string, times = 1) =>
  eventually(
    platform.requests,
    (requests) =>
      requests.filter((each) => each.startsWith(`${method} /contacts`) && each.endsWith('503')).length >= times,
  )

describe('an edited contact', () => {
  it('shows its edits at once, and sends only changed fields in one request', async () => {
    const { platform, proxy, engine, id } = await openAnn()
    const forwardRequest = await holdChanges(platform)
    const { changeId } = await engine.call('contact.update', {
      contactId: id,
      firstName: 'Zoë',
      properties: { seats: 12 },
    })
    expect(await engine.call('contact.get', { contactId: id })).toMatchObject({
      firstName: 'Zoë',
      lastName: 'Lee',
      properties: { company: 'Herring & Co', seats: 12 },
    })
    expect(await listed(engine, { typed: 'zoe' })).toEqual([ANN])
    expect(await listed(engine, { typed: 'ann lee' })).toEqual([ANN])
    expect(await listed(engine, { typed: 'seats 12' })).toEqual([ANN])
    expect(await listed(engine, { order: 'name' })).toEqual([BOB, ANN])
    // Another client's change to another field remains.
    await forwardRequest()
    await platform.ask('PATCH', `/contacts/${id}`, { last_name: 'Lee-Hart', properties: { company: 'Gull Ltd' } })
    await engine.call('sync.now', {})
    await engine.settled()
    expect(await onPlatform(platform, id)).toMatchObject({
      first_name: 'Zoë',
      last_name: 'Lee-Hart',
      properties: { company: { value: 'Gull Ltd' }, seats: { value: 12 } },
    })
    expect(proxy.changes().filter(({ status }) => status === 200)).toMatchObject([{ method: 'PATCH' }])

    expect(await engine.call('change.undo', { changeId })).toMatchObject({ undone: true })
    await engine.settled()
    expect(await onPlatform(platform, id)).toMatchObject({
      first_name: 'Ann',
      last_name: 'Lee-Hart',
      properties: { company: { value: 'Gull Ltd' }, seats: { value: 4 } },
    })
  })

  it('loses emptied fields, and is unsubscribed', async () => {
    const { platform, engine, id } = await openAnn()
    await engine.call('contact.update', {
      contactId: id,
      lastName: '',
      unsubscribed: true,
      properties: { company: null },
    })
    expect(await listed(engine, { subscription: 'unsubscribed' })).toEqual([ANN])
    await engine.settled()
    expect(await onPlatform(platform, id)).toMatchObject({
      first_name: 'Ann',
      last_name: null,
      unsubscribed: true,
      properties: { seats: { value: 4 } },
    })
    expect(await engine.call('contact.get', { contactId: id })).toMatchObject({ lastName: null, unsubscribed: true })
  })

  it('waits offline through restarts, and is sent at most once', async () => {
    const { platform, proxy, directory, engine, id } = await openAnn()
    const forwardRequest = await holdChanges(platform)
    await engine.call('contact.update', { contactId: id, firstName: 'Anna' })
    await heldBack(platform, 'PATCH')
    const undone = await engine.call('contact.update', { contactId: id, lastName: 'Hart' })
    await engine.close()
    const again = await openTestEngine({ ...platform, baseUrl: proxy.baseUrl }, directory)
    expect(await again.call('contact.get', { contactId: id })).toMatchObject({ firstName: 'Anna', lastName: 'Hart' })
    await again.call('change.undo', { changeId: undone.changeId })
    await forwardRequest()
    await platform.fault({ kind: 'lost', method: 'PATCH', path: '/contacts', times: 1 })
    await again.call('sync.now', {})
    await again.settled()
    expect(await onPlatform(platform, id)).toMatchObject({ first_name: 'Anna', last_name: 'Lee' })
    expect(platform.requests().filter((request) => /PATCH \/contacts\/.* 200/.test(request))).toHaveLength(1)
    expect(await again.rollbackNotices()).toEqual([])
  })

  it('is restored with a notice if the platform rejects the edit', async () => {
    const { engine, id } = await openAnn()
    await engine.call('contact.update', { contactId: id, properties: { berth: 'four' } })
    expect((await engine.call('contact.get', { contactId: id })).properties).toMatchObject({ berth: 'four' })
    const [told] = await eventually(engine.rollbackNotices, ({ length }) => length === 1)
    expect(told?.message).toContain('Your change to Ann Lee was undone.')
    expect(told?.message).toContain('berth')
    expect((await engine.call('contact.get', { contactId: id })).properties).not.toHaveProperty('berth')
  })

  it('leaves if another client deleted it', async () => {
    const { platform, engine, id } = await openAnn()
    await platform.ask('DELETE', `/contacts/${id}`)
    await engine.call('contact.update', { contactId: id, firstName: 'Anna' })
    const [told] = await eventually(engine.rollbackNotices, ({ length }) => length === 1)
    expect(told?.message).toBe('Your change to Anna Lee was undone: the platform no longer has this contact.')
    expect(await listed(engine)).toEqual([BOB])
  })

  it('accepts numbers only for number properties, and rejects unknown contacts', async () => {
    const { engine, id } = await openAnn()
    expect(await engine.problemOf('contact.update', { contactId: id, properties: { seats: 'many' } })).toMatchObject({
      code: 'invalid_input',
      message: '“seats” must be a number. Nothing was changed.',
    })
    expect(await engine.problemOf('contact.update', { contactId: 'nobody', firstName: 'A' })).toMatchObject({
      code: 'not_found',
    })
  })

  it('doesn’t flicker back when an older list arrives', async () => {
    const { platform, id } = await openAnn()
    const door = await startInterceptingProxy(platform.baseUrl)
    const engine = await openTestEngine({ ...platform, baseUrl: door.baseUrl })
    await engine.settled()
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    let isHeld = false
    door.hold((method, path) => {
      if (method !== 'GET' || !path.startsWith('/contacts?') || isHeld) return null
      isHeld = true
      return held
    })
    const synced = engine.call('sync.now', {})
    await eventually(
      () => Promise.resolve(isHeld),
      (value) => value,
    )
    await engine.call('contact.update', { contactId: id, firstName: 'Anna' })
    await eventually(engine.status, ({ pendingChanges }) => pendingChanges === 0)
    release()
    await synced
    expect(await engine.call('contact.get', { contactId: id })).toMatchObject({ firstName: 'Anna' })
  })

  it('is added with its latest values, even while being sent', async () => {
    const { platform, engine } = await openAnn()
    const forwardRequest = await holdChanges(platform)
    const address = 'zoe@pier.example'
    await engine.call('contact.add', { address, firstName: 'Zoe', lastName: null, properties: { seats: 1 } })
    await engine.call('contact.update', { contactId: address, firstName: 'Zoë', unsubscribed: true })
    expect(await engine.call('contact.get', { contactId: address })).toMatchObject({
      firstName: 'Zoë',
      unsubscribed: true,
      properties: { seats: 1 },
      createdAt: null,
    })
    await forwardRequest()
    await platform.fault(
      { kind: 'lost', method: 'POST', path: '/contacts', times: 1 },
      { kind: 'error_503', method: 'GET' },
    )
    await engine.call('sync.now', {}).catch(() => undefined)
    await eventually(
      () => platform.requests().filter((request) => request.startsWith('POST /contacts')).length,
      (count) => count > 0,
    )
    await engine.call('contact.update', { contactId: address, lastName: 'Ång', properties: { seats: 2 } })
    await platform.fault()
    await engine.settled()
    expect(await onPlatform(platform, address)).toMatchObject({
      first_name: 'Zoë',
      last_name: 'Ång',
      unsubscribed: true,
      properties: { seats: { value: 2 } },
    })
  })
})

describe('a deleted contact', () => {
  it('is gone at once, and undo recreates it with a new ID', async () => {
    const { platform, engine, id, segmentId, topicId, otherTopicId } = await openAnn()
    const renamed = await engine.call('contact.update', { contactId: id, firstName: 'Anna' })
    await engine.settled()
    const { changeId } = await engine.call('contact.delete', { contactIds: [id] })
    expect(await listed(engine)).toEqual([BOB])
    expect((await engine.call('person.get', { address: ANN })).contact).toBeNull()
    await engine.settled()
    expect(await addressesOnPlatform(platform)).toEqual([BOB])

    const redo = await engine.call('change.undo', { changeId })
    expect(redo).toMatchObject({ undone: true })
    expect(await engine.call('contact.get', { contactId: id })).toMatchObject({ firstName: 'Anna', createdAt: null })
    await engine.settled()
    const back = await engine.call('contact.get', { contactId: id })
    expect(back).toMatchObject({ email: ANN, firstName: 'Anna', lastName: 'Lee', properties: { seats: 4 } })
    expect(back.id).not.toBe(id)
    expect(await onPlatform(platform, ANN)).toMatchObject({
      id: back.id,
      properties: { company: { value: 'Herring & Co' } },
    })
    expect(await segmentsOnPlatform(platform, ANN)).toEqual([segmentId])
    const { data } = await platform.ask<{ data: readonly { id: string; subscription: string }[] }>(
      'GET',
      `/contacts/${ANN}/topics`,
    )
    expect(new Map(data.map((topic) => [topic.id, topic.subscription]))).toEqual(
      new Map([
        [topicId, 'opt_out'],
        [otherTopicId, 'opt_in'],
      ]),
    )
    // Earlier changes follow the current ID.
    expect(await engine.call('change.undo', { changeId: renamed.changeId })).toMatchObject({ undone: true })
    await engine.settled()
    expect(await onPlatform(platform, ANN)).toMatchObject({ first_name: 'Ann' })
  })

  it('is deleted again by undoing its restoration', async () => {
    const { platform, engine, id } = await openAnn()
    const { changeId } = await engine.call('contact.delete', { contactIds: [id] })
    await engine.settled()
    const back = await engine.call('change.undo', { changeId })
    await engine.settled()
    if (!back.undone) throw new Error('It was not undone.')
    expect(await engine.call('change.undo', { changeId: back.changeId })).toMatchObject({ undone: true })
    await engine.settled()
    expect(await addressesOnPlatform(platform)).toEqual([BOB])
  })

  it('waits offline through restarts, and is restored if undone before', async () => {
    const { platform, proxy, directory, engine, id } = await openAnn()
    const forwardRequest = await holdChanges(platform)
    await engine.call('contact.update', { contactId: id, firstName: 'Anna' })
    await heldBack(platform, 'PATCH')
    const { changeId } = await engine.call('contact.delete', { contactIds: [id, BOB] })
    await engine.close()
    const again = await openTestEngine({ ...platform, baseUrl: proxy.baseUrl }, directory)
    expect(await listed(again)).toEqual([])
    await heldBack(platform, 'DELETE', 2)
    await again.call('change.undo', { changeId })
    // Undoing the deletion restores the change that was queued before it.
    expect(await again.call('contact.get', { contactId: id })).toMatchObject({ id, firstName: 'Anna' })
    await forwardRequest()
    await again.call('sync.now', {})
    await again.settled()
    expect(await onPlatform(platform, ANN)).toMatchObject({ id, first_name: 'Anna' })
    expect(platform.requests().filter((request) => request.startsWith('DELETE /contacts'))).not.toContainEqual(
      expect.stringContaining(' 200'),
    )
  })

  it.each(['DELETE', 'POST'])('is deleted and restored once if the response to %s is lost', async (method) => {
    const { platform, engine, id } = await openAnn()
    await platform.fault({ kind: 'lost', method, path: '/contacts', times: 1 })
    const { changeId } = await engine.call('contact.delete', { contactIds: [id] })
    await engine.settled()
    expect(await listed(engine)).toEqual([BOB])
    await engine.call('change.undo', { changeId })
    await engine.settled()
    await engine.call('sync.now', {})
    expect((await listed(engine)).toSorted()).toEqual([ANN, BOB])
    expect((await addressesOnPlatform(platform)).toSorted()).toEqual([ANN, BOB])
    expect(await onPlatform(platform, ANN)).toMatchObject({ first_name: 'Ann' })
  })

  it('returns without topics and segments deleted in between', async () => {
    const { platform, engine, id, segmentId, topicId } = await openAnn()
    const { changeId } = await engine.call('contact.delete', { contactIds: [id] })
    await engine.settled()
    await platform.ask('DELETE', `/segments/${segmentId}`)
    await platform.ask('DELETE', `/topics/${topicId}`)
    await engine.call('change.undo', { changeId })
    await engine.settled()
    expect(await onPlatform(platform, ANN)).toMatchObject({ first_name: 'Ann', last_name: 'Lee' })
    expect(await engine.rollbackNotices()).toEqual([])
  })

  it('stays as another client recreated it', async () => {
    const { platform, engine, id } = await openAnn()
    const { changeId } = await engine.call('contact.delete', { contactIds: [id] })
    await engine.settled()
    const theirs = await make(platform, '/contacts', { email: ANN, first_name: 'Annika' })
    await engine.call('change.undo', { changeId })
    await engine.settled()
    expect(await onPlatform(platform, ANN)).toMatchObject({ id: theirs, first_name: 'Annika', last_name: null })
    expect(await engine.call('contact.get', { contactId: ANN })).toMatchObject({ id: theirs, firstName: 'Annika' })
  })

  it('stays if added again before the deletion was sent', async () => {
    const { platform, engine, id } = await openAnn()
    const forwardRequest = await holdChanges(platform)
    await engine.call('contact.delete', { contactIds: [id] })
    await engine.call('contact.add', { address: ANN, firstName: 'Annie', lastName: null })
    expect(await engine.call('contact.get', { contactId: ANN })).toMatchObject({ firstName: 'Annie', lastName: null })
    await forwardRequest()
    await engine.call('sync.now', {})
    await engine.settled()
    expect(await onPlatform(platform, ANN)).toMatchObject({ first_name: 'Annie', last_name: null })
  })

  it('is never sent if its addition was still queued', async () => {
    const { platform, engine } = await openAnn()
    const forwardRequest = await holdChanges(platform)
    await engine.call('contact.add', { address: 'zoe@pier.example', firstName: 'Zoë', lastName: null })
    const { changeId } = await engine.call('contact.delete', { contactIds: ['zoe@pier.example'] })
    expect((await listed(engine)).toSorted()).toEqual([ANN, BOB])
    await engine.call('change.undo', { changeId })
    expect(await listed(engine)).toContain('zoe@pier.example')
    await engine.call('contact.delete', { contactIds: ['zoe@pier.example'] })
    await forwardRequest()
    await engine.settled()
    expect((await addressesOnPlatform(platform)).toSorted()).toEqual([ANN, BOB])
  })
})

describe('the segments of an account', () => {
  it('are listed, filter contacts, and load page by page', async () => {
    const { platform, engine, segmentId } = await openAnn()
    const many = Array.from({ length: 130 }, (_, index) => `person${index}@pier.example`)
    for (const email of many) await make(platform, '/contacts', { email, segments: [{ id: segmentId }] })
    expect((await engine.call('contact.catalog', {})).segments).toEqual([{ id: segmentId, name: 'Harbour' }])
    expect(await listed(engine, { segmentId })).toEqual([ANN])
    await engine.call('contact.refreshSegment', { segmentId })
    expect((await listed(engine, { segmentId })).length).toBe(131)
    expect(await listed(engine, { segmentId, typed: 'person129' })).toEqual(['person129@pier.example'])
    // Members removed elsewhere disappear on the next refresh.
    await platform.ask('DELETE', `/contacts/${ANN}/segments/${segmentId}`)
    await engine.call('contact.refreshSegment', { segmentId })
    expect((await listed(engine, { segmentId })).length).toBe(130)
    expect(await engine.problemOf('contact.refreshSegment', { segmentId: 'none' })).toMatchObject({ code: 'not_found' })
  })

  it('gain and lose contacts offline, with undo and notices', async () => {
    const { platform, proxy, directory, engine, id, segmentId } = await openAnn()
    const { id: bobId } = await engine.call('contact.get', { contactId: BOB })
    const forwardRequest = await holdChanges(platform)
    const { changeId } = await engine.call('contact.setSegments', { contactIds: [bobId], add: [segmentId], remove: [] })
    const out = await engine.call('contact.setSegments', { contactIds: [id], add: [], remove: [segmentId] })
    expect(await listed(engine, { segmentId })).toEqual([BOB])
    expect((await engine.call('person.get', { address: BOB })).segments?.segments).toEqual([
      { id: segmentId, name: 'Harbour' },
    ])
    await engine.close()
    const again = await openTestEngine({ ...platform, baseUrl: proxy.baseUrl }, directory)
    expect(await listed(again, { segmentId })).toEqual([BOB])
    await forwardRequest()
    await again.call('sync.now', {})
    await again.settled()
    expect(await segmentsOnPlatform(platform, BOB)).toEqual([segmentId])
    expect(await segmentsOnPlatform(platform, ANN)).toEqual([])
    await again.call('change.undo', { changeId: out.changeId })
    await again.call('change.undo', { changeId })
    await again.settled()
    expect(await segmentsOnPlatform(platform, BOB)).toEqual([])
    expect(await segmentsOnPlatform(platform, ANN)).toEqual([segmentId])
    expect(await listed(again, { segmentId })).toEqual([ANN])

    await platform.ask('DELETE', `/segments/${segmentId}`)
    await again.call('contact.setSegments', { contactIds: [bobId], add: [segmentId], remove: [] })
    const [told] = await eventually(again.rollbackNotices, ({ length }) => length === 1)
    expect(told?.message).toContain('the platform no longer has this segment.')
    expect(await listed(again, { segmentId })).toEqual([ANN])
  })

  it('are created, renamed and deleted on the platform, with properties', async () => {
    const { platform, engine, id } = await openAnn()
    const segment = await engine.call('contact.createSegment', { name: 'Pilots' })
    await engine.call('contact.setSegments', { contactIds: [id], add: [segment.id], remove: [] })
    await engine.settled()
    expect(await segmentsOnPlatform(platform, id)).toContain(segment.id)
    await engine.call('contact.renameSegment', { segmentId: segment.id, name: 'Pilot boats' })
    expect((await engine.call('contact.catalog', {})).segments[0]).toEqual({ id: segment.id, name: 'Pilot boats' })
    await engine.call('contact.deleteSegment', { segmentId: segment.id })
    expect((await engine.call('contact.catalog', {})).segments.map(({ name }) => name)).toEqual(['Harbour'])
    expect(await listed(engine, { segmentId: segment.id })).toEqual([])

    const { properties } = await engine.call('contact.createProperty', { key: 'berth', type: 'number' })
    expect(properties.map(({ key, type }) => [key, type])).toContainEqual(['berth', 'number'])
    expect(await engine.problemOf('contact.createProperty', { key: 'berth', type: 'string' })).toMatchObject({
      code: 'invalid_input',
    })
    await platform.stop()
    expect(await engine.problemOf('contact.createSegment', { name: 'Others' })).toMatchObject({
      code: 'unreachable',
      message: 'You are offline. Try again when you are online.',
    })
    expect((await engine.call('contact.catalog', {})).properties).toHaveLength(3)
  })
})

describe('distinctions between contacts', () => {
  it('separate a topic’s default from a contact’s choice', async () => {
    const { platform, engine, id, topicId, otherTopicId } = await openAnn()
    const { topics } = await engine.call('person.refresh', { address: ANN })
    expect(new Map(topics?.topics.map((topic) => [topic.id, [topic.subscription, topic.byDefault]]))).toEqual(
      new Map([
        [topicId, ['opt_out', 'opt_in']],
        [otherTopicId, ['opt_in', 'opt_in']],
      ]),
    )
    await engine.call('contact.setTopic', { contactId: id, topicId: otherTopicId, subscription: 'opt_out' })
    const chosen = await engine.call('person.get', { address: ANN })
    expect(chosen.topics?.topics.find((topic) => topic.id === otherTopicId)).toMatchObject({
      subscription: 'opt_out',
      byDefault: 'opt_in',
    })
    await engine.settled()
    await platform.stop()
  })

  it('include contacts with equivalent addresses until one is deleted', async () => {
    const { platform, engine } = await openAnn()
    await make(platform, '/contacts', { email: 'eve@bücher.example' })
    const other = await make(platform, '/contacts', { email: 'EVE@xn--bcher-kva.example', first_name: 'Eve' })
    await engine.call('sync.now', {})
    const duplicates = async () =>
      (await engine.call('contact.list', { offset: 0, limit: 10 })).items.flatMap(({ email, isDuplicate }) =>
        isDuplicate === true ? [email] : [],
      )
    await eventually(duplicates, ({ length }) => length === 2)
    expect((await duplicates()).toSorted()).toEqual(['EVE@xn--bcher-kva.example', 'eve@bücher.example'].toSorted())
    await engine.call('contact.update', { contactId: other, firstName: 'Eva' })
    await engine.call('contact.delete', { contactIds: [other] })
    expect(await duplicates()).toEqual([])
    expect((await engine.call('contact.ofAddress', { address: 'eve@bücher.example' }))?.email).toBe(
      'eve@bücher.example',
    )
    await engine.settled()
    expect((await addressesOnPlatform(platform)).includes('eve@bücher.example')).toBe(true)
    expect((await addressesOnPlatform(platform)).includes('EVE@xn--bcher-kva.example')).toBe(false)
    expect(
      await engine.problemOf('contact.add', { address: 'Eve@BÜCHER.example', firstName: null, lastName: null }),
    ).toMatchObject({ code: 'invalid_input', message: 'This address is already in your contacts.' })
  })
})
