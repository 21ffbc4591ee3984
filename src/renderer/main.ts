/**
 * The first lines of the window. Where the page has a still (shared/still.ts), that is painted first, and the window is drawn below it.
 * Whatever this file imports stands between a person and that.
 */
import './app/tokens.css'
import './app/base.css'
import type { Preferences } from '../shared/preferences.ts'
import { STILL_ID, STILL_SHEET_ID } from '../shared/still.ts'
import { EarlyKeys } from './early-keys.ts'
import { StillCursor } from './still-cursor.ts'

/** A page that is not painted, as nobody sees it, goes on all the same; so does a list that does not come. */
const PATIENCE_MS = 1_000

/** What the host wrote into its page; reading it as a whole is the window's part. */
const chosenKeys = ({ dataset }: HTMLElement): Preferences['keys'] =>
  (JSON.parse(dataset.preferences ?? '{}') as Partial<Preferences>).keys ?? {}

/** Resolves once the page as it came is on the screen. */
const painted = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS)
    const painting = new PerformanceObserver(() => {
      painting.disconnect()
      resolve()
    })
    painting.observe({ type: 'paint', buffered: true })
  })

/** Resolves once the window's style sheet is there: what the page brought along of it is what the still needs. */
const wholeSheet = (): Promise<void> =>
  new Promise((resolve) => {
    const link = document.getElementById(STILL_SHEET_ID)
    if (link === null) return resolve()
    setTimeout(resolve, PATIENCE_MS)
    link.addEventListener('load', () => resolve())
    link.removeAttribute('disabled')
  })

/** Resolves in the frame in which the window has rows of its own. */
const drawn = (target: Element): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS)
    const look = (): void => {
      if (target.querySelector('[role="option"]') === null) requestAnimationFrame(look)
      else resolve()
    }
    requestAnimationFrame(look)
  })

const begin = async (): Promise<void> => {
  const target = document.querySelector('#app')
  if (target === null) throw new Error('index.html has the element')
  const still = document.getElementById(STILL_ID)
  if (still === null) {
    const { openWindow } = await import('./open-window.ts')
    openWindow(target)
    return
  }
  const cursor = new StillCursor(still, chosenKeys(document.documentElement))
  const keys = new EarlyKeys(document, (event) => cursor.follow(event))
  await painted()
  const [{ openWindow, focusFirst }] = await Promise.all([import('./open-window.ts'), wholeSheet()])
  openWindow(target)
  await drawn(target)
  still.remove()
  focusFirst()
  keys.strike()
}

void begin()
