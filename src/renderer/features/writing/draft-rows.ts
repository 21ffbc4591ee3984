import type { DraftSummary } from '../../../shared/writing.ts'
import type { Problem } from '../../../shared/result.ts'
import type { RowSource } from '../../ui/row-source.ts'

/** What the drafts are read from: all of them are at hand, and told anew whenever one changes. */
interface DraftSource {
  /** Null while they are read for the first time. */
  readonly drafts: readonly DraftSummary[] | null
  readonly unsent: readonly DraftSummary[]
  readonly problem: Problem | null
  readonly load: () => Promise<void>
}

/** The drafts that are not sent, as the rows of a list. */
export class DraftRows implements RowSource<DraftSummary> {
  readonly freshness = null
  readonly #source: DraftSource

  constructor(source: DraftSource) {
    this.#source = source
  }

  get total(): number {
    return this.#source.unsent.length
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
    return this.#source.unsent[index]
  }

  indexOf(id: string): number {
    return this.#source.unsent.findIndex((draft) => draft.id === id)
  }

  show(): void {
    // All of them are at hand.
  }

  refresh(): void {
    void this.#source.load()
  }
}
