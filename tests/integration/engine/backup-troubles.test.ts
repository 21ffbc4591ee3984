import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Backups, openBackupSettings } from '../../../src/engine/files/backup/backups.ts'
import { openOwnFile } from '../../support/own-file.ts'
import { root } from '../../support/program.ts'
import { mountSmallDisk } from '../../support/small-disk.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { closedAccount, expectToRestore } from './support/closed-account.ts'
import { eventually } from './support/eventually.ts'
import { openTestEngine } from './support/test-engine.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe('a disk that fills up during a backup', () => {
  it('keeps existing backups, and the user is told what to do', async (context) => {
    const directory = await closedAccount()
    const engine = await openTestEngine({ baseUrl: 'http://127.0.0.1:9', apiKey: 'none' }, directory)
    const roomy = temporaryDirectory()
    const { bytes } = await engine.call('backup.now', { folder: roomy })
    // Room for 1.2 backups. Files are shared, so a second one only needs space for the databases.
    const disk = mountSmallDisk(Math.floor(bytes * 1.2))
    if (disk === null) {
      context.skip()
      return
    }
    const first = await engine.call('backup.now', { folder: disk })
    const before = readdirSync(disk)
    const failed = await engine.problemOf('backup.now', { folder: disk })
    expect(failed).toMatchObject({ code: 'storage_failed' })
    expect(failed.message).toContain(`Not enough space for a backup in ${disk}`)
    expect(readdirSync(disk)).toEqual(before)
    await expectToRestore(first.directory)
    expect((await engine.call('backup.state', {})).last).toMatchObject({ directory: first.directory })
    expect((await engine.call('inbox.list', {})).inboxes).toHaveLength(1)
  })
})

describe('an automatic backup', () => {
  const open = (directory: string): { readonly backups: Backups; readonly close: () => Promise<void> } => {
    const ending = new AbortController()
    const own = openOwnFile(directory)
    const backups = new Backups({
      ...{ directory, baseUrl: 'http://127.0.0.1:9', inboxes: () => [], own, unsent: () => 0 },
      problems: { raise: () => undefined, clear: () => undefined },
      filesWorker: join(root, 'src/engine/files/files-worker.ts'),
      changed: () => undefined,
      report: (thrown) => {
        throw thrown
      },
      signal: ending.signal,
      firstLookMs: 20,
    })
    const close = async (): Promise<void> => {
      if (ending.signal.aborted) return
      ending.abort(new Error('over'))
      await backups.ended()
      await own.close()
    }
    onTestFinished(close)
    return { backups, close }
  }

  const store = async (
    directory: string,
    ...chosen: Parameters<ReturnType<typeof openBackupSettings>['set']>
  ): Promise<void> => {
    const own = openOwnFile(directory)
    openBackupSettings(own).set(...chosen)
    await own.close()
  }

  it('runs soon after the next start if missed, and only then', async () => {
    const directory = await closedAccount()
    const folder = join(temporaryDirectory(), 'backups')
    mkdirSync(folder)
    const last = { at: Date.now() - 25 * 60 * 60 * 1000, directory: join(folder, 'earlier'), bytes: 1, files: 1 }
    await store(directory, { settings: { schedule: 'weekly', keep: 3, folder }, last })
    const weekly = open(directory)
    weekly.backups.start()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(weekly.backups.state()).toMatchObject({ last, running: null })
    expect(readdirSync(folder)).toEqual([])
    await weekly.close()

    await store(directory, { settings: { schedule: 'daily', keep: 3, folder }, last })
    const daily = open(directory)
    daily.backups.start()
    const made = await eventually(
      () => Promise.resolve(daily.backups.state()),
      (state) => state.running === null && state.last !== null && state.last.at > last.at,
    )
    expect(Date.now() - (made.last?.at ?? 0)).toBeLessThan(DAY_MS)
    expect(readdirSync(folder)).toHaveLength(1)
  })
})
