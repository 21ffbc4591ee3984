import type { Page } from '@playwright/test'
import axeCore, { type RunOptions } from 'axe-core'
import { expect } from './linnet.ts'

declare global {
  // Set once axe's source has been evaluated.
  var axe: typeof axeCore
}

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** Rules that another theme can break. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']
/** Rules that another density can break. */
const SIZE_RULES = ['target-size']

/** Icon-only controls without an accessible name or without a tooltip. Visually hidden text isn't a visible label. */
const signsWithoutWords = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, a[href], summary, [role="button"]')]
      .filter((each) => each.checkVisibility() && each.getBoundingClientRect().width > 0)
      .filter((each) => {
        const seen = each.cloneNode(true) as HTMLElement
        for (const hidden of seen.querySelectorAll('.visually-hidden')) hidden.remove()
        return seen.textContent.trim() === ''
      })
      .filter((each) => {
        const name = each.getAttribute('aria-label') ?? each.textContent
        const isPointedAt = each.title !== '' || 'tooltipTrigger' in each.dataset
        return name.trim() === '' || !isPointedAt
      })
      .map((each) => each.outerHTML.slice(0, 200)),
  )

export const COLOUR_SCHEMES = ['light', 'dark'] as const

/** An open overlay, which receives the keys. */
const OVERLAY = ':is([role="dialog"], [role="menu"])[data-state="open"]'

/**
 * Violations of WCAG 2.2 AA that axe finds with these rules; `all` adds icon-only controls without names. Skips the
 * content of mail, which the sender is responsible for.
 * @param isOverlayAlone checks only an open overlay, and not the window below it again
 */
export const findFaults = async (
  page: Page,
  which: 'all' | 'colours' | 'sizes',
  isOverlayAlone = false,
): Promise<readonly string[]> => {
  // Once per document: reading half a megabyte of source takes as long as checking most screens.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeCore.source)
  const options: RunOptions = {
    runOnly:
      which === 'all'
        ? { type: 'tag', values: RULES }
        : { type: 'rule', values: which === 'colours' ? COLOUR_RULES : SIZE_RULES },
    resultTypes: ['violations'],
    iframes: false,
  }
  const faults = await page.evaluate(
    async ([given, overlay]) => {
      const isAlone = overlay !== null && document.querySelector(overlay) !== null
      const context = { ...(isAlone && { include: [[overlay]] }), exclude: [['iframe']] }
      const { violations } = await globalThis.axe.run(context, given)
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
    },
    [options, isOverlayAlone ? OVERLAY : null] as const,
  )
  return [
    ...faults,
    ...(which === 'all' ? await signsWithoutWords(page) : []).map((html) => `a sign without words: ${html}`),
  ]
}

export const expectAccessible = async (page: Page, screen: string): Promise<void> => {
  // Check the editor itself, not its placeholder.
  await expect(page.getByRole('button', { name: 'Opening the editor' })).toHaveCount(0)
  for (const colorScheme of COLOUR_SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await findFaults(page, colorScheme === 'light' ? 'all' : 'colours'), `${screen}, ${colorScheme}`).toEqual([])
  }
}
