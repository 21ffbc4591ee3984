import type { Locator } from '@playwright/test'
import { expect } from './linnet.ts'

/** Pixels from the left and the top of the window. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Box after two frames: anything that moves or is redrawn has a different box by then. */
const boxAfterFrames = async (place: Locator): Promise<Box | null> => {
  await place.page().evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  return place.boundingBox()
}

/**
 * Box of an element on the screen, once two measurements agree. A row being redrawn has no box, and one that others
 * push down would move from under the pointer.
 * @throws if there is no stable box within the timeout of an expectation
 */
export const boxOf = async (place: Locator): Promise<Box> => {
  const measured: Box[] = []
  await expect
    .poll(
      async () => {
        const [before, box] = [await place.boundingBox(), await boxAfterFrames(place)]
        if (box !== null) measured.push(box)
        return box !== null && JSON.stringify(box) === JSON.stringify(before)
      },
      { message: `${String(place)} is on the screen and no longer moves` },
    )
    .toBe(true)
  const box = measured.at(-1)
  if (box === undefined) throw new Error(`${String(place)} is not on the screen.`)
  return box
}

export const middleOf = async (place: Locator): Promise<readonly [number, number]> => {
  const { x, y, width, height } = await boxOf(place)
  return [x + width / 2, y + height / 2]
}

/** Whole pixels from the top of the window. */
export const topOf = async (place: Locator): Promise<number> => Math.round((await boxOf(place)).y)
