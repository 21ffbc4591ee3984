import { execFile, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { BUILT, root } from '../support/program.ts'
import { expectAccessible } from './expect-accessible.ts'
import { deliverAll, expect, goTo, test } from './linnet.ts'
import { layPackagedApp } from './packaged-app.ts'

test('shows the command line’s changes in the window immediately', async ({ linnet, platform, dataDirectory }) => {
  const run = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      join(root, BUILT.linnet),
      ...args,
      '--data',
      dataDirectory,
    ])
    return stdout.trim()
  }
  const { page } = linnet
  await deliverAll(page, platform, ['Fog until noon', 'Lamps on the quay'])
  const rows = page.getByRole('listbox', { name: 'Threads' }).getByRole('option')
  const fog = rows.filter({ hasText: 'Fog until noon' })
  await expect(fog).toHaveCount(1)

  const [change = ''] = (await run('archive', 'subject:fog', '--json')).split('\n')
  await expect(fog).toHaveCount(0)
  await run('undo', (JSON.parse(change) as { changeId: string }).changeId)
  await expect(fog).toHaveCount(1)

  const [found = ''] = (await run('search', 'subject:lamps', '--json')).split('\n')
  await run('open', (JSON.parse(found) as { id: string }).id)
  await expect(page.getByRole('region', { name: 'Thread', exact: true }).getByRole('heading', { level: 1 })).toHaveText(
    'Lamps on the quay',
  )
  await run('open', 'mailto:ben@pier.example?subject=Ropes')
  const subject = page.getByRole('form', { name: 'New message' }).getByRole('textbox', { name: 'Subject' })
  await expect(subject).toHaveValue('Ropes')
})

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

const ending = (child: ChildProcessWithoutNullStreams): Promise<Ended> => {
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...said })))
}

test('runs the same commands in the packaged app and serves assistants', async ({
  linnet: { page },
  hostKind,
  platform,
  dataDirectory,
}) => {
  test.skip(hostKind !== 'electron', 'Only the Electron app is packaged.')
  await deliverAll(page, platform, ['Fog until noon', 'Lamps on the quay'])
  const folder = await mkdtemp(join(tmpdir(), 'linnet-packaged-'))
  const { command, args } = await layPackagedApp(join(folder, 'packaged'))
  const config = join(folder, 'config')
  const env = { ...process.env, XDG_CONFIG_HOME: config }
  const hidden = { ...env, DISPLAY: '', WAYLAND_DISPLAY: '' }
  const start = (words: readonly string[], around: NodeJS.ProcessEnv = env): ChildProcessWithoutNullStreams =>
    spawn(command, [...args, ...words, '--data', dataDirectory], { env: around })
  const run = (words: readonly string[], around = env): Promise<Ended> => {
    const child = start(words, around)
    child.stdin.end()
    return ending(child)
  }
  const search = ['search', 'subject:lamps', '--json']
  try {
    const { code, out } = await run(search)
    expect(JSON.parse(out)).toMatchObject({ subject: 'Lamps on the quay' })
    expect(code).toBe(0)
    expect(await run(['--ozone-platform=headless', ...search], hidden)).toMatchObject({ code: 0, out })
    const unseen = await run(search, hidden)
    expect(unseen).toMatchObject({ code: 1, out: '' })
    expect(unseen.err).toContain('No display found. Run “linnet --ozone-platform=headless search …” instead.')

    // More than the system buffers for a slow reader.
    const lines = Array.from({ length: 20_000 }, (_, index) => `Lamp ${index} is lit.`)
    await platform.deliver({ from: 'Ada Quill <ada@harbour.example>', subject: 'Every lamp', text: lines.join('\n') })
    await page.keyboard.press('F5')
    await expect(page.getByRole('option', { name: /Every lamp/ })).toBeVisible()
    const [found = ''] = (await run(['search', 'subject:every', '--json'])).out.split('\n')
    const whole = start(['show', (JSON.parse(found) as { id: string }).id])
    const shown = ending(whole)
    whole.stdout.pause()
    await expect.poll(() => whole.stdout.readableLength).toBeGreaterThan(60_000)
    whole.stdout.resume()
    expect((await shown).out).toContain(lines.join('\n'))

    const watch = start(['watch', 'subject:buoys', '--json'])
    const ended = ending(watch)
    await new Promise((resolve) => {
      watch.stderr.on('data', (text: string) => {
        if (text.includes('Watching.')) resolve(null)
      })
    })
    const told = new Promise((resolve) => watch.stdout.once('data', resolve))
    await platform.deliver({ from: 'Ada Quill <ada@harbour.example>', subject: 'Buoys', text: 'Red and green.' })
    await page.keyboard.press('F5')
    expect(String(await told)).toContain('Buoys')
    watch.kill('SIGINT')
    expect((await ended).code).toBe(130)

    expect(await run(['nosuch'])).toMatchObject({ code: 2, out: '' })
    expect(await run(['search', 'subject:nothing'])).toMatchObject({ code: 3, out: '' })
    const draft = start(['draft', '--to', 'ben@pier.example', '--subject', 'Ropes'])
    draft.stdin.end('They are on the pier.')
    expect(await ending(draft)).toMatchObject({ code: 0 })
    const debugged = await run(['search', 'subject:lamps', '--remote-debugging-port=0'])
    expect(debugged).toMatchObject({ code: 1, out: '' })
    expect(debugged.err).toContain('would let other apps read your mail')

    const client = new Client({ name: 'tester', version: '1' })
    const transport = new StdioClientTransport({
      command,
      // Programs that start servers pass on little of their environment, and no display.
      args: [...args, '--ozone-platform=headless', 'mcp', '--data', dataDirectory],
      env: { XDG_CONFIG_HOME: config },
      stderr: 'ignore',
    })
    await client.connect(transport)
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('search_mail')
    expect(await client.callTool({ name: 'list_inboxes', arguments: {} })).toMatchObject({ isError: true })
    await client.close()

    // Chromium creates a profile only for a window.
    expect((await readdir(join(config, 'Linnet'))).filter((name) => name !== 'Crashpad')).toEqual([])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('connects an assistant with the command that Settings shows', async ({ linnet: { page }, hostKind }) => {
  await goTo(page, '#/settings/assistants')
  const section = page.getByRole('region', { name: 'Assistant apps' })
  const entry = section.getByText('mcpServers')
  await entry.waitFor()
  await expectAccessible(page, 'the settings of assistants')
  await section.getByRole('button', { name: 'Copy configuration', exact: true }).click()
  await expect(page.getByText('Copied. Paste it into the assistant’s configuration.')).toBeVisible()

  const { mcpServers } = JSON.parse(await entry.innerText()) as {
    readonly mcpServers: { readonly linnet: { readonly command: string; readonly args: readonly string[] } }
  }
  const { command, args } = mcpServers.linnet
  const sandbox = hostKind === 'electron' && process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const client = new Client({ name: 'tester', version: '1' })
  await client.connect(new StdioClientTransport({ command, args: [...sandbox, ...args], stderr: 'ignore' }))
  const { content } = await client.callTool({ name: 'list_inboxes', arguments: {} })
  expect(content).toMatchObject([{ text: expect.stringContaining('No mail is turned on for assistants.') as unknown }])
  await client.close()
})
