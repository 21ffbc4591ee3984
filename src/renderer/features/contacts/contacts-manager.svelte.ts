import type { TopicList } from '../../../shared/contract.ts'
import type { Contact, TopicSubscription } from '../../../shared/model.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import { ListCursor } from '../../ui/list-cursor.svelte.ts'
import { WindowedList } from '../../ui/windowed-list.svelte.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly contacts: ContactsManager
  }
}

/** The contacts of the account, the one that is open, and its topics. */
export class ContactsManager {
  readonly list: WindowedList<Contact>
  readonly cursor = new ListCursor<Contact>()
  readonly #backend: Backend
  #contact = $state.raw<Contact | null>(null)
  #contactId: string | null = null
  #problem = $state.raw<Problem | null>(null)
  #topics = $state.raw<TopicList | null>(null)
  #topicsProblem = $state.raw<Problem | null>(null)

  constructor(backend: Backend) {
    this.#backend = backend
    this.list = new WindowedList((window) => backend.call('contact.list', window))
    backend.on('contacts.changed', () => {
      this.list.refresh()
    })
    backend.on('topics.changed', ({ contactId }) => {
      if (contactId === this.#contactId) void this.#readTopics(contactId)
    })
  }

  /** The open contact, as new as the list has it; null while it is being looked for. */
  get contact(): Contact | null {
    return (this.#contact === null ? undefined : this.list.at(this.list.indexOf(this.#contact.id))) ?? this.#contact
  }

  get problem(): Problem | null {
    return this.#problem
  }

  get topics(): TopicList | null {
    return this.#topics
  }

  get topicsProblem(): Problem | null {
    return this.#topicsProblem
  }

  /** The view is on the screen, with this one open. */
  show(contactId: string | null): void {
    void this.list.open()
    if (contactId === this.#contactId) return
    this.#contactId = contactId
    this.#contact = null
    this.#problem = null
    this.#topics = null
    this.#topicsProblem = null
    if (contactId === null) return
    void this.#find(contactId)
    void this.#readTopics(contactId)
  }

  /** Another view is on the screen. */
  hide(): void {
    this.list.close()
  }

  retry(): void {
    if (this.#contactId === null) return
    void this.#find(this.#contactId)
    void this.#readTopics(this.#contactId)
  }

  /** @returns the problem, or null where the change was taken */
  async subscribe(topic: TopicSubscription, isSubscribed: boolean): Promise<Problem | null> {
    const contactId = this.#contactId
    if (contactId === null) return null
    const subscription = isSubscribed ? 'opt_in' : 'opt_out'
    const result = await this.#backend.call('contact.setTopic', { contactId, topicId: topic.id, subscription })
    // Read again in either case: what is on the screen then is what the engine holds.
    await this.#readTopics(contactId)
    return result.ok ? null : result.error
  }

  async #find(contactId: string): Promise<void> {
    const atHand = this.list.at(this.list.indexOf(contactId))
    if (atHand !== undefined) {
      this.#contact = atHand
      return
    }
    const result = await this.#backend.call('contact.get', { contactId })
    if (this.#contactId !== contactId) return
    if (result.ok) this.#contact = result.data
    this.#problem = result.ok ? null : result.error
  }

  async #readTopics(contactId: string): Promise<void> {
    const result = await this.#backend.call('contact.topics', { contactId })
    if (this.#contactId !== contactId) return
    if (result.ok) this.#topics = result.data
    this.#topicsProblem = result.ok ? null : result.error
  }
}
