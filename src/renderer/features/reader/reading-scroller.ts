declare module '../../kernel/session.ts' {
  interface Session {
    readonly reading: ReadingScroller
  }
}

/** Pixels of the last page that stay in sight, so that a reader finds the line again. */
const KEPT = 40

/** What is being read, whatever has the focus: keys scroll it from the list as well. */
export class ReadingScroller {
  #element: HTMLElement | null = null

  /** An attachment for the element that scrolls. */
  readonly attach = (element: HTMLElement): (() => void) => {
    this.#element = element
    return () => {
      if (this.#element === element) this.#element = null
    }
  }

  /** Scrolls by a page. @returns false where its end in that direction was reached before */
  scroll(direction: 1 | -1): boolean {
    const element = this.#element
    if (element === null) return false
    const before = element.scrollTop
    element.scrollBy({ top: direction * Math.max(KEPT, element.clientHeight - KEPT), behavior: 'instant' })
    return Math.abs(element.scrollTop - before) >= 1
  }
}
