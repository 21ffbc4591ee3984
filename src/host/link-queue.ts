import type { WindowLink } from '../shared/app-link.ts'

/** Maximum number of waiting links. If no window takes them, only the newest matter. */
const MAX_LINKS = 10

export class LinkQueue {
  readonly #onWaiting: () => void
  #links: readonly WindowLink[] = []

  /** @param waiting notifies the windows of a new link */
  constructor(waiting: () => void) {
    this.#onWaiting = waiting
  }

  /** Notifies every window. The first that can follow the link takes it. */
  add(link: WindowLink): void {
    this.#links = [...this.#links, link].slice(-MAX_LINKS)
    this.#onWaiting()
  }

  /** Removes and returns the oldest link, or null. The caller must follow it, since no other window will. */
  take(): WindowLink | null {
    const [first = null, ...rest] = this.#links
    this.#links = rest
    return first
  }
}
