import { isPlainKeyPress } from './kernel/name-key.ts'

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
