import type { Freshness } from '../../shared/model.ts'
import type { Problem } from '../../shared/result.ts'

/** Rows for a listbox, as many as are known, of which only some are at hand. */
export interface RowSource<Row> {
  readonly total: number
  readonly phase: 'loading' | 'ready' | 'failed'
  /** Why the newest reading failed; rows that were read before stay. */
  readonly problem: Problem | null
  /** As it was when the list was read; null before that. */
  readonly freshness: Freshness | null
  /** Undefined for a row that is still being read. */
  at: (index: number) => Row | undefined
  /** The row's index among those at hand; -1 where it is not. */
  indexOf: (id: string) => number
  /** Says which rows are on the screen: they are read if they are not at hand. */
  show: (first: number, last: number) => void
  /** Has a row and its neighbours read, whether they are on the screen or not; left out where all are at hand. */
  reach?: (index: number) => void
  /** Reads again what is on the screen, and the rest once it is scrolled to. */
  refresh: () => void
}
