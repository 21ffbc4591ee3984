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

/** Row source of a list that is loaded as a whole. @param list null until the first load succeeds */
export const inMemoryRows = <Row extends { readonly id: string }>(
  list: () => readonly Row[] | null,
  problem: () => Problem | null,
  load: () => Promise<void>,
): RowSource<Row> => ({
  get total() {
    return list()?.length ?? 0
  },
  get phase() {
    if (list() !== null) return 'ready'
    return problem() === null ? 'loading' : 'failed'
  },
  get problem() {
    return problem()
  },
  freshness: null,
  at: (index) => list()?.[index],
  indexOf: (id) => list()?.findIndex((row) => row.id === id) ?? -1,
  show: () => undefined,
  refresh: () => void load(),
})
