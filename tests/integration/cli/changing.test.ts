import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { parseAppLink } from '../../../src/shared/app-link.ts'
import { ALL_INBOXES } from '../../../src/shared/unified-ids.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { eventually } from '../engine/support/eventually.ts'
import { startTestPlatform, type TestPlatform } from '../engine/support/test-platform.ts'
import type { TestHost } from '../host/support/test-host.ts'
import { connect, openDataFolder, type DataFolder } from './support/data-folder.ts'
import { jsonLines, LINNET, runInShell, runLinnet, type Ended } from './support/run-linnet.ts'

let folder: DataFolder
let platform: TestPlatform
beforeEach(async () => {
  folder = openDataFolder()
  platform = await startTestPlatform()
})

const linnet = (...args: readonly string[]): Promise<Ended> => runLinnet([...args, '--data', folder.directory])
const withKey = (...args: readonly string[]): Promise<Ended> =>
  runLinnet([...args, '--data', folder.directory], {
    LINNET_BASE_URL: platform.baseUrl,
    LINNET_API_KEY: platform.apiKey,
  })

interface PlatformThread {
  readonly id: string
  readonly subject: string
  readonly folder: string
  readonly read: boolean
  readonly labels: readonly { readonly name: string }[]
}
const threads = async (): Promise<readonly PlatformThread[]> =>
  (
    await platform.ask<{ data: readonly PlatformThread[] }>(
      'GET',
      `/inboxes/${platform.inboxId}/threads?limit=100&folders=inbox,archive,spam,sent,trash`,
    )
  ).data.toSorted((one, other) => one.subject.localeCompare(other.subject))
const foldersNow = async (): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries((await threads()).map(({ subject, folder: of }) => [subject, of]))

const deliver = async (...subjects: readonly string[]): Promise<void> => {
  for (const subject of subjects) await platform.deliver({ subject, text: `The text of ${subject}.` })
}
const ids = async (text: string): Promise<readonly string[]> =>
  jsonLines(await linnet('search', text, '--json')).map(({ id }) => String(id))

const fill = async (...subjects: readonly string[]): Promise<TestHost> => {
  await deliver(...subjects)
  return connect(folder, platform)
}
const label = async (name: string): Promise<void> => {
  await platform.ask('POST', `/inboxes/${platform.inboxId}/labels`, { name, color: '#AA3344' })
}

describe.each(['with a window open', 'alone'])('thread commands %s', (where) => {
  /** Waits until the platform has the changes, sent by the open window or the next one. */
  const settle = async (host: TestHost): Promise<TestHost> => {
    const open = where === 'alone' ? await connect(folder, platform) : host
    await eventually(
      () => open.ask('sync.status', {}),
      ({ pendingChanges }) => pendingChanges === 0,
    )
    return open
  }
  const prepare = async (...subjects: readonly string[]): Promise<TestHost> => {
    await label('Billing')
    const host = await fill(...subjects)
    if (where === 'alone') await host.close()
    return host
  }

  it('move exactly the threads that a search finds', async () => {
    const host = await prepare('Invoice one', 'Invoice two', 'Fog')
    const listed = await linnet('archive', 'invoice', '--dry-run')
    expect([listed.code, listed.out.trimEnd().split('\n').length]).toEqual([0, 2])
    expect(listed.err).toContain('2 threads would be archived')
    expect(jsonLines(await linnet('archive', 'invoice', '--dry-run', '--json'))).toMatchObject([
      { type: 'dry-run', subject: 'Invoice two' },
      { type: 'dry-run', subject: 'Invoice one' },
    ])
    expect(await ids('in:archive')).toEqual([])

    const archived = await linnet('archive', 'invoice', '--json')
    expect(archived.code, archived.err).toBe(0)
    expect(archived.err).toContain('2 threads archived.')
    expect(archived.err.includes('Linnet is not running')).toBe(where === 'alone')
    expect(jsonLines(archived)).toMatchObject([{ type: 'change', inbox: platform.inboxAddress, threads: 2 }])
    expect((await ids('in:archive')).length).toBe(2)
    const told = host.events.filter(({ name }) => name === 'change.commanded')
    const [{ changeId } = {}] = jsonLines(archived)
    expect(archived.err).toContain(`To undo: linnet undo ${String(changeId)}`)
    // The second one is for windows of all inboxes, where IDs include the account.
    const inAll = { accountId: ALL_INBOXES, payload: { changeId: expect.stringContaining(String(changeId)) as string } }
    expect(told).toMatchObject(
      where === 'alone' ? [] : [{ payload: { changeId, threads: 2, by: 'command line' } }, inAll],
    )
    const again = await linnet('archive', 'invoice')
    expect(again.err).toContain('Nothing to do')

    const open = await settle(host)
    expect(await foldersNow()).toEqual({ Fog: 'inbox', 'Invoice one': 'archive', 'Invoice two': 'archive' })
    await open.close()
  })

  it('accept thread and message IDs, also from stdin, and reject unknown ones', async () => {
    const host = await prepare('One', 'Two', 'Three')
    const [one = ''] = await ids('subject:one')
    const [two = ''] = await ids('subject:two')
    const wrong = await linnet('move', one, 'no-such', '--to', 'spam')
    expect(wrong.code).toBe(3)
    expect(wrong.err).toContain('no-such')
    expect(await ids('in:spam')).toEqual([])

    const [shown] = jsonLines(await linnet('show', two, '--json'))
    const [message] = (shown?.emails ?? []) as readonly { readonly id: string }[]
    expect((await linnet('move', one, String(message?.id), '--to', 'spam')).code).toBe(0)
    const piped = await runInShell(
      `linnet search subject:three --json --data '${folder.directory}' | sed 's/.*"id":"\\([^"]*\\)".*"emailCount".*/\\1/' | linnet star - --data '${folder.directory}'`,
    )
    expect(piped.code, piped.err).toBe(0)
    expect(await ids('is:starred')).toEqual(await ids('subject:three'))
    for (const word of ['null', 'three', '-']) {
      const strange = await runInShell(`echo ${word} | linnet move - --to trash --data '${folder.directory}'`)
      expect([strange.code, strange.err]).toEqual([3, expect.stringContaining('IDs not found') as string])
    }
    expect(await ids('in:trash')).toEqual([])
    const open = await settle(host)
    expect(await foldersNow()).toEqual({ One: 'spam', Three: 'inbox', Two: 'spam' })
    await open.close()
  })

  it('label, mark read and snooze threads, with undo', async () => {
    const host = await prepare('One', 'Two')
    const unknown = await linnet('label', 'subject:one', '--add', 'Bills')
    expect([unknown.code, unknown.out]).toEqual([3, ''])
    expect(unknown.err).toContain('Billing')
    expect((await linnet('label', 'subject:one', '--add', 'billing')).code).toBe(0)
    const read = await linnet('read', 'in:inbox', '--json')
    expect(jsonLines(read)).toMatchObject([{ threads: 2 }])
    expect((await linnet('unread', 'subject:two')).code).toBe(0)
    expect((await linnet('snooze', 'subject:two', '--until', 'in 3 days')).code).toBe(0)
    expect(await ids('in:snoozed')).toEqual(await ids('subject:two in:anywhere'))
    expect((await linnet('snooze', 'subject:two in:snoozed', '--until', 'now')).code).toBe(0)
    expect(await ids('in:snoozed')).toEqual([])

    const [change] = jsonLines(await linnet('label', 'subject:one', '--remove', 'Billing', '--json'))
    expect(await ids('label:billing')).toEqual([])
    expect((await linnet('undo', String(change?.changeId))).code).toBe(0)
    expect(await ids('label:billing')).toEqual(await ids('subject:one'))
    expect((await linnet('undo', 'no-such')).code).toBe(3)

    const open = await settle(host)
    expect(await threads()).toMatchObject([
      { subject: 'One', read: true, labels: [{ name: 'Billing' }] },
      { subject: 'Two', read: false, labels: [] },
    ])
    await open.close()
  })

  it('create a missing label on request, with undo', async () => {
    const host = await prepare('One', 'Two')
    const create = ['label', 'subject:one', '--create', '--add', 'Bills', '--add', 'Billing'] as const
    const listed = await linnet(...create, '--dry-run')
    expect(listed.err).toContain('The label “Bills” would be created.')
    const tooLong = await linnet('label', 'subject:one', '--create', '--add', 'x'.repeat(1_000))
    expect([tooLong.code, tooLong.out]).toEqual([2, ''])
    expect((await linnet(...create)).code).toBe(0)
    // Without a window, an unsent label can't be searched yet.
    expect(await ids('label:bills')).toEqual(where === 'alone' ? [] : await ids('subject:one'))
    const again = await linnet('label', 'subject:one', '--create', ...['--add', ' Bills ', '--add', 'bills'])
    expect([again.code, again.err]).toEqual([0, expect.stringContaining('Nothing to do') as string])
    const twice = await linnet('label', 'in:inbox', '--create', ...['--add', 'Quay', '--add', ' quay'], '--dry-run')
    expect([twice.code, twice.err.split('would be created').length - 1]).toEqual([0, 1])
    const [change, made] = jsonLines(await linnet('label', 'subject:two', '--create', '--add', 'Quay', '--json'))
    for (const each of [change, made]) expect((await linnet('undo', String(each?.changeId))).code).toBe(0)

    const open = await settle(host)
    expect((await threads()).map(({ labels }) => labels.map(({ name }) => name).toSorted())).toEqual([
      ['Billing', 'Bills'],
      [],
    ])
    const there = await platform.ask<{ data: readonly { name: string }[] }>(
      'GET',
      `/inboxes/${platform.inboxId}/labels`,
    )
    expect(there.data.map(({ name }) => name).toSorted()).toEqual(['Billing', 'Bills'])
    await open.close()
  })

  it('apply concurrent changes exactly once while a window starts', async () => {
    const host = await prepare('One', 'Two', 'Three', 'Four')
    const commands = [
      linnet('archive', 'subject:one'),
      linnet('star', 'subject:two'),
      linnet('move', 'subject:three', '--to', 'trash'),
      linnet('read', 'subject:four'),
    ]
    for (const ended of await Promise.all(commands)) expect(ended.code, ended.err).toBe(0)
    const open = await settle(host)
    expect(await threads()).toMatchObject([
      { subject: 'Four', folder: 'inbox', read: true },
      { subject: 'One', folder: 'archive', read: false },
      { subject: 'Three', folder: 'trash' },
      { subject: 'Two', folder: 'inbox' },
    ])
    await open.close()
  })

  it('change all threads or none when killed, and send what they changed', async () => {
    const subjects = Array.from({ length: 30 }, (_, at) => `Letter ${String(at).padStart(2, '0')}`)
    let host = await prepare(...subjects)
    for (const [round, after] of [20, 150, 250, 350, 450].entries()) {
      const to = round % 2 === 0 ? 'archive' : 'inbox'
      const child = spawn(process.execPath, [LINNET, 'move', 'letter', '--to', to, '--data', folder.directory], {
        stdio: 'ignore',
      })
      const gone = new Promise((resolve) => child.once('exit', resolve))
      await new Promise((resolve) => setTimeout(resolve, after))
      child.kill('SIGKILL')
      await gone
      host = await settle(host)
      const folders = Object.values(await foldersNow())
      expect(new Set(folders).size, `killed after ${after} ms: ${folders.join()}`).toBe(1)
      if (where === 'alone') await host.close()
    }
    if (where !== 'alone') await host.close()
  })
})

describe('linnet draft and send', () => {
  const write = (args: string, text: string): Promise<Ended> =>
    runInShell(`printf '%s' '${text}' | linnet draft ${args} --data '${folder.directory}'`)
  const sent = async () =>
    (await platform.ask<{ data: readonly { subject: string; to: readonly string[] }[] }>('GET', '/emails')).data

  it('keeps a message, shows it, and sends it after confirmation', async () => {
    const host = await fill('Question')
    const kept = await write(`--to 'Bo <bo@example.com>' --subject 'Hello there'`, 'The fog is late.')
    expect(kept.code, kept.err).toBe(0)
    const id = kept.out.trim()
    expect(await host.ask('draft.open', { draftId: id })).toMatchObject({
      content: { subject: 'Hello there', text: 'The fog is late.', to: [{ name: 'Bo', address: 'bo@example.com' }] },
    })
    const asked = await linnet('send', id)
    expect(asked.code).toBe(2)
    expect(asked.err).toContain('To: Bo <bo@example.com>')
    const tried = await linnet('send', id, '--yes', '--dry-run')
    expect(tried).toMatchObject({ code: 0, err: asked.err })
    expect(await sent()).toEqual([])
    const done = await linnet('send', id, '--yes', '--json')
    expect(done.code, done.err).toBe(0)
    expect(jsonLines(done)).toMatchObject([{ type: 'send', draft: id, state: 'sent' }])
    expect(await sent()).toMatchObject([{ subject: 'Hello there', to: [expect.stringContaining('bo@example.com')] }])
    expect((await linnet('send', id, '--yes')).code).toBe(3)
  })

  it('replies to a thread with a file, and leaves no draft if the file is unreadable', async () => {
    const host = await fill('Question')
    const [question = ''] = await ids('subject:question')
    const file = join(temporaryDirectory(), 'notes.txt')
    writeFileSync(file, 'Notes on fog.')
    const kept = await write(`--reply ${question} --attach ${file} --json`, 'An answer.')
    expect(kept.code, kept.err).toBe(0)
    const [{ id = '' } = {}] = jsonLines(kept)
    expect(await host.ask('draft.open', { draftId: String(id) })).toMatchObject({
      kind: 'reply',
      target: { threadId: question },
      content: {
        subject: 'Re: Question',
        to: [{ address: 'ada@example.com' }],
        files: [{ filename: 'notes.txt', size: 13 }],
      },
    })
    const before = await host.ask('draft.list', { cacheOnly: true })
    expect((await write(`--reply ${question} --attach ${file}.gone`, 'x')).code).toBe(1)
    expect(await host.ask('draft.list', { cacheOnly: true })).toHaveLength(before.length)
    expect((await write('--reply no-such', 'x')).code).toBe(3)
    expect((await write('--to nobody', 'x')).code).toBe(2)
  })

  it('queues a message while Linnet isn’t running, and sends it once later', async () => {
    await (await fill('Question')).close()
    const first = (await write('--to bo@example.com --subject First', 'One.')).out.trim()
    const waiting = await linnet('send', first, '--yes')
    expect(waiting.code, waiting.err).toBe(0)
    expect(waiting.err).toContain('is in the outbox')
    expect(await sent()).toEqual([])
    const second = (await write('--to bo@example.com --subject Second', 'Two.')).out.trim()
    const done = await withKey('send', second, '--yes')
    expect(done.err).toContain('Sent.')
    const host = await connect(folder, platform)
    await eventually(sent, (all) => all.length === 2)
    expect((await sent()).map(({ subject }) => subject).toSorted()).toEqual(['First', 'Second'])
    await host.close()
  })

  it('shows the platform’s rejection and keeps the draft', async () => {
    const host = await fill('Question')
    const id = (await write('--subject Nobody', 'To nobody.')).out.trim()
    const refused = await linnet('send', id, '--yes')
    expect(refused.code).toBe(1)
    expect(await host.ask('draft.open', { draftId: id })).toMatchObject({ id })
  })
})

describe('linnet watch', () => {
  const watch = (
    ...args: readonly string[]
  ): { child: ChildProcess; said: { out: string; err: string }; code: Promise<number | null> } => {
    const child = spawn(process.execPath, [LINNET, 'watch', ...args, '--data', folder.directory], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const said = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text))
    return { child, said, code: new Promise((resolve) => child.once('close', resolve)) }
  }

  it('prints each new match once, and stops with Ctrl+C or Linnet', async () => {
    const host = await fill('Old fog')
    const { child, said, code } = watch('fog', '--json')
    await eventually(
      () => said.err,
      (err) => err.includes('Watching'),
    )
    await platform.deliver({ subject: 'New fog' })
    await platform.deliver({ subject: 'Tide' })
    await host.ask('sync.now', {})
    await eventually(
      () => said.out,
      (out) => out.includes('New fog'),
    )
    await platform.deliver({ subject: 'Newest fog' })
    await host.ask('sync.now', {})
    await eventually(
      () => said.out,
      (out) => out.includes('Newest fog'),
    )
    const lines = said.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; subject: string })
    expect(lines.map(({ type, subject }) => [type, subject])).toEqual([
      ['thread', 'New fog'],
      ['thread', 'Newest fog'],
    ])
    child.kill('SIGINT')
    expect(await code).toBe(130)

    const second = watch('fog')
    await eventually(
      () => second.said.err,
      (err) => err.includes('Watching'),
    )
    await host.close()
    expect(await second.code).toBe(1)
    expect(second.said.err).toContain('Linnet was closed')
    const none = await linnet('watch', 'fog')
    expect(none.code).toBe(1)
    expect(none.err).toContain('not running')
    expect((await linnet('watch', 'from:')).code).not.toBe(0)
  })
})

describe('linnet open', () => {
  it('shows a thread, search or link in the window, or says that none is running', async () => {
    const host = await fill('Question')
    const [question = ''] = await ids('subject:question')
    expect((await linnet('open', question)).code).toBe(0)
    expect(await host.ask('link.take', {})).toEqual({ kind: 'thread', inboxId: platform.inboxId, threadId: question })
    expect((await linnet('open', 'from:ann is:unread')).code).toBe(0)
    expect(await host.ask('link.take', {})).toMatchObject({ kind: 'search', query: 'from:ann is:unread' })
    expect((await linnet('open', 'mailto:bo@example.com')).code).toBe(0)
    expect(await host.ask('link.take', {})).toMatchObject({ kind: 'compose' })
    await host.close()
    const none = await linnet('open', question)
    expect(none.code).toBe(1)
    expect(none.err).toContain('linnet://thread/')
  })

  // Only Linux opens links with an executable that a test can replace.
  it.runIf(process.platform === 'linux')('starts the installed app if none is running', async () => {
    await (await fill('Question')).close()
    const [question = ''] = await ids('subject:question')
    const place = temporaryDirectory()
    const data = join(place, 'Linnet')
    symlinkSync(folder.directory, data)
    const open = async (what: string, code: number) => {
      writeFileSync(join(place, 'xdg-open'), `#!/bin/sh\necho "$1" > '${place}/opened'\nexit ${code}\n`, {
        mode: 0o755,
      })
      const env = { XDG_CONFIG_HOME: place, PATH: `${place}:${process.env.PATH ?? ''}` }
      const ended = await runLinnet(['open', what, '--data', data], env)
      return [ended.code, readFileSync(join(place, 'opened'), 'utf8').trim()]
    }
    expect(await open(question, 0)).toEqual([0, `linnet://thread/${platform.inboxId}/${question}`])
    expect(await open('is:unread', 0)).toEqual([0, 'linnet://search?query=is%3Aunread'])
    const compose = 'linnet://compose?to=bo@example.com&subject=A%20b'
    expect(await open('mailto:bo@example.com?subject=A%20b', 0)).toEqual([0, compose])
    expect(parseAppLink(compose)).toMatchObject({ kind: 'compose' })
    // No app handles such links.
    expect((await open(question, 3))[0]).toBe(1)
  })
})
