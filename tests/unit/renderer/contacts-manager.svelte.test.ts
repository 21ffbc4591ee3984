import { describe, expect, it } from 'vitest'
import { createBackend } from '../../../src/renderer/kernel/backend.ts'
import { ContactsManager } from '../../../src/renderer/features/contacts/contacts-manager.svelte.ts'
import { TableImport } from '../../../src/renderer/features/contacts/table-import.svelte.ts'
import type { ColumnTarget } from '../../../src/shared/contact-import.ts'
import { ProblemError } from '../../../src/shared/result.ts'
import { fixtureContacts } from './support/fixture-mail.ts'
import { createFixtureTransport, type FixtureTransport } from './support/fixture-transport.ts'
import { until } from './support/until.ts'

const openContacts = (transport: FixtureTransport): ContactsManager => new ContactsManager(createBackend(transport))

describe('contact opened by its address', () => {
  it('is fetched alone, however many contacts there are', async () => {
    const transport = createFixtureTransport({ contacts: 5000 })
    const contacts = openContacts(transport)
    contacts.show('contact-4900')
    await until(() => contacts.contact !== null)
    expect(contacts.contact?.email).toBe('person4900@tide.example')
    expect(transport.calls.filter(({ name }) => name === 'contact.list').length).toBeLessThanOrEqual(1)
  })

  it('resolves an e-mail address to the contact’s ID', async () => {
    const [first] = fixtureContacts(1)
    const transport = createFixtureTransport({
      handlers: { 'contact.get': () => first ?? Promise.reject(new Error('there is one')) },
    })
    const contacts = openContacts(transport)
    contacts.show('person0@tide.example')
    await until(() => contacts.contact !== null)
    expect(contacts.resolved).toEqual({ asked: 'person0@tide.example', id: 'contact-0' })
    contacts.show('contact-0')
    expect(contacts.resolved).toBeNull()
  })

  it('gets its ID once the platform has created it', async () => {
    const [first] = fixtureContacts(1)
    if (first === undefined) throw new Error('there is one')
    const address = first.email
    let isMade = false
    const transport = createFixtureTransport({
      handlers: { 'contact.get': () => (isMade ? first : { ...first, id: address, createdAt: null }) },
    })
    const contacts = openContacts(transport)
    contacts.show(address)
    await until(() => contacts.contact !== null)
    expect([contacts.contact?.createdAt, contacts.resolved]).toEqual([null, null])
    isMade = true
    transport.emit({ name: 'contacts.changed', payload: null })
    await until(() => contacts.resolved !== null)
    expect(contacts.resolved).toEqual({ asked: address, id: first.id })
  })

  it('reports a missing contact', async () => {
    const contacts = openContacts(createFixtureTransport())
    contacts.show('nobody')
    await until(() => contacts.problem !== null)
    expect(contacts.problem?.code).toBe('not_found')
  })
})

describe('contact list', () => {
  it('reads only the windows of 5,000 rows that are scrolled to', async () => {
    const transport = createFixtureTransport({ contacts: 5000 })
    const contacts = openContacts(transport)
    const read = () =>
      transport.calls.flatMap(({ name, input }) =>
        name === 'contact.list' ? [(input as { readonly offset: number }).offset] : [],
      )
    contacts.show(null)
    await until(() => contacts.list.total === 5000)
    expect(read().length).toBeLessThanOrEqual(2)
    contacts.list.show(4960, 4999)
    await until(() => contacts.list.at(4999) !== undefined)
    expect(contacts.list.at(4999)?.email).toBe('person4999@tide.example')
    expect(read().every((offset) => offset < 300 || offset > 4600)).toBe(true)
    const before = read().length
    await contacts.ask({ typed: 'person499' })
    expect([contacts.list.total, read().length - before]).toEqual([11, 1])
    await contacts.ask({ typed: '' })
    expect(contacts.list.at(4999)?.email).toBe('person4999@tide.example')
  })

  const open = () => {
    const transport = createFixtureTransport({ contacts: 120 })
    const contacts = openContacts(transport)
    contacts.show(null)
    return { contacts }
  }
  it('filters and sorts, and shows everybody again', async () => {
    const { contacts } = open()
    await until(() => contacts.list.total === 120)
    const before = contacts.list
    await contacts.ask({ typed: 'person11' })
    expect(contacts.list.total).toBe(11)
    expect(contacts.isFiltered).toBe(true)
    await contacts.ask({ subscription: 'unsubscribed' })
    expect(contacts.list.loaded().map(({ id }) => id)).toEqual(['contact-117'])
    await contacts.ask({ typed: '', subscription: 'all' })
    expect(contacts.list).toBe(before)
    await contacts.ask({ order: 'name' })
    expect([contacts.list.at(0)?.id, contacts.isFiltered]).toEqual(['contact-119', false])
  })

  it('keeps the old rows until the new ones load, and the last keystroke wins', async () => {
    const { contacts } = open()
    await until(() => contacts.list.total === 120)
    const first = contacts.ask({ typed: 'person1' })
    const second = contacts.ask({ typed: 'person11' })
    expect(contacts.list.total).toBe(120)
    await Promise.all([second, first])
    expect(contacts.list.total).toBe(11)
  })

  it('puts the cursor on the open contact if found, else on the first', async () => {
    const { contacts } = open()
    contacts.show('contact-118')
    await contacts.ask({ typed: 'person11' })
    expect(contacts.cursor.id).toBe('contact-118')
    await contacts.ask({ typed: 'person2' })
    expect(contacts.cursor.id).toBe('contact-2')
  })

  it('keeps working when the open contact is deleted, and says so', async () => {
    let isThere = true
    const transport = createFixtureTransport({
      handlers: {
        'contact.get': ({ contactId }) => {
          const found = isThere ? fixtureContacts(3).find(({ id }) => id === contactId) : undefined
          if (found !== undefined) return found
          throw new ProblemError({ code: 'not_found', message: 'This contact is no longer on the platform.' })
        },
      },
    })
    const contacts = openContacts(transport)
    contacts.show('contact-2')
    await until(() => contacts.contact !== null && contacts.list.total > 0)
    isThere = false
    transport.emit({ name: 'contacts.changed', payload: null })
    await until(() => contacts.problem !== null)
    expect(contacts.problem?.message).toBe('This contact is no longer on the platform.')
    expect(contacts.contact).toBeNull()
    expect(contacts.list.total).toBe(120)
    const asked = (): number => transport.calls.filter(({ name }) => name === 'contact.get').length
    const before = asked()
    transport.emit({ name: 'contacts.changed', payload: null })
    expect(asked()).toBe(before)
  })
})

describe('import table', () => {
  it('accepts several unsubscribe columns, with or without a heading', async () => {
    const column = (heading: string, target: ColumnTarget) => ({ heading, samples: [], target })
    const columns = [column('Mail', 'email'), column('Opt-out', 'unsubscribed'), column('Blocked', 'nothing')]
    const otherColumns = [column('', 'nothing'), column('', 'email'), column('', 'nothing')]
    const table = { tableId: 'table', columns, hasHeading: true, otherColumns, lines: 1 }
    const counts = { added: 0, changed: 0, same: 1, repeated: 0, leftUnsubscribed: 0, bad: 0 }
    const transport = createFixtureTransport({
      handlers: {
        'contactTable.read': () => table,
        'contactTable.plan': () => ({ ...counts, contacts: [], badLines: [] }),
      },
    })
    const tableImport = new TableImport(createBackend(transport), undefined as never, undefined as never)
    await tableImport.open(new File(['x'], 'x.csv'), Promise.resolve())
    await tableImport.setTarget(2, 'unsubscribed')
    expect(tableImport.targets).toEqual(['email', 'unsubscribed', 'unsubscribed'])
    await tableImport.setTarget(1, 'email')
    expect(tableImport.targets).toEqual(['nothing', 'email', 'unsubscribed'])
    await tableImport.setHasHeading(false)
    expect(tableImport.table?.columns).toEqual(otherColumns)
    expect(transport.calls.at(-1)).toMatchObject({
      name: 'contactTable.plan',
      input: { hasHeading: false, targets: ['nothing', 'email', 'nothing'] },
    })
  })
})
