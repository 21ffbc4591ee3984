/** Screen reader output on a path through the window: roles, names, states and live regions only. */
import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './expect-accessible.ts'
import { deliverAll, expect, focused, goTo, makeLabels, test } from './linnet.ts'
import { watchFocus } from './watch-focus.ts'

const SUBJECTS = ['Gull on the antenna', 'Fog until noon', 'Fresh paint on the rail']

const threads = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' })
const announced = (page: Page): Locator => page.locator('[data-announcer]')
const notices = (page: Page): Locator => page.locator('.toasts[aria-live="polite"]')

/** The row that aria-activedescendant points to, in a list that keeps the focus itself. */
const active = async (page: Page, owner: Locator): Promise<Locator> => {
  await expect(owner).toBeFocused()
  return page.locator(`[id="${await owner.getAttribute('aria-activedescendant')}"]`)
}

const leadsThroughTheWindow = async (page: Page): Promise<void> => {
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - heading "Inbox" [level=2]
    - listbox "Threads":
      - option /^Unread, pier@harbour\\.example, Fresh paint on the rail, .*day, .* at .*/
      - option /^Unread, pier@harbour\\.example, Fog until noon, /
      - option /^Unread, pier@harbour\\.example, Gull on the antenna, /
  `)
  await expect(await active(page, threads(page))).toHaveAccessibleName(/Fresh paint/)
  // The window's first Tab stop leads past the side bar.
  await page.getByRole('button', { name: 'Switch account or inbox' }).focus()
  await page.keyboard.press('Shift+Tab')
  const skip = page.getByRole('button', { name: 'Skip to the list' })
  await expect(skip).toBeFocused()
  await expect(skip).toHaveCSS('clip-path', 'none')
  await page.keyboard.press('Enter')
  await expect(threads(page)).toBeFocused()
  await page.keyboard.press('j')
  await expect(await active(page, threads(page))).toHaveAccessibleName(/Fog until noon/)

  await page.keyboard.press('x')
  await expect(announced(page)).toHaveText(/^1 selected\./)
  await page.keyboard.press('Shift+j')
  await expect(announced(page)).toHaveText(/^2 selected\./)
  await expect(await active(page, threads(page))).toHaveAccessibleName(/Gull/)
  await expect(threads(page)).toMatchAriaSnapshot(`
    - listbox "Threads":
      - option /Fresh paint/
      - option /Fog until noon/ [selected]
      - option /Gull on the antenna/ [selected]
  `)
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toMatchAriaSnapshot(`
    - toolbar "Selection":
      - text: 2 selected
      - button "Clear selection"
  `)
  await expect(page.getByRole('region', { name: 'Selected threads' })).toMatchAriaSnapshot(`
    - heading "2 threads selected" [level=1]
    - list:
      - listitem: /Fog until noon/
      - listitem: /Gull on the antenna/
  `)

  await page.keyboard.press('l')
  const labels = page.getByRole('dialog', { name: 'Labels' })
  const labelField = labels.getByRole('combobox', { name: 'Find or create a label' })
  await expect(await active(page, labelField)).toHaveAccessibleName('Harbour')
  await expect(labels).toMatchAriaSnapshot(`
    - dialog "Labels":
      - heading "Labels" [level=2]
      - combobox "Find or create a label" [expanded]
      - listbox "Labels":
        - option "Harbour" [selected]
        - option "Weather"
      - text: /^On 2 threads/
  `)
  await page.keyboard.press('Space')
  await expect(await active(page, labelField)).toBeChecked()
  await expect(labels.getByRole('button', { name: 'Apply' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(labels).toHaveCount(0)
  await expect(threads(page)).toBeFocused()
  await expect(notices(page)).toContainText('Label “Harbour” added to 2 threads')
  await expect(threads(page).getByRole('option', { name: /Fog until noon/ })).toHaveAccessibleName(/Harbour/)
  await page.keyboard.press('Escape')
  await expect(announced(page)).toHaveText(/^Nothing selected\./)

  // A label on only some of the threads is mixed.
  await page.keyboard.press('Home')
  for (const key of ['x', 'Shift+j', 'l']) await page.keyboard.press(key)
  await expect(await active(page, labelField)).toHaveAccessibleName('Harbour')
  await expect(labels.getByRole('option', { name: 'Harbour' })).toHaveAttribute('aria-checked', 'mixed')
  await page.keyboard.type('zzz')
  await expect(labels).toMatchAriaSnapshot(`
    - listbox "Labels":
      - option "Create “zzz”" [selected]
  `)
  await page.keyboard.press('Escape')
  await expect(threads(page)).toBeFocused()
  await page.keyboard.press('Escape')

  await page.keyboard.press('v')
  const folders = page.getByRole('dialog', { name: 'Move to' })
  const folderField = folders.getByRole('combobox', { name: 'Find a folder' })
  await expect(await active(page, folderField)).toHaveAccessibleName(/^Archive/)
  await expect(folders).toMatchAriaSnapshot(`
    - dialog "Move to":
      - heading "Move to" [level=2]
      - combobox "Find a folder" [expanded]
      - listbox "Folders":
        - option "Inbox, already there" [disabled]
        - option "Archive, e" [selected]
        - option /^Trash, ./
        - option "Spam, !"
  `)
  await page.keyboard.press('ArrowDown')
  await expect(await active(page, folderField)).toHaveAccessibleName('Trash, #')
  await page.keyboard.press('ArrowUp')
  await expect(await active(page, folderField)).toHaveAccessibleName('Archive, e')
  await page.keyboard.press('Enter')
  await expect(folders).toHaveCount(0)
  await expect(notices(page)).toContainText('Archived “Fog until noon”')
  await expect(notices(page).getByRole('button', { name: 'Undo' }).first()).toBeVisible()
  await expect(await active(page, threads(page))).toHaveAccessibleName(/Gull/)

  await page.keyboard.press('ControlOrMeta+k')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  const commandField = palette.getByRole('combobox', { name: 'Type a command' })
  await expect(commandField).toBeFocused()
  await page.keyboard.type('undo')
  await expect(await active(page, commandField)).toHaveAccessibleName('Undo, z')
  await expect(palette).toMatchAriaSnapshot(`
    - dialog "Command palette":
      - heading "Command palette" [level=2]
      - combobox "Type a command" [expanded]: undo
      - listbox "Commands":
        - option "Undo, z" [selected]
  `)
  await page.keyboard.press('Enter')
  await expect(palette).toHaveCount(0)
  await expect(notices(page)).toContainText('Restored “Fog until noon”')
  await expect(threads(page)).toBeFocused()
  await expect(await active(page, threads(page))).toHaveAccessibleName(/Fog until noon/)

  await page.keyboard.press('Enter')
  await expect(announced(page)).toHaveText(/^Thread opened: Fog until noon, 1 message, 1 unread\./)
  await expect(page.getByRole('region', { name: 'Thread', exact: true })).toMatchAriaSnapshot(`
    - toolbar "Thread actions":
      - button "Archive"
    - group "Messages in this thread":
      - heading "Fog until noon" [level=1]
      - article "Message from pier@harbour.example"
  `)
  await page.keyboard.press('Escape')
  await expect(threads(page)).toBeFocused()
}

/**
 * Tabs once around a dialog: every control is a tab stop, and the focus stays inside. Escape then returns the focus to
 * the opener.
 */
const goAround = async (page: Page, name: string | RegExp, opener: () => Promise<string>): Promise<void> => {
  const dialog = page.getByRole('dialog', { name })
  await expect(dialog.getByRole('heading', { level: 2 })).toHaveText(name)
  const isInside = (): Promise<boolean> => dialog.evaluate((element) => element.contains(document.activeElement))
  await expect.poll(isInside).toBe(true)
  const controls = dialog.locator('button, input, select, textarea, a[href]').locator('visible=true')
  /** A group of radio buttons is one tab stop. */
  const stops = await controls.evaluateAll(
    (all) =>
      all.filter((each) => !each.matches(':disabled, [tabindex="-1"]') && !each.matches('[type="radio"]:not(:checked)'))
        .length,
  )
  const names = new Set<string>()
  for (let step = 0; step <= stops; step += 1) {
    await page.keyboard.press('Tab')
    expect(await isInside(), `${String(name)}, Tab ${step}`).toBe(true)
    names.add(
      await page.evaluate(() => {
        const control = document.activeElement
        control?.setAttribute('data-gone-through', '')
        return control?.outerHTML ?? ''
      }),
    )
  }
  const missed = await controls.evaluateAll((all) =>
    all
      .filter((each) => !each.matches(':disabled, [tabindex="-1"], [data-gone-through]'))
      .filter((each) => !each.matches('[type="radio"]:not(:checked)'))
      .map((each) => each.outerHTML.slice(0, 100)),
  )
  expect(missed, String(name)).toEqual([])
  await page.keyboard.press('Shift+Tab')
  expect(await isInside()).toBe(true)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect.poll(() => focused(page)).toBe(await opener())
}

const goesAroundEveryDialog = async (page: Page): Promise<void> => {
  const back = (to: string) => (): Promise<string> => Promise.resolve(to)
  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).press('Enter')

  for (const { key, name } of [
    { key: 'l', name: 'Labels' },
    { key: 'v', name: 'Move to' },
    { key: 'ControlOrMeta+k', name: 'Command palette' },
    { key: '?', name: 'Keyboard shortcuts' },
  ]) {
    await page.keyboard.press(key)
    await goAround(page, name, back('Threads'))
  }
  await press('New label')
  await goAround(page, 'New label', back('New label'))
  await page.getByRole('link', { name: 'Harbour' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Harbour', level: 2 })).toBeVisible()
  await page.getByRole('link', { name: 'Harbour' }).press('F2')
  await goAround(page, 'Edit label', back('A'))
  await page.getByRole('link', { name: 'Harbour' }).press('Delete')
  await goAround(page, 'Delete label “Harbour”', back('A'))

  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await expect(threads(page).getByRole('option')).toHaveCount(SUBJECTS.length)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('article')).toBeVisible()
  await press('Share link')
  await goAround(page, 'Share link', back('Share link'))
  await page.keyboard.press('/')
  await page.keyboard.type('fog')
  await page.keyboard.press('Enter')
  await press('Save search')
  await goAround(page, 'Save search', back('Save search'))

  for (const [section, opener, name] of [
    ['data', 'Clear downloaded mail…', 'Clear downloaded mail'],
    ['accounts', 'Change sign-in', 'Sign in or enter an API key'],
    ['help', 'Copy diagnostics', 'Diagnostics'],
    ['help', 'About Linnet', 'About Linnet'],
  ] as const) {
    await goTo(page, `#/settings/${section}`)
    await press(opener)
    await goAround(page, name, back('BUTTON'))
  }
}

const keepsFocus = async (page: Page): Promise<void> => {
  await goTo(page, '#/')
  await threads(page).focus()
  await page.evaluate(() => document.activeElement?.replaceWith(document.activeElement))
  await expect(threads(page)).toBeFocused()
  // The bar of a selection hides the list's heading like this.
  await page.evaluate(() => document.activeElement?.setAttribute('style', 'visibility: hidden'))
  await page.evaluate(() => document.activeElement?.classList.add('hidden'))
  await expect.poll(() => focused(page)).not.toBe('nothing')
}

test('exposes every screen and every change to screen readers', async ({ launch, dataDirectory, platform }) => {
  const { page } = await launch({ dataDirectory })
  await test.step('the window without an account is accessible', async () => {
    await page.getByRole('button', { name: 'Try the demo' }).waitFor()
    await expectAccessible(page, 'onboarding')
  })
  await page.getByRole('textbox', { name: 'Platform address' }).fill(platform.baseUrl)
  await page.getByLabel('API key').fill(platform.apiKey)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
  const lostFocus = await watchFocus(page)
  await makeLabels(platform, 'Harbour', 'Weather')
  await deliverAll(page, platform, SUBJECTS)
  await expect(page.getByRole('link', { name: 'Weather' })).toBeVisible()
  await test.step('lists, pickers and the palette announce their state', () => leadsThroughTheWindow(page))
  await test.step('every dialog has a name, keeps Tab inside and returns the focus', () => goesAroundEveryDialog(page))
  await test.step('the focus stays in the window when its element is moved or hidden', () => keepsFocus(page))
  expect(lostFocus()).toEqual([])
})
