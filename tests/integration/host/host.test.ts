import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { StartupRecorder } from '../../../src/host/startup-recorder.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import type { AccountsState } from '../../../src/shared/contract.ts'
import { startTestPlatform, type TestPlatform } from '../engine/support/test-platform.ts'
import { BUILT, root } from '../../support/program.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { launchPlatform, openTestMachine, type TestHost, type TestMachine } from './support/test-host.ts'

const PATIENT = { timeout: 60_000 }

let platform: TestPlatform
let machine: TestMachine
const credentials = () => ({ baseUrl: platform.baseUrl, apiKey: platform.apiKey })

beforeEach(async () => {
  platform = await startTestPlatform()
  machine = openTestMachine()
})

it('a host reports its environment and the SQLite version of its mail', async () => {
  const { ask, problemOf } = machine.start()
  const sqlite = new Database(':memory:').prepare<[], string>('SELECT sqlite_version()').pluck().get()
  expect(await ask('app.about', {})).toMatchObject({
    parts: [
      { name: 'Node.js', version: process.versions.node },
      { name: 'SQLite', version: sqlite },
    ],
    hasElectron: false,
  })
  expect(await problemOf('app.openLicences', {})).toMatchObject({ code: 'not_found' })
})

it('a host logs a call that blocks its thread', async () => {
  const { problemOf } = machine.start({
    launchPlatform: () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
      throw new Error('no demo here')
    },
  })
  await problemOf('account.startDemo', {})
  await expect.poll(() => machine.log).toContainEqual(expect.stringMatching(/^warn host: blocked for \d+ ms$/))
})

/** Files that a host has written, without the socket of a running host. */
const keptIn = (directory: string): readonly string[] =>
  readdirSync(directory).filter((name) => name !== 'linnet.sock' && name !== 'command-line.json')

describe('the account of a host', () => {
  it('is missing at first, and mail requests are rejected', async () => {
    const { ask, problemOf } = machine.start()
    expect(await ask('account.state', {})).toEqual({
      accounts: [],
      keyStorage: 'keychain',
      problem: null,
      known: [],
      question: null,
      demoProgress: null,
    })
    expect((await problemOf('inbox.list', {})).code).toBe('no_account')
  })

  it('is tested before it is stored; a wrong key stores and opens nothing', async () => {
    const { ask, problemOf } = machine.start()
    const problem = await problemOf('account.connect', { ...credentials(), apiKey: 're_wrong' })
    expect(problem.code).toBe('key_rejected')
    expect((await ask('account.state', {})).accounts).toEqual([])
    expect([...machine.settings.values]).toEqual([])
    expect(keptIn(machine.dataDirectory)).toEqual([])
  })

  it('reopens at the next start with its fetched mail', async () => {
    const first = machine.start()
    await first.ask('account.connect', credentials())
    const account = await first.account()
    await expect.poll(() => first.ask('inbox.list', {}), PATIENT).toMatchObject({ inboxes: [{ id: platform.inboxId }] })
    await first.close()

    const second = machine.start()
    expect(await second.account()).toEqual(account)
    expect(await second.ask('inbox.list', {})).toMatchObject({ inboxes: [{ id: platform.inboxId }] })
  })

  it('accepts window commands before it is open, even if Linnet closes at once', async () => {
    await platform.deliver({ from: 'pier@harbour.example', subject: 'Letter', text: 'One' })
    const { inboxId } = platform
    const list = (folder: 'inbox' | 'archive') => ({ query: createFolderQuery(inboxId, folder), offset: 0, limit: 50 })
    const first = machine.start()
    await first.ask('account.connect', credentials())
    const unfetched = { items: [] }
    const listed = () => first.ask('thread.list', list('inbox')).catch(() => unfetched)
    await expect.poll(listed, PATIENT).toMatchObject({ items: [{ subject: 'Letter' }] })
    const [thread] = (await first.ask('thread.list', list('inbox'))).items
    const asking = await first.asking()
    await first.close()

    const second = machine.start()
    const change = { inboxId, threadIds: [thread?.id ?? ''], change: { folder: 'archive' as const } }
    const changed = second.host.call('thread.change', change, asking)
    await second.close()
    expect(await changed).toMatchObject({ ok: true })
    const third = machine.start()
    expect((await third.ask('thread.list', list('archive'))).items).toMatchObject([{ subject: 'Letter' }])
  })

  it('is announced to every window on changes, without its key', async () => {
    const { ask, events } = machine.start()
    const connected = await ask('account.connect', credentials())
    await ask('account.disconnect', { accountId: connected?.id ?? '' })
    const changes = events.filter(({ name }) => name === 'account.changed')
    expect(changes.every(({ accountId }) => accountId === null)).toBe(true)
    const listed = changes.map(({ payload }) => (payload as AccountsState).accounts)
    expect(listed).toContainEqual([expect.objectContaining({ baseUrl: platform.baseUrl })])
    expect(changes.at(-1)).toMatchObject({ payload: { accounts: [] } })
    expect(JSON.stringify(events)).not.toContain(platform.apiKey)
    expect(machine.log.join('\n')).not.toContain(platform.apiKey)
  })

  it('loses its key when disconnected, and its mail stays listed', async () => {
    const { ask } = machine.start()
    const connected = await ask('account.connect', credentials())
    const sealed = Buffer.from(platform.apiKey).toString('hex')
    expect(JSON.stringify([...machine.settings.values])).toContain(sealed)
    await ask('account.disconnect', { accountId: connected?.id ?? '' })
    expect(JSON.stringify([...machine.settings.values])).not.toContain(sealed)
    const { accounts, known } = await ask('account.state', {})
    expect(accounts).toEqual([])
    expect(known).toMatchObject([{ baseUrl: platform.baseUrl }])
  })

  it('stores no key from the environment', async () => {
    const { account } = machine.start({ environmentAccount: credentials() })
    expect(await account()).toMatchObject({ baseUrl: platform.baseUrl })
    await expect.poll(async () => (await account())?.isKeyTested, PATIENT).toBe(true)
    expect(JSON.stringify([...machine.settings.values])).not.toContain(Buffer.from(platform.apiKey).toString('hex'))
  })

  it('explains why it can’t open, and another one can be connected', async () => {
    writeFileSync(join(machine.dataDirectory, 'accounts'), 'a file where a folder belongs')
    const { ask } = machine.start({ environmentAccount: credentials() })
    const { accounts, problem } = await ask('account.state', {})
    expect(accounts).toEqual([])
    expect(problem?.code).toBe('storage_failed')
    rmSync(join(machine.dataDirectory, 'accounts'))
    await ask('account.connect', credentials())
    expect((await ask('account.state', {})).problem).toBeNull()
  })

  it('opens with a notice if settings were set aside', async () => {
    const settingsProblem = { code: 'storage_failed', message: 'The settings were kept aside.' } as const
    expect((await machine.start({ settingsProblem }).ask('account.state', {})).problem).toEqual(settingsProblem)
  })
})

describe('invalid input', () => {
  const nest = (levels: number): unknown => {
    let value: unknown = 'in the middle'
    for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { value }
    return value
  }

  it('is rejected if too deep, long or large, and the host continues', async () => {
    const { host, ask, asking } = machine.start({ environmentAccount: credentials() })
    await expect.poll(() => ask('inbox.list', {}), PATIENT).toMatchObject({ inboxes: [{ id: platform.inboxId }] })
    const inputs = [
      nest(100_000),
      { change: nest(100) },
      { threadIds: Array.from({ length: 100_000 }, () => 'thread') },
      { query: 'a'.repeat(2_000_000) },
    ]
    for (const name of ['thread.list', 'thread.change', 'account.connect', 'app.diagnostics', 'no.such']) {
      for (const input of inputs) {
        expect(await host.call(name, input, await asking())).toMatchObject({
          ok: false,
          error: { code: 'invalid_input' },
        })
      }
    }
    expect(await ask('inbox.list', {})).toMatchObject({ inboxes: [{ id: platform.inboxId }] })
    expect(machine.log.filter((line) => line.startsWith('error'))).toEqual([])
  })
})

describe('the demo', () => {
  it('has a mailbox, survives a restart, and is deleted when left', async () => {
    const first = machine.start()
    await first.ask('account.startDemo', {})
    await expect.poll(async () => (await first.ask('inbox.list', {})).inboxes.length, PATIENT).toBe(1)
    await first.close()

    const second = machine.start()
    expect(await second.account()).toMatchObject({ kind: 'demo' })
    await second.ask('account.disconnect', { accountId: 'demo' })
    expect(keptIn(machine.dataDirectory)).toEqual(['accounts'])
    expect(readdirSync(join(machine.dataDirectory, 'accounts'))).toEqual([])
    expect(machine.settings.values.get('accounts')).toEqual([])
  })

  it('opens after a crash during its creation', async () => {
    const file = join(machine.dataDirectory, 'demo', 'platform.sqlite')
    mkdirSync(join(machine.dataDirectory, 'demo'))
    const child = launchPlatform(['--port', '0', '--smtp-port', '0', '--dataset', 'empty', '--data', file])
    const exited = new Promise<void>((resolve) => child.onExit(resolve))
    await new Promise((resolve) => child.stdout.once('data', resolve))
    child.kill()
    await exited
    const database = new Database(file)
    database.exec("UPDATE settings SET value = 'unfinished' WHERE name = 'dataset'")
    database.close()
    const { ask } = machine.start()
    await ask('account.startDemo', {})
    expect(await ask('account.state', {})).toMatchObject({
      accounts: [{ kind: 'demo', isOpen: true, problem: null }],
      problem: null,
    })
  })

  it('is reported if it can’t start', async () => {
    const { ask, problemOf } = machine.start({
      launchPlatform: (args) => launchPlatform([...args, '--no-such-switch']),
    })
    expect((await problemOf('account.startDemo', {})).code).toBe('internal')
    expect((await ask('account.state', {})).accounts).toEqual([])
  })
})

describe('a closed host', () => {
  it('exits while an account is being opened', async () => {
    const { ask, close } = machine.start()
    await ask('account.connect', credentials())
    await close()
    // Once the host runs, closing it stops the engine before it responds.
    const next = machine.start()
    await next.ask('run.state', {})
    const opening = next.problemOf('account.connect', credentials()).catch((thrown: unknown) => thrown)
    await next.close()
    await opening
  })
})

describe('a crashing engine thread', () => {
  /** A worker that crashes on its first message `lives` times, and is the engine afterwards. */
  const mortalEntry = (lives: number): string => {
    const entry = join(machine.dataDirectory, 'mortal-worker.mjs')
    const deaths = join(machine.dataDirectory, 'deaths')
    writeFileSync(deaths, '')
    writeFileSync(
      entry,
      `import { appendFileSync, readFileSync } from 'node:fs'
       import { parentPort } from 'node:worker_threads'
       if (readFileSync(${JSON.stringify(deaths)}, 'utf8').length >= ${lives}) await import(${JSON.stringify(join(root, BUILT.engine))})
       else parentPort.on('message', () => { appendFileSync(${JSON.stringify(deaths)}, 'x'); throw new Error('it dies') })`,
    )
    return entry
  }

  it('is replaced, and the pending account opens', async () => {
    const { ask, events } = machine.start({ engineEntry: mortalEntry(2) })
    await ask('account.connect', credentials())
    expect(machine.log.join('\n')).toContain('mortal-worker')
    expect(readFileSync(join(machine.dataDirectory, 'deaths'), 'utf8')).toBe('xx')
    expect(await ask('run.state', {})).toMatchObject({
      mode: 'usual',
      crashes: [{ part: 'engine', count: 2, isRestarted: true, isOutOfMemory: false }],
    })
    expect(events.filter(({ name }) => name === 'run.changed')).toHaveLength(2)
    const files = readdirSync(join(machine.dataDirectory, 'crashes'))
    expect(files).toHaveLength(2)
    expect(readFileSync(join(machine.dataDirectory, 'crashes', files[0] ?? ''), 'utf8')).toContain('mortal-worker')
    expect((await ask('app.diagnostics', { browser: null })).text).toContain(files[1])
    await ask('run.dismissEnds', {})
    expect((await ask('run.state', {})).crashes).toEqual([])
  })

  it('isn’t restarted after repeated crashes until the user asks', async () => {
    const first = machine.start()
    await first.ask('account.connect', credentials())
    const account = await first.account()
    await first.close()

    const startWatch = new StartupRecorder(temporaryDirectory())
    const fail = vi.spyOn(startWatch, 'fail')
    const second = machine.start({ engineEntry: mortalEntry(5), startWatch })
    const state = await second.ask('account.state', {})
    expect(state.accounts).toMatchObject([{ id: account?.id, isOpen: false }])
    expect((await second.ask('run.state', {})).crashes).toMatchObject([{ count: 5, isRestarted: false }])
    expect(fail).toHaveBeenCalledOnce()
    await second.ask('run.choose', { mode: 'safe' })
    expect(await second.account()).toMatchObject({ id: account?.id })
    expect(await second.ask('run.state', {})).toEqual({ mode: 'safe', crashes: [] })
  })

  it('reopens the account that was open', async () => {
    const first = machine.start()
    await first.ask('account.connect', credentials())
    const account = await first.account()
    await expect.poll(() => first.ask('inbox.list', {}), PATIENT).toMatchObject({ inboxes: [{ id: platform.inboxId }] })
    await first.close()
    // The worker crashes on the first request at startup, which opens the account.
    const entry = mortalEntry(1)
    const second = machine.start({ engineEntry: entry })
    await expect
      .poll(async () => {
        const accountId = account?.id ?? ''
        if ((await second.account()) === undefined)
          await second.host.call('account.open', { accountId }, await second.asking())
        return second.host.call('inbox.list', {}, { accountId, caller: 'window' })
      }, PATIENT)
      .toMatchObject({ ok: true, data: { inboxes: [{ id: platform.inboxId }] } })
  })
})

describe('a start after two failed ones', () => {
  const watchThird = (): StartupRecorder => {
    const directory = temporaryDirectory()
    writeFileSync(join(directory, 'start.json'), '{"failed":2,"isRunning":true}')
    return new StartupRecorder(directory)
  }

  it('opens nothing before the user decides how', async () => {
    const { host } = machine.start({ startWatch: watchThird(), environmentAccount: credentials() })
    const from = { accountId: null, caller: 'window' }
    let isAnswered = false
    const accounts = host.call('account.state', {}, from).then((answer) => {
      isAnswered = true
      return answer
    })
    expect(await host.call('run.state', {}, from)).toMatchObject({ ok: true, data: { mode: 'asking' } })
    expect(await host.call('preferences.get', {}, from)).toMatchObject({ ok: true })
    expect(isAnswered).toBe(false)
    expect(readdirSync(machine.dataDirectory)).toEqual(['crashes'])
    await host.call('run.choose', { mode: 'usual' }, from)
    expect(await accounts).toMatchObject({ ok: true, data: { accounts: [{ isOpen: true }] } })
  })

  it('can be closed while asking', async () => {
    const { close } = machine.start({ startWatch: watchThird() })
    await close()
  })

  const listed = async (ask: TestHost['ask']): Promise<readonly (string | null)[]> => {
    const query = createFolderQuery(platform.inboxId, 'inbox')
    return (await ask('thread.list', { query, offset: 0, limit: 10 })).items.map(({ subject }) => subject)
  }

  it('builds no index and fetches no older mail in safe mode', async () => {
    const first = machine.start()
    await first.ask('account.connect', credentials())
    const id = (await first.account())?.id ?? ''
    await platform.deliver({ from: 'pier@harbour.example', subject: 'The first', text: 'Buoys.' })
    await expect
      .poll(async () => {
        await first.ask('sync.now', {})
        return listed(first.ask)
      }, PATIENT)
      .toEqual(['The first'])
    await first.close()
    const file = join(machine.dataDirectory, 'accounts', id, 'cache.sqlite')
    const inCache = (sql: string): unknown => {
      const cache = new Database(file)
      try {
        return cache.prepare<[]>(sql).pluck().get()
      } finally {
        cache.close()
      }
    }
    // Forces a rebuild of the index.
    inCache("UPDATE search_state SET value = 0 WHERE name = 'version' RETURNING value")
    await platform.deliver({ from: 'pier@harbour.example', subject: 'Before it', text: 'Barnacles.' })

    const { ask } = machine.start({ startWatch: watchThird(), isSafeAsked: true })
    await ask('sync.now', {})
    expect(await listed(ask)).toEqual(['Before it', 'The first'])
    // Longer than downloads or indexing would take to start.
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    const emails = 'SELECT count(*) FROM emails'
    const waiting = `SELECT (SELECT count(*) FROM threads)
      - (SELECT count(*) FROM search_threads WHERE thread_key > 0 AND unindexed_after IS NULL)`
    const before = Number(inCache(emails))
    expect(before).toBeLessThan(2)
    expect(inCache(waiting)).toBe(1)
    await ask('run.choose', { mode: 'usual' })
    await expect.poll(() => inCache(emails), PATIENT).toBe(2)
    await expect.poll(() => inCache(waiting), PATIENT).toBe(0)
  })
})
