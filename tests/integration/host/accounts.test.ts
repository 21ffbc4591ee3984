import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { StoredAccounts } from '../../../src/host/stored-accounts.ts'
import { digestKey } from '../../../src/host/account-matching.ts'
import type { AddressedEvent } from '../../../src/shared/contract.ts'
import type { Thread } from '../../../src/shared/model.ts'
import { eventually } from '../engine/support/eventually.ts'
import { startTestPlatform, type TestPlatform } from '../engine/support/test-platform.ts'
import { startKeyProxy, type KeyProxy } from './support/key-proxy.ts'
import { openTestMachine, type TestHost, type TestMachine } from './support/test-host.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { ALL_INBOXES } from '../../../src/shared/unified-ids.ts'

const foldersOf = ({ dataDirectory }: TestMachine): readonly string[] =>
  readdirSync(join(dataDirectory, 'accounts')).sort()

const statusOf = ({ ask }: TestHost) => ask('sync.status', {})
const settled = (host: TestHost) =>
  eventually(
    () => statusOf(host),
    ({ progress, lastSyncAt, pendingChanges, connection }) =>
      progress === null && lastSyncAt !== null && pendingChanges === 0 && connection === 'online',
  )
const threadsOf = async ({ ask }: TestHost, { inboxId }: TestPlatform): Promise<readonly Thread[]> =>
  (await ask('thread.list', { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 50 })).items
const subjectsOf = async (host: TestHost, platform: TestPlatform): Promise<readonly (string | null)[]> =>
  (await threadsOf(host, platform)).map(({ subject }) => subject)

/** A machine with an account behind a proxy: connected, synced and closed. */
const connectOnce = async (subject = 'Kept') => {
  const platform = await startTestPlatform()
  await platform.deliver({ subject })
  const door = await startKeyProxy(platform)
  const machine = openTestMachine()
  const host = machine.start()
  await host.ask('account.connect', { baseUrl: door.baseUrl, apiKey: platform.apiKey })
  // Fetches only what the test requests.
  await host.ask('keeping.set', { bytes: 0 })
  await settled(host)
  return { platform, door, machine, host, accountId: (await host.account())?.id ?? '' }
}

const archiveFirst = async (host: TestHost, platform: TestPlatform): Promise<string> => {
  const [thread] = await threadsOf(host, platform)
  const threadId = thread?.id ?? ''
  await host.ask('thread.change', {
    inboxId: platform.inboxId,
    threadIds: [threadId],
    change: { folder: 'archive' },
  })
  return threadId
}
const folderOnPlatform = async (platform: TestPlatform, threadId: string): Promise<string> =>
  (await platform.ask<{ folder: string }>('GET', `/inboxes/${platform.inboxId}/threads/${threadId}`)).folder

/** Requests that fetch mail, rather than poll for it. */
const bodiesIn = (door: KeyProxy, since: number): readonly string[] =>
  door
    .requests()
    .slice(since)
    .filter((request) => /threads\/[^/]+\/emails|emails\/receiving\/./.test(request))

describe('an account', () => {
  it('has an ID that reveals neither its key nor its base URL', async () => {
    const { machine, accountId, platform, door } = await connectOnce()
    expect(foldersOf(machine)).toEqual([accountId])
    expect(accountId).toMatch(/^[\da-f]{8}-[\da-f]{4}-4/)
    expect(JSON.stringify([...machine.settings.values])).not.toContain(platform.apiKey)
    expect(accountId).not.toContain(digestKey(door.baseUrl, platform.apiKey).slice(0, 8))
  })

  it.each([
    ['is gone', () => undefined],
    ['was recreated since', (directory: string) => mkdirSync(join(directory, 'drafts'), { recursive: true })],
  ])('reports possibly missing changes if its deleted folder %s', async (_name, makeAgain) => {
    const { platform, door, machine, host, accountId } = await connectOnce()
    expect(await host.ask('problem.list', {})).toEqual([])
    door.setOffline(true)
    await archiveFirst(host, platform)
    await host.close()
    const directory = join(machine.dataDirectory, 'accounts', accountId)
    rmSync(directory, { recursive: true })
    makeAgain(directory)
    door.setOffline(false)

    const again = machine.start()
    await eventually(
      () => again.account(),
      (account) => account !== undefined,
    )
    const problems = (await again.ask('problem.list', {})).map(({ id, message }) => ({ id, message }))
    expect(problems).toEqual([
      {
        id: 'own-damaged',
        message: expect.stringMatching(/folder .* was missing\. Unsent changes and drafts may be lost/) as string,
      },
    ])
    await settled(again)
    expect(await subjectsOf(again, platform)).toEqual(['Kept'])
  })

  it('keeps its cache and unsent changes with a replacement key', async () => {
    const { platform, door, machine, host, accountId } = await connectOnce()
    door.revoke(platform.apiKey)
    const threadId = await archiveFirst(host, platform)
    await host.ask('sync.now', {}).catch(() => null)
    await eventually(
      () => statusOf(host),
      ({ connection, pendingChanges }) => connection === 'refused' && pendingChanges === 1,
    )
    expect(await folderOnPlatform(platform, threadId)).toBe('inbox')

    const before = door.requests().length
    door.addKey('re_new', platform)
    expect(await host.ask('account.setKey', { accountId, apiKey: 're_new' })).toEqual({ isTested: true })
    await settled(host)
    expect(await folderOnPlatform(platform, threadId)).toBe('archive')
    expect(bodiesIn(door, before)).toEqual([])
    // A change with the old key may still have been in flight.
    const changes = door
      .requests()
      .slice(before)
      .filter((request) => /^PATCH .* 200$/.test(request))
    expect(changes).toHaveLength(1)
    expect(foldersOf(machine)).toEqual([accountId])

    await host.close()
    const again = machine.start()
    expect((await again.account())?.id).toBe(accountId)
    await settled(again)
  })

  it('is recognized by another key after disconnecting, with its unsent changes', async () => {
    const { platform, door, machine, host, accountId } = await connectOnce()
    door.setOffline(true)
    const threadId = await archiveFirst(host, platform)
    await host.ask('account.disconnect', { accountId })
    door.setOffline(false)
    door.revoke(platform.apiKey)
    door.addKey('re_new', platform)
    expect(await host.ask('account.connect', { baseUrl: door.baseUrl, apiKey: 're_new' })).toBeNull()
    expect((await host.ask('account.state', {})).question).toMatchObject({
      isNewKey: true,
      candidates: [{ id: accountId, addresses: [platform.inboxAddress] }],
    })
    expect((await host.problemOf('account.decide', { decision: 'separate' })).code).toBe('invalid_input')
    await host.ask('account.decide', { decision: 'keep' })
    await settled(host)
    expect((await host.account())?.id).toBe(accountId)
    expect(await folderOnPlatform(platform, threadId)).toBe('archive')
    expect(foldersOf(machine)).toEqual([accountId])
  })

  it('is recognized by an environment key, used for that run only', async () => {
    const { platform, door, machine, host, accountId } = await connectOnce()
    door.setOffline(true)
    const threadId = await archiveFirst(host, platform)
    await host.close()
    door.setOffline(false)
    door.addKey('re_given', platform)
    const sealed = /"sealedKey":"[^"]*"/.exec(JSON.stringify(machine.settings.values.get('accounts')))?.[0]

    const environmentAccount = machine.start({ environmentAccount: { baseUrl: door.baseUrl, apiKey: 're_given' } })
    await settled(environmentAccount)
    expect((await environmentAccount.account())?.id).toBe(accountId)
    expect(await folderOnPlatform(platform, threadId)).toBe('archive')
    expect(foldersOf(machine)).toEqual([accountId])
    expect(JSON.stringify(machine.settings.values.get('accounts'))).toContain(sealed)
  })

  it('has separate mail for another team at the same base URL', async () => {
    const [first, second] = [await startTestPlatform(), await startTestPlatform()]
    await first.deliver({ subject: 'Of the first team' })
    await second.deliver({ subject: 'Of the second team' })
    const door = await startKeyProxy(first, second)
    const machine = openTestMachine()
    const host = machine.start()
    await host.ask('account.connect', { baseUrl: door.baseUrl, apiKey: first.apiKey })
    await settled(host)
    await host.ask('account.connect', { baseUrl: door.baseUrl, apiKey: second.apiKey })
    await settled(host)
    expect(await subjectsOf(host, second)).toEqual(['Of the second team'])
    expect(foldersOf(machine)).toHaveLength(2)
    await host.ask('account.connect', { baseUrl: door.baseUrl, apiKey: first.apiKey })
    expect(await subjectsOf(host, first)).toEqual(['Of the first team'])
    expect(foldersOf(machine)).toHaveLength(2)
  })

  it('rejects the key of another team', async () => {
    const { platform, door, machine, host, accountId } = await connectOnce()
    const other = await startTestPlatform()
    door.addKey('re_other', other)
    const problem = await host.problemOf('account.setKey', { accountId, apiKey: 're_other' })
    expect(problem.code).toBe('key_of_another_account')
    expect(problem.message).toContain(other.inboxAddress)
    await platform.deliver({ subject: 'Still here' })
    await host.ask('sync.now', {})
    expect(await subjectsOf(host, platform)).toEqual(['Still here', 'Kept'])
    expect(foldersOf(machine)).toEqual([accountId])
  })

  it('asks whether to keep or separate it if no inboxes identify it', async () => {
    const platform = await startTestPlatform({ inboxes: 'not_found' })
    const door = await startKeyProxy(platform)
    const machine = openTestMachine()
    const host = machine.start()
    await host.ask('account.connect', { baseUrl: door.baseUrl, apiKey: platform.apiKey })
    const account = await host.account()
    door.addKey('re_new', platform)

    expect(await host.ask('account.connect', { baseUrl: door.baseUrl, apiKey: 're_new' })).toBeNull()
    const { question } = await host.ask('account.state', {})
    expect(question?.candidates.map(({ id }) => id)).toEqual([account?.id])
    expect(await host.ask('account.decide', { decision: 'cancel' })).toBeNull()
    expect((await host.ask('account.state', {})).question).toBeNull()

    await host.ask('account.connect', { baseUrl: door.baseUrl, apiKey: 're_new' })
    expect(await host.ask('account.decide', { decision: 'keep', accountId: account?.id })).toMatchObject({
      id: account?.id,
    })
    door.addKey('re_newer', platform)
    await host.ask('account.connect', { baseUrl: door.baseUrl, apiKey: 're_newer' })
    expect(await host.ask('account.decide', { decision: 'separate' })).not.toMatchObject({ id: account?.id })
    expect(foldersOf(machine)).toHaveLength(2)
  })
})

describe('several accounts', () => {
  const askOf = async (host: TestHost, accountId: string, name: string, input: unknown = {}) => {
    const answer = await host.host.call(name, input, { accountId, caller: 'window' })
    if (!answer.ok) throw new Error(answer.error.message)
    return answer.data
  }
  const connectTwo = async () => {
    const first = await connectOnce('Of the first')
    const platform = await startTestPlatform()
    await platform.deliver({ subject: 'Of the second' })
    const { id } = (await first.host.ask('account.connect', {
      baseUrl: platform.baseUrl,
      apiKey: platform.apiKey,
    })) ?? { id: '' }
    await askOf(first.host, id, 'keeping.set', { bytes: 0 })
    await settled(first.host)
    return { ...first, second: { platform, id } }
  }
  const subjectOf = async (host: TestHost, accountId: string, { inboxId }: TestPlatform) => {
    const list = { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 50 }
    return (await askOf(host, accountId, 'thread.list', list)) as { readonly items: readonly Thread[] }
  }

  it('are open concurrently, with separate calls and events', async () => {
    const { platform, host, accountId, second } = await connectTwo()
    expect(await subjectOf(host, accountId, platform)).toMatchObject({ items: [{ subject: 'Of the first' }] })
    expect(await subjectOf(host, second.id, second.platform)).toMatchObject({ items: [{ subject: 'Of the second' }] })
    expect((await host.host.call('inbox.list', {}, { accountId: null, caller: 'window' })).ok).toBe(false)
    expect((await host.host.call('inbox.list', {}, { accountId: 'nobody', caller: 'window' })).ok).toBe(false)

    const before = host.events.length
    await platform.deliver({ subject: 'News of the first' })
    await askOf(host, accountId, 'sync.now')
    // Events are batched.
    const told = () => host.events.slice(before).filter(({ name }) => name === 'threads.changed')
    await expect.poll(() => [...new Set(told().map((event) => event.accountId))]).toEqual([accountId, ALL_INBOXES])
  })

  it('keep names, colours and order across restarts', async () => {
    const { machine, host, accountId, second } = await connectTwo()
    const shownBy = async (some: TestHost) =>
      (await some.ask('account.state', {})).accounts.map(({ id, name, color, isOpen }) => ({ id, name, color, isOpen }))
    const [one, two] = await shownBy(host)
    expect(one?.color).not.toBe(two?.color)
    await host.ask('account.change', { accountId, name: '  Support ' })
    await host.ask('account.change', { accountId: second.id, color: '#ab4aba' })
    await host.ask('account.move', { accountId: second.id, before: accountId })
    const wanted = [
      { id: second.id, name: null, color: '#AB4ABA', isOpen: true },
      { id: accountId, name: 'Support', color: one?.color, isOpen: true },
    ]
    expect(await shownBy(host)).toEqual(wanted)
    expect((await host.problemOf('account.change', { accountId, name: 'x'.repeat(61) })).code).toBe('invalid_input')
    await host.close()
    const again = machine.start()
    expect(await shownBy(again)).toEqual(wanted)
    await again.ask('account.change', { accountId, name: '' })
    expect((await shownBy(again))[1]?.name).toBeNull()
  })

  it('stay open if one can’t be opened, which is explained', async () => {
    const { machine, host, accountId, second } = await connectTwo()
    await host.close()
    const folder = join(machine.dataDirectory, 'accounts', accountId)
    renameSync(folder, `${folder}-moved`)
    writeFileSync(folder, 'a file where a folder belongs')
    const again = machine.start()
    const { accounts, problem } = await again.ask('account.state', {})
    expect(accounts.map(({ id, isOpen }) => [id, isOpen])).toEqual([
      [accountId, false],
      [second.id, true],
    ])
    expect(accounts[0]?.problem?.code).toBe('storage_failed')
    expect(problem).toBeNull()
    rmSync(folder)
    renameSync(`${folder}-moved`, folder)
    await again.ask('account.open', { accountId })
    expect((await again.ask('account.state', {})).accounts[0]).toMatchObject({ isOpen: true, problem: null })
  })

  it('lose one with its mail, while the other is unaffected', async () => {
    const { platform, door, machine, host, accountId, second } = await connectTwo()
    door.setOffline(true)
    const [thread] = (await subjectOf(host, accountId, platform)).items
    const change = { inboxId: platform.inboxId, threadIds: [thread?.id], change: { read: true } }
    await askOf(host, accountId, 'thread.change', change)
    const people = { to: [{ name: null, address: 'ada@example.com' }], cc: [], bcc: [], subject: 'Berth', files: [] }
    const content = { ...people, format: 'plain', html: '', text: 'From Tuesday.', quote: null }
    const draft = { inboxId: platform.inboxId, kind: 'new', target: null, content }
    await askOf(host, accountId, 'draft.create', draft)
    const usage = await host.ask('account.usage', { accountId })
    expect(usage).toMatchObject({ unsentChanges: 1, drafts: 1, localOnlyThreads: 0 })
    expect(usage.bytes).toBeGreaterThan(10_000)

    const before = host.events.length
    const asked = second.platform.requests().length
    await host.ask('account.remove', { accountId })
    expect(foldersOf(machine)).toEqual([second.id])
    expect(JSON.stringify([...machine.settings.values])).not.toContain(accountId)
    const { accounts, known } = await host.ask('account.state', {})
    expect(accounts.map(({ id, isOpen }) => [id, isOpen])).toEqual([[second.id, true]])
    expect(known).toEqual([])
    // The second account only continues to sync and to download mail.
    const isOwnCourse = ({ name }: AddressedEvent): boolean => /^(?:sync|keeping)\.changed$/.test(name)
    const toldOfSecond = host.events.slice(before).filter((event) => event.accountId === second.id)
    expect(toldOfSecond.filter((event) => !isOwnCourse(event))).toEqual([])
    expect(
      second.platform
        .requests()
        .slice(asked)
        .filter((request) => /threads\/[^/]+\/emails/.test(request)),
    ).toEqual([])
    await second.platform.deliver({ subject: 'Afterwards' })
    await askOf(host, second.id, 'sync.now')
    expect(await subjectOf(host, second.id, second.platform)).toMatchObject({
      items: [{ subject: 'Afterwards' }, { subject: 'Of the second' }],
    })
  })

  it('finish removing one at the next start after a crash', async () => {
    const { machine, host, accountId, second } = await connectTwo()
    await host.close()
    const accounts = join(machine.dataDirectory, 'accounts')
    renameSync(join(accounts, accountId), join(accounts, `.removed-${accountId}`))
    const kept = machine.settings.values.get('accounts') as readonly { readonly id: string }[]
    machine.settings.set({ accounts: kept.filter(({ id }) => id !== accountId) })
    const again = machine.start()
    expect((await again.ask('account.state', {})).accounts.map(({ id }) => id)).toEqual([second.id])
    await expect.poll(() => foldersOf(machine)).toEqual([second.id])
  })
})

describe('a keychain that prompts the user', () => {
  const startLocked = async () => {
    const once = await connectOnce()
    await once.host.close()
    let answer: () => void = () => undefined
    once.machine.vault.unlocked = new Promise((resolve) => {
      answer = resolve
    })
    return { ...once, again: once.machine.start(), answer: () => answer() }
  }

  it('doesn’t block mail: the account opens without its key and gets it later', async () => {
    const { platform, again, answer } = await startLocked()
    expect(await subjectsOf(again, platform)).toEqual(['Kept'])
    expect(await statusOf(again)).toMatchObject({ connection: 'needsKey' })
    expect((await again.account())?.problem?.message).toContain('Waiting for the system keychain')
    await platform.deliver({ subject: 'Meanwhile' })
    answer()
    await eventually(
      () => subjectsOf(again, platform),
      (subjects) => subjects.includes('Meanwhile'),
    )
    expect((await again.account())?.problem).toBeNull()
  })

  it('doesn’t replace a key typed meanwhile', async () => {
    const { platform, machine, again, answer, accountId } = await startLocked()
    await again.ask('account.setKey', { accountId, apiKey: platform.apiKey })
    await settled(again)
    machine.vault.isLost = true
    answer()
    await settled(again)
    expect((await again.account())?.problem).toBeNull()
  })

  it('is reported if it doesn’t return the key', async () => {
    const { machine, again, answer } = await startLocked()
    machine.vault.isLost = true
    answer()
    await eventually(
      async () => (await again.account())?.problem?.message,
      (message) => message === 'The keychain does not give the key back.',
    )
  })
})

describe('without the network', () => {
  it('restarts with mail and changes, and asks for an unsaved key', async () => {
    const { platform, door, machine, host, accountId } = await connectOnce()
    await host.close()
    machine.vault.kind = 'memory'
    machine.vault.isLost = true
    door.setOffline(true)
    const again = machine.start()
    expect((await again.account())?.id).toBe(accountId)
    expect(await subjectsOf(again, platform)).toEqual(['Kept'])
    const threadId = await archiveFirst(again, platform)
    expect(await statusOf(again)).toMatchObject({ connection: 'needsKey', pendingChanges: 1 })

    expect(await again.ask('account.setKey', { accountId, apiKey: platform.apiKey })).toEqual({ isTested: false })
    expect((await again.account())?.isKeyTested).toBe(false)
    await eventually(
      () => statusOf(again),
      ({ connection }) => connection === 'offline',
    )
    door.setOffline(false)
    await again.ask('sync.now', {})
    await settled(again)
    expect(await folderOnPlatform(platform, threadId)).toBe('archive')
    expect((await again.account())?.isKeyTested).toBe(true)
  })

  it('uses a new key of a known account once tested, and stores it if accepted', async () => {
    const { platform, door, machine, host, accountId } = await connectOnce()
    await host.ask('account.disconnect', { accountId })
    door.setOffline(true)
    door.addKey('re_new', platform)
    await host.ask('account.connect', { baseUrl: door.baseUrl, apiKey: 're_new' })
    expect((await host.account())?.id).toBe(accountId)
    expect(await subjectsOf(host, platform)).toEqual(['Kept'])
    const sealed = Buffer.from('re_new').toString('hex')
    expect(JSON.stringify([...machine.settings.values])).not.toContain(sealed)
    door.setOffline(false)
    await host.ask('sync.now', {})
    await settled(host)
    await eventually(
      () => JSON.stringify([...machine.settings.values]),
      (text) => text.includes(sealed),
    )
  })

  it.each([
    ['another team’s, and is tested first', 'GET /inboxes 200', false],
    ['another team’s', 'GET /inboxes 200', true],
    ['revoked meanwhile', 'GET /inboxes 401', true],
  ])('reports a key entered offline as rejected if it is %s', async (_what, asked, isSeen) => {
    const { platform, door, host, accountId } = await connectOnce()
    const other = await startTestPlatform()
    door.addKey('re_other', other)
    door.setOffline(true)
    await host.ask('account.setKey', { accountId, apiKey: 're_other' })
    if (isSeen) {
      await eventually(
        () => statusOf(host),
        ({ connection }) => connection === 'offline',
      )
    }
    if (asked.endsWith('401')) door.revoke('re_other')
    door.setOffline(false)
    await host.ask('sync.now', {}).catch(() => null)
    await eventually(
      () => statusOf(host),
      ({ connection }) => connection === 'refused',
    )
    // A request with the old key may still be in flight.
    expect(new Set(door.requests('re_other'))).toEqual(new Set([asked]))
    expect(await subjectsOf(host, platform)).toEqual(['Kept'])
  })

  it('can’t connect an unknown account', async () => {
    const door = await startKeyProxy()
    door.setOffline(true)
    const host = openTestMachine().start()
    const problem = await host.problemOf('account.connect', { baseUrl: door.baseUrl, apiKey: 're_any' })
    expect(problem.code).toBe('unreachable')
  })
})

describe('settings on a full disk', () => {
  it('don’t prevent opening a known account, also with an environment key', async () => {
    const { platform, door, machine, host, accountId } = await connectOnce()
    await host.close()
    machine.settings.setFull(true)
    const environmentAccount = { baseUrl: door.baseUrl, apiKey: platform.apiKey }
    for (const options of [{}, { environmentAccount }]) {
      const again = machine.start(options)
      await eventually(again.account, (account) => account?.id === accountId)
      expect((await again.ask('account.state', {})).problem).toBeNull()
      expect(await subjectsOf(again, platform)).toEqual(['Kept'])
      await again.close()
    }
  })

  it('are reported, and an unopenable account opens automatically later', async () => {
    const { platform, machine, host, accountId } = await connectOnce()
    await host.close()
    const directory = join(machine.dataDirectory, 'accounts', accountId)
    renameSync(directory, `${directory}.elsewhere`)
    writeFileSync(directory, 'in the way')
    const again = machine.start()
    const { accounts } = await eventually(
      () => again.ask('account.state', {}),
      ({ accounts: told }) => told.some(({ problem }) => problem !== null),
    )
    expect(accounts).toMatchObject([{ id: accountId, isOpen: false, problem: { code: 'storage_failed' } }])
    rmSync(directory)
    renameSync(`${directory}.elsewhere`, directory)
    await eventually(again.account, (account) => account?.id === accountId)
    expect((await again.ask('account.state', {})).accounts).toMatchObject([{ isOpen: true, problem: null }])
    expect(await subjectsOf(again, platform)).toEqual(['Kept'])
  })

  it('are reported when an account is new', async () => {
    const platform = await startTestPlatform()
    const machine = openTestMachine()
    machine.settings.setFull(true)
    const host = machine.start({ environmentAccount: platform })
    const { problem } = await eventually(
      () => host.ask('account.state', {}),
      ({ problem: told }) => told !== null,
    )
    expect(problem).toMatchObject({
      code: 'storage_failed',
      message: expect.stringMatching(/^Your disk is full/) as string,
    })
  })
})

describe('a failed switch of accounts', () => {
  it('leaves the first account open and working', async () => {
    const { platform, machine, host, accountId } = await connectOnce()
    const other = await startTestPlatform()
    machine.settings.setFull(true)
    await host.problemOf('account.connect', { baseUrl: other.baseUrl, apiKey: other.apiKey })
    machine.settings.setFull(false)
    expect((await host.account())?.id).toBe(accountId)
    await platform.deliver({ subject: 'Afterwards' })
    await host.ask('sync.now', {})
    expect(await subjectsOf(host, platform)).toEqual(['Afterwards', 'Kept'])
  })

  it('leaves the account open if the demo fails', async () => {
    const { platform, machine, host } = await connectOnce()
    writeFileSync(join(machine.dataDirectory, 'demo'), 'a file where a folder belongs')
    await host.problemOf('account.startDemo', {})
    expect(await subjectsOf(host, platform)).toEqual(['Kept'])
  })
})

describe('account commands', () => {
  it('run one after another, however fast they arrive', async () => {
    const [first, second] = [await startTestPlatform(), await startTestPlatform()]
    const machine = openTestMachine()
    const host = machine.start()
    const connect = (platform: TestPlatform) =>
      host.ask('account.connect', { baseUrl: platform.baseUrl, apiKey: platform.apiKey })
    const accountId = (await connect(first))?.id ?? ''
    const answers = await Promise.all([
      connect(first),
      connect(first),
      host.ask('account.disconnect', { accountId }),
      connect(second),
      connect(first),
      connect(second),
    ])
    expect(answers[0]).toEqual(answers[1])
    expect(answers[3]).toEqual(answers[5])
    expect(foldersOf(machine)).toHaveLength(2)
    const account = await host.account()
    expect(account).toMatchObject(answers[5] ?? {})
    expect((await host.ask('account.state', {})).accounts.map(({ isOpen }) => isOpen)).toEqual([true, true])
    await settled(host)
    expect((await host.ask('inbox.list', {})).inboxes.map(({ id }) => id)).toEqual([second.inboxId])
  })

  it('open the same demo on a second click, with progress', async () => {
    const host = openTestMachine().start()
    const [once, twice] = await Promise.all([host.ask('account.startDemo', {}), host.ask('account.startDemo', {})])
    expect(twice).toEqual(once)
    const told = host.events.flatMap(({ name, payload }) => (name === 'account.changed' ? [payload.demoProgress] : []))
    const steps = told.filter((each) => each !== null)
    expect(steps.length).toBeGreaterThan(5)
    expect(steps.at(-1)?.done).toBe(steps[0]?.total)
    expect((await host.ask('account.state', {})).demoProgress).toBeNull()
    await eventually(
      () => statusOf(host),
      ({ lastSyncAt }) => lastSyncAt !== null,
    )
  })
})

describe('a stored key', () => {
  it('goes only to the server that it was entered for', async () => {
    const { machine, host, accountId } = await connectOnce()
    await host.close()
    const other = await startTestPlatform()
    const settings = new StoredAccounts(machine.settings)
    const record = settings.find(accountId)
    if (record?.kind !== 'platform' || record.sealedKey === null) throw new Error('no key is kept')
    settings.keep({ ...record, baseUrl: other.baseUrl })
    const misled = machine.start()
    expect(await statusOf(misled)).toMatchObject({ connection: 'needsKey' })
    expect((await misled.ask('account.state', {})).accounts).toMatchObject([
      { id: accountId, problem: { code: 'key_missing' } },
    ])
    expect(other.requests()).toEqual([])
    await misled.close()
    settings.keep(record)
    await settled(machine.start())
  })
})

describe('a folder unknown to the settings', () => {
  /** A connected account with an unsent change, whose settings were lost. */
  const loseSettings = async () => {
    const made = await connectOnce()
    const { door, machine, host, platform } = made
    door.setOffline(true)
    const threadId = await archiveFirst(host, platform)
    await host.close()
    door.setOffline(false)
    machine.settings.values.clear()
    return { ...made, threadId }
  }

  it('is recognized by its inboxes with any key, and asked about', async () => {
    const { platform, door, machine, accountId, threadId } = await loseSettings()
    door.revoke(platform.apiKey)
    door.addKey('re_new', platform)
    const host = machine.start()
    expect(await host.ask('account.connect', { baseUrl: door.baseUrl, apiKey: 're_new' })).toBeNull()
    const { question } = await host.ask('account.state', {})
    expect(question?.candidates).toEqual([{ id: accountId, baseUrl: null, addresses: [platform.inboxAddress] }])
    await host.ask('account.decide', { decision: 'keep', accountId })
    await settled(host)
    expect(await folderOnPlatform(platform, threadId)).toBe('archive')
    expect(foldersOf(machine)).toEqual([accountId])
  })

  it('stays in place if it belongs to another account', async () => {
    const { machine, accountId } = await loseSettings()
    const other = await startTestPlatform()
    const host = machine.start()
    await host.ask('account.connect', { baseUrl: other.baseUrl, apiKey: other.apiKey })
    await settled(host)
    expect(foldersOf(machine)).toHaveLength(2)
    expect(foldersOf(machine)).toContain(accountId)
  })
})

describe('two hosts with the same data folder', () => {
  it('don’t open an account twice; the second can open it later', async () => {
    const { machine, host, platform, accountId } = await connectOnce()
    const second = machine.start()
    const { accounts, known } = await second.ask('account.state', {})
    expect(accounts.map(({ id, isOpen }) => [id, isOpen])).toEqual([[accountId, false]])
    expect(accounts[0]?.problem?.message).toBe(
      'Linnet is already open with this account. Close the other window first.',
    )
    expect(known.map(({ id }) => id)).toEqual([accountId])
    await host.close()
    await second.ask('account.open', { accountId })
    expect(await subjectsOf(second, platform)).toEqual(['Kept'])
  })
})
