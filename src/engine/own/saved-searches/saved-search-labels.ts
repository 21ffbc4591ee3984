import type { Events } from '../../../shared/contract.ts'
import type { Label } from '../../../shared/model.ts'
import { renameLabelsInSearch } from '../../../shared/search/rename-labels.ts'
import { labelsIn } from '../inbox-lookups.ts'
import type { Cache } from '../../store/cache.ts'
import { attempt } from '../../store/storage-problem.ts'

interface SavedSearchLabelsParts {
  readonly cache: Pick<Cache, 'inboxes' | 'labels'>
  /** Inboxes that saved search texts refer to. */
  readonly inboxIds: () => readonly string[]
  /** Rewrites an inbox's saved searches to the labels' current names and IDs. */
  readonly rewrite: (inboxId: string, rename: (text: string) => string, idNow: (id: string) => string) => void
  readonly report: (thrown: unknown) => void
  readonly signal: AbortSignal
}

/** Keeps saved searches pointing at the same labels after renames, new IDs and rejected renames. */
export class SavedSearchLabels {
  readonly #parts: SavedSearchLabelsParts
  readonly #searchLabels = new Map<string, readonly Label[]>()

  constructor(parts: SavedSearchLabelsParts) {
    this.#parts = parts
  }

  /** Call once the cache includes all pending changes, and when more searches are saved. */
  note(): void {
    const { inboxIds, cache, report } = this.#parts
    attempt(() => {
      for (const inboxId of inboxIds())
        if (!this.#searchLabels.has(inboxId)) this.#searchLabels.set(inboxId, labelsIn(cache, inboxId))
    }, report)
  }

  /** Runs in a microtask, so that events it sends don't interrupt the current one. */
  labelsChanged(payload: Events['labels.changed']): void {
    queueMicrotask(() => !this.#parts.signal.aborted && this.#follow(payload))
  }

  #follow({ inboxId, replaced }: Events['labels.changed']): void {
    const before = this.#searchLabels.get(inboxId)
    if (before === undefined) return
    const idNow = (id: string): string => replaced.find(({ was }) => was === id)?.id ?? id
    // On failure the searches stay as they are and catch up with the next label change.
    attempt(() => {
      const now = labelsIn(this.#parts.cache, inboxId)
      this.#parts.rewrite(inboxId, (text) => renameLabelsInSearch(text, before, now, idNow), idNow)
      this.#searchLabels.set(inboxId, now)
    }, this.#parts.report)
  }
}
