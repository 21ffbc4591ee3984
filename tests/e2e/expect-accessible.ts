import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './linnet.ts'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** What another theme can change. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

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

/** WCAG 2.2 at AA, in both themes; what lies inside a mail is its sender's. */
export const expectAccessible = async (page: Page, screen: string): Promise<void> => {
  expect(await signsWithoutWords(page), `${screen}: signs without words`).toEqual([])
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const axe = new AxeBuilder({ page }).setLegacyMode().exclude('iframe')
    const { violations } = await (colorScheme === 'light' ? axe.withTags(RULES) : axe.withRules(COLOUR_RULES)).analyze()
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
    expect(found, `${screen}, ${colorScheme}`).toEqual([])
  }
}
