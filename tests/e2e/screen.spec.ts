/** The window's layout and announcements, measured instead of judged from screenshots. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { layoutFaults } from './layout-faults.ts'
import { expect, goTo, test } from './linnet.ts'
import { boxOf, middleOf } from './measure.ts'

const USUAL_SIZE = { width: 1440, height: 900 }

const rowsOf = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' }).getByRole('option')

const closeConversation = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('article')).toHaveCount(0)
  await page.getByRole('listbox', { name: 'Threads' }).focus()
  await page.keyboard.press('Home')
}

const seeRows = async (page: Page): Promise<void> => {
  const rows = rowsOf(page)
  for (const width of [1440, 1024, 700]) {
    await page.setViewportSize({ width, height: 900 })
    await rows.nth(9).waitFor()
    // The preview appears with the newest e-mail's text.
    await expect(rows.nth(9).locator('.preview')).not.toBeEmpty({ timeout: 30_000 })
    const faults = await rows.evaluateAll((options) =>
      options.flatMap((option) => {
        const boxOf = (selector: string) => option.querySelector(selector)?.getBoundingClientRect()
        const [name, aside, labels] = [boxOf('.from'), boxOf('.meta'), boxOf('.labels')]
        const [date, subject, preview] = [boxOf('time'), boxOf('.subject'), boxOf('.preview')]
        const own = option.getBoundingClientRect()
        if (name === undefined || date === undefined || subject === undefined || preview === undefined)
          return ['a part is missing']
        return [
          ...(preview.width < own.width * 0.7 || preview.bottom > own.bottom
            ? [`no preview: ${option.textContent}`]
            : []),
          ...(aside === undefined || name.right > aside.left ? ['name over what is beside it'] : []),
          ...(subject.top < name.bottom || preview.top < subject.bottom ? ['lines over each other'] : []),
          ...(subject.width < own.width * 0.3 ? [`no subject: ${option.textContent}`] : []),
          ...(labels !== undefined && (labels.left < subject.right || labels.right > own.right)
            ? ['labels over subject']
            : []),
          ...(date.right > own.right ? ['date outside'] : []),
        ]
      }),
    )
    expect(faults, `${width} pixels`).toEqual([])
  }
}

const selectWithoutMoving = async (page: Page): Promise<void> => {
  const rows = rowsOf(page)
  await rows.nth(5).waitFor()
  const tops = (): Promise<readonly (readonly [string, number])[]> =>
    rows.evaluateAll((options) =>
      options
        .slice(0, 6)
        .map(
          (option) =>
            [option.querySelector('.subject')?.textContent ?? '', option.getBoundingClientRect().top] as const,
        ),
    )
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  for (const width of [1440, 1024, 500]) {
    await page.setViewportSize({ width, height: 700 })
    const before = await tops()
    /** Selecting and deselecting move no row. */
    const expectStill = async (select: () => Promise<void>, leave: () => Promise<void>): Promise<void> => {
      await select()
      await expect(bar).toBeVisible()
      expect(await tops(), `${width} pixels`).toEqual(before)
      await leave()
      await expect(bar).toHaveCount(0)
      expect(await tops(), `${width} pixels`).toEqual(before)
    }
    const escape = (): Promise<void> => page.keyboard.press('Escape')
    const { left, middle } = await rows.first().evaluate((row) => {
      const box = row.getBoundingClientRect()
      return { left: box.left, middle: box.top + box.height / 2 }
    })
    const pressCheck = (): Promise<void> => page.mouse.click(left + 14, middle)
    // A second click at the same position hits the same row.
    await expectStill(pressCheck, pressCheck)
    await expectStill(() => rows.nth(2).click({ modifiers: ['Shift'] }), escape)
    await expectStill(() => page.keyboard.press('x'), escape)
    await expectStill(async () => {
      for (const key of ['*', 'a']) await page.keyboard.press(key)
    }, escape)
  }
}

const coverList = async (page: Page, platform: Platform): Promise<void> => {
  const subject = 'Re: the rota of the harbour for the whole of the winter'
  const from = 'Ada of the Harbour <ada.of.the.harbour@harbour-authority.example>'
  await platform.deliver({ from, subject, text: 'Fog until noon.' })
  await page.keyboard.press('F5')
  await page.setViewportSize({ width: 320, height: 640 })
  const link = (name: string | RegExp) =>
    page.getByRole('navigation', { name: 'Mailboxes' }).getByRole('link', { name })
  for (const { name, list, back } of [
    { name: /^Inbox/, list: 'Threads', back: 'Close' },
    { name: 'All received', list: 'Received messages', back: 'Close' },
  ]) {
    await link(name).click()
    const row = page.getByRole('listbox', { name: list }).getByRole('option', { name: /rota of the harbour/ })
    await row.click()
    await expect(page.getByRole('article').getByText('Ada of the Harbour').first()).toBeInViewport({ ratio: 1 })
    await expect.poll(() => layoutFaults(page)).toEqual([])
    await page.getByRole('button', { name: back }).click()
    await expect(row).toBeVisible()
    await expect.poll(() => layoutFaults(page)).toEqual([])
  }
}

const seeConversation = async (page: Page): Promise<void> => {
  await page.setViewportSize({ width: 1920, height: 1080 })
  await rowsOf(page).filter({ hasText: 'SSO for 140 people' }).press('Enter')
  const article = page.getByRole('article').last()
  const details = article.getByText('Details')
  await details.click()
  const text = article.locator('.prose, iframe').first()
  const edges = [article.locator('.name').first(), article.getByText('From', { exact: true }), text]
  const [first = 0, ...others] = await Promise.all(edges.map(async (each) => (await boxOf(each)).x))
  for (const edge of others) expect(Math.abs(edge - first)).toBeLessThan(1)
  expect((await boxOf(details)).y).toBeCloseTo((await boxOf(article.getByText(/^to /).first())).y, -1)
  const middleOf = async (each: Locator): Promise<number> => {
    const { y, height } = await boxOf(each)
    return y + height / 2
  }
  const line = await middleOf(article.locator('header time'))
  for (const name of [/^Reply:/, /^Share link/, 'More actions']) {
    expect(Math.abs((await middleOf(article.getByRole('button', { name }))) - line)).toBeLessThan(1)
  }
  expect((await boxOf(article)).width).toBeLessThanOrEqual(860)
  expect((await boxOf(text)).width).toBeLessThanOrEqual(860 - 64)

  const pane = page.getByRole('group', { name: 'Messages in this thread' })
  await pane.focus()
  await page.keyboard.press('ArrowDown')
  expect(await pane.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('none')
  const bar = await page.getByRole('listbox', { name: 'Threads' }).evaluate((list) => {
    const { width } = getComputedStyle(list, '::-webkit-scrollbar')
    return { drawn: (list as HTMLElement).offsetWidth - list.clientWidth, width }
  })
  expect(bar).toEqual({ drawn: 10, width: '10px' })
}

const openWhileGliding = async (page: Page): Promise<void> => {
  const list = page.getByRole('listbox', { name: 'Threads' })
  await rowsOf(page).nth(12).waitFor()
  const middle = await middleOf(list)
  await list.evaluate((element) => {
    const glide = (): void => {
      element.scrollBy(0, 1)
      if (document.querySelector('article') === null) requestAnimationFrame(glide)
    }
    requestAnimationFrame(glide)
  })
  await expect.poll(() => list.evaluate((element) => element.scrollTop)).toBeGreaterThan(2)
  await page.mouse.click(...middle)
  await expect(page.getByRole('article').first()).toBeVisible()
}

const seeManyFiles = async (page: Page, platform: Platform): Promise<void> => {
  const count = 400
  await platform.deliver({
    from: 'Ann <ann@pier.example>',
    subject: 'All the pages',
    text: 'Here they are.',
    attachments: Array.from({ length: count }, (_, page) => ({ filename: `page-${page}.txt`, content: `${page}` })),
  })
  await page.keyboard.press('F5')
  await page.getByRole('option', { name: /All the pages/ }).click()
  const rows = page.getByRole('list', { name: 'Attachments' }).getByRole('listitem')
  await expect(page.getByRole('region', { name: `${count} attachments` })).toBeVisible()
  await expect(rows.first()).toBeVisible()
  expect(await rows.count()).toBeLessThan(count)
  // Scrolling to the end draws more, until all are drawn.
  await expect(async () => {
    await rows.last().scrollIntoViewIfNeeded()
    expect(await rows.count()).toBe(count)
  }).toPass()
  await expect(page.getByRole('button', { name: `Open page-${count - 1}.txt` })).toBeVisible()
}

const seeForcedColours = async (page: Page): Promise<void> => {
  await page.emulateMedia({ forcedColors: 'active' })
  const styleOf = (locator: Locator, property: string): Promise<string> =>
    locator.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
  const rows = rowsOf(page)
  await rows.nth(1).click()
  await page.getByRole('article').first().waitFor()
  const [open, other] = [rows.nth(1), rows.nth(3)]
  expect(await styleOf(open, 'background-color')).not.toBe(await styleOf(other, 'background-color'))
  const name = open.locator('.name')
  expect(await styleOf(name, 'color')).not.toBe(await styleOf(open, 'background-color'))
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await expect.poll(() => styleOf(rows.nth(2), 'outline-style')).not.toBe('none')
  expect(await styleOf(other, 'outline-style')).toBe('none')

  await goTo(page, '#/contacts')
  await page.getByRole('listbox', { name: 'Contacts' }).getByRole('option').first().click()
  const switches = page.getByRole('switch')
  await page.getByRole('button', { name: /^Show all \d+ topics$/ }).click()
  await switches.nth(4).waitFor()
  const tracks = await switches.evaluateAll((all) =>
    all.map((each) => ({
      isOn: each.getAttribute('aria-checked') === 'true',
      colour: getComputedStyle(each.querySelector('.track') ?? each).backgroundColor,
    })),
  )
  const coloursOf = (isOn: boolean): ReadonlySet<string> =>
    new Set(tracks.filter((track) => track.isOn === isOn).map(({ colour }) => colour))
  expect(coloursOf(true).size).toBe(1)
  expect(coloursOf(false).size).toBe(1)
  expect([...coloursOf(true)]).not.toEqual([...coloursOf(false)])
}

const hearConversation = async (page: Page): Promise<void> => {
  const announced = page.locator('[data-announcer]')
  await expect(page.getByRole('status')).toHaveAttribute('aria-live', 'off')
  await expect(page.getByRole('status')).toHaveText(/^Online\.\s+Synced [^.]+\.\s*$/, { timeout: 45_000 })
  const subject = (await rowsOf(page).first().locator('.subject').textContent()) ?? ''
  await rowsOf(page).first().click()
  await expect(announced).toContainText(subject.trim())
  await expect(announced).toHaveText(/^Thread opened: .+, \d+ messages?/)
  await goTo(page, `${new URL(page.url()).hash.split('/').slice(0, 3).join('/')}/search?query=nothing-has-this`)
  await expect(announced).toHaveText('Nothing found.')
}

const seeCompactRows = async (page: Page): Promise<void> => {
  await goTo(page, '#/settings/appearance')
  await page.getByRole('radio', { name: 'Compact', exact: true }).check({ force: true })
  await page.setViewportSize({ width: 1920, height: 1080 })
  await page.getByRole('link', { name: 'Inbox' }).first().click()
  await rowsOf(page).nth(30).waitFor()
  const list = await boxOf(page.getByRole('listbox', { name: 'Threads' }))
  const row = await boxOf(rowsOf(page).first())
  expect(Math.floor(list.height / row.height)).toBeGreaterThanOrEqual(44)
}

test.describe('with a mailbox', () => {
  test.use({ dataset: 'demo', onlyLooks: true })

  test('keeps rows in place, opens them by click and announces them', async ({ linnet }) => {
    const { page } = linnet
    await test.step('a click opens a row while the list still scrolls', () => openWhileGliding(page))
    await closeConversation(page)
    await test.step('a row shows its preview below its sender and subject (Look)', () => seeRows(page))
    await test.step('selecting rows does not move them', () => selectWithoutMoving(page))
    await page.setViewportSize(USUAL_SIZE)
    await test.step('opened conversations and search results are announced, sync steps are not', () =>
      hearConversation(page))
  })
})

test.describe('with a separate mailbox', () => {
  test.use({ dataset: 'demo' })

  test('fits a conversation next to and over its list, in system colours and dense lists', async ({
    linnet,
    platform,
  }) => {
    const { page } = linnet
    await test.step('views that cover the list at 320 pixels show the sender and lead back', () =>
      coverList(page, platform))
    for (const key of ['g', 'i']) await page.keyboard.press(key)
    await test.step('an e-mail has one left edge, a maximum width and no outline while scrolling', () =>
      seeConversation(page))
    await closeConversation(page)
    await page.setViewportSize(USUAL_SIZE)
    await test.step('only attachments in view are drawn', () => seeManyFiles(page, platform))
    await closeConversation(page)
    await test.step('the open row, cursor and switches are distinct in system colours', () => seeForcedColours(page))
    await page.emulateMedia({ forcedColors: null })
    await test.step('44 rows fit on a 1080-line screen in the compact density', () => seeCompactRows(page))
  })
})

test('names a platform that does not respond and offers a way out', async ({ launch, dataDirectory, platform }) => {
  const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey }
  await platform.deliver({ from: 'pier@harbour.example', subject: 'Fog until noon', text: 'Fog.' })
  const first = await launch({ dataDirectory, env })
  await first.page.getByRole('option', { name: /Fog until noon/ }).waitFor()
  await first.close()
  await platform.pause()
  // Accepts every request and answers none.
  const silent: Server = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(Number(new URL(platform.baseUrl).port), '127.0.0.1', resolve))
  expect((silent.address() as AddressInfo).port).toBe(Number(new URL(platform.baseUrl).port))
  try {
    const { page } = await launch({ dataDirectory, env })
    await page.getByRole('option', { name: /Fog until noon/ }).waitFor()
    // Local results appear immediately, but this one isn't stored.
    await goTo(page, `#/inboxes/${platform.inboxId}/search?query=lighthouse`)
    await expect(page.getByText('The platform has not answered yet')).toBeVisible({ timeout: 60_000 })
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('option', { name: /Fog until noon/ })).toBeVisible()

    const conversation = page.getByRole('region', { name: 'Thread', exact: true })
    for (const wayOut of ['Cancel', 'Escape'] as const) {
      await goTo(page, `#/inboxes/${platform.inboxId}/inbox/threads/a-thread-that-is-not-here`)
      await expect(conversation.getByText('The platform has not answered yet')).toBeVisible({ timeout: 60_000 })
      await expect(conversation.getByRole('button', { name: 'Try again' })).toBeVisible()
      if (wayOut === 'Escape') await page.keyboard.press('Escape')
      else await conversation.getByRole('button', { name: 'Cancel' }).click()
      await expect(page).toHaveURL(new RegExp(`#/inboxes/${platform.inboxId}/inbox$`))
      await expect(page.getByRole('option', { name: /Fog until noon/ })).toBeVisible()
    }
  } finally {
    silent.closeAllConnections()
    silent.close()
  }
})
