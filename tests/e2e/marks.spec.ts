import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type { Stage } from '../support/screens.ts'
import { expectAccessible } from './expect-accessible.ts'
import { expect, test, type Linnet } from './linnet.ts'
import { topOf } from './measure.ts'
import { takePictures } from './take-pictures.ts'

const ADA = 'Ada Quill <ada@harbour.example>'

const threadsOf = (page: Page) => page.getByRole('listbox', { name: 'Threads' })
const rowsOf = (page: Page) => threadsOf(page).getByRole('option')

const search = async (page: Page, text: string): Promise<void> => {
  await page.keyboard.press('/')
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

/** Words highlighted in mail iframes. */
const markedInFrames = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('iframe')].flatMap((frame) => {
      const view = frame.contentWindow as (Window & typeof globalThis) | null
      return [...(view?.CSS.highlights.values() ?? [])].flatMap((highlight) => [...highlight].map(String))
    }),
  )

/** Wheel scrolling is animated: waits until the list has left its top and has not moved for six frames. */
const waitUntilStill = (list: Locator): Promise<void> =>
  list.evaluate(async (element) => {
    const nextFrames = (count: number): Promise<void> =>
      new Promise((resolve) => {
        const wait = (left: number): unknown => (left === 0 ? resolve() : requestAnimationFrame(() => wait(left - 1)))
        wait(count)
      })
    for (let last = -1; element.scrollTop === 0 || element.scrollTop !== last;) {
      last = element.scrollTop
      await nextFrames(6)
    }
  })

/** Delivers forty threads; Fog 39 is the newest. */
const deliverFog = async ({ page, platform }: Stage): Promise<void> => {
  for (let index = 0; index < 40; index += 1)
    await platform.deliver({ from: ADA, subject: `Fog ${index}`, text: 'Fog.' })
  await page.keyboard.press('F5')
  await expect(rowsOf(page).first()).toHaveAttribute('aria-setsize', '40')
}

/** Takes screenshots if `LINNET_TEST_PICTURES` names a folder. */
const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.LINNET_TEST_PICTURES
  if (folder === undefined) return
  await takePictures(page, name)
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
  await page.screenshot({ path: join(folder, `${name}-forced.png`) })
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' })
}

const openAtFound = async ({ page, platform, kind }: Stage & Pick<Linnet, 'kind'>): Promise<void> => {
  const letters = [
    { text: 'The lights are out again.' },
    {
      html: '<p style="color:#333">We put a new <b>lan</b>tern on the pier; the <i>old</i> Lantern is in the shed.</p><style>p > mark { display: none }</style>',
    },
    {
      text: `Good.\n\n${'It was dark. '.repeat(30)}\nThe lantern, the old\nrope and a LANTERN\u0301 from lantern@sea.example`,
      attachments: [{ filename: 'lantern bill.txt', content: 'one' }],
    },
    { text: 'Thank you all.' },
    { text: 'Until Friday.' },
  ]
  for (const [index, letter] of letters.entries()) {
    const thread = index === 0 ? {} : { inReplyTo: '<0@harbour.example>', references: '<0@harbour.example>' }
    const subject = index === 0 ? 'Harbour lights' : 'Re: Harbour lights'
    await platform.deliver({ from: ADA, subject, messageId: `<${index}@harbour.example>`, ...thread, ...letter })
  }
  await page.keyboard.press('F5')
  await expect(rowsOf(page)).toHaveCount(1)
  const { data } = (await platform.ask(`/inboxes/${platform.inboxId}/threads`)) as { data: { id: string }[] }
  const read = { method: 'PATCH', body: { read: true } }
  await platform.ask(`/inboxes/${platform.inboxId}/threads/${data[0]?.id}`, read)
  await page.keyboard.press('F5')
  await expect(rowsOf(page).getByText('Unread')).toHaveCount(0)
  await expect(rowsOf(page)).toHaveAccessibleName(/, 5 messages,/)

  await search(page, '"lantern the old rope" from:quill')
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(rowsOf(page).locator('mark')).toHaveText(['Quill', 'lantern, the old rope'])
  await expect(threadsOf(page)).toBeFocused()
  await page.keyboard.press('Enter')
  const articles = page.getByRole('article')
  await expect(articles).toHaveCount(5)
  // The matching e-mail and, as in any conversation, the newest are unfolded.
  const folds = articles.getByRole('button', { name: /^Ada Quill/ })
  const isUnfolded = () => folds.evaluateAll((all) => all.map((each) => each.getAttribute('aria-expanded') === 'true'))
  await expect.poll(isUnfolded).toEqual([false, false, true, false, true])
  await expect(articles.nth(2).locator('.prose mark')).toHaveText(['lantern, the old', 'rope'])
  await expect(articles.nth(2)).toBeInViewport()
  await expect(folds.nth(2)).toHaveAccessibleName(/found by your search/)
  await expect(page.locator('[data-announcer]')).toHaveText(/Search match: message 3, from Ada Quill/)

  await page.keyboard.press('Escape')
  await search(page, 'lantern')
  await expect(rowsOf(page).locator('mark')).toHaveText(['lantern', 'LANTERN\u0301', 'lantern'])
  await expect(threadsOf(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(articles).toHaveCount(5)
  await expect.poll(isUnfolded).toEqual([false, false, true, false, true])
  await expect(articles.nth(2).getByLabel('1 attachment').locator('mark')).toHaveText('lantern')
  await expect(articles.nth(2).locator('.prose mark')).toHaveText(['lantern', 'LANTERN\u0301', 'lantern'])
  await folds.nth(1).click()
  await expect.poll(() => markedInFrames(page)).toEqual(['lantern', 'Lantern'])
  await expectAccessible(page, 'a search with marked words')
  await picture(page, `marks-${kind}`)

  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await expect(page.locator('mark')).toHaveCount(0)
}

const scrollRightAfterEnd = async ({ page }: Stage): Promise<void> => {
  await threadsOf(page).focus()
  const [scrolledTo, stoodAt] = await threadsOf(page).evaluate(async (list) => {
    const framesPass = async (count: number): Promise<void> => {
      for (let left = count; left > 0; left -= 1) await new Promise((resolve) => requestAnimationFrame(resolve))
    }
    list.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }))
    await framesPass(2)
    const middle = Math.round(list.scrollTop / 2)
    list.scrollTop = middle
    await framesPass(6)
    return [middle, list.scrollTop]
  })
  expect(scrolledTo).toBeGreaterThan(0)
  expect(stoodAt).toBe(scrolledTo)
  await page.keyboard.press('Home')
  await expect(rowsOf(page).filter({ hasText: 'Fog 39' })).toBeInViewport()
}

const countAboveInFolder = async ({ page, platform }: Stage): Promise<void> => {
  const above = page.getByRole('button', { name: /newer above$/ })
  const deliver = async (size: number): Promise<void> => {
    await platform.deliver({ from: ADA, subject: `New ${size}`, text: 'New.' })
    await page.keyboard.press('F5')
    await expect(rowsOf(page).first()).toHaveAttribute('aria-setsize', String(size))
  }
  await deliver(41)
  await expect(rowsOf(page).first()).toBeInViewport()
  await expect(above).toHaveCount(0)
  await threadsOf(page).focus()
  await page.keyboard.press('End')
  await expect(rowsOf(page).filter({ hasText: 'Fog 0' })).toBeInViewport()
  await deliver(42)
  await deliver(43)
  await expect(above).toHaveText('2 newer above')
  await expect(rowsOf(page).filter({ hasText: 'Fog 0' })).toBeInViewport()
  await page.keyboard.press('Shift+Tab')
  await expect(above).toBeFocused()
  await page.keyboard.press('.')
  await expect(rowsOf(page).filter({ hasText: 'New 43' })).toBeInViewport()
  await expect(threadsOf(page)).toBeFocused()
  await expect(above).toHaveCount(0)
  // Scrolling back over some new rows counts only the rest.
  await page.keyboard.press('End')
  await expect(rowsOf(page).filter({ hasText: 'Fog 0' })).toBeInViewport()
  await deliver(44)
  await expect(above).toHaveText('1 newer above')
  await threadsOf(page).evaluate((list) => list.scrollTo(0, 0))
  await expect(above).toHaveCount(0)
}

const holdRows = async ({ page, platform, kind }: Stage & Pick<Linnet, 'kind'>): Promise<void> => {
  await search(page, 'fog')
  await expect(threadsOf(page)).toBeFocused()
  await expect(rowsOf(page).first()).toHaveAttribute('aria-setsize', '40')
  // Results arrive in parts, and the focused row of the first part stays in place as well.
  await page.keyboard.press('Home')
  await expect(rowsOf(page).filter({ hasText: 'Fog 39' })).toBeInViewport()
  const topOfRow = (subject: string): Promise<number> => topOf(rowsOf(page).filter({ hasText: subject }))
  let size = 40
  const moreFog = async () => {
    size += 1
    await platform.deliver({ from: ADA, subject: `More fog ${size}`, text: 'Fog.' })
    await page.keyboard.press('F5')
    await expect(rowsOf(page).first()).toHaveAttribute('aria-setsize', String(size))
  }

  // With the focused row at the top of the list. The header takes two lines until the new e-mail is indexed.
  const first = await topOfRow('Fog 39')
  await moreFog()
  await expect.poll(() => topOfRow('Fog 39')).toBe(first)
  const row = rowsOf(page).filter({ hasText: 'Fog 35' })
  await row.hover()
  const hovered = await topOfRow('Fog 35')
  await moreFog()
  await expect.poll(() => topOfRow('Fog 35')).toBe(hovered)
  // With the list scrolled, without hover or focus.
  await page.mouse.wheel(0, 700)
  await waitUntilStill(threadsOf(page))
  await page.mouse.move(1200, 600)
  await page.getByRole('combobox', { name: 'Search mail' }).focus()
  const middle = await page.evaluate(() => {
    const list = document.querySelector('[role=listbox][aria-label=Threads]')
    const top = (list?.getBoundingClientRect().top ?? 0) + 200
    return document.elementFromPoint(300, top)?.closest('[role=option]')?.querySelector('.subject')?.textContent ?? ''
  })
  const before = await topOfRow(middle)
  await moreFog()
  await expect.poll(() => topOfRow(middle)).toBe(before)

  const above = page.getByRole('button', { name: /newer above$/ })
  await expect(above).toHaveText('3 newer above')
  await expect(page.getByText('3 newer above')).toHaveCount(2)
  await expectAccessible(page, 'a list with newer rows above')
  await picture(page, `newer-${kind}`)
  await above.click()
  await expect(rowsOf(page).first()).toContainText('More fog 43')
  await expect(rowsOf(page).first()).toBeInViewport()
  await expect(threadsOf(page)).toBeFocused()
  await expect(above).toHaveCount(0)
}

test('marks matches, opens a result at its match and steps through results', async ({
  linnet: { page, kind },
  platform,
}) => {
  const stage = { page, platform, kind }
  await test.step('a result opens at its matching e-mail, with matches marked in list and reader', () =>
    openAtFound(stage))
})

test('keeps rows in place when mail arrives above', async ({ linnet: { page, kind }, platform }) => {
  const stage = { page, platform, kind }
  await deliverFog(stage)
  await test.step('the user can scroll right after a key scrolled the list', () => scrollRightAfterEnd(stage))
  await test.step('new mail above a scrolled folder is counted, and one key jumps to the top', () =>
    countAboveInFolder(stage))
  await test.step('new rows above do not move visible ones', () => holdRows(stage))
})
