import type { Locator, Page } from '@playwright/test'

/** What a click cost the window, as somebody who goes on scrolling would see it. Milliseconds. */
export interface BlockedFrames {
  /** The longest time without a frame from the click on: nobody who scrolls at any moment waits longer. */
  readonly longest: number
  /** From the click to the frame that shows the list scrolled by a wheel that was turned at once. */
  readonly untilScrolled: number
}

interface Recording {
  click: number
  frames: number[]
  scrolled: number
}

declare global {
  var linnetFrames: Recording | undefined
}

/**
 * Clicks on a row of a list, turns the wheel over it as soon as the page has taken the click, and waits for what the
 * click is to show. Times are those of the page's own clock. What the test waits for before it turns the wheel is part of
 * `untilScrolled`, which so is no shorter than what a person sees.
 * @param shown resolves when what was clicked is on the screen
 */
export const measureOpening = async (page: Page, row: Locator, shown: () => Promise<void>): Promise<BlockedFrames> => {
  await page.evaluate(() => {
    const recording: Recording = { click: 0, frames: [], scrolled: 0 }
    globalThis.linnetFrames = recording
    const onFrame = (): void => {
      if (globalThis.linnetFrames !== recording) return
      recording.frames.push(performance.now())
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
  })
  await row.click()
  await page.mouse.wheel(0, 240)
  await shown()
  await page.waitForFunction(() => {
    const recording = globalThis.linnetFrames
    return recording !== undefined && recording.scrolled > 0 && performance.now() - recording.scrolled > 250
  })
  return page.evaluate(() => {
    const { click, frames, scrolled } = globalThis.linnetFrames ?? { click: 0, frames: [], scrolled: 0 }
    globalThis.linnetFrames = undefined
    const after = [click, ...frames.filter((frame) => frame > click)]
    const gaps = after.map((frame, index) => frame - (after[index - 1] ?? frame))
    return { longest: Math.round(Math.max(...gaps)), untilScrolled: Math.round(scrolled - click) }
  })
}
