import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { deliverAll, expect, goTo, keptPreferences, test } from './linnet.ts'
import { expectAccessible } from './expect-accessible.ts'
import { boxOf } from './measure.ts'

const threads = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' })
const conversation = (page: Page): Locator => page.getByRole('region', { name: 'Thread', exact: true })
const pages = (page: Page): Locator => page.getByRole('navigation', { name: 'Settings pages' })
const title = (page: Page, name: string): Locator => page.getByRole('heading', { name, level: 2, exact: true })
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
  await goTo(first.page, '#/settings/appearance')
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
      await expect(pages(first.page).getByRole('link', { name: 'Spelling' })).toBeVisible()
      await expect(pages(first.page).getByRole('link', { name: 'System' })).toHaveCount(0)
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
  await goTo(page, '#/settings/appearance')
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
      await goTo(page, '#/settings/appearance')
      await choose(page, 'Font', name)
      await page.goBack()
      await expect.poll(drawn).toBe(`${font}, ${font}, ${font}, of the machine`)
    }
  },
)

const useByKeys = async (page: Page): Promise<void> => {
  await threads(page).getByRole('option').first().click()
  const subject = await conversation(page).getByRole('heading', { level: 1 }).innerText()
  await page.keyboard.press('ControlOrMeta+,')
  await expect(pages(page).getByRole('link', { name: 'Accounts' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(title(page, 'Inboxes')).toBeVisible()
  await page.keyboard.press('End')
  await expect(title(page, 'Help')).toBeVisible()
  await expect(pages(page).getByRole('link', { name: 'Help' })).toBeInViewport()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Copy diagnostics' })).toBeFocused()

  const field = page.getByRole('searchbox', { name: 'Search settings' })
  await page.keyboard.press('/')
  await expect(field).toBeFocused()
  await page.keyboard.type('mono')
  const results = page.getByRole('list', { name: 'Settings found' })
  await expect(results.getByRole('link')).toHaveText([/Plain text.*Lists and threads/])
  await expectAccessible(page, 'the settings found')
  await page.keyboard.press('Enter')
  const plainText = page.getByRole('group', { name: 'Plain text' })
  await expect(plainText.getByRole('radio', { name: 'Proportional' })).toBeFocused()
  await expect(plainText).toHaveAccessibleDescription(/^Font for plain-text mail/)
  await expect(page).toHaveURL(/#\/settings\/reading\/plainText$/)
  await page.keyboard.press('ControlOrMeta+f')
  await page.keyboard.type('zzqx')
  await expect(page.getByText('No setting matches.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(field).toHaveValue('')
  await expect(title(page, 'Lists and threads')).toBeVisible()

  // In the field, the keys would move the caret.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(title(page, 'Help')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(conversation(page).getByRole('heading', { level: 1 })).toHaveText(subject)
  // The last page is shown again.
  await page.keyboard.press('ControlOrMeta+,')
  await expect(pages(page).getByRole('link', { name: 'Help' })).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(threads(page)).toBeFocused()
}

const useByPointer = async (page: Page): Promise<void> => {
  const size = page.viewportSize()
  await page.setViewportSize({ width: 1024, height: 700 })
  await page.getByRole('navigation', { name: 'Mailboxes' }).getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  await pages(page).getByRole('link', { name: 'Privacy' }).click()
  await expect(title(page, 'Privacy')).toBeFocused()
  // The focus stays on the heading even if something else is drawn.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        document.body.append(document.createElement('i'))
        requestAnimationFrame(() => requestAnimationFrame(resolve))
      }),
  )
  await expect(title(page, 'Privacy')).toBeFocused()
  await expect(page.getByRole('button', { name: 'Clear recent searches' })).toBeInViewport()
  await expect(pages(page).getByRole('link', { name: 'Privacy' })).toHaveAttribute('aria-current', 'page')
  await pages(page).getByRole('link', { name: 'Keyboard' }).click()
  await page.getByRole('button', { name: 'Restore all default keys' }).scrollIntoViewIfNeeded()
  await expect(page.getByRole('searchbox', { name: 'Search settings' })).toBeInViewport()
  // The page scrolls, never the window, and the next page starts at its top.
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await pages(page).getByRole('link', { name: 'Appearance' }).click()
  await expect(title(page, 'Appearance')).toBeInViewport()
  await page.goBack()
  await expect(title(page, 'Keyboard')).toBeVisible()

  // A narrow window, such as at 200 % zoom.
  await page.setViewportSize({ width: 512, height: 350 })
  await expect(pages(page)).toBeHidden()
  const menu = page.getByRole('combobox', { name: 'Settings page' })
  await menu.focus()
  await menu.selectOption('Sending')
  await expect(title(page, 'Sending')).toBeVisible()
  await expect(menu).toBeFocused()
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('undo')
  await page.getByRole('link', { name: /^Undo send/ }).click()
  await expect(page.getByRole('group', { name: 'Undo send' })).toBeInViewport()
  await expectAccessible(page, 'a page in a narrow window')
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
  await goTo(page, '#/settings/kept')
  const days = page.getByRole('radio', { name: '90 days' })
  await days.click({ force: true })
  // The engine saves the choice before the window shows it.
  await expect(days).toBeChecked()
  await goTo(page, '#/settings/data')
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
  await goTo(page, '#/settings/data')
  await page.getByRole('button', { name: 'Clear downloaded mail…' }).click()
  await dialog.getByRole('button', { name: 'Clear downloaded mail', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await goTo(page, '#/settings/kept')
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
      await test.step('settings are found by keys alone', () => useByKeys(page))
      await test.step('settings are found by pointer alone, also in a narrow window', () => useByPointer(page))
      await test.step('cleared mail downloads again, and unsent changes and settings stay', () =>
        clearMail(page, platform))
    },
  )
})

test('has an address for each page, accessible in both themes', async ({ linnet: { page } }) => {
  test.slow()
  await goTo(page, '#/settings/help')
  const links = await pages(page).getByRole('link').all()
  expect(links.length).toBeGreaterThan(15)
  for (const link of links) {
    const [name, address] = [await link.innerText(), await link.getAttribute('href')]
    await goTo(page, address ?? '')
    await expect(title(page, name)).toBeFocused()
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page, `the page ${name}, ${colorScheme}`)
    }
  }
})
