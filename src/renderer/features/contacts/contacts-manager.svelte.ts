import { SvelteMap } from 'svelte/reactivity'
import { ALL_CONTACTS, type ContactQuery } from '../../../shared/contact-query.ts'
import type { Contact } from '../../../shared/people.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Recipient } from '../../../shared/drafts.ts'
import type { Backend } from '../../kernel/backend.ts'
import { ListCursor } from '../../ui/list-cursor.svelte.ts'
import { WindowedList } from '../../ui/windowed-list.svelte.ts'
import { formatContactName } from '../person/contact-name.ts'
import type { RowSource } from '../../ui/row-source.ts'

/** Contacts per change (contract, `contact.delete`). */
const MAX = 500

class ContactSelection {
  readonly #rows: () => RowSource<Contact> & { readonly loaded: () => readonly Contact[] }
  readonly #picked = new SvelteMap<string, Contact>()
  /** Anchor row for extending the selection. */
  #anchor: string | null = null

  constructor(rows: () => RowSource<Contact> & { readonly loaded: () => readonly Contact[] }) {
    this.#rows = rows
  }

  get isEmpty(): boolean {
    return this.#picked.size === 0
  }

  get size(): number {
    return this.#picked.size
  }

  get contacts(): readonly Contact[] {
    const rows = this.#rows()
    return [...this.#picked.values()].map((contact) => rows.at(rows.indexOf(contact.id)) ?? contact)
  }

  has({ id }: Pick<Contact, 'id'>): boolean {
    return this.#picked.has(id)
  }

  /** Selects or unselects a row, and makes it the anchor. */
  toggle(index: number): void {
    const contact = this.#rows().at(index)
    if (contact === undefined) return
    if (!this.#picked.delete(contact.id)) this.#add([contact])
    this.#anchor = contact.id
  }

  /** Selects from the anchor to this row, skipping rows that are not loaded. */
  extend(from: number, to: number): void {
    const rows = this.#rows()
    const begun = this.#anchor === null ? -1 : rows.indexOf(this.#anchor)
    const start = begun === -1 ? from : begun
    this.#anchor ??= rows.at(start)?.id ?? null
    const [first, last] = [Math.min(start, to), Math.max(start, to)]
    this.#add(Array.from({ length: last - first + 1 }, (_, step) => rows.at(first + step) ?? []).flat())
  }

  addLoaded(): void {
    this.#add(this.#rows().loaded())
  }

  clear(): void {
    this.#picked.clear()
    this.#anchor = null
  }

  #add(contacts: readonly Contact[]): void {
    for (const contact of contacts) if (this.#picked.size < MAX) this.#picked.set(contact.id, contact)
  }
}

/** The account's contacts and the open one. `PersonManager` has the other data about a person. */
export class ContactsManager {
  readonly cursor = new ListCursor<Contact>()
  readonly selection = new ContactSelection(() => this.list)
  readonly #allContacts: WindowedList<Contact>
  /** Contacts that match the query, or null if all do. */
  #filtered = $state.raw<WindowedList<Contact> | null>(null)
  /** Replaces the rows once it is loaded. */
  #next: WindowedList<Contact> | null = null
  query = $state.raw<ContactQuery>(ALL_CONTACTS)
  readonly #backend: Backend
  #contact = $state.raw<Contact | null>(null)
  #contactId: string | null = null
  problem = $state.raw<Problem | null>(null)
  /** Detects late responses. */
  #readCount = 0
  /** The contact that an address in the route was resolved to. */
  resolved = $state.raw<{ readonly asked: string; readonly id: string } | null>(null)

  constructor(backend: Backend) {
    this.#backend = backend
    this.#allContacts = new WindowedList((window) => backend.call('contact.list', window))
    backend.on('contacts.changed', () => {
      for (const rows of [this.#allContacts, this.#filtered, this.#next]) rows?.refresh()
      // The open contact may have changed or been deleted before its row is reloaded. Don't keep requesting a missing
      // one.
      if (this.#contactId !== null && this.#contact !== null) void this.#read(this.#contactId)
    })
  }

  get list(): WindowedList<Contact> {
    return this.#filtered ?? this.#allContacts
  }

  get isFiltered(): boolean {
    const { typed, subscription, segmentId } = this.query
    return typed.trim() !== '' || subscription !== 'all' || segmentId !== undefined
  }

  /** Lists contacts by a changed query. The old rows stay until the new ones are loaded. */
  async ask(change: Partial<ContactQuery>): Promise<void> {
    const query = { ...this.query, ...change }
    this.query = query
    // Hidden contacts must not be changed.
    this.selection.clear()
    const isWhole = !this.isFiltered && query.order === ALL_CONTACTS.order
    const next = isWhole
      ? this.#allContacts
      : new WindowedList<Contact>((window) => this.#backend.call('contact.list', { ...window, query }))
    this.#next = next
    await next.open()
    if (this.#next !== next) return
    this.#next = null
    if (this.list === next) return
    this.list.close()
    this.#filtered = isWhole ? null : next
    if (next.indexOf(this.#contactId ?? '') === -1) this.cursor.moveTo(next, 0)
    else this.cursor.follow(next, this.#contactId ?? '')
  }

  /** The open contact, as current as its row, or null while loading. */
  get contact(): Contact | null {
    return (this.#contact === null ? undefined : this.list.at(this.list.indexOf(this.#contact.id))) ?? this.#contact
  }

  /** Recipient of a new message: the open contact, else the one under the cursor. */
  loaded(openId: string | null): Recipient | null {
    const contact = openId === null ? this.cursor.row(this.list) : this.contact
    if (contact === null || contact === undefined) return null
    const name = formatContactName(contact)
    return { name: name === contact.email ? null : name, address: contact.email }
  }

  /** Call when the view is displayed with this contact open. */
  show(contactId: string | null): void {
    void this.list.open()
    if (contactId === this.#contactId) return
    this.#contactId = contactId
    this.#contact = null
    this.problem = null
    this.resolved = null
    if (contactId !== null) void this.#find(contactId)
  }

  hide(): void {
    this.list.close()
  }

  /** Retries a missing contact: undo returns to it slightly before it is restored. */
  readAgain(): void {
    if (this.#contact === null) this.retry()
  }

  retry(): void {
    if (this.#contactId !== null) void this.#find(this.#contactId)
  }

  async #find(contactId: string): Promise<void> {
    const loaded = this.list.at(this.list.indexOf(contactId))
    if (loaded !== undefined) {
      this.#contact = loaded
      return
    }
    await this.#read(contactId)
  }

  async #read(contactId: string): Promise<void> {
    const reading = (this.#readCount += 1)
    const result = await this.#backend.call('contact.get', { contactId })
    if (reading !== this.#readCount || this.#contactId !== contactId) return
    this.#contact = result.ok ? result.data : null
    if (result.ok && result.data.id !== contactId) this.resolved = { asked: contactId, id: result.data.id }
    this.problem = result.ok ? null : result.error
  }
}
