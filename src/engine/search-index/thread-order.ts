/**
 * Numbers threads by latest activity, newest first. Their e-mails have matching rowids in the full-text index, so
 * reading by rowid gives the contract's order ("latest activity first") without sorting.
 */
import type Database from 'better-sqlite3'

/** Places per millisecond. Threads that need more use the next ones, which are nearly always free. */
const PLACES_A_MILLISECOND = 4
const LATEST = Date.UTC(2064, 0, 1)
/** Places of an inbox. All together stay within the exact integers of JavaScript (2 ** 53). */
const PLACES_OF_INBOX = 2 ** 43
/** Free at both ends, for times out of any sensible range; threads are in order there too. */
const MARGIN = 2 ** 40
/** Maximum blocks read ahead. */
const MAX_AHEAD = 64
/** Inboxes with greater keys aren't searched. The last two are the account's own lists (`account-keys.ts`). */
const LAST_KEY = 1_022

export interface PlaceRange {
  readonly first: number
  readonly end: number
}

/** Null for keys beyond `LAST_KEY`. */
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

/** Known order after the last placed thread of a page. */
interface Ahead {
  /** Time of that thread: later ones are as old or older. */
  readonly time: number
  /** First free place after it and after the blocks passed since. */
  readonly first: number
  /** Following blocks, and the index of the first not passed. */
  readonly blocks: readonly Block[]
  readonly next: number
  /** End of the order after the last block; null if not read that far. */
  readonly end: number | null
  readonly placed: number
}

/** Position among threads of the same time; by default the last. */
export interface AmongEquals {
  /** Place of the thread to precede. */
  readonly before?: number
}

export interface PlacedThread {
  readonly threadKey: number
  readonly inboxKey: number
  /** Latest activity, in milliseconds since the epoch. */
  readonly time: number
}

export interface FoundPlace {
  readonly place: number
  readonly room: number
}

const usualPlace = (range: PlaceRange, time: number): number =>
  range.first + Math.min(Math.max((LATEST - time) * PLACES_A_MILLISECOND, MARGIN), PLACES_OF_INBOX - MARGIN)

/** Skips to where a thread of this time goes, after others of its time. */
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

export class ThreadOrder {
  readonly #statements: ReturnType<typeof prepare>
  readonly #move: (threadKey: number, place: number) => void
  /** Blocks worth reading ahead: many if the new threads lie between existing ones. */
  #useful = 1

  /** @param move moves a thread with its row, labels and documents */
  constructor(database: Database.Database, move: (threadKey: number, place: number) => void) {
    this.#statements = prepare(database)
    this.#move = move
  }

  /**
   * Finds a place for a thread, moving others if necessary.
   * @param thread its current place, if any, counts as free
   * @param want preferred room; it may get less, but at least `need`
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
    // As close as possible to the thread it precedes.
    return this.#findBetween(range, { threadKey, earlier, later }, room, (last) => last)
  }

  /**
   * Finds places for new threads of a page one by one; store each before requesting the next. Threads passed newest
   * first need no look-up.
   * @returns a function for one page only, as it caches the order
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
      if (ahead !== null) this.#useful = Math.min(2 * ahead.placed, MAX_AHEAD)
      const earlier = this.#statements.notOlder.get(inboxKey, time, threadKey)
      const blocks = this.#statements.older.all(inboxKey, time, threadKey, this.#useful)
      const later = blocks[0]
      const found = this.#findBetween(range, { threadKey, earlier, later }, { want, need: 1 }, () =>
        usualPlace(range, time),
      )
      const first = found.place + found.room
      const end = blocks.length < this.#useful ? range.end : null
      // If others were in the way, they have moved.
      ahead = later !== undefined && first > later.place ? null : { time, first, blocks, next: 0, end, placed: 1 }
      return found
    }
  }

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

  /** Moves a thread to a place, and later ones that are in the way. */
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
