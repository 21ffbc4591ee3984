import type { ThreadMatch } from '../../shared/model.ts'
import type { FoundThread } from '../search-index/search-threads.ts'

export interface ThreadStanding {
  /** Its latest activity, milliseconds since the epoch. */
  readonly time: number
  /** False after it was archived, for example; it may come back. */
  readonly isListed: boolean
}

/** The place a source gave a thread: threads of the same time keep their first order. */
interface Rank {
  readonly round: number
  readonly place: number
}

/** A thread as found by each of the two sources. */
interface Entry extends ThreadStanding {
  readonly id: string
  readonly platform: (FoundThread & { readonly rank: Rank }) | null
  readonly computer: (FoundThread & { readonly rank: Rank }) | null
}

export interface ResultRow {
  readonly id: string
  /** Its latest activity, milliseconds since the epoch. */
  readonly time: number
  readonly match: ThreadMatch | null
}

const byRank = (one: Rank | undefined, other: Rank | undefined): number => {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined)
  return other.round - one.round || one.place - other.place
}

const inOrder = (one: Entry, other: Entry): number =>
  other.time - one.time ||
  byRank(one.platform?.rank, other.platform?.rank) ||
  byRank(one.computer?.rank, other.computer?.rank)

/** Prefers the local ID, which the reader can resolve. */
const matchOf = ({ computer, platform }: Entry): ThreadMatch | null => {
  if (computer !== null && computer.emailId !== null) return { by: 'computer', emailId: computer.emailId }
  return platform !== null && platform.emailId !== null ? { by: 'platform', emailId: platform.emailId } : null
}

/**
 * What a search has found so far: the threads of this computer and those of the platform's pages, each once, latest
 * activity first. Nothing is listed before `stand` has said how the cache has it.
 *
 * The platform's pages come in rounds, each from the top. What the round before has found stays until a page covers the
 * part of the list where it stood: rows neither vanish nor jump because somebody asks again.
 */
export class ResultList {
  readonly #entries = new Map<string, Entry>()
  /** Threads that a source lost, as last found. */
  readonly #before = new Map<string, Entry>()
  /** Sorted entries, cached until one changes. */
  #ordered: readonly Entry[] | null = null
  #round = 0
  /** IDs of this round's pages, in the platform's order. */
  #met: string[] = []
  #metIds = new Set<string>()
  /** The time of the last thread of this round's pages. */
  #frontier = Number.POSITIVE_INFINITY
  #isEnd = false
  #computerRound = 0
  #computerPlaces = 0

  /**
   * @param held threads that are listed all the same, where they were found once, with the times of their latest activity:
   * each at the place that it had
   */
  rows(held: readonly Pick<FoundThread, 'id' | 'time'>[] = []): readonly ResultRow[] {
    const others = held.flatMap(({ id, time }) => {
      const entry = this.#lastOf(id)
      return entry === undefined || this.#entries.get(id)?.isListed === true ? [] : [{ ...entry, time }]
    })
    const all = others.length === 0 ? this.#listed() : [...this.#listed(), ...others].sort(inOrder)
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

  /** Keeps how the cache has a thread. @returns whether the list has changed */
  stand(id: string, { time, isListed }: ThreadStanding): boolean {
    const entry = this.#entries.get(id)
    if (entry === undefined || (entry.time === time && entry.isListed === isListed)) return false
    this.#put({ ...entry, time, isListed })
    return entry.isListed || isListed
  }

  beginRound(): void {
    this.#round += 1
    this.#met = []
    this.#metIds = new Set()
    this.#frontier = Number.POSITIVE_INFINITY
    this.#isEnd = false
  }

  hasBegun(): boolean {
    return this.#met.length > 0 || this.#isEnd
  }

  isAtEnd(): boolean {
    return this.#isEnd
  }

  countOfRound(): number {
    return this.#met.length
  }

  /** Rows that no later page of the platform can come between. */
  countSettled(): number {
    return this.#isEnd ? this.#listed().length : this.countSince(this.#frontier)
  }

  countSince(time: number): number {
    const listed = this.#listed()
    const older = listed.findIndex((entry) => entry.time < time)
    return older === -1 ? listed.length : older
  }

  /**
   * The thread that the next page is to follow; undefined at the top. One that has left the results is no cursor, so it is
   * one that is listed where there is one.
   * @param isLast the very last one of the page before, whatever has become of it
   */
  cursor(isLast: boolean): string | undefined {
    const listed = isLast ? undefined : this.#met.findLast((id) => this.#entries.get(id)?.isListed === true)
    return listed ?? this.#met.at(-1)
  }

  /**
   * Keeps the next page of this round.
   * @param about `spares`: what the page's silence about a thread says nothing of
   * @returns whether it brought a thread that this round had not met
   */
  keepPage(
    page: readonly FoundThread[],
    about: { readonly isEnd: boolean; readonly spares: (id: string) => boolean },
  ): boolean {
    const fresh = page.filter(({ id }) => !this.#metIds.has(id))
    const upTo = this.#frontier
    for (const found of fresh) {
      const rank = { round: this.#round, place: this.#met.length }
      this.#put({ ...this.#entryOf(found.id, found.time), platform: { ...found, rank } })
      this.#met.push(found.id)
      this.#metIds.add(found.id)
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
    this.#ordered ??= [...this.#entries.values()].filter(({ isListed }) => isListed).sort(inOrder)
    return this.#ordered
  }

  /** The entry, with what a source that lost it last said. */
  #lastOf(id: string): Entry | undefined {
    const [now, then] = [this.#entries.get(id), this.#before.get(id)]
    if (now === undefined || then === undefined) return now ?? then
    return { ...now, platform: now.platform ?? then.platform, computer: now.computer ?? then.computer }
  }

  #put(entry: Entry): void {
    this.#ordered = null
    const { id, platform, computer } = entry
    const last = this.#lastOf(id)
    const isLost = last !== undefined && (platform ?? last.platform) !== platform
    const isLostHere = last !== undefined && (computer ?? last.computer) !== computer
    if (isLost || isLostHere) this.#before.set(id, last)
    if (platform === null && computer === null) this.#entries.delete(id)
    else this.#entries.set(id, entry)
  }

  #entryOf(id: string, time: number): Entry {
    return this.#entries.get(id) ?? { id, time, isListed: false, platform: null, computer: null }
  }

  /** Removes results of earlier rounds that a new page covers but does not contain. */
  #dropCovered(upTo: number, spares: (id: string) => boolean): void {
    for (const entry of [...this.#entries.values()]) {
      const { platform, id } = entry
      if (platform === null || platform.rank.round === this.#round) continue
      const isCovered = platform.time <= upTo && (this.#isEnd || platform.time > this.#frontier)
      if (isCovered && !spares(id)) this.#put({ ...entry, platform: null })
    }
  }
}
