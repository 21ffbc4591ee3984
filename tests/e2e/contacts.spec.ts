import { importContacts } from '../support/import-contacts.ts'
import type { Platform } from '../support/platform.ts'
import { expect, goTo, test } from './linnet.ts'

const MANY = 5_000

/** Creates contacts: one in a hundred works for Herring & Co, one in fifty has unsubscribed. */
const prepare = async (platform: Platform): Promise<void> => {
  await platform.ask('/contact-properties', { method: 'POST', body: { key: 'company', type: 'string' } })
  const lines = Array.from({ length: MANY }, (_, n) => {
    const company = n % 100 === 0 ? 'Herring & Co' : 'Gull Ltd'
    return `person${n}@pier.example,Ann${n},Pier,${String(n % 50 === 0)},${company}`
  })
  await importContacts(platform, ['email,first_name,last_name,unsubscribed,company', ...lines])
}

test('pages, filters, sorts and opens five thousand contacts', async ({ linnet: { page }, platform }) => {
  await prepare(platform)
  await goTo(page, '#/contacts')
  await page.keyboard.press('F5')
  const list = page.getByRole('listbox', { name: 'Contacts' })
  const rows = list.getByRole('option')
  await expect(rows.first()).toHaveAttribute('aria-setsize', String(MANY))
  await list.focus()
  await page.keyboard.press('End')
  await expect(list.locator(`[aria-posinset="${MANY}"]`)).toBeInViewport()
  // Returning to the list restores its scroll position (W7).
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowUp')
  await goTo(page, '#/settings')
  await goTo(page, '#/contacts')
  await expect(list.locator(`[aria-posinset="${MANY}"]`)).toBeInViewport()
  await list.focus()
  await page.keyboard.press('Home')
  await expect(list.locator('[aria-posinset="1"]')).toBeInViewport()

  const filter = page.getByRole('searchbox', { name: 'Filter contacts' })
  await filter.pressSequentially('ann4321')
  await expect(rows).toHaveText([/Ann4321 Pier/])
  await filter.fill('PERSON1234@')
  await expect(rows).toHaveText([/Ann1234 Pier/])
  await filter.fill('herring')
  await expect(rows.first()).toHaveAttribute('aria-setsize', String(MANY / 100))

  await page.getByRole('button', { name: 'Newest first' }).click()
  await page.getByRole('menuitemradio', { name: 'Unsubscribed' }).click()
  await expect(rows.first()).toHaveAttribute('aria-setsize', String(MANY / 100))
  await filter.press('Escape')
  await expect(rows.first()).toHaveAttribute('aria-setsize', String(MANY / 50))
  await page.getByRole('button', { name: 'Unsubscribed, newest first' }).click()
  await page.getByRole('menuitemradio', { name: 'By address' }).click()
  await expect(rows.first()).toContainText('person0@pier.example')

  const { id } = (await platform.ask('/contacts/person2500@pier.example')) as { readonly id: string }
  await goTo(page, `#/contacts/${id}`)
  const card = page.getByRole('region', { name: 'Contact', exact: true })
  await expect(card.getByRole('heading', { level: 1 })).toHaveText('Ann2500 Pier')
})
