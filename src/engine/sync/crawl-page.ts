import type { ListProgress } from '../store/list-progress.ts'

/** A row of a list that is sorted by time, newest first. */
export interface TimedRow {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly time: number
}

export interface CrawledPage {
  readonly next: ListProgress
  /** Time range that the page covers: `after < time <= upTo`. */
  readonly covers: { readonly after: number; readonly upTo: number }
  /** IDs that the platform's list has in this range. */
  readonly met: ReadonlySet<string>
}

/**
 * Advances a crawl. Cached rows in the covered range that the page lacks have left the list. The next page may have
 * more rows with the last row's time, so that time belongs to the next range.
 */
export const toCrawledPage = (crawl: ListProgress, rows: readonly TimedRow[], hasMore: boolean): CrawledPage => {
  const last = rows.at(-1)
  const upTo = crawl.cursorTime ?? Number.MAX_SAFE_INTEGER
  const met = new Set([...crawl.cursorTies, ...rows.map(({ id }) => id)])
  if (!hasMore || last === undefined) {
    return {
      next: { cursor: null, cursorTime: null, cursorTies: [], rounds: crawl.rounds + 1 },
      covers: { after: Number.MIN_SAFE_INTEGER, upTo },
      met,
    }
  }
  const ties = rows.filter(({ time }) => time === last.time).map(({ id }) => id)
  return {
    next: {
      cursor: last.id,
      cursorTime: last.time,
      cursorTies: last.time === crawl.cursorTime ? [...crawl.cursorTies, ...ties] : ties,
      rounds: crawl.rounds,
    },
    covers: { after: last.time, upTo },
    met,
  }
}
