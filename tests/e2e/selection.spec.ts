import type { Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import type { Stage } from '../support/screens.ts'
import { expect, focused, test } from './linnet.ts'
import { middleOf } from './measure.ts'

test.use({ platformSwitches: ['--threads', '400', '--rate-limit', 'off'] })

/** Hundreds of changes with one request each take more than half a minute on a busy machine. */
const A_LARGE_CHANGE = { timeout: 150_000 }

const threads = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' })
const selected = (page: Page): Locator => threads(page).getByRole('option', { selected: true })
const bar = (page: Page): Locator => page.getByRole('toolbar', { name: 'Selection' })
const heading = (page: Page): Locator => page.getByRole('region', { name: 'Selected threads' }).getByRole('heading')
const total = async (page: Page): Promise<number> =>
  Number(await threads(page).getByRole('option').first().getAttribute('aria-setsize'))
/** Polls because focus moves to the replacement control only in the next frame. */
const expectNeverLost = (page: Page): Promise<void> => expect.poll(() => focused(page)).not.toBe('nothing')

const countThere = async (platform: Platform, folder: string): Promise<number> => {
  let count = 0
  for (let after = '', more = true; more;) {
    const page = (await platform.ask(`/inboxes/${platform.inboxId}/threads?folders=${folder}&limit=100${after}`)) as {
      data: { id: string }[]
      has_more: boolean
    }
    count += page.data.length
    after = `&after=${page.data.at(-1)?.id ?? ''}`
    more = page.has_more && page.data.length > 0
  }
  return count
}

const selectByPointer = async (page: Page): Promise<void> => {
  const option = (index: number): Locator => threads(page).getByRole('option').nth(index)
  await expect(option(8)).toBeVisible()
  await option(1).click()
  await expect(option(1)).toHaveAttribute('aria-selected', 'true')
  await expect(bar(page)).toHaveCount(0)
  // The open thread counts as selected.
  await option(3).click({ modifiers: ['ControlOrMeta'] })
  await expect(selected(page)).toHaveCount(2)
  await expect(option(1)).toHaveAttribute('aria-current', 'true')
  await option(6).click({ modifiers: ['Shift'] })
  await expect(selected(page)).toHaveCount(5)
  await option(3).click({ modifiers: ['ControlOrMeta'] })
  await expect(selected(page)).toHaveCount(4)
  await option(8).hover()
  await option(8).click({ position: { x: 12, y: 12 } })
  await expect(selected(page)).toHaveCount(5)
  // A narrow window has no pane for the actions. The bar has them, with a menu for those that don't fit.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await option(0).click({ modifiers: ['ControlOrMeta'] })
  const things = ['Archive', 'Move to trash', 'Mark as spam', 'Move to…', 'Label…']
  for (const width of [320, 600]) {
    await page.setViewportSize({ width, height: 900 })
    const more = bar(page).getByRole('button', { name: 'More actions' })
    await expect(more).toHaveCount(width === 320 ? 1 : 0)
    const names = await bar(page)
      .getByRole('button')
      .evaluateAll((all) => all.map((each) => each.ariaLabel ?? ''))
    if (width === 320) {
      await more.click()
      await expect(page.getByRole('menu', { name: 'More actions' })).toBeVisible()
      names.push(...(await page.getByRole('menuitem').allInnerTexts()).map((text) => text.split('\n')[0] ?? ''))
      await page.keyboard.press('Escape')
      await expect(more).toBeFocused()
    }
    expect(things.filter((name) => !names.includes(name))).toEqual([])
    await expect.poll(() => bar(page).evaluate((node) => node.scrollWidth <= node.clientWidth)).toBe(true)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await bar(page).getByRole('button', { name: 'Clear selection' }).click()
  await expect(bar(page)).toHaveCount(0)
  await expectNeverLost(page)
  await option(2).click()
  await expect(
    page.getByRole('region', { name: 'Thread', exact: true }).getByRole('heading', { level: 1 }),
  ).toBeVisible()
}

const drag = async ({ page, platform }: Stage): Promise<void> => {
  const { mouse, keyboard } = page
  const option = (index: number): Locator => threads(page).getByRole('option').nth(index)
  const entry = (name: string): Locator =>
    page.getByRole('navigation', { name: 'Mailboxes' }).getByRole('link', { name: new RegExp(`^${name}`) })
  const hold = async (what: Locator, over: Locator): Promise<void> => {
    await mouse.move(...(await middleOf(what)))
    await mouse.down()
    await mouse.move(...(await middleOf(over)), { steps: 4 })
  }
  const before = await countThere(platform, 'inbox')
  await expect.poll(() => total(page)).toBe(before)

  await hold(option(2), entry('Archive'))
  await expect(entry('Archive')).toHaveAttribute('data-drop', 'over')
  await expect(entry('Trash')).toHaveAttribute('data-drop', 'possible')
  // The current folder, and a folder that only the platform fills, refuse drops.
  for (const name of ['Inbox', 'Sent']) await expect(entry(name)).toHaveAttribute('data-drop', 'refused')
  await keyboard.press('Escape')
  await mouse.up()
  await expect(entry('Archive')).not.toHaveAttribute('data-drop')
  expect(await total(page)).toBe(before)

  await hold(option(2), entry('Sent'))
  await mouse.up()
  await expect(entry('Archive')).not.toHaveAttribute('data-drop')
  expect(await total(page)).toBe(before)

  // Dragging another row leaves the selection alone.
  await option(0).click({ modifiers: ['ControlOrMeta'] })
  await hold(option(2), entry('Archive'))
  await mouse.up()
  await expect(page.getByText(/^Archived “/)).toBeVisible()
  await expect.poll(() => total(page)).toBe(before - 1)
  await expect(selected(page)).toHaveCount(1)

  await option(1).click({ modifiers: ['ControlOrMeta'] })
  const sideBar = page.getByRole('navigation', { name: 'Mailboxes' })
  await sideBar.getByRole('button', { name: 'New label' }).click()
  await keyboard.type('Harbour')
  await keyboard.press('Enter')
  const label = entry('Harbour')
  await hold(option(1), label)
  await expect(label).toHaveAttribute('data-drop', 'over')
  await mouse.up()
  await expect(page.getByText('Label “Harbour” added to 2 threads')).toBeVisible()
  await hold(option(1), label)
  await expect(label).toHaveAttribute('data-drop', 'refused')
  await mouse.up()
  for (let undo = 0; undo < 3; undo += 1) await keyboard.press('z')
  await expect.poll(() => total(page)).toBe(before)
  await expectNeverLost(page)
}

const selectByKeys = async ({ page, platform }: Stage): Promise<void> => {
  const { keyboard } = page
  const there = await countThere(platform, 'inbox')
  await expect.poll(() => total(page)).toBe(there)
  await threads(page).focus()
  const name = (await threads(page).getByRole('option').nth(3).getAttribute('id')) ?? ''
  await keyboard.press('x')
  await expect(bar(page)).toContainText('1 selected')
  await keyboard.press('Shift+j')
  await keyboard.press('Shift+j')
  await expect(selected(page)).toHaveCount(3)
  await expect(heading(page)).toHaveText('3 threads selected')
  await expect(page.locator('[data-announcer]')).toHaveText(/3 selected/)
  await expect(threads(page)).toHaveAttribute('aria-multiselectable', 'true')
  await keyboard.press('Shift+k')
  await expect(selected(page)).toHaveCount(2)
  await keyboard.press('Shift+ArrowDown')
  await expect(selected(page)).toHaveCount(3)
  await keyboard.press('Escape')
  await expect(selected(page)).toHaveCount(0)
  await expectNeverLost(page)

  await keyboard.press('.')
  for (const key of ['x', 'Shift+j', 'Shift+j', 'e']) await keyboard.press(key)
  await expect.poll(() => total(page)).toBe(there - 3)
  await expect(page.getByText('Archived 3 threads')).toBeVisible()
  await expect(bar(page)).toHaveCount(0)
  await expect(threads(page)).toBeFocused()
  await expect(threads(page)).toHaveAttribute('aria-activedescendant', name.replace(/3$/, '0'))
  await keyboard.press('z')
  await expect.poll(() => total(page)).toBe(there)
  await expect(selected(page)).toHaveCount(3)
  await expect(threads(page)).toHaveAttribute('aria-activedescendant', name.replace(/3$/, '2'))
  await keyboard.press('Escape')

  // Far more than were ever loaded.
  for (const key of ['*', 'a']) await keyboard.press(key)
  await expect(bar(page)).toContainText(/All \d+ on this page are selected/)
  await bar(page)
    .getByRole('button', { name: `Select all ${there} in Inbox` })
    .press('Enter')
  await expect(bar(page)).toContainText(`All ${there} threads in Inbox are selected`)
  await expectNeverLost(page)
  await keyboard.press('#')
  await expect(page.getByText('All done')).toBeVisible()
  await expectNeverLost(page)
  await expect.poll(() => countThere(platform, 'inbox'), A_LARGE_CHANGE).toBe(0)
  await keyboard.press('z')
  await expect.poll(() => total(page)).toBe(there)
  await expect.poll(() => countThere(platform, 'inbox'), A_LARGE_CHANGE).toBe(there)
  await expectNeverLost(page)
}

test('selects, drags, changes and restores several threads', async ({ linnet: { page }, platform }) => {
  const stage = { page, platform }
  await test.step('the pointer selects threads with Control, Shift and the check box', () => selectByPointer(page))
  await page.keyboard.press('Escape')
  await test.step('threads are dragged to folders and labels, but not to invalid targets', () => drag(stage))
  await page.keyboard.press('Escape')
  await test.step('keys select and change threads, with undo, then select the whole inbox', () => selectByKeys(stage))
})
