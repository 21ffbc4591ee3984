/**
 * The order of threads as numbers. A thread's place is made from its latest activity, the newest the smallest, and so is
 * the rowid of each of its e-mails in the full-text index: read by rowid, the index gives threads in the order of the
 * contract ("latest activity first"), and nothing is ever sorted.
 */
import type Database from 'better-sqlite3'

/** Places of a millisecond. Threads that need more take those of the next ones, which hardly ever have a thread. */
const PLACES_A_MILLISECOND = 4
const LATEST = Date.UTC(2064, 0, 1)
/** Each inbox has its own places; the sum of all can be told apart by a number of JavaScript (2 ** 53). */
const PLACES_OF_INBOX = 2 ** 43
/** Kept free at both ends for times that are later or earlier than any sensible one: threads come in order there, too. */
const MARGIN = 2 ** 40
/** Blocks that are looked at in advance. */
const MOST_AHEAD = 64
/** Inboxes with a greater key are not searched here; the last two are the account's own lists (`account-keys.ts`). */
const LAST_KEY = 1_022

export interface PlaceRange {
  readonly first: number
  /** Exclusive. */
  readonly end: number
}

/** Where the threads of an inbox or a list are; null beyond all that there is room for. */
export const placesOfInbox = (inboxKey: number): PlaceRange | null =>
  inboxKey > 0 && inboxKey <= LAST_KEY
    ? { first: inboxKey * PLACES_OF_INBOX + 1, end: (inboxKey + 1) * PLACES_OF_INBOX }
    : null

interface Block {
  readonly threadKey: number
  readonly place: number
  readonly room: number
  readonly time: number
}

/** What is known of the order behind the thread of a page that was placed last. */
interface Ahead {
  /** The time of that thread: one that goes behind it is as old or older. */
  readonly time: number
  /** The first place behind it, and behind the blocks that were passed since. */
  readonly first: number
  /** The blocks that come next, and which of them is the first that was not passed. */
  readonly blocks: readonly Block[]
  readonly next: number
  /** Where the last of the blocks ends the order; null where nobody has looked further. */
  readonly end: number | null
  /** How many threads were placed by it. */
  readonly placed: number
}

/** Beside which other threads of the same time a thread goes; after all of them where nothing is said. */
export interface AmongEquals {
  /** The place of the thread that it goes right before. */
  readonly before?: number
}

export interface PlacedThread {
  readonly threadKey: number
  readonly inboxKey: number
  /** Its latest activity, milliseconds since the epoch. */
  readonly time: number
}

export interface FoundPlace {
  readonly place: number
  readonly room: number
}

const usualPlace = (range: PlaceRange, time: number): number =>
  range.first + Math.min(Math.max((LATEST - time) * PLACES_A_MILLISECOND, MARGIN), PLACES_OF_INBOX - MARGIN)

/** What is known of the place where a thread of a time goes: behind those of its own time. */
const pass = (ahead: Ahead | null, time: number): Ahead | null => {
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

/** Finds places for threads in the full-text index. */
export class ThreadPlaces {
  readonly #statements: ReturnType<typeof prepare>
  readonly #move: (threadKey: number, place: number) => void
  /** How many blocks it was of use to look at in advance: lists that lie within each other take turns, others do not. */
  #useful = 1

  /** @param move takes a thread's row, labels and documents along to another place */
  constructor(database: Database.Database, move: (threadKey: number, place: number) => void) {
    this.#statements = prepare(database)
    this.#move = move
  }

  /**
   * Finds a place for a thread. Where others are in the way, those are moved on.
   * @param thread may have a place already: that one counts as free
   * @param want how much room it would take; it gets less where there is less, and never less than `need`
   */
  find(
    range: PlaceRange,
    { threadKey, inboxKey, time }: PlacedThread,
    room: { readonly want: number; readonly need: number },
    { before }: AmongEquals = {},
  ): FoundPlace {
    const statements = this.#statements
    if (before === undefined) {
      const earlier = statements.notOlder.get(inboxKey, time, threadKey)
      const later = statements.older.get(inboxKey, time, threadKey, 1)
      return this.#findBetween(range, { threadKey, earlier, later }, room, () => usualPlace(range, time))
    }
    const earlier = statements.before.get(before, range.first, threadKey)
    const later = statements.from.get(before, range.end, threadKey)
    // As close as can be to those of the same time that it goes before.
    return this.#findBetween(range, { threadKey, earlier, later }, room, (last) => last)
  }

  /**
   * Finds places for the new threads of a page, one by one, each kept before the next is asked for. Those that come
   * newest first go behind each other, and nobody has to look where.
   * @returns the function to ask; good for one page, as it remembers what is there
   */
  findEach(range: PlaceRange, want: number): (thread: PlacedThread) => FoundPlace {
    let ahead: Ahead | null = null
    return ({ threadKey, inboxKey, time }) => {
      const known = pass(ahead, time)
      const high = known?.blocks[known.next]?.place ?? known?.end ?? 0
      if (known !== null && high - known.first >= want) {
        const place = Math.min(Math.max(usualPlace(range, time), known.first), high - want)
        ahead = { ...known, time, first: place + want, placed: known.placed + 1 }
        return { place, room: want }
      }
      if (ahead !== null) this.#useful = Math.min(2 * ahead.placed, MOST_AHEAD)
      const earlier = this.#statements.notOlder.get(inboxKey, time, threadKey)
      const blocks = this.#statements.older.all(inboxKey, time, threadKey, this.#useful)
      const later = blocks[0]
      const found = this.#findBetween(range, { threadKey, earlier, later }, { want, need: 1 }, () =>
        usualPlace(range, time),
      )
      const first = found.place + found.room
      const end = blocks.length < this.#useful ? range.end : null
      // Where it was in the way of others, those have moved.
      ahead = later !== undefined && first > later.place ? null : { time, first, blocks, next: 0, end, placed: 1 }
      return found
    }
  }

  /** Finds a place between a block and those that come behind it. */
  #findBetween(
    range: PlaceRange,
    { threadKey, earlier, later }: { threadKey: number; earlier: Block | undefined; later: Block | undefined },
    { want, need }: { readonly want: number; readonly need: number },
    wantedPlace: (last: number) => number,
  ): FoundPlace {
    const low = earlier === undefined ? range.first : earlier.place + earlier.room
    const high = later?.place ?? range.end
    if (later !== undefined && high - low < need) {
      this.#push(range, later, low + want, threadKey)
      return { place: low, room: want }
    }
    const room = Math.min(want, high - low)
    return { place: Math.min(Math.max(wantedPlace(high - room), low), high - room), room }
  }

  /** Moves a thread, and those after it that are in its way, so far that it begins at a place. */
  #push(range: PlaceRange, first: Block, to: number, threadKey: number): void {
    const moves: { readonly block: Block; readonly place: number }[] = []
    let place = to
    for (let block: Block | undefined = first; block !== undefined && block.place < place;) {
      moves.push({ block, place })
      place += block.room
      block = this.#statements.from.get(block.place + 1, range.end, threadKey)
    }
    if (place > range.end) throw new RangeError('An inbox has more threads than places.')
    for (const { block, place: next } of moves.toReversed()) this.#move(block.threadKey, next)
  }
}
