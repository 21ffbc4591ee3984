import type { ThreadMatch } from '../../../shared/model.ts'
import type { FoundThread } from '../../store/search-index/search-threads.ts'

export interface ThreadListState {
  /** Latest activity, milliseconds since the epoch. */
  readonly time: number
  /** False after archiving, for example; the thread may return. */
  readonly isListed: boolean
}

/** Position that a source gave a thread. Threads with equal times keep the order in which they were first found. */
interface Rank {
  readonly round: number
  readonly place: number
}

interface Entry extends ThreadListState {
  readonly id: string
  readonly platform: (FoundThread & { readonly rank: Rank }) | null
  readonly computer: (FoundThread & { readonly rank: Rank }) | null
}

export interface ResultRow {
  readonly id: string
  /** Latest activity, milliseconds since the epoch. */
  readonly time: number
  readonly match: ThreadMatch | null
}

const byRank = (one: Rank | undefined, other: Rank | undefined): number => {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined)
  return other.round - one.round || one.place - other.place
}

const compareEntries = (one: Entry, other: Entry): number =>
  other.time - one.time ||
  byRank(one.platform?.rank, other.platform?.rank) ||
  byRank(one.computer?.rank, other.computer?.rank)

/** The matching e-mail. Prefers the local one, whose ID the reader can resolve. */
const matchOf = ({ computer, platform }: Entry): ThreadMatch | null => {
  if (computer !== null && computer.emailId !== null) return { by: 'computer', emailId: computer.emailId }
  return platform !== null && platform.emailId !== null ? { by: 'platform', emailId: platform.emailId } : null
}

/**
 * Merges local threads and the platform's pages without duplicates, latest activity first. A thread is listed only
 * after `setState` has set its cached state. The platform's pages come in rounds, each starting at the top. Results of
 * the previous round stay until a new page covers them, so rows neither vanish nor jump.
 */
export class ResultList {
  readonly #entries = new Map<string, Entry>()
  /** Last entries of threads that a source no longer finds. */
  readonly #lastEntries = new Map<string, Entry>()
  #ordered: readonly Entry[] | null = null
  #round = 0
  /** IDs of this round's pages, in the platform's order. */
  #roundIds: string[] = []
  #roundIdSet = new Set<string>()
  /** Time of the last thread in this round's pages. */
  #frontier = Number.POSITIVE_INFINITY
  #isEnd = false
  #computerRound = 0
  #computerPlaces = 0

  /** @param held threads to keep in place if they were ever found, with the times of their latest activity */
  rows(held: readonly Pick<FoundThread, 'id' | 'time'>[] = []): readonly ResultRow[] {
    const others = held.flatMap(({ id, time }) => {
      const entry = this.#lastOf(id)
      return entry === undefined || this.#entries.get(id)?.isListed === true ? [] : [{ ...entry, time }]
    })
    const all = others.length === 0 ? this.#listed() : [...this.#listed(), ...others].sort(compareEntries)
    return all.map((entry) => ({ id: entry.id, time: entry.time, match: matchOf(entry) }))
  }

  ids(): readonly string[] {
    return [...this.#entries.keys()]
  }

  isKnown(id: string): boolean {
    return this.#entries.has(id)
  }

  isOfPlatform(id: string): boolean {
    return (this.#entries.get(id)?.platform ?? null) !== null
  }

  isOfComputer(id: string): boolean {
    return (this.#entries.get(id)?.computer ?? null) !== null
  }

  matchOf(id: string): ThreadMatch | null {
    const [entry, last] = [this.#entries.get(id), this.#lastOf(id)]
    return (entry && matchOf(entry)) ?? (last === undefined ? null : matchOf(last))
  }

  /** Sets a thread's cached state. @returns true if the list has changed */
  setState(id: string, { time, isListed }: ThreadListState): boolean {
    const entry = this.#entries.get(id)
    if (entry === undefined || (entry.time === time && entry.isListed === isListed)) return false
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

  hasBegun(): boolean {
    return this.#roundIds.length > 0 || this.#isEnd
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
      const rank = { round: this.#round, place: this.#roundIds.length }
      this.#put({ ...this.#entryOf(found.id, found.time), platform: { ...found, rank } })
      this.#roundIds.push(found.id)
      this.#roundIdSet.add(found.id)
    }
    this.#frontier = Math.min(upTo, ...fresh.map(({ time }) => time))
    this.#isEnd = about.isEnd
    this.#dropCovered(upTo, about.spares)
    return fresh.length > 0
  }

  keepComputer(found: readonly FoundThread[]): void {
    for (const one of found) {
      const entry = this.#entryOf(one.id, one.time)
      const rank = entry.computer?.rank ?? { round: this.#computerRound, place: this.#computerPlaces }
      this.#computerPlaces += 1
      this.#put({ ...entry, computer: { ...one, rank } })
    }
  }

  dropComputer(id: string): void {
    const entry = this.#entries.get(id)
    if (entry !== undefined && entry.computer !== null) this.#put({ ...entry, computer: null })
  }

  forgetComputer(): void {
    this.#computerRound += 1
    for (const entry of [...this.#entries.values()]) {
      if (entry.computer !== null) this.#put({ ...entry, computer: null })
    }
  }

  #listed(): readonly Entry[] {
    this.#ordered ??= [...this.#entries.values()].filter(({ isListed }) => isListed).sort(compareEntries)
    return this.#ordered
  }

  /** The entry, completed with the last result of a source that no longer finds the thread. */
  #lastOf(id: string): Entry | undefined {
    const [now, then] = [this.#entries.get(id), this.#lastEntries.get(id)]
    if (now === undefined || then === undefined) return now ?? then
    return { ...now, platform: now.platform ?? then.platform, computer: now.computer ?? then.computer }
  }

  #put(entry: Entry): void {
    this.#ordered = null
    const { id, platform, computer } = entry
    const last = this.#lastOf(id)
    const isLost = last !== undefined && (platform ?? last.platform) !== platform
    const isLostHere = last !== undefined && (computer ?? last.computer) !== computer
    if (isLost || isLostHere) this.#lastEntries.set(id, last)
    if (platform === null && computer === null) this.#entries.delete(id)
    else this.#entries.set(id, entry)
  }

  #entryOf(id: string, time: number): Entry {
    return this.#entries.get(id) ?? { id, time, isListed: false, platform: null, computer: null }
  }

  /** Removes results of earlier rounds that are within the range of a new page but missing from it. */
  #dropCovered(upTo: number, spares: (id: string) => boolean): void {
    for (const entry of [...this.#entries.values()]) {
      const { platform, id } = entry
      if (platform === null || platform.rank.round === this.#round) continue
      const isCovered = platform.time <= upTo && (this.#isEnd || platform.time > this.#frontier)
      if (isCovered && !spares(id)) this.#put({ ...entry, platform: null })
    }
  }
}
