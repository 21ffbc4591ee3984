import { z } from 'zod'
import type { FactStore } from '../store/facts.ts'
import type { TimedRow } from './walk-page.ts'

/**
 * Where a look for news may stop: the newest rows of a list as the last whole look left them. One time would not do: a
 * single row dated in the future would stand above all that arrives from then on.
 */
export interface Ground {
  /** Newest first. */
  readonly rows: readonly TimedRow[]
  /** How many of them a look must meet again: those dated in the future of that look, and some more. */
  readonly needed: number
  /** Everything older is known: the oldest time of a row that is not dated in the future; null where there is none. */
  readonly lowest: number | null
}

/** A page of a list as a look for news sees it, in the list's order. */
export interface NewsPage {
  readonly rows: readonly TimedRow[]
  readonly hasMore: boolean
}

/** Rows that are kept besides those dated in the future, and of those. */
const MOST_ROWS = 100
const MOST_FUTURE_ROWS = 900
const ROWS_TO_MEET = 8
/** How much the clocks of the two sides may differ before a row counts as dated in the future. */
const CLOCK_SKEW_MS = 10 * 60_000

const keyOf = ({ id, time }: TimedRow): string => `${time} ${id}`
const isDated = ({ time }: TimedRow): boolean => time > 0

/** Whether everything that is new stands above the rows seen so far. */
const isReached = (ground: Ground, known: ReadonlySet<string>, seen: readonly TimedRow[]): boolean => {
  const met = seen.filter((row) => known.has(keyOf(row))).length
  const last = seen.findLast(isDated)
  return met >= ground.needed || (ground.lowest !== null && last !== undefined && last.time < ground.lowest)
}

/**
 * Reads a list from its top until it meets known ground, or its end. Where there is no ground yet, one page is enough:
 * the walk of the list fetches the rest.
 * @param fetchPage keeps the page that follows `after`; null where that cursor has left the list
 * @returns all rows that were seen; null where the look could not come to its end
 */
export const lookForNews = async (
  ground: Ground | null,
  fetchPage: (after: string | undefined) => Promise<NewsPage | null>,
): Promise<readonly TimedRow[] | null> => {
  const known = new Set(ground?.rows.map(keyOf))
  const seen: TimedRow[] = []
  const ids = new Set<string>()
  for (let after: string | undefined; ;) {
    const page = await fetchPage(after)
    if (page === null) return null
    const { rows, hasMore } = page
    const fresh = rows.filter(({ id }) => !ids.has(id))
    for (const row of fresh) {
      ids.add(row.id)
      seen.push(row)
    }
    // A page that brings nothing that this look has not seen, or no time at all, leads nowhere.
    const leadsOn = hasMore && fresh.some(isDated)
    if (ground === null || !leadsOn || isReached(ground, known, seen)) return seen
    after = rows.at(-1)?.id
  }
}

/**
 * The ground for the next look, after a whole one.
 * @param now the time of this computer, milliseconds since the epoch
 */
export const nextGround = (ground: Ground | null, seen: readonly TimedRow[], now: number): Ground | null => {
  const ids = new Set(seen.map(({ id }) => id))
  const dated = seen.filter(isDated)
  if (seen.length > 0 && dated.length === 0) return ground
  const below = (ground?.rows ?? []).filter(({ id }) => !ids.has(id))
  const ordered = [...dated, ...below].sort((a, b) => b.time - a.time)
  const isFuture = ({ time }: TimedRow): boolean => time > now + CLOCK_SKEW_MS
  const future = ordered.filter(isFuture).slice(0, MOST_FUTURE_ROWS)
  const past = ordered.filter((row) => !isFuture(row)).slice(0, MOST_ROWS)
  return { rows: [...future, ...past], needed: future.length + ROWS_TO_MEET, lowest: past.at(-1)?.time ?? null }
}

const kept = z.object({
  rows: z.array(z.tuple([z.string(), z.number()])),
  needed: z.number(),
  lowest: z.number().nullable(),
})
const nameOf = (list: string): string => `ground ${list}`

export const groundOf = (facts: Pick<FactStore, 'get'>, list: string): Ground | null => {
  const text = facts.get(nameOf(list))
  if (text === undefined) return null
  try {
    const { rows, ...stop } = kept.parse(JSON.parse(text))
    return { ...stop, rows: rows.map(([id, time]) => ({ id, time })) }
  } catch {
    // What was damaged in the file is found out anew.
    return null
  }
}

export const keepGround = (facts: Pick<FactStore, 'get' | 'set'>, list: string, ground: Ground | null): void => {
  if (ground === null) return
  const text = JSON.stringify({ ...ground, rows: ground.rows.map(({ id, time }) => [id, time]) })
  if (facts.get(nameOf(list)) !== text) facts.set(nameOf(list), text)
}
