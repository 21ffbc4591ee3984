import type { ThreadMatch } from '../../shared/model.ts'

/** A thread as one of the two sources of a search found it. */
export interface FoundThread {
  readonly id: string
  /** Its latest activity as the source has it, milliseconds since the epoch. */
  readonly time: number
  readonly emailId: string | null
}

/** How the cache has a thread. */
export interface ThreadStanding {
  /** Its latest activity, milliseconds since the epoch. */
  readonly time: number
  /** Whether it belongs into the list as it is now: it may have been archived, say, and may come back. */
  readonly isListed: boolean
}

/** Where a source has put a thread: threads of one time keep the order in which they were seen. */
interface Rank {
  readonly round: number
  readonly place: number
}

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

/**
 * What a search has found so far: the threads of this computer and those of the platform's pages, each once, latest
 * activity first. Nothing is listed before `stand` has said how the cache has it.
 *
 * The platform's pages come in rounds, each from the top. What the round before has found stays until a page covers the
 * part of the list where it stood: rows neither vanish nor jump because somebody asks again.
 */
export interface ResultList {
  /**
   * @param held threads that are listed all the same, where they were found once, with the times of their latest activity:
   * each at the place that it had
   */
  readonly rows: (held?: readonly Pick<FoundThread, 'id' | 'time'>[]) => readonly ResultRow[]
  /** Every thread that either source has found, whether it is listed or not. */
  readonly ids: () => readonly string[]
  readonly isKnown: (id: string) => boolean
  /** Whether the platform found the thread. */
  readonly isOfPlatform: (id: string) => boolean
  /** The e-mail for which a thread was found; null where that is not known. */
  readonly matchOf: (id: string) => ThreadMatch | null
  /** Whether this computer found it. */
  readonly isOfComputer: (id: string) => boolean
  readonly stand: (id: string, standing: ThreadStanding) => boolean
  /** The platform is asked from the top. */
  readonly beginRound: () => void
  /** Whether a page of this round is here. */
  readonly hasBegun: () => boolean
  /** Whether the platform has been asked to its end in this round. */
  readonly isAtEnd: () => boolean
  /** How many threads the platform has given in this round. */
  readonly countOfRound: () => number
  /** Rows that no later page of the platform can come between. */
  readonly countSettled: () => number
  /** Rows of a time or later. */
  readonly countSince: (time: number) => number
  /**
   * The thread that the next page is to follow; undefined at the top. One that has left the results is no cursor, so it is
   * one that is listed where there is one.
   * @param isLast the very last one of the page before, whatever has become of it
   */
  readonly cursor: (isLast: boolean) => string | undefined
  /**
   * Keeps the next page of this round.
   * @param about `spares`: what the page's silence about a thread says nothing of
   * @returns whether it brought a thread that this round had not met
   */
  readonly keepPage: (
    page: readonly FoundThread[],
    about: { readonly isEnd: boolean; readonly spares: (id: string) => boolean },
  ) => boolean
  /** Keeps threads that this computer found, in their order. */
  readonly keepComputer: (found: readonly FoundThread[]) => void
  /** This computer does not find the thread, or not any more. */
  readonly dropComputer: (id: string) => void
  /** What this computer found is found anew. */
  readonly forgetComputer: () => void
}

const byRank = (one: Rank | undefined, other: Rank | undefined): number => {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined)
  return other.round - one.round || one.place - other.place
}

const inOrder = (one: Entry, other: Entry): number =>
  other.time - one.time ||
  byRank(one.platform?.rank, other.platform?.rank) ||
  byRank(one.computer?.rank, other.computer?.rank)

/** The computer's own ID is the one that the reader can find; the platform's is what there is where it found more. */
const matchOf = ({ computer, platform }: Entry): ThreadMatch | null => {
  if (computer !== null && computer.emailId !== null) return { by: 'computer', emailId: computer.emailId }
  return platform !== null && platform.emailId !== null ? { by: 'platform', emailId: platform.emailId } : null
}

export const createResultList = (): ResultList => {
  const entries = new Map<string, Entry>()
  /** Threads that a source does not find any more, as they were found last. */
  const before = new Map<string, Entry>()
  /** Kept until something changes: every window of the list is cut from it. */
  let ordered: readonly Entry[] | null = null
  let round = 0
  /** IDs of this round's pages, in the platform's order. */
  let met: string[] = []
  let metIds = new Set<string>()
  /** The time of the last thread of this round's pages. */
  let frontier = Number.POSITIVE_INFINITY
  let isEnd = false
  let computerRound = 0
  let computerPlaces = 0

  const listed = (): readonly Entry[] => {
    ordered ??= [...entries.values()].filter(({ isListed }) => isListed).sort(inOrder)
    return ordered
  }
  const countSince = (since: number): number => {
    const older = listed().findIndex(({ time }) => time < since)
    return older === -1 ? listed().length : older
  }
  /** The thread as it is found, and was by the source that does not find it any more. */
  const lastOf = (id: string): Entry | undefined => {
    const [now, then] = [entries.get(id), before.get(id)]
    if (now === undefined || then === undefined) return now ?? then
    return { ...now, platform: now.platform ?? then.platform, computer: now.computer ?? then.computer }
  }
  const put = (entry: Entry): void => {
    ordered = null
    const { id, platform, computer } = entry
    const last = lastOf(id)
    const isLost = last !== undefined && (platform ?? last.platform) !== platform
    const isLostHere = last !== undefined && (computer ?? last.computer) !== computer
    if (isLost || isLostHere) before.set(id, last)
    if (platform === null && computer === null) entries.delete(id)
    else entries.set(id, entry)
  }
  const entryOf = (id: string, time: number): Entry =>
    entries.get(id) ?? { id, time, isListed: false, platform: null, computer: null }

  /** Takes back what an earlier round found in the part that a page covers, and the page does not show. */
  const dropCovered = (upTo: number, spares: (id: string) => boolean): void => {
    for (const entry of [...entries.values()]) {
      const { platform, id } = entry
      if (platform === null || platform.rank.round === round) continue
      const isCovered = platform.time <= upTo && (isEnd || platform.time > frontier)
      if (isCovered && !spares(id)) put({ ...entry, platform: null })
    }
  }

  return {
    rows: (held = []) => {
      const others = held.flatMap(({ id, time }) => {
        const entry = lastOf(id)
        return entry === undefined || entries.get(id)?.isListed === true ? [] : [{ ...entry, time }]
      })
      const all = others.length === 0 ? listed() : [...listed(), ...others].sort(inOrder)
      return all.map((entry) => ({ id: entry.id, time: entry.time, match: matchOf(entry) }))
    },
    ids: () => [...entries.keys()],
    isKnown: (id) => entries.has(id),
    isOfPlatform: (id) => (entries.get(id)?.platform ?? null) !== null,
    matchOf: (id) => {
      const [entry, last] = [entries.get(id), lastOf(id)]
      return (entry && matchOf(entry)) ?? (last === undefined ? null : matchOf(last))
    },
    isOfComputer: (id) => (entries.get(id)?.computer ?? null) !== null,
    stand: (id, { time, isListed }) => {
      const entry = entries.get(id)
      if (entry === undefined || (entry.time === time && entry.isListed === isListed)) return false
      put({ ...entry, time, isListed })
      return entry.isListed || isListed
    },
    beginRound: () => {
      round += 1
      met = []
      metIds = new Set()
      frontier = Number.POSITIVE_INFINITY
      isEnd = false
    },
    hasBegun: () => met.length > 0 || isEnd,
    isAtEnd: () => isEnd,
    countOfRound: () => met.length,
    countSettled: () => (isEnd ? listed().length : countSince(frontier)),
    countSince,
    cursor: (isLast) => (isLast ? undefined : met.findLast((id) => entries.get(id)?.isListed === true)) ?? met.at(-1),
    keepPage: (page, about) => {
      const fresh = page.filter(({ id }) => !metIds.has(id))
      const upTo = frontier
      for (const found of fresh) {
        const rank = { round, place: met.length }
        put({ ...entryOf(found.id, found.time), platform: { ...found, rank } })
        met.push(found.id)
        metIds.add(found.id)
      }
      frontier = Math.min(upTo, ...fresh.map(({ time }) => time))
      isEnd = about.isEnd
      dropCovered(upTo, about.spares)
      return fresh.length > 0
    },
    keepComputer: (found) => {
      for (const one of found) {
        const entry = entryOf(one.id, one.time)
        const rank = entry.computer?.rank ?? { round: computerRound, place: computerPlaces }
        computerPlaces += 1
        put({ ...entry, computer: { ...one, rank } })
      }
    },
    dropComputer: (id) => {
      const entry = entries.get(id)
      if (entry !== undefined && entry.computer !== null) put({ ...entry, computer: null })
    },
    forgetComputer: () => {
      computerRound += 1
      for (const entry of [...entries.values()]) if (entry.computer !== null) put({ ...entry, computer: null })
    },
  }
}
