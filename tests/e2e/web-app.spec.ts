import { expect, test } from './linnet.ts'

test.skip(({ hostKind }) => hostKind !== 'browser', 'Only the browser host can be installed as a web app.')

test.use({ dataset: 'demo', onlyLooks: true })

interface ManifestError {
  readonly message: string
}

test('can be installed by a browser and takes the colour of its theme', async ({ linnet, playwright }) => {
  const { page } = linnet
  await expect(page.getByRole('listbox', { name: 'Threads' }).getByRole('option').first()).toBeVisible()
  const browser = await page.context().newCDPSession(page)
  const manifest = await browser.send('Page.getAppManifest')
  expect((manifest.errors as readonly ManifestError[]).map(({ message }) => message)).toEqual([])
  expect(new URL(manifest.url).pathname).toBe('/app.webmanifest')
  expect(JSON.parse(manifest.data ?? '')).toMatchObject({ name: 'Linnet', display: 'standalone', start_url: '/' })
  const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors')
  // A test's browser is incognito, which is reported as an error that has nothing to do with the page.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])

  const icon = await page.request.get(new URL('/assets/web-app.svg', page.url()).href)
  expect(icon.headers()['content-type']).toBe('image/svg+xml')

  const color = (): Promise<string | null> => page.locator('meta[name=theme-color]').getAttribute('content')
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(color).toBe('rgb(251, 250, 248)')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(color).toBe('rgb(23, 20, 18)')

  await test.step('the manifest is rejected without access', async () => {
    const stranger = await playwright.request.newContext()
    const answer = await stranger.get(manifest.url)
    expect(answer.status()).toBe(401)
    await stranger.dispose()
  })
})
