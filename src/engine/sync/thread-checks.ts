import { FOLDERS } from '../../shared/model.ts'
import { lacksOperation } from '../api/platform-problem.ts'
import type { Priority } from '../api/request-budget.ts'
import type { InboxRef } from '../store/inboxes.ts'
import type { ListedRow } from '../store/thread-lists.ts'
import { atMost } from '../timing/at-most.ts'
import type { TimedRow } from './walk-page.ts'

/** What the checks ask the platform and the cache. */
export interface CheckPorts {
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

/**
 * Finds out what became of threads that a list should show and does not. It has no pace of its own: whoever calls gives
 * it one, behind what is new. Threads that were moved are found on pages of all folders, as another client may move
 * thousands at once; only what no page shows is asked about singly.
 */
export interface ThreadChecks {
  /** @param inSent whether the list that misses them is that of sent threads */
  readonly add: (inbox: InboxRef, threads: readonly ListedRow[], inSent: boolean) => void
  /** Asks one question. @returns false where none is left */
  readonly step: (priority: Priority) => Promise<boolean>
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

export const createThreadChecks = (ports: CheckPorts): ThreadChecks => {
  const inboxes = new Map<number, Unexplained>()
  const inOrder = atMost(1)

  /** A thread above another that is likely to be where the cache has it; null where none is known. */
  const cursorAbove = ({ inbox, byId, place }: Unexplained, head: TimedRow): TimedRow | null => {
    const neighbours = FOLDERS.flatMap((folder) =>
      ports.rowsAbove(inbox, folder, head.time, NEIGHBOURS).filter(({ id }) => !byId.has(id)),
    )
    const nearest = neighbours.reduce<TimedRow | null>(
      (best, row) => (best === null || row.time < best.time ? row : best),
      null,
    )
    return nearest ?? (place !== null && place.time >= head.time ? place : null)
  }

  const fetchPage = async ({ inbox }: Unexplained, cursor: TimedRow | null, priority: Priority) => {
    if (cursor === null) return null
    try {
      return await ports.fetchPage(inbox, cursor.id, priority)
    } catch (thrown) {
      if (!lacksOperation(thrown)) throw thrown
      return null
    }
  }

  /** Looks for the newest ones on a page of all folders. What the page covers and does not show is asked about singly. */
  const stepByPage = async (unexplained: Unexplained, head: TimedRow, priority: Priority): Promise<void> => {
    const { inbox, byId, unpaged, single } = unexplained
    const page = await fetchPage(unexplained, cursorAbove(unexplained, head), priority)
    for (const row of page?.rows ?? []) {
      const entry = byId.get(row.id)
      byId.delete(row.id)
      // One that has moved to the top since is no longer where the list of sent threads was looked at.
      if (entry?.inSent === true && entry.time === row.time) ports.leaveSent(inbox, entry)
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

  const stepSingly = async (unexplained: Unexplained, row: TimedRow, priority: Priority): Promise<void> => {
    const { inbox, byId, single } = unexplained
    try {
      await ports.verify(inbox, row.id, priority)
    } catch (thrown) {
      // One that the platform cannot answer for holds up no other.
      single.pop()
      single.unshift(row)
      throw thrown
    }
    const entry = byId.get(row.id)
    byId.delete(row.id)
    single.pop()
    if (entry?.inSent === true) ports.leaveSent(inbox, entry)
  }

  const takeStep = async (priority: Priority): Promise<boolean> => {
    const [unexplained] = inboxes.values()
    if (unexplained === undefined) return false
    const { inbox, byId, unpaged, single } = unexplained
    inboxes.delete(inbox.key)
    if (byId.size === 0 || ports.isGone(inbox)) return true
    // Another inbox has the next step.
    inboxes.set(inbox.key, unexplained)
    const head = lastOf(unpaged, byId)
    if (head !== undefined && byId.size > 1) {
      await stepByPage(unexplained, head, priority)
      return true
    }
    const alone = head ?? lastOf(single, byId)
    if (alone === undefined) byId.clear()
    else {
      if (alone === head) single.push(...unpaged.splice(0))
      await stepSingly(unexplained, alone, priority)
    }
    return true
  }

  return {
    add: (inbox, threads, inSent) => {
      if (threads.length === 0) return
      const unexplained: Unexplained = inboxes.get(inbox.key) ?? {
        inbox,
        byId: new Map(),
        unpaged: [],
        single: [],
        place: null,
      }
      inboxes.set(inbox.key, unexplained)
      const { byId, unpaged } = unexplained
      for (const { id, time } of threads) {
        const before = byId.get(id)
        if (before === undefined) unpaged.push({ id, time })
        byId.set(id, { id, time, inSent: inSent || before?.inSent === true })
      }
      unpaged.sort((a, b) => a.time - b.time)
    },
    // Two that ask at the same time would ask the same.
    step: (priority) => inOrder(() => takeStep(priority)),
  }
}
