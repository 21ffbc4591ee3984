import type { Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { sentOf } from '../support/sent-emails.ts'
import { expectAccessible } from './expect-accessible.ts'
import { expect, SENDING_AT_ONCE, test } from './linnet.ts'
import { pretendInternet } from './pretend-internet.ts'

test.use({ preferences: SENDING_AT_ONCE })

const ONE_CLICK = 'List-Unsubscribe=One-Click'
const SIGNED = { 'Authentication-Results': 'mx.example.com; spf=pass; dkim=pass; dmarc=pass' }

const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Unsubscribe' })
const button = (page: Page): Locator =>
  page.getByRole('article').getByRole('button', { name: 'Unsubscribe', exact: true })
const note = (page: Page): Locator => page.getByRole('note', { name: 'Mailing list' })
const open = (page: Page, subject: string): Promise<void> =>
  page.getByRole('option', { name: new RegExp(subject) }).click()

interface Issue {
  readonly list: string
  readonly ways: string
  readonly isOneClick?: boolean
  readonly isSigned?: boolean
}

const deliver = (platform: Platform, subject: string, { list, ways, isOneClick = true, isSigned = true }: Issue) =>
  platform.deliver({
    ...{ from: `${list} <news@${list}.example>`, subject, text: 'News of the week.' },
    headers: {
      'List-Id': `<${list}.example>`,
      'List-Unsubscribe': ways,
      ...(isOneClick && { 'List-Unsubscribe-Post': ONE_CLICK }),
      ...(isSigned && SIGNED),
    },
  })

test('leaves a list by server or by mail and shows the result, also after a restart', async ({
  platform,
  dataDirectory,
  launch,
  hostKind,
}) => {
  const internet = await pretendInternet(dataDirectory, hostKind)
  const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey, ...internet.launch.env }
  const start = () => launch({ dataDirectory, env, switches: internet.launch.switches })
  await deliver(platform, 'Heron one', { list: 'heron', ways: '<https://list.test/heron?t=1>' })
  await deliver(platform, 'Heron two', { list: 'heron', ways: '<https://list.test/heron?t=2>' })
  await deliver(platform, 'Plover', {
    list: 'plover',
    ways: '<mailto:leave@plover.example>, <https://list.test/plover>',
  })
  const elsewhere = '<https://list.test/to-private>, <mailto:leave@gannet.example?subject=off&cc=all@gannet.example>'
  await deliver(platform, 'Gannet', { list: 'gannet', ways: elsewhere, isSigned: false })
  await deliver(platform, 'Curlew', { list: 'curlew', ways: '<https://private.test/u>' })
  await deliver(platform, 'Dunlin', { list: 'dunlin', ways: '<http://10.0.0.1/u>', isOneClick: false })
  await platform.deliver({ from: 'Ann <ann@pier.example>', subject: 'No list', text: 'Hello' })
  const first = await start()
  const { page } = first
  await page.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
  await page.keyboard.press('F5')
  await expect(page.getByRole('option')).toHaveCount(7)

  await test.step('by key, after a confirmation that names the host', async () => {
    await open(page, 'Heron one')
    await expect(button(page)).toBeVisible()
    await page.keyboard.press('q')
    await expect(dialog(page)).toContainText('list.test')
    await expect(dialog(page)).toContainText('https://list.test/heron?t=1')
    await expect(dialog(page)).toContainText(ONE_CLICK)
    await expect(dialog(page)).toContainText('can’t undo')
    await expectAccessible(page, 'Unsubscribe')
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    expect(internet.told()).toEqual([])
    await page.keyboard.press('q')
    await expect(dialog(page)).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(note(page)).toContainText(/Unsubscribed from list\.test at \d{1,2}:\d{2}/)
    await expect(dialog(page)).toHaveCount(0)
    expect(internet.told()).toEqual([`POST /heron?t=1 ${ONE_CLICK}`])
    for (const { headers } of internet.requests()) {
      expect(Object.keys(headers).toSorted()).toEqual(
        ['accept', 'accept-encoding', 'connection', 'content-length', 'content-type', 'host', 'user-agent'].toSorted(),
      )
    }
  })

  await test.step('shown on all mail of that list', async () => {
    await open(page, 'Heron two')
    await expect(note(page)).toContainText('Unsubscribed from list.test')
    await open(page, 'No list')
    await expect(page.getByRole('article')).toContainText('Hello')
    await expect(button(page)).toHaveCount(0)
    await expect(note(page)).toHaveCount(0)
  })

  await test.step('by pointer, with a warning and without following redirects', async () => {
    await open(page, 'Gannet')
    await button(page).click()
    await expect(dialog(page).getByRole('note', { name: 'About the sender' })).toContainText('not verified')
    await expect(dialog(page).getByRole('button', { name: 'Cancel' })).toBeFocused()
    await dialog(page).getByRole('button', { name: 'Unsubscribe', exact: true }).click()
    const said = dialog(page).getByRole('alert')
    await expect(said).toContainText('list.test did not accept your unsubscribe request')
    await expect(said).toContainText(
      'It redirected to private.test, which Linnet did not follow. Try sending a message instead.',
    )
    await expectAccessible(page, 'Unsubscribe, not accepted')
    expect(internet.told()).toHaveLength(2)
    expect(internet.asked().filter((asked) => asked.startsWith('private.test'))).toEqual([])
  })

  await test.step('by a message that is shown before it is sent', async () => {
    await dialog(page).getByRole('button', { name: 'Write message' }).click()
    const message = page.getByRole('form', { name: 'New message' })
    await expect(message).toContainText('leave@gannet.example')
    await expect(message).not.toContainText('all@gannet.example')
    await expect(message.getByRole('textbox', { name: 'Subject' })).toHaveValue('off')
    expect(await sentOf(platform)).toEqual([])
    await message.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(note(page)).toContainText('Sent an unsubscribe message to leave@gannet.example at')
    expect((await sentOf(platform)).map(({ to, subject }) => [to, subject])).toEqual([
      [['leave@gannet.example'], 'off'],
    ])
  })

  await test.step('from the palette, and from the message’s menu', async () => {
    await open(page, 'Plover')
    await expect(button(page)).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox', { name: 'Type a command' }).fill('newsletter')
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toContainText('list.test')
    await page.keyboard.press('Escape')
    await page.getByRole('article').getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Unsubscribe' }).click()
    await expect(dialog(page).getByRole('button', { name: 'Write message' })).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('never in the private network, with an explanation', async () => {
    await open(page, 'Curlew')
    await button(page).click()
    await dialog(page).getByRole('button', { name: 'Unsubscribe', exact: true }).click()
    await expect(dialog(page).getByRole('alert')).toContainText(
      'private.test is not on the public Internet, so Linnet did not contact it. Nothing was sent.',
    )
    await page.keyboard.press('Escape')
    await expect(note(page)).toHaveCount(0)
    await open(page, 'Dunlin')
    await button(page).click()
    await dialog(page).getByRole('button', { name: 'Open page' }).click()
    await expect(page.getByRole('dialog', { name: 'Open this link?' })).toContainText('numeric address')
    await page.keyboard.press('Escape')
  })

  const told = internet.told().length
  await first.close()
  const { page: again } = await start()
  await test.step('still shown after an offline restart', async () => {
    await platform.pause()
    await open(again, 'Heron one')
    await expect(note(again)).toContainText('Unsubscribed from list.test at')
    await open(again, 'Gannet')
    await expect(note(again)).toContainText('Sent an unsubscribe message to leave@gannet.example')
    expect(internet.told()).toHaveLength(told)
  })
  await internet.stop()
})
