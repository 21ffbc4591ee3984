import { describe, expect, it } from 'vitest'
import { createBackend } from '../../../src/renderer/kernel/backend.ts'
import { ContactsManager } from '../../../src/renderer/features/contacts/contacts-manager.svelte.ts'
import { createFixtureTransport } from './support/fixture-transport.ts'
import { until } from './support/until.ts'

describe('a contact whose address is opened', () => {
  it('is asked for itself, however many contacts there are', async () => {
    const transport = createFixtureTransport({ contacts: 5000 })
    const contacts = new ContactsManager(createBackend(transport))
    contacts.show('contact-4900')
    await until(() => contacts.contact !== null)
    expect(contacts.contact?.email).toBe('person4900@tide.example')
    expect(transport.calls.filter(({ name }) => name === 'contact.list').length).toBeLessThanOrEqual(1)
  })

  it('and is not here says so', async () => {
    const contacts = new ContactsManager(createBackend(createFixtureTransport()))
    contacts.show('nobody')
    await until(() => contacts.problem !== null)
    expect(contacts.problem?.code).toBe('not_found')
  })
})
