import type { Locator, Page } from '@playwright/test'
import type { Stage } from '../support/screens.ts'
import { expectAccessible } from './expect-accessible.ts'
import { deliverAll, expect, focused, goTo, test } from './linnet.ts'

const SUBJECTS = ['Gull on the antenna', 'Fog until noon', 'Fresh paint and fog', 'Fog again']

const threadsOf = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' })
const rowsOf = (page: Page): Locator => threadsOf(page).getByRole('option')
const barOf = (page: Page): Locator => page.getByRole('combobox', { name: 'Search mail' })
const suggestionsOf = (page: Page): Locator =>
  page.getByRole('listbox', { name: 'Search suggestions' }).getByRole('option')

/** Leaves the search for the inbox, with the cursor on its first thread. */
const leave = async (page: Page, threads = SUBJECTS.length): Promise<void> => {
  await page
    .getByRole('navigation', { name: 'Mailboxes' })
    .getByRole('link', { name: /^Inbox\b/ })
    .click()
  await expect(barOf(page)).toHaveValue('')
  await expect(rowsOf(page)).toHaveCount(threads)
  await threadsOf(page).press('Home')
}

const findLetterByLetter = async ({ page }: Stage): Promise<void> => {
  const rows = rowsOf(page)
  const scope = page.getByRole('status', { name: 'Search scope' })
  await page.keyboard.press('/')
  await page.keyboard.type('paint')
  await expect(rows).toHaveCount(1)
  await expect(scope).toHaveText('This computer')
  await barOf(page).fill('fo')
  await expect(rows).toHaveCount(3)
  await page.keyboard.press('Enter')
  await expect(scope).toHaveText(/platform/)
  await expect(rows).toHaveCount(3)
  await expect.poll(() => focused(page)).toBe('Threads')

  // A second search: Esc keeps its results, going back leads to the first one, then out.
  await page.keyboard.press('/')
  await barOf(page).fill('paint')
  await expect(rows).toHaveCount(1)
  await expect(suggestionsOf(page)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(barOf(page)).toHaveValue('paint')
  await expect(rows).toHaveCount(1)
  await page.goBack()
  await expect(barOf(page)).toHaveValue('fo')
  await expect(rows).toHaveCount(3)
  await page.goBack()
  await expect(barOf(page)).toHaveValue('')
  await expect(rows).toHaveCount(SUBJECTS.length)
}

const leaveByEscape = async ({ page }: Stage): Promise<void> => {
  const threads = page.getByRole('listbox', { name: 'Threads' })
  const suggestions = page.getByRole('listbox', { name: 'Search suggestions' })
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  const second = await threads.getAttribute('aria-activedescendant')
  await page.keyboard.press('/')
  await page.keyboard.type('paint')
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(suggestions).toHaveCount(0)
  // Esc stays in the bar even with nothing to close: Enter searches, and opens nothing.
  await page.keyboard.press('Escape')
  await expect(barOf(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(threads).toBeFocused()
  await expect(page.getByRole('status', { name: 'Search scope' })).toHaveText(/platform/)
  await expect(page.getByRole('article')).toHaveCount(0)

  await page.keyboard.press('/')
  await barOf(page).fill('fo')
  await expect(rowsOf(page)).toHaveCount(3)
  await page.keyboard.press('Escape')
  await expect(suggestions).toHaveCount(0)
  await expect(barOf(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(threads).toBeFocused()
  await expect(rowsOf(page)).toHaveCount(3)
  await expect(barOf(page)).toHaveValue('fo')
  await page.keyboard.press('Escape')
  await expect(rowsOf(page)).toHaveCount(SUBJECTS.length)
  await expect(barOf(page)).toHaveValue('')
  await expect(threads).toBeFocused()
  expect(await threads.getAttribute('aria-activedescendant')).toBe(second)
}

const takeASuggestion = async ({ page }: Stage): Promise<void> => {
  const bar = barOf(page)
  await page.keyboard.press('/')
  await expect(suggestionsOf(page).filter({ hasText: 'from:' })).toContainText('the sender’s name or address')
  await page.keyboard.type('fr')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(bar).toHaveValue('from:')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.keyboard.type('pier')
  await expect(suggestionsOf(page)).toHaveText(['pier@harbour.example'])
  await page.keyboard.press('ArrowDown')
  await expect(suggestionsOf(page).first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Tab')
  await expect(bar).toHaveValue('from:pier@harbour.example ')
  await page.keyboard.type('paint')
  await expect(rowsOf(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'from: pier@harbour.example, remove' }).click()
  await expect(bar).toHaveValue('paint')
  await expect(bar).toBeFocused()
  await expect(rowsOf(page)).toHaveCount(1)
}

const goByKeysAlone = async ({ page, platform }: Stage): Promise<void> => {
  const bar = barOf(page)
  const threads = page.getByRole('listbox', { name: 'Threads' })
  const scope = page.getByRole('status', { name: 'Search scope' })
  await page.keyboard.press('/')
  await page.keyboard.type('is')
  await expect(suggestionsOf(page).first()).toContainText('is:')
  // One step beyond either end of the suggestions is the typed text itself.
  await page.keyboard.press('ArrowUp')
  await expect(suggestionsOf(page).last()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(bar).toHaveValue('is:')
  await page.keyboard.type('un')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(bar).toHaveValue('is:unread ')
  await page.keyboard.type('from:pier fog')
  await expect(rowsOf(page)).toHaveCount(3)
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('button', { name: 'Search scope: All mail' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitemradio', { name: 'Inbox', exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Search scope: All mail' })).toBeFocused()
  for (const stop of ['Search mail', 'Explain search', 'Clear search', 'is: unread, remove', 'from: pier, remove']) {
    await page.keyboard.press('Tab')
    await expect(page.locator(':focus')).toHaveAccessibleName(stop)
  }
  await page.keyboard.press('Enter')
  await expect(bar).toHaveValue('is:unread fog')
  await expect(bar).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(threads).toBeFocused()
  await expect(scope).toHaveText(/platform/)
  await page.keyboard.press('j')
  await page.keyboard.press('k')

  // Go offline in the middle of a search. F5 also works in the bar, and keeps the text.
  await page.keyboard.press('/')
  await platform.pause()
  await page.keyboard.press('End')
  await page.keyboard.type(' until')
  await page.keyboard.press('F5')
  await expect(rowsOf(page)).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(scope).toHaveText('This computer; the platform cannot be reached')
  await expect(bar).toHaveValue('is:unread fog until')
  await platform.resume()
  await page.keyboard.press('F5')
  await expect(scope).toHaveText(/ and the platform/)

  await expect(threads).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(rowsOf(page)).toHaveCount(SUBJECTS.length)
  await expect(bar).toHaveValue('')
  await page.goBack()
  await expect(bar).toHaveValue('is:unread fog until')
  await expect(rowsOf(page)).toHaveCount(1)
  await page.goForward()
  await expect(bar).toHaveValue('')
  await expect(rowsOf(page)).toHaveCount(SUBJECTS.length)
}

const compose = async ({ page }: Stage): Promise<void> => {
  const bar = barOf(page)
  const address = page.url()
  await page.keyboard.press('/')
  const method = await page.context().newCDPSession(page)
  await method.send('Input.imeSetComposition', { text: 'pa', selectionStart: 2, selectionEnd: 2 })
  await method.send('Input.imeSetComposition', { text: 'paint', selectionStart: 5, selectionEnd: 5 })
  await expect(bar).toHaveValue('paint')
  await page.keyboard.press('Enter')
  await expect(bar).toBeFocused()
  expect(page.url()).toBe(address)
  await expect(rowsOf(page)).toHaveCount(SUBJECTS.length)
  await method.send('Input.insertText', { text: 'paint' })
  await expect(bar).toHaveValue('paint')
  await expect(rowsOf(page)).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('listbox', { name: 'Threads' })).toBeFocused()

  await bar.fill('')
  await page.keyboard.insertText('fog '.repeat(2_500))
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('can have at most 32 words; this one has 2,500')
  await expect(alert).toHaveText(/^.{0,400}$/s)
  await expectAccessible(page, 'a search that is far too long')
  await page.getByRole('button', { name: 'Remove marked part' }).click()
  await expect(bar).toHaveValue(Array.from({ length: 32 }, () => 'fog').join(' '))
  await expect(rowsOf(page)).toHaveCount(3)
}

const shrink = async ({ page }: Stage): Promise<void> => {
  const bar = barOf(page)
  await page.setViewportSize({ width: 320, height: 640 })
  /** Parts of the search bar that are outside the window or overlap their neighbours. */
  const faults = (): Promise<readonly string[]> =>
    page.locator('search').evaluate((search) => {
      const parts = [...search.querySelectorAll('button, input, kbd')]
        .filter((part) => part.checkVisibility())
        .map((part) => ({
          name: part.getAttribute('aria-label') ?? part.textContent,
          box: part.getBoundingClientRect(),
        }))
      return parts.flatMap(({ name, box }, index) => [
        ...(box.left < 0 || box.right > innerWidth ? [`${name} is cut`] : []),
        ...parts
          .slice(index + 1)
          .filter(({ box: other }) => box.left < other.right - 1 && other.left < box.right - 1)
          .filter(({ box: other }) => box.top < other.bottom - 1 && other.top < box.bottom - 1)
          .map((other) => `${name} lies over ${other.name}`),
      ])
    })
  const room = async (): Promise<number> => (await bar.boundingBox())?.width ?? 0

  await expect.poll(faults).toEqual([])
  await expect.poll(room).toBeGreaterThan(80)
  await bar.click()
  await expect(suggestionsOf(page).first()).toBeInViewport({ ratio: 1 })
  await bar.fill('from:(pier, "the whole of the harbour and of its pier") is:unread fog')
  await bar.press('Enter')
  await expect(rowsOf(page)).toHaveCount(3)
  const chips = page.getByRole('list', { name: 'Search filters' }).getByRole('button')
  await expect(chips).toHaveCount(2)
  await expect.poll(faults).toEqual([])
  await expect.poll(room).toBeGreaterThan(150)
  await chips.first().click()
  await expect(bar).toHaveValue('is:unread fog')
  await expect(rowsOf(page)).toHaveCount(3)
  await expect.poll(faults).toEqual([])
  await page.getByRole('button', { name: 'Explain search' }).click()
  await expect(page.getByRole('region', { name: 'What is searched' })).toBeInViewport()
  await expect.poll(faults).toEqual([])
  await page.getByRole('button', { name: 'Search scope: All mail' }).click()
  await page.getByRole('menuitemradio', { name: 'Everywhere' }).click()
  await expect(bar).toHaveValue('in:anywhere is:unread fog')
  await expect.poll(faults).toEqual([])
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(bar).toHaveValue('')
  await expect(rowsOf(page)).toHaveCount(SUBJECTS.length)
  await page.setViewportSize({ width: 1440, height: 900 })
}

const readUnreadResults = async ({ page, platform }: Stage): Promise<void> => {
  const unread = () => rowsOf(page).getByText('Unread,')
  const title = page.getByRole('region', { name: 'Thread', exact: true }).getByRole('heading', { level: 1 })
  const subjects = ['Fog again', 'Fresh paint and fog', 'Fog until noon']
  const search = async (): Promise<void> => {
    await page.keyboard.press('/')
    await barOf(page).fill('in:inbox fog is:unread')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('status', { name: 'Search scope' })).toHaveText(/platform/)
  }
  const inFolder = async (folder: string, filter = ''): Promise<readonly unknown[]> => {
    const path = `/inboxes/${platform.inboxId}/threads?folders=${folder}${filter}`
    return ((await platform.ask(path)) as { data: readonly unknown[] }).data
  }
  /** Waits until the platform has the read state. */
  const known = (count: number) => expect.poll(async () => (await inFolder('inbox', '&read=true')).length).toBe(count)
  await search()
  await expect(rowsOf(page)).toContainText(subjects)
  await page.keyboard.press('Enter')
  await expect(title).toHaveText('Fog again')
  await expect(unread()).toHaveCount(2)
  await known(1)
  await expect(rowsOf(page)).toContainText(subjects)
  await page.keyboard.press('j')
  await expect(title).toHaveText('Fresh paint and fog')
  await expect(unread()).toHaveCount(1)
  await known(2)
  await expect(rowsOf(page)).toContainText(subjects)
  await page.keyboard.press('k')
  await expect(title).toHaveText('Fog again')
  await page.keyboard.press('Escape')
  await page.keyboard.press('e')
  await expect(rowsOf(page)).toContainText(subjects.slice(1))
  await expect(rowsOf(page)).toHaveCount(2)
  await expect.poll(async () => (await inFolder('archive')).length).toBe(1)
  await page.keyboard.press('z')
  await expect(rowsOf(page)).toContainText(subjects)
  await expect(unread()).toHaveCount(1)

  // A refresh drops rows that no longer match.
  await platform.deliver({ from: 'pier@harbour.example', subject: 'Fog for good', text: 'It stays.' })
  await page.keyboard.press('F5')
  await expect(rowsOf(page)).toContainText(['Fog for good', 'Fog until noon'])
  await expect(rowsOf(page)).toHaveCount(2)
  await expect(rowsOf(page).and(page.locator('.active'))).toContainText('Fog until noon')
  await page.keyboard.press('Shift+i')
  await expect(unread()).toHaveCount(1)
  await expect(rowsOf(page)).toHaveCount(2)
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await expect(rowsOf(page)).toHaveCount(SUBJECTS.length + 1)
  await search()
  await expect(rowsOf(page)).toHaveCount(1)
}

const searchFromAnywhere = async ({ page, platform }: Stage): Promise<void> => {
  const scope = page.getByRole('button', { name: /^Search scope: / })
  const foundIn = page.getByRole('list', { name: 'Found in' }).getByRole('button')
  for (const [subject, key] of [
    ['Gull on the antenna', 'e'],
    ['Fog again', '#'],
  ] as const) {
    await rowsOf(page).filter({ hasText: subject }).click()
    await page.keyboard.press(key)
    await expect(rowsOf(page).filter({ hasText: subject })).toHaveCount(0)
  }
  // Offline, from a screen without mail: local results appear immediately.
  await platform.pause()
  await goTo(page, '#/contacts')
  await page.keyboard.press('/')
  await page.keyboard.type('antenna')
  await expect(rowsOf(page)).toHaveCount(1)
  await expect(rowsOf(page)).toContainText('Archive')
  await expect(scope).toHaveText('All mail')
  await expect(foundIn).toHaveText(['Archive'])
  await expect(page.getByText('Nothing on this computer matches')).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('listbox', { name: 'Threads' })).toBeFocused()
  await expect(page.getByRole('status', { name: 'Search scope' })).toHaveText(/cannot be reached/)
  await expect(rowsOf(page)).toHaveCount(1)

  // Matches in Spam and Trash are offered; a folder can be added and removed.
  await barOf(page).fill('fog')
  await expect(rowsOf(page)).toHaveCount(3)
  await expect(foundIn).toHaveText(['Inbox', 'Spam and Trash 1'])
  // Close the recent searches, which cover the rows.
  await page.keyboard.press('Escape')
  await expect(suggestionsOf(page)).toHaveCount(0)
  await expectAccessible(page, 'a search with its folders')
  await foundIn.filter({ hasText: 'Spam and Trash' }).click()
  await expect(barOf(page)).toHaveValue('in:(spam, trash) fog')
  await expect(scope).toHaveText('in: Spam and Trash')
  await expect(rowsOf(page)).toHaveText([/Fog again.*/])
  await expect(foundIn.filter({ hasText: 'Spam and Trash' })).toHaveAttribute('aria-pressed', 'true')
  await expect(foundIn).toHaveText(['Inbox 3', 'Spam and Trash'])
  await foundIn.filter({ hasText: 'Spam and Trash' }).click()
  await expect(barOf(page)).toHaveValue('fog')
  await scope.click()
  await page.getByRole('menuitemradio', { name: 'Archive', exact: true }).click()
  await expect(barOf(page)).toHaveValue('in:archive fog')
  await expect(rowsOf(page)).toHaveCount(0)
  await platform.resume()
  await page.keyboard.press('F5')
  await expect(page.getByText('Nothing matches in Archive')).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Search all mail' }).click()
  await expect(barOf(page)).toHaveValue('fog')
  await expect(rowsOf(page)).toHaveCount(3)

  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(page).toHaveURL(/contacts/)
  await expect(barOf(page)).toBeFocused()
}

const misspell = async ({ page }: Stage): Promise<void> => {
  const bar = page.getByRole('combobox', { name: 'Search mail' })
  const expectNotSearched = async (): Promise<void> => {
    await expect(page.getByRole('alert')).toContainText('body: is not a search operator')
    await expect(page.getByText('Search not run')).toBeVisible()
    await expect(rowsOf(page)).toHaveCount(0)
  }
  await page.keyboard.press('/')
  await page.keyboard.type('paint')
  await page.keyboard.press('Enter')
  await expect(rowsOf(page)).toHaveCount(1)
  await page.keyboard.press('/')
  await bar.fill('fog body:noon')
  await page.keyboard.press('Enter')
  await expectNotSearched()
  await expect(page.locator('search mark')).toHaveText('body')
  await expect(bar).toHaveAttribute('aria-invalid', 'true')
  await page.goBack()
  await expect(bar).toHaveValue('paint')
  await expect(rowsOf(page)).toHaveCount(1)
  await page.goForward()
  await expect(bar).toHaveValue('fog body:noon')
  await expectNotSearched()
  // The error also appears while typing, once the caret has left the faulty part.
  await bar.fill('body:noon paint')
  await expectNotSearched()
  await bar.fill('fog body:noon')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Search for “body:noon”' }).click()
  await expect(bar).toHaveValue('fog "body:noon"')
  await expect(page.getByRole('alert')).toHaveCount(0)
}

const followAFaultyAddress = async ({ page, platform }: Stage): Promise<void> => {
  await goTo(page, `#/inboxes/${platform.inboxId}/search?query=${encodeURIComponent('form:pier fog')}`)
  await expect(page.getByRole('alert')).toHaveCount(1)
  await expect(page.getByText('form: is not a search operator')).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Use from:' }).click()
  await expect(rowsOf(page)).toHaveCount(3)

  await page.getByRole('button', { name: 'Explain search' }).click()
  const explained = page.getByRole('region', { name: 'What is searched' })
  await expect(explained).toContainText('Sent as from=pier')
  await expect(explained).toContainText('Sent as query=fog')
  await expect(explained).toContainText('3 of 256 characters, 1 of 32 words')
  await explained.getByRole('button', { name: 'Copy link to this search' }).click()
  await expect(explained.getByText('Copied')).toBeVisible()
}

const beRefused = async ({ page, platform }: Stage): Promise<void> => {
  const alert = page.getByRole('alert')
  const marked = page.locator('search mark')
  const search = async (text: string): Promise<void> => {
    await page.keyboard.press('/')
    await barOf(page).fill(text)
    await page.keyboard.press('Enter')
  }
  await search('fog until from:pier noon fog')
  await expect(alert).toContainText('A search can have at most 3 words; this one has 4. Remove the marked part.')
  await expect(marked).toHaveText(['fog'])
  await expect(barOf(page)).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByRole('status', { name: 'Search scope' })).toHaveText(
    'This computer; the platform rejected the request',
  )
  await expect(rowsOf(page)).toHaveCount(1)
  await expectAccessible(page, 'a search that the platform refuses')
  await page.getByRole('button', { name: 'Remove marked part' }).click()
  await expect(barOf(page)).toHaveValue('fog until from:pier noon')
  await expect(page.getByRole('status', { name: 'Search scope' })).toHaveText(/ and the platform/)
  await expect(alert).toHaveCount(0)

  // A rejection that names no part.
  const message = 'Searches are too many.'
  const faults = [{ kind: 'error_422', path: `/inboxes/${platform.inboxId}/threads/search`, times: 1, message }]
  await platform.ask('/_control/faults', { method: 'PUT', body: { faults } })
  await search('gull')
  await expect(alert).toContainText('The platform did not accept this search: Searches are too many.')
  await expect(marked).toHaveCount(0)
  await page.getByRole('button', { name: 'Search again' }).click()
  await expect(alert).toHaveCount(0)
  await expect(page.getByRole('status', { name: 'Search scope' })).toHaveText(/ and the platform/)
}

test('searches while typing, with suggestions and keys, in small windows too', async ({
  linnet: { page },
  platform,
}) => {
  const stage = { page, platform }
  await deliverAll(page, platform, SUBJECTS)
  await test.step('typing searches this computer letter by letter, Enter asks the platform, and back returns', async () => {
    await findLetterByLetter(stage)
    await leave(page)
  })
  await test.step('Esc goes from the bar to the results and back to the list', () => leaveByEscape(stage))
  await test.step('a suggested person is accepted by keyboard, becomes a chip and can be removed', async () => {
    await takeASuggestion(stage)
    await leave(page)
  })
  await test.step('keys alone reach suggestions, scope, chips, results and history', async () => {
    await goByKeysAlone(stage)
    await leave(page)
  })
  await test.step('composed input is searched once complete, and one click shortens an overlong search', async () => {
    await compose(stage)
    await leave(page)
  })
  await test.step('nothing in the search bar is clipped or overlaps at 320 pixels', async () => {
    await shrink(stage)
    await leave(page)
  })
})

test('finds mail online and offline, in every state and folder', async ({ linnet: { page }, platform }) => {
  const stage = { page, platform }
  await deliverAll(page, platform, SUBJECTS)
  await test.step('unread results stay listed after reading, until the search is refreshed or left', async () => {
    await readUnreadResults(stage)
    await leave(page, SUBJECTS.length + 1)
  })
  await test.step('every screen searches all mail, results name their folder, and a click adds a folder', () =>
    searchFromAnywhere(stage))
})

test.describe('a platform that accepts less than the contract', () => {
  test.use({ platformSwitches: ['--query-words', '3', '--people-values', '1', '--faults'] })

  test('marks the faulty part of a search, with the reason and a way out', async ({ linnet: { page }, platform }) => {
    const stage = { page, platform }
    await deliverAll(page, platform, SUBJECTS)
    await test.step('an invalid search is not run and shows no results of another search', async () => {
      await misspell(stage)
      await leave(page)
    })
    await test.step('an invalid search link is reported once, and a repaired search is explained and copied', async () => {
      await followAFaultyAddress(stage)
      await leave(page)
    })
    await test.step('a search rejected by the platform is marked at the named part', async () => {
      await beRefused(stage)
      await leave(page)
    })
  })
})
