import type { Freshness } from '../../shared/model.ts'
import type { Problem } from '../../shared/result.ts'

/** All known rows of a listbox, some of them loaded. */
export interface RowSource<Row> {
  readonly total: number
  readonly phase: 'loading' | 'ready' | 'failed'
  /** Error of the latest read; rows from earlier reads stay. */
  readonly problem: Problem | null
  readonly freshness: Freshness | null
  /** Undefined while the row loads. */
  at: (index: number) => Row | undefined
  /** Index of a loaded row, or -1. */
  indexOf: (id: string) => number
  /** Sets the visible range, and loads it if necessary. */
  show: (first: number, last: number) => void
  /** Loads a row and its neighbours, visible or not; omitted if all are loaded. */
  ensureLoaded?: (index: number) => void
  /** Reloads the visible rows now, and the others once scrolled into view. */
  refresh: () => void
}
