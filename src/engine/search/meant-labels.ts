import type { Events, LinnetEvent } from '../../shared/contract.ts'
import type { Label } from '../../shared/model.ts'
import { renameLabels } from '../../shared/search/rename-labels.ts'
import { isCorrupt } from '../store/storage-problem.ts'

interface MeantLabelsParts {
  readonly labelsOf: (inboxId: string) => readonly Label[]
  /** The inboxes that texts which are kept look in. */
  readonly inboxIds: () => readonly string[]
  /** Has what is kept for an inbox mean the labels of before, by the names and IDs that they have now. */
  readonly rewrite: (inboxId: string, rename: (text: string) => string, idNow: (id: string) => string) => void
  readonly report: (thrown: unknown) => void
  readonly signal: AbortSignal
}

/**
 * The labels of inboxes, as searches that are kept mean them: one that is renamed, here or elsewhere, or gets another ID, or whose new name is
 * taken back, is the same label to them.
 */
export class MeantLabels {
  readonly #parts: MeantLabelsParts
  readonly #meant = new Map<string, readonly Label[]>()

  constructor(parts: MeantLabelsParts) {
    this.#parts = parts
  }

  /** Call when the cache has everything that waits, and when more is kept. */
  note(): void {
    const { inboxIds, labelsOf } = this.#parts
    this.#unlessCorrupt(() => {
      for (const inboxId of inboxIds()) if (!this.#meant.has(inboxId)) this.#meant.set(inboxId, labelsOf(inboxId))
    })
  }

  onEvent({ name, payload }: LinnetEvent): void {
    // What it changes is told in a turn of its own, not amid what is being told now.
    if (name === 'labels.changed') queueMicrotask(() => !this.#parts.signal.aborted && this.#follow(payload))
  }

  #follow({ inboxId, replaced }: Events['labels.changed']): void {
    const before = this.#meant.get(inboxId)
    if (before === undefined) return
    const idNow = (id: string): string => replaced.find(({ was }) => was === id)?.id ?? id
    // Where that fails they mean what they meant before, and follow with the next change of a label.
    this.#unlessCorrupt(() => {
      const now = this.#parts.labelsOf(inboxId)
      this.#parts.rewrite(inboxId, (text) => renameLabels(text, before, now, idNow), idNow)
      this.#meant.set(inboxId, now)
    })
  }

  /** An account whose cache is damaged is about to be opened anew. */
  #unlessCorrupt(work: () => void): void {
    try {
      work()
    } catch (thrown) {
      if (!isCorrupt(thrown)) this.#parts.report(thrown)
    }
  }
}
