import { spawn } from 'node:child_process'
import type { Page } from '@playwright/test'
import { root } from '../support/program.ts'
import { deliverAll, expect, test, threadOn, type Linnet } from './linnet.ts'

test.skip(({ hostKind }) => hostKind !== 'electron', 'Browsers open links themselves.')

const heading = (page: Page) =>
  page.getByRole('region', { name: 'Thread', exact: true }).getByRole('heading', { level: 1 })

/** Starts Linnet again with a link, as the system does; that process exits on its own. @returns its output */
const handOver = ({ electron }: Linnet, dataDirectory: string, link: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    const program = electron?.process().spawnfile ?? ''
    const second = spawn(program, [...sandbox, root, `--data-dir=${dataDirectory}`, link])
    let said = ''
    second.stderr.on('data', (data: Buffer) => (said += data.toString()))
    second.once('error', reject)
    second.once('exit', () => resolve(said))
  })

test('opens links at start and in a running Linnet, and ignores unknown ones', async ({
  launch,
  platform,
  dataDirectory,
}) => {
  const env = { LINNET_BASE_URL: platform.baseUrl, LINNET_API_KEY: platform.apiKey }
  const first = await launch({ dataDirectory, env })
  await deliverAll(first.page, platform, ['Fog until noon', 'Lamps on the quay'])
  const fog = `linnet://thread/${platform.inboxId}/${(await threadOn(platform, 'Fog until noon'))?.id ?? ''}`
  await first.close()

  // Cold start: the window opens with the link.
  const linnet = await launch({ dataDirectory, env, words: [fog] })
  const { page } = linnet
  await expect(heading(page)).toHaveText('Fog until noon')

  const lamps = `linnet://thread/${platform.inboxId}/${(await threadOn(platform, 'Lamps on the quay'))?.id ?? ''}`
  expect(await handOver(linnet, dataDirectory, lamps)).toContain('already running')
  await expect(heading(page)).toHaveText('Lamps on the quay')
  await handOver(linnet, dataDirectory, 'linnet://search?query=fog')
  await expect(page.getByRole('combobox', { name: 'Search mail' })).toHaveValue('fog')
  await expect(page.getByRole('listbox', { name: 'Threads' }).getByRole('option')).toHaveCount(1)

  const at = page.url()
  for (const hostile of ['linnet://app/index.html#/settings', `${fog}#archive`, 'linnet://thread/../../settings']) {
    await handOver(linnet, dataDirectory, hostile)
  }
  await handOver(linnet, dataDirectory, 'mailto:ben@pier.example?subject=Ropes&attach=%2Fetc%2Fpasswd')
  const message = page.getByRole('form', { name: 'New message' })
  await expect(message.getByRole('textbox', { name: 'Subject' })).toHaveValue('Ropes')
  await expect(message).toContainText('ben@pier.example')
  await expect(message.getByRole('list', { name: 'Attachments' })).toHaveCount(0)
  expect(page.url()).toBe(at)
})

test('follows a start link even if the account opens after the startup snapshot', async ({ launch, dataDirectory }) => {
  const shift = /Can two people share one shift/
  const first = await launch({ dataDirectory, env: {} })
  await first.page.getByRole('button', { name: 'Try the demo' }).click()
  const threads = first.page.getByRole('listbox', { name: 'Threads' })
  await threads.getByRole('option', { name: shift }).click()
  await expect(heading(first.page)).toHaveText(shift)
  const [, inboxId = '', threadId = ''] = /inboxes\/([^/]+)\/inbox\/threads\/([^/?]+)/.exec(first.page.url()) ?? []
  expect(threadId).not.toBe('')
  await first.close()
  const thread = await launch({ dataDirectory, env: {}, words: [`linnet://thread/${inboxId}/${threadId}`] })
  await expect(heading(thread.page)).toHaveText(shift)
  await thread.close()
  const message = await launch({ dataDirectory, env: {}, words: ['mailto:ben@pier.example?subject=Ropes'] })
  const form = message.page.getByRole('form', { name: 'New message' })
  await expect(form.getByRole('textbox', { name: 'Subject' })).toHaveValue('Ropes')
  await message.close()
})
