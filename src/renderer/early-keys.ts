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
      target.dispatchEvent(
        new KeyboardEvent('keydown', { ...options, bubbles: true, cancelable: true, composed: true }),
      )
    }
    this.#struck.length = 0
  }
}
