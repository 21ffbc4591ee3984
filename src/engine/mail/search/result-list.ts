import type { ThreadMatch } from '../../../shared/model.ts'
import type { FoundThread } from '../../store/search-index/search-threads.ts'

export interface ThreadListState {
  /** Latest activity, milliseconds since the epoch. */
  readonly time: number
  /** False after archiving, for example; the thread may return. */
  readonly isListed: boolean
}

interface Entry extends ThreadListState {
  readonly id: string
  readonly platform: (FoundThread & { readonly round: number }) | null
  readonly computer: FoundThread | null
  /** The matching e-mail when the thread was last found. */
  readonly lastMatch: ThreadMatch | null
}

export interface ResultRow {
  readonly id: string
  /** Latest activity, milliseconds since the epoch. */
  readonly time: number
  readonly match: ThreadMatch | null
}

const isFound = ({ platform, computer }: Entry): boolean => platform !== null || computer !== null
const byTime = (one: Pick<Entry, 'time'>, other: Pick<Entry, 'time'>): number => other.time - one.time

/** The matching e-mail. Prefers the local one, whose ID the reader can resolve. */
const matchOf = ({ computer, platform }: Entry): ThreadMatch | null => {
  if (computer !== null && computer.emailId !== null) return { by: 'computer', emailId: computer.emailId }
  return platform !== null && platform.emailId !== null ? { by: 'platform', emailId: platform.emailId } : null
}

/**
 * Merges local threads and the platform's pages without duplicates, latest activity first. A thread is listed only
 * after `setState` has set its cached state. Threads with equal times keep the order in which they were found. The
 * platform's pages come in rounds, each starting at the top. Results of the previous round stay until a new page covers
 * them, so rows neither vanish nor jump.
 */
export class ResultList {
  /** All threads found so far, in the order in which they were found. */
  readonly #entries = new Map<string, Entry>()
  #ordered: readonly Entry[] | null = null
  #round = 0
  /** IDs of this round's pages, in the platform's order. */
  #roundIds: string[] = []
  #roundIdSet = new Set<string>()
  /** Time of the last thread in this round's pages. */
  #frontier = Number.POSITIVE_INFINITY
  #isEnd = false

  /** @param held threads to keep in place if they were ever found, with the times of their latest activity */
  rows(held: readonly Pick<FoundThread, 'id' | 'time'>[] = []): readonly ResultRow[] {
    const times = new Map(held.map(({ id, time }) => [id, time]))
    const entries = held.length === 0 ? this.#listed() : [...this.#entries.values()]
    return entries
      .flatMap((entry): readonly ResultRow[] => {
        const { id, isListed, lastMatch } = entry
        const time = isListed ? entry.time : times.get(id)
        return time === undefined ? [] : [{ id, time, match: matchOf(entry) ?? (isListed ? null : lastMatch) }]
      })
      .sort(byTime)
  }

  ids(): readonly string[] {
    return [...this.#entries.values()].filter(isFound).map(({ id }) => id)
  }

  isKnown(id: string): boolean {
    const entry = this.#entries.get(id)
    return entry !== undefined && isFound(entry)
  }

  isOfPlatform(id: string): boolean {
    return (this.#entries.get(id)?.platform ?? null) !== null
  }

  isOfComputer(id: string): boolean {
    return (this.#entries.get(id)?.computer ?? null) !== null
  }

  matchOf(id: string): ThreadMatch | null {
    const entry = this.#entries.get(id)
    return entry === undefined ? null : (matchOf(entry) ?? entry.lastMatch)
  }

  /** Sets a thread's cached state. @returns true if the list has changed */
  setState(id: string, { time, isListed }: ThreadListState): boolean {
    const entry = this.#entries.get(id)
    if (entry === undefined || !isFound(entry) || (entry.time === time && entry.isListed === isListed)) return false
    this.#put({ ...entry, time, isListed })
    return entry.isListed || isListed
  }

  beginRound(): void {
    this.#round += 1
    this.#roundIds = []
    this.#roundIdSet = new Set()
    this.#frontier = Number.POSITIVE_INFINITY
    this.#isEnd = false
  }

  isAtEnd(): boolean {
    return this.#isEnd
  }

  countOfRound(): number {
    return this.#roundIds.length
  }

  /** Number of rows, from the top, that later platform pages can't change. */
  countSettled(): number {
    return this.#isEnd ? this.#listed().length : this.countSince(this.#frontier)
  }

  countSince(time: number): number {
    const listed = this.#listed()
    const older = listed.findIndex((entry) => entry.time < time)
    return older === -1 ? listed.length : older
  }

  /**
   * ID of the thread that the next page follows; undefined at the top. Prefers a thread that is still listed.
   * @param isLast true to use the very last thread of the previous page, listed or not
   */
  cursor(isLast: boolean): string | undefined {
    const listed = isLast ? undefined : this.#roundIds.findLast((id) => this.#entries.get(id)?.isListed === true)
    return listed ?? this.#roundIds.at(-1)
  }

  /**
   * Stores a page. @param about `spares` returns true for threads to keep even if missing from the page @returns true
   * if the page had new threads
   */
  keepPage(
    page: readonly FoundThread[],
    about: { readonly isEnd: boolean; readonly spares: (id: string) => boolean },
  ): boolean {
    const fresh = page.filter(({ id }) => !this.#roundIdSet.has(id))
    const upTo = this.#frontier
    for (const found of fresh) {
      this.#put({ ...this.#entryOf(found.id, found.time), platform: { ...found, round: this.#round } })
      this.#roundIds.push(found.id)
      this.#roundIdSet.add(found.id)
    }
    this.#frontier = Math.min(upTo, ...fresh.map(({ time }) => time))
    this.#isEnd = about.isEnd
    this.#dropCovered(upTo, about.spares)
    return fresh.length > 0
  }

  keepComputer(found: readonly FoundThread[]): void {
    for (const one of found) this.#put({ ...this.#entryOf(one.id, one.time), computer: one })
  }

  dropComputer(id: string): void {
    const entry = this.#entries.get(id)
    if (entry !== undefined && entry.computer !== null) this.#put({ ...entry, computer: null })
  }

  forgetComputer(): void {
    for (const id of this.ids()) this.dropComputer(id)
  }

  #listed(): readonly Entry[] {
    this.#ordered ??= [...this.#entries.values()].filter(({ isListed }) => isListed).sort(byTime)
    return this.#ordered
  }

  #put(entry: Entry): void {
    this.#ordered = null
    const isListed = entry.isListed && isFound(entry)
    this.#entries.set(entry.id, { ...entry, isListed, lastMatch: matchOf(entry) ?? entry.lastMatch })
  }

  #entryOf(id: string, time: number): Entry {
    return this.#entries.get(id) ?? { id, time, isListed: false, platform: null, computer: null, lastMatch: null }
  }

  /** Removes results of earlier rounds that are within the range of a new page but missing from it. */
  #dropCovered(upTo: number, spares: (id: string) => boolean): void {
    for (const entry of [...this.#entries.values()]) {
      const { platform, id } = entry
      if (platform === null || platform.round === this.#round) continue
      const isCovered = platform.time <= upTo && (this.#isEnd || platform.time > this.#frontier)
      if (isCovered && !spares(id)) this.#put({ ...entry, platform: null })
    }
  }
}
