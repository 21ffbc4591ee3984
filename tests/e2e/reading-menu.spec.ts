/** The menu of what is read on the desktop: of selected words, of links and of pictures in an e-mail. */
import { drawPng } from '../support/drawn-pictures.ts'
import { expect, test } from './linnet.ts'

test.skip(({ hostKind }) => hostKind !== 'electron', 'A browser has a menu of its own.')

test('words, links and pictures of an e-mail are copied by their menu, and hostile links have none', async ({
  linnet,
  platform,
}) => {
  const { page, electron } = linnet
  if (electron === null) throw new Error('no desktop')
  await electron.evaluate(({ Menu }) => {
    Menu.prototype.popup = function (this: Electron.Menu) {
      const { shownMenu = '' } = globalThis as { shownMenu?: string }
      const labels = this.items.map(({ label }) => label).join(', ')
      Object.assign(globalThis, { shownMenu: shownMenu + labels, choose: this.items[0] })
    }
  })
  await platform.deliver({
    from: 'Ann <ann@pier.example>',
    subject: 'The chart',
    html: '<p>Here <a href="https://pier.example/a?b=1">it is</a>. <a href="javascript:alert(1)">Not this</a></p><img src="cid:chart@pier.example" alt="Chart">',
    attachments: [{ filename: 'chart.png', content: drawPng(30, 20), cid: 'chart@pier.example' }],
  })
  await page.keyboard.press('F5')
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

  /** What lies in the clipboard, in the words of the Electron that runs here, which is older than that of the types. */
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
  await expect.poll(menu).toBe('Copy picture')
  await choose()
  await expect.poll(clipped).toMatchObject({ width: 30, height: 20 })

  await forget()
  await mail.getByText('Not this').click({ button: 'right' })
  // Menus come in the order in which they are asked for: one of the link before would stand before this one.
  await mail.getByText('it is').click({ button: 'right' })
  await expect.poll(menu).toBe('Copy link address')
})
