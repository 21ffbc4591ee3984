/** The heading of a list without rows, or of a screen without a list. */
const HEAD = 'main :is(h1, h2)[tabindex]'
/** Best places for the focus, in order: the list, the reader, a heading, else `main`. */
const FOCUS_TARGETS = ['main [role="listbox"]', 'main :is([role="group"], section)[tabindex]', HEAD, 'main'] as const

const isUsable = (element: Element): boolean =>
  element.isConnected && element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled')

export const focusDefaultElement = (): void => {
  const home = FOCUS_TARGETS.flatMap((selector) => [...document.querySelectorAll<HTMLElement>(selector)]).find(isUsable)
  home?.focus({ preventScroll: true })
}

/** The element and its focusable ancestors, innermost first. */
const focusableAround = (element: Element | null): readonly HTMLElement[] => {
  const found = element?.closest<HTMLElement>('[tabindex="0"]') ?? null
  return found === null ? [] : [found, ...focusableAround(found.parentElement)]
}

/**
 * Until the signal aborts, moves the focus from a removed element to its surroundings, or else to the default place,
 * which also gets the initial focus. With the focus on the body, keys do nothing and a screen reader would restart from
 * the top.
 */
export const keepFocus = (signal: AbortSignal): void => {
  let last: Element | null = null
  let around: readonly HTMLElement[] = []
  let frame = 0
  /** True if `main` has the focus only until there is a better place. The user may also focus it directly. */
  let isFocusPending = false
  /** True if a click on an empty area dropped the focus. The focused element is still in place. */
  let isClickedAway = false

  const remember = (): void => {
    isClickedAway = false
    const active = document.activeElement
    if (active === null || active === document.body || active === last) return
    last = active
    around = focusableAround(active.parentElement)
  }
  const goHome = (): void => {
    focusDefaultElement()
    isFocusPending = document.activeElement?.matches('main') === true
  }
  const check = (): void => {
    frame = 0
    const active = document.activeElement
    const isWaiting = isFocusPending && active?.matches('main') === true
    isFocusPending = false
    // An element hidden in this frame keeps the focus until the next.
    if (active !== null && active !== document.body && isUsable(active)) {
      remember()
      // The first heading is a stopgap for an empty or missing list. Any other was focused by the user.
      if (active === [...document.querySelectorAll(HEAD)].find(isUsable) || isWaiting) goHome()
    }
    // The window has just opened. Keys must work in its list without a click.
    else if (last === null) goHome()
    // The element may be usable again: the browser also drops the focus of one that was hidden or moved for a moment.
    else if (!isClickedAway || !isUsable(last)) {
      const next = [last, ...around].find(isUsable)
      last = null
      if (next instanceof HTMLElement) next.focus({ preventScroll: true })
      else goHome()
    }
  }
  const checkSoon = (): void => {
    if (frame === 0) frame = requestAnimationFrame(check)
  }

  const observer = new MutationObserver(checkSoon)
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['class', 'disabled', 'hidden'] })
  document.addEventListener('focusin', remember, { signal })
  const noticeClick = ({ type }: PointerEvent): void => {
    isClickedAway = type === 'pointerdown' || document.activeElement === document.body
  }
  document.addEventListener('pointerdown', noticeClick, { signal, capture: true })
  document.addEventListener('pointerup', noticeClick, { signal, capture: true })
  // Focus that enters an e-mail's frame shows only as the window's blur.
  addEventListener('blur', remember, { signal })
  signal.addEventListener('abort', () => observer.disconnect())
}
