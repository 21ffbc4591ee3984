import { parseAddress } from '../../../shared/address.ts'
/** Share of the viewport height that an e-mail must fill to count as being read. */
const MIN_VIEWPORT_SHARE = 0.2

const ARTICLE = 'article[data-email-id]'

const articles = (root: ParentNode): readonly HTMLElement[] => [...root.querySelectorAll<HTMLElement>(ARTICLE)]

/** ID of the e-mail being read: the focused one, else the topmost unfolded one in view, else null. */
export const findVisibleEmailId = (root: ParentNode): string | null => {
  const all = articles(root)
  const active = document.activeElement
  const focused = all.find((article) => article.contains(active))
  if (focused !== undefined) return focused.dataset.emailId ?? null
  const scroller = all[0]?.closest<HTMLElement>('[role="group"]')
  if (scroller === null || scroller === undefined) return null
  const { top, height } = scroller.getBoundingClientRect()
  const found = all.find(
    (article) =>
      article.querySelector('[aria-expanded="true"]') !== null &&
      article.getBoundingClientRect().bottom > top + height * MIN_VIEWPORT_SHARE,
  )
  return found?.dataset.emailId ?? null
}

const isIn = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null

const hasArticles = (target: EventTarget | null): boolean =>
  (target instanceof Element || target instanceof Document) && articles(target).length > 0

/** Focus inside the contact panel or an overlay. */
const OTHER_FOCUS = 'aside *, [role="dialog"], [role="menu"]'

/**
 * Calls `look`, at most once a frame, when the e-mail in view may have changed. Focus elsewhere, such as in the panel,
 * has no effect until the next scroll. Returns a function that stops this.
 */
export const watchVisibleEmail = (look: () => void): (() => void) => {
  let frame: number | null = null
  const soon = (): void => {
    frame ??= requestAnimationFrame(() => {
      frame = null
      look()
    })
  }
  const ending = new AbortController()
  const listening = { capture: true, passive: true, signal: ending.signal }
  // Scroll events don't bubble.
  document.addEventListener('scroll', ({ target }) => hasArticles(target) && soon(), listening)
  for (const name of ['focusin', 'click'] as const) {
    document.addEventListener(name, ({ target }) => isIn(target, ARTICLE) && soon(), listening)
  }
  if (!isIn(document.activeElement, OTHER_FOCUS)) soon()
  return () => {
    ending.abort()
    if (frame !== null) cancelAnimationFrame(frame)
  }
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Unambiguous recipients without duplicates, in order. */
export const listUnambiguousRecipients = (headers: readonly string[]): readonly string[] => {
  const byAddress = new Map<string, string>()
  for (const header of headers) {
    const { address, isUnclear } = parseAddress(header)
    const key = address.toLowerCase()
    if (address !== '' && !isUnclear && !byAddress.has(key)) byAddress.set(key, header)
  }
  return [...byAddress.values()]
}

/** Keeps the recipient already shown, if possible, while the user steps through that person's mail. */
export const pickDisplayedRecipient = (headers: readonly string[], shown: string | null): string | null =>
  headers.find((header) => shown !== null && isSame(parseAddress(header).address, shown)) ?? headers[0] ?? null
