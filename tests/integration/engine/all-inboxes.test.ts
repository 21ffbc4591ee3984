import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createEngine } from '../../../src/engine/engine.ts'
import { AllInboxes, joinAccount, type JoinedAccount } from '../../../src/engine/handlers/all-inboxes.ts'
import type { CommandInput, CommandOutput, EngineCommand, Events, LinnetEvent } from '../../../src/shared/contract.ts'
import type { ListedThread, ThreadPage } from '../../../src/shared/model.ts'
import { createProblem } from '../../../src/shared/result.ts'
import {
  parseUnifiedThreadId,
  toUnifiedInboxId,
  toUnifiedLabelId,
  toUnifiedThreadId,
} from '../../../src/shared/unified-ids.ts'
import {
  createFolderQuery,
  createLabelQuery,
  threadQueryKey,
  type ThreadQuery,
} from '../../../src/shared/thread-query.ts'
import { eventually } from './support/eventually.ts'
import { madeOnce } from './support/synced-once.ts'
import { searchFor, word } from './support/searches.ts'
import { expectOk } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'
import { engineClock } from './support/test-time.ts'

interface InboxQuery {
  readonly accountId: string
  readonly query: ThreadQuery
}

interface Input extends Omit<CommandInput<'thread.list'>, 'query'> {
  readonly lists: readonly InboxQuery[]
}

interface UnifiedThread extends ListedThread {
  readonly accountId: string
}

interface Page extends ThreadPage {
  readonly items: readonly UnifiedThread[]
}

const HOME = 'home'
const WORK = 'work'

const ACCOUNTS = [HOME, WORK]
const platformFile = (folder: string, id: string): string => join(folder, `${id}.sqlite`)

const openBoth = async (folder: string, platforms: Readonly<Record<string, TestPlatform>>) => {
  const events: (LinnetEvent & { readonly accountId: string })[] = []
  const log: string[] = []
  const link = createEngine(
    {
      event: (accountId, event) => events.push({ ...event, accountId }),
      keyAccepted: () => undefined,
      keyRenewed: () => Promise.resolve(),
      log: (_, line) => log.push(line),
    },
    { clock: engineClock() },
  )
  const call = async <Name extends EngineCommand>(accountId: string, name: Name, input: CommandInput<Name>) =>
    expectOk(await link.call(accountId, name, input, 'window')) as CommandOutput<Name>
  const settled = (accountId: string) =>
    eventually(
      () => call(accountId, 'sync.status', {}),
      ({ progress, lastSyncAt, pendingChanges }) => progress === null && lastSyncAt !== null && pendingChanges === 0,
      undefined,
      ({ progress }) => JSON.stringify(progress),
    )
  for (const [id, { baseUrl, apiKey }] of Object.entries(platforms)) {
    const directory = join(folder, id)
    onTestFinished(() => link.close(id))
    expectOk(await link.open({ id, baseUrl, directory, key: { apiKey, isAccepted: true } }))
  }
  await settled(HOME)
  await settled(WORK)
  return { link, call, events, log, settled }
}

const syncTwo = async (folder: string) => {
  const start = (id: string) => startTestPlatform({}, { dataset: 'demo', data: platformFile(folder, id) })
  const [home, work] = [await start(HOME), await start(WORK)]
  const address = `desk@${home.inboxAddress.split('@')[1] ?? ''}`
  const desk = await home.ask<{ id: string }>('POST', '/inboxes', { email_address: address })
  for (const subject of ['The first', 'The second', 'The third']) await home.deliver({ to: address, subject })
  const { link } = await openBoth(folder, { [HOME]: home, [WORK]: work })
  for (const id of ACCOUNTS) expectOk(await link.call(id, 'keeping.set', { days: 30, bytes: 0 }, 'test'))
  for (const id of ACCOUNTS) await link.close(id)
  for (const platform of [home, work]) await platform.stop()
  const keys: Readonly<Record<string, string>> = { [HOME]: home.apiKey, [WORK]: work.apiKey }
  return { deskId: desk.id, keys }
}

const openTwo = async () => {
  const { folder, facts } = await madeOnce('two accounts', syncTwo)
  const platforms: Record<string, TestPlatform> = {}
  for (const id of ACCOUNTS) {
    platforms[id] = await startTestPlatform({}, { data: platformFile(folder, id), apiKey: facts.keys[id] ?? null })
  }
  const { link, call, events, log, settled } = await openBoth(folder, platforms)
  const inboxes = [
    { accountId: WORK, inboxId: platforms[WORK]?.inboxId ?? '' },
    { accountId: HOME, inboxId: facts.deskId },
    { accountId: HOME, inboxId: platforms[HOME]?.inboxId ?? '' },
  ]
  const listsOf = (queryOf: (inboxId: string) => ThreadQuery): readonly InboxQuery[] =>
    inboxes.map(({ accountId, inboxId }) => ({ accountId, query: queryOf(inboxId) }))
  /** One query for the inboxes of all lists, which are alike. Rows have their account's IDs again. */
  const across = async ({ lists, ...window }: Input): Promise<Page> => {
    const [{ query } = { query: createFolderQuery('', 'inbox') }] = lists
    const inboxIds = lists.map((list) => toUnifiedInboxId(list.accountId, list.query.inboxIds[0] ?? ''))
    const labelIds: string[] = []
    for (const labelId of query.labelIds) {
      const labels = await call(WORK, 'label.list', { inboxId: platforms[WORK]?.inboxId ?? '' })
      labelIds.push(toUnifiedLabelId(labels.find(({ id }) => id === labelId)?.name ?? ''))
    }
    const input = { ...window, query: { ...query, inboxIds, labelIds } }
    const page = expectOk(await link.call(ACCOUNTS, 'thread.list', input, 'window')) as ThreadPage
    const items = page.items.map((row): UnifiedThread => {
      const { threadId: id = '', ...place } = parseUnifiedThreadId(row.id) ?? { accountId: '', inboxId: '' }
      return { ...row, id, ...place }
    })
    return { ...page, items }
  }
  /** The expected result: each list fetched separately to its end, then merged. */
  const oneByOne = async (lists: readonly InboxQuery[], localOnly = false): Promise<readonly UnifiedThread[]> => {
    const rows: UnifiedThread[] = []
    for (const { accountId, query } of lists) {
      for (let offset = 0; ; offset += 200) {
        const page = await call(accountId, 'thread.list', { query, offset, limit: 200, localOnly })
        rows.push(...page.items.map((row) => ({ ...row, accountId })))
        if (page.items.length < 200) break
      }
    }
    return rows.toSorted((one, other) => other.receivedAt - one.receivedAt)
  }
  const told = (accountId: string): readonly Events['threads.changed'][] =>
    events.flatMap((event) =>
      event.name === 'threads.changed' && event.accountId === accountId ? [event.payload] : [],
    )
  return { link, call, platforms, inboxes, listsOf, across, oneByOne, settled, told, log }
}

const namesOf = (rows: readonly UnifiedThread[]): readonly string[] =>
  rows.map(({ accountId, inboxId, id }) => `${accountId} ${inboxId} ${id}`)

describe('unified lists of three inboxes in two accounts', () => {
  it('hold all threads of a folder or label in order, with equal IDs of two accounts', async () => {
    const { call, inboxes, listsOf, across, oneByOne } = await openTwo()
    const [work] = inboxes
    const labels = await call(WORK, 'label.list', { inboxId: work?.inboxId ?? '' })
    const queries: readonly ((inboxId: string) => ThreadQuery)[] = [
      (inboxId) => createFolderQuery(inboxId, 'inbox'),
      (inboxId) => createFolderQuery(inboxId, 'archive'),
      (inboxId) => createFolderQuery(inboxId, 'sent'),
      (inboxId) => createLabelQuery(inboxId, labels[0]?.id ?? ''),
    ]
    for (const lists of queries.map(listsOf)) {
      const expected = await oneByOne(lists)
      expect(expected.length).toBeGreaterThan(10)
      for (const [offset, limit] of [
        [0, 50],
        [1, 200],
        [Math.floor(expected.length / 2), 30],
        [expected.length - 5, 50],
        [expected.length + 9, 50],
      ] as const) {
        const page = await across({ lists, offset, limit })
        expect(namesOf(page.items)).toEqual(namesOf(expected.slice(offset, offset + limit)))
        expect(page).toMatchObject({ offset, total: expected.length, hasMore: false, searched: null })
        expect(page.freshness.state).toBe('live')
      }
    }
    const first = await across({
      lists: listsOf((inboxId) => createFolderQuery(inboxId, 'inbox')),
      offset: 0,
      limit: 200,
    })
    const ofHome = new Set(first.items.flatMap(({ accountId, id }) => (accountId === HOME ? [id] : [])))
    expect(first.items.filter(({ accountId, id }) => accountId === WORK && ofHome.has(id)).length).toBeGreaterThan(20)
    expect(new Set(first.items.map(({ inboxId }) => inboxId)).size).toBeGreaterThan(1)
  })

  it('show local search results first, and announce each platform’s response', async () => {
    const { listsOf, across, oneByOne, told } = await openTwo()
    const lists = listsOf((inboxId) => searchFor(inboxId, { text: [word('the')], folders: ['inbox', 'archive'] }))
    const typed = await across({ lists, offset: 0, limit: 50, localOnly: true })
    expect(typed.items).toHaveLength(50)
    expect(typed.searched?.platform).toEqual({ state: 'not asked' })
    const begun = await across({ lists, offset: 0, limit: 50 })
    expect(namesOf(begun.items)).toEqual(namesOf(typed.items))
    expect(begun).toMatchObject({ hasMore: true, searched: { platform: { state: 'waiting', at: null } } })
    const extent = begun.searched?.computer
    expect(extent?.emails).toBeGreaterThan(0)
    const read = () => across({ lists, offset: 0, limit: 50 })
    const done = await eventually(read, ({ searched }) => searched?.platform.state === 'answered')
    for (const { accountId, query } of lists) {
      const isTold = (): boolean => told(accountId).some(({ searches }) => searches?.includes(threadQueryKey(query)))
      // Responses are announced in batches, so a page requested in the meantime may already include them.
      await eventually(isTold, Boolean)
    }
    const whole = await oneByOne(lists, true)
    expect(namesOf(done.items)).toEqual(namesOf(whole.slice(0, 50)))
    for (const offset of [50, 100, whole.length - 20]) {
      const page = await across({ lists, offset, limit: 50 })
      expect(namesOf(page.items)).toEqual(namesOf(whole.slice(offset, offset + 50)))
    }
    expect(new Set(done.items.map(({ accountId }) => accountId))).toEqual(new Set([HOME, WORK]))
  })

  it('keep a thread that was just read in the unread list of its own account', async () => {
    const { call, listsOf, across } = await openTwo()
    const lists = listsOf((inboxId) => searchFor(inboxId, { read: false }))
    const before = await across({ lists, offset: 0, limit: 50, localOnly: true })
    const twice = before.items.find(
      ({ accountId, id }) => accountId === HOME && before.items.some((row) => row.accountId === WORK && row.id === id),
    )
    const { id = '', inboxId = '' } = twice ?? {}
    for (const accountId of [HOME, WORK]) {
      await call(accountId, 'thread.change', { inboxId, threadIds: [id], change: { read: true } })
    }
    const held = [toUnifiedThreadId({ accountId: HOME, inboxId, threadId: id })]
    const { items } = await across({ lists, offset: 0, limit: 50, localOnly: true, held })
    expect(items.filter((row) => row.id === id).map(({ accountId, read }) => [accountId, read])).toEqual([[HOME, true]])
  })

  it('leave out closed accounts and missing inboxes', async () => {
    const { link, listsOf, across, log } = await openTwo()
    const lists = listsOf((inboxId) => createFolderQuery(inboxId, 'inbox'))
    const whole = await across({ lists, offset: 0, limit: 50 })
    const missing = { accountId: HOME, query: createFolderQuery('no-such-inbox', 'inbox') }
    const withMissing = await across({ lists: [missing, ...lists], offset: 0, limit: 50 })
    expect(namesOf(withMissing.items)).toEqual(namesOf(whole.items))

    await link.close(WORK)
    const page = await across({ lists, offset: 0, limit: 50 })
    expect(page.items).toHaveLength(50)
    expect(new Set(page.items.map(({ accountId }) => accountId))).toEqual(new Set([HOME]))
    expect(page.total).toBeLessThan(whole.total)
    expect(log).toEqual([])
  })

  it('search on if one platform doesn’t respond, and say so', async () => {
    const { platforms, listsOf, across, oneByOne } = await openTwo()
    const lists = listsOf((inboxId) => searchFor(inboxId, { text: [word('the')] }))
    await platforms[WORK]?.stop()
    const read = () => across({ lists, offset: 0, limit: 50 })
    const page = await eventually(read, ({ searched }) => searched?.platform.state === 'failed')
    expect(page.searched?.platform).toMatchObject({ state: 'failed', problem: { code: 'unreachable' } })
    expect(namesOf(page.items)).toEqual(namesOf((await oneByOne(lists, true)).slice(0, 50)))
    expect(new Set(page.items.map(({ accountId }) => accountId))).toEqual(new Set([HOME, WORK]))
  })

  it('keep working while an account reopens, and include it afterwards', async () => {
    const { link, call, listsOf, across, settled } = await openTwo()
    const lists = listsOf((inboxId) => createFolderQuery(inboxId, 'inbox'))
    const whole = await across({ lists, offset: 0, limit: 200 })
    const ofHome = namesOf(whole.items.filter(({ accountId }) => accountId === HOME))
    const clearance = { isOver: false }
    const clearing = link
      .call(WORK, 'cache.clear', {}, 'window')
      .then(expectOk)
      .finally(() => (clearance.isOver = true))
    while (!clearance.isOver) {
      const { items } = await across({ lists, offset: 0, limit: 200 })
      expect(namesOf(items.filter(({ accountId }) => accountId === HOME)).slice(0, ofHome.length)).toEqual(ofHome)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await clearing
    await settled(WORK)
    const again = await eventually(
      () => across({ lists, offset: 0, limit: 200 }),
      ({ total }) => total === whole.total,
    )
    expect(namesOf(again.items)).toEqual(namesOf(whole.items))
    expect(await call(HOME, 'problem.list', {})).toEqual([])
  })
})

it('leaves out reopening and unreadable accounts without waiting for them', async () => {
  const tried: string[] = []
  const joined = ACCOUNTS.map((id): [string, JoinedAccount] => {
    const account = joinAccount({
      isReopening: () => id === HOME,
      whenReady: () => {
        tried.push(id)
        return new Promise(() => undefined)
      },
      current: () => {
        throw createProblem('storage_failed', 'The disk does not answer.')
      },
    })
    return [id, { ...account, call: () => Promise.reject(new Error('Nothing else is called.')) }]
  })
  const ignore = (): undefined => undefined
  const all = new AllInboxes(new Map(joined), ignore, ignore)
  const inboxIds = ACCOUNTS.map((id) => toUnifiedInboxId(id, 'inbox'))
  const query = { ...createFolderQuery('inbox', 'inbox'), inboxIds }
  expect(expectOk(await all.call(ACCOUNTS, 'thread.list', { query, offset: 0, limit: 50 }, 'window'))).toEqual({
    items: [],
    offset: 0,
    total: 0,
    hasMore: false,
    freshness: { state: 'never', at: null },
    searched: null,
  })
  expect(tried).toEqual([HOME, WORK])
})
