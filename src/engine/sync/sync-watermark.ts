import { z } from 'zod'
import { parseJsonAs } from '../../shared/parse-json.ts'
import { catchMissing } from '../platform/platform-problem.ts'
import { PAGE_LIMIT } from '../platform/requests.ts'
import type { AccountMetaStore } from '../store/account-meta.ts'
import type { Clock } from '../timing/clock.ts'
import type { TimedRow } from './crawl-page.ts'

const watermarkSchema = z.object({
  /** Newest first. */
  rows: z.array(z.object({ id: z.string(), time: z.number() })).readonly(),
  /** Number of `rows` that a poll must meet: those dated in the future when this was set, plus a few. */
  needed: z.number(),
  /** The oldest time among rows not dated in the future, or null. Everything older is known. */
  lowest: z.number().nullable(),
})

/**
 * Sync watermark: the newest rows as of the last complete poll. A poll stops once it meets them. A single time wouldn't
 * do, because one row dated in the future would be newer than all later mail.
 */
export type Watermark = Readonly<z.output<typeof watermarkSchema>>

export interface PolledPage {
  readonly rows: readonly TimedRow[]
  readonly hasMore: boolean
}

/** Size of a poll's first page: enough for a quiet half minute. */
const NEWS_LIMIT = 25
/** Maximum past rows and future-dated rows to keep. */
const MAX_ROWS = 100
const MAX_FUTURE_ROWS = 900
const ROWS_TO_MEET = 8
/** Tolerated difference between the local clock and the platform's before a row counts as dated in the future. */
const CLOCK_SKEW_MS = 10 * 60_000

const keyOf = ({ id, time }: TimedRow): string => `${time} ${id}`
const isDated = ({ time }: TimedRow): boolean => time > 0

/** Returns true if no new rows can follow. */
const isReached = (watermark: Watermark, known: ReadonlySet<string>, seen: readonly TimedRow[]): boolean => {
  const met = seen.filter((row) => known.has(keyOf(row))).length
  const last = seen.findLast(isDated)
  return met >= watermark.needed || (watermark.lowest !== null && last !== undefined && last.time < watermark.lowest)
}

/**
 * Reads a list from the top to the watermark or the end. Without a watermark, one page is enough: the crawl fetches the
 * rest.
 * @param fetchPage fetches and stores the page after `after`
 * @returns all rows read; null if a cursor has left the list
 */
export const pollToWatermark = async (
  watermark: Watermark | null,
  fetchPage: (after: string | undefined) => Promise<PolledPage>,
): Promise<readonly TimedRow[] | null> => {
  const known = new Set(watermark?.rows.map(keyOf))
  const seen: TimedRow[] = []
  const ids = new Set<string>()
  for (let after: string | undefined; ;) {
    const page = await (after === undefined ? fetchPage(after) : catchMissing(fetchPage(after)))
    if (page === null) return null
    const { rows, hasMore } = page
    const fresh = rows.filter(({ id }) => !ids.has(id))
    for (const row of fresh) {
      ids.add(row.id)
      seen.push(row)
    }
    // Stop if the page has no rows that are new to this poll, or no times.
    const leadsOn = hasMore && fresh.some(isDated)
    if (watermark === null || !leadsOn || isReached(watermark, known, seen)) return seen
    after = rows.at(-1)?.id
  }
}

/** Call after a complete poll. @param now local time, milliseconds since the epoch */
export const computeWatermark = (
  watermark: Watermark | null,
  seen: readonly TimedRow[],
  now: number,
): Watermark | null => {
  const ids = new Set(seen.map(({ id }) => id))
  const dated = seen.filter(isDated)
  if (seen.length > 0 && dated.length === 0) return watermark
  const below = (watermark?.rows ?? []).filter(({ id }) => !ids.has(id))
  const ordered = [...dated, ...below].sort((a, b) => b.time - a.time)
  const isFuture = ({ time }: TimedRow): boolean => time > now + CLOCK_SKEW_MS
  const future = ordered.filter(isFuture).slice(0, MAX_FUTURE_ROWS)
  const past = ordered.filter((row) => !isFuture(row)).slice(0, MAX_ROWS)
  return { rows: [...future, ...past], needed: future.length + ROWS_TO_MEET, lowest: past.at(-1)?.time ?? null }
}

const nameOf = (list: string): string => `ground ${list}`

/** If it is damaged, start without a watermark. */
const loadWatermark = (accountMeta: Pick<AccountMetaStore, 'get'>, list: string): Watermark | null =>
  parseJsonAs(watermarkSchema, accountMeta.get(nameOf(list)) ?? '')

/** Moves a list's watermark after a complete poll. @param now local time, milliseconds since the epoch */
const moveWatermark = (
  accountMeta: Pick<AccountMetaStore, 'get' | 'set'>,
  list: string,
  seen: readonly TimedRow[],
  now: number,
): void => {
  const next = computeWatermark(loadWatermark(accountMeta, list), seen, now)
  const text = JSON.stringify(next)
  if (next !== null && accountMeta.get(nameOf(list)) !== text) accountMeta.set(nameOf(list), text)
}

/** Sets the watermark of a list that has none, so that the first poll finds everything that arrives from here on. */
export const startWatermark = (...list: Parameters<typeof moveWatermark>): void => {
  const [accountMeta, name] = list
  if (loadWatermark(accountMeta, name) === null) moveWatermark(...list)
}

/**
 * Fetches everything newer than a list's watermark.
 * @param fetchPage fetches and stores a page of `limit` rows after `after`; `isNew` is false without a watermark
 * @returns false if a cursor has left the list. The next poll starts at the top again.
 */
export const pollNews = async (
  accountMeta: Pick<AccountMetaStore, 'get' | 'set'>,
  list: string,
  clock: Pick<Clock, 'now'>,
  fetchPage: (
    page: { readonly after: string | undefined; readonly limit: number },
    isNew: (row: TimedRow) => boolean,
  ) => Promise<PolledPage>,
): Promise<boolean> => {
  const watermark = loadWatermark(accountMeta, list)
  const known = new Set(watermark?.rows.map(({ id }) => id))
  const isNew = ({ id, time }: TimedRow): boolean =>
    watermark !== null && !known.has(id) && time >= (watermark.lowest ?? Number.NEGATIVE_INFINITY)
  const seen = await pollToWatermark(watermark, (after) =>
    fetchPage({ after, limit: after === undefined && watermark !== null ? NEWS_LIMIT : PAGE_LIMIT }, isNew),
  )
  if (seen !== null) moveWatermark(accountMeta, list, seen, clock.now())
  return seen !== null
}
