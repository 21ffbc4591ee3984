import type { Locator, Page } from '@playwright/test'
import { runByPalette } from '../support/screens.ts'
import { expectAccessible } from './expect-accessible.ts'
import { deliverAll, expect, SENDING_AT_ONCE, test } from './linnet.ts'

const GULL = 'Gull on the antenna'
const FOG = 'Fog until noon'
const PAINT = 'Fresh paint on the rail'

const listOf = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' })
const row = (page: Page, subject: string): Locator => listOf(page).getByRole('option').filter({ hasText: subject })
const mailboxes = (page: Page): Locator => page.getByRole('navigation', { name: 'Mailboxes' })
const snoozeUntil = (page: Page): Locator => page.getByRole('dialog', { name: 'Snooze until' })
const conversation = (page: Page): Locator => page.getByRole('region', { name: 'Thread', exact: true })
test.use({ preferences: SENDING_AT_ONCE })

const status = (page: Page): Locator => page.getByRole('status').first()

const search = async (page: Page, text: string): Promise<void> => {
  await page.keyboard.press('/')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

interface Verb {
  readonly key: string
  /** In a row's menu and in the palette. */
  readonly name: string
  readonly picker?: string
  readonly operator: string
  /** Text that the row then shows; null if the thread leaves the inbox. */
  readonly says: RegExp | null
}

const VERBS: readonly Verb[] = [
  { key: 's', name: 'Star', operator: 'is:starred', says: /starred/ },
  { key: 'h', name: 'Snooze…', picker: 'Snooze until', operator: 'is:snoozed', says: null },
  {
    key: 'Shift+h',
    name: 'Remind me if no one replies…',
    picker: 'Remind me if no one replies',
    operator: 'is:reminder',
    says: /comes back .* if no one replies/,
  },
  { key: 'm', name: 'Mute', operator: 'is:muted', says: null },
]

/** Ways to set a mark, each with its usual undo. */
const WAYS = {
  key: {
    run: (page: Page, { key }: Verb) => page.keyboard.press(key),
    undo: (page: Page) => page.keyboard.press('z'),
  },
  pointer: {
    run: async (page: Page, { name }: Verb) => {
      await row(page, FOG).click({ button: 'right' })
      await page.getByRole('menuitem', { name }).click()
    },
    undo: (page: Page) => page.locator('.toasts').getByRole('button', { name: 'Undo' }).click(),
  },
  palette: {
    run: (page: Page, { name }: Verb) => runByPalette(page, name),
    undo: (page: Page) => runByPalette(page, 'Undo'),
  },
} as const

test('sets, finds and undoes every mark by key, pointer and palette while offline', async ({
  linnet: { page },
  platform,
}) => {
  await deliverAll(page, platform, [GULL, FOG])
  await platform.pause()
  await test.step('by buttons on a wide row', async () => {
    await runByPalette(page, 'Reading pane: off')
    const button = (name: string): Locator => row(page, FOG).locator(`[data-action="${name}"]`)
    await row(page, FOG).hover()
    await button('Star').click()
    await expect(row(page, FOG)).toHaveAccessibleName(/starred/)
    await button('Remove star').click()
    await expect(row(page, FOG)).not.toHaveAccessibleName(/starred/)
    await button('Snooze…').click()
    await expect(snoozeUntil(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await runByPalette(page, 'Reading pane: right')
    await row(page, FOG).hover()
    await expect(button('Star')).toBeHidden()
    await listOf(page).focus()
  })
  for (const verb of VERBS) {
    const isSet = (is: boolean): Promise<void> =>
      verb.says === null
        ? expect(row(page, FOG)).toHaveCount(is ? 0 : 1)
        : is
          ? expect(row(page, FOG)).toHaveAccessibleName(verb.says)
          : expect(row(page, FOG)).not.toHaveAccessibleName(verb.says)
    for (const [name, way] of Object.entries(WAYS)) {
      await test.step(`${verb.name} by ${name}`, async () => {
        await way.run(page, verb)
        if (verb.picker !== undefined) {
          await page.getByRole('dialog', { name: verb.picker }).getByRole('option').nth(1).click()
        }
        await isSet(true)
        await search(page, verb.operator)
        await expect(listOf(page).getByRole('option')).toHaveCount(1)
        await expect(row(page, FOG)).toHaveCount(1)
        await page.keyboard.press('Escape')
        await mailboxes(page)
          .getByRole('link', { name: /^Inbox\b/ })
          .click()
        await isSet(true)
        await way.undo(page)
        await isSet(false)
        await listOf(page).focus()
        await page.keyboard.press('Home')
      })
    }
  }
})

test('keeps a star and a snooze set online, offline and before a restart', async ({
  linnet,
  launch,
  platform,
  dataDirectory,
}) => {
  const { page } = linnet
  await deliverAll(page, platform, [GULL, FOG, PAINT])

  await test.step('a key adds and removes a star', async () => {
    await page.keyboard.press('s')
    await expect(row(page, PAINT)).toHaveAccessibleName(/starred/)
    await expect(mailboxes(page).getByRole('link', { name: /^Starred/ })).toBeVisible()
    await page.keyboard.press('s')
    await expect(row(page, PAINT)).not.toHaveAccessibleName(/starred/)
    await page.keyboard.press('z')
    await expect(row(page, PAINT)).toHaveAccessibleName(/starred/)
  })

  await test.step('a key snoozes until a typed time', async () => {
    await page.keyboard.press('h')
    await expect(snoozeUntil(page).getByRole('combobox', { name: 'Type a time' })).toBeFocused()
    await expectAccessible(page, 'snooze-picker')
    await page.keyboard.type('in the past')
    await expect(snoozeUntil(page).getByText('Type a time such as')).toBeVisible()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('yesterday')
    await expect(snoozeUntil(page).getByText('This time has passed')).toBeVisible()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('in 3 days')
    await expect(snoozeUntil(page).getByRole('option').first()).toContainText('in 3 days')
    await page.keyboard.press('Enter')
    await expect(row(page, PAINT)).toHaveCount(0)
    await expect(listOf(page)).toBeFocused()
    await page.keyboard.press('z')
    await expect(row(page, PAINT)).toHaveCount(1)
    await page.keyboard.press('Control+Shift+z')
    await expect(row(page, PAINT)).toHaveCount(0)
  })

  await test.step('the pointer snoozes offline', async () => {
    await row(page, FOG).click()
    await expect(conversation(page).getByRole('article')).toContainText(FOG)
    await expect(status(page)).not.toContainText(/\bchanges?\b/)
    await platform.pause()
    await page.getByRole('toolbar', { name: 'Thread actions' }).getByRole('button', { name: 'Snooze…' }).click()
    await snoozeUntil(page)
      .getByRole('option', { name: /^Tomorrow/ })
      .click()
    await expect(row(page, FOG)).toHaveCount(0)
    await expect(row(page, GULL)).toHaveCount(1)
  })

  await test.step('the palette adds a star, and searches find each state', async () => {
    await row(page, GULL).click()
    await runByPalette(page, 'Star')
    await expect(conversation(page).getByText('Starred', { exact: true })).toBeVisible()
    await mailboxes(page)
      .getByRole('link', { name: /^Snoozed/ })
      .click()
    await expect(page.getByRole('heading', { name: 'Snoozed', exact: true })).toBeVisible()
    await expect(listOf(page).getByRole('option')).toHaveCount(2)
    await expect(row(page, FOG)).toHaveAccessibleName(/snoozed until/)
    await search(page, 'is:starred is:snoozed')
    await expect(listOf(page).getByRole('option')).toHaveCount(1)
    await expect(row(page, PAINT)).toHaveCount(1)
    await search(page, '-is:snoozed in:anywhere')
    await expect(listOf(page).getByRole('option')).toHaveCount(1)
    await expect(row(page, GULL)).toHaveCount(1)
    // Search results list snoozed threads along with those in folders.
    await search(page, 'from:harbour.example')
    await expect(listOf(page).getByRole('option')).toHaveCount(3)
    const found = page.getByRole('list', { name: 'Found in' }).getByRole('button')
    await expect(found).toHaveText(['Inbox', 'Snoozed'])
    await found.last().click()
    await expect(listOf(page).getByRole('option')).toHaveCount(2)
    await found.last().click()
    await expect(listOf(page).getByRole('option')).toHaveCount(3)
  })

  await linnet.close()
  const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey }
  const { page: again } = await launch({ dataDirectory, env })

  await test.step('both survive an offline restart', async () => {
    await expect(mailboxes(again).getByRole('link', { name: /^Snoozed/ })).toHaveAccessibleName(/2/)
    await mailboxes(again)
      .getByRole('link', { name: /^Snoozed/ })
      .click()
    await expect(row(again, FOG)).toHaveCount(1)
    await row(again, FOG).click()
    await expect(conversation(again)).toContainText('Snoozed until')
    await again.keyboard.press('h')
    await snoozeUntil(again)
      .getByRole('option', { name: /^Unsnooze/ })
      .click()
    await expect(row(again, FOG)).toHaveCount(0)
    await mailboxes(again)
      .getByRole('link', { name: /^Inbox\b/ })
      .click()
    await expect(listOf(again).getByRole('option')).toHaveCount(2)
  })
})

test('carries a reminder along with its message', async ({ linnet, platform }) => {
  const { page } = linnet
  await deliverAll(page, platform, [GULL])
  await page.keyboard.press('r')
  const form = page.getByRole('form', { name: 'Reply' })
  await expect(form.getByRole('textbox', { name: 'Message' })).toBeFocused()
  await page.keyboard.type('It likes the view.')
  await page.keyboard.press('ControlOrMeta+Shift+h')
  await page
    .getByRole('dialog', { name: 'Remind me if no one replies' })
    .getByRole('option', { name: /^In 3 days/ })
    .click()
  await expect(form).toContainText('if no one replies')
  await form.getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.press('Escape')
  await expect(form).toHaveCount(0)
  await page.keyboard.press('r')
  await expect(form).toContainText('if no one replies')
  await form.getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(form).toHaveCount(0)
  await search(page, 'is:reminder')
  await expect(row(page, GULL)).toHaveAccessibleName(/comes back .* if no one replies/, { timeout: 60_000 })
})
