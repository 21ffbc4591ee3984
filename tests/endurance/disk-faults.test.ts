import { execFileSync, spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OWN_NAME, OWN_SNAPSHOT_NAME } from '../../src/engine/own/account-files.ts'
import { openOwnFile } from '../support/own-file.ts'
import { Random } from '../support/random.ts'
import { temporaryDirectory } from '../support/temporary-directory.ts'
import { counts, eachCase } from './support/endurance.ts'
import { runAndKill } from './support/run-and-kill.ts'

const RUNS = counts(4, { least: 1, long: 20 })

const canCompile = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0

/** Compiles the library that makes a process's disk fail. @returns its path */
const compileDiskFaults = (): string => {
  const library = join(temporaryDirectory(), 'disk-faults.so')
  execFileSync('cc', ['-shared', '-fPIC', '-o', library, join(import.meta.dirname, 'support/disk-faults.c'), '-ldl'])
  return library
}

interface Write {
  readonly name: string
  readonly write: number
  readonly code?: string
}

describe.runIf(canCompile)('the user’s own data on a disk that fails', () => {
  it.each([
    ['refuses writes with EIO', 'io', OWN_NAME, /^SQLITE_IOERR/],
    ['is full now and then', 'full', OWN_NAME, /^SQLITE_(?:FULL|IOERR)/],
    ['writes only half of what it is given', 'short', OWN_NAME, /^SQLITE_IOERR/],
    ['refuses to store the snapshot', 'io', OWN_SNAPSHOT_NAME.replace(/\.sqlite$/, ''), null],
  ] as const)('keeps every confirmed write and refuses the others: the disk %s', async (_, kind, file, refusal) => {
    const library = compileDiskFaults()
    await eachCase(RUNS, async (seed) => {
      const directory = temporaryDirectory()
      const random = new Random(seed)
      const faults = join(temporaryDirectory(), 'on')
      const env = {
        LD_PRELOAD: library,
        DISK_FAULTS_IN: `/${file}`,
        DISK_FAULTS_WHILE: faults,
        DISK_FAULTS_KIND: kind,
        DISK_FAULTS_EVERY: String(6 + random.below(12)),
      }
      const wanted = refusal === null ? 'failed' : 'refused'
      const output = await runAndKill<string, Write>(
        'restless-own-file',
        [seed, directory, 0],
        (lines) => {
          if (lines.length === 1) writeFileSync(faults, '')
          const count = (word: string): number => lines.filter((line) => line.word === word).length
          // Reopening on such a disk may take many attempts.
          return (count('taken') > 20 && count(wanted) > 3) || lines.length > 1_000
        },
        random.next() * 30,
        env,
      )
      rmSync(faults)
      const refused = output.filter(({ word }) => word === 'refused')
      if (refusal === null) expect(refused).toEqual([])
      for (const { what } of refused) expect(what.code).toMatch(refusal ?? /^$/)
      const own = openOwnFile(directory)
      expect(own.wasRecovered).toBe(false)
      const last = new Map(output.filter(({ word }) => word === 'taken').map(({ what }) => [what.name, what.write]))
      // A refused write may be there after all, if only the confirmation by the disk failed.
      for (const [name, write] of last) {
        const later = output.flatMap(({ what }) => (what.name === name && what.write > write ? [what.write] : []))
        expect([write, ...later]).toContain(own.list(name)[0])
      }
      await own.close()
    })
  })
})
