import type { Page } from '@playwright/test'

const SIGN = 'The focus was lost after the key'

/** Checks every frame after a key press, for longer than any resulting change takes to draw. */
const watchInPage = (sign: string): void => {
  /** The focus moves to its new element in the frame after the change. One more frame allows for a closing dialog. */
  const MAX_FRAMES = 3
  const WATCHED_FRAMES = 60
  let [key, lost, watched, isWatching] = ['', 0, 0, false]
  const stop = (): void => {
    watched = WATCHED_FRAMES
  }
  const look = (): void => {
    lost = document.activeElement === document.body ? lost + 1 : 0
    if (lost > MAX_FRAMES) {
      console.error(`${sign} ${key}`)
      stop()
    }
    watched += 1
    isWatching = watched <= WATCHED_FRAMES
    if (isWatching) requestAnimationFrame(look)
  }
  const onKeydown = (event: KeyboardEvent): void => {
    // A click on an empty area has already removed the focus.
    if (document.activeElement === document.body) return
    ;[key, lost, watched] = [event.key, 0, 0]
    if (!isWatching) requestAnimationFrame(look)
    isWatching = true
  }
  addEventListener('keydown', onKeydown, { capture: true })
  addEventListener('pointerdown', stop, { capture: true })
}

/**
 * Watches from now on, across reloads too, for keys that leave the focus on the document's body. There the next key
 * would have no target, and a screen reader would start at the top.
 * @returns a function that lists these keys
 */
export const watchFocus = async (page: Page): Promise<() => readonly string[]> => {
  const lost: string[] = []
  page.on('console', (message) => {
    if (message.text().startsWith(SIGN)) lost.push(message.text())
  })
  await page.addInitScript(watchInPage, SIGN)
  await page.evaluate(watchInPage, SIGN)
  return () => lost
}
