/**
 * Entry point. If the page has a startup snapshot (shared/startup-snapshot.ts), it is painted first, and the app is
 * drawn beneath it. Every import in this file delays that paint.
 */
import './app/tokens.css'
import './app/base.css'
import type { Preferences } from '../shared/preferences.ts'
import { SNAPSHOT_ID, SNAPSHOT_SHEET_ID } from '../shared/startup-snapshot.ts'
import { EarlyKeys, SnapshotCursor } from './early-keys.ts'

/** Limit for each wait below: a hidden page never paints, and a list may fail to load. */
const MAX_WAIT_MS = 1_000

/** Keys from the preferences that the host wrote into the page. The window validates the rest. */
const chosenKeys = ({ dataset }: HTMLElement): Preferences['keys'] =>
  (JSON.parse(dataset.preferences ?? '{}') as Partial<Preferences>).keys ?? {}

const firstPaint = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, MAX_WAIT_MS)
    const painting = new PerformanceObserver(() => {
      painting.disconnect()
      resolve()
    })
    painting.observe({ type: 'paint', buffered: true })
  })

/** Resolves once the full style sheet has loaded. The page embeds only the rules that the snapshot needs. */
const styleSheetLoaded = (): Promise<void> =>
  new Promise((resolve) => {
    const link = document.getElementById(SNAPSHOT_SHEET_ID)
    if (link === null) return resolve()
    setTimeout(resolve, MAX_WAIT_MS)
    link.addEventListener('load', () => resolve())
    link.removeAttribute('disabled')
  })

const listRendered = (target: Element): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, MAX_WAIT_MS)
    const check = (): void => {
      if (target.querySelector('[role="option"]') === null) requestAnimationFrame(check)
      else resolve()
    }
    requestAnimationFrame(check)
  })

const start = async (): Promise<void> => {
  const target = document.querySelector('#app')
  if (target === null) throw new Error('index.html has no #app element.')
  const snapshot = document.getElementById(SNAPSHOT_ID)
  if (snapshot === null) {
    const { openWindow } = await import('./open-window.ts')
    openWindow(target)
    return
  }
  const cursor = new SnapshotCursor(snapshot, chosenKeys(document.documentElement))
  const keys = new EarlyKeys(document, (event) => cursor.follow(event))
  await firstPaint()
  const [{ openWindow, focusFirstControl: focusFirst }] = await Promise.all([
    import('./open-window.ts'),
    styleSheetLoaded(),
  ])
  openWindow(target)
  await listRendered(target)
  snapshot.remove()
  focusFirst()
  keys.dispatch()
}

void start()
