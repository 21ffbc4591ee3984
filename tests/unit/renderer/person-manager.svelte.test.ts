// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Person, splitPersonName } from '../../../src/shared/people.ts'
import { ProblemError } from '../../../src/shared/result.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

const PERSON = 'person1@tide.example'
const PERSON_WITHOUT_MAIL: Omit<Person, 'address' | 'topics'> = {
  contact: null,
  contactsFreshness: { state: 'live', at: 1 },
  contactId: 'contact-1',
  segments: null,
  suppressed: {
    ...{
      address: PERSON,
      suppression: null,
      freshness: { state: 'never', at: null },
      isWaiting: false,
      returned: null,
    },
  },
  threads: [],
  mail: { threads: null, received: null, sent: null, isAll: true },
  sent: [],
}

afterEach(() => vi.useRealTimers())
const ending = endAfterEach()
const open = (handlers: Parameters<typeof openWindow>[2] = {}) => openWindow(inbox(null), ending.signal, handlers)

describe('contact panel', () => {
  it('refreshes from the platform only once the focus rests on a person', async () => {
    const { session, called } = await open()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    for (let index = 0; index < 20; index += 1) {
      session.person.show(`Person <person${index}@tide.example>`)
      vi.advanceTimersByTime(300)
    }
    expect(called('person.get')).toHaveLength(20)
    expect(called('person.refresh')).toEqual([])
    // The same address again isn't a change.
    session.person.show('Somebody <person19@tide.example>')
    await vi.advanceTimersByTimeAsync(1000)
    expect(called('person.refresh')).toEqual([{ address: 'person19@tide.example' }])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(called('person.refresh')).toHaveLength(1)
  })

  it('keeps the old person until the next loads, and clears without an address', async () => {
    const { session } = await open()
    const { person } = session
    person.show(`Ann <${PERSON}>`)
    await until(() => person.shown !== null)
    expect(person.shown?.name).toBe('Person 1')
    const before = person.shown?.person.address
    person.show('Nobody known <nobody@pier.example>')
    expect(person.shown?.person.address).toBe(before)
    await until(() => person.shown?.person.address === 'nobody@pier.example')
    expect(person.shown?.name).toBe('Nobody known')
    person.show('"<ann@bank.example>"@evil.example <x>')
    expect(person.shown).toBeNull()
  })

  it('reloads when that person’s data changes', async () => {
    const { session, called, emit } = await open()
    session.person.show(PERSON)
    await until(() => session.person.shown !== null)
    const reads = called('person.get').length
    emit({ name: 'topics.changed', payload: { contactId: 'somebody else' } })
    emit({ name: 'sentEmails.changed', payload: null })
    await until(() => called('person.get').length === reads + 1)
    emit({ name: 'topics.changed', payload: { contactId: 'contact-1' } })
    await until(() => called('person.get').length === reads + 2)
  })

  it('knows when the platform gave no topics, and can retry', async () => {
    const withoutTopics = { ...PERSON_WITHOUT_MAIL, address: PERSON, topics: null }
    const { session, called } = await open({
      'person.get': () => withoutTopics,
      'person.refresh': () => withoutTopics,
    })
    const { person } = session
    person.show(PERSON)
    expect(person.isAnswered).toBe(false)
    await person.refresh()
    expect([person.isAnswered, person.shown?.person.topics]).toEqual([true, null])
    const again = person.retry()
    expect(person.isAnswered).toBe(false)
    await again
    expect(called('person.refresh')).toEqual([{ address: PERSON }, { address: PERSON, again: true }])
    expect(person.isAnswered).toBe(true)
    person.show('person2@tide.example')
    expect(person.isAnswered).toBe(false)
  })

  it('ignores changes of other people, and does nothing while empty', async () => {
    const { session, called, emit } = await open()
    await session.person.refresh()
    expect(called('person.refresh')).toEqual([])
    session.person.show(PERSON)
    await until(() => session.person.shown !== null)
    const reads = called('person.get').length
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    emit({ name: 'topics.changed', payload: { contactId: 'somebody else' } })
    await vi.advanceTimersByTimeAsync(500)
    expect(called('person.get')).toHaveLength(reads)
    emit({ name: 'topics.changed', payload: { contactId: 'contact-1' } })
    await vi.advanceTimersByTimeAsync(500)
    expect(called('person.get')).toHaveLength(reads + 1)
  })

  it('shows topic changes at once, and undoes them by shortcut', async () => {
    const { session, called, run, shell } = await open()
    const { person, topicChoices } = session
    person.show(PERSON)
    await until(() => person.shown !== null)
    const state = (): string | undefined => person.shown?.person.topics?.topics[0]?.subscription
    const topic = person.shown?.person.topics?.topics[0]
    if (topic === undefined) throw new Error('there is one')
    expect(state()).toBe('opt_in')
    void topicChoices.choose({ contactId: 'contact-1', name: 'Person 1' }, topic, false)
    expect(state()).toBe('opt_out')
    expect(shell.toasts.toasts.map(({ text, action }) => [text, action?.name])).toEqual([
      ['Unsubscribed Person 1 from Product news', 'Undo'],
    ])
    await until(() => called('contact.setTopic').length === 1)
    run('thread.undo')
    expect(state()).toBe('opt_in')
    await until(() => called('change.undo').length === 1)
  })

  it('undoes a topic choice even while showing somebody else', async () => {
    const { session, called, run } = await open()
    const { person, topicChoices } = session
    person.show(PERSON)
    await until(() => person.shown !== null)
    const topic = person.shown?.person.topics?.topics[0]
    if (topic === undefined) throw new Error('there is one')
    await topicChoices.choose({ contactId: 'contact-1', name: 'Person 1' }, topic, false)
    person.show('person2@tide.example')
    await until(() => person.shown?.person.address === 'person2@tide.example')
    expect(person.shown?.person.topics?.topics[0]?.subscription).toBe('opt_in')
    run('thread.undo')
    await until(() => called('change.undo').length === 1)
    person.show(PERSON)
    await until(() => person.shown?.person.address === PERSON)
    expect(person.shown?.person.topics?.topics[0]?.subscription).toBe('opt_in')
  })

  it('shows unknown topic states as given, until changed and again after undo', async () => {
    const paused = { id: 'topic-1', name: 'Tides', description: null, subscription: 'paused' }
    const freshness = { state: 'live', at: 1 } as const
    const { session, called, run } = await open({
      'person.get': ({ address }) => ({
        ...PERSON_WITHOUT_MAIL,
        address,
        topics: { topics: [paused], freshness },
      }),
    })
    const { person, topicChoices } = session
    person.show(PERSON)
    await until(() => person.shown !== null)
    const state = (): string | undefined => person.shown?.person.topics?.topics[0]?.subscription
    expect(state()).toBe('paused')
    void topicChoices.choose({ contactId: 'contact-1', name: 'Person 1' }, paused, true)
    expect(state()).toBe('opt_in')
    await until(() => called('contact.setTopic').length === 1)
    run('thread.undo')
    expect(state()).toBe('paused')
  })

  it('restores the topics when a choice is rejected', async () => {
    const refused = new ProblemError({ code: 'not_found', message: 'This topic is gone.' })
    const { session, shell } = await open({
      'contact.setTopic': () => {
        throw refused
      },
    })
    const { person, topicChoices } = session
    person.show(PERSON)
    await until(() => person.shown !== null)
    const topic = person.shown?.person.topics?.topics[0]
    if (topic === undefined) throw new Error('there is one')
    expect(await topicChoices.choose({ contactId: 'contact-1', name: 'Person 1' }, topic, false)).toBe(false)
    expect(person.shown?.person.topics?.topics[0]?.subscription).toBe('opt_in')
    expect(shell.toasts.toasts.map(({ text }) => text)).toEqual(['This topic is gone.'])
  })
})

describe('splitting a name in two', () => {
  it.each([
    ['Ann Lee', 'Ann', 'Lee'],
    ['Lee, Ann', 'Ann', 'Lee'],
    ['  Ann   van der  Lee ', 'Ann van der', 'Lee'],
    ['Ann', 'Ann', null],
    ['', null, null],
    ['Lee,', 'Lee', null],
  ])('%j', (name, firstName, lastName) => {
    expect(splitPersonName(name)).toEqual({ firstName, lastName })
  })
})
