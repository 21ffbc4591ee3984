import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './linnet.ts'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** What another theme can change. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/** WCAG 2.2 at AA, in both themes; what lies inside a mail is its sender's. */
export const expectAccessible = async (page: Page, screen: string): Promise<void> => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const axe = new AxeBuilder({ page }).setLegacyMode().exclude('iframe')
    const { violations } = await (colorScheme === 'light' ? axe.withTags(RULES) : axe.withRules(COLOUR_RULES)).analyze()
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
    expect(found, `${screen}, ${colorScheme}`).toEqual([])
  }
}
