import { z } from 'zod'
import type { FactStore } from '../store/facts.ts'
import type { TimedRow } from './walk-page.ts'

/**
 * Sync watermark: the newest rows as of the last complete poll. A poll stops once it meets them. A single time wouldn't
 * do, because one row dated in the future would be newer than all later mail.
 */
export interface Ground {
  /** Newest first. */
  readonly rows: readonly TimedRow[]
  /** Number of these rows that a poll must meet: those dated in the future at that time, plus a few. */
  readonly needed: number
  /** Everything older is known. The oldest time among rows not dated in the future, or null. */
  readonly lowest: number | null
}

export interface NewsPage {
  readonly rows: readonly TimedRow[]
  readonly hasMore: boolean
}

/** Maximum past rows and future-dated rows to keep. */
const MOST_ROWS = 100
const MOST_FUTURE_ROWS = 900
const ROWS_TO_MEET = 8
/** Tolerated difference between both clocks before a row counts as dated in the future. */
const CLOCK_SKEW_MS = 10 * 60_000

const keyOf = ({ id, time }: TimedRow): string => `${time} ${id}`
const isDated = ({ time }: TimedRow): boolean => time > 0

/** Returns true if no new rows can follow. */
const isReached = (ground: Ground, known: ReadonlySet<string>, seen: readonly TimedRow[]): boolean => {
  const met = seen.filter((row) => known.has(keyOf(row))).length
  const last = seen.findLast(isDated)
  return met >= ground.needed || (ground.lowest !== null && last !== undefined && last.time < ground.lowest)
}

/**
 * Reads a list from the top to the watermark or the end. Without a watermark, one page is enough: the crawl fetches the
 * rest.
 * @param fetchPage fetches and stores the page after `after`; null if that cursor has left the list
 * @returns all rows read; null if it couldn't finish
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
    // Stop if the page has no rows that are new to this poll, or no times.
    const leadsOn = hasMore && fresh.some(isDated)
    if (ground === null || !leadsOn || isReached(ground, known, seen)) return seen
    after = rows.at(-1)?.id
  }
}

/** Call after a complete poll. @param now local time, milliseconds since the epoch */
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
    // If damaged, start without a watermark.
    return null
  }
}

export const keepGround = (facts: Pick<FactStore, 'get' | 'set'>, list: string, ground: Ground | null): void => {
  if (ground === null) return
  const text = JSON.stringify({ ...ground, rows: ground.rows.map(({ id, time }) => [id, time]) })
  if (facts.get(nameOf(list)) !== text) facts.set(nameOf(list), text)
}
