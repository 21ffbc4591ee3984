/** Updates, from the list of versions to the replaced Linnet, against a local version list (docs/updates.md). */
import { createHash, generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto'
import { appendFile, chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { signFeed } from '../../scripts/sign-feed.ts'
import { deliverAll, expect, goTo, test } from './linnet.ts'
import { expectAccessible } from './expect-accessible.ts'

test.skip(
  ({ hostKind }) => hostKind !== 'electron' || process.platform !== 'linux',
  'The browser host doesn’t update itself; other systems use their own installers.',
)

const NEXT = 'Linnet-9.9.9.AppImage'

const publicKeyOf = ({ publicKey }: KeyPairKeyObjectResult): string =>
  publicKey.export({ format: 'der', type: 'spki' }).toString('base64')

/** Publishes a release: its signed list, and an AppImage that reports its start. */
const publish = async (
  directory: string,
  { version = '9.9.9', file = NEXT, digest = '', after = '' } = {},
  pair = generateKeyPairSync('ed25519'),
) => {
  const folder = join(directory, 'release')
  await mkdir(folder, { recursive: true })
  const started = join(directory, 'started')
  const program = `#!/bin/sh\necho "$0" > '${started}'\n`
  await writeFile(join(folder, NEXT), program)
  const sha512 = digest === '' ? createHash('sha512').update(program).digest('base64') : digest
  const list = join(folder, 'latest-linux.yml')
  const words = [
    `version: ${version}`,
    'files:',
    `  - url: ${file}`,
    `    sha512: ${sha512}`,
    `    size: ${program.length}`,
    `path: ${file}`,
    `sha512: ${sha512}`,
    "releaseDate: '2026-01-01T00:00:00.000Z'",
  ]
  await writeFile(list, `${words.join('\n')}\n`)
  signFeed(list, pair.privateKey)
  await appendFile(list, after)
  return { folder, started, list, key: publicKeyOf(pair) }
}

const serve = async (folder: () => string) => {
  const asked: string[] = []
  const told: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    told.push(JSON.stringify(request.headers))
    readFile(join(folder(), (request.url ?? '').replaceAll('/', ''))).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { asked, told, url, close: () => server.close() }
}

/** Writes an AppImage of this version, and returns the environment of a Linnet started from it. */
const environmentOf = async (directory: string, url: string, key: string) => {
  const image = join(directory, 'Linnet.AppImage')
  await writeFile(image, 'the version that is here')
  await chmod(image, 0o755)
  const env = {
    LINNET_UPDATE_FEED: url,
    LINNET_UPDATE_KEY: key,
    APPIMAGE: image,
    XDG_CACHE_HOME: join(directory, 'cache'),
  }
  return { image, env }
}

const LISTS = [
  ['signed by somebody else', {}, 'the update information is not signed by Linnet’s publisher', true],
  ['changed', { after: '# more' }, 'the update information is not signed by Linnet’s publisher', false],
  ['without an end', { after: 'a'.repeat(70_000) }, 'the update information is too large', false],
  ['of a file elsewhere', { file: 'https://127.0.0.1:1/a.AppImage' }, 'a file in another location', false],
  [
    'of a file with another digest',
    { digest: Buffer.alloc(64).toString('base64') },
    'could not be downloaded or verified',
    false,
  ],
  ['of an older version', { version: '0.0.9' }, 'Linnet is up to date', false],
] as const

test('replaces itself with a verified update after consent, and ignores forged lists', async ({
  launch,
  platform,
  dataDirectory,
}) => {
  const pair = generateKeyPairSync('ed25519')
  const release = await publish(dataDirectory, {}, pair)
  let { folder } = release
  const server = await serve(() => folder)
  const { image, env } = await environmentOf(dataDirectory, server.url, release.key)
  const { page, electron } = await launch({
    dataDirectory: join(dataDirectory, 'data'),
    env: { ...env, LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey },
  })
  await deliverAll(page, platform, ['Letter 1', 'Letter 2'])
  const ended = new Promise((resolve) => electron?.process().once('exit', resolve))
  await goTo(page, '#/settings/updates')
  const part = page.getByRole('region', { name: 'Updates' })
  const wanted = part.getByRole('switch', { name: 'Check for new versions' })
  const banner = page.getByRole('region', { name: 'Update', exact: true })

  await test.step('no server is contacted before the user agrees', async () => {
    await expect(wanted).toHaveAttribute('aria-checked', 'false')
    await expect(part.getByRole('button')).toHaveCount(0)
    await expectAccessible(page, 'updates that nobody has agreed to')
    expect(server.asked).toEqual([])
  })

  for (const [what, given, words, isForged] of LISTS) {
    await test.step(`an unsuitable list changes nothing: ${what}`, async () => {
      server.asked.length = 0
      const signer = isForged ? generateKeyPairSync('ed25519') : pair
      folder = (await publish(join(dataDirectory, what), given, signer)).folder
      await wanted.click()
      await expect(part.getByRole('status')).toContainText(words)
      await expect(banner).toHaveCount(0)
      expect(await readFile(image, 'utf8')).toBe('the version that is here')
      expect(server.asked).toContain('/latest-linux.yml')
      if (!('digest' in given)) expect(server.asked).not.toContain(`/${NEXT}`)
      await wanted.click()
      await expect(wanted).toHaveAttribute('aria-checked', 'false')
    })
  }

  await test.step('the next version is downloaded, waits for unsent changes and replaces this one', async () => {
    server.asked.length = 0
    folder = release.folder
    await wanted.click()
    await expect(part).toContainText('Linnet 9.9.9 has been downloaded and verified')
    expect(server.asked).toEqual(['/latest-linux.yml', '/latest-linux.yml.sig', `/${NEXT}`])
    // Requests contain nothing that identifies the computer or the user.
    expect(server.told.join()).not.toMatch(/staging|cookie|authorization/i)
    await expect(banner).toContainText('Linnet 9.9.9 is ready')
    await expectAccessible(page, 'an update that is ready')

    // Unsent changes block the restart.
    await platform.pause()
    await goTo(page, `#/inboxes/${platform.inboxId}/inbox`)
    await page.getByRole('option', { name: /Letter 1/ }).click()
    await page.keyboard.press('e')
    await expect(page.getByRole('option', { name: /Letter 1/ })).toHaveCount(0)
    await banner.getByRole('button', { name: 'Restart to update' }).click()
    // The next letter is open by then, and marking it as read is a second change.
    await expect(
      page.getByText(/(?:1 change or message has|2 changes and messages have) not been sent yet/),
    ).toBeVisible()
    expect(await readFile(image, 'utf8')).toBe('the version that is here')

    await platform.resume()
    await page.keyboard.press('F5')
    await expect
      .poll(() => platform.ask(`/inboxes/${platform.inboxId}/threads?folders=archive`))
      .toMatchObject({
        data: [{ subject: 'Letter 1' }],
      })
    await expect(page.getByRole('status').getByText('Online')).toBeVisible()
    await banner.getByRole('button', { name: 'Restart to update' }).click()
    await ended
    await expect.poll(() => readFile(release.started, 'utf8').catch(() => '')).toBe(`${image}\n`)
    expect(await readFile(image, 'utf8')).toContain('#!/bin/sh')
  })
  server.close()
})
