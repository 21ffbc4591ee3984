import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { StartupAnnouncement } from '../../packages/platform/src/service.ts'
import { BUILT, root } from '../support/program.ts'
import type { List, Thread } from '../../packages/platform/tests/integration/wire-shapes.ts'
import { counts } from './support/endurance.ts'

/** A small mailbox; in long runs, the size that the service is made for. */
const size = counts(3_000, { long: 100_000 })
/** Maximum resident megabytes of the service for any file size. SQLite's cache takes 64 of them. */
const memoryLimit = 400

let child: ChildProcess
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-scale-'))
})
afterEach(async () => {
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill()
  await exit
  await rm(folder, { recursive: true })
})

test('lists and searches many threads without holding them in memory', async () => {
  const file = join(folder, 'mail.db')
  const args = [
    '--port',
    '0',
    '--smtp-port',
    '0',
    '--rate-limit',
    'off',
    '--dataset',
    'empty',
    '--threads',
    `${size}`,
    '--data',
    file,
  ]
  const begin = performance.now()
  child = spawn(process.execPath, [join(root, BUILT.service), ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  if (!child.stdout) throw new Error('A piped stdout is always there.')
  const lines = createInterface({ input: child.stdout })
  const announced = await new Promise<StartupAnnouncement>((resolve) =>
    lines.once('line', (line) => {
      resolve(JSON.parse(line) as StartupAnnouncement)
    }),
  )
  const filled = performance.now()
  const ask = async (query: string): Promise<List<Thread>> => {
    const answer = await fetch(`${announced.base_url}/inboxes/${announced.inbox_id}/threads${query}`, {
      headers: { authorization: `Bearer ${announced.api_key}`, 'user-agent': 'tests' },
    })
    return (await answer.json()) as List<Thread>
  }
  for (const query of [
    '?limit=100',
    '?folders=trash&limit=100',
    '/search?query=invoice',
    '/search?has_attachment=true',
    '/search?from=ada&folders=inbox,archive,sent',
  ]) {
    const started = performance.now()
    const { data } = await ask(query)
    expect(data.length, query).toBeGreaterThan(0)
    console.log(`${Math.round(performance.now() - started)} ms for threads${query}`)
  }
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
  const peak = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  const megabytes = (await stat(file)).size / 1024 / 1024
  console.log(
    `${Math.round(filled - begin)} ms to fill ${Math.round(megabytes)} MB, at most ${Math.round(peak)} MB of memory`,
  )
  expect(peak).toBeLessThan(memoryLimit)
})
