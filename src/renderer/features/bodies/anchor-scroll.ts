/** Pixels below the top edge at which to look for a line. Several, as there may be gaps between lines. */
const STEPS = [2, 10, 18, 26, 34]

/** A line of the mail at the top edge of the viewport. */
interface Anchor {
  readonly element: Element
  /** Pixels from the start of the mail. Changes only when content above the line changes, never by scrolling. */
  readonly top: number
}

/**
 * Keeps the top line in place when content above it in the mail changes. Scroll anchoring doesn't look inside frames.
 * @param scroller returns the scrolling element, or null if there is none
 * @param measure makes the frame as tall as its mail; until then there may be nothing to scroll to
 */
export const keepScrollAnchor = (
  frame: HTMLIFrameElement,
  scroller: () => HTMLElement | null,
  measure: () => Promise<void>,
): {
  /** Call when the mail's height may have changed. */
  readonly restore: () => Promise<void>
  readonly end: () => void
} => {
  let anchor: Anchor | null = null
  let next = 0
  const topOf = (element: Element): number => element.getBoundingClientRect().top + (frame.contentWindow?.scrollY ?? 0)
  const setAnchor = (): void => {
    anchor = null
    const mail = frame.contentDocument?.getElementById('linnet-mail')
    const area = scroller()
    if (!mail || area?.contains(frame) !== true) return
    const edge = area.getBoundingClientRect().top - frame.getBoundingClientRect().top
    if (edge <= 0) return
    for (const step of STEPS) {
      const element = mail.ownerDocument.elementFromPoint(frame.clientWidth / 2, edge + step)
      if (!element || !mail.contains(element)) continue
      // A taller element may itself contain the picture.
      if (element.getBoundingClientRect().height > area.clientHeight / 2) continue
      anchor = { element, top: topOf(element) }
      return
    }
  }
  const moved = (): number => (anchor?.element.isConnected === true ? topOf(anchor.element) - anchor.top : 0)
  const restore = async (): Promise<void> => {
    await measure()
    const distance = moved()
    if (Math.abs(distance) >= 1) scroller()?.scrollBy({ top: distance, behavior: 'instant' })
    setAnchor()
  }
  const look = (): void => {
    next = 0
    // A picture takes its space before its load event, and the browser may scroll in between.
    if (Math.abs(moved()) >= 1) void restore()
    else setAnchor()
  }
  const onscroll = ({ target }: Event): void => {
    if (target === scroller() && next === 0) next = requestAnimationFrame(look)
  }
  // Scroll events don't bubble.
  document.addEventListener('scroll', onscroll, { capture: true, passive: true })
  return {
    restore,
    end: () => {
      cancelAnimationFrame(next)
      document.removeEventListener('scroll', onscroll, { capture: true })
    },
  }
}
