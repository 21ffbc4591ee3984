import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { OWN_NAME, OWN_SNAPSHOT_NAME } from '../../src/engine/own/account-files.ts'
import { openOwnFile } from '../support/own-file.ts'
import { Random } from '../support/random.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { counts, SEED } from './support/endurance.ts'
import { hasTaken, runAndKill } from './support/run-and-kill.ts'

const ENDS = counts(15, { least: 3, long: 300 })
/** Maximum milliseconds before a kill: long enough for a snapshot or a close. */
const LONGEST_MOMENT = 30

interface Write {
  readonly name: string
  readonly write: number
}

it(
  'keeps every confirmed write, and a complete snapshot, through kills while it writes, copies and closes',
  async () => {
    const directory = temporaryDirectory()
    const random = new Random(SEED)
    let last = 0
    let snapshots = 0
    const confirmed = new Map<string, number>()
    for (let end = 0; end < ENDS; end += 1) {
      const enough = hasTaken(1 + random.below(20))
      const moment = random.next() * LONGEST_MOMENT
      const asked = new Map<string, number>()
      for (const { word, what } of await runAndKill<string, Write>(
        'restless-own-file',
        [SEED + end, directory, last],
        enough,
        moment,
      )) {
        expect(word).not.toBe('failed')
        if (word === 'open') expect(what).toBe(false)
        if (word === 'ask') asked.set(what.name, what.write)
        if (word === 'taken') confirmed.set(what.name, what.write)
        if (word !== 'open') last = what.write
      }
      const snapshot = temporaryDirectory()
      if (existsSync(join(directory, OWN_SNAPSHOT_NAME))) {
        snapshots += 1
        copyFileSync(join(directory, OWN_SNAPSHOT_NAME), join(snapshot, OWN_SNAPSHOT_NAME))
        const copy = openOwnFile(snapshot)
        expect(copy.revision()).toBeGreaterThan(1)
        for (const name of confirmed.keys()) expect(Number(copy.list(name)[0] ?? 0)).toBeLessThanOrEqual(last)
        await copy.close()
      }
      const files = temporaryDirectory()
      for (const name of [OWN_NAME, `${OWN_NAME}-wal`, OWN_SNAPSHOT_NAME]) {
        if (existsSync(join(directory, name))) copyFileSync(join(directory, name), join(files, name))
      }
      const own = openOwnFile(files)
      expect(own.wasRecovered).toBe(false)
      for (const [name, write] of confirmed) {
        // A write that was cut off may be there.
        expect([write, asked.get(name)]).toContain(own.list(name)[0])
      }
      await own.close()
    }
    expect(snapshots).toBeGreaterThan(0)
    expect(confirmed.size).toBeGreaterThan(2)
  },
  60_000 + ENDS * 5_000,
)
