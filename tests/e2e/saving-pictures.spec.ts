import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ElectronApplication, Locator, Page } from '@playwright/test'
import { drawPng } from '../support/drawn-pictures.ts'
import { runByPalette } from '../support/screens.ts'
import { expectAccessible } from './expect-accessible.ts'
import { expect, goTo, saveTo, test } from './linnet.ts'
import { takePictures } from './take-pictures.ts'

const CHART = drawPng(60, 40)
const GULL = drawPng(50, 50)

const isLoaded = (image: Locator): Promise<unknown> =>
  expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBeGreaterThan(0)

/** The desktop's native menu isn't drawn, so its entries are chosen by name. */
const choosePointed = async (electron: ElectronApplication, image: Locator, label: string): Promise<void> => {
  await electron.evaluate(({ Menu }, name) => {
    Menu.prototype.popup = function (this: Electron.Menu) {
      this.items.find((item) => item.label === name)?.click()
    }
  }, label)
  await image.click({ button: 'right' })
}

const openMenu = (page: Page): Promise<void> =>
  page.getByRole('article').getByRole('button', { name: 'More actions' }).click()

test('saves a picture in its real format and never offers a blocked one', async ({ linnet, platform }) => {
  const { page, electron } = linnet
  const folder = await mkdtemp(join(tmpdir(), 'linnet-pictures-'))
  await platform.deliver({
    from: 'Ann <ann@pier.example>',
    subject: 'The chart',
    html:
      '<p>Here it is.</p><img src="cid:chart@pier.example" alt="Chart"><img src="http://192.0.2.1/far.png" alt="Far" height="20">' +
      `<img src="data:image/svg+xml;base64,PHN2Zy8+" alt="Drawing" height="20"><img src="data:image/jpeg;base64,${GULL.toString('base64')}" alt="Gull">`,
    attachments: [{ filename: 'chart.html', content: CHART, contentType: 'image/png', cid: 'chart@pier.example' }],
  })
  await platform.deliver({
    from: 'Heron <news@heron.example>',
    subject: 'Catalogue',
    html: '<p>New.</p><img src="http://192.0.2.1/logo.png" alt="Logo" width="40" height="30">',
  })
  await page.keyboard.press('F5')
  await expect(page.getByRole('option')).toHaveCount(2)

  await test.step('a blocked picture cannot be saved', async () => {
    await page.getByRole('option', { name: /Catalogue/ }).click()
    await expect(page.getByRole('note', { name: 'Blocked content' })).toContainText('1 picture blocked')
    await openMenu(page)
    await expect(page.getByRole('menuitem', { name: 'Save as .eml' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Save picture as…' })).toHaveCount(0)
    await page.keyboard.press('Escape')
  })

  const frame = page.getByRole('article').locator('iframe').contentFrame()
  const dialog = page.getByRole('dialog', { name: 'Save picture as…' })
  const choices = dialog.getByRole('list', { name: 'Pictures in this message' }).getByRole('button')

  await test.step('the message’s menu saves one of several pictures', async () => {
    await page.getByRole('option', { name: /The chart/ }).click()
    await isLoaded(frame.getByRole('img', { name: 'Chart' }))
    await isLoaded(frame.getByRole('img', { name: 'Gull' }))
    await openMenu(page)
    await page.getByRole('menuitem', { name: 'Save picture as…' }).click()
    await expect(choices).toHaveText(['Chart', 'Gull'])
    await expect(choices.first()).toBeFocused()
    await expectAccessible(page, 'the pictures of a message')
    await takePictures(page, 'save-picture')
    // The HTML declares it a JPEG.
    const saved = await saveTo(linnet, join(folder, 'picture.png'), () => choices.last().click())
    expect(saved.equals(GULL)).toBe(true)
    await expect(dialog).toHaveCount(0)
  })

  await test.step('keys alone save a picture that has an unknown extension', async () => {
    const { data } = (await platform.ask('/emails/receiving?limit=10')) as {
      readonly data: readonly { readonly id: string; readonly subject: string }[]
    }
    await goTo(page, `#/received/${data.find(({ subject }) => subject === 'The chart')?.id ?? ''}`)
    await isLoaded(frame.locator('img[alt="Chart"]'))
    await runByPalette(page, 'Save picture as')
    await expect(choices.first()).toBeFocused()
    const saved = await saveTo(linnet, join(folder, 'chart.png'), () => page.keyboard.press('Enter'))
    expect(saved.equals(CHART)).toBe(true)
    await runByPalette(page, 'Save picture as')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  })

  if (electron !== null) {
    await test.step('the context menu saves the picture under the pointer', async () => {
      const chart = frame.locator('img[alt="Chart"]')
      const point = (): Promise<void> => choosePointed(electron, chart, 'Save picture as…')
      const pointedAt = await mkdtemp(join(tmpdir(), 'linnet-pointed-'))
      expect((await saveTo(linnet, join(pointedAt, 'chart.png'), point)).equals(CHART)).toBe(true)
      await rm(pointedAt, { recursive: true })
    })
  }
  expect((await readdir(folder)).toSorted()).toEqual(['chart.png', 'picture.png'])
  await rm(folder, { recursive: true })
})
