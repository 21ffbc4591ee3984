import type { Preferences } from '../shared/preferences.ts'
import { NEXT_ROW, PREVIOUS_ROW } from './features/lists/step-keys.ts'
import { modKeyOf, nameChord } from './kernel/name-key.ts'

/** In a list that has the focus they do the same, whatever keys a person has chosen. */
const ARROWS = [
  ['ArrowDown', NEXT_ROW.step],
  ['ArrowUp', PREVIOUS_ROW.step],
] as const

/**
 * The cursor in a still. It goes where a person leads it, a frame after the key; the window's own has the same keys
 * (`EarlyKeys`), and stands on the same row once it is there.
 */
export class StillCursor {
  readonly #rows: readonly Element[]
  /** Rows to go by each key; empty once it is not known where the window's own will be. */
  readonly #steps: Map<string, number>
  readonly #modKey = modKeyOf(navigator.platform)
  #index = 0

  /** @param chosen the keys that a person has chosen, by their commands (`Preferences`) */
  constructor(still: Element, chosen: Preferences['keys']) {
    this.#rows = [...still.querySelectorAll('main .option')]
    this.#steps = new Map(ARROWS)
    for (const { id, keys, step } of [NEXT_ROW, PREVIOUS_ROW])
      for (const key of chosen[id] ?? keys) this.#steps.set(key, step)
  }

  follow(event: KeyboardEvent): void {
    const step = this.#steps.get(nameChord(event, this.#modKey) ?? '')
    const index = Math.max(0, this.#index + (step ?? 0))
    // Any other key may lead out of the list, or begin a sequence; and a list that is to scroll needs its window.
    if (step === undefined || !this.#isInSight(index)) {
      this.#steps.clear()
      return
    }
    this.#rows[this.#index]?.classList.remove('active')
    this.#rows[index]?.classList.add('active')
    this.#index = index
  }

  #isInSight(index: number): boolean {
    const row = this.#rows[index]
    const list = row?.closest('.viewport')
    if (row === undefined || list === null || list === undefined) return false
    return row.getBoundingClientRect().bottom <= list.getBoundingClientRect().bottom
  }
}
