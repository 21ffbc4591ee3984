import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  firstViewPath,
  serializeFirstView,
  digestOrigin,
  readFirstView,
  type FirstView,
} from '../../../src/host/first-view-file.ts'
import { FirstViewStore } from '../../../src/host/first-view-store.ts'
import type { AccountsState, AddressedEvent, CallContext, ConnectedAccount } from '../../../src/shared/contract.ts'
import { DEFAULT_PREFERENCES } from '../../../src/shared/preferences.ts'
import { fail, ok, type Result } from '../../../src/shared/result.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { ALL_INBOXES } from '../../../src/shared/unified-ids.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

const environmentAccount = { baseUrl: 'https://mail.example', apiKey: 're_secret' }
const makeOrigin = () => {
  const dataDirectory = temporaryDirectory()
  mkdirSync(join(dataDirectory, 'page'))
  const pageFile = join(dataDirectory, 'page', 'index.html')
  writeFileSync(pageFile, '<html></html>')
  writeFileSync(join(dataDirectory, 'linnet.json'), '{"accounts":[]}')
  writeFileSync(join(dataDirectory, 'preferences.json'), '{"theme":"dark"}')
  return { dataDirectory, pageFile, environmentAccount }
}
const account = (id: string, isOpen = true) => ({ id, isOpen }) as ConnectedAccount
const stateOf = (...accounts: readonly ConnectedAccount[]): AccountsState => ({
  accounts,
  keyStorage: 'memory',
  problem: null,
  known: [],
  question: null,
  demoProgress: null,
})
const listInput = (inboxId: string, offset = 0) => ({
  query: createFolderQuery(inboxId, 'inbox'),
  offset,
  limit: 50,
  held: [],
})

describe('the first-view file', () => {
  const view = {
    preferences: DEFAULT_PREFERENCES,
    answers: [{ name: 'inbox.list', accountId: 'a', input: {}, data: { inboxes: [] } }],
    snapshot: '<div class="row">Fog &amp; rain</div>',
  } as const
  const keep = (kept: FirstView = view) => {
    const origin = makeOrigin()
    writeFileSync(firstViewPath(origin.dataDirectory), serializeFirstView(digestOrigin(origin), kept))
    return origin
  }

  it('is read as it was stored, with the settings', () => {
    expect(readFirstView(keep())).toEqual({ ...view, settings: { accounts: [] } })
  })

  it('is skipped if missing', () => {
    expect(readFirstView(makeOrigin())).toBeNull()
  })

  it.each(['linnet.json', 'preferences.json', join('page', 'index.html')])('is skipped if %s has changed', (name) => {
    const origin = keep()
    writeFileSync(join(origin.dataDirectory, name), '{}')
    expect(readFirstView(origin)).toBeNull()
  })

  it('is skipped if its snapshot is invalid, whoever wrote it', () => {
    const snapshot = '<div class="row"><script>alert(1)</script></div>'
    expect(readFirstView(keep({ ...view, snapshot }))).toBeNull()
    expect(readFirstView(keep({ ...view, snapshot: null }))?.snapshot).toBeNull()
  })

  it('is skipped if the environment names another account, or none', () => {
    const origin = keep()
    expect(readFirstView({ ...origin, environmentAccount: null })).toBeNull()
    expect(readFirstView({ ...origin, environmentAccount: { ...environmentAccount, apiKey: 're_other' } })).toBeNull()
  })

  it('is skipped with any wrong byte, or truncated', () => {
    const origin = keep()
    const file = firstViewPath(origin.dataDirectory)
    const sound = readFileSync(file)
    for (let at = 0; at < sound.length; at += 7) {
      const damaged = Buffer.from(sound)
      damaged[at] = (damaged[at] ?? 0) ^ 1
      writeFileSync(file, damaged)
      expect(readFirstView(origin)).toBeNull()
      writeFileSync(file, sound.subarray(0, at))
      expect(readFirstView(origin)).toBeNull()
    }
    writeFileSync(file, sound)
    expect(readFirstView(origin)).not.toBeNull()
  })
})

const fogInTwo = { ...createFolderQuery('two', 'inbox'), text: [{ text: 'fog', isPhrase: false, isExcluded: false }] }

describe('the first-view keeper', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  const begin = () => {
    const origin = makeOrigin()
    const listeners = new Set<(event: AddressedEvent) => void>()
    const answers: Record<string, (input: unknown, asking: CallContext) => Result<unknown>> = {
      'account.state': () => ok(stateOf(account('a'), account('b'))),
      'inbox.list': (_input, { accountId }) => ok({ of: accountId }),
      'label.list': () => ok([]),
      'thread.list': () => ok({ items: [{ id: 't2' }, { id: 't1' }, { id: 't0' }] }),
      'window.storeSnapshot': () => ok(null),
    }
    const call = (name: string, input: unknown, asking: CallContext) =>
      Promise.resolve(answers[name]?.(input, asking) ?? fail('not_found', 'None.'))
    const faults: unknown[] = []
    const keeper = new FirstViewStore({
      host: {
        call,
        subscribe: (listener) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
        preferences: () => DEFAULT_PREFERENCES,
      },
      origin,
      report: (thrown) => faults.push(thrown),
    })
    return {
      origin,
      answers,
      keeper,
      faults,
      tell: (event: AddressedEvent) => listeners.forEach((listener) => listener(event)),
      ask: async (name: string, input: unknown, accountId: string | null) => {
        const asking = { accountId, caller: 'window 1' }
        keeper.onResponse(name, input, asking, await call(name, input, asking))
      },
      read: () => readFirstView(origin),
    }
  }
  /** Sends the requests of a start with two accounts. */
  const askAll = async ({ ask }: Pick<ReturnType<typeof begin>, 'ask'>, accountId = 'a', inboxId = 'one') => {
    await ask('account.state', {}, null)
    await ask('inbox.list', {}, 'a')
    await ask('inbox.list', {}, 'b')
    await ask('label.list', { inboxId }, accountId)
    await ask('thread.list', listInput(inboxId), accountId)
  }
  const namesIn = ({ read }: Pick<ReturnType<typeof begin>, 'read'>) =>
    read()?.answers.map(({ name, accountId }) => `${name} ${accountId ?? 'all'}`)

  it('stores what the next start requests, readable only by its owner', async () => {
    const run = begin()
    await askAll(run)
    await run.keeper.close()
    const names = ['account.state all', 'inbox.list a', 'inbox.list b', 'label.list a', 'thread.list a']
    expect(namesIn(run)).toEqual(names)
    expect(run.read()?.preferences).toEqual(DEFAULT_PREFERENCES)
    expect(statSync(firstViewPath(run.origin.dataDirectory)).mode & 0o777).toBe(0o600)
    expect(run.faults).toEqual([])
  })

  it('requests data again, and stores the last list shown', async () => {
    const run = begin()
    await askAll(run)
    await run.ask('thread.list', listInput('two'), 'b')
    await run.ask('thread.list', listInput('two', 50), 'b')
    await run.ask('thread.list', { ...listInput('two'), query: fogInTwo }, 'b')
    const data = { items: [{ id: 'as it is now' }] }
    run.answers['thread.list'] = () => ok(data)
    await run.keeper.close()
    const kept = run.read()?.answers.find(({ name }) => name === 'thread.list')
    expect(kept).toEqual({ name: 'thread.list', accountId: 'b', input: listInput('two'), data })
  })

  it('stores no mail of all inboxes, which belongs to several accounts', async () => {
    const run = begin()
    await askAll(run)
    await askAll(run, ALL_INBOXES, ALL_INBOXES)
    await run.keeper.close()
    expect(run.read()?.answers.filter(({ accountId }) => accountId === ALL_INBOXES)).toEqual([])
    expect(run.read()?.answers.map(({ name }) => name)).toContain('thread.list')
  })

  it('stores it a while after a change, in case the run is killed', async () => {
    const run = begin()
    await askAll(run)
    await vi.advanceTimersByTimeAsync(10_000)
    await vi.waitFor(() => expect(run.read()).not.toBeNull())
    const later = { items: [{ id: 'later' }] }
    run.answers['thread.list'] = () => ok(later)
    run.tell({ name: 'inboxes.changed', payload: null, accountId: 'a' })
    await vi.advanceTimersByTimeAsync(10_000)
    await vi.waitFor(() => expect(run.read()?.answers.at(-1)?.data).toEqual(later))
  })

  it.each([
    ['the list has no answer', 'thread.list', fail('no_account', 'Gone.')],
    ['the accounts have a problem', 'account.state', ok({ ...stateOf(account('a')), problem: { code: 'internal' } })],
    ['a person is asked whose key it is', 'account.state', ok({ ...stateOf(account('a')), question: {} })],
    ['no account is open', 'account.state', ok(stateOf(account('a', false)))],
  ] as const)('deletes its file if %s', async (_, name, answer) => {
    const run = begin()
    await askAll(run)
    await vi.advanceTimersByTimeAsync(10_000)
    await vi.waitFor(() => expect(run.read()).not.toBeNull())
    run.answers[name] = () => answer
    await run.keeper.close()
    expect(() => statSync(firstViewPath(run.origin.dataDirectory))).toThrow('ENOENT')
  })

  it('drops an account’s mail as soon as it is removed', async () => {
    const run = begin()
    await askAll(run)
    await vi.advanceTimersByTimeAsync(10_000)
    await vi.waitFor(() => expect(run.read()).not.toBeNull())
    run.tell({ name: 'account.changed', payload: stateOf(account('b')), accountId: null })
    await vi.waitFor(() => expect(() => statSync(firstViewPath(run.origin.dataDirectory))).toThrow('ENOENT'))
  })

  const markup = '<div class="row">Fog</div>'
  const snapshot = { inboxId: 'one', accountIds: ['b', 'a'], threadIds: ['t2', 't1'], markup }

  it('stores the window’s snapshot of that list', async () => {
    const run = begin()
    await askAll(run)
    await run.ask('window.storeSnapshot', snapshot, 'a')
    await run.keeper.close()
    expect(run.read()?.snapshot).toBe(markup)
  })

  it.each([
    ['of another inbox', { ...snapshot, inboxId: 'two' }, 'a'],
    ['of another account', snapshot, 'b'],
    ['of threads in another order', { ...snapshot, threadIds: ['t1', 't2'] }, 'a'],
    ['of a thread that has left the list', { ...snapshot, threadIds: ['t3', 't2'] }, 'a'],
    ['while another account was open', { ...snapshot, accountIds: ['a', 'b', 'c'] }, 'a'],
    ['while fewer accounts were open', { ...snapshot, accountIds: ['a'] }, 'a'],
    ['without threads', { ...snapshot, threadIds: [] }, 'a'],
    ['with a script in it', { ...snapshot, markup: '<script>alert(1)</script>' }, 'a'],
  ] as const)('stores no snapshot drawn %s', async (_, drawn, accountId) => {
    const run = begin()
    await askAll(run)
    await run.ask('window.storeSnapshot', drawn, accountId)
    await run.keeper.close()
    expect(run.read()).toMatchObject({ snapshot: null })
  })

  it.each<AddressedEvent>([
    { name: 'preferences.changed', payload: DEFAULT_PREFERENCES, accountId: null },
    { name: 'account.changed', payload: stateOf(account('a'), account('b')), accountId: null },
  ])('stores no snapshot drawn before $name', async (event) => {
    const run = begin()
    await askAll(run)
    await run.ask('window.storeSnapshot', snapshot, 'a')
    run.tell(event)
    await run.keeper.close()
    expect(run.read()).toMatchObject({ snapshot: null })
  })

  it.each<AddressedEvent>([
    { name: 'preferences.changed', payload: DEFAULT_PREFERENCES, accountId: null },
    { name: 'account.changed', payload: stateOf(account('b')), accountId: null },
  ])('returns what another window shows first, and nothing after $name', async (event) => {
    const run = begin()
    await askAll(run)
    await run.ask('window.storeSnapshot', snapshot, 'a')
    expect(run.keeper.current()).toBeNull()
    await vi.advanceTimersByTimeAsync(10_000)
    await vi.waitFor(() => expect(run.keeper.current()?.snapshot).toBe(markup))
    expect(run.read()).toMatchObject({ ...run.keeper.current() })
    run.tell(event)
    expect(run.keeper.current()).toBeNull()
  })

  it('drops an account’s mail as soon as it is closed', async () => {
    const run = begin()
    await askAll(run)
    await run.ask('window.storeSnapshot', snapshot, 'a')
    await vi.advanceTimersByTimeAsync(10_000)
    await vi.waitFor(() => expect(run.read()?.snapshot).toBe(markup))
    run.tell({ name: 'account.changed', payload: stateOf(account('a', false), account('b')), accountId: null })
    await vi.waitFor(() => expect(() => statSync(firstViewPath(run.origin.dataDirectory))).toThrow('ENOENT'))
  })

  it('delays the exit only for a moment if the host doesn’t answer', async () => {
    const run = begin()
    await askAll(run)
    const silent = new FirstViewStore({
      host: {
        call: () => new Promise(() => undefined),
        subscribe: () => () => undefined,
        preferences: () => DEFAULT_PREFERENCES,
      },
      origin: run.origin,
      report: () => undefined,
    })
    silent.onResponse('account.state', {}, { accountId: null, caller: 'window 1' }, ok(null))
    const closing = silent.close()
    await expect(closing).resolves.toBeUndefined()
  })
})
