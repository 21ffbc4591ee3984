import { expect, test } from './linnet.ts'

const SUBJECTS = ['Gull on the antenna', 'Fog until noon', 'Fresh paint and fog', 'Fog again']

test.beforeEach(async ({ linnet, platform }) => {
  for (const subject of SUBJECTS) await platform.deliver({ from: 'pier@harbour.example', subject, text: subject })
  await linnet.page.keyboard.press('F5')
  await expect(linnet.page.getByRole('option')).toHaveCount(SUBJECTS.length)
})

test('what is archived from within results leaves them, comes back with undo, and new mail joins them', async ({
  linnet,
  platform,
}) => {
  const { page } = linnet
  const rows = page.getByRole('listbox', { name: 'Threads' }).getByRole('option')
  await page.keyboard.press('/')
  await page.keyboard.type('fog from:pier')
  await page.keyboard.press('Enter')
  await expect(rows).toHaveCount(3)
  await expect(page.getByRole('status', { name: 'Search scope' })).toHaveText(/platform/)
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  await expect(rows).toHaveCount(2)
  await page.keyboard.press('F5')
  await expect(rows).toHaveCount(2)
  await page.keyboard.press('z')
  await expect(rows).toHaveCount(3)
  await platform.deliver({ from: 'pier@harbour.example', subject: 'Fog for good', text: 'It stays.' })
  await page.keyboard.press('F5')
  await expect(rows).toHaveCount(4)
  await expect(rows.first()).toContainText('Fog for good')
})

test('the head of a list says at once that the platform is out of reach, in a folder as in a search', async ({
  linnet,
  platform,
}) => {
  const { page } = linnet
  const rows = page.getByRole('listbox', { name: 'Threads' }).getByRole('option')
  const main = page.getByRole('main')
  const scope = page.getByRole('status', { name: 'Search scope' })
  await expect(main.getByText(/^Checked/)).toHaveCount(0)
  await platform.pause()
  await page.keyboard.press('F5')
  await expect(main.getByText(/^Checked/)).toHaveCount(1)
  await platform.resume()
  await page.keyboard.press('F5')
  await expect(main.getByText(/^Checked/)).toHaveCount(0)

  await page.keyboard.press('/')
  await page.keyboard.type('fog')
  await page.keyboard.press('Enter')
  await expect(rows).toHaveCount(3)
  await expect(scope).toHaveText(/platform$/)
  await platform.pause()
  await page.keyboard.press('F5')
  await expect(scope).toHaveText(/cannot be reached/)
  await expect(rows).toHaveCount(3)
  await platform.resume()
  await page.keyboard.press('F5')
  await expect(scope).toHaveText(/platform$/)
})

test('a search that cannot be understood is marked at its words, and nothing is searched', async ({ linnet }) => {
  const { page } = linnet
  const bar = page.getByRole('combobox', { name: 'Search mail' })
  await page.keyboard.press('/')
  await page.keyboard.type('fog subject:noon')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('There is no subject: in searches')
  await expect(page.locator('search mark')).toHaveText('subject')
  await expect(bar).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByRole('option')).toHaveCount(SUBJECTS.length)
})
