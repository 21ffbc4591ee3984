/* eslint-disable svelte/prefer-svelte-reactivity -- its sets are values that are replaced, never changed */
import type { Freshness, FoundThread, Label } from '../../../shared/model.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Backend } from '../../backend.ts'
import type { RowSource } from '../../ui/row-source.ts'
import type { DrawnChange } from '../threads/pending-changes.svelte.ts'
import { applyPatch, reverseOf, type ThreadPatch } from '../threads/thread-patch.ts'

/** Rows before the end at which the next page is asked for. */
const AHEAD = 15

/**
 * What the platform found, page after page as it is scrolled. Changes that are made here are drawn into the rows
 * rather than searched for again: the platform's index lags by up to a minute and would bring the old state back
 * (contract, Limits, "search index delay").
 */
export class SearchResults implements RowSource<FoundThread> {
  readonly freshness: Freshness | null = null
  readonly #backend: Backend
  readonly #inboxId: string
  readonly #query: string
  #found = $state.raw<readonly FoundThread[]>([])
  /** Threads that were moved out of what a search looks through. They come back when that is undone. */
  #left = $state.raw<ReadonlySet<string>>(new Set())
  readonly #items = $derived(this.#found.filter((thread) => !this.#left.has(thread.id)))
  #phase = $state<RowSource<FoundThread>['phase']>('loading')
  #problem = $state.raw<Problem | null>(null)
  #next = $state.raw<string | null>(null)
  #isAsking = false
  /** Counts what was asked, so that an answer that comes late is known as such. */
  #asked = 0

  constructor(backend: Backend, inboxId: string, query: string) {
    this.#backend = backend
    this.#inboxId = inboxId
    this.#query = query
    void this.#ask(undefined)
  }

  get total(): number {
    return this.#items.length
  }

  /** Whether the platform has more, older threads than `total`. */
  get hasMore(): boolean {
    return this.#next !== null
  }

  get phase(): RowSource<FoundThread>['phase'] {
    return this.#phase
  }

  get problem(): Problem | null {
    return this.#problem
  }

  at(index: number): FoundThread | undefined {
    return this.#items[index]
  }

  indexOf(id: string): number {
    return this.#items.findIndex((thread) => thread.id === id)
  }

  show(_first: number, last: number): void {
    if (this.#next !== null && this.#problem === null && last >= this.total - AHEAD) void this.#ask(this.#next)
  }

  refresh(): void {
    void this.#ask(undefined)
  }

  /** Draws a change that is made here. A thread that leaves the folder `inbox` leaves what a search looks through. */
  draw(threadIds: readonly string[], patch: ThreadPatch, labels: readonly Label[]): DrawnChange {
    const before = this.#found.filter((thread) => threadIds.includes(thread.id))
    this.#apply(threadIds, patch, labels)
    return {
      accept: () => undefined,
      revert: () => before.forEach((thread) => this.#apply([thread.id], reverseOf(thread, patch), thread.labels)),
    }
  }

  #apply(threadIds: readonly string[], patch: ThreadPatch, labels: readonly Label[]): void {
    const changed = new Set(threadIds)
    this.#found = this.#found.map((thread) => (changed.has(thread.id) ? applyPatch(thread, patch, labels) : thread))
    if (patch.folder === undefined) return
    const others = [...this.#left].filter((id) => !changed.has(id))
    this.#left = new Set(patch.folder === 'inbox' ? others : [...others, ...threadIds])
  }

  async #ask(after: string | undefined): Promise<void> {
    // Pages come one after the other; to ask anew is to give up what was asked before.
    if (this.#isAsking && after !== undefined) return
    this.#isAsking = true
    this.#asked += 1
    const asked = this.#asked
    const result = await this.#backend.call('thread.search', {
      inboxId: this.#inboxId,
      query: this.#query,
      ...(after === undefined ? {} : { after }),
    })
    if (asked !== this.#asked) return
    this.#isAsking = false
    if (!result.ok) {
      this.#problem = result.error
      if (this.#found.length === 0) this.#phase = 'failed'
      return
    }
    const kept = after === undefined ? [] : this.#found
    const known = new Set(kept.map((thread) => thread.id))
    this.#found = [...kept, ...result.data.items.filter((thread) => !known.has(thread.id))]
    this.#next = result.data.next
    this.#problem = null
    this.#phase = 'ready'
  }
}
