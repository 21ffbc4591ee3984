import type { AppLink } from '../shared/app-link.ts'

/** Links that were opened and that no window has taken yet. */
export interface LinkQueue {
  /** A link was opened: every window hears of it, and the first that can follow it takes it. */
  readonly add: (link: AppLink) => void
  /** The oldest that waits; null where none does. Whoever takes it follows it: no other window does. */
  readonly take: () => AppLink | null
}

/** Where no window takes them, the newest are what is wanted. */
const MOST = 10

/** @param waiting tells the windows that there is one */
export const createLinkQueue = (waiting: () => void): LinkQueue => {
  let links: readonly AppLink[] = []
  return {
    add: (link) => {
      links = [...links, link].slice(-MOST)
      waiting()
    },
    take: () => {
      const [first = null, ...rest] = links
      links = rest
      return first
    },
  }
}
