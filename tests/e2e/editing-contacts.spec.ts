import type { Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { expect, goTo, test } from './linnet.ts'

interface Known {
  readonly id: string
  readonly first_name: string | null
  readonly last_name: string | null
  readonly unsubscribed: boolean
  readonly properties: Readonly<Record<string, { readonly value: unknown }>>
}

const make = async (platform: Platform, path: string, body: object): Promise<string> =>
  ((await platform.ask(path, { method: 'POST', body })) as { readonly id: string }).id
const contactOf = (platform: Platform, address: string): Promise<Known> =>
  platform.ask(`/contacts/${address}`) as Promise<Known>
const addressesOf = async (platform: Platform): Promise<readonly string[]> =>
  ((await platform.ask('/contacts')) as { readonly data: readonly { readonly email: string }[] }).data
    .map(({ email }) => email)
    .toSorted()
const segmentsOf = async (platform: Platform, address: string): Promise<readonly string[]> =>
  (
    (await platform.ask(`/contacts/${address}/segments`)) as { readonly data: readonly { readonly name: string }[] }
  ).data
    .map(({ name }) => name)
    .toSorted()

const prepare = async (platform: Platform, page: Page): Promise<void> => {
  await make(platform, '/contact-properties', { key: 'company', type: 'string' })
  await make(platform, '/contact-properties', { key: 'seats', type: 'number' })
  await make(platform, '/segments', { name: 'Harbour' })
  await make(platform, '/topics', { name: 'Tide tables', default_subscription: 'opt_in' })
  for (const name of ['Bob', 'Eve', 'Ann']) {
    await make(platform, '/contacts', { email: `${name.toLowerCase()}@pier.example`, first_name: name })
  }
  await goTo(page, '#/contacts')
  await page.keyboard.press('F5')
}

const list = (page: Page) => page.getByRole('listbox', { name: 'Contacts' })
const row = (page: Page, name: string | RegExp) => list(page).getByRole('option', { name })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

test('edits, deletes and restores a contact by keyboard and on the platform', async ({
  linnet: { page },
  platform,
}) => {
  await prepare(platform, page)
  await row(page, 'Ann').click()
  const card = page.getByRole('region', { name: 'Contact', exact: true })
  await expect(card.getByRole('heading', { level: 1 })).toHaveText('Ann')
  await page.keyboard.press('Shift+E')
  const form = dialog(page, 'Edit contact')
  await form.getByLabel('Last name').fill('Lee')
  await form.getByLabel('Seats').fill('many')
  await expect(form.getByText('Enter a number.')).toBeVisible()
  await form.getByLabel('Seats').fill('4')
  await form.getByRole('button', { name: 'New property' }).click()
  await form.getByLabel('Property name').fill('berth')
  await form.getByRole('button', { name: 'Create property' }).click()
  await form.getByLabel('Berth').fill('Nine')
  await form.getByRole('switch', { name: 'Unsubscribed' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(row(page, 'Ann Lee')).toContainText('Unsubscribed')
  await expect(card).toContainText('Nine')
  await expect
    .poll(() => contactOf(platform, 'ann@pier.example'))
    .toMatchObject({
      first_name: 'Ann',
      last_name: 'Lee',
      unsubscribed: true,
      properties: { seats: { value: 4 }, berth: { value: 'Nine' } },
    })

  // A topic shows whether it follows its default or was set by hand.
  const topic = card.getByRole('switch', { name: 'Tide tables' })
  await expect(topic).toHaveAccessibleDescription('Default: subscribed')
  await topic.click()
  await expect(topic).toHaveAccessibleDescription('Set for this contact (default: subscribed)')

  await list(page).focus()
  await page.keyboard.press('#')
  await expect(row(page, 'Ann Lee')).toHaveCount(0)
  await expect.poll(() => addressesOf(platform)).toEqual(['bob@pier.example', 'eve@pier.example'])
  await page.keyboard.press('z')
  await expect(row(page, 'Ann Lee')).toBeVisible()
  await expect(card.getByRole('heading', { level: 1 })).toHaveText('Ann Lee')
  await expect.poll(async () => (await addressesOf(platform)).includes('ann@pier.example')).toBe(true)
  expect(await contactOf(platform, 'ann@pier.example')).toMatchObject({
    last_name: 'Lee',
    properties: { berth: { value: 'Nine' } },
  })
})

test('filters contacts by a segment that is filled, renamed and deleted', async ({ linnet: { page }, platform }) => {
  await prepare(platform, page)
  await expect(row(page, 'Ann')).toBeVisible()
  await list(page).focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+ArrowDown')
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await expect(bar).toContainText('2 selected')
  await bar.getByRole('button', { name: 'Contact segments' }).click()
  const segments = dialog(page, 'Segments')
  await segments.getByLabel('New segment').fill('Pilots')
  await segments.getByRole('button', { name: 'Create' }).click()
  await segments.getByRole('button', { name: 'Add to Pilots' }).click()
  await segments.getByRole('button', { name: 'Done' }).click()
  await expect.poll(() => segmentsOf(platform, 'ann@pier.example')).toEqual(['Pilots'])
  await expect.poll(() => segmentsOf(platform, 'eve@pier.example')).toEqual(['Pilots'])

  await page.getByRole('button', { name: 'All contacts' }).click()
  await page.getByRole('menuitemradio', { name: 'Pilots' }).click()
  await expect(list(page).getByRole('option')).toHaveCount(2)
  await expect(row(page, 'Bob')).toHaveCount(0)
  await row(page, 'Eve').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Segments…' }).click()
  await segments.getByRole('switch', { name: 'Pilots' }).click()
  await segments.getByRole('button', { name: 'Done' }).click()
  await expect(list(page).getByRole('option')).toHaveCount(1)
  await expect.poll(() => segmentsOf(platform, 'eve@pier.example')).toEqual([])

  await page.getByRole('button', { name: 'Pilots' }).click()
  await page.getByRole('menuitem', { name: 'Rename segment…' }).click()
  await dialog(page, 'Rename segment').getByLabel('Name').fill('Pilot boats')
  await dialog(page, 'Rename segment').getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('button', { name: 'Pilot boats' }).click()
  await page.getByRole('menuitem', { name: 'Delete segment…' }).click()
  await dialog(page, 'Delete segment').getByRole('button', { name: 'Delete' }).click()
  await expect(list(page).getByRole('option')).toHaveCount(3)
  expect((await addressesOf(platform)).length).toBe(3)
})
