import type { Page } from '@playwright/test'
import { expect, goTo, test } from './linnet.ts'
import { boxOf } from './measure.ts'
import { drawPng } from '../support/drawn-pictures.ts'
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

test('loads pictures on request, by the engine and from the Internet only', async ({
  platform,
  dataDirectory,
  launch,
  hostKind,
}) => {
  const internet = await pretendInternet(dataDirectory, hostKind)
  const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey, ...internet.launch.env }
  const { page } = await launch({ dataDirectory, env, switches: internet.launch.switches })
  /** Requests of the window to anything but its own host. */
  const fromWindow: string[] = []
  page.on('request', (request) => {
    if (/^(?:https?|ws):/.test(request.url()) && !request.url().startsWith(new URL(page.url()).origin)) {
      fromWindow.push(request.url())
    }
  })
  for (const subject of ['Catalogue one', 'Catalogue two', 'Catalogue three']) {
    await platform.deliver({ from: 'Heron <news@heron.example>', subject, html: MAIL })
  }
  await platform.deliver({
    from: 'Plover <office@plover.example>',
    subject: 'The weather',
    html: '<p>Fog.</p><img src="http://pictures.test/map.png" alt="Map" width="40" height="30">',
  })
  await platform.deliver({
    from: 'Gannet <post@gannet.example>',
    subject: 'The long forecast',
    html: `<img src="http://pictures.test/wide.png" style="display: block; width: 100%">${'<p>More fog.</p>'.repeat(80)}`,
  })
  await platform.deliver({
    from: 'Ann <ann@pier.example>',
    subject: 'The chart',
    html: '<p>Here it is.</p><img src="cid:chart@pier.example" alt="Chart"><img src="cid:none@pier.example" alt="Map">',
    attachments: [
      { filename: 'chart.png', content: drawPng(30, 20), cid: 'chart@pier.example' },
      { filename: 'notes.txt', content: 'Of the chart.' },
    ],
  })
  await page.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
  await page.keyboard.press('F5')
  // Wait for all rows: each arrival moves the others from under the pointer.
  await expect(page.getByRole('option')).toHaveCount(6)

  await test.step('blocked, and counted', async () => {
    await open(page, 'Catalogue one')
    await expect(note(page)).toContainText('6 pictures and 1 tracking pixel blocked. The sender can’t see')
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

  await test.step('always for the domain', async () => {
    await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
    await open(page, 'The weather')
    await expect(note(page)).toContainText('1 picture blocked')
    await page.getByRole('button', { name: 'More picture options' }).click()
    await page.getByRole('menuitem', { name: 'Always show from everyone at plover.example' }).click()
    await expect(frame.getByRole('img', { name: 'Map' })).toBeVisible()
    await expect(note(page)).toHaveCount(0)
  })

  await test.step('without moving the text below', async () => {
    await open(page, 'The long forecast')
    const line = frame.getByText('More fog.').nth(60)
    await line.scrollIntoViewIfNeeded()
    const before = await boxOf(line)
    // A click with the pointer would scroll the button into view.
    await page.getByRole('button', { name: 'Show pictures' }).dispatchEvent('click')
    const wide = frame.locator('img')
    await expect.poll(() => wide.evaluate((image) => image.getBoundingClientRect().height)).toBeGreaterThan(200)
    await expect.poll(async () => Math.abs(((await line.boundingBox())?.y ?? 0) - before.y)).toBeLessThan(3)
  })

  await test.step('embedded ones are shown without asking and not listed as attachments', async () => {
    const { data } = (await platform.ask('/emails/receiving?limit=100')) as {
      data: readonly { readonly id: string; readonly subject: string }[]
    }
    const chart = data.find(({ subject }) => subject === 'The chart')?.id ?? ''
    await goTo(page, `#/received/${chart}`)
    const image = frame.locator('img[alt="Chart"]')
    await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(30)
    expect(await image.getAttribute('src')).toMatch(/^blob:/)
    await expect(frame.getByText('Map (not in this message)')).toBeVisible()
    await expect(page.getByRole('note', { name: 'Pictures in this message' })).toContainText('1 picture')
    const files = page.getByRole('list', { name: 'Attachments' }).getByRole('listitem')
    await expect(files).toHaveText([/notes\.txt/])
    await page.getByRole('button', { name: '1 picture in the message' }).click()
    await expect(page.getByRole('list', { name: 'Pictures in the message' })).toContainText('chart.png')
    // In the thread, the platform has embedded the picture in the HTML.
    await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
    await open(page, 'The chart')
    await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(30)
    await expect(files).toHaveText([/notes\.txt/])
  })

  await test.step('until the choice is removed', async () => {
    await goTo(page, '#/settings/privacy')
    const list = page.getByRole('list', { name: 'Always show pictures from' })
    await expect(list).toContainText('news@heron.example')
    await expect(list).toContainText('plover.example')
    await list.getByRole('button', { name: 'Remove news@heron.example' }).click()
    await list.getByRole('button', { name: /^Remove .*plover\.example/ }).click()
    await expect(list).toHaveCount(0)
    await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
    await open(page, 'Catalogue two')
    await expect(note(page)).toContainText('6 pictures and 1 tracking pixel blocked')
  })

  expect(fromWindow).toEqual([])
  await internet.stop()
})
