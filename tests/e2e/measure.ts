/** Where things stand in the window, measured when they stand still. */
import type { Locator } from '@playwright/test'
import { expect } from './linnet.ts'

/** Pixels, from the left and the top of the window. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Two frames apart, so that what glides or is drawn anew has another box by then. */
const boxAfterFrames = async (place: Locator): Promise<Box | null> => {
  await place.page().evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  return place.boundingBox()
}

/**
 * The box of what is on the screen, once it was measured the same twice: a row that is drawn anew just then has none, and one
 * that others come in above is somewhere else by the time that a pointer gets there.
 * @throws where there is none that stays within the time that an expectation has
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
      { message: `${String(place)} is on the screen and stands still` },
    )
    .toBe(true)
  const box = measured.at(-1)
  if (box === undefined) throw new Error(`${String(place)} is not on the screen.`)
  return box
}

/** The middle of it, for a pointer. */
export const middleOf = async (place: Locator): Promise<readonly [number, number]> => {
  const { x, y, width, height } = await boxOf(place)
  return [x + width / 2, y + height / 2]
}

/** Where it stands, in whole pixels from the top of the window. */
export const topOf = async (place: Locator): Promise<number> => Math.round((await boxOf(place)).y)
