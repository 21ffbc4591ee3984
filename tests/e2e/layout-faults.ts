import type { Page } from '@playwright/test'

/**
 * Layout faults at the current window size: text that is clipped without indication or overlaps other text, and
 * controls that can't be scrolled into view or are covered. Checks only the dialog or menu, if one is open.
 * @returns one sentence each
 */
export const layoutFaults = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    interface Box {
      readonly left: number
      readonly top: number
      readonly right: number
      readonly bottom: number
    }
    const meet = (one: Box, other: Box): Box => ({
      left: Math.max(one.left, other.left),
      top: Math.max(one.top, other.top),
      right: Math.min(one.right, other.right),
      bottom: Math.min(one.bottom, other.bottom),
    })
    const isEmpty = ({ left, top, right, bottom }: Box): boolean => right - left < 1 || bottom - top < 1
    const everywhere: Box = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity }
    const windowBox: Box = { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
    const scrolls = (value: string): boolean => value === 'auto' || value === 'scroll'
    const around = (element: Element | null): readonly Element[] =>
      element === null ? [] : [element, ...around(element.parentElement)]
    /** True for screen reader text, closing elements, and elements made unreachable on purpose. */
    const isUnseen = (element: Element): boolean =>
      !element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
      element.closest('[inert]') !== null ||
      element.closest('[data-state="closed"]:is([role="dialog"], [role="menu"])') !== null ||
      around(element).some((each) => getComputedStyle(each).clipPath !== 'none')

    const overlay = [...document.querySelectorAll('[role="dialog"], [role="menu"]')].findLast((each) => !isUnseen(each))
    const scope = overlay ?? document.body
    const faults: string[] = []

    /** The visible part of a line of text, and whether it is clipped without indication or scrolling. */
    const seenOf = (line: Box, element: Element | null): { readonly box: Box; readonly isCut: boolean } => {
      let box = line
      let isCut = false
      for (const parent of around(element)) {
        const { overflowX, overflowY, textOverflow, webkitLineClamp, position } = getComputedStyle(parent)
        const edge = parent.getBoundingClientRect()
        if (overflowX !== 'visible') {
          if (box.right > edge.right + 1 && !scrolls(overflowX) && textOverflow !== 'ellipsis') isCut = true
          box = meet(box, { ...everywhere, left: edge.left, right: edge.right })
        }
        if (overflowY !== 'visible') {
          if (box.bottom > edge.bottom + 2 && !scrolls(overflowY) && webkitLineClamp === 'none') isCut = true
          box = meet(box, { ...everywhere, top: edge.top, bottom: edge.bottom })
        }
        if (position === 'fixed' || isEmpty(box)) break
      }
      // Text entirely above or left of the window was put there on purpose.
      const isAway = box.right <= 0 || box.bottom <= 0
      if (!isEmpty(box) && !isAway && (box.right > windowBox.right + 1 || box.left < -1)) isCut = true
      return { box: meet(box, windowBox), isCut }
    }

    const lines: { readonly words: string; readonly node: Node; readonly box: Box }[] = []
    const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const words = node.textContent?.trim() ?? ''
      const parent = node.parentElement
      if (words === '' || parent === null || isUnseen(parent) || parent.closest('.toasts') !== null) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const seen = [...range.getClientRects()].map((line) => seenOf(line, parent))
      if (seen.some(({ isCut }) => isCut)) faults.push(`cut: “${words.slice(0, 60)}”`)
      for (const { box } of seen) if (!isEmpty(box)) lines.push({ words, node, box })
    }
    lines.forEach(({ words, node, box }, index) => {
      for (const other of lines.slice(index + 1)) {
        const both = meet(box, other.box)
        if (other.node === node || both.right - both.left < 3 || both.bottom - both.top < 5) continue
        const top = document.elementFromPoint((both.left + both.right) / 2, (both.top + both.bottom) / 2)
        // Floating elements, such as a sticky header, cover what scrolls below them.
        const isSeen = (text: Node): boolean => top !== null && (top.contains(text) || text.parentElement === top)
        if (isSeen(node) && isSeen(other.node)) {
          faults.push(`“${words.slice(0, 40)}” lies over “${other.words.slice(0, 40)}”`)
        }
      }
    })

    const CONTROLS =
      'button, a[href], input, select, textarea, summary, [role="menuitem"], [role="switch"], [role="option"]'
    /** The obstacle to a control that was scrolled into view, or null. */
    const hindrance = (control: HTMLElement, drawn: Element): string | null => {
      drawn.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      // A container without a scroll bar can be scrolled only by a script, so reset it.
      for (const parent of around(drawn.parentElement)) {
        if (getComputedStyle(parent).overflow.includes('hidden')) parent.scrollTo(0, 0)
      }
      const [box] = [...drawn.getClientRects()]
      const seen = box === undefined ? null : meet(box, windowBox)
      if (seen === null || isEmpty(seen)) return 'is out of reach'
      const top = document.elementFromPoint((seen.left + seen.right) / 2, (seen.top + seen.bottom) / 2)
      if (top === null || drawn.contains(top) || top.contains(control.closest('label'))) return null
      // Ignore search suggestions, which appear and disappear while typing.
      return top.closest('[aria-label="Search suggestions"]') === null
        ? `is covered by ${top.outerHTML.slice(0, 80)}`
        : null
    }
    for (const control of scope.querySelectorAll<HTMLElement>(CONTROLS)) {
      // Rows of a long list come and go as it scrolls; visible ones are as reachable as the list.
      if (isUnseen(control) || control.closest('main [role="listbox"], .toasts') !== null) continue
      if (control.matches(':disabled, [aria-disabled="true"]')) continue
      // A label represents the field inside it.
      const drawn = control instanceof HTMLInputElement ? (control.closest('label') ?? control) : control
      if (hindrance(control, drawn) === null) continue
      // Some controls appear only on hover or focus.
      const before = document.activeElement
      control.focus({ preventScroll: true })
      const found = hindrance(control, drawn)
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
      const name = (control.getAttribute('aria-label') ?? control.textContent).trim().slice(0, 60)
      if (found !== null) faults.push(`${control.tagName} “${name}” ${found}`)
    }
    return faults
  })
