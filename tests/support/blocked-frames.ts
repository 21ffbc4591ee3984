import type { Locator, Page } from '@playwright/test'

/** Frame times after a key or a click, in milliseconds. */
interface ShownFrames {
  /** Longest gap between frames after it: the worst case for someone scrolling. */
  readonly longest: number
  /** Time from it to the frame that shows the result. */
  readonly untilShown: number
}

export interface BlockedFrames extends ShownFrames {
  /** Time from the click to the frame that shows the list scrolled by a wheel turned right away. */
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
 * Records frames from the next key or click on. Times are on the page's clock. The page checks visibility itself: a
 * query from the test would traverse all elements and distort the measurement.
 * @param selector the result: an element, or an e-mail's frame
 */
const record = (page: Page, selector: string): Promise<void> =>
  page.evaluate((selector) => {
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
    for (const name of ['pointerdown', 'keydown']) {
      document.addEventListener(name, onPress, { capture: true, once: true })
    }
  }, selector)

/** Waits for the result, and for the list to scroll if it should. */
const finish = async (page: Page, scrolls: boolean): Promise<BlockedFrames> => {
  await page.waitForFunction((scrolls) => {
    const { shown = 0, scrolled = 0 } = globalThis.linnetFrames ?? {}
    return shown > 0 && (!scrolls || scrolled > 0) && performance.now() - Math.max(shown, scrolled) > 250
  }, scrolls)
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

/**
 * Clicks a list row, turns the wheel over it once the page has handled the click, and waits for the result.
 * `untilScrolled` includes the test's wait before the wheel, so it is never shorter than what the user sees.
 * @param body selector of the result: an e-mail's frame or its text element
 */
export const measureOpening = async (page: Page, row: Locator, body: string): Promise<BlockedFrames> => {
  await record(page, body)
  await row.click()
  await page.mouse.wheel(0, 240)
  return finish(page, true)
}

/** Presses a key and waits for its result. @param result selector */
export const measureKey = async (page: Page, key: string, result: string): Promise<ShownFrames> => {
  await record(page, result)
  await page.keyboard.press(key)
  const { longest, untilShown } = await finish(page, false)
  return { longest, untilShown }
}
