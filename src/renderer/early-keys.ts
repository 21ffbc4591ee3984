import { isPlain } from './kernel/name-key.ts'

/** Whether a key writes a character. */
const isText = (event: KeyboardEvent): boolean => /^.$/su.test(event.key) && isPlain(event)

/** Writes a character into a field, as the key for it would: the browser does so only for keys of its own. */
const type = (field: HTMLInputElement, data: string): void => {
  const { selectionStart: start, selectionEnd: end } = field
  if (start === null || end === null) return
  field.setRangeText(data, start, end, 'end')
  field.dispatchEvent(new InputEvent('input', { data, inputType: 'insertText', bubbles: true, composed: true }))
}

/** Keys that are struck while a window shows its still: kept, and struck again once there is something that answers them. */
export class EarlyKeys {
  readonly #page: Document
  readonly #listening = new AbortController()
  readonly #struck: KeyboardEvent[] = []

  /** @param onKey called with each as it is struck */
  constructor(page: Document, onKey: (event: KeyboardEvent) => void) {
    this.#page = page
    const keep = (event: KeyboardEvent): void => {
      this.#struck.push(event)
      onKey(event)
    }
    page.addEventListener('keydown', keep, { capture: true, signal: this.#listening.signal })
  }

  /** Strikes them where the focus is now, in their order. */
  strike(): void {
    this.#listening.abort()
    for (const event of this.#struck) {
      const { key, code, location, ctrlKey, shiftKey, altKey, metaKey, repeat } = event
      const target = this.#page.activeElement ?? this.#page.body
      const options = { key, code, location, ctrlKey, shiftKey, altKey, metaKey, repeat }
      const isLeft = target.dispatchEvent(
        new KeyboardEvent('keydown', { ...options, bubbles: true, cancelable: true, composed: true }),
      )
      if (isLeft && isText(event) && target instanceof HTMLInputElement) type(target, key)
    }
    this.#struck.length = 0
  }
}
