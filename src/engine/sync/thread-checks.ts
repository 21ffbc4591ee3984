import { FOLDERS } from '../../shared/model.ts'
import { lacksOperation } from '../api/platform-problem.ts'
import type { Priority } from '../api/request-budget.ts'
import type { InboxRef } from '../store/inboxes.ts'
import type { ListedRow } from '../store/thread-lists.ts'
import { atMost } from '../timing/at-most.ts'
import type { TimedRow } from './walk-page.ts'

/** What the checks ask the platform and the cache. */
interface CheckPorts {
  /**
   * Keeps a page of the threads of all folders.
   * @throws PlatformRefusal 404 where the cursor's thread is no more
   */
  readonly fetchPage: (
    inbox: InboxRef,
    after: string,
    priority: Priority,
  ) => Promise<{ readonly rows: readonly TimedRow[]; readonly hasMore: boolean }>
  /** Asks about one thread and keeps what the platform says. */
  readonly verify: (inbox: InboxRef, threadId: string, priority: Priority) => Promise<void>
  /** The threads of a folder in the cache from a time on upwards, the nearest first. */
  readonly rowsAbove: (inbox: InboxRef, folder: string, time: number, limit: number) => readonly ListedRow[]
  /** The platform's list of sent threads did not show a thread whose state is known now. */
  readonly leaveSent: (inbox: InboxRef, thread: TimedRow) => void
  readonly isGone: (inbox: InboxRef) => boolean
}

interface Entry extends TimedRow {
  readonly inSent: boolean
}

/** The unexplained threads of one inbox. */
interface Unexplained {
  readonly inbox: InboxRef
  readonly byId: Map<string, Entry>
  /** Not looked for on a page yet, the newest last. Like `single` it may hold some that are explained by now. */
  readonly unpaged: TimedRow[]
  /** No page shows them. */
  readonly single: TimedRow[]
  /** The last row of the last page: a cursor that is surely there. */
  place: TimedRow | null
}

const NEIGHBOURS = 20

/** The last one that is still unexplained; those behind it are dropped. */
const lastOf = (rows: TimedRow[], byId: ReadonlyMap<string, Entry>): TimedRow | undefined => {
  for (;;) {
    const row = rows.at(-1)
    if (row === undefined || byId.has(row.id)) return row
    rows.pop()
  }
}

/**
 * Finds out what became of threads that a list should show and does not. It has no pace of its own: whoever calls gives
 * it one, behind what is new. Threads that were moved are found on pages of all folders, as another client may move
 * thousands at once; only what no page shows is asked about singly.
 */
export class ThreadChecks {
  readonly #ports: CheckPorts
  readonly #inboxes = new Map<number, Unexplained>()
  readonly #inOrder = atMost(1)

  constructor(ports: CheckPorts) {
    this.#ports = ports
  }

  /** @param inSent whether the list that misses them is that of sent threads */
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

  /** Asks one question. @returns false where none is left */
  step(priority: Priority): Promise<boolean> {
    // Two that ask at the same time would ask the same.
    return this.#inOrder(() => this.#takeStep(priority))
  }

  async #takeStep(priority: Priority): Promise<boolean> {
    const [unexplained] = this.#inboxes.values()
    if (unexplained === undefined) return false
    const { inbox, byId, unpaged, single } = unexplained
    this.#inboxes.delete(inbox.key)
    if (byId.size === 0 || this.#ports.isGone(inbox)) return true
    // Another inbox has the next step.
    this.#inboxes.set(inbox.key, unexplained)
    const head = lastOf(unpaged, byId)
    if (head !== undefined && byId.size > 1) {
      await this.#stepByPage(unexplained, head, priority)
      return true
    }
    const alone = head ?? lastOf(single, byId)
    if (alone === undefined) byId.clear()
    else {
      if (alone === head) single.push(...unpaged.splice(0))
      await this.#stepSingly(unexplained, alone, priority)
    }
    return true
  }

  /** Looks for the newest ones on a page of all folders. What the page covers and does not show is asked about singly. */
  async #stepByPage(unexplained: Unexplained, head: TimedRow, priority: Priority): Promise<void> {
    const { inbox, byId, unpaged, single } = unexplained
    const page = await this.#fetchPage(unexplained, this.#cursorAbove(unexplained, head), priority)
    for (const row of page?.rows ?? []) {
      const entry = byId.get(row.id)
      byId.delete(row.id)
      // One that has moved to the top since is no longer where the list of sent threads was looked at.
      if (entry?.inSent === true && entry.time === row.time) this.#ports.leaveSent(inbox, entry)
    }
    const end = page?.rows.at(-1) ?? null
    unexplained.place = end
    const covered = page === null ? head.time : !page.hasMore || end === null ? Number.MIN_SAFE_INTEGER : end.time
    for (let row = lastOf(unpaged, byId); row !== undefined; row = lastOf(unpaged, byId)) {
      // Each step takes its head on, wherever the page ended.
      if (row !== head && row.time <= covered) return
      single.push(row)
      unpaged.pop()
    }
  }

  async #stepSingly(unexplained: Unexplained, row: TimedRow, priority: Priority): Promise<void> {
    const { inbox, byId, single } = unexplained
    try {
      await this.#ports.verify(inbox, row.id, priority)
    } catch (thrown) {
      // One that the platform cannot answer for holds up no other.
      single.pop()
      single.unshift(row)
      throw thrown
    }
    const entry = byId.get(row.id)
    byId.delete(row.id)
    single.pop()
    if (entry?.inSent === true) this.#ports.leaveSent(inbox, entry)
  }

  async #fetchPage({ inbox }: Unexplained, cursor: TimedRow | null, priority: Priority) {
    if (cursor === null) return null
    try {
      return await this.#ports.fetchPage(inbox, cursor.id, priority)
    } catch (thrown) {
      if (!lacksOperation(thrown)) throw thrown
      return null
    }
  }

  /** A thread above another that is likely to be where the cache has it; null where none is known. */
  #cursorAbove({ inbox, byId, place }: Unexplained, head: TimedRow): TimedRow | null {
    const neighbours = FOLDERS.flatMap((folder) =>
      this.#ports.rowsAbove(inbox, folder, head.time, NEIGHBOURS).filter(({ id }) => !byId.has(id)),
    )
    const nearest = neighbours.reduce<TimedRow | null>(
      (best, row) => (best === null || row.time < best.time ? row : best),
      null,
    )
    return nearest ?? (place !== null && place.time >= head.time ? place : null)
  }
}
