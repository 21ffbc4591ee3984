import type { Page } from '@playwright/test'
import type { Stage } from '../support/screens.ts'
import { expectAccessible } from './expect-accessible.ts'
import { deliverAll, expect, test } from './linnet.ts'

const SUBJECTS = ['Gull on the antenna', 'Fog until noon', 'Fresh paint and fog', 'Fog again']

const saved = (page: Page) => page.getByRole('list', { name: 'Saved searches' })
const links = (page: Page) => saved(page).getByRole('link')
const rows = (page: Page) => page.getByRole('listbox', { name: 'Threads' }).getByRole('option')

/** Records announcements from now on. A late search is announced after the expected text. */
const listenToAnnouncements = async (page: Page): Promise<() => Promise<readonly string[]>> => {
  const heard = await page.locator('[data-announcer]').evaluateHandle((announcer) => {
    const words: string[] = []
    new MutationObserver(() => words.push(announcer.textContent)).observe(announcer, {
      childList: true,
      characterData: true,
      subtree: true,
    })
    return words
  })
  return () => heard.jsonValue()
}

/** Types a search and saves it, by keyboard as far as possible. */
const save = async (page: Page, text: string, name: string | null = null): Promise<void> => {
  await page.getByRole('combobox', { name: 'Search mail' }).fill(text)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Search results', level: 2 })).toBeVisible()
  await page.getByRole('button', { name: 'Save search' }).click()
  const field = page.getByRole('dialog', { name: 'Save search' }).getByLabel('Name')
  await expect(field).toBeFocused()
  await expect(field).toHaveValue(text)
  if (name !== null) await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: name ?? text, level: 2 })).toBeVisible()
}

const saveAndReturn = async ({ page, platform }: Stage): Promise<void> => {
  await save(page, 'fog from:pier', 'Weather')
  const link = links(page).filter({ hasText: 'Weather' })
  await expect(link).toHaveAccessibleName('Weather , 3 unread threads')
  await expect(link).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('button', { name: 'Save search' })).toHaveCount(0)
  await expectAccessible(page, 'a saved search')

  await page.goto(page.url().replace(/#.*/, '#/'))
  await page.reload()
  await expect(links(page)).toHaveAccessibleName(/^Weather , 3 unread/)
  await links(page).click()
  await expect(rows(page)).toHaveCount(3)
  await expect(page.getByRole('heading', { name: 'Weather', level: 2 })).toBeVisible()

  await page.keyboard.press('/')
  await page.keyboard.press('End')
  await page.keyboard.type(' paint')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Search results', level: 2 })).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Save search' }).click()
  await expect(page.getByRole('dialog', { name: 'Save search' }).getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Weather', level: 2 })).toBeVisible()
  await expect(rows(page)).toHaveCount(3)
  await rows(page).first().click()
  await expect(links(page)).toHaveAccessibleName(/^Weather , 2 unread/)
  await platform.deliver({ from: 'pier@harbour.example', subject: 'Fog for good', text: 'It stays.' })
  await page.getByRole('main').focus()
  await page.keyboard.press('F5')
  await expect(links(page)).toHaveAccessibleName(/^Weather , 3 unread/)
}

const putInOrder = async (page: Page): Promise<void> => {
  for (const text of ['fog', 'gull', 'paint']) await save(page, text)
  await expect(links(page)).toHaveText([/fog/, /gull/, /paint/])
  const announced = await listenToAnnouncements(page)
  await links(page).nth(2).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(links(page)).toHaveText([/fog/, /paint/, /gull/])
  await expect(links(page).nth(1)).toBeFocused()
  await expect.poll(announced).toContainEqual(expect.stringMatching(/^paint is now 2 of 3\./))
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('Alt+ArrowUp')
  await expect(links(page)).toHaveText([/paint/, /fog/, /gull/])

  await page.keyboard.press('Tab')
  await expect(saved(page).getByRole('button', { name: 'Actions for paint' })).toBeFocused()
  await page.keyboard.press('Enter')
  const menu = page.getByRole('menu')
  await expect(menu.getByRole('menuitem', { name: 'Move up' })).toHaveAttribute('aria-disabled', 'true')
  await expectAccessible(page, 'the menu of a saved search')
  await menu.getByRole('menuitem', { name: 'Move down' }).click()
  await expect(links(page)).toHaveText([/fog/, /paint/, /gull/])
  await links(page).nth(1).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await menu.getByRole('menuitem', { name: 'Rename' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename saved search' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await expectAccessible(page, 'renaming a saved search')
  await page.keyboard.type('Fresh colours')
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(links(page)).toHaveText([/fog/, /Fresh colours/, /gull/])

  await links(page).nth(1).focus()
  await page.keyboard.press('Delete')
  await expect(links(page)).toHaveText([/fog/, /gull/])
  await expect(links(page).nth(1)).toBeFocused()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(links(page)).toHaveText([/fog/, /Fresh colours/, /gull/])
  await links(page).nth(1).click()
  await expect(page.getByRole('heading', { name: 'Fresh colours', level: 2 })).toBeVisible()
}

test('saves, counts, renames, reorders and deletes searches', async ({ linnet: { page }, platform }) => {
  await deliverAll(page, platform, SUBJECTS)
  await test.step('a saved search shows its unread threads in the side bar, also after a reload', () =>
    saveAndReturn({ page, platform }))
  await links(page).press('Delete')
  await expect(links(page)).toHaveCount(0)
  await test.step('saved searches are renamed, reordered and deleted by keyboard, with undo', () => putInOrder(page))
})
