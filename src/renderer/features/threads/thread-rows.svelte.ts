import {
  MAX_EXCERPTS,
  MAX_RETAINED_THREADS,
  type Freshness,
  type Label,
  type ListedThread,
  type SearchCoverage,
  type Thread,
  type ThreadPage,
} from '../../../shared/model.ts'
import type { ListOrder } from '../../../shared/list-order.ts'
import type { Problem, Result } from '../../../shared/result.ts'
import { toHighlightTerms, type HighlightTerms } from '../../../shared/search/highlight-terms.ts'
import { isInScope, toCachedList, type ThreadQuery } from '../../../shared/thread-query.ts'
import { getListTime, type ThreadStateChange } from '../../../shared/thread-state.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { RowSource } from '../../ui/row-source.ts'
import { coalesceCalls } from '../../ui/coalesce-calls.ts'
import { WindowedList } from '../../ui/windowed-list.svelte.ts'
import { Excerpts } from './excerpts.svelte.ts'
import {
  PendingChanges,
  toThreadState,
  withChange,
  type OptimisticChange,
  type ChangedThreads,
} from './pending-changes.svelte.ts'

/** Time to wait for late excerpts, so that rows and excerpts paint together. */
const FRAME_MS = 16
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

const EMPTY_PAGE: Result<ThreadPage> = {
  ok: true,
  data: { items: [], offset: 0, total: 0, hasMore: false, freshness: { state: 'live', at: null }, searched: null },
}

interface RowOptions {
  readonly order: ListOrder
  readonly before: ThreadRows | null
  /** True during typing: only local mail is searched, as another search will follow soon. */
  readonly isTyped: boolean
  /** True for a search that can't be parsed, which has no rows. */
  readonly isFaulty: boolean
  readonly onRead: () => void
  /** Receives the problem if repeating a search fails. */
  readonly onProblem: (problem: Problem) => void
}

/** The rows of any thread list, with pending changes applied. */
export class ThreadRows implements RowSource<ListedThread> {
  readonly query: ThreadQuery
  readonly order: ListOrder
  /** Words to mark in the rows, or null. */
  readonly marks: HighlightTerms | null
  readonly isFaulty: boolean
  readonly #backend: Backend
  readonly #onProblem: (problem: Problem) => void
  readonly #pending = new PendingChanges()
  /**
   * Rows kept in an unread-only list after they were read, or the reverse. They stay until the user leaves or refreshes
   * the list, so no row disappears under the pointer.
   */
  #held = $state.raw<readonly string[]>([])
  /**
   * Changes the engine is still applying, to several threads or back into the list. Reads in the meantime would be
   * partial or lack a restored row, and no event would follow. So the rows stay as they were with the changes shown on
   * top, and an undo restores rows, order and cursor at once.
   */
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- not rendered
  readonly #applying = new Set<OptimisticChange>()
  readonly #rereadSoon = coalesceCalls(() => this.reread())
  readonly #reloadStaleSoon = coalesceCalls(() => this.#rows.reloadStale())
  readonly #rows: WindowedList<ListedThread, ThreadPage>
  readonly #excerpts: Excerpts
  /** Indexes of leaving rows in the last read, ascending. */
  readonly #leaving: readonly number[] = $derived.by(() =>
    (this.#pending.threadIds ?? this.#rows.loaded().map(({ id }) => id))
      .flatMap((id) => {
        const index = this.#rows.indexOf(id)
        const thread = this.#rows.at(index)
        return thread !== undefined && this.#leaves(thread, this.#pending.withPending(thread)) ? [index] : []
      })
      .sort((a, b) => a - b),
  )

  readonly #loaded: readonly ListedThread[] = $derived.by(() => {
    return this.#rows.loaded().flatMap((thread) => {
      const drawn = this.#pending.withPending(thread)
      return this.#leaves(thread, drawn) ? [] : [drawn]
    })
  })

  constructor(
    backend: Backend,
    query: ThreadQuery,
    { order, before, isTyped, isFaulty, onRead, onProblem }: RowOptions,
  ) {
    this.query = query
    this.order = order
    this.marks = toHighlightTerms(query)
    this.isFaulty = isFaulty
    this.#backend = backend
    this.#onProblem = onProblem
    this.#excerpts = new Excerpts(
      (found) => backend.call('thread.excerpts', { query, found: [...found] }),
      before === null ? undefined : before.#excerpts,
    )
    this.#rows = new WindowedList<ListedThread, ThreadPage>(
      (window) => {
        if (isFaulty) return Promise.resolve(EMPTY_PAGE)
        return backend.call('thread.list', {
          query,
          ...window,
          ...(order !== 'newest' && { order }),
          held: [...this.#held],
          // In the same response: a second request would take as long as the first.
          ...(this.marks !== null && window.offset === 0 && { excerpts: Math.min(MAX_EXCERPTS, this.#rows.span + 1) }),
          localOnly: isTyped,
        })
      },
      {
        startRead: () => {
          const finishRead = this.#pending.startRead()
          return () => {
            finishRead()
            onRead()
            this.#excerpts.take(this.#rows.page?.excerpts ?? [], (id) => this.#rows.rowOf(id))
            this.#wantExcerpts()
          }
        },
        isFrozen: () => this.#applying.size > 0,
        before: before === null ? null : before.#rows,
        isTransient: isTyped,
      },
    )
  }

  excerptOf(thread: ListedThread): string | null {
    return this.#excerpts.of(thread)
  }

  get total(): number {
    // If all loaded rows leave, so do the others; if some stay, nothing is known about the others.
    const mayAllLeave = this.#leaving.length > 0 && this.#pending.threadIds === null
    if (mayAllLeave && !this.#loaded.some((thread) => this.#pending.isInBulkTarget(thread))) return this.#loaded.length
    return Math.max(0, this.#rows.total - this.#leaving.length)
  }

  /** Null for folders and labels, and before the first read. */
  get searched(): SearchCoverage | null {
    return this.#rows.page?.searched ?? null
  }

  /** True if there may be threads older than `total` counts. */
  get hasMore(): boolean {
    return this.#rows.page?.hasMore === true
  }

  /** Empty only after every source has answered. */
  get phase(): RowSource<ListedThread>['phase'] {
    const { phase } = this.#rows
    if (phase !== 'ready' || this.#rows.total > 0) return phase
    const asked = this.searched?.platform.state
    if (asked === 'failed') return this.isRefused ? 'ready' : 'failed'
    return asked === 'waiting' ? 'loading' : phase
  }

  get problem(): Problem | null {
    const platform = this.searched?.platform
    return this.#rows.problem ?? (platform?.state === 'failed' ? platform.problem : null)
  }

  /** True if the platform rejected the search itself: retrying is useless. */
  get isRefused(): boolean {
    const problem = this.problem
    return problem !== null && (problem.code === 'query_invalid' || problem.details?.labelId !== undefined)
  }

  get freshness(): Freshness | null {
    return this.#rows.freshness
  }

  at(index: number): ListedThread | undefined {
    const thread = this.#rows.at(this.#indexInRows(index))
    return thread === undefined ? undefined : this.#pending.withPending(thread)
  }

  indexOf(id: string): number {
    const index = this.#rows.indexOf(id)
    if (index === -1 || this.#leaving.includes(index)) return -1
    return index - this.#leaving.filter((gone) => gone < index).length
  }

  /** True if the rows are current down to this time. */
  isCurrentTo(receivedAt: number): boolean {
    const { known, total } = this.#rows
    if (known >= total && !this.hasMore) return true
    if (this.order !== 'newest') return false
    const oldest = this.#rows.at(known - 1)
    return oldest !== undefined && getListTime(oldest) < receivedAt
  }

  /** Rows newer than a time, in the list's order; null if some are not loaded. */
  newerThan(time: number): readonly ListedThread[] | null {
    const newer: ListedThread[] = []
    for (let index = 0; index < this.total; index += 1) {
      const thread = this.at(index)
      if (thread === undefined) return null
      if (getListTime(thread) > time) newer.push(thread)
      else if (this.order === 'newest') break
    }
    return newer
  }

  show(first: number, last: number): void {
    this.#rows.show(this.#indexInRows(first), this.#indexInRows(last))
    this.#wantExcerpts()
  }

  ensureLoaded(index: number): void {
    this.#rows.ensureLoaded(this.#indexInRows(index))
  }

  /** Drops held rows except the open one: the user leaves or refreshes the list. */
  release(openId: string | null): void {
    if (this.#held.every((id) => id === openId)) return
    this.#held = this.#held.filter((id) => id === openId)
    this.reread()
  }

  refresh(): void {
    void this.#searchAgain().then(() => this.reread())
  }

  reread(): void {
    this.#rows.refresh()
  }

  whenSettled(): Promise<void> {
    return this.#rows.whenSettled()
  }

  /** Resolves when the visible rows are loaded, after waiting at most one frame for their excerpts. */
  async open(): Promise<void> {
    await this.#rows.open()
    await Promise.race([this.#excerpts.whenSettled(), pause(FRAME_MS)])
  }

  close(): void {
    this.#rows.close()
  }

  holds(ids: readonly string[]): boolean {
    return this.#rows.holds(ids)
  }

  loaded(): readonly ListedThread[] {
    return this.#loaded
  }

  /** True if the change removes the thread from this list. */
  loses(thread: Thread, change: ThreadStateChange): boolean {
    return this.#leaves(thread, withChange(thread, { change, labels: thread.labels }))
  }

  draw(threads: ChangedThreads, change: ThreadStateChange, labels: readonly Label[]): OptimisticChange {
    if (this.query.read !== null && change.read !== undefined && !('query' in threads)) {
      const here = threads.filter((id) => this.#rows.indexOf(id) !== -1)
      this.#held = [...this.#held.filter((id) => !here.includes(id)), ...here].slice(-MAX_RETAINED_THREADS)
    }
    const drawn = this.#pending.draw(threads, change, labels)
    // For a single thread that changes or leaves, the engine's events suffice.
    const isOfOne = !('query' in threads) && threads.length === 1
    return isOfOne && !this.#keepsInList(threads, change) ? drawn : this.#freezeWhileApplying(threads, drawn)
  }

  async #searchAgain(): Promise<void> {
    if (toCachedList(this.query) !== null) return
    const asked = await this.#backend.call('thread.searchAgain', { query: this.query })
    if (!asked.ok) this.#onProblem(asked.error)
  }

  /** True if the change puts or keeps threads in the list, for example when it undoes a move. */
  #keepsInList(threadIds: readonly string[], change: ThreadStateChange): boolean {
    if (change.folder === undefined && change.addLabels === undefined) return false
    return threadIds.some((id) => {
      const thread = this.#rows.at(this.#rows.indexOf(id))
      return thread !== undefined && !this.loses(thread, change)
    })
  }

  #freezeWhileApplying(threads: ChangedThreads, drawn: OptimisticChange): OptimisticChange {
    // If no thread is in the list, for example because all have left it, let them appear part by part.
    if ('query' in threads || this.holds(threads)) this.#applying.add(drawn)
    return {
      accept: () => {
        drawn.accept()
        this.#applying.delete(drawn)
        // The engine may have left some threads unchanged, without an event.
        this.#rereadSoon()
      },
      revert: () => {
        drawn.revert()
        this.#applying.delete(drawn)
        this.#reloadStaleSoon()
      },
    }
  }

  #leaves(before: Thread, after: Thread): boolean {
    const query = this.#held.includes(before.id) ? { ...this.query, read: null } : this.query
    const isIn = (thread: Thread): boolean => {
      const { hasOutbound, onServer } = thread
      return isInScope(query, { ...toThreadState(thread), hasOutbound, onServer })
    }
    return isIn(before) && !isIn(after)
  }

  #wantExcerpts(): void {
    if (this.marks !== null) this.#excerpts.want(this.#rows.visibleRows())
  }

  #indexInRows(index: number): number {
    return this.#leaving.reduce((at, gone) => (gone <= at ? at + 1 : at), index)
  }
}
