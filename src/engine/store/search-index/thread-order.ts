/**
 * Numbers threads by latest activity, newest first. Their e-mails have matching rowids in the full-text index, so
 * reading by rowid gives the platform's order (platform.md 9.16) without sorting.
 */
import type Database from 'better-sqlite3'

/**
 * Places per millisecond. If more threads share a millisecond, they use the following places, which are nearly always
 * free.
 */
const PLACES_PER_MS = 4
const LATEST = Date.UTC(2064, 0, 1)
/** Number of places per inbox. The places of all inboxes stay within JavaScript's exact integers (2 ** 53). */
const PLACES_OF_INBOX = 2 ** 43
/** Places reserved at both ends for times outside any sensible range. Threads are in order there too. */
const MARGIN = 2 ** 40
const MAX_AHEAD = 64
/** Inboxes with greater keys aren't searched. The two greatest keys are the account's own lists (`listKey`). */
const LAST_KEY = 1_022

export interface RowidRange {
  readonly first: number
  readonly end: number
}

/** Range of places for an inbox or list. Null for keys beyond `LAST_KEY`. */
export const computeRowidRange = (inboxKey: number): RowidRange | null =>
  inboxKey > 0 && inboxKey <= LAST_KEY
    ? { first: inboxKey * PLACES_OF_INBOX + 1, end: (inboxKey + 1) * PLACES_OF_INBOX }
    : null

interface Block {
  readonly threadKey: number
  readonly place: number
  readonly room: number
  readonly time: number
}

/** Part of the known order, read ahead of the last placed thread of a page. */
interface Ahead {
  /** Time of the last placed thread. Threads after it in the order are as old or older. */
  readonly time: number
  /** First free place after that thread and the blocks passed since. */
  readonly first: number
  /** The blocks that follow, with `next` as the index of the first one not passed yet. */
  readonly blocks: readonly Block[]
  readonly next: number
  /** End of the order after the last block; null if it wasn't read that far. */
  readonly end: number | null
  readonly placed: number
}

/** Position among threads with the same time; the last one by default. */
export interface TiePosition {
  /** Place of the thread that this one precedes. */
  readonly before?: number
}

export interface OrderedThread {
  readonly threadKey: number
  readonly inboxKey: number
  /** Latest activity, in milliseconds since the epoch. */
  readonly time: number
}

export interface AllocatedRange {
  readonly place: number
  readonly room: number
}

const usualPlace = (range: RowidRange, time: number): number =>
  range.first + Math.min(Math.max((LATEST - time) * PLACES_PER_MS, MARGIN), PLACES_OF_INBOX - MARGIN)

/** Skips to the position for a thread with this time, after others with the same time. */
const skipTo = (ahead: Ahead | null, time: number): Ahead | null => {
  if (ahead === null || time > ahead.time) return null
  const { blocks, end } = ahead
  let { first, next } = ahead
  for (let block = blocks[next]; block !== undefined && block.time >= time; block = blocks[next]) {
    first = block.place + block.room
    next += 1
  }
  return next < blocks.length || end !== null ? { ...ahead, first, next } : null
}

const BLOCK = 'SELECT thread_key AS threadKey, place, room, time FROM search_threads'

const prepare = (database: Database.Database) => ({
  notOlder: database.prepare<[number, number, number], Block>(
    `${BLOCK} WHERE inbox_key = ? AND time >= ? AND thread_key <> ? ORDER BY time, place DESC LIMIT 1`,
  ),
  older: database.prepare<[number, number, number, number], Block>(
    `${BLOCK} WHERE inbox_key = ? AND time < ? AND thread_key <> ? ORDER BY time DESC, place LIMIT ?`,
  ),
  before: database.prepare<[number, number, number], Block>(
    `${BLOCK} WHERE place < ? AND place >= ? AND thread_key <> ? ORDER BY place DESC LIMIT 1`,
  ),
  from: database.prepare<[number, number, number], Block>(
    `${BLOCK} WHERE place >= ? AND place < ? AND thread_key <> ? ORDER BY place LIMIT 1`,
  ),
})

export class ThreadOrder {
  readonly #statements: ReturnType<typeof prepare>
  readonly #move: (threadKey: number, place: number) => void
  /** Number of blocks worth reading ahead: many if the new threads fall between existing ones. */
  #blocksToRead = 1

  /** @param move moves a thread along with its row, labels and documents */
  constructor(database: Database.Database, move: (threadKey: number, place: number) => void) {
    this.#statements = prepare(database)
    this.#move = move
  }

  /**
   * Finds a place for a thread, moving others if necessary.
   * @param thread if it has a place already, that place counts as free
   * @param room `want` is the preferred size; the result may be smaller, but is at least `need`
   */
  find(
    range: RowidRange,
    { threadKey, inboxKey, time }: OrderedThread,
    room: { readonly want: number; readonly need: number },
    { before }: TiePosition = {},
  ): AllocatedRange {
    const statements = this.#statements
    if (before === undefined) {
      const earlier = statements.notOlder.get(inboxKey, time, threadKey)
      const later = statements.older.get(inboxKey, time, threadKey, 1)
      return this.#findBetween(range, { threadKey, earlier, later }, room, () => usualPlace(range, time))
    }
    const earlier = statements.before.get(before, range.first, threadKey)
    const later = statements.from.get(before, range.end, threadKey)
    // Place it as close as possible to the thread that it precedes.
    return this.#findBetween(range, { threadKey, earlier, later }, room, (last) => last)
  }

  /**
   * Finds places for the new threads of a page. Store each thread before requesting the next place. Threads passed
   * newest first need no look-up.
   * @returns a function for a single page, since it caches the order
   */
  findEach(range: RowidRange, want: number): (thread: OrderedThread) => AllocatedRange {
    let ahead: Ahead | null = null
    return ({ threadKey, inboxKey, time }) => {
      const known = skipTo(ahead, time)
      const high = known?.blocks[known.next]?.place ?? known?.end ?? 0
      if (known !== null && high - known.first >= want) {
        const place = Math.min(Math.max(usualPlace(range, time), known.first), high - want)
        ahead = { ...known, time, first: place + want, placed: known.placed + 1 }
        return { place, room: want }
      }
      if (ahead !== null) this.#blocksToRead = Math.min(2 * ahead.placed, MAX_AHEAD)
      const earlier = this.#statements.notOlder.get(inboxKey, time, threadKey)
      const blocks = this.#statements.older.all(inboxKey, time, threadKey, this.#blocksToRead)
      const later = blocks[0]
      const found = this.#findBetween(range, { threadKey, earlier, later }, { want, need: 1 }, () =>
        usualPlace(range, time),
      )
      const first = found.place + found.room
      const end = blocks.length < this.#blocksToRead ? range.end : null
      // If other threads were in the way, they have moved, so the cached order is out of date.
      ahead = later !== undefined && first > later.place ? null : { time, first, blocks, next: 0, end, placed: 1 }
      return found
    }
  }

  #findBetween(
    range: RowidRange,
    { threadKey, earlier, later }: { threadKey: number; earlier: Block | undefined; later: Block | undefined },
    { want, need }: { readonly want: number; readonly need: number },
    wantedPlace: (last: number) => number,
  ): AllocatedRange {
    const low = earlier === undefined ? range.first : earlier.place + earlier.room
    const high = later?.place ?? range.end
    if (later !== undefined && high - low < need) {
      this.#push(range, later, low + want, threadKey)
      return { place: low, room: want }
    }
    const room = Math.min(want, high - low)
    return { place: Math.min(Math.max(wantedPlace(high - room), low), high - room), room }
  }

  /** Moves a thread to a place, and moves later threads out of the way. */
  #push(range: RowidRange, first: Block, to: number, threadKey: number): void {
    const moves: { readonly block: Block; readonly place: number }[] = []
    let place = to
    for (let block: Block | undefined = first; block !== undefined && block.place < place;) {
      moves.push({ block, place })
      place += block.room
      block = this.#statements.from.get(block.place + 1, range.end, threadKey)
    }
    if (place > range.end) throw new RangeError('The inbox has no free places left in its thread order.')
    for (const { block, place: next } of moves.toReversed()) this.#move(block.threadKey, next)
  }
}

/**
 * The account's own e-mails don't belong to an inbox. The index stores each of them as a thread of one e-mail, in two
 * lists with their own places. Their keys are negative, unlike all other keys.
 */
export type AccountList = 'received' | 'sent'

/** Key used in place of an inbox key. */
export const listKey = (list: AccountList): number => (list === 'received' ? 1_021 : 1_022)

export const accountEmailKey = (list: AccountList, rowKey: number): number =>
  -2 * rowKey - (list === 'received' ? 0 : 1)

/** Decodes an e-mail key. Null for keys of threads and of inbox e-mails. */
export const decodeAccountEmailKey = (key: number): { readonly list: AccountList; readonly rowKey: number } | null => {
  if (key >= 0) return null
  const list = key % 2 === 0 ? 'received' : 'sent'
  return { list, rowKey: list === 'received' ? -key / 2 : (-key - 1) / 2 }
}
