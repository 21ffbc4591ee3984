import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import type { Page } from '@playwright/test'
import { expectAccessible } from './expect-accessible.ts'
import { expect, saveTo, test } from './linnet.ts'
import { SMALL_PDF } from '../support/small-pdf.ts'

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg==',
  'base64',
)
const NOTES = Buffer.from('Grüße vom Hafen\nHigh water at 14:20\n')

const deliver = (platform: { deliver: (message: object) => Promise<void> }): Promise<void> =>
  platform.deliver({
    from: '"Ada Quill" <ada@quill.example>',
    subject: 'Papers of the harbour',
    text: 'Attached.',
    attachments: [
      { filename: 'notes.txt', content: NOTES },
      { filename: 'pier.png', content: PICTURE },
      { filename: 'plan.pdf', content: SMALL_PDF },
      { filename: 'invoice.pdf.exe', content: Buffer.from('MZ and the rest of a program') },
    ],
  })

const openEmail = async (page: Page) => {
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: /Papers of the harbour/ }).click()
  const article = page.getByRole('article', { name: /Message from Ada Quill/ })
  await expect(article.getByRole('list', { name: 'Attachments' })).toBeVisible()
  return article
}

test('lists, previews and saves attachments byte for byte', async ({ linnet, platform }) => {
  const { page, electron } = linnet
  const folder = await mkdtemp(join(tmpdir(), 'linnet-saved-'))
  await deliver(platform)
  const article = await openEmail(page)
  const list = article.getByRole('list', { name: 'Attachments' })
  await expect(list.getByRole('listitem')).toHaveText([
    /notes\.txt.*Text/s,
    /pier\.png.*Picture/s,
    /plan\.pdf.*PDF/s,
    /Program with a misleading name/,
  ])

  const notes = list.getByRole('button', { name: 'Open notes.txt' })
  await notes.click()
  const dialog = page.getByRole('dialog', { name: 'Preview of notes.txt' })
  await expect(dialog.getByRole('region', { name: 'Text of notes.txt' })).toContainText('Grüße vom Hafen')
  await expectAccessible(page, 'preview')
  await dialog.getByRole('button', { name: 'Next attachment' }).click()
  const picture = page.getByRole('dialog', { name: 'Preview of pier.png' })
  await expect
    .poll(() =>
      picture
        .frameLocator('iframe')
        .locator('img')
        .evaluate((img: HTMLImageElement) => img.naturalWidth),
    )
    .toBe(2)
  await picture.getByRole('button', { name: 'Next attachment' }).click()
  const paper = page.getByRole('dialog', { name: 'Preview of plan.pdf' })
  await expect(paper.getByText('Page 1 of 2')).toBeVisible()
  const drawn = paper.getByRole('img', { name: 'Page 1' }).locator('canvas')
  const darkPoints = (): Promise<number> =>
    drawn.evaluate((canvas: HTMLCanvasElement) => {
      const points = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
      let dark = 0
      for (let at = 0; at < points.length; at += 4) if ((points[at] ?? 255) < 100) dark += 1
      return dark
    })
  await expect.poll(darkPoints).toBeGreaterThan(1000)
  await paper.getByRole('button', { name: 'Zoom in' }).click()
  await expect(paper.getByText('125%')).toBeVisible()
  await expect.poll(darkPoints).toBeGreaterThan(1000)
  await page.keyboard.press('Escape')
  await expect(paper).toBeHidden()
  await expect(picture).toBeHidden()
  await expect(notes).toBeFocused()
  await expect(list.getByRole('listitem').nth(1)).toContainText('On this computer')

  const save = (): Promise<void> => list.getByRole('button', { name: 'Save pier.png' }).click()
  expect((await saveTo(linnet, join(folder, 'pier.png'), save)).equals(PICTURE)).toBe(true)

  // Saving all asks first, because one file is dangerous. Existing files are not overwritten.
  const saveAll = article.getByRole('button', { name: 'Save all attachments' })
  const question = page.getByRole('dialog', { name: 'Save invoice.pdf.exe?' })
  if (electron === null) {
    await saveAll.click()
    await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      question.getByRole('button', { name: 'Save anyway' }).click(),
    ])
    const zip = join(folder, 'all.zip')
    await download.saveAs(zip)
    const files = unzipSync(readFileSync(zip))
    expect(Object.keys(files).toSorted()).toEqual(['invoice.pdf.exe', 'notes.txt', 'pier.png', 'plan.pdf'])
    expect(Buffer.from(files['notes.txt'] ?? []).equals(NOTES)).toBe(true)
  } else {
    await electron.evaluate(({ dialog: dialogs }, path) => {
      dialogs.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] })
    }, folder)
    await saveAll.click()
    await question.getByRole('button', { name: 'Save anyway' }).click()
    await expect(page.getByText(`Saved in ${folder}`)).toBeVisible()
    expect((await readdir(folder)).toSorted()).toEqual([
      'invoice.pdf.exe',
      'notes.txt',
      'pier (2).png',
      'pier.png',
      'plan.pdf',
    ])
    expect(readFileSync(join(folder, 'notes.txt')).equals(NOTES)).toBe(true)
  }
  await rm(folder, { recursive: true })
})
