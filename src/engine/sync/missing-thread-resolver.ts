import { FOLDERS } from '../../shared/model.ts'
import { catchMissing } from '../platform/platform-problem.ts'
import type { Priority } from '../platform/request-budget.ts'
import type { InboxRef } from '../store/inboxes.ts'
import type { ListedRow } from '../store/thread-lists.ts'
import { limitConcurrency } from '../timing/limit-concurrency.ts'
import type { AccountServices } from './account-services.ts'
import type { TimedRow } from './crawl-page.ts'

interface ResolverParts extends Pick<AccountServices, 'cache' | 'hub'> {
  /** Fetches and stores a page of all folders. @throws PlatformRefusalError 404 if the cursor's thread is gone */
  readonly fetchPage: (
    inbox: InboxRef,
    after: string | undefined,
    priority: Priority,
  ) => Promise<{ readonly rows: readonly TimedRow[]; readonly hasMore: boolean }>
  readonly verify: (inbox: InboxRef, threadId: string, priority: Priority) => Promise<void>
}

interface Entry extends TimedRow {
  readonly inSent: boolean
}

interface Unexplained {
  readonly inbox: InboxRef
  readonly byId: Map<string, Entry>
  /**
   * Threads not searched for on a page yet, newest last. Like `single`, may include threads explained in the meantime.
   */
  readonly unpaged: TimedRow[]
  /** Threads that no page showed; these are fetched individually. */
  readonly single: TimedRow[]
  /** Last row of the last page, which is a reliable cursor. */
  place: TimedRow | null
}

const NEIGHBOURS = 20

/** Last unexplained row. Removes the explained rows after it. */
const trimToUnexplained = (rows: TimedRow[], byId: ReadonlyMap<string, Entry>): TimedRow | undefined => {
  for (;;) {
    const row = rows.at(-1)
    if (row === undefined || byId.has(row.id)) return row
    rows.pop()
  }
}

/**
 * Finds out why threads are missing from a list. Callers decide when to take the next step, so new mail can go first.
 * Another client may move thousands at once, so pages of all folders are searched first. Only threads that no page
 * shows are fetched individually.
 */
export class MissingThreadResolver {
  readonly #parts: ResolverParts
  readonly #inboxes = new Map<number, Unexplained>()
  readonly #inOrder = limitConcurrency(1)

  constructor(parts: ResolverParts) {
    this.#parts = parts
  }

  /** @param inSent true if the threads are missing from the list of sent threads */
  add(inbox: InboxRef, threads: readonly ListedRow[], inSent: boolean): void {
    if (threads.length === 0) return
    const unexplained: Unexplained = this.#inboxes.get(inbox.key) ?? {
      inbox,
      byId: new Map(),
      unpaged: [],
      single: [],
      place: null,
    }
    this.#inboxes.set(inbox.key, unexplained)
    const { byId, unpaged } = unexplained
    for (const { id, time } of threads) {
      const before = byId.get(id)
      if (before === undefined) unpaged.push({ id, time })
      byId.set(id, { id, time, inSent: inSent || before?.inSent === true })
    }
    unpaged.sort((a, b) => a.time - b.time)
  }

  /** Makes one request. @returns false if nothing is left to check */
  step(priority: Priority): Promise<boolean> {
    // Concurrent steps would send the same request.
    return this.#inOrder(() => this.#takeStep(priority))
  }

  async #takeStep(priority: Priority): Promise<boolean> {
    const [unexplained] = this.#inboxes.values()
    if (unexplained === undefined) return false
    const { inbox, byId, unpaged, single } = unexplained
    this.#inboxes.delete(inbox.key)
    if (byId.size === 0 || this.#parts.cache.inboxes.get(inbox.id)?.onServer !== true) return true
    // Move this inbox to the end, so that the next step serves another one.
    this.#inboxes.set(inbox.key, unexplained)
    const head = trimToUnexplained(unpaged, byId)
    if (head !== undefined && byId.size > 1) {
      await this.#stepByPage(unexplained, head, priority)
      return true
    }
    const alone = head ?? trimToUnexplained(single, byId)
    if (alone === undefined) byId.clear()
    else {
      if (alone === head) single.push(...unpaged.splice(0))
      await this.#stepSingly(unexplained, alone, priority)
    }
    return true
  }

  /** Searches a page of all folders. Threads that belong on the page but aren't there are fetched individually. */
  async #stepByPage(unexplained: Unexplained, head: TimedRow, priority: Priority): Promise<void> {
    const { inbox, byId, unpaged, single } = unexplained
    const cursor = this.#cursorAbove(unexplained, head)
    const page = await catchMissing(this.#parts.fetchPage(inbox, cursor?.id, priority))
    for (const row of page?.rows ?? []) {
      const entry = byId.get(row.id)
      byId.delete(row.id)
      // A thread that has moved to the top in the meantime proves nothing about the list of sent threads.
      if (entry?.inSent === true && entry.time === row.time) this.#leaveSent(inbox, entry)
    }
    const end = page?.rows.at(-1) ?? null
    unexplained.place = end
    const covered = page === null ? head.time : !page.hasMore || end === null ? Number.MIN_SAFE_INTEGER : end.time
    for (let row = trimToUnexplained(unpaged, byId); row !== undefined; row = trimToUnexplained(unpaged, byId)) {
      // Always move past the head, wherever the page ended.
      if (row !== head && row.time <= covered) return
      single.push(row)
      unpaged.pop()
    }
  }

  async #stepSingly(unexplained: Unexplained, row: TimedRow, priority: Priority): Promise<void> {
    const { inbox, byId, single } = unexplained
    try {
      await this.#parts.verify(inbox, row.id, priority)
    } catch (thrown) {
      // An error for one thread must not block the others.
      single.pop()
      single.unshift(row)
      throw thrown
    }
    const entry = byId.get(row.id)
    byId.delete(row.id)
    single.pop()
    if (entry?.inSent === true) this.#leaveSent(inbox, entry)
  }

  /** For a thread whose current state is known, but that is missing from the list of sent threads. */
  #leaveSent(inbox: InboxRef, { id }: TimedRow): void {
    const { cache, hub } = this.#parts
    if (cache.threads.get(inbox, id)?.onServer === true) hub.threads(inbox.id, cache.threads.leaveSent(inbox, id))
  }

  /** A thread above `head` that is probably still at its cached position; null for the first page. */
  #cursorAbove({ inbox, byId, place }: Unexplained, head: TimedRow): TimedRow | null {
    const neighbours = FOLDERS.flatMap((folder) =>
      this.#parts.cache.threadLists.rowsAbove(inbox, folder, head.time, NEIGHBOURS).filter(({ id }) => !byId.has(id)),
    )
    const nearest = neighbours.reduce<TimedRow | null>(
      (best, row) => (best === null || row.time < best.time ? row : best),
      null,
    )
    return nearest ?? (place !== null && place.time >= head.time ? place : null)
  }
}
