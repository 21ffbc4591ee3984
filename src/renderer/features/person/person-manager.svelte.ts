import type { Contact, Person } from '../../../shared/people.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import { parseAddress } from '../../../shared/address.ts'
import { coalesceCalls } from '../../ui/coalesce-calls.ts'
import { formatContactName } from './contact-name.ts'
import type { TopicSubscriptionChanges } from './topic-subscription-changes.svelte.ts'

/** Milliseconds before a person is requested from the platform, so that merely stepping past mail costs no requests. */
const DWELL_MS = 700

export interface ShownPerson {
  readonly person: Person
  readonly name: string
}

export interface PersonMenuTarget {
  readonly header: string
  readonly x: number
  readonly y: number
  /** Contact of the row that the menu was opened on, since several contacts may share an address. */
  readonly contact: Contact | null
}

/** The person in the contact panel: from the cache at once, from the platform after `DWELL_MS`. */
export class PersonManager {
  readonly #backend: Backend
  readonly #choices: TopicSubscriptionChanges
  readonly #until: AbortSignal
  /** Address of the person shown or being loaded, or null. */
  wanted = $state.raw<string | null>(null)
  #wantedName = ''
  #shown = $state.raw<{ readonly person: Person; readonly named: string } | null>(null)
  problem = $state.raw<Problem | null>(null)
  /** True once the platform has responded: data that is still unknown can't be obtained. */
  isAnswered = $state(false)
  #dwellTimer: ReturnType<typeof setTimeout> | undefined
  /** Detects late responses. */
  #readCount = 0
  /** True while the panel covers the mail in a narrow window. */
  isSheetOpen = $state(false)
  pointed = $state.raw<PersonMenuTarget | null>(null)

  constructor(backend: Backend, choices: TopicSubscriptionChanges, until: AbortSignal) {
    this.#backend = backend
    this.#choices = choices
    this.#until = until
    until.addEventListener('abort', () => clearTimeout(this.#dwellTimer))
    choices.onChoice((contactId) => (this.#shown?.person.contactId === contactId ? this.#read() : Promise.resolve()))
    const refresh = coalesceCalls(() => void this.#read())
    backend.on('topics.changed', ({ contactId }) => {
      if (this.#shown?.person.contactId === contactId) refresh()
    })
    for (const kind of ['contacts', 'suppressions', 'threads', 'emails', 'receivedEmails', 'sentEmails'] as const) {
      backend.on(`${kind}.changed`, refresh)
    }
    // The amount of local mail and its freshness may have changed.
    let before = ''
    backend.on('sync.changed', ({ connection, progress }) => {
      const now = `${connection} ${progress === null}`
      if (now !== before) refresh()
      before = now
    })
  }

  /** The previous person until the next is loaded, to avoid flicker. */
  get shown(): ShownPerson | null {
    if (this.#shown === null) return null
    const { person, named } = this.#shown
    const topics =
      person.topics === null
        ? null
        : { ...person.topics, topics: this.#choices.withPending(person.contactId, person.topics.topics) }
    return { person: { ...person, topics }, name: person.contact === null ? named : formatContactName(person.contact) }
  }

  showSheet(isOpen: boolean): void {
    this.isSheetOpen = isOpen
  }

  /** @param header such as `Ada <ada@example.com>`; null or an ambiguous header shows nobody */
  show(header: string | null): void {
    const { name, address, isUnclear } = parseAddress(header ?? '')
    const wanted = header === null || address === '' || isUnclear ? null : address
    this.#wantedName = name ?? address
    if (wanted === this.wanted) return
    this.wanted = wanted
    clearTimeout(this.#dwellTimer)
    this.problem = null
    this.isAnswered = false
    if (wanted === null) {
      this.#readCount += 1
      this.#shown = null
      return
    }
    void this.#read()
    this.#startDwell()
  }

  async refresh(): Promise<void> {
    await this.#ask({})
  }

  async retry(): Promise<void> {
    this.problem = null
    this.isAnswered = false
    await this.#ask({ again: true })
  }

  /** Opens a person's menu at a position in window pixels. @param header as in `show` */
  point(header: string, x: number, y: number, contact: Contact | null = null): void {
    const { isUnclear } = parseAddress(header)
    if (!isUnclear) this.pointed = { header, x, y, contact }
  }

  /** Locally known data about a person, or null on failure. */
  async knownOf(address: string): Promise<Person | null> {
    const result = await this.#backend.call('person.get', { address })
    return result.ok ? result.data : null
  }

  async #ask(how: { readonly again?: boolean }): Promise<void> {
    const address = this.wanted
    if (address === null || this.#until.aborted) return
    const result = await this.#backend.call('person.refresh', { address, ...how })
    if (address !== this.wanted) return
    this.problem = result.ok ? null : result.error
    await this.#read()
    if (address === this.wanted) this.isAnswered = result.ok
  }

  #startDwell(): void {
    clearTimeout(this.#dwellTimer)
    this.#dwellTimer = setTimeout(() => void this.refresh(), DWELL_MS)
  }

  async #read(): Promise<void> {
    const address = this.wanted
    if (address === null) return
    const reading = (this.#readCount += 1)
    const named = this.#wantedName
    const result = await this.#backend.call('person.get', { address })
    if (reading !== this.#readCount) return
    if (result.ok) {
      const before = this.#shown?.person
      this.#shown = { person: result.data, named }
      // A new contact has topics to load.
      if (before?.address === address && before.contactId !== result.data.contactId) this.#startDwell()
    } else {
      this.#shown = null
      this.problem = result.error
    }
  }
}
