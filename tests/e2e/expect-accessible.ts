import type { Page } from '@playwright/test'
import axeCore, { type RunOptions } from 'axe-core'
import { expect } from './linnet.ts'

declare global {
  // Where its source has been read.
  var axe: typeof axeCore
}

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** What another theme can change. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']
/** What another density can change. */
const SIZE_RULES = ['target-size']

/**
 * What is drawn as a sign alone and can be pressed, and lacks a name for those who listen or one for those who point at it.
 * What is only for those who listen is no word on the screen.
 */
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

/** What lies over the window and takes the keys. */
const OVERLAY = ':is([role="dialog"], [role="menu"])[data-state="open"]'

/**
 * What axe finds by WCAG 2.2 at AA, by the rules that are asked for, and by all of them signs without words as well; what
 * lies inside a mail is its sender's.
 * @param isOverlayAlone of what lies over the window, where something does, and not of what is below it once more
 */
export const findFaults = async (
  page: Page,
  which: 'all' | 'colours' | 'sizes',
  isOverlayAlone = false,
): Promise<readonly string[]> => {
  // Once for each document: half a megabyte of source takes as long to be read as most screens take to be looked at.
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

/** Nothing is to be found in either theme. */
export const expectAccessible = async (page: Page, screen: string): Promise<void> => {
  // The editor itself is looked at, not what stands in its place until it is here.
  await expect(page.getByRole('button', { name: 'Opening the editor' })).toHaveCount(0)
  for (const colorScheme of COLOUR_SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await findFaults(page, colorScheme === 'light' ? 'all' : 'colours'), `${screen}, ${colorScheme}`).toEqual([])
  }
}
