import type { Conversation } from '../../../shared/contract.ts'
import type { Thread } from '../../../shared/model.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Backend } from '../../backend.ts'

/** Milliseconds: a thread that is only passed over on the way to another one is not read. */
const GLANCE = 400

/** The thread that is open. */
export class ConversationManager {
  readonly #backend: Backend
  readonly #onUnreadOpened: (thread: Thread) => void
  #inboxId = ''
  #threadId = $state.raw<string | null>(null)
  #conversation = $state.raw<Conversation | null>(null)
  #problem = $state.raw<Problem | null>(null)
  /** Counts readings, so that an answer that comes late is known as such. */
  #reading = 0

  /** @param onUnreadOpened hears once of each unread thread that a person opens: opening marks as read */
  constructor(backend: Backend, onUnreadOpened: (thread: Thread) => void) {
    this.#backend = backend
    this.#onUnreadOpened = onUnreadOpened
    let isAboutToRead = false
    // New e-mails change their thread as well: what is told together is read once.
    const refreshIfShown = ({ threadIds }: { readonly threadIds: readonly string[] }): void => {
      if (isAboutToRead || this.#threadId === null || !threadIds.includes(this.#threadId)) return
      isAboutToRead = true
      setTimeout(() => {
        isAboutToRead = false
        if (this.#threadId !== null) void this.#read(false)
      })
    }
    backend.on('threads.changed', refreshIfShown)
    backend.on('emails.changed', refreshIfShown)
  }

  get threadId(): string | null {
    return this.#threadId
  }

  /** Null while it is being read. */
  get conversation(): Conversation | null {
    return this.#conversation
  }

  get problem(): Problem | null {
    return this.#problem
  }

  show(inboxId: string, threadId: string): void {
    if (this.#inboxId === inboxId && this.#threadId === threadId) return
    this.#inboxId = inboxId
    this.#threadId = threadId
    this.#conversation = null
    this.#problem = null
    void this.#read(true)
  }

  close(): void {
    this.#threadId = null
    this.#conversation = null
    this.#problem = null
    this.#reading += 1
  }

  retry(): void {
    if (this.#threadId !== null) void this.#read(false)
  }

  async #read(isOpening: boolean): Promise<void> {
    if (this.#threadId === null) return
    this.#reading += 1
    const reading = this.#reading
    const result = await this.#backend.call('thread.open', { inboxId: this.#inboxId, threadId: this.#threadId })
    if (reading !== this.#reading) {
      // A newer reading is under way; only the opening itself must not be forgotten.
      if (isOpening && result.ok && result.data.thread.id === this.#threadId) this.#opened(result.data.thread)
      return
    }
    if (!result.ok) {
      // What is on the screen is still the mail, even where it could not be read again.
      if (this.#conversation === null) this.#problem = result.error
      return
    }
    this.#conversation = result.data
    this.#problem = null
    if (isOpening) this.#opened(result.data.thread)
  }

  #opened(thread: Thread): void {
    if (thread.read) return
    const reading = this.#threadId
    setTimeout(() => {
      if (this.#threadId === reading) this.#onUnreadOpened(thread)
    }, GLANCE)
  }
}
