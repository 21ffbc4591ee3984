import type { AppLink } from '../shared/app-link.ts'

/** If no window takes links, only the newest matter. */
const MOST = 10

/** Links that were opened and that no window has taken yet. */
export class LinkQueue {
  readonly #waiting: () => void
  #links: readonly AppLink[] = []

  /** @param waiting tells the windows that there is one */
  constructor(waiting: () => void) {
    this.#waiting = waiting
  }

  /** Notifies every window; the first that can follow the link takes it. */
  add(link: AppLink): void {
    this.#links = [...this.#links, link].slice(-MOST)
    this.#waiting()
  }

  /** The oldest that waits; null where none does. Whoever takes it follows it: no other window does. */
  take(): AppLink | null {
    const [first = null, ...rest] = this.#links
    this.#links = rest
    return first
  }
}
