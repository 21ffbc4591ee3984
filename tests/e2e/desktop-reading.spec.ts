import { join } from 'node:path'
import type { ElectronApplication, Page } from '@playwright/test'
import { drawPng } from '../support/drawn-pictures.ts'
import { runByPalette } from '../support/screens.ts'
import { expectAccessible } from './expect-accessible.ts'
import { expect, saveTo, test, type Linnet } from './linnet.ts'
import { takePictures } from './take-pictures.ts'

test.skip(({ hostKind }) => hostKind !== 'electron', 'Browsers have their own menu and print preview.')

const PIER = 'Ann <ann@pier.example>'

const copiesByTheMenu = async (page: Page, electron: ElectronApplication): Promise<void> => {
  await electron.evaluate(({ Menu }) => {
    Menu.prototype.popup = function (this: Electron.Menu) {
      const { shownMenu = '' } = globalThis as { shownMenu?: string }
      const labels = this.items.map(({ label }) => label).join(', ')
      Object.assign(globalThis, { shownMenu: shownMenu + labels, choose: this.items[0] })
    }
  })
  await page.getByRole('option', { name: /The chart/ }).click()
  const mail = page.getByRole('article').locator('iframe').contentFrame()
  const image = mail.getByRole('img', { name: 'Chart' })
  await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(30)

  const menu = (): Promise<string> =>
    electron.evaluate(() => (globalThis as { shownMenu?: string }).shownMenu ?? 'no menu')
  const forget = (): Promise<unknown> =>
    electron.evaluate(() => void Object.assign(globalThis, { shownMenu: undefined }))
  const choose = (): Promise<void> =>
    electron.evaluate(() => {
      ;(globalThis as { choose?: Electron.MenuItem }).choose?.click()
    })

  /** Clipboard content, read with the API of the running Electron, which is older than the type definitions. */
  const clipped = (): Promise<unknown> =>
    electron.evaluate((desktop) => {
      const { clipboard } = desktop as unknown as {
        readonly clipboard: {
          readonly readText: () => string
          readonly readImage: () => { readonly getSize: () => { readonly width: number; readonly height: number } }
        }
      }
      return { text: clipboard.readText(), ...clipboard.readImage().getSize() }
    })

  await mail.getByText('it is').click({ button: 'right' })
  await expect.poll(menu).toBe('Copy link address')
  await choose()
  await expect.poll(clipped).toMatchObject({ text: 'https://pier.example/a?b=1' })

  await forget()
  await image.click({ button: 'right' })
  await expect.poll(menu).toBe('Copy picture, Save picture as…')
  await choose()
  await expect.poll(clipped).toMatchObject({ width: 30, height: 20 })

  await forget()
  await mail.getByText('Not this').click({ button: 'right' })
  // Menus arrive in request order: one for the previous link would come before this one.
  await mail.getByText('it is').click({ button: 'right' })
  await expect.poll(menu).toBe('Copy link address')
}

const seesThePaperFirst = async (linnet: Linnet, electron: ElectronApplication, folder: string): Promise<void> => {
  const { page } = linnet
  await page.getByRole('option', { name: /Long tides/ }).click()
  await page.getByRole('article').getByText('The lantern stays lit, 119.').waitFor()
  await runByPalette(page, 'Print preview')
  const preview = page.getByRole('dialog', { name: 'Print preview' })
  await expect(preview.getByRole('status')).toHaveText(/^Page 1 of [2-9]$/)
  const drawn = preview.locator('canvas').first()
  // The page isn't blank.
  await expect
    .poll(() =>
      drawn.evaluate((canvas: HTMLCanvasElement) => {
        const { data = [] } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {}
        return data.some((value, index) => index % 4 === 0 && value < 64)
      }),
    )
    .toBe(true)
  await expectAccessible(page, 'the print preview')
  await takePictures(page, 'print-preview')
  const target = join(folder, 'Long tides.pdf')
  const pdf = await saveTo(linnet, target, () => preview.getByRole('button', { name: 'Save as PDF' }).click())
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')

  await electron.evaluate(({ app }) => {
    const printed: boolean[] = []
    Object.assign(globalThis, { printed })
    app.on('web-contents-created', (_event, contents) => {
      contents.print = (options, finish) => {
        printed.push(options?.silent === false)
        finish?.(true, '')
      }
    })
  })
  await preview.getByRole('button', { name: 'Print', exact: true }).click()
  const printed = () => electron.evaluate(() => (globalThis as unknown as { printed: readonly boolean[] }).printed)
  await expect.poll(printed).toEqual([true])
  await page.keyboard.press('Escape')
  await expect(preview).toHaveCount(0)
}

const LONG = Array.from({ length: 120 }, (_, line) => `The lantern stays lit, ${line}.`).join('\n')

test('copies and prints an e-mail on the desktop', async ({ linnet, platform, dataDirectory }) => {
  const { page, electron } = linnet
  if (electron === null) throw new Error('This test needs Electron.')
  await platform.deliver({
    from: PIER,
    subject: 'The chart',
    html: '<p>Here <a href="https://pier.example/a?b=1">it is</a>. <a href="javascript:alert(1)">Not this</a></p><img src="cid:chart@pier.example" alt="Chart">',
    attachments: [{ filename: 'chart.png', content: drawPng(30, 20), cid: 'chart@pier.example' }],
  })
  await platform.deliver({ from: PIER, subject: 'Long tides', text: LONG })
  await page.keyboard.press('F5')
  // Wait for all rows: each arrival moves the others from under the pointer.
  await expect(page.getByRole('option')).toHaveCount(2)
  await test.step('the menu copies text, links and pictures of an e-mail, but no hostile links', () =>
    copiesByTheMenu(page, electron))
  await test.step('a print preview opens first, and can be printed or saved', () =>
    seesThePaperFirst(linnet, electron, dataDirectory))
})
