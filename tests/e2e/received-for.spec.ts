import type { Platform } from '../support/platform.ts'
import { expectAccessible } from './expect-accessible.ts'
import { expect, goTo, test } from './linnet.ts'

const deliver = ({ deliver: send }: Platform, subject: string, to: string, received: string): Promise<void> =>
  send({
    ...{ from: 'Ann <ann@pier.example>', subject, to, text: 'Any left?' },
    envelope: { from: 'ann@pier.example', to: [received] },
  })

test('shows the address an e-mail was received for, and never replies to it', async ({
  linnet: { page },
  platform,
}) => {
  const domain = platform.inboxAddress.split('@')[1] ?? ''
  const sales = `sales@${domain}`
  await deliver(platform, 'Berths', 'Bo <bo@pier.example>', sales)
  await deliver(platform, 'Prices', `${sales}, Bo <bo@pier.example>`, sales)
  await deliver(platform, 'A job', `jobs@${domain}`, `jobs@${domain}`)
  await goTo(page, '#/received')
  await page.keyboard.press('F5')
  const rows = page.getByRole('listbox', { name: 'Received messages' }).getByRole('option')
  await expect(rows).toHaveCount(3)
  await expect(rows.filter({ hasText: 'Berths' })).toContainText(sales)

  await page.getByRole('listbox', { name: 'Received messages' }).focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Space')
  const shown = page.getByRole('region', { name: 'Received message' })
  await expect(shown.getByRole('heading', { level: 1 })).toHaveText('Berths')
  await expect(shown).toContainText(`Received for ${sales}`)
  await expectAccessible(page, 'an e-mail that was received for another address')
  await shown.getByText('Details').click()
  await expect(shown.getByRole('definition').filter({ hasText: sales })).toBeVisible()

  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').fill('mail for this address')
  await page.keyboard.press('Enter')
  await expect(rows).toHaveText([/Prices/, /Berths/])
  await expect(page.getByRole('combobox', { name: 'Search mail' })).toHaveValue(`to:<${sales}>`)

  await rows.filter({ hasText: 'Prices' }).click()
  await expect(shown.getByRole('heading', { level: 1 })).toHaveText('Prices')
  await expect(shown).not.toContainText('Received for')
  await page.keyboard.press('a')
  const message = page.getByRole('form', { name: 'New message' })
  await expect(message.getByRole('button', { name: /ann@pier\.example/ })).toBeVisible()
  await expect(message.getByRole('button', { name: /bo@pier\.example/ })).toBeVisible()
  await expect(message.getByRole('button', { name: /sales@/ })).toHaveCount(0)
})

test('opens the mail of an address from a row’s menu', async ({ linnet: { page }, platform }) => {
  const domain = platform.inboxAddress.split('@')[1] ?? ''
  await deliver(platform, 'A job', `jobs@${domain}`, `jobs@${domain}`)
  await deliver(platform, 'Berths', platform.inboxAddress, platform.inboxAddress)
  await goTo(page, '#/received')
  await page.keyboard.press('F5')
  const rows = page.getByRole('listbox', { name: 'Received messages' }).getByRole('option')
  await expect(rows).toHaveCount(2)
  await rows.filter({ hasText: 'A job' }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Show mail for this address' }).click()
  await expect(rows).toHaveText([/A job/])
})
