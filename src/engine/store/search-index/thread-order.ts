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

interface OrderedThread {
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

const BLOCK = 'SELECT thread_key AS threadKey, place, room, time FROM search_threads'

const prepare = (database: Database.Database) => ({
  notOlder: database.prepare<[number, number, number], Block>(
    `${BLOCK} WHERE inbox_key = ? AND time >= ? AND thread_key <> ? ORDER BY time, place DESC LIMIT 1`,
  ),
  older: database.prepare<[number, number, number], Block>(
    `${BLOCK} WHERE inbox_key = ? AND time < ? AND thread_key <> ? ORDER BY time DESC, place LIMIT 1`,
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

  /** @param move moves a thread along with its row, labels and documents */
  constructor(database: Database.Database, move: (threadKey: number, place: number) => void) {
    this.#statements = prepare(database)
    this.#move = move
  }

  /**
   * Finds a place for a thread, moving others if necessary.
   * @param thread if it has a place already, that place counts as free
   * @param want preferred size; the result may be smaller, but is at least `need`
   * @param before place of a thread with the same time, to precede it closely; by default, the thread comes last among
   * those with the same time
   */
  find(
    range: RowidRange,
    { threadKey, inboxKey, time }: OrderedThread,
    { want, need }: { readonly want: number; readonly need: number },
    before?: number,
  ): AllocatedRange {
    const isLast = before === undefined
    const { notOlder, older, before: selectBefore, from } = this.#statements
    const earlier = isLast ? notOlder.get(inboxKey, time, threadKey) : selectBefore.get(before, range.first, threadKey)
    const later = isLast ? older.get(inboxKey, time, threadKey) : from.get(before, range.end, threadKey)
    const low = earlier === undefined ? range.first : earlier.place + earlier.room
    const high = later?.place ?? range.end
    if (later !== undefined && high - low < need) {
      this.#push(range, later, low + want, threadKey)
      return { place: low, room: want }
    }
    const room = Math.min(want, high - low)
    const wanted = isLast ? usualPlace(range, time) : high
    return { place: Math.min(Math.max(wanted, low), high - room), room }
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
