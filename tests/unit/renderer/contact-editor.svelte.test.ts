// @vitest-environment jsdom
import { describe, expect, it } from 'vitest'
import { diffContact } from '../../../src/renderer/features/person/contact-editor.svelte.ts'
import { describeContacts } from '../../../src/renderer/features/person/contact-name.ts'
import type { Contact } from '../../../src/shared/people.ts'
import { ProblemError } from '../../../src/shared/result.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { fixtureContacts } from './support/fixture-mail.ts'
import { openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

const ANN: Contact = {
  ...{ id: 'ann', email: 'ann@tide.example', firstName: 'Ann', lastName: null, createdAt: 1, unsubscribed: false },
  properties: { company: 'Herring & Co', seats: 4 },
}
const AS_SHE_IS = {
  firstName: 'Ann',
  lastName: '',
  unsubscribed: false,
  properties: { company: 'Herring & Co', seats: 4 },
}

describe('changes from the contact form', () => {
  it.each([
    ['nothing', {}, {}],
    ['a name', { firstName: 'Anna' }, { firstName: 'Anna' }],
    ['a name that is emptied', { firstName: '' }, { firstName: '' }],
    ['one property, and no other', { properties: { company: 'Gull', seats: 4 } }, { properties: { company: 'Gull' } }],
    ['a property that is emptied', { properties: { company: null, seats: 4 } }, { properties: { company: null } }],
    ['a property that was not there', { properties: { berth: 7 } }, { properties: { berth: 7 } }],
    ['no property that was and stays empty', { properties: { berth: null } }, {}],
    ['the subscription', { unsubscribed: true }, { unsubscribed: true }],
  ])('include %s', (_, typed, change) => {
    expect(diffContact(ANN, { ...AS_SHE_IS, ...typed })).toEqual(change)
  })
})

const ending = endAfterEach()

const contactsView = { view: 'contacts', id: null } as const

describe('contact editor', () => {
  it('sends only changed fields, confirms, and undoes', async () => {
    const opened = await openWindow(contactsView, ending.signal)
    const { session, shell, called } = opened
    const { contactEditor: editor } = session
    editor.askToEdit(ANN)
    await until(() => editor.catalog.properties.length === 2)
    await editor.save({ ...AS_SHE_IS, address: ANN.email, lastName: 'Lee', properties: { seats: 5 } })
    expect(called('contact.update')).toEqual([{ contactId: 'ann', lastName: 'Lee', properties: { seats: 5 } }])
    expect(editor.asked).toBeNull()
    expect(shell.toasts.toasts.at(-1)?.text).toBe('Updated Ann')
    session.actions.undo()
    await until(() => called('change.undo').length === 1)

    editor.askToEdit(ANN)
    await editor.save({ ...AS_SHE_IS, address: ANN.email })
    expect(called('contact.update')).toHaveLength(1)
  })

  it('finds a contact with the same address in any case', async () => {
    const { session } = await openWindow(contactsView, ending.signal)
    const [first] = fixtureContacts(1)
    expect((await session.contactEditor.findDuplicate(first?.email.toUpperCase() ?? ''))?.id).toBe('contact-0')
    expect(await session.contactEditor.findDuplicate('nobody@tide.example')).toBeNull()
  })

  it('keeps the dialog open with the reason when a segment can’t be created', async () => {
    const problem = { code: 'unreachable', message: 'You are offline. Try again when you are online.' } as const
    const { session } = await openWindow(contactsView, ending.signal, {
      'contact.createSegment': () => Promise.reject(new ProblemError(problem)),
    })
    session.contactEditor.askForSegments([ANN])
    expect(await session.contactEditor.create('contact.createSegment', { name: 'Pilots' })).toBe(false)
    expect(session.contactEditor.problem).toMatchObject(problem)
    expect(session.contactEditor.sorted).toEqual([ANN])
  })

  it('leaves segments unknown if they can’t be loaded', async () => {
    const person = { contact: ANN, threads: 0, firstAt: null, lastAt: null, topics: null, segments: null }
    const { session, called } = await openWindow(contactsView, ending.signal, {
      'person.get': () => person as never,
      'person.refresh': () => Promise.reject(new ProblemError({ code: 'unreachable', message: 'You are offline.' })),
    })
    session.contactEditor.askForSegments([ANN])
    await until(() => session.contactEditor.problem !== null)
    expect(session.contactEditor.segmentIds).toBeNull()
    await session.contactEditor.setSegment({ id: 'segment-1', name: 'Harbour' }, false)
    expect(called('contact.setSegments')).toEqual([{ contactIds: ['ann'], add: [], remove: ['segment-1'] }])
    expect(session.contactEditor.segmentIds).toBeNull()
  })

  it('adds all selected contacts to a segment in one change', async () => {
    const { session, called, run, shell } = await openWindow(contactsView, ending.signal)
    await until(() => session.contacts.list.total > 0)
    run('contact.select')
    session.contacts.selection.extend(0, 2)
    run('contact.segments')
    expect(describeContacts(session.contactEditor.sorted)).toBe('3 contacts')
    await session.contactEditor.setSegment({ id: 'segment-1', name: 'Harbour' }, true)
    expect(called('contact.setSegments')).toEqual([
      { contactIds: ['contact-0', 'contact-1', 'contact-2'], add: ['segment-1'], remove: [] },
    ])
    expect(shell.toasts.toasts.at(-1)?.text).toBe('Added 3 contacts to Harbour')
  })

  it('clears the selection when the list changes', async () => {
    const { session, run } = await openWindow(contactsView, ending.signal)
    await until(() => session.contacts.list.total > 0)
    run('contact.selectAll')
    expect(session.contacts.selection.isEmpty).toBe(false)
    await session.contacts.ask({ segmentId: 'segment-1' })
    expect(session.contacts.selection.isEmpty).toBe(true)
    expect(session.contacts.isFiltered).toBe(true)
  })
})
