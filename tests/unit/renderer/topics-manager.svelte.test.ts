// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { describeTopic } from '../../../src/renderer/features/contacts/describe-topic.ts'
import { ALL_CONTACTS } from '../../../src/shared/contact-query.ts'
import type { Topic } from '../../../src/shared/people.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { fixtureContacts } from './support/fixture-mail.ts'
import { openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

const TIDES: Topic = {
  ...{ id: 'tides', name: 'Tides', description: 'High and low', visibility: 'private', byDefault: 'opt_in' },
  createdAt: 1,
}
const AS_IT_IS = { name: 'Tides', description: 'High and low', visibility: 'private', byDefault: 'opt_in' } as const

describe('topic description', () => {
  it.each([
    [TIDES, 'Subscribed by default · Private'],
    [{ ...TIDES, byDefault: 'opt_out', visibility: 'public' }, 'Not subscribed by default · Public'],
    [{ ...TIDES, createdAt: null }, 'Subscribed by default · Private · Waiting to sync'],
    // Missing or unknown platform values.
    [{ ...TIDES, byDefault: '', visibility: 'secret' }, ''],
    [{ ...TIDES, byDefault: 'paused', visibility: '' }, 'By default: paused'],
  ])('%j: %s', (topic, words) => {
    expect(describeTopic(topic)).toBe(words)
  })
})

const ending = endAfterEach()
const contactsView = { view: 'contacts', id: null } as const

describe('topics of the account', () => {
  it('send only changed fields, or nothing', async () => {
    const { session, shell, called } = await openWindow(contactsView, ending.signal)
    const { topics } = session
    topics.ask({ act: 'edit', topic: TIDES })
    await topics.save(AS_IT_IS)
    expect(called('topic.update')).toEqual([])
    expect(topics.asked).toBeNull()
    topics.ask({ act: 'edit', topic: TIDES })
    await topics.save({ ...AS_IT_IS, description: null, visibility: 'public' })
    expect(called('topic.update')).toEqual([{ topicId: 'tides', description: null, visibility: 'public' }])
    // The default of an existing topic is never sent.
    topics.ask({ act: 'edit', topic: { ...TIDES, visibility: '' } })
    await topics.save({ ...AS_IT_IS, name: 'Winds', visibility: null, byDefault: 'opt_out' })
    expect(called('topic.update').at(-1)).toEqual({ topicId: 'tides', name: 'Winds' })
    expect(shell.toasts.toasts.at(-1)?.text).toBe('Changed the topic Winds')
    session.actions.undo()
    await until(() => called('change.undo').length === 1)
  })

  it('are created and deleted only from their own dialog', async () => {
    const { session, called } = await openWindow(contactsView, ending.signal)
    const { topics } = session
    await topics.save(AS_IT_IS)
    topics.ask({ act: 'create' })
    expect(called('topic.create')).toEqual([])
    await topics.save(AS_IT_IS)
    expect(called('topic.create')).toEqual([AS_IT_IS])
    topics.askToRemove(TIDES)
    expect(called('topic.delete')).toEqual([])
    await topics.save(AS_IT_IS)
    await session.questions.answer()
    await until(() => called('topic.delete').length === 1)
    expect(called('topic.delete')).toEqual([{ topicId: 'tides' }])
    expect(called('topic.update')).toEqual([])
  })

  it('are set for the selected contacts or all matching ones', async () => {
    const { session, shell, called } = await openWindow(contactsView, ending.signal)
    const { topics } = session
    const contacts = fixtureContacts(2)
    topics.askForMany({ contacts, query: ALL_CONTACTS, matching: 1204 })
    expect(topics.manyName).toBe('2 contacts')
    await topics.subscribe(TIDES, true)
    topics.setWhich('matching')
    expect(topics.manyName).toBe('1,204 contacts')
    await topics.subscribe(TIDES, false)
    expect(called('topic.setForMany')).toEqual([
      { topicId: 'tides', subscription: 'opt_in', of: { contactIds: contacts.map(({ id }) => id) } },
      { topicId: 'tides', subscription: 'opt_out', of: { query: ALL_CONTACTS } },
    ])
    expect(shell.toasts.toasts.at(-1)?.text).toBe('Unsubscribing 1,204 contacts from Tides')
    topics.closeMany()
    await topics.subscribe(TIDES, true)
    expect(called('topic.setForMany')).toHaveLength(2)
    // Without a selection, all listed contacts are meant.
    topics.askForMany({ contacts: [], query: ALL_CONTACTS, matching: 3 })
    expect(topics.which).toBe('matching')
  })
})
