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

  /** The e-mail that has the focus itself, and not something inside of it. */
  get emailInFocus(): HTMLElement | null {
    const active = document.activeElement
    return this.#emails.find((email) => email === active) ?? null
  }

  /** Puts the focus on the next or the previous e-mail of a conversation, which unfolds; at either end it stays. */
  goToEmail(delta: 1 | -1): void {
    const emails = this.#emails
    const active = document.activeElement
    const at = emails.findIndex((email) => email.contains(active))
    const to = at === -1 ? this.#firstInSight(emails) : at + delta
    const email = emails[Math.max(0, Math.min(to, emails.length - 1))]
    email?.focus({ preventScroll: true })
    email?.scrollIntoView({ block: 'start', behavior: 'instant' })
  }

  /** Unfolds or folds the e-mail that has the focus. */
  fold(): void {
    this.emailInFocus?.querySelector<HTMLElement>('button[aria-expanded]')?.click()
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
