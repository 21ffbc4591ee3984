import type { Delivery } from '../../../shared/model.ts'
import type { Backend } from '../../kernel/backend.ts'
import { soon } from '../../ui/soon.ts'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly deliveries: DeliveriesManager
  }
}

/** Milliseconds until what is in front of a person may cost a request: what is only passed over on the way does not. */
const GLANCE = 400
/** Milliseconds between two readings of an open thread: each pause is twice the one before it. */
const PAUSE = { shortest: 2_000, longest: 60_000 } as const

interface Watched {
  readonly inboxId: string
  readonly threadId: string
}

/** What became of the e-mails of the open thread that the account has sent. */
export class DeliveriesManager {
  readonly #backend: Backend
  readonly #until: AbortSignal
  #known = $state.raw<readonly Delivery[]>([])
  #watched: Watched | null = null
  /** Whose e-mails are known. */
  #threadId: string | null = null

  constructor(backend: Backend, until: AbortSignal) {
    this.#backend = backend
    this.#until = until
    const readAgain = soon(() => void this.#read(this.#watched, false))
    backend.on('sentEmails.changed', readAgain)
  }

  /** Null where nothing is known of it, and of e-mails of other threads. */
  of(emailId: string): Delivery | null {
    return this.#known.find((delivery) => delivery.emailId === emailId) ?? null
  }

  /**
   * Follows what becomes of a thread's e-mails while it is open: from this computer at once, and when something else is heard of
   * any; the platform may be asked too once it has been open for a moment, as long as the window can be seen.
   * @returns ends it
   */
  watch(inboxId: string, threadId: string): () => void {
    if (this.#threadId !== threadId) this.#known = []
    this.#threadId = threadId
    const watched = { inboxId, threadId }
    this.#watched = watched
    let timer: ReturnType<typeof setTimeout>
    const readAfter = (wait: number, next: number): void => {
      timer = setTimeout(() => {
        void this.#read(watched, document.visibilityState === 'visible').then(() => {
          if (this.#isWatched(watched)) readAfter(next, Math.min(next * 2, PAUSE.longest))
        })
      }, wait)
    }
    void this.#read(watched, false)
    readAfter(GLANCE, PAUSE.shortest)
    return () => {
      clearTimeout(timer)
      if (this.#watched === watched) this.#watched = null
    }
  }

  #isWatched(watched: Watched): boolean {
    return this.#watched === watched && !this.#until.aborted
  }

  async #read(watched: Watched | null, mayAsk: boolean): Promise<void> {
    if (watched === null || !this.#isWatched(watched)) return
    const result = await this.#backend.call('delivery.ofThread', { ...watched, mayAsk })
    // What was known stays where it cannot be read again.
    if (!this.#isWatched(watched) || !result.ok) return
    this.#known = result.data
  }
}
