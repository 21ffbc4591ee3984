import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { deliverAll, expect, goTo, keptPreferences, test } from './linnet.ts'
import { boxOf } from './measure.ts'

const threads = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' })
const conversation = (page: Page): Locator => page.getByRole('region', { name: 'Thread', exact: true })
const choose = (page: Page, legend: string, name: string): Promise<void> =>
  page
    .getByRole('group', { name: legend, exact: true })
    .getByRole('radio', { name, exact: true })
    .check({ force: true })

/** Records the root element's attributes before any script of the window runs. */
const noteFirstFrame = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    document.addEventListener('readystatechange', () => {
      const { theme, density, textSize } = document.documentElement.dataset
      sessionStorage.setItem('first', JSON.stringify([document.readyState, theme, density, textSize]))
    }, { once: true }) // prettier-ignore
  })

test('keeps preferences across windows and restarts, even if one is damaged', async ({
  launch,
  platform,
  dataDirectory,
}) => {
  const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey }
  await platform.deliver({ from: 'pier@harbour.example', subject: 'Fog until noon', text: 'Fog.' })
  const first = await launch({ dataDirectory, env })
  await goTo(first.page, '#/settings')
  if (first.kind === 'browser') {
    await test.step('two windows share their settings', async () => {
      const other = await first.page.context().newPage()
      await other.goto(first.page.url())
      await other.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
      await choose(first.page, 'Theme', 'Dark')
      await choose(first.page, 'Density', 'Compact')
      await expect(other.locator('html')).toHaveAttribute('data-theme', 'dark')
      await expect(other.locator('html')).toHaveAttribute('data-density', 'compact')
      await other.close()
    })
    await test.step('a browser offers no desktop settings', async () => {
      await expect(first.page.getByRole('region', { name: 'Spelling' })).toBeVisible()
      await expect(first.page.getByRole('region', { name: 'Desktop' })).toHaveCount(0)
    })
  }
  await choose(first.page, 'Theme', 'Dark')
  await choose(first.page, 'Density', 'Roomy')
  await choose(first.page, 'Text size', 'Largest')
  await expect(first.page.locator('html')).toHaveAttribute('data-text-size', 'largest')
  await expect.poll(async () => (await keptPreferences(dataDirectory)).textSize).toBe('largest')
  await first.close()

  const file = join(dataDirectory, 'preferences.json')
  await writeFile(file, JSON.stringify({ ...(await keptPreferences(dataDirectory)), density: 'enormous' }))
  const { page } = await launch({ dataDirectory, env })
  await expect(page.getByText('Some of your settings could not be read (density)')).toBeVisible()
  expect((await readdir(dataDirectory)).filter((name) => name.startsWith('preferences.set-aside'))).toHaveLength(1)
  await noteFirstFrame(page)
  await page.reload()
  await threads(page).getByRole('option').first().waitFor()
  const [, ...seen] = JSON.parse((await page.evaluate(() => sessionStorage.getItem('first'))) ?? '[]') as string[]
  expect(seen).toEqual(['dark', 'normal', 'largest'])
  await goTo(page, '#/settings')
  await expect(
    page.getByRole('group', { name: 'Theme', exact: true }).getByRole('radio', { name: 'Dark' }),
  ).toBeChecked()
})

/** Fonts used for an element's letters: web fonts by name, all system fonts as one. */
const fontsOf = async (page: Page, expression: string): Promise<readonly string[]> => {
  const session = await page.context().newCDPSession(page)
  for (const name of ['DOM.enable', 'CSS.enable', 'DOM.getDocument'] as const) await session.send(name)
  const { result } = await session.send('Runtime.evaluate', { expression })
  const { nodeId } = await session.send('DOM.requestNode', { objectId: result.objectId ?? '' })
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId })
  await session.detach()
  return fonts.map(({ familyName, isCustomFont }) => (isCustomFont ? familyName : 'of the machine'))
}

/** Runs in a page. For the page and for its mail: true if `->` is drawn as two letters and not as a ligature. */
const isArrowTwoLetters = (): readonly boolean[] =>
  [document, document.querySelector('iframe')?.contentDocument].map((page) => {
    const [both = 0, ...each] = ['->', '-', '>'].map((text) => {
      const span = Object.assign((page ?? document).createElement('span'), { textContent: text })
      page?.body.append(span)
      const { width } = span.getBoundingClientRect()
      span.remove()
      return width
    })
    return both > 0 && Math.abs(both - each.reduce((sum, width) => sum + width, 0)) < 0.5
  })

test(
  'draws the window and unstyled mail in Inter or the system’s font',
  { tag: '@window' },
  async ({ linnet: { page }, platform }) => {
    const html = '<p>Fog.</p><p>Zażółć</p><p style="font-family: monospace">Code</p>'
    await platform.deliver({ from: 'pier@harbour.example', subject: 'Fog until noon', html })
    await threads(page).getByRole('option').first().click()
    const mail = conversation(page).locator('iframe')
    const drawn = async () => {
      await mail.contentFrame().getByText('Fog.').waitFor()
      const paragraphs = "document.querySelector('iframe').contentDocument.querySelectorAll('p')"
      const texts = [
        "document.querySelector('[role=option] .subject')",
        ...[0, 1, 2].map((at) => `${paragraphs}[${at}]`),
      ]
      const fonts: (readonly string[])[] = []
      for (const text of texts) fonts.push(await fontsOf(page, text))
      return fonts.join(', ')
    }
    await expect.poll(drawn).toBe('Inter, Inter, Inter, of the machine')
    expect(await page.evaluate(isArrowTwoLetters)).toEqual([true, true])
    for (const [name, font] of [
      ['System', 'of the machine'],
      ['Inter', 'Inter'],
    ] as const) {
      await goTo(page, '#/settings')
      await choose(page, 'Font', name)
      await page.goBack()
      await expect.poll(drawn).toBe(`${font}, ${font}, ${font}, of the machine`)
    }
  },
)

const findSettings = async (page: Page): Promise<void> => {
  const size = page.viewportSize()
  await page.setViewportSize({ width: 1024, height: 700 })
  await page.getByRole('navigation', { name: 'Mailboxes' }).getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeFocused()
  const index = page.getByRole('navigation', { name: 'Settings' })
  await index.getByRole('link', { name: 'Privacy' }).click()
  await expect(page.getByRole('heading', { name: 'Privacy' })).toBeFocused()
  // The focus stays on the heading even if something else is drawn.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        document.body.append(document.createElement('i'))
        requestAnimationFrame(() => requestAnimationFrame(resolve))
      }),
  )
  await expect(page.getByRole('heading', { name: 'Privacy' })).toBeFocused()
  await expect(page.getByRole('button', { name: 'Clear recent searches' })).toBeInViewport()
  await expect(index.getByRole('link', { name: 'Privacy' })).toHaveAttribute('aria-current', 'location')
  // The last sections become current when chosen, and when scrolled to.
  await index.getByRole('link', { name: 'Backup' }).click()
  await expect(index.getByRole('link', { name: 'Backup' })).toHaveAttribute('aria-current', 'location')
  // The page scrolls, never the window.
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await page.keyboard.press('End')
  await expect(page.getByRole('switch', { name: 'Detailed log' })).toBeInViewport()
  await page.mouse.move(600, 400)
  await page.mouse.wheel(0, -60)
  await page.mouse.wheel(0, 600)
  await expect(index.getByRole('link', { name: 'Help' })).toHaveAttribute('aria-current', 'location')

  const field = page.getByRole('searchbox', { name: 'Search settings' })
  await expect(field).toBeInViewport()
  // The page stays at its top while the search changes its height.
  await index.getByRole('link', { name: 'Backup' }).click()
  for (const word of ['b', 'ba', '']) await field.fill(word)
  await expect(page.getByRole('heading', { name: 'Accounts', level: 2 })).toBeInViewport()
  await field.fill('mono')
  const plainText = page.getByRole('group', { name: 'Plain text' })
  await expect(plainText).toBeInViewport()
  await expect(plainText).toHaveAccessibleDescription(/^Font for plain-text mail/)
  await expect(page.getByRole('group', { name: 'Mark as read' })).toBeHidden()
  await expect(index.getByRole('link')).toHaveText(['Reading'])
  // A synonym for the entire section.
  await field.fill('tracking')
  await expect(index.getByRole('link')).toHaveText(['Privacy'])
  await field.fill('zzqx')
  await expect(page.getByText('No setting matches.')).toBeVisible()
  await field.press('Escape')
  await expect(page.getByRole('group', { name: 'Mark as read' })).toBeVisible()
  if (size !== null) await page.setViewportSize(size)
}

const moveReadingPane = async (page: Page): Promise<void> => {
  const show = async (pane: string): Promise<void> => {
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type(`reading pane ${pane}`)
    await expect(page.getByRole('option', { name: `Reading pane: ${pane}` })).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Command palette' })).toHaveCount(0)
  }
  const boxes = async () => ({ list: await boxOf(threads(page)), detail: await boxOf(conversation(page)) })
  await show('below')
  const { list, detail } = await boxes()
  expect(detail.y).toBeGreaterThanOrEqual(list.y + list.height)
  expect(Math.abs(detail.width - list.width)).toBeLessThan(2)
  const edge = page.getByRole('separator', { name: 'List height' })
  await edge.focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(async () => (await boxes()).list.height).toBeGreaterThan(list.height)
  await threads(page).focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect(conversation(page).getByRole('heading', { level: 1 })).toHaveText('Fog until noon')

  await show('off')
  await expect(threads(page)).toBeHidden()
  await expect(conversation(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(threads(page)).toBeFocused()
  await expect(conversation(page)).toBeHidden()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(conversation(page).getByRole('heading', { level: 1 })).toHaveText('Gull on the antenna')
  await page.keyboard.press('e')
  await expect(conversation(page).getByRole('heading', { level: 1 })).toHaveText('Fog until noon')
  await page.keyboard.press('z')
  await show('right')
  await expect(threads(page).getByRole('option')).toHaveCount(2)
}

const clearMail = async (page: Page, platform: Platform): Promise<void> => {
  await goTo(page, '#/settings')
  const days = page.getByRole('radio', { name: '90 days' })
  // Wait for late data, which moves the other controls. The engine saves the choice before the window shows it.
  await page.getByText(/messages? stored/).waitFor()
  await page.getByText('No backup yet').waitFor()
  await days.click({ force: true })
  await expect(days).toBeChecked()
  await page.getByRole('button', { name: 'Clear downloaded mail…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Clear downloaded mail' })
  await expect(dialog).toContainText('Nothing. Everything is still on the platform.')
  await expect(dialog).toContainText('Unsent changes')
  // The change has to survive the clearing of stored mail while the platform rejects it.
  await platform.ask('/_control/faults', {
    method: 'PUT',
    body: { faults: [{ kind: 'error_500', method: 'PATCH', times: 1000 }] },
  })
  await page.keyboard.press('Escape')
  await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
  await threads(page).getByRole('option', { name: /Gull/ }).click()
  await page.keyboard.press('e')
  await expect(threads(page).getByRole('option')).toHaveCount(1)
  await goTo(page, '#/settings')
  await page.getByRole('button', { name: 'Clear downloaded mail…' }).click()
  await dialog.getByRole('button', { name: 'Clear downloaded mail', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect(days).toBeChecked()
  await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
  await expect(threads(page).getByRole('option', { name: /Fog until noon/ })).toHaveCount(1)
  await expect(threads(page).getByRole('option', { name: /Gull/ })).toHaveCount(0)
  await expect(page.getByText('was missing')).toHaveCount(0)
}

test.describe('a platform that fails on demand', () => {
  test.use({ platformSwitches: ['--faults'] })

  test(
    'moves the reading pane, finds a setting and clears local mail',
    { tag: '@window' },
    async ({ linnet: { page }, platform }) => {
      await deliverAll(page, platform, ['Gull on the antenna', 'Fog until noon'])
      await test.step('the reading pane can be right, below or off, and resizes by keys', () => moveReadingPane(page))
      await test.step('settings are found by index and search, and the index stays visible', () => findSettings(page))
      await test.step('cleared mail downloads again, and unsent changes and settings stay', () =>
        clearMail(page, platform))
    },
  )
})
