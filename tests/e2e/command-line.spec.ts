/** The command line beside a window: what it changes is seen there, and what it opens is shown there. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { BUILT, root } from '../support/program.ts'
import { deliverAll, expect, test } from './linnet.ts'

test('what the command line changes, keeps and opens is in the window at once', async ({
  linnet,
  platform,
  dataDirectory,
}) => {
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
  await expect(page.getByRole('region', { name: 'Conversation' }).getByRole('heading', { level: 1 })).toHaveText(
    'Lamps on the quay',
  )
  await run('open', 'mailto:ben@pier.example?subject=Ropes')
  const subject = page.getByRole('form', { name: 'New message' }).getByRole('textbox', { name: 'Subject' })
  await expect(subject).toHaveValue('Ropes')
})
