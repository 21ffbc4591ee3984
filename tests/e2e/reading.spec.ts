import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Platform } from '../support/platform.ts'
import { runByPalette } from '../support/screens.ts'
import { SMALL_PDF } from '../support/small-pdf.ts'
import { expect, saveTo, test, threadsOn, type Linnet } from './linnet.ts'
import { pretendInternet } from './pretend-internet.ts'

const SUBJECT = 'Papers of the harbour'
const ANN = 'ann@harbour.example'
const PICTURE = 'http://pictures.test/pier.png'
const NOTES = Buffer.from('Grüße vom Hafen\r\nHigh water at 14:20\n')

/** Three e-mails from two people, with further data about one of them. */
const prepare = async ({ ask, deliver, inboxAddress }: Platform): Promise<void> => {
  const post = (path: string, body: unknown) => ask(path, { method: 'POST', body })
  await post('/contacts', { email: ANN, first_name: 'Ann', last_name: 'Lee' })
  await post('/topics', { name: 'Tide tables', default_subscription: 'opt_out' })
  await post('/emails', { from: inboxAddress, to: ANN, subject: 'Invoice 7', text: 'Due on Friday.' })
  const idOf = (place: number): string => `<${place}@papers.example>`
  await deliver({
    from: `Ann Lee <${ANN}>`,
    subject: SUBJECT,
    messageId: idOf(0),
    text: 'The café at the pier is closed.',
  })
  await deliver({
    from: 'Ben Hull <ben@pier.example>',
    subject: `Re: ${SUBJECT}`,
    messageId: idOf(1),
    inReplyTo: idOf(0),
    references: [idOf(0)],
    text: 'Which café?\n\nOn Monday Ann Lee wrote:\n> The café at the pier is closed.',
  })
  await deliver({
    from: `Ann Lee <${ANN}>`,
    subject: `Re: ${SUBJECT}`,
    messageId: idOf(2),
    inReplyTo: idOf(1),
    references: [idOf(0), idOf(1)],
    html: `<p>All of it is in the papers.</p><img src="${PICTURE}" alt="The pier" width="40" height="30">
      <blockquote type="cite">Which café?</blockquote>`,
    attachments: [
      { filename: 'notes.txt', content: NOTES },
      { filename: 'plan.pdf', content: SMALL_PDF },
    ],
  })
}

const reader = (page: Page): Locator => page.getByRole('region', { name: 'Thread', exact: true })
const articles = (page: Page): Locator => reader(page).getByRole('article')
const threadRow = (page: Page): Locator => page.getByRole('option', { name: new RegExp(SUBJECT) })
const panelOf = (page: Page): Locator => page.getByRole('complementary', { name: 'Contact' })

/** True for each unfolded e-mail, in order. */
const unfolded = (page: Page): Promise<readonly boolean[]> =>
  articles(page).evaluateAll((all) => all.map((each) => each.classList.contains('expanded')))

/** Opens the conversation, folds and unfolds its parts, and leaves all unfolded. */
const readAndFold = async (page: Page, isUnfoldedFirst: readonly boolean[]): Promise<void> => {
  await threadRow(page).click()
  await expect(reader(page).getByRole('heading', { level: 1 })).toHaveText(SUBJECT)
  await expect.poll(() => unfolded(page)).toEqual(isUnfoldedFirst)
  const [first, second, newest] = [articles(page).first(), articles(page).nth(1), articles(page).last()]
  const isFirstUnfolded = isUnfoldedFirst[0] === true
  const fold = (article: Locator): Promise<void> => article.locator('header').getByRole('button').first().click()
  await fold(first)
  await expect.poll(async () => (await unfolded(page))[0]).toBe(!isFirstUnfolded)
  if (isFirstUnfolded) await fold(first)
  else await fold(second)
  await expect.poll(() => unfolded(page)).toEqual([true, true, true])
  await expect(first.getByText('The café at the pier is closed.')).toBeVisible()
  const earlier = second.getByText('The café at the pier is closed.')
  await expect(earlier).toBeHidden()
  // By keyboard: details about the sender may arrive and move the control from under a pointer.
  await second.locator('summary', { hasText: 'Show quoted text' }).press('Enter')
  await expect(earlier).toBeVisible()
  const mail = newest.locator('iframe').contentFrame()
  await expect(mail.getByText('All of it is in the papers.')).toBeVisible()
  await expect(mail.getByText('Which café?')).toBeHidden()
}

const find = async (page: Page): Promise<void> => {
  await page.keyboard.press('ControlOrMeta+f')
  const bar = reader(page).getByRole('search', { name: 'Find in thread' })
  await expect(bar.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type('cafe')
  await expect(bar).toContainText('1 of 4')
  await page.keyboard.press('Shift+Enter')
  await expect(bar).toContainText('4 of 4')
  // Find also reaches folded parts of the formatted mail.
  await expect(articles(page).last().locator('iframe').contentFrame().getByText('Which café?')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(bar).toBeHidden()
}

const allowPictures = async (page: Page): Promise<void> => {
  const newest = articles(page).last()
  const picture = newest.locator('iframe').contentFrame().getByAltText('The pier')
  await newest.focus()
  await expect(newest.getByRole('note', { name: 'Blocked content' })).toContainText('1 picture blocked')
  await newest.getByRole('button', { name: 'Show pictures' }).click()
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40)
}

const isInkDrawn = (paper: Locator): Promise<boolean> =>
  paper.evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
    let [dark, light] = [0, 0]
    for (let at = 0; at < data.length; at += 4) {
      if ((data[at] ?? 255) < 100) dark += 1
      else if ((data[at] ?? 0) > 200) light += 1
    }
    return dark > 1_000 && light > dark
  })

const useAttachments = async (linnet: Linnet, folder: string): Promise<void> => {
  const { page } = linnet
  const list = articles(page).last().getByRole('list', { name: 'Attachments' })
  const save = (): Promise<void> => list.getByRole('button', { name: 'Save notes.txt' }).click()
  expect((await saveTo(linnet, join(folder, 'notes.txt'), save)).equals(NOTES)).toBe(true)
  await list.getByRole('button', { name: 'Open plan.pdf' }).click()
  const preview = page.getByRole('dialog', { name: 'Preview of plan.pdf' })
  await expect(preview.getByRole('status')).toHaveText('Page 1 of 2')
  const paper = preview.locator('canvas').first()
  await expect.poll(() => isInkDrawn(paper)).toBe(true)
  await page.keyboard.press('Escape')
  await expect(preview).toBeHidden()
}

const readSource = async (linnet: Linnet, folder: string, original: Buffer): Promise<void> => {
  const { page } = linnet
  await articles(page).last().getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Show source' }).click()
  const dialog = page.getByRole('dialog', { name: 'Message source' })
  await expect(dialog.getByRole('region', { name: 'Headers' })).toContainText(`Ann Lee <${ANN}>`)
  await expect(dialog.getByRole('region', { name: 'Source' })).toContainText('Message-ID: <2@papers.example>')
  const save = (): Promise<void> => dialog.getByRole('button', { name: 'Save as .eml' }).click()
  expect((await saveTo(linnet, join(folder, `Re ${SUBJECT}.eml`), save)).equals(original)).toBe(true)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

const wordsOfPdf = async (bytes: Buffer): Promise<string> => {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 })
  const pdf = await task.promise
  const pages: string[] = []
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    pages.push(items.map((item) => ('str' in item ? item.str : '')).join(' '))
  }
  await task.destroy()
  return pages.join(' ').replaceAll(/\s+/g, ' ')
}

/** @returns the printed text: from the file in Electron, else from what the browser would print */
const print = async (linnet: Linnet, folder: string): Promise<string> => {
  const { page, electron } = linnet
  if (electron !== null) {
    const save = (): Promise<void> => runByPalette(page, 'Save thread as PDF')
    return wordsOfPdf(await saveTo(linnet, join(folder, `Re ${SUBJECT}.pdf`), save))
  }
  await page.evaluate(() => {
    document.addEventListener(
      'load',
      ({ target }) => {
        if (!(target instanceof HTMLIFrameElement) || target.title !== 'Print' || target.contentWindow === null) return
        target.contentWindow.print = () => (target.dataset.printed = 'true')
      },
      true,
    )
  })
  await runByPalette(page, 'Print thread')
  const frame = page.locator('iframe[title="Print"][data-printed]')
  await expect(frame).toHaveCount(1)
  const texts = await frame
    .contentFrame()
    .locator('body')
    .evaluate((body: HTMLElement) => [
      body.innerText,
      ...[...body.querySelectorAll('.printed-mail')].map(
        ({ shadowRoot }) => shadowRoot?.getElementById('linnet-mail')?.textContent ?? '',
      ),
    ])
  return texts.join(' ').replaceAll(/\s+/g, ' ')
}

const openShareDialog = async (page: Page): Promise<Locator> => {
  await page.getByRole('toolbar', { name: 'Thread actions' }).getByRole('button', { name: 'Share link' }).click()
  return page.getByRole('dialog', { name: 'Share link' })
}

const goToShareLinks = async (page: Page): Promise<Locator> => {
  await page.getByRole('navigation', { name: 'Mailboxes' }).getByRole('link', { name: 'Share links' }).click()
  const pane = page.getByRole('region', { name: 'Share link', exact: true })
  await expect(pane.getByRole('heading', { name: SUBJECT })).toBeVisible()
  await expect(pane).toContainText(/Works for (?:1 hour|59 minutes), until/)
  await expect(pane.getByRole('button', { name: 'Copy link' })).toBeVisible()
  return pane
}

/** Checks what the panel shows about Ann, whose e-mail has the focus. */
const seeAnn = async (page: Page): Promise<Locator> => {
  const panel = panelOf(page)
  await articles(page).last().focus()
  await expect(panel.getByRole('heading', { name: 'Ann Lee' })).toBeVisible()
  await expect(panel.getByRole('list', { name: 'Sent to this person' })).toContainText('Invoice 7')
  await expect(panel.getByRole('list', { name: 'Threads with this person' })).toContainText('Currently open')
  const tides = panel.getByRole('switch', { name: 'Tide tables' })
  await expect(tides).not.toBeChecked()
  return tides
}

const subscription = async ({ ask }: Platform): Promise<unknown> => {
  const { data } = (await ask(`/contacts/${ANN}/topics`)) as {
    readonly data: readonly { readonly subscription: string }[]
  }
  return data[0]?.subscription
}

/** Raw source of the newest e-mail, from the platform. */
const originalOf = async ({ ask }: Platform): Promise<Buffer> => {
  const { data } = (await ask('/emails/receiving')) as { readonly data: readonly { readonly id: string }[] }
  const { raw } = (await ask(`/emails/receiving/${data[0]?.id ?? ''}`)) as {
    readonly raw: { readonly download_url: string }
  }
  return Buffer.from(await (await fetch(raw.download_url)).arrayBuffer())
}

test('reads, searches, saves, prints and shares a conversation online and offline', async ({
  platform,
  dataDirectory,
  launch,
  hostKind,
}) => {
  const internet = await pretendInternet(dataDirectory, hostKind)
  const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey, ...internet.launch.env }
  const start = () => launch({ dataDirectory, env, switches: internet.launch.switches })
  const [saved, savedOffline] = [join(dataDirectory, 'saved'), join(dataDirectory, 'saved-offline')]
  await mkdir(saved)
  await mkdir(savedOffline)
  await prepare(platform)
  const original = await originalOf(platform)

  const linnet = await start()
  const { page } = linnet
  await expect(threadRow(page).locator('.count')).toHaveText('3')
  await expect(threadRow(page)).toHaveAccessibleName(/unread/i)

  await test.step('read, and marked as read on the platform', async () => {
    await readAndFold(page, [true, true, true])
    await expect(threadRow(page)).not.toHaveAccessibleName(/unread/i)
    await expect.poll(async () => (await threadsOn(platform)).map(({ read }) => read)).toEqual([true])
  })
  await test.step('searched', () => find(page))
  await test.step('with its pictures', async () => {
    await allowPictures(page)
    expect(internet.asked()).toEqual(['pictures.test/pier.png'])
  })
  await test.step('with its attachments', () => useAttachments(linnet, saved))
  await test.step('as source', () => readSource(linnet, saved, original))
  const printed = await test.step('printed', () => print(linnet, saved))
  for (const words of [SUBJECT, 'Ann Lee', 'The café at the pier is closed.', 'All of it is in the papers.']) {
    expect(printed).toContain(words)
  }
  await test.step('shared', async () => {
    const dialog = await openShareDialog(page)
    await dialog.getByRole('radio', { name: '1 hour' }).check({ force: true })
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue()
    expect(await (await fetch(link)).text()).toContain('All of it is in the papers.')
    await page.keyboard.press('Escape')
    const pane = await goToShareLinks(page)
    await pane.getByRole('button', { name: 'Go to thread' }).click()
    await expect(articles(page)).toHaveCount(3)
  })
  await test.step('next to its sender’s contact', async () => {
    await page.keyboard.press('ControlOrMeta+i')
    const tides = await seeAnn(page)
    await tides.click()
    await expect(tides).toBeChecked()
    await expect.poll(() => subscription(platform)).toBe('opt_in')
    await page.keyboard.press('z')
    await expect(tides).not.toBeChecked()
    await expect.poll(() => subscription(platform)).toBe('opt_out')
  })

  await linnet.close()
  await platform.pause()
  await internet.stop()
  const asked = internet.asked().length
  const offline = await start()
  await expect(offline.page.getByRole('status').filter({ hasText: 'Offline' })).toBeVisible()

  await test.step('offline: read and searched', async () => {
    await readAndFold(offline.page, [false, false, true])
    await find(offline.page)
  })
  await test.step('offline: with its pictures', () => allowPictures(offline.page))
  await test.step('offline: with its attachments', () => useAttachments(offline, savedOffline))
  await test.step('offline: as source', () => readSource(offline, savedOffline, original))
  expect(await test.step('offline: printed', () => print(offline, savedOffline))).toBe(printed)
  await test.step('offline: next to its sender’s contact', async () => {
    await seeAnn(offline.page)
    await expect(panelOf(offline.page).getByText(/^Checked/)).toBeVisible()
  })
  await test.step('offline: with its old share link, but no new one', async () => {
    const dialog = await openShareDialog(offline.page)
    // The dialog says so up front, with no button to press in vain (P5).
    await expect(dialog.getByRole('alert')).toHaveText('You are offline. Go online to create a share link.')
    await expect(dialog.getByRole('button', { name: 'Create link' })).toBeDisabled()
    await offline.page.keyboard.press('Escape')
    await goToShareLinks(offline.page)
  })
  expect(internet.asked()).toHaveLength(asked)
})
