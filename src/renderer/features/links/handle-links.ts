import { untrack } from 'svelte'
import type { LinksManager } from './links-manager.svelte.ts'
import { toLinkTarget, extractFragment } from './safe-link.ts'
import { getLinkAppearance } from './link-appearance.ts'

/** Doesn't use `instanceof`, since elements in a frame belong to another window. */
const isElement = (target: EventTarget | null): target is Element => target !== null && 'closest' in target

const linkOf = (target: EventTarget | null): HTMLElement | null =>
  isElement(target) ? target.closest<HTMLElement>('a[href], area[href]') : null

const targetOf = (link: Element | null): string | null => toLinkTarget(link?.getAttribute('href') ?? '')

/** Target of a jump within an e-mail: the named element, or the e-mail's start (HTML, "indicated part"). */
const jumpTargetOf = (mail: Element, fragment: string): Element | null => {
  const name = CSS.escape(fragment)
  return (
    (fragment === '' ? null : mail.querySelector(`[id="${name}"], a[name="${name}"]`)) ??
    (/^(?:top)?$/i.test(fragment) ? mail : null)
  )
}

/** Scrolls to an element of an e-mail, and opens folds around it. */
const jumpTo = (place: Element): void => {
  const show = (): void => place.scrollIntoView({ block: 'start' })
  let opened: HTMLDetailsElement | null = null
  for (let fold = place.closest('details'); fold !== null; fold = fold.parentElement?.closest('details') ?? null) {
    if (!fold.open) opened = fold
    fold.open = true
  }
  if (opened === null) show()
  // Scroll only after the frame has grown to fit the opened folds.
  else opened.addEventListener('toggle', () => requestAnimationFrame(show), { once: true })
}

/**
 * Reports the links under the pointer and with the focus, and opens links. @param isPlain true for text without any
 * style of the sender @returns a function that stops this
 */
export const handleLinks = (
  mail: Element,
  links: Pick<LinksManager, 'point' | 'focus' | 'follow'>,
  isPlain = false,
): (() => void) => {
  const ending = new AbortController()
  const { signal } = ending
  const onclick = (event: MouseEvent): void => {
    // The middle button opens links too. The right one opens a menu.
    if (event.button > 1) return
    const link = linkOf(event.target)
    if (link === null) return
    event.preventDefault()
    const fragment = extractFragment(link.getAttribute('href') ?? '')
    const target = targetOf(link)
    if (fragment !== null) {
      const place = jumpTargetOf(mail, fragment)
      if (place !== null) jumpTo(place)
    } else if (target !== null) {
      // A key press has no position.
      const point = event.detail === 0 ? null : { x: event.clientX, y: event.clientY }
      const seen = isPlain ? { words: [link.textContent] } : getLinkAppearance(link, mail, point)
      links.follow(target, seen, link)
    }
  }
  for (const type of ['click', 'auxclick'] as const)
    mail.addEventListener(type, (event) => onclick(event as MouseEvent), { signal })
  // A dropped link would open without a question.
  mail.addEventListener('dragstart', (event) => linkOf(event.target) !== null && event.preventDefault(), { signal })
  mail.addEventListener('pointerover', ({ target }) => links.point(targetOf(linkOf(target))), { signal })
  mail.addEventListener('pointerleave', () => links.point(null), { signal })
  mail.addEventListener('focusin', ({ target }) => links.focus(targetOf(linkOf(target))), { signal })
  // Fires during a Svelte update if a focused link is removed, when state must not change.
  mail.addEventListener('focusout', () => untrack(() => links.focus(null)), { signal })
  return () => {
    ending.abort()
    links.point(null)
    links.focus(null)
  }
}
