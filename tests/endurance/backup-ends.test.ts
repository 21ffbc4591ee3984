import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { closedAccount, expectToRestore } from '../integration/engine/support/closed-account.ts'
import { openTestEngine } from '../integration/engine/support/test-engine.ts'
import { Random } from '../support/random.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { counts, SEED } from './support/endurance.ts'
import { runAndKill } from './support/run-and-kill.ts'

const ENDS = counts(6, { least: 2 })
/** Maximum milliseconds of a backup before it is killed. */
const LONGEST_MOMENT = 150
const NOWHERE = 'http://127.0.0.1:9'

const isWholeName = (name: string): boolean => !/\.(?:part|removing)$/.test(name)

it(
  'keeps complete backups when killed during one, and cleans up with the next',
  async () => {
    const directory = await closedAccount()
    const folder = temporaryDirectory()
    const random = new Random(SEED)
    let unfinished = 0
    for (let end = 0; end < ENDS; end += 1) {
      // Wait until one more backup is complete and the next has started.
      await runAndKill(
        'backing-up-engine',
        [SEED + end, NOWHERE, 'none', directory, folder],
        async (said) => {
          expect(said.filter(({ word }) => word === 'failed')).toEqual([])
          if (!said.some(({ word }) => word === 'whole')) return false
          while (readdirSync(folder).every(isWholeName)) await new Promise((resolve) => setTimeout(resolve, 1))
          return true
        },
        end === 0 ? 0 : random.next() * LONGEST_MOMENT,
      )
      const names = readdirSync(folder)
      const whole = names.filter(isWholeName)
      expect(whole.length).toBeGreaterThan(0)
      for (const name of whole) await expectToRestore(join(folder, name))
      unfinished += names.length - whole.length
    }
    // If all were complete, nothing was interrupted.
    expect(unfinished).toBeGreaterThan(0)
    const engine = await openTestEngine({ baseUrl: NOWHERE, apiKey: 'none' }, directory)
    const { directory: last } = await engine.call('backup.now', { folder })
    expect(readdirSync(folder).filter((name) => !isWholeName(name))).toEqual([])
    await expectToRestore(last)
    expect(await engine.call('problem.list', {})).toEqual([])
  },
  120_000 + ENDS * 20_000,
)
