/** Other tests run the build, but `npm run service`, `npm run linnet` and the benches run the sources. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { root, startProgram } from '../support/program.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { openTestMachine } from './host/support/test-host.ts'

it('runs the local platform, the engine thread and the command line from their sources', async () => {
  const args = ['--port', '0', '--smtp-port', '0', '--dataset', 'empty']
  const service = await startProgram('packages/platform/src/main.ts', args)
  onTestFinished(() => void service.stop())
  const announced = JSON.parse(service.firstLine) as Readonly<Record<'base_url' | 'api_key' | 'inbox_id', string>>

  const { start } = openTestMachine()
  const { ask } = start({ engineEntry: join(root, 'src/engine/worker.ts') })
  await ask('account.connect', { baseUrl: announced.base_url, apiKey: announced.api_key })
  await expect
    .poll(() => ask('inbox.list', {}), { timeout: 30_000 })
    .toMatchObject({ inboxes: [{ id: announced.inbox_id }] })

  const command = [join(root, 'src/cli/main.ts'), 'accounts', '--json', '--data', temporaryDirectory()]
  expect(spawnSync(process.execPath, command, { encoding: 'utf8' })).toMatchObject({ status: 3, stdout: '' })
})
