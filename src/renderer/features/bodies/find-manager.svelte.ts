import { SvelteSet } from 'svelte/reactivity'

export interface FindableBody {
  /** The plain text element, or the frame of formatted mail. */
  readonly element: HTMLElement
  /** The element that holds the text, or null until it is drawn. */
  readonly root: () => Element | null
  /** Text that is drawn only on request, if any. */
  readonly unrenderedText?: () => string
  readonly renderMore?: () => void
}

/** State of Find in the reader: where it is open, and the bodies it searches. */
export class FindManager {
  openId = $state.raw<string | null>(null)
  /** Number of times Find was invoked, including while it was open. */
  openCount = $state(0)
  readonly #bodies = new SvelteSet<FindableBody>()
  #drawn = $state(0)
  #before: HTMLElement | null = null

  isOpenIn(id: string | null): boolean {
    return id !== null && this.openId === id
  }

  /** Changes whenever the displayed content changes. */
  get drawn(): number {
    return this.#drawn + this.#bodies.size
  }

  get bodies(): readonly FindableBody[] {
    return [...this.#bodies]
  }

  open(id: string): void {
    const active = document.activeElement
    if (this.openId !== id) this.#before = active instanceof HTMLElement ? active : null
    this.openId = id
    this.openCount += 1
  }

  /** Returns the element that had the focus before Find, if it still exists. */
  close(): HTMLElement | null {
    this.openId = null
    const before = this.#before
    this.#before = null
    return before?.isConnected === true ? before : null
  }

  /** Called when a thread or e-mail leaves the screen: users come back to read, not to search. */
  leave(id: string | null): void {
    if (this.openId === id) this.close()
  }

  /** Registers a displayed body. Returns a function to call when it is gone. */
  add(body: FindableBody): () => void {
    this.#bodies.add(body)
    return () => this.#bodies.delete(body)
  }

  redraw(): void {
    this.#drawn += 1
  }
}
