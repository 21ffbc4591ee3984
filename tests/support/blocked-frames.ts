import type { Locator, Page } from '@playwright/test'

/** What a click cost the window, as somebody who goes on scrolling would see it. Milliseconds. */
export interface BlockedFrames {
  /** The longest time without a frame from the click on: nobody who scrolls at any moment waits longer. */
  readonly longest: number
  /** From the click to the frame in which what was clicked is there. */
  readonly untilShown: number
  /** From the click to the frame that shows the list scrolled by a wheel that was turned at once. */
  readonly untilScrolled: number
}

interface Recording {
  click: number
  frames: number[]
  shown: number
  scrolled: number
}

declare global {
  var linnetFrames: Recording | undefined
}

/**
 * Clicks on a row of a list, turns the wheel over it as soon as the page has taken the click, and waits for what the
 * click is to show. Times are those of the page's own clock. What the test waits for before it turns the wheel is part of
 * `untilScrolled`, which so is no shorter than what a person sees. The page itself looks whether it is shown: a test that
 * asks from outside for what a person sees has all elements looked through, and would measure that.
 * @param body selects what the click is to show, a frame of an e-mail or the element of its text
 */
export const measureOpening = async (page: Page, row: Locator, body: string): Promise<BlockedFrames> => {
  await page.evaluate((selector) => {
    const recording: Recording = { click: 0, frames: [], shown: 0, scrolled: 0 }
    globalThis.linnetFrames = recording
    const isShown = (): boolean => {
      const element = document.querySelector(selector)
      if (element instanceof HTMLIFrameElement)
        return (element.contentDocument?.querySelector('#linnet-mail') ?? null) !== null
      return element?.checkVisibility() === true
    }
    const onFrame = (): void => {
      if (globalThis.linnetFrames !== recording) return
      const now = performance.now()
      recording.frames.push(now)
      if (recording.click > 0 && recording.shown === 0 && isShown()) recording.shown = now
      requestAnimationFrame(onFrame)
    }
    requestAnimationFrame(onFrame)
    const onScroll = (event: Event): void => {
      if (!(event.target instanceof Element) || event.target.role !== 'listbox') return
      document.removeEventListener('scroll', onScroll, true)
      requestAnimationFrame(() => (recording.scrolled = performance.now()))
    }
    const onPress = (event: Event): void => {
      recording.click = event.timeStamp
      document.addEventListener('scroll', onScroll, true)
    }
    document.addEventListener('pointerdown', onPress, { capture: true, once: true })
  }, body)
  await row.click()
  await page.mouse.wheel(0, 240)
  await page.waitForFunction(() => {
    const { shown = 0, scrolled = 0 } = globalThis.linnetFrames ?? {}
    return shown > 0 && scrolled > 0 && performance.now() - Math.max(shown, scrolled) > 250
  })
  return page.evaluate(() => {
    const { click, frames, shown, scrolled } = globalThis.linnetFrames ?? {
      click: 0,
      frames: [],
      shown: 0,
      scrolled: 0,
    }
    globalThis.linnetFrames = undefined
    const after = [click, ...frames.filter((frame) => frame > click)]
    const gaps = after.map((frame, index) => frame - (after[index - 1] ?? frame))
    return {
      longest: Math.round(Math.max(...gaps)),
      untilShown: Math.round(shown - click),
      untilScrolled: Math.round(scrolled - click),
    }
  })
}
