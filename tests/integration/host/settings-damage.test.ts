import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSettingsFile, prepareSettingsFile } from '../../../src/host/settings-file.ts'
import { SETTINGS_NAME } from '../../../src/host/settings-names.ts'
import { damage } from '../engine/support/damage.ts'
import { eventually } from '../engine/support/eventually.ts'
import { startTestPlatform } from '../engine/support/test-platform.ts'
import { openTestMachine } from './support/test-host.ts'
import { folderQuery } from '../../../src/shared/thread-query.ts'

/** Damages of the settings; 100 are meant, and asked for by `DAMAGES=100`. */
const COUNT = Number(process.env.DAMAGES ?? 6)
/** Another start gives other damages: `DAMAGE_SEED=7`. */
const SEED = Number(process.env.DAMAGE_SEED ?? 1) * 1100

it(
  'settings that are damaged at random: Linnet starts, and mail and unsent changes are there, or asked about in words',
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
    const list = { query: folderQuery(inboxId, 'inbox'), offset: 0, limit: 10 } as const

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

    for (let seed = SEED; seed < SEED + COUNT; seed += 1) {
      writeFileSync(file, sound)
      const what = damage(file, seed)
      const isTouched = !existsSync(file) || !readFileSync(file).equals(sound)
      try {
        const host = start()
        const { problem } = await host.ask('account.state', {})
        if ((await host.account()) === undefined) {
          expect(isTouched).toBe(true)
          expect(problem?.message).toMatch(/settings (?:are missing|could not be read).*Your mail is still here/)
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
        throw new Error(`seed ${seed}: ${what}: ${String(thrown)}`, { cause: thrown })
      }
      rmSync(file, { force: true })
    }
  },
  300_000 + COUNT * 20_000,
)
