import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, goTo, saveTo, test, type Linnet } from './linnet.ts'
import type { Platform } from '../support/platform.ts'

const MESSAGE = Buffer.from(
  [
    'Received: from relay.example by mx.example; Mon, 2 Nov 2026 10:00:00 +0000',
    'Received: from home.example by relay.example;',
    '\tMon, 2 Nov 2026 09:59:00 +0000',
    'From: =?utf-8?q?Jos=C3=A9?= <jose@harbour.example>',
    'To: inbox@example.com',
    'Subject: Tide tables',
    'X-Berth: =?utf-8?q?evil_=E2=80=AEgpj=2Eexe?=',
    'Content-Type: text/plain; charset=utf-8',
    '',
    `Hidden \u202ereversed\u202c and \u0007 bell.`,
    ...Array.from(
      { length: 3_000 },
      (_, index) => `Line ${index + 1} of the tide table, high water at quay ${index % 7}.`,
    ),
    'The last buoy.',
    '',
  ].join('\r\n'),
)

const openRow = async (page: Page): Promise<void> => {
  await page
    .getByRole('listbox', { name: 'Threads' })
    .getByRole('option', { name: /Tide tables/ })
    .click()
  await page.getByRole('article').waitFor()
}

const openMessage = async (page: Page, platform: Platform): Promise<void> => {
  await platform.deliver({
    raw: MESSAGE,
    envelope: { from: 'jose@harbour.example', to: platform.inboxAddress },
  })
  await page.keyboard.press('F5')
  await openRow(page)
}

const openSource = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Show source' }).click()
}

/** Number of marked matches, the current one's text, and true if that one is in view. */
const marks = (page: Page) =>
  page.evaluate(() => {
    const rangesOf = (name: RegExp): readonly Range[] =>
      [...CSS.highlights].flatMap(([key, marked]) => (name.test(key) ? ([...marked] as Range[]) : []))
    const [current] = rangesOf(/^find-current/)
    const box = current?.getBoundingClientRect()
    const view = current?.startContainer.parentElement?.closest('[role=group]')?.getBoundingClientRect()
    const isInView = box !== undefined && view !== undefined && box.top >= view.top && box.bottom <= view.bottom
    const line = current?.startContainer.nodeValue?.slice(0, current.endOffset).split('\n').at(-1)
    return { count: rangesOf(/^find-(?!current)/).length, line, isInView }
  })

/** Longer and wider than any iframe of the window, with a style sheet that targets the entire page. */
const LONG = `<style>h1, header, section, .around { display: none !important } p { width: 1400px }</style>
  <p>First words</p>${'<p>A row of a long table of tides</p>'.repeat(900)}
  <blockquote type="cite">An earlier e-mail<br>with its words</blockquote><p>Last words</p>
  <img src="https://tracker.example/pixel.png" alt="A chart" width="300" height="40">`

const seesThePaper = async (page: Page): Promise<void> => {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Type a command' }).fill('Print thread')
  await page.keyboard.press('Enter')
  const printed = page.locator('iframe[title="Print"]').contentFrame()
  await expect(printed.locator('h1')).toHaveText('Re: Long tides')
  await expect(printed.locator('header')).toHaveText([/Juno.*tides\.csv \(3 bytes\)/s, /Pier/])
  await expect(printed.locator('pre')).toHaveText('Thank you for <b>all</b> of it.')
  const seen = await printed.locator('body').evaluate((body) => ({
    paper: getComputedStyle(body.ownerDocument.documentElement).backgroundColor,
    isHeadSeen: body.querySelector('header')?.checkVisibility() ?? false,
    isFolded: body.querySelector('.printed-mail')?.shadowRoot?.querySelector('details:not([open])') !== null,
    overflow: (() => {
      const mail = body.querySelector('.printed-mail')?.shadowRoot?.getElementById('linnet-mail')
      return (mail?.scrollWidth ?? 9_999) - (mail?.clientWidth ?? 0)
    })(),
    images: [...(body.querySelector('.printed-mail')?.shadowRoot?.querySelectorAll('img[src]') ?? [])].length,
  }))
  expect(seen).toEqual({ paper: 'rgb(255, 255, 255)', isHeadSeen: true, isFolded: false, overflow: 0, images: 0 })
}

const savesThePaper = async (linnet: Linnet, folder: string): Promise<void> => {
  const { page } = linnet
  const target = join(folder, 'Re Long tides.pdf')
  const save = async (): Promise<void> => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox', { name: 'Type a command' }).fill('Save thread as PDF')
    await page.keyboard.press('Enter')
  }
  const pdf = (await saveTo(linnet, target, save)).toString('latin1')
  expect(pdf.slice(0, 5)).toBe('%PDF-')
  expect(pdf.match(/\/Type \/Page\b/g)?.length ?? 0).toBeGreaterThan(15)
}

const printsAllOfIt = async (linnet: Linnet, platform: Platform, folder: string): Promise<void> => {
  const { page } = linnet
  const letter = { from: 'Juno <juno@tide.example>', subject: 'Long tides', messageId: '<long@tide.example>' }
  await platform.deliver({ ...letter, html: LONG, attachments: [{ filename: 'tides.csv', content: '1,2' }] })
  await platform.deliver({
    from: 'Pier <pier@harbour.example>',
    subject: 'Re: Long tides',
    text: 'Thank you for <b>all</b> of it.',
    inReplyTo: letter.messageId,
    references: letter.messageId,
  })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.keyboard.press('F5')
  const row = page.getByRole('listbox', { name: 'Threads' }).getByRole('option', { name: /Long tides/ })
  await expect(row).toHaveAccessibleName(/, 2 messages,/)
  await row.click()
  const letterShown = page.getByRole('article').first()
  await expect(page.getByRole('article')).toHaveCount(2)
  await expect(letterShown.locator('iframe')).toHaveCount(1)
  await letterShown.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Show as plain text' }).click()
  await expect(letterShown.locator('iframe')).toHaveCount(0)
  await expect(letterShown).toContainText('First words')
  await letterShown.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Show formatted' }).click()
  await expect(letterShown.locator('iframe')).toHaveCount(1)

  await (linnet.electron === null ? seesThePaper(page) : savesThePaper(linnet, folder))
}

const showsHeadersWithoutIt = async (page: Page, platform: Platform): Promise<void> => {
  // Unopened attachments are not stored.
  await goTo(page, '#/settings/kept')
  await page
    .getByRole('group', { name: 'Space for attachments' })
    .getByRole('radio', { name: 'None' })
    .check({ force: true })
  await page.getByText('Only the text is stored, plus anything you open.').waitFor()
  await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
  await openMessage(page, platform)
  await goTo(page, '#/received')
  await page.getByRole('listbox', { name: 'Received messages' }).getByRole('option').first().click()
  await page.getByRole('region', { name: 'Received message' }).getByRole('article').waitFor()
  await platform.pause()
  await openSource(page)
  const dialog = page.getByRole('dialog', { name: 'Message source' })
  await expect(dialog).toContainText('You are offline, and the original of this message is not on this computer yet.')
  await expect(dialog).toContainText('from the platform')
  await dialog.getByRole('button', { name: 'Show all 6 headers' }).click()
  await expect(dialog.getByRole('region', { name: 'Headers' })).toContainText('x-berth')
  await platform.resume()
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog.getByRole('region', { name: 'Source' })).toContainText('X-Berth')
}

const readsTheSource = async ({ page, electron }: Linnet): Promise<void> => {
  await openSource(page)
  const dialog = page.getByRole('dialog', { name: 'Message source' })
  const headers = dialog.getByRole('region', { name: 'Headers' })
  await expect(headers).toContainText('José <jose@harbour.example>')
  await expect(headers).toContainText('=?utf-8?q?Jos=C3=A9?=')
  await expect(headers.getByText('X-Berth')).toHaveCount(0)
  await headers.getByRole('button', { name: /^Show all \d+ headers$/ }).click()
  await expect(headers).toContainText('evil ⟨U+202E⟩gpj.exe')
  await headers.getByRole('button', { name: 'Show fewer headers' }).click()
  await expect(headers.getByText('X-Berth')).toHaveCount(0)

  const source = dialog.getByRole('region', { name: 'Source' })
  await expect(source).toContainText('Received: from home.example by relay.example;')
  const bar = dialog.getByRole('search', { name: 'Find in source' })
  const find = bar.getByRole('searchbox', { name: 'Find in source' })
  await find.fill('u+202e')
  await expect(bar).toContainText('1 of 1')
  await expect(source).toContainText('Hidden ⟨U+202E⟩reversed⟨U+202C⟩ and ␇ bell.')
  await find.fill('BUOY')
  await expect(bar).toContainText('1 of 1')
  await expect.poll(() => marks(page)).toEqual({ count: 1, line: 'The last buoy', isInView: true })
  await find.fill('line 1 of the')
  await expect(bar).toContainText('1 of 1')
  await expect.poll(() => marks(page)).toEqual({ count: 1, line: 'Line 1 of the', isInView: true })
  await find.fill('quay 6')
  await expect(bar).toContainText('1 of 428')
  await find.press('Shift+Enter')
  await expect(bar).toContainText('428 of 428')
  const last = { line: 'Line 2996 of the tide table, high water at quay 6', isInView: true }
  await expect.poll(() => marks(page)).toMatchObject(last)
  await find.press('Enter')
  await expect(bar).toContainText('1 of 428')
  const first = { line: 'Line 7 of the tide table, high water at quay 6', isInView: true }
  await expect.poll(() => marks(page)).toMatchObject(first)
  expect((await marks(page)).count).toBeGreaterThan(1)
  await find.fill('no such word')
  await expect(bar).toContainText('Not found')
  await expect.poll(() => marks(page)).toMatchObject({ count: 0, line: undefined })

  await dialog.getByRole('button', { name: 'Copy' }).click()
  await expect(dialog.getByText('Copied')).toBeVisible()
  if (electron === null) {
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied.replaceAll('\r\n', '\n')).toContain('⟨U+202E⟩reversed⟨U+202C⟩ and ␇ bell.\nLine 1 of')
  }
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'More actions' })).toBeFocused()
}

test('prints an e-mail completely and shows its source, with or without the original', async ({
  linnet,
  platform,
  dataDirectory,
}) => {
  const { page } = linnet
  await test.step('a conversation prints whole, with headers, on light paper and without remote content', () =>
    printsAllOfIt(linnet, platform, dataDirectory))
  await test.step('headers from the platform are shown if the original is unavailable', () =>
    showsHeadersWithoutIt(page, platform))
  await page.keyboard.press('Escape')
  await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
  await openRow(page)
  await test.step('the source of an e-mail is read, searched and copied', () => readsTheSource(linnet))
})
