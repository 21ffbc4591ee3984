import type { Freshness } from '../../shared/model.ts'
import type { Problem } from '../../shared/result.ts'

/** All known rows of a listbox; some are loaded. */
export interface RowSource<Row> {
  readonly total: number
  readonly phase: 'loading' | 'ready' | 'failed'
  /** Why the newest reading failed; rows that were read before stay. */
  readonly problem: Problem | null
  /** From the last reading, or null. */
  readonly freshness: Freshness | null
  /** Undefined for a row that is still being read. */
  at: (index: number) => Row | undefined
  /** Index of a loaded row, or -1. */
  indexOf: (id: string) => number
  /** Sets the visible rows, and loads them if necessary. */
  show: (first: number, last: number) => void
  /** Loads a row and its neighbours, visible or not; left out if all are loaded. */
  reach?: (index: number) => void
  /** Reads again what is on the screen, and the rest once it is scrolled to. */
  refresh: () => void
}
