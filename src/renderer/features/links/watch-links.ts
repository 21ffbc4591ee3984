import { untrack } from 'svelte'
import type { LinksManager } from './links-manager.svelte.ts'
import { followedTarget, fragmentOf } from './safe-link.ts'
import { seeLink } from './see-link.ts'

/** A link of another document is no element of this one. */
const isElement = (target: EventTarget | null): target is Element => target !== null && 'closest' in target

const linkOf = (target: EventTarget | null): HTMLElement | null =>
  isElement(target) ? target.closest<HTMLElement>('a[href], area[href]') : null

const targetOf = (link: Element | null): string | null => followedTarget(link?.getAttribute('href') ?? '')

/** Where a link within a mail jumps to: what bears the name, or the mail's beginning (HTML, "indicated part"). */
const placeOf = (mail: Element, fragment: string): Element | null => {
  const name = CSS.escape(fragment)
  return (
    (fragment === '' ? null : mail.querySelector(`[id="${name}"], a[name="${name}"]`)) ??
    (/^(?:top)?$/i.test(fragment) ? mail : null)
  )
}

/** Shows a place of a mail, also within what is folded. */
const jumpTo = (place: Element): void => {
  const show = (): void => place.scrollIntoView({ block: 'start' })
  let opened: HTMLDetailsElement | null = null
  for (let fold = place.closest('details'); fold !== null; fold = fold.parentElement?.closest('details') ?? null) {
    if (!fold.open) opened = fold
    fold.open = true
  }
  if (opened === null) show()
  // The frame has grown by then.
  else opened.addEventListener('toggle', () => requestAnimationFrame(show), { once: true })
}

/**
 * Has the links of a mail said when they are pointed at or have the focus, and followed only through the window.
 * @param mail in which the links are, in this document or in a frame's
 * @returns what ends it
 */
export const watchLinks = (mail: Element, links: LinksManager): (() => void) => {
  const ending = new AbortController()
  const { signal } = ending
  const onclick = (event: Event): void => {
    // The middle button opens a link as well, the right one only a menu.
    if ((event as MouseEvent).button > 1) return
    const link = linkOf(event.target)
    if (link === null) return
    event.preventDefault()
    const fragment = fragmentOf(link.getAttribute('href') ?? '')
    const target = targetOf(link)
    if (fragment !== null) {
      const place = placeOf(mail, fragment)
      if (place !== null) jumpTo(place)
    } else if (target !== null) links.follow(target, seeLink(link, mail), link)
  }
  mail.addEventListener('click', onclick, { signal })
  mail.addEventListener('auxclick', onclick, { signal })
  // Where a link is dropped it is opened, and nobody was asked.
  mail.addEventListener('dragstart', (event) => linkOf(event.target) !== null && event.preventDefault(), { signal })
  mail.addEventListener('pointerover', ({ target }) => links.point(targetOf(linkOf(target))), { signal })
  mail.addEventListener('pointerleave', () => links.point(null), { signal })
  mail.addEventListener('focusin', ({ target }) => links.focus(targetOf(linkOf(target))), { signal })
  // A focused link that is removed says so while Svelte is still drawing, when no state may change.
  mail.addEventListener('focusout', () => untrack(() => links.focus(null)), { signal })
  return () => {
    ending.abort()
    links.point(null)
    links.focus(null)
  }
}
