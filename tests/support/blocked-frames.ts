import type { Locator, Page } from '@playwright/test'

/** What a click cost the window, as somebody who goes on scrolling would see it. Milliseconds. */
export interface BlockedFrames {
  /** The longest time without a frame from the click on. */
  readonly longest: number
  /** From the click to the frame that shows the list scrolled. */
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
 * Clicks on a row, scrolls the list with the wheel at once, and waits for what the click is to show. Times are those
 * of the page's own clock, so that the test's own delays are not in them.
 * @param list the scrolled element itself, or one around it
 * @param shown resolves when what was clicked is on the screen
 */
export const measureOpening = async (
  page: Page,
  row: Locator,
  list: Locator,
  shown: () => Promise<void>,
): Promise<BlockedFrames> => {
  await page.evaluate(() => {
    const recording: Recording = { click: 0, frames: [], scrolled: 0 }
    globalThis.linnetFrames = recording
    const onFrame = (): void => {
      if (globalThis.linnetFrames !== recording) return
      recording.frames.push(performance.now())
      requestAnimationFrame(onFrame)
    }
    requestAnimationFrame(onFrame)
    const onClick = (event: Event): void => {
      recording.click = event.timeStamp
      const onScroll = (): void => {
        document.removeEventListener('scroll', onScroll, true)
        requestAnimationFrame(() => (recording.scrolled = performance.now()))
      }
      document.addEventListener('scroll', onScroll, true)
    }
    document.addEventListener('pointerdown', onClick, { capture: true, once: true })
  })
  const box = await list.boundingBox()
  if (box === null) throw new Error('The list is not on the screen.')
  await row.click()
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
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
