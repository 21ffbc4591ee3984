import { fork } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { LaunchPlatform } from '../../../src/host/demo-platform.ts'
import {
  startHost,
  type Host,
  type HostOptions,
  type RememberedAccount,
  type Vault,
} from '../../../src/host/start-host.ts'
import type { AccountState, LinnetEvent } from '../../../src/shared/contract.ts'
import type { RawEmail } from '../../../src/shared/engine-link.ts'
import { startPlatform, type Platform } from '../../support/platform.ts'
import { root } from '../../support/program.ts'

// A test waits for conditions; this is for a machine that is busy with others.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const launchPlatform: LaunchPlatform = (args) => {
  const child = fork(join(root, 'src/service/main.ts'), [...args], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  if (child.stdout === null || child.stderr === null) throw new Error('no pipes')
  return {
    stdout: child.stdout,
    stderr: child.stderr,
    kill: () => void child.kill('SIGTERM'),
    onExit: (listener) => void child.once('exit', listener),
  }
}

/** A vault that a test can look into. */
const openVault = (): Vault & { kept: RememberedAccount | null } => {
  const vault = {
    storage: 'memory' as const,
    kept: null as RememberedAccount | null,
    load: () => Promise.resolve(vault.kept),
    save: (remembered: RememberedAccount) => {
      vault.kept = remembered
      return Promise.resolve()
    },
    clear: () => {
      vault.kept = null
      return Promise.resolve()
    },
  }
  return vault
}

let platform: Platform
let dataDirectory: string
let vault: ReturnType<typeof openVault>
let saved: RawEmail[]
let log: string[]
const hosts: Host[] = []

const start = (options: Partial<HostOptions> = {}): Host => {
  const host = startHost({
    dataDirectory,
    engineEntry: join(root, 'src/engine/worker.ts'),
    launchPlatform,
    vault,
    given: null,
    saveFile: (file) => {
      saved.push(file)
      return Promise.resolve({ kind: 'saved', path: file.filename })
    },
    log: (level, line) => log.push(`${level} ${line}`),
    ...options,
  })
  hosts.push(host)
  return host
}

const ask = async (host: Host, name: string, input: unknown = {}): Promise<unknown> => {
  const result = await host.call(name, input)
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`)
  return result.data
}
const stateOf = async (host: Host): Promise<AccountState> => (await ask(host, 'account.state')) as AccountState

beforeAll(async () => {
  platform = await startPlatform('empty')
})
afterAll(() => platform.stop())
beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'linnet-host-'))
  vault = openVault()
  saved = []
  log = []
})
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()))
  rmSync(dataDirectory, { recursive: true, force: true })
})

describe('the account of a host', () => {
  it('is none at first, and no question about mail is answered', async () => {
    const host = start()
    expect(await stateOf(host)).toEqual({ account: null, keyStorage: 'memory', problem: null })
    expect(await host.call('inbox.list', {})).toMatchObject({ ok: false, error: { code: 'no_account' } })
  })

  it('is tested before it is kept: a wrong key keeps nothing and opens nothing', async () => {
    const host = start()
    const answer = await host.call('account.connect', { baseUrl: platform.baseUrl, apiKey: 're_wrong' })
    expect(answer).toMatchObject({ ok: false, error: { code: 'key_rejected' } })
    expect(vault.kept).toBeNull()
    expect((await stateOf(host)).account).toBeNull()
    expect(readdirSync(dataDirectory)).toEqual([])
  })

  it('is opened again at the next start, with what was fetched', async () => {
    const first = start()
    await ask(first, 'account.connect', { baseUrl: platform.baseUrl, apiKey: platform.apiKey })
    const { account } = await stateOf(first)
    await expect.poll(() => ask(first, 'inbox.list')).toMatchObject({ inboxes: [{ id: platform.inboxId }] })
    await first.close()

    const second = start()
    expect((await stateOf(second)).account).toEqual(account)
    expect(await ask(second, 'inbox.list')).toMatchObject({ inboxes: [{ id: platform.inboxId }] })
  })

  it('is told to every window when it changes, never with its key', async () => {
    const host = start()
    const events: LinnetEvent[] = []
    host.subscribe((event) => events.push(event))
    await ask(host, 'account.connect', { baseUrl: platform.baseUrl, apiKey: platform.apiKey })
    await ask(host, 'account.disconnect')
    const changes = events.filter(({ name }) => name === 'account.changed')
    expect(changes).toMatchObject([
      { payload: { account: { baseUrl: platform.baseUrl } } },
      { payload: { account: null } },
    ])
    expect(JSON.stringify(events)).not.toContain(platform.apiKey)
    expect(log.join('\n')).not.toContain(platform.apiKey)
    expect(vault.kept).toBeNull()
  })

  it('keeps the mail of two keys apart', async () => {
    const given = { baseUrl: platform.baseUrl, apiKey: platform.apiKey }
    await stateOf(start({ given }))
    await stateOf(start({ given: { ...given, apiKey: 're_of_another_team' } }))
    expect(readdirSync(join(dataDirectory, 'accounts'))).toHaveLength(2)
  })

  it('is not kept when it comes from the environment', async () => {
    const host = start({ given: { baseUrl: platform.baseUrl, apiKey: platform.apiKey } })
    expect((await stateOf(host)).account).toMatchObject({ baseUrl: platform.baseUrl })
    expect(vault.kept).toBeNull()
  })

  it('says why it could not be opened, and another one can be connected', async () => {
    writeFileSync(join(dataDirectory, 'accounts'), 'a file where a folder belongs')
    const host = start({ given: { baseUrl: platform.baseUrl, apiKey: platform.apiKey } })
    const { account, problem } = await stateOf(host)
    expect(account).toBeNull()
    expect(problem?.code).toBe('storage_failed')
    rmSync(join(dataDirectory, 'accounts'))
    await ask(host, 'account.connect', { baseUrl: platform.baseUrl, apiKey: platform.apiKey })
    expect((await stateOf(host)).problem).toBeNull()
  })
})

describe('the demo', () => {
  it('has a mailbox in it, survives a restart, and is gone when it is left', async () => {
    const first = start()
    await ask(first, 'account.startDemo')
    await expect
      .poll(async () => ((await ask(first, 'inbox.list')) as { inboxes: unknown[] }).inboxes.length, {
        timeout: 10_000,
      })
      .toBe(1)
    await first.close()

    const second = start()
    expect((await stateOf(second)).account).toMatchObject({ kind: 'demo' })
    await ask(second, 'account.disconnect')
    expect(readdirSync(dataDirectory)).toEqual(['accounts'])
    expect(readdirSync(join(dataDirectory, 'accounts'))).toEqual([])
    expect(vault.kept).toBeNull()
  })

  it('that cannot start says so', async () => {
    const host = start({ launchPlatform: (args) => launchPlatform([...args, '--no-such-switch']) })
    expect(await host.call('account.startDemo', {})).toMatchObject({ ok: false, error: { code: 'internal' } })
    expect((await stateOf(host)).account).toBeNull()
  })
})

describe('a raw e-mail', () => {
  it('is handed to the person byte for byte', async () => {
    const host = start({ given: { baseUrl: platform.baseUrl, apiKey: platform.apiKey } })
    await platform.deliver({ from: 'a@b.example', subject: 'Raw', text: 'as it came' })
    const { data } = (await platform.ask('/emails/receiving')) as { data: { id: string }[] }
    const id = data[0]?.id ?? ''
    expect(await ask(host, 'receivedEmail.saveRaw', { id })).toEqual({ kind: 'saved', path: 'Raw.eml' })
    const { raw } = (await platform.ask(`/emails/receiving/${id}`)) as { raw: { download_url: string } }
    const original = await (await fetch(raw.download_url)).arrayBuffer()
    expect(Buffer.from(saved[0]?.content ?? [])).toEqual(Buffer.from(original))
  })
})

describe('an engine thread that dies', () => {
  /** The engine’s own thread, with a first life that ends when it is asked anything. */
  const mortalEntry = (): string => {
    const entry = join(dataDirectory, 'mortal-worker.mjs')
    const mark = join(dataDirectory, 'died-once')
    writeFileSync(
      entry,
      `import { existsSync, writeFileSync } from 'node:fs'
       import { parentPort } from 'node:worker_threads'
       if (existsSync(${JSON.stringify(mark)})) await import(${JSON.stringify(join(root, 'src/engine/worker.ts'))})
       else parentPort.on('message', () => { writeFileSync(${JSON.stringify(mark)}, ''); throw new Error('it dies') })`,
    )
    return entry
  }

  it('answers what was under way with a problem, and the next one takes its place', async () => {
    const host = start({ engineEntry: mortalEntry() })
    const connect = { baseUrl: platform.baseUrl, apiKey: platform.apiKey }
    expect(await host.call('account.connect', connect)).toMatchObject({ ok: false, error: { code: 'internal' } })
    expect(log.join('\n')).toMatch(/^error engine: Error at mortal-worker\.mjs:\d+:\d+/)
    await expect.poll(() => host.call('account.connect', connect)).toMatchObject({ ok: true })
    expect(readFileSync(join(dataDirectory, 'died-once'), 'utf8')).toBe('')
  })
})
