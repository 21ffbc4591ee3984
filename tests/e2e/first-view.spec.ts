/** The startup snapshot: until the engine is ready, a start shows the last list of the previous one. */
import { cp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { root } from '../support/program.ts'
import { deliverAll, expect, test } from './linnet.ts'

test.skip(({ hostKind }) => hostKind === 'browser', 'Anyone can load the browser host’s page, so it contains no mail.')

const rows = (page: Page) => page.getByRole('listbox', { name: 'Threads' }).getByRole('option')

const copyApp = async (app: string): Promise<void> => {
  await cp(join(root, 'out'), join(app, 'out'), { recursive: true })
  await cp(join(root, 'package.json'), join(app, 'package.json'))
}

/** Copies the app with an engine that never becomes ready. */
const copyWithoutEngine = async (app: string): Promise<void> => {
  await copyApp(app)
  await writeFile(join(app, 'out', 'main', 'engine-worker.cjs'), 'setInterval(() => undefined, 1_000)')
}

test('shows the last list of the previous start', async ({ launch, platform, dataDirectory }) => {
  const { baseUrl, apiKey } = platform
  const env = { LINNET_BASE_URL: baseUrl, LINNET_API_KEY: apiKey }
  const file = join(dataDirectory, 'first-view.json')
  const first = await launch({ dataDirectory, env })
  await deliverAll(first.page, platform, ['Letter one', 'Letter two'])
  await first.close()

  await test.step('the list appears without an engine', async () => {
    const { mode } = await stat(file)
    expect(mode & 0o777).toBe(0o600)
    const app = join(dataDirectory, 'app')
    await copyWithoutEngine(app)
    const { page, pid, close } = await launch({ dataDirectory, env, app })
    await expect(rows(page)).toHaveText([/Letter two/, /Letter one/])
    await expect(page.getByRole('navigation', { name: 'Mailboxes' })).toContainText('Inbox')
    process.kill(pid, 'SIGKILL')
    await close().catch(() => undefined)
  })

  await test.step('the list updates with mail that arrived meanwhile', async () => {
    for (const subject of ['Letter three', 'Letter four']) {
      await platform.deliver({ from: 'pier@harbour.example', subject, text: subject })
    }
    const { page, close } = await launch({ dataDirectory, env })
    await expect(rows(page)).toHaveText([/Letter four/, /Letter three/, /Letter two/, /Letter one/])
    await close()
    expect(await readFile(file, 'utf8')).toContain('Letter four')
  })

  await test.step('keys pressed before the engine starts take effect, even if Linnet closes at once', async () => {
    for (const left of [3, 2]) {
      const { page, close } = await launch({ dataDirectory, env })
      await expect(rows(page)).toHaveCount(left + 1)
      await page.keyboard.press('e')
      await expect(rows(page)).toHaveCount(left)
      await close()
    }
  })

  await test.step('an unknown key may be another person’s, so no stored list is shown', async () => {
    const { page, close } = await launch({ dataDirectory, env: { ...env, LINNET_API_KEY: 're_unknown' } })
    await expect(page.getByRole('navigation', { name: 'Mailboxes' })).toBeVisible()
    await close()
  })

  await test.step('earlier changes are kept, and removing the account deletes the stored list', async () => {
    const { page, close } = await launch({ dataDirectory, env })
    await expect(rows(page)).toHaveText([/Letter two/, /Letter one/])
    const removed = await page.evaluate(`(async () => {
      const { data } = await linnet.call('account.state', {}, null)
      return linnet.call('account.remove', { accountId: data.accounts[0].id }, null)
    })()`)
    expect(removed).toMatchObject({ ok: true })
    await close()
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })
})

/** Text and position of the drawn rows. */
const drawnIn = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((drawn) =>
    drawn.map((row) => {
      const { x, y, width, height } = row.getBoundingClientRect()
      const [subject] = row.getElementsByClassName('subject')
      return { text: row.textContent.trim(), x, y, width, height, subjectAt: subject?.getBoundingClientRect().x }
    }),
  )

/** Texts, icons and fields visible in a part of the page, with positions. Skips the line about the connection. */
const seenIn = (page: Page, selector: string) =>
  page.locator(`${selector} :not(.line *)`).evaluateAll((all) =>
    all.flatMap((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      const words = [...element.childNodes].map((node) => (node instanceof Text ? node.data.trim() : '')).join('')
      const isSeen = width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true })
      const isDrawn = words !== '' || /^(?:svg|input|button|kbd)$/.test(element.localName)
      return isSeen && isDrawn ? [`${element.localName} ${words} ${[x, y, width, height].map(Math.round).join()}`] : []
    }),
  )

/** Copies the app with a window whose scripts, except for the first lines, load only when the test lets them. */
const copyWithLateScripts = async (app: string): Promise<void> => {
  await copyApp(app)
  await symlink(join(root, 'node_modules'), join(app, 'node_modules'), 'junction')
  const assets = join(app, 'out', 'renderer', 'assets')
  const [name = 'none'] = (await readdir(assets)).filter((file) => /^open-window-.*\.js$/.test(file))
  await rename(join(assets, name), join(assets, 'late.js'))
  const late = `await new Promise((goOn) => Object.assign(window, { goOn }))\nexport * from './late.js'`
  await writeFile(join(assets, name), late)
}

const goOn = async (page: Page): Promise<void> => {
  await expect.poll(() => page.evaluate(`'goOn' in window`)).toBe(true)
  await page.evaluate('goOn()')
}

test('paints the list in the first frame, before any script, and keeps it in place', async ({
  launch,
  platform,
  dataDirectory,
}, testInfo) => {
  const { baseUrl, apiKey } = platform
  const env = { LINNET_BASE_URL: baseUrl, LINNET_API_KEY: apiKey }
  const file = join(dataDirectory, 'first-view.json')
  const hostile = `</span></div><script>document.title = 'run'</script><img src=x onerror=alert(1)> & "fog"`
  const first = await launch({ dataDirectory, env })
  await deliverAll(first.page, platform, ['Letter one', 'Letter two', hostile])
  // The list is saved some time after it is drawn.
  await expect.poll(() => readFile(file, 'utf8').catch(() => ''), { timeout: 60_000 }).toMatch(/"snapshot":".*fog.*"/)
  await first.close()

  const app = testInfo.outputPath('app')
  await copyWithLateScripts(app)
  const start = await launch({ dataDirectory, env, app })
  const still = start.page.locator('#still')
  await expect(still.locator('.option')).toHaveText([/fog/, /Letter two/, /Letter one/])
  await expect(still.locator('.subject').first()).toHaveText(hostile)
  await expect(still).toHaveAttribute('inert')
  expect(await still.locator('script, img, iframe, [id], [href], [onerror]').count()).toBe(0)
  await expect(start.page).toHaveTitle('Linnet')
  // Screen readers skip the snapshot, because nothing in it responds.
  await expect(rows(start.page)).toHaveCount(0)
  const ahead = await drawnIn(start.page, '#still .option')
  const allAhead = await seenIn(start.page, '#still')
  expect(allAhead.length).toBeGreaterThan(40)

  // Keys move the snapshot's cursor, and the window's own list takes over its position.
  await start.page.keyboard.press('j')
  await start.page.keyboard.press('ArrowDown')
  await expect(still.locator('.option.active')).toHaveText(/Letter one/)
  await rm(file)
  await goOn(start.page)
  await expect(rows(start.page)).toHaveCount(3)
  await expect(still).toHaveCount(0)
  expect(await drawnIn(start.page, '[role="option"]')).toEqual(ahead)
  expect(await seenIn(start.page, '#app')).toEqual(allAhead)
  await expect(start.page.locator('.option.active')).toHaveText(/Letter one/)
  await expect(start.page.getByRole('listbox', { name: 'Threads' })).toBeFocused()

  // The next start begins at the top again.
  await expect.poll(() => readFile(file, 'utf8').catch(() => ''), { timeout: 60_000 }).toMatch(/"snapshot":".*fog.*"/)
  await start.close()
  const { page, close } = await launch({ dataDirectory, env, app })
  await expect(page.locator('#still .option.active')).toHaveText(/fog/)
  // A search typed this early still works.
  await page.keyboard.type('/two')
  await goOn(page)
  await expect(page.getByRole('combobox', { name: 'Search mail' })).toHaveValue('two')
  await expect(rows(page)).toHaveText([/Letter two/])
  await close()
})

test('paints the list in the first frame of another window too', async ({ launch, platform, dataDirectory }) => {
  const { baseUrl, apiKey } = platform
  const env = { LINNET_BASE_URL: baseUrl, LINNET_API_KEY: apiKey }
  const { page, electron, close } = await launch({ dataDirectory, env })
  await deliverAll(page, platform, ['Letter one', 'Letter two'])
  const file = join(dataDirectory, 'first-view.json')
  await expect
    .poll(() => readFile(file, 'utf8').catch(() => ''), { timeout: 60_000 })
    .toMatch(/"snapshot":".*Letter two.*"/)
  const opened = electron?.waitForEvent('window')
  const served = electron?.evaluate(
    ({ app }) =>
      new Promise<string>((resolve) =>
        app.once('web-contents-created', (_event, contents) =>
          contents.once('dom-ready', () =>
            resolve(contents.executeJavaScript(`document.getElementById('still')?.textContent ?? ''`)),
          ),
        ),
      ),
  )
  await page.evaluate(`linnet.call('window.open', { address: '' }, null)`)
  expect(await served).toContain('Letter two')
  const second = await opened
  if (second === undefined) throw new Error('There is no other window.')
  await expect(rows(second)).toHaveText([/Letter two/, /Letter one/])
  await expect(second.locator('#still')).toHaveCount(0)
  await close()
})
