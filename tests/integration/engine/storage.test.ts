import Database from 'better-sqlite3'
import { cpSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createEngine } from '../../../src/engine/engine.ts'
import { lockAccount, OWN_NAME } from '../../../src/engine/own/account-files.ts'
import { expectCacheEqualsPlatform, listCached } from './support/compare-with-platform.ts'
import { eventually } from './support/eventually.ts'
import { mountSmallDisk } from '../../support/small-disk.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { openSettledEngine, openTestEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'
import { engineClock } from './support/test-time.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'

const problemOfOpening = async (platform: { baseUrl: string; apiKey: string }, directory: string) => {
  const engine = createEngine(
    { event: () => undefined, keyAccepted: () => undefined, keyRenewed: () => Promise.resolve(), log: () => undefined },
    { clock: engineClock() },
  )
  onTestFinished(() => engine.close('test'))
  const opened = await engine.open({
    id: 'test',
    baseUrl: platform.baseUrl,
    directory,
    key: { apiKey: platform.apiKey, isAccepted: true },
  })
  return opened.ok ? null : opened.error
}

describe('the files of an account', () => {
  it('belong to one engine; a second one is told and changes nothing', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 20, seed: 1 } })
    const engine = await openSettledEngine(platform)
    expect(await problemOfOpening(platform, engine.directory)).toMatchObject({
      code: 'storage_failed',
      message: 'Linnet is already open with this account. Close the other window first.',
    })
    await expectCacheEqualsPlatform(engine, platform)
    await engine.close()
    expect(await problemOfOpening(platform, engine.directory)).toBeNull()
  })

  it('start over if the user’s own data is damaged, with a notice of possible loss', async () => {
    const platform = await startTestPlatform()
    const directory = temporaryDirectory()
    writeFileSync(join(directory, OWN_NAME), 'nothing that SQLite has ever seen')
    const engine = await openTestEngine(platform, directory)
    expect(await engine.call('problem.list', {})).toMatchObject([
      { message: expect.stringContaining('recovered what it could') as string },
      { message: expect.stringContaining('copy of your mail was missing') as string },
    ])
    await engine.settled()
  })

  it('can’t be created if something else is in the way, with a message', async () => {
    const platform = await startTestPlatform()
    const directory = join(temporaryDirectory(), 'account')
    writeFileSync(directory, 'a file where a folder should be')
    expect(await problemOfOpening(platform, directory)).toMatchObject({ code: 'storage_failed' })
    const other = temporaryDirectory()
    mkdirSync(join(other, 'cache.sqlite'))
    expect(await problemOfOpening(platform, other)).toMatchObject({ code: 'storage_failed' })
    // The account was locked before the cache failed, and is free again.
    lockAccount(other)()
  })
})

describe('a full cache', () => {
  it('fails no change, and shows it once there is room', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 20, seed: 1 } })
    const engine = await openSettledEngine(platform)
    const { inboxId } = platform
    const items = await listCached(engine, inboxId, 'inbox')
    const threadId = items[0]?.id ?? ''
    const cache = new Database(join(engine.directory, 'cache.sqlite'))
    onTestFinished(() => void cache.close())
    cache.exec("CREATE TRIGGER full BEFORE UPDATE ON threads BEGIN SELECT RAISE(FAIL, 'full'); END")
    await engine.call('thread.change', { inboxId, threadIds: [threadId], change: { folder: 'archive' } })
    await eventually(
      () => platform.ask<{ folder: string }>('GET', `/inboxes/${inboxId}/threads/${threadId}`),
      ({ folder }) => folder === 'archive',
    )
    cache.exec('DROP TRIGGER full')
    await engine.settled()
    await expectCacheEqualsPlatform(engine, platform)
  })
})

describe('a start on a full disk', () => {
  it.for(['in order', 'by a kill'])(
    'opens after an end %s, reports the full disk, and recovers later',
    async (end, { skip }) => {
      const disk = mountSmallDisk(24 * 1024 * 1024)
      if (disk === null) return skip()
      const platform = await startTestPlatform({}, { generate: { threads: 20, seed: 1 } })
      const { inboxId } = platform
      const list = { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 50 }
      const before = await openSettledEngine(platform)
      await platform.fault({ kind: 'error_503', method: 'PATCH', path: '/' })
      const [thread] = (await before.call('thread.list', list)).items
      const threadId = thread?.id ?? ''
      await before.call('thread.change', { inboxId, threadIds: [threadId], change: { folder: 'archive' } })
      if (end === 'in order') await before.close()
      // A copy of the open files, as a kill leaves them.
      const directory = join(disk, 'account')
      cpSync(before.directory, directory, { recursive: true })
      await before.close()
      const filler = join(disk, 'other')
      expect(() => writeFileSync(filler, Buffer.alloc(32 * 1024 * 1024))).toThrow('ENOSPC')
      expect(statfsSync(disk).bavail).toBe(0)

      const engine = await openTestEngine(platform, directory)
      const { items } = await engine.call('thread.list', list)
      expect(items.length).toBeGreaterThan(5)
      expect(items.map(({ id }) => id)).not.toContain(threadId)
      await platform.deliver({ subject: 'For a disk with room' })
      await engine.call('sync.now', {}).catch(() => null)
      const status = await eventually(engine.status, ({ problem }) => problem !== null)
      expect(status).toMatchObject({
        problem: expect.stringMatching(/^Your disk is full/) as string,
        pendingChanges: 1,
      })

      rmSync(filler)
      await platform.fault()
      await engine.advance(60_000)
      await eventually(
        () => engine.call('thread.list', list),
        (page) => page.items.some(({ subject }) => subject === 'For a disk with room'),
      )
      await engine.settled()
      await expectCacheEqualsPlatform(engine, platform)
      expect(await engine.status()).toMatchObject({ problem: null, pendingChanges: 0 })
    },
  )
})

describe('storage notices', () => {
  it('reach later windows, also after a restart, until dismissed', async () => {
    const platform = await startTestPlatform()
    const directory = temporaryDirectory()
    writeFileSync(join(directory, 'cache.sqlite'), 'a letter to nobody')
    const first = await openSettledEngine(platform, directory)
    const [told] = await first.call('problem.list', {})
    expect(told).toMatchObject({ code: 'storage_failed', message: expect.stringContaining('set aside') as string })
    await first.close()

    const second = await openTestEngine(platform, directory)
    expect(await second.call('problem.list', {})).toEqual([told])
    await second.call('problem.dismiss', { id: told?.id ?? '' })
    expect(await second.call('problem.list', {})).toEqual([])
    await eventually(
      () => second.events('problems.changed'),
      ({ length }) => length > 0,
    )
    await second.close()

    const third = await openTestEngine(platform, directory)
    expect(await third.call('problem.list', {})).toEqual([])
  })
})

describe('being offline', () => {
  it('keeps read mail readable, and reports the rest as missing', async () => {
    const platform = await startTestPlatform({}, { dataset: 'demo' })
    const engine = await openSettledEngine(platform)
    const { inboxId } = platform
    const { items: contacts } = await engine.call('contact.list', { offset: 0, limit: 2 })
    await engine.call('person.refresh', { address: contacts[0]?.email ?? '' })
    const { items: received } = await engine.call('receivedEmail.list', { offset: 0, limit: 2 })
    await engine.call('receivedEmail.get', { id: received[0]?.id ?? '' })
    await platform.stop()
    expect(await engine.problemOf('sync.now', {})).toMatchObject({ code: 'unreachable' })
    expect(await engine.status()).toMatchObject({ connection: 'offline', problem: null })

    const { items, freshness } = await engine.call('thread.list', {
      query: createFolderQuery(inboxId, 'inbox'),
      offset: 0,
      limit: 1,
    })
    expect(freshness.state).toBe('cached')
    expect((await engine.call('thread.open', { inboxId, threadId: items[0]?.id ?? '' })).emails.length).toBeGreaterThan(
      0,
    )
    const { topics } = await engine.call('person.get', { address: contacts[0]?.email ?? '' })
    expect(topics).toMatchObject({ freshness: { state: 'cached' } })
    expect((await engine.call('receivedEmail.get', { id: received[0]?.id ?? '' })).id).toBe(received[0]?.id)

    for (const problem of [
      await engine.problemOf('person.refresh', { address: contacts[1]?.email ?? '' }),
      await engine.problemOf('receivedEmail.get', { id: received[1]?.id ?? '' }),
      await engine.problemOf('shareLink.create', { of: { list: 'received', emailId: received[0]?.id ?? '' } }),
    ]) {
      expect(problem).toMatchObject({ code: 'unreachable', message: expect.stringMatching(/offline/) as string })
    }
  })

  it('ends automatically when the platform returns', async () => {
    const platform = await startTestPlatform()
    const engine = await openSettledEngine(platform)
    const { port } = new URL(platform.baseUrl)
    await platform.stop()
    expect(await engine.problemOf('sync.now', {})).toMatchObject({ code: 'unreachable' })
    await startTestPlatform({}, { port: Number(port), apiKey: platform.apiKey })
    await engine.call('window.activity', { activity: 'focused' })
    await eventually(engine.status, ({ connection }) => connection === 'online')
  })
})
