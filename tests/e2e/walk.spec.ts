/** A walk over every screen: what has to hold on all of them is looked at on each. */
import type { Page } from '@playwright/test'
import { DENSITIES } from '../../src/shared/preferences.ts'
import { goToInbox, prepareMailbox, runByPalette, SCREENS, type Screen, type ScreenStage } from '../support/screens.ts'
import { COLOUR_SCHEMES, findFaults } from './expect-accessible.ts'
import { layoutFaults } from './layout-faults.ts'
import { expect, test } from './linnet.ts'

test.use({ dataset: 'demo' })

/** Every rule of axe on every screen in both themes and all densities: minutes, where the ordinary walk takes what can differ. */
const IS_FULL = process.env.LINNET_TEST_WALK === 'full'

const LARGE = { width: 1440, height: 900 }
const SIZES = [
  { name: '900 × 600', width: 900, height: 600 },
  { name: '900 × 600 at 200 %', width: 450, height: 300 },
  { name: '320 pixels', width: 320, height: 640 },
] as const

/** Those on which targets lie closest together. */
const DENSE = ['inbox', 'conversation', 'selection', 'label-picker', 'search-results', 'settings', 'contacts']

/** Signs without words that have the colour of what they stand on. */
const unseenSigns = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const groundOf = (element: Element | null): string => {
      if (element === null) return 'Canvas'
      const { backgroundColor } = getComputedStyle(element)
      return /^rgba\(.*, 0\)$|transparent/.test(backgroundColor) ? groundOf(element.parentElement) : backgroundColor
    }
    return [...document.querySelectorAll('button > svg, a > svg, [role="menuitem"] > svg')]
      .filter((sign) => sign.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((sign) => getComputedStyle(sign).stroke === groundOf(sign.parentElement))
      .map((sign) => sign.parentElement?.outerHTML.slice(0, 120) ?? '')
  })

/** What follows the size of the window is in its place two frames later. */
const resize = async (page: Page, size: { readonly width: number; readonly height: number }): Promise<void> => {
  await page.setViewportSize({ width: size.width, height: size.height })
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))),
  )
}

/** Faults that stay: what floats is put in its place anew a little after the window has another size. */
const lastingFaults = async (page: Page): Promise<readonly string[]> => {
  let faults = await layoutFaults(page)
  for (let looks = 0; faults.length > 0 && looks < 10; looks += 1) {
    await page.waitForTimeout(100)
    faults = await layoutFaults(page)
  }
  return faults
}

const walk = async (
  stage: ScreenStage,
  screens: readonly Screen[],
  look: (screen: Screen) => Promise<void>,
): Promise<void> => {
  for (const screen of screens) {
    if (screen.isRare === true && !IS_FULL) continue
    await test.step(screen.name, async () => {
      await goToInbox(stage)
      await screen.show(stage)
      // No tooltip of where the pointer happens to be.
      await stage.page.mouse.move(0, 0)
      await look(screen)
      await screen.leave?.(stage)
    })
  }
}

test.skip(({ hostKind }) => hostKind === 'electron', 'The window is the same in both hosts.')

test.beforeEach(async ({ linnet, platform }) => {
  test.setTimeout(IS_FULL ? 2_400_000 : 600_000)
  linnet.page.setDefaultTimeout(30_000)
  await prepareMailbox(platform)
  await linnet.page.emulateMedia({ reducedMotion: 'reduce' })
  await linnet.page.keyboard.press('F5')
  await linnet.page.getByRole('link', { name: 'Waiting for ice' }).waitFor()
})

/** @returns a sentence for each fault that the size of the window or the system's colours bring out */
const drawingFaults = async (page: Page): Promise<readonly string[]> => {
  const found: string[] = []
  for (const size of SIZES) {
    await resize(page, size)
    found.push(...(await lastingFaults(page)).map((fault) => `${size.name}: ${fault}`))
  }
  await resize(page, LARGE)
  await page.emulateMedia({ forcedColors: 'active' })
  found.push(...(await unseenSigns(page)).map((sign) => `the system’s colours: ${sign}`))
  await page.emulateMedia({ forcedColors: null })
  return found
}

/** All screens take minutes: as many tests, each with a platform and a window of its own, take them beside each other. */
const PARTS = 2
test.describe.configure({ mode: 'parallel' })

for (const part of Array.from({ length: PARTS }, (_, index) => index)) {
  test(`nothing is cut, covered or out of reach in small windows, signs are seen in the system’s colours, and axe finds nothing in both themes and all densities: part ${part + 1} of ${PARTS}`, async ({
    linnet,
    platform,
    dataDirectory,
  }) => {
    const { page } = linnet
    const stage = { page, platform, dataDirectory }
    // One after the other: what a screen leaves behind, the next ones show as well.
    const inPart = SCREENS.slice(
      Math.floor((part * SCREENS.length) / PARTS),
      Math.floor(((part + 1) * SCREENS.length) / PARTS),
    )
    const found: string[] = []
    for (const density of DENSITIES) {
      // Whatever the last screen has left open.
      await goToInbox(stage)
      await runByPalette(page, `Density: ${density}`)
      const isWhole = IS_FULL || density === 'normal'
      const screens = isWhole ? inPart : inPart.filter(({ name }) => DENSE.includes(name))
      await walk(stage, screens, async ({ name }) => {
        for (const colorScheme of isWhole ? COLOUR_SCHEMES : (['light'] as const)) {
          await page.emulateMedia({ colorScheme })
          const which = !isWhole ? 'sizes' : IS_FULL || colorScheme === 'light' ? 'all' : 'colours'
          const faults = await findFaults(page, which, !IS_FULL)
          found.push(...faults.map((fault) => `${name}, ${density}, ${colorScheme}: ${fault}`))
        }
        await page.emulateMedia({ colorScheme: 'light' })
        if (density === 'normal') found.push(...(await drawingFaults(page)).map((fault) => `${name}, ${fault}`))
      })
    }
    expect(found).toEqual([])
  })
}
