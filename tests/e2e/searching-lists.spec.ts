import type { Locator, Page } from '@playwright/test'
import type { Stage } from '../support/screens.ts'
import { expectAccessible } from './expect-accessible.ts'
import { expect, goTo, test, type Linnet } from './linnet.ts'
import { takePictures } from './take-pictures.ts'

const ADA = 'Ada Quill <ada@harbour.example>'
const MAIL = [
  { from: ADA, subject: 'Gull on the antenna', text: 'It will not leave.' },
  {
    from: ADA,
    subject: 'Fog until noon',
    text: 'The lantern stays lit.',
    attachments: [{ filename: 'chart.pdf', content: 'x' }],
  },
  { from: 'Bo <bo@harbour.example>', subject: 'Fresh paint and fog', text: 'Mind the rail.' },
]

const listOf = (page: Page, name = 'Received messages'): Locator => page.getByRole('listbox', { name })
const rowsOf = (page: Page, name?: string): Locator => listOf(page, name).getByRole('option')
const barOf = (page: Page): Locator => page.getByRole('combobox', { name: 'Search mail' })
const scopeOf = (page: Page): Locator => page.getByRole('status', { name: 'Search scope' })
const wordsOf = (count: number): string =>
  `This computer: ${count} messages stored; the platform cannot search this list`

/** Takes screenshots if `LINNET_TEST_PICTURES` names a folder. */
const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.LINNET_TEST_PICTURES
  const size = page.viewportSize()
  // A desktop window keeps its own size.
  if (folder === undefined || size === null) return
  for (const width of [1280, 640, 320]) {
    await page.setViewportSize({ width, height: 720 })
    await takePictures(page, `${name}-${width}`)
  }
  await page.setViewportSize(size)
}

const goToReceived = async (page: Page): Promise<void> => {
  await goTo(page, '#/received')
  await expect(rowsOf(page)).toHaveCount(MAIL.length)
  await expect(barOf(page)).toHaveValue('')
  await listOf(page).focus()
}

const findReceived = async ({ page, platform, kind }: Stage & Pick<Linnet, 'kind'>): Promise<void> => {
  // Opening an e-mail fetches its text.
  await rowsOf(page).filter({ hasText: 'Fog until noon' }).click()
  await expect(page.getByText('The lantern stays lit.')).toBeVisible()
  await page.keyboard.press('Escape')
  await platform.pause()

  await page.keyboard.press('/')
  await page.keyboard.type('fo')
  await expect(rowsOf(page)).toHaveCount(2)
  await expect(scopeOf(page)).toHaveText(wordsOf(3))
  await expect(page.getByRole('button', { name: 'Search scope: All received' })).toBeVisible()
  await expect(rowsOf(page).first().locator('mark')).toHaveText(['fog'])
  await barOf(page).fill('from:quill lant')
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(rowsOf(page).locator('mark')).toHaveText(['Quill', 'lantern'])
  await barOf(page).fill('lantern')
  await page.keyboard.press('Enter')
  await expect(listOf(page)).toBeFocused()
  await expect(rowsOf(page)).toHaveCount(1)
  await page.keyboard.press('Space')
  await expect(page.getByRole('region', { name: 'Received message' }).locator('mark')).toHaveText(['lantern'])
  await picture(page, `list-search-open-${kind}`)

  // Esc leads from the open e-mail to the results, then to the list.
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Fog until noon' })).toHaveCount(0)
  await expect(rowsOf(page)).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(rowsOf(page)).toHaveCount(MAIL.length)
  await expect(barOf(page)).toHaveValue('')
  await expect(page.locator('mark')).toHaveCount(0)
  await page.goBack()
  await expect(barOf(page)).toHaveValue('lantern')
  await expect(rowsOf(page)).toHaveCount(1)
  // Esc in the bar keeps the results. If there are none, the previous search returns.
  await page.keyboard.press('/')
  await barOf(page).fill('no-such-word')
  await expect(rowsOf(page)).toHaveCount(0)
  await expect(page.getByRole('listbox', { name: 'Search suggestions' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(barOf(page)).toHaveValue('lantern')
  await expect(rowsOf(page)).toHaveCount(1)
}

const leadElsewhere = async ({ page, kind }: Stage & Pick<Linnet, 'kind'>): Promise<void> => {
  await page.keyboard.press('/')
  await page.keyboard.type('fog label:urgent')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Messages in All received have no labels.')
  await expect(page.locator('search mark')).toHaveText('label:urgent')
  await expectAccessible(page, 'a fault in a search of a list')
  await page.getByRole('button', { name: 'Remove marked part' }).click()
  await expect(barOf(page)).toHaveValue('fog')
  await expect(rowsOf(page)).toHaveCount(2)

  await page.getByRole('button', { name: 'Explain search' }).click()
  const explained = page.getByRole('region', { name: 'What is searched' })
  await expect(explained).toContainText('Nothing is sent')
  await expect(explained).not.toContainText('query')
  // Move off the button: its tooltip is outside all landmarks.
  await page.mouse.move(0, 0)
  await expect(page.getByRole('tooltip')).toHaveCount(0)
  await expectAccessible(page, 'what is searched in a list')
  await picture(page, `list-search-${kind}`)
  await page.getByRole('button', { name: 'Explain search' }).click()

  await page.getByRole('button', { name: 'Search scope: All received' }).click()
  await picture(page, `list-search-menu-${kind}`)
  await page.getByRole('menuitemradio', { name: 'Inbox', exact: true }).click()
  await expect(page.getByRole('listbox', { name: 'Threads' }).getByRole('option')).toHaveCount(2)
  await expect(barOf(page)).toHaveValue('in:inbox fog')
  await page.getByRole('button', { name: 'Search scope: in: Inbox' }).click()
  await page.getByRole('menuitemradio', { name: 'All sent' }).click()
  await expect(rowsOf(page, 'Sent messages')).toHaveCount(1)
  await expect(barOf(page)).toHaveValue('fog')

  await barOf(page).fill('heron')
  await page.keyboard.press('Enter')
  const main = page.getByRole('main')
  await expect(main.getByText('Nothing matches in All sent')).toBeVisible()
  await picture(page, `list-search-nothing-${kind}`)
  await expectAccessible(page, 'nothing found in a list')
  await main.getByRole('button', { name: 'Search all mail' }).click()
  await expect(barOf(page)).toHaveValue('heron')
  await main.getByRole('button', { name: 'Also search Spam and Trash' }).click()
  await expect(barOf(page)).toHaveValue('in:anywhere heron')
  await main.getByRole('button', { name: 'Search All received' }).click()
  await expect(main.getByText('Nothing matches in All received')).toBeVisible()
  await expect(barOf(page)).toHaveValue('heron')
}

const findSent = async ({ page, kind }: Stage & Pick<Linnet, 'kind'>): Promise<void> => {
  await goTo(page, '#/sent?query=fog+to%3Apier')
  await expect(rowsOf(page, 'Sent messages')).toHaveCount(1)
  await expect(barOf(page)).toHaveValue('fog to:pier')
  await expect(rowsOf(page, 'Sent messages').locator('mark')).toHaveText(['Pier', 'Fog'])
  await page.keyboard.press('j')
  await page.keyboard.press('Space')
  await expect(page.getByRole('region', { name: 'Sent message' }).locator('mark').first()).toHaveText('Fog')
  await picture(page, `list-search-sent-${kind}`)
}

test('searches the lists of received and sent mail locally', async ({ linnet: { page, kind }, platform }) => {
  const stage = { page, platform, kind }
  for (const message of MAIL) await platform.deliver(message)
  const sent = { from: platform.inboxAddress, to: 'Pier <pier@harbour.example>', subject: 'Fog lamps', text: 'Please.' }
  await platform.ask('/emails', { method: 'POST', body: sent })
  await page.keyboard.press('F5')
  await goToReceived(page)

  await test.step('received mail is searched locally while typing, and results open with matches marked', async () => {
    await findReceived(stage)
    await platform.resume()
    await goToReceived(page)
  })
  await test.step('unsupported filters are marked, the search moves between lists, and empty results suggest other lists', async () => {
    await leadElsewhere(stage)
    await goToReceived(page)
  })
  await test.step('sent mail is searched the same way', () => findSent(stage))
})
