import type { Contact, Person } from '../../../shared/people.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import { parseAddress } from '../../../shared/address.ts'
import { soon } from '../../ui/soon.ts'
import { contactName } from './contact-name.ts'
import type { TopicChoices } from './topic-choices.svelte.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly person: PersonManager
  }
}

/** Milliseconds after which somebody is rested upon: whom keys only pass by is not asked about at the platform. */
const REST = 700

export interface ShownPerson {
  readonly person: Person
  /** The contact's name, else that of the e-mail, else the address. */
  readonly name: string
}

export interface PointedPerson {
  readonly header: string
  readonly x: number
  readonly y: number
  /** The very contact, where a row of theirs was pointed at: several may have one address. */
  readonly contact: Contact | null
}

/** Who is shown beside what is read: from the cache at once, from the platform where a person rests on them. */
export class PersonManager {
  readonly #backend: Backend
  readonly #choices: TopicChoices
  readonly #until: AbortSignal
  #wanted = $state.raw<string | null>(null)
  #wantedName = ''
  #shown = $state.raw<{ readonly person: Person; readonly named: string } | null>(null)
  #problem = $state.raw<Problem | null>(null)
  #isAnswered = $state(false)
  #resting: ReturnType<typeof setTimeout> | null = null
  /** Counts readings, so that an answer that comes late is known as such. */
  #reading = 0
  /** True while it covers the mail, in a narrow window. */
  isSheetOpen = $state(false)
  #pointed = $state.raw<PointedPerson | null>(null)

  constructor(backend: Backend, choices: TopicChoices, until: AbortSignal) {
    this.#backend = backend
    this.#choices = choices
    this.#until = until
    until.addEventListener('abort', () => this.#stopResting())
    choices.onChoice((contactId) => (this.#shown?.person.contactId === contactId ? this.#read() : Promise.resolve()))
    const refresh = soon(() => void this.#read())
    backend.on('topics.changed', ({ contactId }) => {
      if (this.#shown?.person.contactId === contactId) refresh()
    })
    backend.on('contacts.changed', refresh)
    backend.on('suppressions.changed', refresh)
    backend.on('threads.changed', refresh)
    backend.on('emails.changed', refresh)
    backend.on('receivedEmails.changed', refresh)
    backend.on('sentEmails.changed', refresh)
    // How much of the mail is here, and how fresh what is known of them is, changes with it.
    let before = ''
    backend.on('sync.changed', ({ connection, progress }) => {
      const now = `${connection} ${progress === null}`
      if (now !== before) refresh()
      before = now
    })
  }

  /** Stays who was shown before until the next one is known: nothing flickers. Null for nobody. */
  get shown(): ShownPerson | null {
    if (this.#shown === null) return null
    const { person, named } = this.#shown
    const topics =
      person.topics === null
        ? null
        : { ...person.topics, topics: this.#choices.drawnOver(person.contactId, person.topics.topics) }
    return { person: { ...person, topics }, name: person.contact === null ? named : contactName(person.contact) }
  }

  /** The address of whoever is shown, or about to be; null for nobody. */
  get wanted(): string | null {
    return this.#wanted
  }

  get problem(): Problem | null {
    return this.#problem
  }

  /** Once true, what is unknown of the person cannot be had. */
  get isAnswered(): boolean {
    return this.#isAnswered
  }

  get pointed(): PointedPerson | null {
    return this.#pointed
  }

  /** @param header such as `Ada <ada@example.com>`; null for nobody, as is one that could pass for somebody else */
  show(header: string | null): void {
    const { name, address, isUnclear } = parseAddress(header ?? '')
    const wanted = header === null || address === '' || isUnclear ? null : address
    this.#wantedName = name ?? address
    if (wanted === this.#wanted) return
    this.#wanted = wanted
    this.#stopResting()
    this.#problem = null
    this.#isAnswered = false
    if (wanted === null) {
      this.#reading += 1
      this.#shown = null
      return
    }
    void this.#read()
    this.#restOn()
  }

  async refresh(): Promise<void> {
    await this.#ask({})
  }

  async retry(): Promise<void> {
    this.#problem = null
    this.#isAnswered = false
    await this.#ask({ again: true })
  }

  /** Opens a person's menu at a place in the window, in pixels. @param header as in `show` */
  point(header: string, x: number, y: number, contact: Contact | null = null): void {
    const { isUnclear } = parseAddress(header)
    if (!isUnclear) this.#pointed = { header, x, y, contact }
  }

  /** @returns what this computer knows of somebody; null where that cannot be read */
  async knownOf(address: string): Promise<Person | null> {
    const result = await this.#backend.call('person.get', { address })
    return result.ok ? result.data : null
  }

  async #ask(how: { readonly again?: boolean }): Promise<void> {
    const address = this.#wanted
    if (address === null || this.#until.aborted) return
    const result = await this.#backend.call('person.refresh', { address, ...how })
    if (address !== this.#wanted) return
    this.#problem = result.ok ? null : result.error
    await this.#read()
    if (address === this.#wanted) this.#isAnswered = result.ok
  }

  #restOn(): void {
    this.#stopResting()
    this.#resting = setTimeout(() => void this.refresh(), REST)
  }

  #stopResting(): void {
    if (this.#resting !== null) clearTimeout(this.#resting)
    this.#resting = null
  }

  async #read(): Promise<void> {
    const address = this.#wanted
    if (address === null) return
    this.#reading += 1
    const reading = this.#reading
    const named = this.#wantedName
    const result = await this.#backend.call('person.get', { address })
    if (reading !== this.#reading) return
    if (result.ok) {
      const before = this.#shown?.person
      this.#shown = { person: result.data, named }
      // Somebody who has become a contact has topics from then on.
      if (before?.address === address && before.contactId !== result.data.contactId) this.#restOn()
    } else {
      this.#shown = null
      this.#problem = result.error
    }
  }
}
