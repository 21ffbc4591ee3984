import type { Delivery } from '../../../shared/model.ts'
import type { Backend } from '../../kernel/backend.ts'
import { coalesceCalls } from '../../ui/coalesce-calls.ts'

/** Milliseconds a thread must stay open before its deliveries are requested from the platform. */
const REQUEST_DELAY_MS = 400
/** Milliseconds between reads of an open thread, doubling each time. */
const POLL_INTERVAL_MS = { shortest: 2_000, longest: 60_000 } as const

interface Watched {
  readonly inboxId: string
  readonly threadId: string
}

/** Delivery status of e-mails that the account sent in the open thread. */
export class DeliveriesManager {
  readonly #backend: Backend
  readonly #until: AbortSignal
  #known = $state.raw<readonly Delivery[]>([])
  #watched: Watched | null = null
  /** Thread that `#known` belongs to. */
  #threadId: string | null = null

  constructor(backend: Backend, until: AbortSignal) {
    this.#backend = backend
    this.#until = until
    const readAgain = coalesceCalls(() => void this.#read(this.#watched, false))
    backend.on('sentEmails.changed', readAgain)
  }

  /** Null if unknown, and for e-mails of other threads. */
  of(emailId: string): Delivery | null {
    return this.#known.find((delivery) => delivery.emailId === emailId) ?? null
  }

  /** Follows a thread's deliveries: locally at once, on the platform after `REQUEST_DELAY_MS` while it is visible. */
  watch(inboxId: string, threadId: string): () => void {
    if (this.#threadId !== threadId) this.#known = []
    this.#threadId = threadId
    const watched = { inboxId, threadId }
    this.#watched = watched
    let timer: ReturnType<typeof setTimeout>
    const readAfter = (wait: number, next: number): void => {
      timer = setTimeout(() => {
        void this.#read(watched, document.visibilityState === 'visible').then(() => {
          if (this.#isWatched(watched)) readAfter(next, Math.min(next * 2, POLL_INTERVAL_MS.longest))
        })
      }, wait)
    }
    void this.#read(watched, false)
    readAfter(REQUEST_DELAY_MS, POLL_INTERVAL_MS.shortest)
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
    // Keep the old status if reading fails.
    if (!this.#isWatched(watched) || !result.ok) return
    this.#known = result.data
  }
}
