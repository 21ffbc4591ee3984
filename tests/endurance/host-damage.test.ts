import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSettingsFile, prepareSettingsFile } from '../../src/host/settings-file.ts'
import { SETTINGS_NAME } from '../../src/host/settings-names.ts'
import { CERTAIN_HARM, damage } from '../integration/engine/support/damage.ts'
import { eventually } from '../integration/engine/support/eventually.ts'
import { startTestPlatform } from '../integration/engine/support/test-platform.ts'
import { openTestMachine, type TestHost } from '../integration/host/support/test-host.ts'
import { createFolderQuery } from '../../src/shared/thread-query.ts'
import { counts, eachCase } from './support/endurance.ts'

/** Number of times the settings file is damaged. */
const COUNT = counts(6, { long: 100 })
/** Number of times the demo's files are damaged. */
const DEMOS = counts(2, { long: 100 })

it(
  'starts with randomly damaged settings, and keeps mail and changes or asks about them',
  async () => {
    const platform = await startTestPlatform()
    await platform.deliver({ subject: 'Kept' })
    const { inboxId, baseUrl, apiKey } = platform
    const machine = openTestMachine()
    const file = join(machine.dataDirectory, `${SETTINGS_NAME}.json`)
    const start = () => {
      const settingsProblem = prepareSettingsFile(file)
      const settings = openSettingsFile(file)
      return machine.start({ settings, settingsProblem })
    }
    const list = { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 10 } as const

    const first = start()
    await first.ask('account.connect', { baseUrl, apiKey })
    const { items } = await eventually(
      () => first.ask('thread.list', list).catch(() => ({ items: [] })),
      (page) => page.items.length === 1,
    )
    await platform.fault({ kind: 'error_500', method: 'PATCH' })
    const threadIds = items.map(({ id }) => id)
    await first.ask('thread.change', { inboxId, threadIds, change: { read: true } })
    const before = await first.account()
    await eventually(
      () => JSON.stringify(JSON.parse(readFileSync(file, 'utf8'))),
      (text) => text.includes(inboxId),
    )
    await first.close()
    const sound = readFileSync(file)

    await eachCase(COUNT, async (seed) => {
      writeFileSync(file, sound)
      const what = damage(file, seed)
      const isTouched = !existsSync(file) || !readFileSync(file).equals(sound)
      try {
        const host = start()
        const { problem } = await host.ask('account.state', {})
        if ((await host.account()) === undefined) {
          expect(isTouched).toBe(true)
          expect(problem?.message).toMatch(/settings (?:are missing|file could not be read).*Your mail is still here/)
          expect(await host.ask('account.connect', { baseUrl, apiKey })).toBeNull()
          const { question } = await host.ask('account.state', {})
          expect(question?.candidates.map((candidate) => candidate.id)).toEqual([before?.id])
          await host.ask('account.decide', { decision: 'keep' })
        }
        expect(await host.account()).toEqual(before)
        expect((await host.ask('thread.list', list)).items).toMatchObject([{ subject: 'Kept', read: true }])
        expect(await host.ask('sync.status', {})).toMatchObject({ pendingChanges: 1 })
        await host.close()
      } catch (thrown) {
        throw new Error(`${what}: ${String(thrown)}`, { cause: thrown })
      }
      rmSync(file, { force: true })
    })
  },
  300_000 + COUNT * 20_000,
)

it(
  'opens a demo with randomly damaged mail and says if it was recreated',
  async () => {
    const machine = openTestMachine()
    const file = join(machine.dataDirectory, 'demo', 'platform.sqlite')
    const subjects = async (host: TestHost): Promise<readonly string[]> => {
      const { inboxes } = await eventually(
        () => host.ask('inbox.list', {}),
        (list) => list.inboxes.length > 0,
      )
      expect(inboxes).toHaveLength(1)
      const { items } = await eventually(
        () =>
          host.ask('thread.list', { query: createFolderQuery(inboxes[0]?.id ?? '', 'inbox'), offset: 0, limit: 20 }),
        (list) => list.items.length === 20,
      )
      return items.map(({ subject }) => subject ?? '')
    }
    const first = machine.start()
    await first.ask('account.startDemo', {})
    await subjects(first)
    await first.close()
    const kept = join(machine.dataDirectory, 'kept')
    for (const name of ['demo', 'accounts'])
      cpSync(join(machine.dataDirectory, name), join(kept, name), { recursive: true })
    await eachCase(DEMOS, async (seed) => {
      for (const name of ['demo', 'accounts']) {
        rmSync(join(machine.dataDirectory, name), { recursive: true })
        cpSync(join(kept, name), join(machine.dataDirectory, name), { recursive: true })
      }
      const what = damage(file, seed)
      try {
        const host = machine.start()
        const { problem } = await host.ask('account.state', {})
        expect(await host.account()).toMatchObject({ kind: 'demo' })
        if (CERTAIN_HARM.includes(what)) expect(problem?.message).toMatch(/demo.*created it again/)
        expect(await subjects(host)).toHaveLength(20)
        await eventually(
          () => host.ask('sync.status', {}),
          ({ connection }) => connection === 'online',
        )
        expect(await host.ask('problem.list', {})).toEqual([])
        await host.close()
      } catch (thrown) {
        throw new Error(`${what}: ${String(thrown)}`, { cause: thrown })
      }
    })
  },
  300_000 + DEMOS * 30_000,
)
