import { spawn } from 'node:child_process'
import { cp, link, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { root } from '../support/program.ts'
import { expect, test } from './linnet.ts'
import { outsideRequests } from './net-log.ts'

test.skip(({ hostKind }) => hostKind !== 'electron', 'A browser is not ours to start or to close.')

test('starting asks nobody for anything: no dictionary, no update, no look-up', async ({
  launch,
  platform,
  dataDirectory,
}) => {
  const file = join(dataDirectory, 'net-log.json')
  const linnet = await launch({
    dataDirectory: join(dataDirectory, 'data'),
    env: { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey },
    switches: [`--log-net-log=${file}`],
  })
  await linnet.page.getByRole('navigation', { name: 'Mailboxes' }).waitFor()
  await linnet.page.keyboard.press('/')
  await linnet.page.keyboard.type('speling')
  await linnet.close()
  expect(outsideRequests(await readFile(file, 'utf8'))).toEqual([])
})

test('a page cannot download a file by itself', async ({ linnet }) => {
  const { page, electron } = linnet
  const downloads = await electron?.evaluateHandle(({ session }) => {
    const prevented: boolean[] = []
    session.defaultSession.on('will-download', (event) => prevented.push(event.defaultPrevented))
    return prevented
  })
  await page.evaluate(() => {
    const anchor = document.createElement('a')
    anchor.href = URL.createObjectURL(new Blob(['x']))
    anchor.download = 'invoice.exe'
    anchor.click()
  })
  await expect.poll(() => downloads?.jsonValue()).toEqual([true])
})

test('the packaged app ends with a word when another program would debug it', async ({ dataDirectory }) => {
  // A package in all that Electron looks at: its own name, and the app in its resources.
  const binary = createRequire(import.meta.url)('electron') as string
  const packaged = join(dataDirectory, 'packaged')
  await mkdir(join(packaged, 'resources'), { recursive: true })
  for (const entry of await readdir(dirname(binary), { withFileTypes: true })) {
    const from = join(dirname(binary), entry.name)
    if (entry.name === 'resources') continue
    const to = join(packaged, entry.name === 'electron' ? 'linnet' : entry.name)
    // Electron takes its folder from where its own file really is.
    if (entry.isDirectory()) await symlink(from, to)
    else await link(from, to).catch(() => cp(from, to))
  }
  const app = join(packaged, 'resources', 'app')
  await mkdir(app)
  await cp(join(root, 'package.json'), join(app, 'package.json'))
  await symlink(join(root, 'out'), join(app, 'out'))
  await symlink(join(root, 'node_modules'), join(app, 'node_modules'))

  for (const given of ['--remote-debugging-port=0', '--remote-debugging-pipe']) {
    const args = [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      given,
      `--data-dir=${join(dataDirectory, 'data')}`,
    ]
    const child = spawn(join(packaged, 'linnet'), args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] })
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text))
    const code = await new Promise((resolve) => child.once('exit', resolve))
    expect(said).toContain('Linnet does not start with --remote-debugging')
    expect(said).not.toContain('DevTools listening')
    expect(code).toBe(1)
  }
})
