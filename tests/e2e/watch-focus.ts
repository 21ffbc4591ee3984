import type { Page } from '@playwright/test'

const SIGN = 'The focus was lost after the key'

/** Looks at every frame for a while after a key: longer than any change of the screen that the key brings about takes to be drawn. */
const watchInPage = (sign: string): void => {
  /** The frame after the change is the one in which a new place is found for the focus; one more is left for a dialog that closes. */
  const MOST_FRAMES = 3
  const WATCHED_FRAMES = 60
  let [key, lost, watched, isWatching] = ['', 0, 0, false]
  const stop = (): void => {
    watched = WATCHED_FRAMES
  }
  const look = (): void => {
    lost = document.activeElement === document.body ? lost + 1 : 0
    if (lost > MOST_FRAMES) {
      console.error(`${sign} ${key}`)
      stop()
    }
    watched += 1
    isWatching = watched <= WATCHED_FRAMES
    if (isWatching) requestAnimationFrame(look)
  }
  const onKeydown = (event: KeyboardEvent): void => {
    // Whoever clicks on nothing has taken the focus off before.
    if (document.activeElement === document.body) return
    ;[key, lost, watched] = [event.key, 0, 0]
    if (!isWatching) requestAnimationFrame(look)
    isWatching = true
  }
  addEventListener('keydown', onKeydown, { capture: true })
  addEventListener('pointerdown', stop, { capture: true })
}

/**
 * Watches from now on, over reloads, too, that no key ever leaves the focus on the document's body, where the next key
 * would have no place and a screen reader would begin at the top.
 * @returns gives the keys that did, in words
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
