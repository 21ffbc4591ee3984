import type { Page } from '@playwright/test'
import { expect, goTo, test } from './linnet.ts'
import { runByPalette } from '../support/screens.ts'
import { pretendInternet } from './pretend-internet.ts'

const MAIL = `<div style="background: #fff url(http://pictures.test/ground.png)"><p>The catalogue is here.</p>
  <img src="https://plain.test/never-https.png" width="1" height="1">
  <img class="logo" src="http://pictures.test/logo.png" alt="Our logo" width="40" height="30">
  <img src="http://pictures.test/to-private" alt="Inside" height="20"><img src="http://private.test/" alt="Router" height="20">
  <img src="http://127.0.0.1:1/a.png" alt="Here" height="20"><img src="http://pictures.test/drawing.png" alt="Drawing" height="20">
  </div>`
const SHOWN = ['pictures.test/ground.png', 'pictures.test/logo.png']
const ASKED = ['pictures.test/drawing.png', ...SHOWN, 'pictures.test/to-private'].toSorted()

const note = (page: Page) => page.getByRole('note', { name: 'Blocked content' })
const open = (page: Page, subject: string) => page.getByRole('option', { name: new RegExp(subject) }).click()

test('pictures are shown when they are asked for, once or always, by the engine and from the Internet alone', async ({
  platform,
  dataDirectory,
  launch,
  hostKind,
}) => {
  const internet = await pretendInternet(dataDirectory, hostKind)
  const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey, ...internet.launch.env }
  const start = () => launch({ dataDirectory, env, switches: internet.launch.switches })
  const linnet = await start()
  const { page } = linnet
  /** What the window itself asked for, of others than its own host. */
  const fromWindow: string[] = []
  page.on('request', (request) => {
    if (/^(?:https?|ws):/.test(request.url()) && !request.url().startsWith(new URL(page.url()).origin)) {
      fromWindow.push(request.url())
    }
  })
  for (const subject of ['Catalogue one', 'Catalogue two', 'Catalogue three']) {
    await platform.deliver({ from: 'Heron <news@heron.example>', subject, html: MAIL })
  }
  await page.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
  await page.keyboard.press('F5')
  // Rows that come in one after the other move from under the pointer.
  await expect(page.getByRole('option')).toHaveCount(3)

  await test.step('blocked, and counted', async () => {
    await open(page, 'Catalogue one')
    await expect(note(page)).toContainText('6 pictures and 1 tracking pixel blocked. The sender does not learn')
    expect(internet.asked()).toEqual([])
  })

  const frame = page.getByRole('article').locator('iframe').contentFrame()
  const logo = frame.locator('img.logo')

  await test.step('once', async () => {
    await page.getByRole('button', { name: 'Show pictures' }).click()
    await expect(note(page)).toContainText('4 pictures could not be loaded. 1 tracking pixel blocked.')
    await expect(logo).toBeVisible()
    await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40)
    await expect
      .poll(() => frame.locator('div[style*="background"]').evaluate((box) => getComputedStyle(box).backgroundImage))
      .toMatch(/^url\("blob:/)
    expect(internet.asked().toSorted()).toEqual(ASKED)
    for (const { headers } of internet.requests()) {
      expect(headers).not.toHaveProperty('cookie')
      expect(headers).not.toHaveProperty('referer')
    }
  })

  await test.step('for this e-mail alone', async () => {
    await open(page, 'Catalogue two')
    await expect(note(page)).toContainText('6 pictures and 1 tracking pixel blocked')
    await expect(logo).toBeHidden()
  })

  await test.step('always for the sender', async () => {
    await page.getByRole('button', { name: 'Always show from news@heron.example' }).click()
    await expect(logo).toBeVisible()
    await open(page, 'Catalogue three')
    await expect(logo).toBeVisible()
    await expect(note(page)).toContainText('1 tracking pixel blocked')
  })

  await test.step('never in spam', async () => {
    await page.getByRole('toolbar', { name: 'Thread actions' }).getByRole('button', { name: 'Spam' }).click()
    await goTo(page, `#/inboxes/${platform.inboxId}/spam`)
    await open(page, 'Catalogue three')
    await expect(note(page)).toContainText('Pictures stay blocked in spam.')
    await expect(page.getByRole('button', { name: /[Ss]how (?:pictures|from)/ })).toHaveCount(0)
    await expect(logo).toBeHidden()
  })

  await test.step('until the choice is taken back', async () => {
    await goTo(page, '#/settings')
    const list = page.getByRole('list', { name: 'Pictures are always shown from' })
    await expect(list).toContainText('news@heron.example')
    await list.getByRole('button', { name: 'Remove news@heron.example' }).click()
    await expect(list).toHaveCount(0)
    await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
    await open(page, 'Catalogue two')
    await expect(note(page)).toContainText('6 pictures and 1 tracking pixel blocked')
  })

  expect(fromWindow).toEqual([])

  await test.step('offline as well, from what was fetched', async () => {
    const before = internet.asked().length
    await linnet.close()
    await platform.pause()
    await internet.stop()
    const { page: later } = await start()
    await later.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
    await open(later, 'Catalogue one')
    await expect(note(later)).toContainText('6 pictures')
    await runByPalette(later, 'Show pictures')
    await expect(later.getByRole('article').locator('iframe').contentFrame().locator('img.logo')).toBeVisible()
    expect(internet.asked()).toHaveLength(before)
  })
})
