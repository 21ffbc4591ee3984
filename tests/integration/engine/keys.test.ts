import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createEngine } from '../../../src/engine/engine.ts'
import type { EngineApi, InboxIdentity } from '../../../src/shared/engine-api.ts'
import type { Page, SyncStatus, Thread } from '../../../src/shared/model.ts'
import type { Result } from '../../../src/shared/result.ts'
import { forwardRequest, listenOnLoopback } from '../../support/loopback-server.ts'
import { eventually } from './support/eventually.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { expectOk, openSettledEngine, openTestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'
import { engineClock } from './support/test-time.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'

const startEngine = () => {
  const accepted: (readonly [string, readonly InboxIdentity[]])[] = []
  const engine = createEngine(
    {
      event: () => undefined,
      keyAccepted: (accountId, _, inboxes) => accepted.push([accountId, inboxes]),
      keyRenewed: () => Promise.resolve(),
      log: () => undefined,
    },
    { clock: engineClock() },
  )
  onTestFinished(async () => {
    for (const id of ['one', 'two']) await engine.close(id)
  })
  return { engine, accepted }
}
const ask = async <Data>(engine: EngineApi, name: string, input: unknown = {}, id = 'one'): Promise<Data> =>
  expectOk((await engine.call(id, name, input, 'window')) as Result<Data>)
const statusOf = (engine: EngineApi): Promise<SyncStatus> => ask(engine, 'sync.status')
const threadsOf = (engine: EngineApi, { inboxId }: TestPlatform, id = 'one'): Promise<Page<Thread>> =>
  ask(engine, 'thread.list', { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 50 }, id)

const fillDirectory = async (platform: TestPlatform): Promise<string> => {
  await platform.deliver({ subject: 'Kept' })
  const engine = await openSettledEngine(platform)
  await engine.close()
  return engine.directory
}

/** One address for several platforms. The API key selects the platform. */
const startSharedAddress = ([first, ...others]: readonly [TestPlatform, ...TestPlatform[]]): Promise<string> =>
  listenOnLoopback((incoming, outgoing) => {
    const { authorization } = incoming.headers
    const { baseUrl } = others.find(({ apiKey }) => authorization === `Bearer ${apiKey}`) ?? first
    forwardRequest(incoming, outgoing, baseUrl, {})
  })

const newKey = async (platform: TestPlatform): Promise<string> =>
  (await platform.ask<{ token: string }>('POST', '/api-keys', { name: 'another', permission: 'full_access' })).token

describe('an account without a key', () => {
  it('opens with its mail, and sends its changes once a key comes', async () => {
    const platform = await startTestPlatform()
    const directory = await fillDirectory(platform)
    const before = platform.requests().length
    const { engine } = startEngine()
    expectOk(await engine.open({ id: 'one', baseUrl: platform.baseUrl, directory, key: null }))
    const { items } = await threadsOf(engine, platform)
    expect(items.map(({ subject }) => subject)).toEqual(['Kept'])
    const threadIds = items.map(({ id }) => id)
    await ask(engine, 'thread.change', { inboxId: platform.inboxId, threadIds, change: { folder: 'archive' } })
    expect(await statusOf(engine)).toMatchObject({ connection: 'needsKey', pendingChanges: 1 })
    expect(platform.requests()).toHaveLength(before)

    expectOk(await engine.setKey('one', { apiKey: await newKey(platform), isAccepted: true }))
    await eventually(
      () => statusOf(engine),
      ({ connection, pendingChanges }) => connection === 'online' && pendingChanges === 0,
    )
    const moved = await platform.ask<{ folder: string }>(
      'GET',
      `/inboxes/${platform.inboxId}/threads/${threadIds[0] ?? ''}`,
    )
    expect(moved.folder).toBe('archive')
  })
})

describe('an untested key', () => {
  it('is tested first, and reported as accepted with the inboxes', async () => {
    const platform = await startTestPlatform()
    const directory = await fillDirectory(platform)
    const before = platform.requests().length
    const { engine, accepted } = startEngine()
    const key = { apiKey: await newKey(platform), isAccepted: false }
    expectOk(await engine.open({ id: 'one', baseUrl: platform.baseUrl, directory, key }))
    await eventually(
      () => accepted,
      ({ length }) => length > 0,
    )
    expect(accepted).toEqual([['one', [{ id: platform.inboxId, address: platform.inboxAddress }]]])
    expect(platform.requests().slice(before)[1]).toBe('GET /inboxes 200')
  })

  it('reads and sends nothing if it belongs to another account', async () => {
    const mine = await startTestPlatform()
    const directory = await fillDirectory(mine)
    const other = await startTestPlatform()
    await other.deliver({ subject: 'Of another account' })
    const { engine, accepted } = startEngine()
    const key = { apiKey: other.apiKey, isAccepted: false }
    expectOk(await engine.open({ id: 'one', baseUrl: other.baseUrl, directory, key }))
    await eventually(
      () => statusOf(engine),
      ({ connection }) => connection === 'refused',
    )
    expect((await statusOf(engine)).problem).toMatch(/belongs to another account/)
    expect((await threadsOf(engine, mine)).items.map(({ subject }) => subject)).toEqual(['Kept'])
    expect(new Set(other.requests())).toEqual(new Set(['GET /inboxes 200']))
    expect(accepted).toEqual([])
  })
})

describe('a replacement key', () => {
  it('is tested before use, even by requests queued with the old one', async () => {
    const mine = await startTestPlatform({ rateLimit: 10 }, { generate: { threads: 60, seed: 2 } })
    const other = await startTestPlatform({}, { generate: { threads: 5, seed: 3 } })
    const baseUrl = await startSharedAddress([mine, other])
    const engine = await openTestEngine({ ...mine, baseUrl })
    await eventually(
      () => mine.requests().length,
      (count) => count > 3,
    )
    expectOk(await engine.link.setKey('test', { apiKey: other.apiKey, isAccepted: false }))
    await eventually(engine.status, ({ connection }) => connection === 'refused')
    expect(new Set(other.requests())).toEqual(new Set(['GET /inboxes 200']))
    expect((await engine.call('inbox.list', {})).inboxes.map(({ id }) => id)).toEqual([mine.inboxId])
  })
})

describe('the inboxes in a folder', () => {
  it('are read from its cache, open or closed', async () => {
    const platform = await startTestPlatform()
    const directory = await fillDirectory(platform)
    const { engine } = startEngine()
    const expected = [{ id: platform.inboxId, address: platform.inboxAddress }]
    expect(expectOk(await engine.inboxesIn(directory))).toEqual(expected)
    expectOk(await engine.open({ id: 'one', baseUrl: platform.baseUrl, directory, key: null }))
    expect(expectOk(await engine.inboxesIn(directory))).toEqual(expected)
  })

  it('are empty if the cache is missing or damaged', async () => {
    const { engine } = startEngine()
    const directory = temporaryDirectory()
    expect(expectOk(await engine.inboxesIn(directory))).toEqual([])
    writeFileSync(join(directory, 'cache.sqlite'), 'x'.repeat(8192))
    expect(expectOk(await engine.inboxesIn(directory))).toEqual([])
  })
})
