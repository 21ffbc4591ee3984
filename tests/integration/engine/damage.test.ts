import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { expectCacheEqualsPlatform, listCached } from './support/compare-with-platform.ts'
import { conversations, fetched } from './support/damaged-cache.ts'
import { eventually } from './support/eventually.ts'
import { openSynced } from './support/synced-account.ts'
import { openSettledEngine, openTestEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'

describe('a cache damaged during use', () => {
  const FOLDERS = ['inbox', 'archive', 'sent', 'spam', 'trash'] as const

  it('is rebuilt without a restart, and the failed request is answered', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 300, seed: 5 } })
    const { inboxId } = platform
    const engine = await openSettledEngine(platform)
    await engine.close()
    const file = join(engine.directory, 'cache.sqlite')
    const again = await openTestEngine(platform, engine.directory)
    // A write from another connection makes the engine drop its page cache.
    const other = new Database(file)
    other.exec("INSERT INTO account_meta (name, value) VALUES ('another', 'program')")
    other.pragma('wal_checkpoint(TRUNCATE)')
    other.close()
    const bytes = readFileSync(file)
    for (let page = 1; page < bytes.length / 4096; page += 1) bytes.fill(0xff, page * 4096, page * 4096 + 4096)
    writeFileSync(file, bytes)
    for (const folder of FOLDERS) {
      const { total } = await again
        .call('thread.list', { query: createFolderQuery(inboxId, folder), offset: 0, limit: 50 })
        .catch((thrown: unknown) => {
          // The inbox itself may not have been fetched yet.
          if (!String(thrown).includes('has no such inbox')) throw thrown
          return { total: 0 }
        })
      expect(total).toBeGreaterThanOrEqual(0)
    }
    expect(await again.call('problem.list', {})).toMatchObject([{ id: 'cache-damaged' }])
    await fetched(again)
    await eventually(
      () => again.call('inbox.list', {}),
      ({ inboxes }) => inboxes.length === 1,
    )
    await again.settled()
    await expectCacheEqualsPlatform(again, platform)
  })

  it('repairs a row with broken text: readable at once, complete after a request', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 30, seed: 5 } })
    const { inboxId } = platform
    const engine = await openSettledEngine(platform)
    const expected = await conversations(engine, inboxId)
    await engine.close()
    const database = new Database(join(engine.directory, 'cache.sqlite'))
    database.exec(`
      UPDATE threads SET wire = '{"id":7,' || substr(wire, 9) WHERE key % 3 = 0;
      UPDATE threads SET wire = '[]', label_ids = 'no list' WHERE key % 3 = 1;
      UPDATE emails SET wire = substr(wire, 1, 40) WHERE key % 2 = 0;
      UPDATE inboxes SET wire = 'null';
      UPDATE contacts SET wire = '{}';
      UPDATE received_emails SET wire = 'x';
      UPDATE account_meta SET value = '{' WHERE name LIKE 'progress %';
      UPDATE account_meta SET value = 'never' WHERE name LIKE 'looked%';
    `)
    database.close()
    const again = await openTestEngine(platform, engine.directory)
    const items = await listCached(again, inboxId, 'inbox')
    expect(items.length).toBeGreaterThan(0)
    await again.settled()
    await eventually(
      async () => JSON.stringify(await conversations(again, inboxId)) === JSON.stringify(expected),
      (isSame) => isSame,
    )
    await again.call('sync.now', {})
    await expectCacheEqualsPlatform(again, platform)
    expect((await again.call('problem.list', {})).map(({ id }) => id)).toEqual(['rows-damaged'])
    const { items: received } = await again.call('receivedEmail.list', { offset: 0, limit: 200 })
    for (const { id } of received) await again.call('receivedEmail.get', { id })
  })

  it.each([
    [
      'a page and the header',
      (bytes: Buffer) => {
        const middle = Math.floor(bytes.length / 4096 / 2) * 4096
        bytes.fill(0, middle, middle + 4096)
        bytes.writeUInt32BE(0xdead_beef, 24)
        bytes.writeUInt8(9, 18)
      },
    ],
    ['the first page', (bytes: Buffer) => bytes.fill(0, 0, 4096)],
    ['the schema', (bytes: Buffer) => bytes.fill(0xff, 100, 4096)],
  ])('keeps readable mail that the platform deleted: without %s', async (_what, spoil) => {
    const { platform, engine } = await openSynced({ generate: { threads: 200, seed: 5 } })
    const { inboxId } = platform
    const expected = await conversations(engine, inboxId)
    await engine.close()
    // The same platform without its mail, so nothing can be downloaded again.
    const { port } = new URL(platform.baseUrl)
    await platform.stop()
    const empty = await startTestPlatform({}, { port: Number(port), apiKey: platform.apiKey })
    const file = join(engine.directory, 'cache.sqlite')
    const bytes = readFileSync(file)
    spoil(bytes)
    writeFileSync(file, bytes)
    const again = await openTestEngine(empty, engine.directory)
    await fetched(again)
    expect((await again.call('problem.list', {})).map(({ id }) => id)).toContain('cache-damaged')
    const kept = await conversations(again, inboxId)
    const wholeBefore = new Map(expected.map(({ id, emails }) => [id, JSON.stringify(emails)]))
    const whole = kept.filter(({ id, emails }) => wholeBefore.get(id) === JSON.stringify(emails))
    expect(whole.length).toBeGreaterThan(expected.length * 0.8)
  })
})
