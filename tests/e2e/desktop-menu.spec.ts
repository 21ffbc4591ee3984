import type { ElectronApplication, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { expect, goTo, test, type Linnet } from './linnet.ts'

test.skip(({ hostKind }) => hostKind !== 'electron', 'Browsers have their own menu bar.')

interface Shown {
  readonly label: string
  readonly enabled: boolean
  readonly checked: boolean
  readonly accelerator: string | null
}

const itemOf = (electron: ElectronApplication | null, id: string): Promise<Shown | null> | undefined =>
  electron?.evaluate(({ Menu }, wanted) => {
    const item = Menu.getApplicationMenu()?.getMenuItemById(wanted) ?? null
    if (item === null) return null
    const { label, enabled, checked } = item
    return { label, enabled, checked, accelerator: item.accelerator?.toString() ?? null }
  }, id)

const choose = (electron: ElectronApplication | null, id: string): Promise<void> | undefined =>
  electron?.evaluate(({ Menu }, wanted) => {
    Menu.getApplicationMenu()?.getMenuItemById(wanted)?.click()
  }, id)

interface EventOfMenu {
  readonly name: string
  readonly payload: { readonly commandId: string }
}

/**
 * Returns the commands chosen from now on that have reached the window. The window's own listeners run before this one.
 */
const hearMenu = async (page: Page): Promise<() => Promise<readonly string[]>> => {
  const chosen = await page.evaluateHandle(() => {
    const { linnet } = globalThis as { linnet?: { subscribe: (listener: (event: EventOfMenu) => void) => void } }
    const ids: string[] = []
    linnet?.subscribe(({ name, payload }) => {
      if (name === 'menu.chosen') ids.push(payload.commandId)
    })
    return ids
  })
  return () => chosen.jsonValue()
}

const goBackAndForward = async ({ page, electron }: Linnet): Promise<void> => {
  const settings = page.getByRole('heading', { name: 'Settings', level: 1 })
  const list = page.getByRole('main').getByText('Your inbox is empty')
  await expect(list).toBeVisible()
  const press = (button: number): Promise<boolean> =>
    page.evaluate((which) => dispatchEvent(new MouseEvent('mouseup', { button: which })), button)
  const swipe = (direction: string): Promise<boolean | undefined> | undefined =>
    electron?.evaluate(({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.emit('swipe', {}, to), direction)
  const ways = [
    { back: () => page.keyboard.press('Alt+ArrowLeft'), forward: () => page.keyboard.press('Alt+ArrowRight') },
    { back: () => press(3), forward: () => press(4) },
    { back: () => swipe('left'), forward: () => swipe('right') },
  ]
  await goTo(page, '#/settings')
  for (const { back, forward } of ways) {
    await expect(settings).toBeVisible()
    await back()
    await expect(list).toBeVisible()
    await forward()
  }
  await expect(settings).toBeVisible()

  // In a text field the keys move the caret.
  await page
    .getByRole('searchbox')
    .or(page.getByRole('combobox', { name: 'Search' }))
    .first()
    .focus()
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(settings).toBeVisible()
}

const useMenu = async ({ page, electron }: Linnet, platform: Platform): Promise<void> => {
  const rows = page.getByRole('listbox', { name: 'Threads' }).getByRole('option')
  await expect.poll(() => itemOf(electron, 'thread.archive')).toMatchObject({ label: 'Archive (e)', enabled: false })
  await platform.deliver({ from: 'pier@harbour.example', subject: 'Fog until noon', text: 'Fog.' })
  await choose(electron, 'sync.now')
  await expect(rows).toHaveCount(1)
  await expect.poll(() => itemOf(electron, 'thread.archive')).toMatchObject({ enabled: true })
  expect(await itemOf(electron, 'commands.palette')).toMatchObject({ accelerator: 'CommandOrControl+K' })

  // An open dialog blocks commands.
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  const heard = await hearMenu(page)
  await choose(electron, 'thread.archive')
  // Menu choices and keys use different channels; Escape must not arrive first.
  await expect.poll(heard).toEqual(['thread.archive'])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(rows).toHaveCount(1)

  await choose(electron, 'thread.archive')
  await expect(rows).toHaveCount(0)
  await expect.poll(() => itemOf(electron, 'thread.archive')).toMatchObject({ enabled: false })
  await choose(electron, 'thread.undo')
  await expect(rows).toHaveCount(1)

  await choose(electron, 'view.theme.dark')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect.poll(() => itemOf(electron, 'view.theme.dark')).toMatchObject({ checked: true })
  await expect.poll(() => itemOf(electron, 'view.theme.system')).toMatchObject({ checked: false })
  // The theme used before the page loads, and the desktop's own parts, follow the choice as well.
  expect(await electron?.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('dark')

  await goTo(page, '#/settings/keyboard')
  await page.getByRole('button', { name: 'Change keys for Archive' }).click()
  await page.keyboard.press('y')
  await page.keyboard.press('y')
  await expect.poll(() => itemOf(electron, 'thread.archive')).toMatchObject({ label: 'Archive (y y)' })

  const roles = await electron?.evaluate(({ Menu }) =>
    (Menu.getApplicationMenu()?.items ?? []).flatMap(({ submenu }) => submenu?.items.map(({ role }) => role) ?? []),
  )
  for (const role of ['copy', 'paste', 'selectall', 'togglefullscreen', 'quit']) expect(roles).toContain(role)

  await goTo(page, '#/settings/accounts')
  await page.getByRole('button', { name: 'Remove…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove account' }).click()
  await expect.poll(() => itemOf(electron, 'thread.archive')).toBeNull()
}

test('drives the window from the menu bar, with back and forward as in a browser', async ({ linnet, platform }) => {
  await test.step('back and forward work by key, mouse button and gesture', () => goBackAndForward(linnet))
  await linnet.page
    .getByRole('navigation', { name: 'Mailboxes' })
    .getByRole('link', { name: /^Inbox\b/ })
    .click()
  await test.step('the menu bar lists commands with keys, runs them and disables unavailable ones', () =>
    useMenu(linnet, platform))
})
