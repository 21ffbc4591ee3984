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

/** Free places between two threads of an inbox. */
interface Gap {
  readonly inboxKey: number
  readonly first: number
  /** Exclusive. */
  readonly end: number
  /** Threads that go here are older than this, and later than the other. */
  readonly before: number
  readonly after: number
}

/** Beside which other threads of the same time a thread goes; after all of them where nothing is said. */
export interface AmongEquals {
  /** The place of the thread that it goes right before. */
  readonly before?: number
}

export interface ThreadPlaces {
  /**
   * Finds a place for a thread. Where others are in the way, those are moved on.
   * @param threadKey the thread, which may have a place already: that one counts as free
   * @param want how much room it would take; it gets less where there is less, and never less than `need`
   */
  readonly find: (
    range: PlaceRange,
    thread: { readonly threadKey: number; readonly inboxKey: number; readonly time: number },
    room: { readonly want: number; readonly need: number },
    among?: AmongEquals,
  ) => { readonly place: number; readonly room: number }
}

/** @param move takes a thread's row, labels and documents along to another place */
export const createThreadPlaces = (
  database: Database.Database,
  move: (threadKey: number, place: number) => void,
): ThreadPlaces => {
  const BLOCK = 'SELECT thread_key AS threadKey, place, room, time FROM search_threads'
  const selectNotOlder = database.prepare<[number, number, number], Block>(
    `${BLOCK} WHERE inbox_key = ? AND time >= ? AND thread_key <> ? ORDER BY time, place DESC LIMIT 1`,
  )
  const selectOlder = database.prepare<[number, number, number], Block>(
    `${BLOCK} WHERE inbox_key = ? AND time < ? AND thread_key <> ? ORDER BY time DESC, place LIMIT 1`,
  )
  const selectBefore = database.prepare<[number, number, number], Block>(
    `${BLOCK} WHERE place < ? AND place >= ? AND thread_key <> ? ORDER BY place DESC LIMIT 1`,
  )
  const selectFrom = database.prepare<[number, number, number], Block>(
    `${BLOCK} WHERE place >= ? AND place < ? AND thread_key <> ? ORDER BY place LIMIT 1`,
  )

  /** Moves a thread, and those after it that are in its way, so far that it begins at a place. */
  const push = (range: PlaceRange, first: Block, to: number, threadKey: number): void => {
    const moves: { readonly block: Block; readonly place: number }[] = []
    let place = to
    for (let block: Block | undefined = first; block !== undefined && block.place < place;) {
      moves.push({ block, place })
      place += block.room
      block = selectFrom.get(block.place + 1, range.end, threadKey)
    }
    if (place > range.end) throw new RangeError('An inbox has more threads than places.')
    for (const { block, place: next } of moves.toReversed()) move(block.threadKey, next)
  }

  /**
   * What is behind the thread that was placed last: the next thread of a page goes there, and nobody has to look. Every
   * thread that is placed or moved passes here, so nothing else can have taken it.
   */
  let gap: Gap | null = null

  return {
    find: (range, { threadKey, inboxKey, time }, { want, need }, { before } = {}) => {
      const usual =
        range.first + Math.min(Math.max((LATEST - time) * PLACES_A_MILLISECOND, MARGIN), PLACES_OF_INBOX - MARGIN)
      const known = gap
      const isInGap = known?.inboxKey === inboxKey && time < known.before && time > known.after
      if (before === undefined && isInGap && known.end - known.first >= want) {
        const place = Math.min(Math.max(usual, known.first), known.end - want)
        gap = { ...known, first: place + want, before: time }
        return { place, room: want }
      }
      gap = null
      const earlier =
        before === undefined
          ? selectNotOlder.get(inboxKey, time, threadKey)
          : selectBefore.get(before, range.first, threadKey)
      const later =
        before === undefined ? selectOlder.get(inboxKey, time, threadKey) : selectFrom.get(before, range.end, threadKey)
      const low = earlier === undefined ? range.first : earlier.place + earlier.room
      const high = later?.place ?? range.end
      if (later !== undefined && high - low < need) {
        push(range, later, low + want, threadKey)
        return { place: low, room: want }
      }
      const room = Math.min(want, high - low)
      // As close as can be to those of the same time that it goes before, or to where its time says.
      const wanted = before === undefined ? usual : high - room
      const place = Math.min(Math.max(wanted, low), high - room)
      if (before === undefined) {
        gap = { inboxKey, first: place + room, end: high, before: time, after: later?.time ?? -Infinity }
      }
      return { place, room }
    },
  }
}
