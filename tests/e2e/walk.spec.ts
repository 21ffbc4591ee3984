import type { Page } from '@playwright/test'
import { PREFERENCES } from '../../src/shared/preferences.ts'
import { goToInbox, prepareMailbox, runByPalette, SCREENS, type Screen, type ScreenStage } from '../support/screens.ts'
import { COLOUR_SCHEMES, findFaults } from './expect-accessible.ts'
import { layoutFaults } from './layout-faults.ts'
import { expect, test } from './linnet.ts'

test.use({ dataset: 'demo' })

/**
 * True to check every axe rule on every screen, in both themes and all densities, which takes minutes. By default, only
 * the rules that a theme or density can break are repeated.
 */
const IS_FULL = process.env.LINNET_TEST_WALK === 'full'

const LARGE = { width: 1440, height: 900 }
const SIZES = [
  { name: '900 × 600', width: 900, height: 600 },
  { name: '900 × 600 at 200 %', width: 450, height: 300 },
  { name: '320 pixels', width: 320, height: 640 },
] as const

/** Screens with the most closely spaced targets. */
const DENSE = ['inbox', 'conversation', 'selection', 'label-picker', 'search-results', 'settings', 'contacts']

/** Icons in the colour of their background. */
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

/** Waits two frames, after which layout that depends on the window size is final. */
const resize = async (page: Page, size: { readonly width: number; readonly height: number }): Promise<void> => {
  await page.setViewportSize({ width: size.width, height: size.height })
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))),
  )
}

/** Faults that remain: floating elements are repositioned shortly after a resize. */
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
      // Move the pointer away, so no tooltip opens under it.
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

/** @returns one sentence for each fault caused by the window size or the system's colours */
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

/** Walking all screens takes minutes, so parallel tests share them, each with its own platform and window. */
const PARTS = 2
test.describe.configure({ mode: 'parallel' })

for (const part of Array.from({ length: PARTS }, (_, index) => index)) {
  test(`has no layout, contrast or accessibility faults on any screen: part ${part + 1} of ${PARTS}`, async ({
    linnet,
    platform,
    dataDirectory,
  }) => {
    const { page } = linnet
    const stage = { page, platform, dataDirectory }
    // Consecutive screens, because later ones show what earlier ones leave behind.
    const inPart = SCREENS.slice(
      Math.floor((part * SCREENS.length) / PARTS),
      Math.floor(((part + 1) * SCREENS.length) / PARTS),
    )
    const found: string[] = []
    for (const density of Object.keys(PREFERENCES.density.labels)) {
      // Closes whatever the last screen has left open.
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
