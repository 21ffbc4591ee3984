import type { Problem } from '../../shared/result.ts'
import type { RowSource } from './row-source.ts'

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
