import { isPlainKeyPress, modKeyOf, nameChord } from './kernel/name-key.ts'
import type { Preferences } from '../shared/preferences.ts'
import { NEXT_ROW, PREVIOUS_ROW } from './features/lists/row-navigation.ts'

const isText = (event: KeyboardEvent): boolean => /^.$/su.test(event.key) && isPlainKeyPress(event)

/** Types a character into a field, which browsers don't do for synthetic key events. */
const type = (field: HTMLInputElement, data: string): void => {
  const { selectionStart: start, selectionEnd: end } = field
  if (start === null || end === null) return
  field.setRangeText(data, start, end, 'end')
  field.dispatchEvent(new InputEvent('input', { data, inputType: 'insertText', bubbles: true, composed: true }))
}

/** Records keys pressed during the startup snapshot and replays them once the window can handle them. */
export class EarlyKeys {
  readonly #page: Document
  readonly #listening = new AbortController()
  readonly #events: KeyboardEvent[] = []

  constructor(page: Document, onKey: (event: KeyboardEvent) => void) {
    this.#page = page
    const record = (event: KeyboardEvent): void => {
      this.#events.push(event)
      onKey(event)
    }
    page.addEventListener('keydown', record, { capture: true, signal: this.#listening.signal })
  }

  /** Replays the keys, in order, at the current focus. */
  dispatch(): void {
    this.#listening.abort()
    for (const event of this.#events) {
      const { key, code, location, ctrlKey, shiftKey, altKey, metaKey, repeat } = event
      const target = this.#page.activeElement ?? this.#page.body
      const options = { key, code, location, ctrlKey, shiftKey, altKey, metaKey, repeat }
      const isLeft = target.dispatchEvent(
        new KeyboardEvent('keydown', { ...options, bubbles: true, cancelable: true, composed: true }),
      )
      if (isLeft && isText(event) && target instanceof HTMLInputElement) type(target, key)
    }
    this.#events.length = 0
  }
}

/** The arrow keys work in a focused list even if the user remapped these commands. */
const ARROWS = [
  ['ArrowDown', NEXT_ROW.step],
  ['ArrowUp', PREVIOUS_ROW.step],
] as const

/**
 * The cursor of the startup snapshot, one frame behind the keys. The real list gets the same keys afterwards
 * (`EarlyKeys`), so its cursor ends on the same row.
 */
export class SnapshotCursor {
  readonly #rows: readonly Element[]
  /** Row steps by key. Emptied once the real cursor's position is no longer predictable. */
  readonly #steps: Map<string, number>
  readonly #modKey = modKeyOf(navigator.platform)
  #index = 0

  /** @param chosen the user's shortcuts by command (`Preferences`) */
  constructor(snapshot: Element, chosen: Preferences['keys']) {
    this.#rows = [...snapshot.querySelectorAll('main .option')]
    this.#steps = new Map(ARROWS)
    for (const { id, keys, step } of [NEXT_ROW, PREVIOUS_ROW])
      for (const key of chosen[id] ?? keys) this.#steps.set(key, step)
  }

  follow(event: KeyboardEvent): void {
    const step = this.#steps.get(nameChord(event, this.#modKey) ?? '')
    const index = Math.max(0, this.#index + (step ?? 0))
    // Any other key may leave the list or start a sequence, and the snapshot can't scroll.
    if (step === undefined || !this.#isVisible(index)) {
      this.#steps.clear()
      return
    }
    this.#rows[this.#index]?.classList.remove('active')
    this.#rows[index]?.classList.add('active')
    this.#index = index
  }

  #isVisible(index: number): boolean {
    const row = this.#rows[index]
    const list = row?.closest('.viewport')
    if (row === undefined || list === null || list === undefined) return false
    return row.getBoundingClientRect().bottom <= list.getBoundingClientRect().bottom
  }
}
