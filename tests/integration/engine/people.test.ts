import { describe, expect, it } from 'vitest'
import type { Person } from '../../../src/shared/people.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { eventually } from './support/eventually.ts'
import { startInterceptingProxy } from './support/intercepting-proxy.ts'
import { startRecordingProxy } from './support/recording-proxy.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const ANN = 'ann.lee@harbour.example'

const topic = (platform: TestPlatform, name: string, subscription = 'opt_out'): Promise<{ readonly id: string }> =>
  platform.ask('POST', '/topics', { name, default_subscription: subscription })
const contact = (platform: TestPlatform, email: string, more: object = {}): Promise<{ readonly id: string }> =>
  platform.ask('POST', '/contacts', { email, ...more })
/** Requests for single contacts, not for the list. */
const asked = (platform: TestPlatform): readonly string[] =>
  platform.requests().filter((request) => / \/contacts\/./.test(request))
const until = (engine: TestEngine, address: string, isThere: (person: Person) => boolean): Promise<Person> =>
  eventually(() => engine.call('person.get', { address }), isThere)
/** An added person is a contact at once, but only gets a creation time from the platform. */
const isMade = ({ contact: made }: Person): boolean => made !== null && made.createdAt !== null
const contactOnPlatform = async (platform: TestPlatform, email: string): Promise<unknown> => {
  const { data } = await platform.ask<{ data: readonly { readonly email: string }[] }>('GET', '/contacts')
  return data.find((each) => each.email === email) ?? null
}

describe('a person’s profile', () => {
  it('shows threads, mail dates and delivery status from the cache', async () => {
    const platform = await startTestPlatform()
    for (const [subject, from] of [
      ['Fog', `Ann Lee <${ANN}>`],
      ['Ferry', `"Lee, Ann" <${ANN.toUpperCase()}>`],
      ['Others', 'Joan Lee <lee@harbour.example>'],
      ['Almost', 'Not Ann <joann.lee@harbour.example>'],
    ] as const) {
      await platform.deliver({ from, to: platform.inboxAddress, subject, text: 'Until noon.' })
    }
    await platform.deliver({ from: 'joan@pier.example', to: platform.inboxAddress, cc: ANN, subject: 'Cc', text: '.' })
    const program = { from: platform.inboxAddress, text: 'Due on Friday.' }
    await platform.ask('POST', '/emails', { ...program, to: ANN, subject: 'Invoice' })
    const { id: later } = await platform.ask<{ id: string }>('POST', '/emails', {
      ...program,
      to: [`Ann <${ANN}>`],
      subject: 'Reminder',
      scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
    })
    await platform.ask('POST', `/emails/${later}/cancel`, {})
    await platform.ask('POST', '/emails', { ...program, to: 'lee@harbour.example', subject: 'Not to her' })
    await platform.ask('POST', '/emails', {
      ...program,
      to: ['joan@pier.example', `Annie <${ANN}>`, ANN.toUpperCase()],
      cc: ['kim@pier.example'],
      subject: 'Circular',
    })
    const engine = await openSettledEngine(platform)

    const person = await until(engine, ANN, ({ mail }) => mail.isAll && mail.received?.emails === 3)
    const subjects = person.threads.map(({ subject }) => subject)
    expect(subjects.filter((subject) => ['Fog', 'Ferry', 'Cc'].includes(subject ?? ''))).toHaveLength(3)
    expect(subjects).not.toContain('Others')
    expect(subjects).not.toContain('Almost')
    const times = person.threads.map(({ receivedAt }) => receivedAt)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    const became = new Map(person.sent.map(({ subject, lastEvent }) => [subject, lastEvent]))
    expect([...became.keys()].toSorted()).toEqual(['Circular', 'Invoice', 'Reminder'])
    // With several recipients, the status may concern any of them.
    expect(person.sent.find(({ subject }) => subject === 'Circular')?.recipients).toBe(3)
    expect(person.sent.find(({ subject }) => subject === 'Invoice')?.recipients).toBe(1)
    const other = await engine.call('person.get', { address: 'kim@pier.example' })
    expect(other.sent.map(({ subject, recipients }) => [subject, recipients])).toEqual([['Circular', 3]])
    expect(became.get('Reminder')).toBe('canceled')
    expect(['sent', 'delivered']).toContain(became.get('Invoice'))
    expect(person.mail.received).toMatchObject({ emails: 3, first: expect.any(Number) as number })
    expect(person.mail.sent?.emails).toBe(3)
    expect(person).toMatchObject({ contact: null, topics: null, segments: null, contactId: ANN })
    expect(asked(platform)).toEqual([])

    // Addresses match despite case and spaces. An unknown address has no data.
    expect(await engine.call('person.get', { address: ' Ann.LEE@Harbour.example ' })).toMatchObject({
      threads: person.threads,
      mail: person.mail,
    })
    expect(await engine.call('person.get', { address: 'nobody@pier.example' })).toMatchObject({
      threads: [],
      sent: [],
      mail: { threads: null, received: null, sent: null, isAll: true },
    })
  })

  it('needs no request when keys step through fifty people', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 50, seed: 11 } })
    const engine = await openSettledEngine(platform)
    const before = platform.requests().length
    for (let index = 0; index < 50; index += 1) {
      await engine.call('person.get', { address: `person${index}@pier.example` })
    }
    expect(
      platform
        .requests()
        .slice(before)
        .filter((request) => request.includes('/contacts')),
    ).toEqual([])
  })

  it('has all topics, across pages', async () => {
    const platform = await startTestPlatform()
    await contact(platform, ANN)
    await Promise.all(Array.from({ length: 120 }, (_, index) => topic(platform, `Topic ${index}`)))
    const engine = await openSettledEngine(platform)
    const { topics } = await engine.call('person.refresh', { address: ANN })
    expect(new Set(topics?.topics.map(({ name }) => name)).size).toBe(120)
    expect(asked(platform).filter((request) => request.includes('/topics'))).toHaveLength(2)
  })

  it('matches both forms of an address’s domain, in any case', async () => {
    const platform = await startTestPlatform()
    await contact(platform, 'ann@xn--bcher-kva.example', { first_name: 'Ann' })
    const engine = await openSettledEngine(platform)
    for (const address of ['ann@bücher.example', 'ANN@BÜCHER.example', 'ann@XN--bcher-kva.example']) {
      const person = await until(engine, address, (each) => each.contact !== null)
      expect(person.contact?.firstName).toBe('Ann')
    }
  })

  it('has topics and segments, requested once and readable offline', async () => {
    const platform = await startTestPlatform()
    const { id } = await contact(platform, ANN)
    const { id: topicId } = await topic(platform, 'Tide tables')
    const { id: segmentId } = await platform.ask<{ id: string }>('POST', '/segments', { name: 'Harbour' })
    await platform.ask('POST', `/contacts/${id}/segments/${segmentId}`, {})
    const directory = temporaryDirectory()
    const engine = await openSettledEngine(platform, directory)
    await until(engine, ANN, (each) => each.contact !== null)
    const before = asked(platform).length
    for (let count = 0; count < 20; count += 1) await engine.call('person.get', { address: ANN })
    expect(asked(platform).slice(before)).toEqual([])

    const [person] = await Promise.all([1, 2, 3].map(() => engine.call('person.refresh', { address: ANN })))
    await engine.call('person.refresh', { address: ANN })
    expect(person).toMatchObject({
      contactId: id,
      topics: { topics: [{ id: topicId, name: 'Tide tables', subscription: 'opt_out' }], freshness: { state: 'live' } },
      segments: { segments: [{ id: segmentId, name: 'Harbour' }] },
    })
    expect(asked(platform).slice(before)).toEqual([
      expect.stringMatching(`GET /contacts/${id}/topics.* 200`),
      expect.stringMatching(`GET /contacts/${id}/segments.* 200`),
    ])

    await engine.close()
    await platform.stop()
    const offline = await openTestEngine(platform, directory)
    const known = await until(offline, ANN, ({ topics }) => topics?.freshness.state === 'cached')
    expect(known).toMatchObject({
      contact: { id },
      topics: { topics: [{ id: topicId }] },
      segments: { segments: [{ id: segmentId }] },
    })
  })

  it('shows topics found by address, and is a contact from then on', async () => {
    const platform = await startTestPlatform()
    const engine = await openSettledEngine(platform)
    const { id } = await contact(platform, ANN, { first_name: 'Ann' })
    const { id: topicId } = await topic(platform, 'Tide tables', 'opt_in')
    const person = await engine.call('person.refresh', { address: ANN })
    expect(person).toMatchObject({ contact: { id, firstName: 'Ann' }, topics: { topics: [{ id: topicId }] } })
    expect(asked(platform).some((request) => request.includes(`/contacts/${encodeURIComponent(ANN)}/topics`))).toBe(
      true,
    )
    await eventually(
      () => engine.call('contact.list', { offset: 0, limit: 10 }),
      ({ total }) => total === 1,
    )
  })

  it('has no topics without a contact, with a single request', async () => {
    const platform = await startTestPlatform()
    const engine = await openSettledEngine(platform)
    for (let count = 0; count < 5; count += 1) {
      expect(await engine.call('person.refresh', { address: ANN })).toMatchObject({ contact: null, topics: null })
    }
    expect(asked(platform)).toHaveLength(1)
    await platform.stop()
    expect(await engine.problemOf('person.refresh', { address: 'joan@pier.example' })).toMatchObject({
      code: 'unreachable',
    })
  })
})

describe('an added contact', () => {
  const open = async () => {
    const platform = await startTestPlatform()
    const proxy = await startRecordingProxy(platform.baseUrl)
    const engine = await openSettledEngine({ ...platform, baseUrl: proxy.baseUrl })
    const add = () => engine.call('contact.add', { address: ANN, firstName: 'Ann', lastName: '' })
    return { platform, proxy, engine, add }
  }

  it('shows at once, is created on the platform, and deleted by undo', async () => {
    const { platform, engine, add, proxy } = await open()
    const { changeId } = await add()
    expect((await engine.call('person.get', { address: ANN })).contact).toMatchObject({
      firstName: 'Ann',
      lastName: null,
    })
    const person = await until(engine, ANN, isMade)
    expect(person).toMatchObject({ contact: { email: ANN, firstName: 'Ann', lastName: null } })
    expect(await contactOnPlatform(platform, ANN)).toMatchObject({ id: person.contact?.id, first_name: 'Ann' })
    expect(engine.events('contacts.changed').length).toBeGreaterThan(0)
    await engine.settled()
    // Refreshing the contact list must not stop the undo.
    await engine.call('sync.now', {})
    await engine.settled()

    expect(await engine.call('change.undo', { changeId })).toMatchObject({ undone: true })
    expect((await engine.call('person.get', { address: ANN })).contact).toBeNull()
    await engine.settled()
    expect(await contactOnPlatform(platform, ANN)).toBeNull()
    expect(proxy.changes().map(({ method, status }) => [method, status])).toEqual([
      ['POST', 201],
      ['DELETE', 200],
    ])
    expect(await engine.rollbackNotices()).toEqual([])
  })

  it('is left alone by undo if it existed before', async () => {
    const { platform, engine, add, proxy } = await open()
    await contact(platform, ANN, { first_name: 'Annika', last_name: 'Lee' })
    const { changeId } = await add()
    const person = await until(engine, ANN, isMade)
    expect(person.contact).toMatchObject({ firstName: 'Annika', lastName: 'Lee' })
    await engine.settled()
    expect(await engine.call('change.undo', { changeId })).toEqual({ undone: false })
    await engine.settled()
    expect(await contactOnPlatform(platform, ANN)).toMatchObject({ first_name: 'Annika' })
    expect(proxy.changes()).toEqual([])
    expect(await engine.problemOf('contact.add', { address: ANN, firstName: null, lastName: null })).toMatchObject({
      code: 'invalid_input',
    })
  })

  it.each([
    ['stays if it existed before', 'GET', 'Annika'],
    ['is deleted again if it is new', 'POST', null],
  ])('%s, although it is undone while being sent', async (_outcome, method, expected) => {
    const platform = await startTestPlatform()
    const door = await startInterceptingProxy(platform.baseUrl)
    const engine = await openTestEngine({ ...platform, baseUrl: door.baseUrl })
    await engine.settled()
    if (expected !== null) await contact(platform, ANN, { first_name: expected })
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    let isHeld = false
    door.hold((asked, path) => {
      const isAddition =
        asked === method && (method === 'POST' ? path === '/contacts' : path.startsWith('/contacts/ann'))
      if (!isAddition || isHeld) return null
      isHeld = true
      return held
    })
    const { changeId } = await engine.call('contact.add', { address: ANN, firstName: 'Ann', lastName: null })
    await eventually(
      () => Promise.resolve(isHeld),
      (value) => value,
    )
    expect(await engine.call('change.undo', { changeId })).toMatchObject({ undone: true })
    expect((await engine.call('person.get', { address: ANN })).contact).toBeNull()
    release()
    await engine.settled()
    const there = await contactOnPlatform(platform, ANN)
    if (expected === null) expect(there).toBeNull()
    else expect(there).toMatchObject({ first_name: expected })
    expect((await engine.call('person.get', { address: ANN })).contact?.firstName ?? null).toBe(expected)
    expect(await engine.rollbackNotices()).toEqual([])
  })

  it('waits offline through restarts, and isn’t sent if undone', async () => {
    const platform = await startTestPlatform()
    const directory = temporaryDirectory()
    const engine = await openSettledEngine(platform, directory)
    await platform.fault({ kind: 'error_503', path: '/contacts' })
    const undone = await engine.call('contact.add', { address: 'joan@pier.example', firstName: null, lastName: null })
    await engine.call('contact.add', { address: ANN, firstName: 'Ann', lastName: 'Lee' })
    await engine.close()
    await platform.fault()

    const again = await openTestEngine(platform, directory)
    const { undone: isUndone } = await again.call('change.undo', { changeId: undone.changeId })
    expect(isUndone).toBe(true)
    const person = await until(again, ANN, isMade)
    expect(person.contact).toMatchObject({ firstName: 'Ann', lastName: 'Lee' })
    await again.settled()
    expect(await contactOnPlatform(platform, 'joan@pier.example')).toBeNull()
  })

  it('is created once if the response is lost', async () => {
    const { platform, engine, add } = await open()
    await platform.fault({ kind: 'lost', method: 'POST', path: '/contacts', times: 1 })
    await add()
    await until(engine, ANN, isMade)
    await engine.settled()
    const { data } = await platform.ask<{ data: readonly unknown[] }>('GET', '/contacts')
    expect(data).toHaveLength(1)
  })

  it('is removed with a notice if the platform rejects it', async () => {
    const { engine, add, platform } = await open()
    await platform.fault({ kind: 'error_422', method: 'POST', path: '/contacts', times: 1 })
    await add()
    await engine.settled()
    expect(await engine.call('person.get', { address: ANN })).toMatchObject({ contact: null })
    expect((await engine.call('contact.list', { offset: 0, limit: 10 })).total).toBe(0)
    expect(await engine.rollbackNotices()).toMatchObject([
      { message: expect.stringContaining(`Your new contact Ann (${ANN}) was undone`) as string },
    ])
    expect(
      await engine.problemOf('contact.add', { address: 'Ann Lee', firstName: null, lastName: null }),
    ).toMatchObject({
      code: 'invalid_input',
      message: 'This email address is not valid. Check it, then add the contact again.',
    })
  })
})
