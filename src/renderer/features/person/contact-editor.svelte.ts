/* eslint-disable svelte/prefer-svelte-reactivity -- immutable: its sets are replaced, never mutated */
import {
  type Contact,
  type ContactCatalog,
  type ContactChange,
  type PersonName,
  type PropertyValue,
  type Segment,
  splitPersonName,
} from '../../../shared/people.ts'
import type { Problem, Result } from '../../../shared/result.ts'
import type { CommandInput, CommandName } from '../../../shared/contract.ts'
import type { ChangeReceipt } from '../../../shared/contract/inputs.ts'
import { toVisibleText } from '../../../shared/visible-text.ts'
import type { Backend } from '../../kernel/backend.ts'
import { coalesceCalls } from '../../ui/coalesce-calls.ts'
import { type ThreadActionsManager, undoableCall } from '../threads/thread-actions-manager.svelte.ts'
import { describeContacts, formatContactName } from './contact-name.ts'

export type ContactDialogState =
  | { readonly kind: 'add'; readonly address: string; readonly name: PersonName }
  | { readonly kind: 'edit'; readonly contact: Contact }

export interface ContactInput extends PersonName {
  readonly address: string
  readonly unsubscribed: boolean
  readonly properties: Readonly<Record<string, PropertyValue>>
}

const NOTHING_KNOWN: ContactCatalog = {
  ...{ properties: [], segments: [], topics: [] },
  freshness: { state: 'never', at: null },
}

const differs = (one: PropertyValue | undefined, other: PropertyValue): boolean => (one ?? null) !== other

/** Only the changed fields, so that a colleague's edits to other fields are kept. */
export const diffContact = (contact: Contact, typed: Omit<ContactInput, 'address'>): ContactChange => {
  const properties = Object.entries(typed.properties).filter(([key, value]) => differs(contact.properties[key], value))
  return {
    ...((contact.firstName ?? '') !== (typed.firstName ?? '') && { firstName: typed.firstName }),
    ...((contact.lastName ?? '') !== (typed.lastName ?? '') && { lastName: typed.lastName }),
    ...(contact.unsubscribed !== typed.unsubscribed && { unsubscribed: typed.unsubscribed }),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
  }
}

/** The contract takes no booleans: the platform has none (platform.md 18.2). */
const asProperties = (properties: Contact['properties']): Record<string, string | number | null> =>
  Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [key, typeof value === 'boolean' ? String(value) : value]),
  )

const asInput = (contactId: string, { properties, ...change }: ContactChange) => ({
  contactId,
  ...change,
  ...(properties !== undefined && { properties: asProperties(properties) }),
})

/** Adds, edits and deletes contacts, and changes their segments, as undoable steps. */
export class ContactEditor {
  readonly #backend: Backend
  readonly #actions: Pick<ThreadActionsManager, 'make'>
  asked = $state.raw<ContactDialogState | null>(null)
  catalog = $state.raw(NOTHING_KNOWN)
  sorted = $state.raw<readonly Contact[]>([])
  /** Segments of the single contact in the dialog. Null if unknown, or if there are several contacts. */
  segmentIds = $state.raw<ReadonlySet<string> | null>(null)
  /** Problem with a direct request to the platform. */
  problem = $state.raw<Problem | null>(null)
  #notifyChanged: () => void = () => undefined

  constructor(backend: Backend, actions: Pick<ThreadActionsManager, 'make'>) {
    this.#backend = backend
    this.#actions = actions
    backend.on(
      'contacts.changed',
      coalesceCalls(() => {
        if (this.catalog !== NOTHING_KNOWN) void this.load()
        if (this.sorted.length === 1) void this.#readSegments()
      }),
    )
  }

  /** Called after a change or an undo: a missing contact may exist again. */
  onChanged(changed: () => void): void {
    this.#notifyChanged = changed
  }

  /** Loads properties, segments and topics, and requests stale ones. Returns a problem if none are known. */
  async load(): Promise<Problem | null> {
    const known = await this.#backend.call('contact.catalog', {})
    if (known.ok) this.catalog = known.data
    const isFresh = known.ok && known.data.freshness.state === 'live'
    const result = !known.ok || isFresh ? known : await this.#backend.call('contact.refreshCatalog', {})
    if (result.ok) this.catalog = result.data
    if (result.ok || this.catalog.freshness.state !== 'never') return null
    // Show the problem only in an open dialog.
    if (this.asked !== null || this.sorted.length > 0) this.problem = result.error
    return result.error
  }

  /** @param name null if only the address is known */
  askToAdd(address: string, name: string | null): void {
    this.#ask({ kind: 'add', address, name: splitPersonName(name ?? '') })
  }

  askToEdit(contact: Contact): void {
    this.#ask({ kind: 'edit', contact })
  }

  askForSegments(contacts: readonly Contact[]): void {
    this.problem = null
    this.sorted = contacts
    this.segmentIds = null
    void this.load()
    if (contacts.length === 1) void this.#readSegments(true)
  }

  close(): void {
    this.asked = null
    this.sorted = []
    this.problem = null
  }

  /** Returns the contact with this address, in any spelling. */
  async findDuplicate(address: string): Promise<Contact | null> {
    const found = await this.#backend.call('contact.ofAddress', { address })
    return found.ok ? found.data : null
  }

  async save(typed: ContactInput): Promise<void> {
    const asked = this.asked
    if (asked === null) return
    const { address, firstName, lastName, unsubscribed } = typed
    if (asked.kind === 'edit') {
      const change = diffContact(asked.contact, typed)
      this.close()
      if (Object.keys(change).length === 0) return
      await this.#change(
        () => this.#backend.call('contact.update', asInput(asked.contact.id, change)),
        `Updated ${formatContactName(asked.contact)}`,
      )
      return
    }
    this.close()
    const said = [firstName, lastName].filter((part) => part !== null && part !== '').join(' ')
    const properties = Object.fromEntries(Object.entries(typed.properties).filter(([, value]) => value !== null))
    await this.#change(
      () =>
        this.#backend.call('contact.add', {
          ...{ address, firstName, lastName },
          ...(unsubscribed && { unsubscribed }),
          ...(Object.keys(properties).length > 0 && { properties: asProperties(properties) }),
        }),
      `Added ${said === '' ? address : said} to contacts`,
    )
  }

  /** @returns false on failure, after showing the problem */
  remove(contacts: readonly Contact[]): Promise<boolean> {
    const contactIds = contacts.map(({ id }) => id)
    return this.#change(
      () => this.#backend.call('contact.delete', { contactIds }),
      `Deleted ${describeContacts(contacts)}`,
    )
  }

  /** Adds the contacts in the dialog to a segment, or removes them. */
  async setSegment(segment: Segment, isIn: boolean): Promise<void> {
    const contacts = this.sorted
    const contactIds = contacts.map(({ id }) => id)
    if (this.segmentIds !== null) {
      const others = [...this.segmentIds].filter((id) => id !== segment.id)
      this.segmentIds = new Set(isIn ? [...others, segment.id] : others)
    }
    const [add, remove] = isIn ? [[segment.id], []] : [[], [segment.id]]
    const name = toVisibleText(segment.name)
    await this.#change(
      () => this.#backend.call('contact.setSegments', { contactIds, add, remove }),
      isIn ? `Added ${describeContacts(contacts)} to ${name}` : `Removed ${describeContacts(contacts)} from ${name}`,
    )
    if (contacts.length === 1) await this.#readSegments()
  }

  /** Creates a property or segment. @returns false on failure, after showing the problem */
  async create<Name extends 'contact.createProperty' | 'contact.createSegment'>(
    name: Name,
    input: CommandInput<Name>,
  ): Promise<boolean> {
    this.problem = await this.#changeCatalog(name, input)
    return this.problem === null
  }

  /** @returns the problem, or null */
  renameSegment(segmentId: string, name: string): Promise<Problem | null> {
    return this.#changeCatalog('contact.renameSegment', { segmentId, name })
  }

  /** The segment's contacts are kept. @returns the problem, or null */
  deleteSegment(segmentId: string): Promise<Problem | null> {
    return this.#changeCatalog('contact.deleteSegment', { segmentId })
  }

  #ask(asked: ContactDialogState): void {
    this.problem = null
    this.asked = asked
    void this.load()
  }

  #change(ask: () => Promise<Result<ChangeReceipt>>, said: string): Promise<boolean> {
    const draw = () => ({ accept: () => this.#notifyChanged(), revert: () => undefined })
    return this.#actions.make({ ...undoableCall('contact', ask), draw }, said)
  }

  async #changeCatalog<Name extends CommandName>(name: Name, input: CommandInput<Name>): Promise<Problem | null> {
    const result = await this.#backend.call(name, input)
    if (!result.ok) return result.error
    await this.load()
    return null
  }

  /** @param isAsked true to request unknown segments from the platform */
  async #readSegments(isAsked = false): Promise<void> {
    const [contact] = this.sorted
    if (contact === undefined) return
    const known = await this.#backend.call('person.get', { address: contact.email })
    const result =
      isAsked && known.ok && known.data.segments === null
        ? await this.#backend.call('person.refresh', { address: contact.email })
        : known
    if (this.sorted[0] !== contact) return
    if (!result.ok) this.problem = result.error
    else if (result.data.segments !== null) {
      this.segmentIds = new Set(result.data.segments.segments.map(({ id }) => id))
    }
  }
}
