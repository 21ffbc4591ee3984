import type { DraftSummary } from '../../../shared/drafts.ts'
import type { Problem } from '../../../shared/result.ts'
import type { RowSource } from '../../ui/row-source.ts'

/** All drafts, reloaded on every change. */
interface DraftSource {
  /** Null during the first load. */
  readonly drafts: readonly DraftSummary[] | null
  readonly problem: Problem | null
  readonly load: () => Promise<void>
}

/** List rows for drafts being written, or for those being sent. */
export class DraftRows implements RowSource<DraftSummary> {
  readonly freshness = null
  readonly #source: DraftSource
  readonly #listed: () => readonly DraftSummary[]

  constructor(source: DraftSource, listed: () => readonly DraftSummary[]) {
    this.#source = source
    this.#listed = listed
  }

  get total(): number {
    return this.#listed().length
  }

  get phase(): RowSource<DraftSummary>['phase'] {
    const { drafts, problem } = this.#source
    if (drafts !== null) return 'ready'
    return problem === null ? 'loading' : 'failed'
  }

  get problem(): Problem | null {
    return this.#source.problem
  }

  at(index: number): DraftSummary | undefined {
    return this.#listed()[index]
  }

  indexOf(id: string): number {
    return this.#listed().findIndex((draft) => draft.id === id)
  }

  show(): void {
    // All rows are loaded.
  }

  refresh(): void {
    void this.#source.load()
  }
}
