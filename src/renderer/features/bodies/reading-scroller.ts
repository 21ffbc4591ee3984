import { flushSync } from 'svelte'

/** Pixels of the previous page that stay visible, so that readers don't lose their place. */
const OVERLAP_PX = 40

/** Event for a button that represents several folded e-mails: 1 when reached from above, -1 from below. */
export const UNFOLD_EVENT = 'linnet-unfold'
export type UnfoldEvent = CustomEvent<1 | -1>

/** Marks buttons where the keys for the next and previous e-mail also stop, such as drafts below an e-mail. */
export const SCROLL_STOP_ATTRIBUTES = { 'data-stop': '' } as const

const isBefore = (one: Node, other: Node): boolean =>
  (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0

/** The text being read. Keys scroll it from anywhere, including the list. */
export class ReadingScroller {
  /** Null while no text is displayed. */
  element: HTMLElement | null = null

  readonly attach = (element: HTMLElement): (() => void) => {
    this.element = element
    return () => {
      if (this.element === element) this.element = null
    }
  }

  /** Scrolls by a page. @returns false if it was already at the end */
  scroll(direction: 1 | -1): boolean {
    const element = this.element
    if (element === null) return false
    const before = element.scrollTop
    element.scrollBy({ top: direction * Math.max(OVERLAP_PX, element.clientHeight - OVERLAP_PX), behavior: 'instant' })
    return Math.abs(element.scrollTop - before) >= 1
  }

  /** The focused e-mail. Null if the focus is elsewhere, including on something inside an e-mail. */
  get emailInFocus(): HTMLElement | null {
    const active = document.activeElement
    return this.#emails.find((email) => email === active) ?? null
  }

  /** Focuses and unfolds the next or previous e-mail of a conversation, if there is one. */
  goToEmail(delta: 1 | -1): void {
    const stops = this.#stops
    const active = document.activeElement
    const at = stops.findIndex((stop) => stop.contains(active))
    const to = at === -1 ? this.#firstVisible(stops) : at + delta
    const stop = stops[Math.max(0, Math.min(to, stops.length - 1))]
    if (stop?.matches('[data-folded]') !== true) {
      this.#goTo(stop)
      return
    }
    const unfolded: UnfoldEvent = new CustomEvent(UNFOLD_EVENT, { detail: delta })
    // Find the neighbours first: after unfolding, the button is gone or represents fewer e-mails.
    const from = this.#emails.findLast((email) => isBefore(email, stop)) ?? null
    const behind = this.#emails.find((email) => isBefore(stop, email)) ?? null
    flushSync(() => stop.dispatchEvent(unfolded))
    const emails = this.#emails
    this.#goTo(
      delta === 1
        ? emails[from === null ? 0 : emails.indexOf(from) + 1]
        : emails[(behind === null ? emails.length : emails.indexOf(behind)) - 1],
    )
  }

  fold(): void {
    this.emailInFocus?.querySelector<HTMLElement>('button[aria-expanded]')?.click()
  }

  #goTo(stop: HTMLElement | undefined): void {
    stop?.focus({ preventScroll: true })
    // A draft is just one line. E-mails are read from the top.
    stop?.scrollIntoView({ block: stop.matches('article') ? 'start' : 'center', behavior: 'instant' })
  }

  /** E-mails, folded groups of e-mails, and drafts. */
  get #stops(): readonly HTMLElement[] {
    const stops = 'article[tabindex], button:is([data-folded], [data-stop])'
    return [...(this.element?.querySelectorAll<HTMLElement>(stops) ?? [])]
  }

  get #emails(): readonly HTMLElement[] {
    return [...(this.element?.querySelectorAll<HTMLElement>('article[tabindex]') ?? [])]
  }

  /** Index of the first e-mail that starts in or below the viewport, otherwise the last. */
  #firstVisible(emails: readonly HTMLElement[]): number {
    const top = this.element?.getBoundingClientRect().top ?? 0
    const found = emails.findIndex((email) => email.getBoundingClientRect().top >= top - 1)
    return found === -1 ? emails.length - 1 : found
  }
}
