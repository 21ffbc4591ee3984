/** `linnet mcp` as an assistant sees it: through the protocol's own client over stdio. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { QUOTED_FIELDS_WARNING } from '../../../src/cli/mcp/answers.ts'
import { OWN_NAME } from '../../../src/engine/own/account-files.ts'
import { StoredAccounts } from '../../../src/host/stored-accounts.ts'
import { openSettingsFile } from '../../../src/host/settings-file.ts'
import { SETTINGS_NAME } from '../../../src/host/settings-names.ts'
import type { AssistantAccess } from '../../../src/shared/assistants.ts'
import type { Folder } from '../../../src/shared/model.ts'
import { filesUnder } from '../../support/files-under.ts'
import { eventually } from '../engine/support/eventually.ts'
import { startTestPlatform, type TestPlatform } from '../engine/support/test-platform.ts'
import type { TestHost } from '../host/support/test-host.ts'
import { startAssistant } from './support/assistant.ts'
import { connect, openDataFolder, type DataFolder } from './support/data-folder.ts'
import { LINNET } from './support/run-linnet.ts'

interface Place {
  readonly folder: DataFolder
  readonly platform: TestPlatform
  readonly host: TestHost
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const NOTHING: AssistantAccess = { folders: [], lists: [] }
const turnOn = (
  { host, platform }: Place,
  folders: readonly Folder[],
  lists: AssistantAccess['lists'] = [],
): Promise<unknown> =>
  host.ask('assistant.setAccess', { folders: folders.map((folder) => ({ inboxId: platform.inboxId, folder })), lists })

/** Local mail: a thread in each of two folders, one with an attachment, one with a reply, and a contact. */
const prepare = async (): Promise<Place> => {
  const folder = openDataFolder()
  const platform = await startTestPlatform()
  await platform.ask('POST', `/inboxes/${platform.inboxId}/labels`, { name: 'Billing', color: '#AA3344' })
  await platform.ask('POST', '/contacts', { email: 'ada@example.com', first_name: 'Ada' })
  await platform.ask('POST', '/topics', { name: 'News', default_subscription: 'opt_in' })
  await platform.deliver({
    subject: 'Invoice',
    text: 'Please pay 40.',
    attachments: [
      { filename: 'bill.csv', content: 'what,how much\nropes,40\n' },
      { filename: 'bill.png', content: Buffer.from([0x89, 0x50, 0x4e, 0x47]) },
    ],
  })
  await platform.deliver({ subject: 'Fog', text: 'It is foggy.' })
  const sent = { from: platform.inboxAddress, to: ['ben@example.com'], subject: 'Receipt', text: 'Thank you.' }
  await platform.ask('POST', '/emails', sent)
  const host = await connect(folder, platform)
  return { folder, platform, host }
}

const threadOf = async ({ host, platform }: Place, subject: string): Promise<string> => {
  const { items } = await host.ask('thread.list', {
    query: {
      ...{ inboxIds: [platform.inboxId], folders: ['inbox', 'archive', 'sent', 'spam', 'trash'], text: [], from: [] },
      ...{ to: [], cc: [], bcc: [], hasAttachment: null, kinds: null, since: null, until: null, labelIds: [] },
      ...{ assignedTo: null, notAssignedTo: [], read: null, dropped: null },
    },
    offset: 0,
    limit: 50,
  })
  const found = items.find((thread) => thread.subject === subject)
  if (found === undefined) throw new Error(`There is no thread ${subject}.`)
  return found.id
}

const move = async (place: Place, subject: string, folder: 'archive' | 'spam'): Promise<void> => {
  const { host, platform } = place
  const threadIds = [await threadOf(place, subject)]
  await host.ask('thread.change', { inboxId: platform.inboxId, threadIds, change: { folder } })
  await eventually(
    () => host.ask('sync.status', {}),
    ({ pendingChanges }) => pendingChanges === 0,
  )
}

/** Rows of the user's own data, apart from those of assistants and the number of writes. */
const ownRowsIn = (file: string): string => {
  const database = new Database(file, { readonly: true })
  try {
    const tables = database.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all()
    const others = tables.filter((name) => !/^(?:assistant_|state$|sqlite_)/.test(name))
    return JSON.stringify(others.map((name) => database.prepare(`SELECT * FROM ${name}`).all()))
  } finally {
    database.close()
  }
}

/** Digests by path of all files in the data folder, except SQLite's shared memory. */
const digests = ({ folder }: Place): Readonly<Record<string, string>> =>
  Object.fromEntries(
    filesUnder(folder.directory)
      .filter((file) => !/own\.sqlite-wal|-shm$/.test(file))
      .filter((file) => !file.endsWith('-wal') || statSync(join(folder.directory, file)).size > 0)
      .map((file) => [
        file,
        createHash('sha256')
          .update(
            file.endsWith(OWN_NAME)
              ? ownRowsIn(join(folder.directory, file))
              : readFileSync(join(folder.directory, file)),
          )
          .digest('hex'),
      ]),
  )

interface Spoken {
  readonly id: number | null
  readonly result?: object
  readonly error?: object
}
/** Writes lines to a server and closes its input. @returns all lines of its output */
const speak = async (directory: string, lines: readonly (object | string)[]): Promise<readonly Spoken[]> => {
  const child = spawn(process.execPath, [LINNET, 'mcp', '--data', directory], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  const spoken: Spoken[] = []
  const ended = (async () => {
    for await (const line of createInterface({ input: child.stdout })) spoken.push(JSON.parse(line) as Spoken)
  })()
  for (const line of lines) child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
  await eventually(
    () => spoken.length,
    (count) => count >= lines.length,
  )
  child.stdin.end()
  await ended
  return spoken
}

describe('an assistant', () => {
  it('lists and calls every tool, and reading changes no files', async () => {
    const place = await prepare()
    await turnOn(place, ['inbox', 'archive', 'sent', 'spam', 'trash'], ['received', 'sent', 'contacts'])
    const invoice = await threadOf(place, 'Invoice')
    await place.host.ask('contact.refreshCatalog', {})
    // The raw sources of stored mail download automatically.
    await eventually(
      () =>
        filesUnder(place.folder.directory)
          // Skip incomplete files, which are renamed when complete.
          .filter((file) => !file.endsWith('.part'))
          .map((file) => readFileSync(join(place.folder.directory, file), 'latin1')),
      (files) => files.some((file) => /^Content-Disposition: attachment; filename=bill\.csv/m.test(file)),
    )
    await place.host.close()
    const before = digests(place)
    const { client, call } = await startAssistant(place.folder.directory)

    const { tools } = await client.listTools()
    const called = new Set<string>()
    const ask = async (name: string, input: Readonly<Record<string, unknown>> = {}) => {
      called.add(name)
      const answer = await call(name, input)
      expect([name, answer.isError, answer.data.note]).toEqual([name, false, QUOTED_FIELDS_WARNING])
      expect(JSON.parse(answer.text)).toEqual(answer.data)
      return answer.data
    }
    const { accounts } = await ask('list_inboxes')
    expect(accounts).toMatchObject([
      {
        lists: ['received', 'sent', 'contacts'],
        inboxes: [{ address: place.platform.inboxAddress, unreadThreads: 2, labels: [{ name: 'Billing' }] }],
      },
    ])
    const found = await ask('search_mail', { query: 'invoice is:unread', explain: true })
    expect(found).toMatchObject({
      threads: [{ id: invoice, folder: 'inbox', isRead: false, messages: 1, quoted: { subject: 'Invoice' } }],
      hasMore: false,
      understood: { parts: [{ typed: 'invoice' }, {}, { typed: 'is:unread' }] },
    })
    expect(await ask('list_threads', { limit: 1 })).toMatchObject({ hasMore: true })
    expect(await ask('search_mail', { query: 'fog', list: 'received' })).toMatchObject({
      messages: [{ list: 'received', quoted: { subject: 'Fog' } }],
    })
    const thread = await ask('read_thread', { thread: invoice })
    const [message] = thread.messages
    expect(message).toMatchObject({
      isSentFromHere: false,
      attachments: [{ quoted: { name: 'bill.csv' } }, { quoted: { name: 'bill.png' } }],
      text: { isHere: true, madeOf: 'text' },
      quoted: { subject: 'Invoice', from: 'ada@example.com', text: 'Please pay 40.' },
    })
    expect(await ask('read_message', { message: message?.id })).toMatchObject({ thread: invoice })
    expect(await ask('list_contacts', { query: 'ada' })).toMatchObject({
      contacts: [{ quoted: { address: 'ada@example.com', name: 'Ada' } }],
      total: 1,
    })
    expect(await ask('list_topics')).toMatchObject({ topics: [{ name: 'News' }] })
    const [table, picture] = message?.attachments ?? []
    expect(await ask('read_attachment', { message: message?.id, attachment: table?.id })).toMatchObject({
      quoted: { name: 'bill.csv', text: 'what,how much\nropes,40\n' },
    })
    expect(await call('read_attachment', { message: message?.id, attachment: picture?.id })).toEqual({
      ...{ isError: true, data: {}, text: 'Only text attachments can be read.' },
    })
    const [receipt] = (await ask('search_mail', { query: 'receipt', list: 'sent' })).messages
    expect(JSON.stringify(await ask('message_status', { message: receipt?.id }))).toMatch(
      /"status":"(?:sent|delivered)"/,
    )
    expect((await call('message_status', { message: message?.id })).text).toBe(
      'Only sent messages have a delivery status. This message was received.',
    )

    const { resources } = await client.listResources()
    expect(resources).toHaveLength(2)
    const { contents } = await client.readResource({ uri: resources[0]?.uri ?? '' })
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ thread: { link: resources[0]?.uri } })
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1)
    const { prompts } = await client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(['summarise', 'draft_answer'])
    for (const { name } of prompts) {
      const { messages } = await client.getPrompt({ name, arguments: { thread: invoice } })
      expect(messages.map(({ content }) => content.type)).toEqual(['text', 'resource'])
    }

    expect(digests(place)).toEqual(before)
    const proposals = ['propose_labels', 'propose_move', 'propose_draft']
    await ask('propose_labels', { threads: [invoice], add: ['billing'], reason: 'It is a bill.' })
    await ask('propose_move', { threads: [invoice], folder: 'archive' })
    await ask('propose_draft', { answers: invoice, text: 'Paid.' })
    expect((await ask('list_proposals')).proposals).toMatchObject([
      { kind: 'labels', state: 'open' },
      { kind: 'move', state: 'open' },
      { kind: 'draft', state: 'open' },
    ])
    expect(digests(place)).toEqual(before)
    expect([...called].toSorted()).toEqual(tools.map(({ name }) => name).toSorted())
    expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name)).toEqual(
      proposals,
    )
  })

  it('reads nothing until the user enables it per folder, and is told why', async () => {
    const place = await prepare()
    await move(place, 'Fog', 'archive')
    const [invoice, fog] = [await threadOf(place, 'Invoice'), await threadOf(place, 'Fog')]
    const { call } = await startAssistant(place.folder.directory)
    const refusals = async (): Promise<readonly string[]> => {
      const asked = [
        call('list_inboxes'),
        call('search_mail', { query: 'in:anywhere fog' }),
        call('list_threads', { folder: 'archive' }),
        call('read_thread', { thread: fog }),
        call('propose_move', { threads: [fog], folder: 'trash' }),
        call('search_mail', { query: 'fog', list: 'received' }),
        call('search_mail', { query: 'fog', list: 'sent' }),
        call('list_contacts'),
        call('list_topics'),
      ]
      return (await Promise.all(asked)).map(({ isError, text }) => (isError ? text : 'answered'))
    }
    for (const text of await refusals()) expect(text).toMatch(/turned on for assistants.*Settings, Assistant apps/)

    await turnOn(place, ['inbox'])
    const now = await refusals()
    expect(now.filter((text) => text === 'answered')).toEqual(['answered', 'answered'])
    expect(now[3]).toContain('This mail is in “archive”')
    const anywhere = await call('search_mail', { query: 'in:anywhere foggy' })
    expect(anywhere.data).toMatchObject({
      threads: [],
      notes: [expect.stringContaining('archive, spam, sent, trash not searched')],
    })
    expect((await call('read_thread', { thread: invoice })).isError).toBe(false)

    // "All received" is enabled separately.
    await turnOn(place, [], ['received'])
    expect((await call('search_mail', { query: 'fog', list: 'received' })).data.messages).toHaveLength(1)
    expect((await call('read_thread', { thread: invoice })).text).toContain('is not turned on')

    await place.host.ask('assistant.setAccess', NOTHING)
    for (const text of await refusals()) expect(text).toContain('turned on for assistants')
    const calls = await place.host.ask('assistant.calls', { before: null, limit: 200 })
    // The first nine calls predate the log.
    expect(calls.filter(({ isRefused }) => isRefused).map(({ tool }) => tool)).toHaveLength(7 + 1 + 9)
    expect(calls[0]).toMatchObject({ client: 'tester 1.0', isRefused: true })
    expect(calls.map(({ asked }) => asked).join()).toContain('in:anywhere foggy')
  })

  it('notices revoked access at once, and windows are notified of its calls', async () => {
    const place = await prepare()
    await turnOn(place, ['inbox'])
    const { call } = await startAssistant(place.folder.directory)
    const invoice = await threadOf(place, 'Invoice')
    const heardBefore = place.host.events.length
    const { data } = await call('propose_labels', { threads: [invoice], add: ['Billing'] })
    await eventually(
      () => place.host.events.slice(heardBefore).some(({ name }) => name === 'assistants.changed'),
      (isHeard) => isHeard,
    )
    const [proposal] = await place.host.ask('assistant.proposals', {})
    expect(proposal).toMatchObject({ id: data.proposal, client: 'tester 1.0', change: { kind: 'labels' } })
    await place.host.ask('assistant.decide', { id: data.proposal, decision: 'dismissed' })
    expect((await call('list_proposals', { proposal: data.proposal })).data.proposals).toMatchObject([
      { state: 'dismissed' },
    ])
    await place.host.ask('assistant.setAccess', NOTHING)
    expect((await call('list_inboxes')).isError).toBe(true)
  })

  it.each(['disconnected', 'removed', 'without its folder'])('gets nothing from an account that is %s', async (how) => {
    const place = await prepare()
    await turnOn(place, ['inbox'], ['received', 'contacts'])
    const invoice = await threadOf(place, 'Invoice')
    const { call } = await startAssistant(place.folder.directory)
    expect((await call('read_thread', { thread: invoice })).isError).toBe(false)
    const { accounts } = await place.host.ask('account.state', {})
    const accountId = accounts[0]?.id ?? ''
    if (how === 'without its folder') {
      await place.host.close()
      rmSync(join(place.folder.directory, 'accounts', accountId), { recursive: true })
    } else {
      await place.host.ask(how === 'removed' ? 'account.remove' : 'account.disconnect', { accountId })
    }
    for (const [tool, input] of [
      ['list_inboxes', {}],
      ['read_thread', { thread: invoice }],
      ['search_mail', { query: 'invoice' }],
      ['search_mail', { query: 'invoice', list: 'received' }],
      ['list_contacts', {}],
      ['propose_move', { threads: [invoice], folder: 'trash' }],
    ] as const) {
      const { isError, text } = await call(tool, input)
      expect([tool, isError, text]).toEqual([tool, true, expect.not.stringContaining('Invoice')])
    }
  })

  it('has every argument logged, however long the others are', async () => {
    const place = await prepare()
    await turnOn(place, ['inbox'])
    const { call } = await startAssistant(place.folder.directory)
    const to = ['eve@evil.example', 'mallory@evil.example', 'oscar@another.evil.example']
    const [cc, subject] = [['trent@evil.example'], 'x'.repeat(900)]
    await call('propose_draft', { text: '"\\'.repeat(20_000), subject, reason: 'y'.repeat(400), to, cc })
    const [noted] = await place.host.ask('assistant.calls', { before: null, limit: 1 })
    expect(JSON.parse(noted?.asked ?? '')).toMatchObject({ to, cc, subject: expect.stringMatching(/^x+…$/) as string })
    for (const [tool, input] of [
      ['no_such_tool', {}],
      ['read_thread', { thread: 'none' }],
    ] as const) {
      await call(tool, input)
      expect(await place.host.ask('assistant.calls', { before: null, limit: 1 })).toMatchObject([
        { tool, isRefused: true },
      ])
    }
  })

  it('is told if topics aren’t known yet', async () => {
    const place = await prepare()
    await turnOn(place, [], ['contacts'])
    const { accounts } = await place.host.ask('account.state', {})
    const accountId = accounts[0]?.id ?? ''
    await place.host.close()
    const cache = new Database(join(place.folder.directory, 'accounts', accountId, 'cache.sqlite'))
    cache.exec("DELETE FROM payloads WHERE name = 'topics'")
    cache.close()
    const { call } = await startAssistant(place.folder.directory)
    expect((await call('list_topics')).data).toMatchObject({ topics: [], notFetchedYet: [accountId] })
  })

  it('gets correct responses to many concurrent calls', async () => {
    const place = await prepare()
    await turnOn(place, ['inbox'])
    // Make the account like one from the environment, which is open while Linnet runs.
    const settings = new StoredAccounts(openSettingsFile(join(place.folder.directory, `${SETTINGS_NAME}.json`)))
    const { accounts } = await place.host.ask('account.state', {})
    const record = settings.find(accounts[0]?.id ?? '')
    if (record?.kind !== 'platform') throw new Error('no account')
    settings.keep({ ...record, isConnected: false })
    const { call } = await startAssistant(place.folder.directory)
    const answers = await Promise.all(Array.from({ length: 100 }, () => call('list_threads')))
    expect(answers.filter(({ isError }) => isError)).toEqual([])
  })

  it('can use the current protocol without a handshake, or an older one with it', async () => {
    const place = await prepare()
    await turnOn(place, ['inbox'])
    const meta = (version: string) => ({
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '2' },
    })
    const now = { _meta: meta('2026-07-28') }
    const message = (id: number, method: string, params?: object) => ({ jsonrpc: '2.0', id, method, params })
    const answers = await speak(place.folder.directory, [
      message(1, 'tools/list'),
      message(2, 'server/discover', now),
      message(3, 'tools/call', { ...now, name: 'list_threads', arguments: {} }),
      message(4, 'tools/list', { _meta: meta('1900-01-01') }),
      message(5, 'no/such', now),
      [message(6, 'tools/list', now)],
      'not JSON',
      message(7, 'tools/list', now),
      message(8, 'initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'old', version: '1' },
      }),
      message(9, 'tools/list'),
    ])
    const of = (id: number) => answers.find((each) => each.id === id)
    expect(of(1)).toMatchObject({ error: { code: -32_600 } })
    expect(of(2)).toMatchObject({
      result: {
        resultType: 'complete',
        supportedVersions: expect.arrayContaining(['2026-07-28', '2025-11-25']) as string[],
        capabilities: { tools: {}, resources: {}, prompts: {} },
        cacheScope: 'private',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'linnet' } },
      },
    })
    expect(of(3)).toMatchObject({ result: { resultType: 'complete', structuredContent: { threads: [{}, {}] } } })
    expect(of(4)).toMatchObject({
      error: {
        code: -32_022,
        data: { requested: '1900-01-01', supported: expect.arrayContaining(['2026-07-28']) as string[] },
      },
    })
    expect(of(5)).toMatchObject({ error: { code: -32_601 } })
    expect(answers.filter(({ id }) => id === null)).toMatchObject([
      { error: { code: -32_600 } },
      { error: { code: -32_700 } },
    ])
    expect(of(7)).toMatchObject({ result: { resultType: 'complete' } })
    expect(of(9)?.result).not.toHaveProperty('resultType')
    expect(await place.host.ask('assistant.calls', { before: null, limit: 5 })).toMatchObject([{ client: 'modern 2' }])
  })

  it('gets nothing if calls can’t be logged or the access file is damaged', async () => {
    const place = await prepare()
    await turnOn(place, ['inbox'])
    const invoice = await threadOf(place, 'Invoice')
    const { accounts } = await place.host.ask('account.state', {})
    const file = join(place.folder.directory, 'accounts', accounts[0]?.id ?? '', OWN_NAME)
    const { call } = await startAssistant(place.folder.directory)
    const database = new Database(file)
    database.exec("CREATE TRIGGER full BEFORE INSERT ON assistant_calls BEGIN SELECT RAISE(FAIL, 'disk full'); END")
    expect(await call('read_thread', { thread: invoice })).toMatchObject({ isError: true, data: {} })
    database.exec('DROP TRIGGER full')
    database.close()
    expect((await call('read_thread', { thread: invoice })).isError).toBe(false)

    await place.host.close()
    writeFileSync(file, 'no database any more')
    // The first assistant's process keeps the log open.
    for (const ending of ['-wal', '-shm']) rmSync(`${file}${ending}`, { force: true })
    const { isError, text } = await (
      await startAssistant(place.folder.directory)
    ).call('read_thread', { thread: invoice })
    expect([isError, text]).toEqual([true, expect.not.stringContaining('Invoice')])
  })

  it('gets results from other accounts if one is unreadable, with a note', async () => {
    const place = await prepare()
    await turnOn(place, ['inbox'])
    const other = await startTestPlatform()
    await other.deliver({ subject: 'Receipt', text: 'Hello' })
    const second = { ...place, platform: other }
    await place.host.ask('account.connect', { baseUrl: other.baseUrl, apiKey: other.apiKey })
    await eventually(
      () => threadOf(second, 'Receipt').catch(() => null),
      (id) => id !== null,
    )
    await turnOn(second, ['inbox'])
    const { accounts } = await place.host.ask('account.state', {})
    await place.host.close()
    const { call } = await startAssistant(place.folder.directory)
    const subjects = async () => ((await call('list_threads')).text.match(/"subject":"\w+"/g) ?? []).toSorted()
    expect(await subjects()).toEqual(['"subject":"Fog"', '"subject":"Invoice"', '"subject":"Receipt"'])
    const id = accounts.find(({ baseUrl }) => baseUrl === other.baseUrl)?.id ?? ''
    const file = join(place.folder.directory, 'accounts', id, 'cache.sqlite')
    rmSync(file)
    writeFileSync(file, 'no database any more')
    expect(await subjects()).toEqual(['"subject":"Fog"', '"subject":"Invoice"'])
    expect((await call('list_inboxes')).data).toMatchObject({ unreadable: [{ account: id }] })
    expect((await call('list_threads', { account: id })).isError).toBe(true)
  })

  it('leaves nothing behind when killed or disconnected, and others continue', async () => {
    const place = await prepare()
    await turnOn(place, ['inbox'])
    const invoice = await threadOf(place, 'Invoice')
    const servers = await Promise.all(
      ['one', 'two', 'three'].map((name) => startAssistant(place.folder.directory, name)),
    )
    const [one, two, three] = servers
    const asked = servers.flatMap(({ call }) =>
      Array.from({ length: 20 }, (_, place) =>
        (place % 2 === 0
          ? call('read_thread', { thread: invoice })
          : call('propose_draft', { answers: invoice, text: `Draft ${place}` })
        ).catch(() => null),
      ),
    )
    process.kill(one?.pid ?? 0, 'SIGKILL')
    await two?.close()
    await Promise.all(asked)
    expect((await three?.call('list_proposals'))?.data.proposals).toHaveLength(10)
    const calls = await place.host.ask('assistant.calls', { before: null, limit: 200 })
    expect(calls.filter(({ client }) => client.startsWith('three'))).toHaveLength(21)
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length)
    await eventually(
      () => [one, two].map((server) => isAlive(server?.pid ?? 0)),
      (alive) => !alive.includes(true),
    )
  })
})
