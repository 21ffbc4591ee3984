import type { Locator, Page } from '@playwright/test'
import { COLOURED_MAIL } from '../support/coloured-mail.ts'
import { deliverAll, expect, goTo, test } from './linnet.ts'

/** Maximum luminance of a dark background; marked text is slightly lighter. */
const DARK = 0.07
/** True to test all kinds of mail; the default is a few representative ones. */
const IS_FULL = process.env.LINNET_TEST_DARK === 'full'
const TRIED = COLOURED_MAIL.filter(
  ({ subject }) => IS_FULL || ['newsletter', 'own', 'program', 'logo'].some((word) => subject.includes(word)),
)
const HERON = 'Heron <news@heron.example>'

const mailIn = (page: Page): Locator =>
  page.getByRole('article').locator('iframe').contentFrame().locator('#linnet-mail')
const open = async (page: Page, subject: string): Promise<void> => {
  await page.getByRole('option', { name: new RegExp(subject) }).click()
  await expect(page.getByRole('heading', { level: 1, name: new RegExp(subject) })).toBeVisible()
  await mailIn(page).waitFor()
}
const choose = async (page: Page, name: string | RegExp): Promise<void> => {
  await page.getByRole('article').getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name }).click()
}

/** Reads from an e-mail's document, retrying if a redraw replaces the document in the meantime. */
const readDrawn = async <Read>(read: () => Promise<Read>): Promise<Read> => {
  try {
    return await read()
  } catch (thrown) {
    if (thrown instanceof Error && /context was destroyed|frame was detached/i.test(thrown.message))
      return readDrawn(read)
    throw thrown
  }
}

/** Computed luminances (WCAG 2.2) of an e-mail's letters and of the lightest background under them. */
const drawnLuminances = (mail: Locator): Promise<readonly { words: string; ink: number; ground: number }[]> =>
  mail.evaluate((root) => {
    const pen = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
    if (pen === null) throw new Error('no canvas')
    const pixelOf = (color: string, over: string): readonly number[] => {
      for (const each of [over, color]) {
        pen.fillStyle = each
        pen.fillRect(0, 0, 1, 1)
      }
      return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3)
    }
    const luminanceOf = (pixel: readonly number[]): number => {
      const [red = 0, green = 0, blue = 0] = pixel.map((each) => {
        const share = each / 255
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }
    const groundOf = (element: Element | null): string => {
      if (element === null) return 'white'
      const { backgroundColor, backgroundImage } = getComputedStyle(element)
      const below = groundOf(element.parentElement)
      const stops = [...backgroundImage.matchAll(/rgba?\([^)]*\)/g)].map(([stop]) => stop)
      const layers = [backgroundColor, ...stops].map((layer) => pixelOf(layer, below))
      const lightest = layers.reduce((best, each) => (luminanceOf(each) > luminanceOf(best) ? each : best))
      return `rgb(${lightest.join(' ')})`
    }
    const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const found: { words: string; ink: number; ground: number }[] = []
    while (walker.nextNode() !== null) {
      const element = walker.currentNode.parentElement
      const words = walker.currentNode.nodeValue?.trim() ?? ''
      if (words === '' || element?.checkVisibility() !== true) continue
      const style = getComputedStyle(element)
      const isCut = style.webkitTextFillColor === 'rgba(0, 0, 0, 0)'
      const ground = groundOf(isCut ? element.parentElement : element)
      const ink = isCut ? (/rgba?\([^)]*\)/.exec(style.backgroundImage)?.[0] ?? '') : style.webkitTextFillColor
      found.push({ words, ink: luminanceOf(pixelOf(ink, ground)), ground: luminanceOf(pixelOf(ground, 'white')) })
    }
    return found
  })

const hardToRead = async (mail: Locator): Promise<readonly string[]> =>
  (await readDrawn(() => drawnLuminances(mail)))
    .filter(({ ink, ground }) => (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05) < 4.5)
    .map(({ words }) => words)

const lightestGround = async (mail: Locator): Promise<number> =>
  Math.max(...(await readDrawn(() => drawnLuminances(mail))).map(({ ground }) => ground))

test.use({ preferences: { darkMail: 'as-sent' } })

test('draws coloured mail dark and readable on request, once or always for its sender', async ({
  linnet,
  platform,
}) => {
  const { page } = linnet
  await page.emulateMedia({ colorScheme: 'light' })
  await deliverAll(
    page,
    platform,
    TRIED.map((mail) => ({ from: HERON, text: mail.subject, ...mail })),
  )
  const show = page.getByRole('article').getByRole('button', { name: 'Show dark' })
  const showOwn = page.getByRole('article').getByRole('button', { name: 'Show as sent' })

  await test.step('the light theme offers no choice', async () => {
    await open(page, 'With dark styles of its own')
    await expect(mailIn(page)).toContainText('Drawn for the day.')
    await expect(mailIn(page).getByText('Drawn for the night.')).toBeHidden()
    await expect(show.or(showOwn)).toHaveCount(0)
  })

  await page.emulateMedia({ colorScheme: 'dark' })

  await test.step('mail with dark styles uses them until shown as sent', async () => {
    await expect(mailIn(page).getByText('Drawn for the night.')).toBeVisible()
    expect(await lightestGround(mailIn(page))).toBeLessThan(DARK)
    await showOwn.click()
    await expect(mailIn(page).getByText('Drawn for the day.')).toBeVisible()
    expect(await lightestGround(mailIn(page))).toBe(1)
  })

  await test.step('other mail keeps its colours until shown dark, and is then readable', async () => {
    for (const { subject } of TRIED) {
      await open(page, subject)
      if (subject.startsWith('With dark')) continue
      if (subject !== 'Dark already') expect(await lightestGround(mailIn(page)), subject).toBeGreaterThan(0.8)
      await show.click()
      await expect(showOwn).toBeVisible()
      await expect.poll(() => lightestGround(mailIn(page)), subject).toBeLessThan(DARK)
      expect(await hardToRead(mailIn(page)), subject).toEqual([])
    }
  })

  await test.step('a transparent logo gets a light background, an opaque picture none', async () => {
    await open(page, 'A logo without a ground')
    const groundOf = (picture: string): Promise<string> =>
      readDrawn(() =>
        mailIn(page)
          .locator(picture)
          .evaluate((image) => getComputedStyle(image).backgroundColor),
      )
    await expect.poll(() => groundOf('.logo')).toBe('rgb(237, 231, 225)')
    expect(await groundOf('.photo')).toBe('rgba(0, 0, 0, 0)')
    await showOwn.click()
    await expect.poll(() => groundOf('.logo')).toBe('rgba(0, 0, 0, 0)')
  })

  await test.step('a choice applies to one e-mail while the account is open', async () => {
    await open(page, 'A newsletter')
    await expect(showOwn).toBeVisible()
    await showOwn.click()
    await expect.poll(() => lightestGround(mailIn(page))).toBe(1)
  })

  await test.step('a sender’s mail is always dark, except for single e-mails', async () => {
    await platform.deliver({ from: HERON, subject: 'The next one', html: COLOURED_MAIL[0]?.html ?? '' })
    await page.keyboard.press('F5')
    await choose(page, 'Always use dark colours for news@heron.example')
    await expect.poll(() => lightestGround(mailIn(page))).toBeLessThan(DARK)
    await open(page, 'The next one')
    await expect.poll(() => lightestGround(mailIn(page))).toBeLessThan(DARK)
    await choose(page, 'Show as sent')
    await expect.poll(() => lightestGround(mailIn(page))).toBe(1)
  })

  await test.step('removing a sender shows its mail as sent', async () => {
    await page.reload()
    await goTo(page, '#/settings/privacy')
    const list = page.getByRole('list', { name: 'Always use dark colours for' })
    await list.getByRole('button', { name: 'Remove news@heron.example' }).click()
    await expect(list).toHaveCount(0)
    await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
    await open(page, 'The next one')
    await expect(show).toBeVisible()
    expect(await lightestGround(mailIn(page))).toBe(1)
  })

  await test.step('the setting shows all mail dark', async () => {
    await goTo(page, '#/settings/appearance')
    const choice = page.getByRole('group', { name: 'Mail in the dark theme' })
    await choice.getByRole('radio', { name: 'Dark' }).check({ force: true })
    await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
    await open(page, 'The next one')
    await expect.poll(() => lightestGround(mailIn(page))).toBeLessThan(DARK)
    await showOwn.click()
    await expect.poll(() => lightestGround(mailIn(page))).toBe(1)
  })
})
