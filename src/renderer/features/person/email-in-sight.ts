/** How far into what is in sight an e-mail has to reach to be the one that is read: a share of its height. */
const SHARE = 0.2

const ARTICLE = 'article[data-email-id]'

const articles = (root: ParentNode): readonly HTMLElement[] => [...root.querySelectorAll<HTMLElement>(ARTICLE)]

/**
 * The e-mail of a conversation that a person is at: the one that has the focus, else the topmost in sight of those that are
 * open. What is folded to a line is not read.
 * @returns its ID; null where there is none
 */
export const emailInSight = (root: ParentNode): string | null => {
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
      article.getBoundingClientRect().bottom > top + height * SHARE,
  )
  return found?.dataset.emailId ?? null
}

const isIn = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null

const hasArticles = (target: EventTarget | null): boolean =>
  (target instanceof Element || target instanceof Document) && articles(target).length > 0

/** Where a person is busy with who is shown, or with something that lies over the mail. */
const BUSY_ELSEWHERE = 'aside *, [role="dialog"], [role="menu"]'

/**
 * Calls `look` when another e-mail may be in sight: once a frame at most. Who goes from an e-mail to something else, such as
 * to the topics of its sender, is still at that e-mail until they scroll or come to another one.
 * @returns the function that ends it
 */
export const watchSight = (look: () => void): (() => void) => {
  let frame: number | null = null
  const soon = (): void => {
    frame ??= requestAnimationFrame(() => {
      frame = null
      look()
    })
  }
  const ending = new AbortController()
  const listening = { capture: true, passive: true, signal: ending.signal }
  // A scroll does not bubble.
  document.addEventListener('scroll', ({ target }) => hasArticles(target) && soon(), listening)
  for (const name of ['focusin', 'click'] as const) {
    document.addEventListener(name, ({ target }) => isIn(target, ARTICLE) && soon(), listening)
  }
  if (!isIn(document.activeElement, BUSY_ELSEWHERE)) soon()
  return () => {
    ending.abort()
    if (frame !== null) cancelAnimationFrame(frame)
  }
}
