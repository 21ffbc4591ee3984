import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  isAccountLocked,
  lockAccount,
  OWN_BACKUP_NAME,
  OWN_NAME,
  OWN_SNAPSHOT_NAME,
} from '../../../../src/engine/own/account-files.ts'
import { AssistantStore } from '../../../../src/engine/own/assistant-store.ts'
import type { OwnFile } from '../../../../src/engine/own/own-file.ts'
import { openOwnFile } from '../../../support/own-file.ts'
import { createSteppedClock } from '../../../support/stepped-clock.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

/** As a crash leaves the files. */
const copyOpen = (directory: string): string => {
  const copy = temporaryDirectory()
  for (const name of [OWN_NAME, `${OWN_NAME}-wal`, OWN_SNAPSHOT_NAME]) {
    if (existsSync(join(directory, name))) copyFileSync(join(directory, name), join(copy, name))
  }
  return copy
}

const replaceIn = (file: string, text: string, by: string): void => {
  const bytes = readFileSync(file)
  const at = bytes.indexOf(text)
  expect(at).toBeGreaterThan(0)
  bytes.write(by, at)
  writeFileSync(file, bytes)
}

const reopen = (directory: string): OwnFile => {
  const own = openOwnFile(directory)
  onTestFinished(() => own.close())
  return own
}

const found = (directory: string) => {
  const own = reopen(directory)
  return { wasRecovered: own.wasRecovered, searches: own.list('searches'), links: own.list('links') }
}

const writeLists = (own: OwnFile): void => {
  own.writeList('links', [1])
  own.writeList('searches', ['b', 'a', 'c'])
  own.writeList('searches', ['b', 'a'])
}
const WHOLE = { searches: ['b', 'a'], links: [1] }

const closedFolder = async () => {
  const directory = temporaryDirectory()
  const own = openOwnFile(directory)
  writeLists(own)
  await own.close()
  return { directory, file: join(directory, OWN_NAME), snapshot: join(directory, OWN_SNAPSHOT_NAME) }
}

describe('the user’s own data', () => {
  it('keeps its order across restarts, in files only its owner reads', async () => {
    const { directory, file } = await closedFolder()
    expect(found(directory)).toEqual({ wasRecovered: false, ...WHOLE })
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('is on disk as soon as it is written', () => {
    const directory = temporaryDirectory()
    writeLists(reopen(directory))
    expect(found(copyOpen(directory))).toEqual({ wasRecovered: false, ...WHOLE })
  })

  it('numbers its writes, also those of another process', () => {
    const directory = temporaryDirectory()
    const [one, other] = [reopen(directory), reopen(directory)]
    const numbers: number[] = []
    for (const own of [one, other]) own.onWrite = (revision) => void numbers.push(revision)
    one.writeList('links', [1])
    other.writeList('links', [2])
    one.writeList('links', [3])
    expect([numbers, other.list('links')]).toEqual([[1, 2, 3], [3]])
  })

  it('stays unchanged if a write fails', () => {
    const own = reopen(temporaryDirectory())
    own.writeList('links', [1])
    const fail = () =>
      own.write(() => {
        own.writeList('links', [2])
        throw new Error('database or disk is full')
      })
    expect(fail).toThrow('full')
    expect([own.list('links'), own.revision()]).toEqual([[1], 1])
  })
})

describe('a damaged file', () => {
  it.each([
    ['gone', (file: string) => rmSync(file)],
    ['something else', (file: string) => writeFileSync(file, 'a letter to nobody')],
    ['without its end', (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 5_000))],
    ['changed in an entry', (file: string) => replaceIn(file, '["b","a"]', '["b","z"]')],
    ['changed in a name', (file: string) => replaceIn(file, 'searches[', 'seerches[')],
  ])('is replaced by the snapshot if it is %s, reported once', async (_, damage) => {
    const { directory, file } = await closedFolder()
    damage(file)
    expect(found(directory)).toEqual({ wasRecovered: true, ...WHOLE })
    expect(found(directory)).toEqual({ wasRecovered: false, ...WHOLE })
  })

  it('gives everything newer than the snapshot that is still readable', async () => {
    const { directory } = await closedFolder()
    const own = reopen(directory)
    own.writeList('links', [2])
    own.writeList('searches', ['newest'])
    const copy = copyOpen(directory)
    replaceIn(join(copy, `${OWN_NAME}-wal`), '["newest"]', '["newesT"]')
    // A changed byte ends the log for SQLite, so the write is lost, but not silently.
    expect(found(copy)).toMatchObject({ links: [2], searches: WHOLE.searches })
    await own.close()
    replaceIn(join(directory, OWN_NAME), '["newest"]', '["newesT"]')
    rmSync(join(directory, OWN_SNAPSHOT_NAME))
    copyFileSync(join(copy, OWN_SNAPSHOT_NAME), join(directory, OWN_SNAPSHOT_NAME))
    expect(found(directory)).toEqual({ wasRecovered: true, links: [2], searches: WHOLE.searches })
  })

  it('keeps what was removed from an undamaged table removed', async () => {
    const { directory, file } = await closedFolder()
    const own = reopen(directory)
    const drafts = own.table<{ readonly id: string; readonly draft: string }>('drafts')
    drafts.put({ id: 'one', draft: '{}' })
    await own.close()
    const again = reopen(directory)
    const old = readFileSync(join(directory, OWN_SNAPSHOT_NAME))
    again.table('drafts').remove('id = ?', 'one')
    await again.close()
    writeFileSync(join(directory, OWN_SNAPSHOT_NAME), old)
    replaceIn(file, '["b","a"]', '["b","z"]')
    const recovered = reopen(directory)
    expect([recovered.wasRecovered, recovered.table('drafts').rows(), recovered.list('searches')]).toEqual([
      true,
      [],
      WHOLE.searches,
    ])
  })

  it('reports a damaged row while it is open', async () => {
    const { directory } = await closedFolder()
    const onCorrupt = vi.fn()
    const own = openOwnFile(directory, { onCorrupt })
    const other = new Database(join(directory, OWN_NAME))
    other.exec("UPDATE lists SET entries = '[]' WHERE name = 'links'")
    other.close()
    expect(() => own.list('links')).toThrow('damaged')
    expect(onCorrupt).toHaveBeenCalled()
    await own.close(true)
    expect(found(directory)).toEqual({ wasRecovered: true, ...WHOLE })
  })

  it('turns off the access of assistants, unless its table is undamaged', async () => {
    const { directory, file } = await closedFolder()
    const own = reopen(directory)
    new AssistantStore(own).setAccess({ folders: [], lists: ['sent'] })
    await own.close()
    replaceIn(file, '["b","a"]', '["b","z"]')
    const again = reopen(directory)
    expect(new AssistantStore(again).access().lists).toEqual(['sent'])
    await again.close()
    replaceIn(file, '"sent"', '"senT"')
    expect(new AssistantStore(reopen(directory)).access().lists).toEqual([])
  })
})

describe('the snapshot', () => {
  const inSnapshot = (directory: string): unknown => {
    const copy = temporaryDirectory()
    copyFileSync(join(directory, OWN_SNAPSHOT_NAME), join(copy, OWN_SNAPSHOT_NAME))
    return reopen(copy).list('links')
  }

  it('is at most a minute behind, and never taken without a change', async () => {
    const directory = temporaryDirectory()
    const clock = createSteppedClock()
    const own = openOwnFile(directory, { clock })
    onTestFinished(() => own.close())
    own.writeList('links', [1])
    expect(existsSync(join(directory, OWN_SNAPSHOT_NAME))).toBe(false)
    await clock.advance(60_000)
    await vi.waitFor(() => expect(inSnapshot(directory)).toEqual([1]))
    const { mtimeMs } = statSync(join(directory, OWN_SNAPSHOT_NAME))
    await clock.advance(600_000)
    expect(statSync(join(directory, OWN_SNAPSHOT_NAME)).mtimeMs).toBe(mtimeMs)
  })

  it('is taken at the end, but not of a damaged file', async () => {
    const { directory } = await closedFolder()
    expect(inSnapshot(directory)).toEqual([1])
    const own = openOwnFile(directory)
    own.writeList('links', [2])
    await own.close(true)
    expect(inSnapshot(directory)).toEqual([1])
  })

  it('is written again if it is damaged or missing', async () => {
    for (const damage of [rmSync, (file: string) => writeFileSync(file, 'a letter')]) {
      const { directory, snapshot } = await closedFolder()
      damage(snapshot)
      const own = openOwnFile(directory)
      expect(own.wasRecovered).toBe(false)
      await own.close()
      expect(inSnapshot(directory)).toEqual([1])
    }
  })
})

describe('a backup', () => {
  it('is restored without the settings of backups and the access of assistants', async () => {
    const { directory } = await closedFolder()
    const own = reopen(directory)
    own.writeList('backups', ['somewhere'])
    new AssistantStore(own).setAccess({ folders: [], lists: ['sent'] })
    await own.close()
    const other = temporaryDirectory()
    // Made by another program, which left nothing out.
    copyFileSync(join(directory, OWN_SNAPSHOT_NAME), join(other, OWN_BACKUP_NAME))
    const restored = reopen(other)
    expect([restored.wasRecovered, restored.isNew, restored.list('searches')]).toEqual([false, false, WHOLE.searches])
    expect([restored.list('backups'), new AssistantStore(restored).access().lists]).toEqual([[], []])
    expect(existsSync(join(other, OWN_BACKUP_NAME))).toBe(false)
  })
})

describe('the lock of an account', () => {
  it('lets one process open it, whatever is in its file', () => {
    const directory = temporaryDirectory()
    expect(isAccountLocked(directory)).toBe(false)
    const unlock = lockAccount(directory)
    expect(isAccountLocked(directory)).toBe(true)
    expect(() => lockAccount(directory)).toThrow(/locked/)
    unlock()
    expect(isAccountLocked(directory)).toBe(false)
    writeFileSync(join(directory, 'account.lock'), 'a letter, long enough to be taken for a database'.repeat(20))
    lockAccount(directory)()
    expect(isAccountLocked(directory)).toBe(false)
  })
})
