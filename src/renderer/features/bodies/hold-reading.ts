/** Pixels below the upper edge of what is read at which a line is looked for: there may be space between two. */
const STEPS = [2, 10, 18, 26, 34]

/** A line of the mail that is at the upper edge of what is read. */
interface Held {
  readonly element: Element
  /** Pixels from the beginning of the mail: scrolling does not change it, what comes above the line does. */
  readonly top: number
}

/**
 * Keeps what stands at the upper edge of what is read in its place when something comes above it in the same mail. What
 * changes above the mail's frame is the browser's (scroll anchoring), which does not look into frames.
 * @param frame as high as its mail, once that was measured
 * @param scroller what scrolls; null where nothing is read
 * @param measure makes the frame as high as its mail: until then there may be nothing to scroll into
 */
export const holdReading = (
  frame: HTMLIFrameElement,
  scroller: () => HTMLElement | null,
  measure: () => Promise<void>,
): {
  /** To be called when the mail may have changed its height. */
  readonly keep: () => Promise<void>
  readonly end: () => void
} => {
  let held: Held | null = null
  let next = 0
  const topOf = (element: Element): number => element.getBoundingClientRect().top + (frame.contentWindow?.scrollY ?? 0)
  const hold = (): void => {
    held = null
    const mail = frame.contentDocument?.getElementById('linnet-mail')
    const area = scroller()
    if (!mail || area?.contains(frame) !== true) return
    const edge = area.getBoundingClientRect().top - frame.getBoundingClientRect().top
    if (edge <= 0) return
    for (const step of STEPS) {
      const element = mail.ownerDocument.elementFromPoint(frame.clientWidth / 2, edge + step)
      if (!element || !mail.contains(element)) continue
      // What is higher holds the picture as well.
      if (element.getBoundingClientRect().height > area.clientHeight / 2) continue
      held = { element, top: topOf(element) }
      return
    }
  }
  const moved = (): number => (held?.element.isConnected === true ? topOf(held.element) - held.top : 0)
  const keep = async (): Promise<void> => {
    await measure()
    const distance = moved()
    if (Math.abs(distance) >= 1) scroller()?.scrollBy({ top: distance, behavior: 'instant' })
    hold()
  }
  const look = (): void => {
    next = 0
    // A picture has its place before it says that it has come, and the browser may scroll for its own reasons meanwhile.
    if (Math.abs(moved()) >= 1) void keep()
    else hold()
  }
  const onscroll = ({ target }: Event): void => {
    if (target === scroller() && next === 0) next = requestAnimationFrame(look)
  }
  // It does not bubble.
  document.addEventListener('scroll', onscroll, { capture: true, passive: true })
  return {
    keep,
    end: () => {
      cancelAnimationFrame(next)
      document.removeEventListener('scroll', onscroll, { capture: true })
    },
  }
}
