import { flushSync } from 'svelte'

declare module '../../kernel/session.ts' {
  interface Session {
    readonly reading: ReadingScroller
  }
}

/** Pixels of the last page that stay in sight, so that a reader finds the line again. */
const KEPT = 40

/** What a button that stands for several e-mails is told when keys come to it: 1 from above, -1 from below. */
export const UNFOLD = 'linnet-unfold'
export type UnfoldEvent = CustomEvent<1 | -1>

/** A button between the e-mails at which the keys that go from one to the next stop as well: what was begun below one. */
export const STOP = { 'data-stop': '' } as const

const isBefore = (one: Node, other: Node): boolean =>
  (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0

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

  /** What scrolls; null where nothing is read. */
  get element(): HTMLElement | null {
    return this.#element
  }

  /** Scrolls by a page. @returns false where its end in that direction was reached before */
  scroll(direction: 1 | -1): boolean {
    const element = this.#element
    if (element === null) return false
    const before = element.scrollTop
    element.scrollBy({ top: direction * Math.max(KEPT, element.clientHeight - KEPT), behavior: 'instant' })
    return Math.abs(element.scrollTop - before) >= 1
  }

  /** The e-mail that has the focus itself, and not something inside of it. */
  get emailInFocus(): HTMLElement | null {
    const active = document.activeElement
    return this.#emails.find((email) => email === active) ?? null
  }

  /** Puts the focus on the next or the previous e-mail of a conversation, which unfolds; at either end it stays. */
  goToEmail(delta: 1 | -1): void {
    const stops = this.#stops
    const active = document.activeElement
    const at = stops.findIndex((stop) => stop.contains(active))
    const to = at === -1 ? this.#firstInSight(stops) : at + delta
    const stop = stops[Math.max(0, Math.min(to, stops.length - 1))]
    if (stop?.matches('[data-folded]') !== true) {
      this.#goTo(stop)
      return
    }
    const unfolded: UnfoldEvent = new CustomEvent(UNFOLD, { detail: delta })
    // The next one, once it is there; a button that has the focus itself is gone by then, or stands for fewer.
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

  /** Unfolds or folds the e-mail that has the focus. */
  fold(): void {
    this.emailInFocus?.querySelector<HTMLElement>('button[aria-expanded]')?.click()
  }

  #goTo(stop: HTMLElement | undefined): void {
    stop?.focus({ preventScroll: true })
    // Of what was begun a line is all; an e-mail is read from its beginning on.
    stop?.scrollIntoView({ block: stop.matches('article') ? 'start' : 'center', behavior: 'instant' })
  }

  /** The e-mails, the buttons that stand for several, and what was begun below one. */
  get #stops(): readonly HTMLElement[] {
    const stops = 'article[tabindex], button:is([data-folded], [data-stop])'
    return [...(this.#element?.querySelectorAll<HTMLElement>(stops) ?? [])]
  }

  get #emails(): readonly HTMLElement[] {
    return [...(this.#element?.querySelectorAll<HTMLElement>('article[tabindex]') ?? [])]
  }

  /** The first one whose beginning is in sight or below; where there is none, the last. */
  #firstInSight(emails: readonly HTMLElement[]): number {
    const top = this.#element?.getBoundingClientRect().top ?? 0
    const found = emails.findIndex((email) => email.getBoundingClientRect().top >= top - 1)
    return found === -1 ? emails.length - 1 : found
  }
}
