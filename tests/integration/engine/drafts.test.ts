import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CACHE_NAME, OWN_NAME, OWN_SNAPSHOT_NAME } from '../../../src/engine/own/account-files.ts'
import type { DraftContent } from '../../../src/shared/drafts.ts'
import { MESSAGE_LIMITS } from '../../../src/shared/message-limits.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { eventually } from './support/eventually.ts'
import { startRecordingProxy } from './support/recording-proxy.ts'
import { startInterceptingProxy } from './support/intercepting-proxy.ts'
import { openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const written = (text: string, change: Partial<DraftContent> = {}): DraftContent => ({
  to: [{ name: 'Ada Ferro', address: 'ada@example.com' }],
  cc: [],
  bcc: [],
  subject: 'Berth for the Kittiwake',
  format: 'plain',
  html: '',
  text,
  quote: null,
  files: [],
  ...change,
})

const person = (at: number) => ({ name: null, address: `p${at}@example.com` })

const openOne = async () => {
  const platform = await startTestPlatform()
  const engine = await openSettledEngine(platform)
  const begin = (content = written('From Tuesday.')) =>
    engine.call('draft.create', { inboxId: platform.inboxId, kind: 'new', target: null, content })
  return { platform, engine, begin }
}

const textsOf = async (engine: TestEngine): Promise<readonly string[]> =>
  (await engine.call('draft.list', {})).map(({ snippet }) => snippet)

const upload = (engine: TestEngine, draftId: string, filename: string, pieces: readonly Buffer[], name = filename) =>
  pieces.reduce(
    (before, piece, place) =>
      before.then(() =>
        engine.call('draft.addFile', {
          ...{ draftId, upload: name, place, filename, contentType: 'text/plain', isInline: false },
          base64: piece.toString('base64'),
          isLast: place === pieces.length - 1,
        }),
      ),
    Promise.resolve<Awaited<ReturnType<typeof engine.call<'draft.addFile'>>>>(null),
  )

describe('a draft', () => {
  it('is listed, opened, saved by revision, and announced', async () => {
    const { platform, engine, begin } = await openOne()
    const { inboxId } = platform
    const { draftId, revision } = await begin()
    expect(await engine.call('draft.save', { draftId, revision, content: written('From Wednesday.') })).toEqual({
      revision: 1,
    })
    expect(await engine.call('draft.open', { draftId })).toMatchObject({
      ...{ id: draftId, inboxId, kind: 'new', revision: 1, isOurs: true, hasConflict: false, theirs: null },
      state: { kind: 'open' },
      content: written('From Wednesday.'),
    })
    const { code } = await engine.problemOf('draft.save', { draftId, revision, content: written('Of another window.') })
    expect(code).toBe('conflict')
    expect(await textsOf(engine)).toEqual(['From Wednesday.'])
    // The event is sent at most once per frame.
    await eventually(
      () => engine.events('drafts.changed'),
      (told) => told.some(({ inboxIds }) => inboxIds.includes(inboxId)),
    )
    expect((await engine.problemOf('draft.open', { draftId: 'draft-none' })).code).toBe('not_found')
    const elsewhere = { inboxId: 'none', kind: 'new', target: null, content: written('') } as const
    expect((await engine.problemOf('draft.create', elsewhere)).code).toBe('not_found')
  })

  it.each([
    ['too many recipients', { to: Array.from({ length: 600 }, (_, at) => person(at)) }, 'to', '600'],
    ['a long name', { cc: [{ name: 'N'.repeat(5_000), address: 'ben@example.com' }] }, null, ''],
    ['an invalid address', { bcc: [{ name: null, address: 'x'.repeat(5_000) }] }, 'to', 'not an email address'],
    ['a long subject', { subject: 'S'.repeat(5_000) }, 'subject', '2,000'],
    ['a long text', { text: 'T'.repeat(5_000_000) }, null, ''],
    ['a long quote', { format: 'rich', quote: { html: 'Q'.repeat(6_000_000), text: 'Q'.repeat(6_000_000) } }, null, ''],
  ] as const)(
    'keeps oversized content, also after a restart, and reports it on sending: %s',
    async (_, change, field, words) => {
      const { platform, engine, begin } = await openOne()
      const content = written('From Tuesday.', change)
      const { draftId, revision } = await begin(content)
      await engine.close()
      const again = await openTestEngine(platform, engine.directory)
      expect(await again.call('draft.open', { draftId })).toMatchObject({ content })
      if (field === null) return
      const how = { draftId, revision, holdSeconds: 0, archive: false, scheduledAt: null }
      const { code, message, details } = await again.problemOf('draft.send', how)
      expect({ code, field: details?.field }).toEqual({ code: 'refused', field })
      expect(message).toContain(words)
      expect(await again.call('draft.open', { draftId })).toMatchObject({ content })
    },
  )

  it('is discarded and restored', async () => {
    const { engine, begin } = await openOne()
    const { draftId } = await begin()
    await engine.call('draft.discard', { draftId })
    expect(await textsOf(engine)).toEqual([])
    expect((await engine.problemOf('draft.open', { draftId })).code).toBe('not_found')
    await engine.call('draft.restore', { draftId })
    expect(await textsOf(engine)).toEqual(['From Tuesday.'])
  })

  it('survives a restart, a lost cache, and damage to its file or the snapshot', async () => {
    const { platform, engine, begin } = await openOne()
    await begin()
    await engine.call('cache.clear', {})
    expect(await textsOf(engine)).toEqual(['From Tuesday.'])
    const { directory } = engine
    await engine.close()
    const [own, snapshot] = [join(directory, OWN_NAME), join(directory, OWN_SNAPSHOT_NAME)]
    const harms = [
      { of: () => undefined, tells: [] },
      { of: () => rmSync(join(directory, CACHE_NAME)), tells: ['cache-damaged'] },
      { of: () => writeFileSync(own, 'x'), tells: ['own-damaged'] },
      { of: () => rmSync(own), tells: ['own-damaged'] },
      { of: () => writeFileSync(snapshot, 'x'), tells: [] },
      { of: () => rmSync(snapshot), tells: [] },
    ]
    for (const { of, tells } of harms) {
      of()
      const again = await openTestEngine(platform, directory)
      expect(await textsOf(again)).toEqual(['From Tuesday.'])
      const problems = await again.call('problem.list', {})
      expect(problems.map(({ id }) => id)).toEqual(tells)
      for (const { id } of problems) await again.call('problem.dismiss', { id })
      await again.close()
      expect([existsSync(own), existsSync(snapshot)]).toEqual([true, true])
    }
  })

  it('is reported as missing if its file and the snapshot are gone', async () => {
    const { platform, engine, begin } = await openOne()
    await begin()
    const { directory } = engine
    await engine.close()
    for (const name of [OWN_NAME, OWN_SNAPSHOT_NAME]) rmSync(join(directory, name))
    const again = await openTestEngine(platform, directory)
    expect((await again.call('problem.list', {}))[0]?.message).toContain('missing')
  })

  it('stays unchanged if the disk rejects a write', async () => {
    const { engine, begin } = await openOne()
    const { draftId } = await begin()
    const own = new Database(join(engine.directory, OWN_NAME))
    onTestFinished(() => void own.close())
    own.exec("CREATE TRIGGER full BEFORE UPDATE ON drafts BEGIN SELECT RAISE(FAIL, 'full'); END")
    const save = { draftId, revision: 0, content: written('Not on the disk.') }
    expect((await engine.problemOf('draft.save', save)).code).toBe('storage_failed')
    expect(await textsOf(engine)).toEqual(['From Tuesday.'])
    own.exec('DROP TRIGGER full')
    expect(await engine.call('draft.save', save)).toEqual({ revision: 1 })
  })
})

describe('an attachment of a draft', () => {
  it('is written and read in pieces, and survives restarts until unused', async () => {
    const { platform, engine, begin } = await openOne()
    const { draftId } = await begin()
    const pieces = [Buffer.alloc(384 * 1024, 'a'), Buffer.from('end')]
    const file = await upload(engine, draftId, 'notes.txt', pieces)
    expect(file).toMatchObject({ filename: 'notes.txt', size: 384 * 1024 + 3, contentType: 'text/plain' })
    if (file === null) return
    await engine.call('draft.save', { draftId, revision: 0, content: written('With notes.', { files: [file] }) })
    const { directory } = engine
    await engine.close()
    const again = await openTestEngine(platform, directory)
    const read = (place: number) => again.call('draft.readFile', { draftId, fileId: file.id, place })
    expect(Buffer.from((await read(0)) ?? '', 'base64').equals(pieces[0] ?? Buffer.of())).toBe(true)
    expect(Buffer.from((await read(1)) ?? '', 'base64').toString()).toBe('end')
    expect(await read(2)).toBeNull()
    await again.call('draft.save', { draftId, revision: 1, content: written('Without notes.') })
    await broughtThere(again)
    await again.close()
    await openTestEngine(platform, directory)
    expect(readdirSync(join(directory, 'drafts', 'files'))).toEqual([])
  })

  it('is rejected with a message if unsupported or incomplete', async () => {
    const { engine, begin } = await openOne()
    const { draftId } = await begin()
    const failed = async (filename: string, pieces: readonly Buffer[]): Promise<string> => {
      const last = pieces.length - 1
      if (last > 0) await upload(engine, draftId, filename, [...pieces.slice(0, last)]).catch(() => null)
      const { message } = await engine.problemOf('draft.addFile', {
        ...{ draftId, upload: filename, place: last, filename, contentType: 'text/plain', isInline: false },
        ...{ base64: (pieces[last] ?? Buffer.of()).toString('base64'), isLast: true },
      })
      return message
    }
    expect(await failed('setup.EXE', [Buffer.from('MZ')])).toContain('reject this kind')
    expect(await failed('nothing.txt', [Buffer.of()])).toContain('is empty')
    expect(await failed('half.txt', [Buffer.from('a'), Buffer.from('b')])).toContain('interrupted')
    const large = {
      ...{
        id: 'large',
        filename: 'large.bin',
        contentType: 'application/octet-stream',
        size: MESSAGE_LIMITS.bytes - 1,
      },
      ...{ digest: null, contentId: null, platformId: null },
    }
    await engine.call('draft.save', { draftId, revision: 0, content: written('', { files: [large] }) })
    expect(await failed('more.txt', [Buffer.from('ab')])).toContain('at most 25 MB')
    const many = Array.from({ length: MESSAGE_LIMITS.files }, (_, place) => ({ ...large, id: `${place}`, size: 1 }))
    await engine.call('draft.save', { draftId, revision: 1, content: written('', { files: many }) })
    expect(await failed('eleventh.txt', [Buffer.from('a')])).toContain('at most 10 files')
  })

  it('is copied from an e-mail, and what can’t be copied is named', async () => {
    const { platform, engine, begin } = await openOne()
    const attachments = [
      { filename: 'berths.txt', content: 'Berth 4.' },
      { filename: 'fees.txt', content: 'None.' },
      { filename: 'crane.exe', content: 'MZ' },
    ]
    await platform.deliver({ subject: 'Papers', attachments })
    await engine.call('sync.now', {})
    await engine.settled()
    const [received] = (await engine.call('receivedEmail.list', { offset: 0, limit: 1 })).items
    await engine.call('receivedEmail.get', { id: received?.id ?? '' })
    const of = { list: 'received', emailId: received?.id ?? '' } as const
    const { draftId } = await begin()
    const { files, leftOut } = await engine.call('draft.addFrom', { draftId, of })
    expect(files.map(({ filename, size }) => [filename, size])).toEqual([
      ['berths.txt', 8],
      ['fees.txt', 5],
    ])
    expect(leftOut).toEqual([{ filename: 'crane.exe', message: expect.stringContaining('reject this kind') as string }])
    const first = await engine.call('draft.readFile', { draftId, fileId: files[0]?.id ?? '', place: 0 })
    expect(Buffer.from(first ?? '', 'base64').toString()).toBe('Berth 4.')
  })
})

interface ThereDraft {
  readonly id: string
  readonly subject: string | null
  readonly text: string | null
  readonly html: string | null
  readonly reply_to_email_id: string | null
  readonly attachments: readonly { readonly filename: string }[]
}

const draftsThere = async ({ ask, inboxId }: TestPlatform): Promise<readonly ThereDraft[]> => {
  const { data } = await ask<{ readonly data: readonly ThereDraft[] }>('GET', `/inboxes/${inboxId}/drafts`)
  const drafts = await Promise.all(
    // A draft may disappear between the two requests.
    data.map(({ id }) => ask<ThereDraft>('GET', `/inboxes/${inboxId}/drafts/${id}`).catch(() => null)),
  )
  return drafts.flatMap((draft) => draft ?? [])
}
const thereWhere = (platform: TestPlatform, isThere: (drafts: readonly ThereDraft[]) => boolean) =>
  eventually(() => draftsThere(platform), isThere)

/** Waits until all drafts are on the platform or in conflict. */
const broughtThere = (engine: TestEngine) =>
  eventually(
    () => engine.call('draft.list', {}),
    (drafts) => drafts.every(({ isSynced, hasConflict }) => isSynced || hasConflict),
  )

const openThread = async (platform: TestPlatform, engine: TestEngine) => {
  await platform.deliver({ subject: 'Berth for the Kittiwake', text: 'Is there one?' })
  await engine.call('sync.now', {})
  const { inboxId } = platform
  const { items } = await eventually(
    () => engine.call('thread.list', { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 1 }),
    (page) => page.items.length > 0,
  )
  const threadId = items[0]?.id ?? ''
  const { emails } = await engine.call('thread.open', { inboxId, threadId })
  return { threadId, emailId: emails.at(-1)?.id ?? '' }
}

describe('a draft synced with the platform', () => {
  it('is uploaded with its files after each pause, deleted with it, and restored', async () => {
    const { platform, engine, begin } = await openOne()
    const { draftId } = await begin()
    const file = await upload(engine, draftId, 'notes.txt', [Buffer.from('Tuesday.')])
    await thereWhere(platform, (drafts) => drafts.length === 1)
    const content = written('From Wednesday.', { files: file === null ? [] : [file] })
    await engine.call('draft.save', { draftId, revision: 0, content })
    const [there] = await thereWhere(platform, ([draft]) => draft?.text === 'From Wednesday.')
    expect(there?.attachments).toMatchObject([{ filename: 'notes.txt' }])
    const [listed, ...rest] = await broughtThere(engine)
    expect([listed?.id, listed?.isSynced, rest]).toEqual([draftId, true, []])
    await engine.call('draft.discard', { draftId })
    await thereWhere(platform, (drafts) => drafts.length === 0)
    await engine.call('draft.restore', { draftId })
    await thereWhere(platform, ([draft]) => draft?.text === 'From Wednesday.')
  })

  it('isn’t stored before its first edit, and is a draft once saved', async () => {
    const { platform, engine } = await openOne()
    const begun = { inboxId: platform.inboxId, kind: 'new', target: null, isUntouched: true } as const
    const content = written('Put there by Linnet.')
    const { draftId } = await engine.call('draft.create', { ...begun, content })
    const other = await engine.call('draft.create', { ...begun, content })
    expect((await engine.call('draft.open', { draftId })).content.text).toBe('Put there by Linnet.')
    await engine.call('draft.save', { ...other, content: written('Written.') })
    await thereWhere(platform, (drafts) => drafts.length === 1)
    expect((await engine.call('draft.list', {})).map(({ id }) => id)).toEqual([other.draftId])
    expect((await engine.status()).pendingChanges).toBe(0)
    await engine.close()
    const again = await openSettledEngine(platform, engine.directory)
    expect((await again.problemOf('draft.open', { draftId })).code).toBe('not_found')
    expect((await again.call('draft.list', {})).map(({ id }) => id)).toEqual([other.draftId])
  })

  it('replies to the right e-mail, with the quoted text below', async () => {
    const { platform, engine } = await openOne()
    const target = await openThread(platform, engine)
    const quote = { html: '<blockquote>Is there one?</blockquote>', text: '> Is there one?' }
    const content = written('There is.', { format: 'rich', html: '<p>There is.</p>', quote })
    await engine.call('draft.create', { inboxId: platform.inboxId, kind: 'reply', target, content })
    const [there] = await thereWhere(platform, (drafts) => drafts.length === 1)
    expect(there).toMatchObject({ reply_to_email_id: target.emailId, text: 'There is.\n\n> Is there one?' })
    expect(there?.html).toContain('<p>There is.</p>')
    expect(there?.html).toContain('<blockquote>')
    await broughtThere(engine)
  })

  it('is created once if the response is lost, and recognized as local', async () => {
    const { platform, engine, begin } = await openOne()
    const there = `/inboxes/${platform.inboxId}/drafts`
    await platform.fault(
      { kind: 'lost', method: 'POST', path: there, times: 2 },
      { kind: 'lost', method: 'PATCH', path: there, times: 1 },
    )
    const { draftId } = await begin()
    // The draft is edited before it is known whether the platform has it.
    await eventually(
      () => platform.requests().filter((request) => request.startsWith('POST')),
      (requests) => requests.length > 0,
    )
    await engine.call('draft.save', { draftId, revision: 0, content: written('From Wednesday.') })
    await thereWhere(platform, ([draft]) => draft?.text === 'From Wednesday.')
    const [listed] = await broughtThere(engine)
    expect(listed).toMatchObject({ isSynced: true, hasConflict: false })
    expect(await draftsThere(platform)).toHaveLength(1)
  })

  it('is still recognized if the response to one edit is lost and the next edit fails', async () => {
    const { platform, engine, begin } = await openOne()
    const there = `/inboxes/${platform.inboxId}/drafts`
    const { draftId } = await begin()
    await broughtThere(engine)
    await platform.fault(
      { kind: 'lost', method: 'PATCH', path: there, times: 1 },
      { kind: 'error_500', method: 'PATCH', path: there, times: 1 },
    )
    await engine.call('draft.save', { draftId, revision: 0, content: written('From Wednesday.') })
    await thereWhere(platform, ([draft]) => draft?.text === 'From Wednesday.')
    await engine.call('draft.save', { draftId, revision: 1, content: written('From Thursday.') })
    await thereWhere(platform, ([draft]) => draft?.text === 'From Thursday.')
    const [listed] = await broughtThere(engine)
    expect(listed).toMatchObject({ isSynced: true, hasConflict: false })
  })

  it('waits while the platform is unreachable, through a restart', async () => {
    const data = join(temporaryDirectory(), 'platform.sqlite')
    const first = await startTestPlatform({}, { data })
    const engine = await openSettledEngine(first)
    await first.stop()
    const content = written('Written at sea.')
    await engine.problemOf('sync.now', {})
    await eventually(engine.status, ({ connection }) => connection === 'offline')
    await engine.call('draft.create', { inboxId: first.inboxId, kind: 'new', target: null, content })
    // An empty draft doesn't count.
    const nothing = { ...content, to: [], subject: '', text: '' }
    await engine.call('draft.create', { inboxId: first.inboxId, kind: 'new', target: null, content: nothing })
    expect((await engine.status()).pendingChanges).toBe(1)
    await eventually(
      () => engine.events('sync.changed').at(-1)?.pendingChanges,
      (pending) => pending === 1,
    )
    await engine.close()
    const { port } = new URL(first.baseUrl)
    const second = await startTestPlatform({}, { data, port: Number(port), apiKey: first.apiKey })
    const again = await openTestEngine(second, engine.directory)
    await thereWhere(second, ([draft]) => draft?.text === 'Written at sea.')
    await eventually(again.status, ({ connection, pendingChanges }) => connection === 'online' && pendingChanges === 0)
    await eventually(
      () => again.call('draft.list', {}),
      (drafts) => drafts.some(({ isSynced }) => isSynced),
    )
  })

  it('is reported if the platform doesn’t keep it, and uploaded once fixed', async () => {
    const { platform, engine, begin } = await openOne()
    const there = `/inboxes/${platform.inboxId}/drafts`
    const message = 'The `subject` field must not name a berth.'
    await platform.fault({ kind: 'error_422', method: 'POST', path: there, message })
    const { draftId } = await begin()
    const refusal = async () => (await engine.call('draft.open', { draftId })).notKept
    const reason = { field: 'subject', message: `The platform rejected the request: ${message}` }
    expect(await eventually(refusal, (told) => told !== null)).toEqual(reason)
    expect(await engine.call('draft.list', {})).toMatchObject([{ isSynced: false, state: { kind: 'open' } }])
    expect((await engine.status()).pendingChanges).toBe(0)
    // The draft is retried only after a restart, in case the platform now accepts it.
    await engine.advance(1_500)
    const asked = () => platform.requests().filter((request) => request.startsWith(`POST ${there}`)).length
    expect(asked()).toBe(1)
    await engine.close()
    const again = await openTestEngine(platform, engine.directory)
    expect((await again.call('draft.open', { draftId })).notKept).toEqual(reason)
    await eventually(asked, (count) => count === 2)
    await platform.fault()
    const { revision } = await again.call('draft.open', { draftId })
    await again.call('draft.save', { draftId, revision, content: written('Mended.') })
    await thereWhere(platform, ([draft]) => draft?.text === 'Mended.')
    const [listed] = await broughtThere(again)
    expect(listed).toMatchObject({ id: draftId, isSynced: true, notKept: null })
  })

  it('keeps a colleague’s version next to it until the user decides', async () => {
    for (const keep of ['ours', 'theirs', 'both'] as const) {
      const { platform, engine, begin } = await openOne()
      const { draftId } = await begin()
      await broughtThere(engine)
      const [there] = await draftsThere(platform)
      await platform.ask('PATCH', `/inboxes/${platform.inboxId}/drafts/${there?.id ?? ''}`, { text: 'Theirs.' })
      await engine.call('draft.save', { draftId, revision: 0, content: written('Ours.') })
      const [draft] = await eventually(
        () => engine.call('draft.list', {}),
        ([each]) => each?.hasConflict === true,
      )
      expect((await draftsThere(platform)).map(({ text }) => text)).toEqual(['Theirs.'])
      const opened = await engine.call('draft.open', { draftId: draft?.id ?? '' })
      expect([opened.content.text, opened.theirs?.text]).toEqual(['Ours.', 'Theirs.'])
      const settled = await engine.call('draft.settle', { draftId, keep })
      expect([settled.hasConflict, settled.content.text]).toEqual([false, keep === 'theirs' ? 'Theirs.' : 'Ours.'])
      const left = { ours: ['Ours.'], theirs: ['Theirs.'], both: ['Ours.', 'Theirs.'] }[keep]
      const after = await thereWhere(
        platform,
        (drafts) =>
          drafts
            .map(({ text }) => text)
            .toSorted()
            .join() === left.join(),
      )
      expect(after).toHaveLength(left.length)
      expect((await broughtThere(engine)).every(({ hasConflict }) => !hasConflict)).toBe(true)
      await engine.close()
    }
  })

  it('doesn’t replace a colleague’s reply to the same e-mail', async () => {
    const { platform, engine } = await openOne()
    const target = await openThread(platform, engine)
    const { inboxId } = platform
    await platform.ask('POST', `/inboxes/${inboxId}/drafts`, {
      ...{
        thread_id: target.threadId,
        reply_to_email_id: target.emailId,
        subject: 'Re: Berth',
        text: 'Of a colleague.',
      },
    })
    const started = { inboxId, kind: 'reply', target, content: written('Ours.') } as const
    const { draftId } = await engine.call('draft.create', started)
    const drafts = await eventually(
      () => engine.call('draft.list', {}),
      (all) => all.some(({ hasConflict }) => hasConflict),
    )
    expect(drafts.map(({ id }) => id)).toEqual([draftId])
    expect((await engine.call('draft.open', { draftId })).theirs?.text).toBe('Of a colleague.')
    expect((await draftsThere(platform)).map(({ text }) => text)).toEqual(['Of a colleague.'])
    await engine.call('draft.discard', { draftId })
    const left = await eventually(
      () => engine.call('draft.list', {}),
      (all) => all.some(({ isOurs }) => !isOurs),
    )
    expect(left).toMatchObject([{ isOurs: false, snippet: 'Of a colleague.' }])
    expect((await draftsThere(platform)).map(({ text }) => text)).toEqual(['Of a colleague.'])
  })

  it('is separate if another local draft answers the same e-mail', async () => {
    const { platform, engine } = await openOne()
    const target = await openThread(platform, engine)
    const begin = (text: string) =>
      engine.call('draft.create', { inboxId: platform.inboxId, kind: 'reply', target, content: written(text) })
    const first = await begin('The first.')
    const second = await begin('The second.')
    await broughtThere(engine)
    const change = async ({ draftId, revision }: typeof first, text: string) =>
      engine.call('draft.save', { draftId, revision, content: written(text) })
    await change(first, 'The first, mended.')
    await change(second, 'The second, mended.')
    const there = await thereWhere(platform, (drafts) => drafts.every(({ text }) => text?.includes('mended') === true))
    expect(Object.fromEntries(there.map(({ text, reply_to_email_id: answered }) => [text, answered]))).toEqual({
      'The first, mended.': target.emailId,
      'The second, mended.': null,
    })
    await engine.call('draft.discard', { draftId: first.draftId })
    await thereWhere(platform, (drafts) => drafts.length === 1)
    const left = await broughtThere(engine)
    expect(left).toMatchObject([{ id: second.draftId, hasConflict: false, snippet: 'The second, mended.', target }])
  })

  it('is standalone in an inbox without the answered e-mail', async () => {
    const { platform, engine } = await openOne()
    const target = { ...(await openThread(platform, engine)), emailId: '00000000-0000-4000-8000-000000000000' }
    const { inboxId } = platform
    await engine.call('draft.create', { inboxId, kind: 'reply', target, content: written('Ours.') })
    const there = await thereWhere(platform, (drafts) => drafts.length === 1)
    expect(there).toMatchObject([{ text: 'Ours.', reply_to_email_id: null }])
    expect(await broughtThere(engine)).toMatchObject([{ isSynced: true, target }])
  })
})

describe('a colleague’s draft', () => {
  it('is sent as it was read, and can be undone like any message', async () => {
    const platform = await startTestPlatform()
    const { inboxId } = platform
    await platform.deliver({ from: 'Ada Ferro <ada@example.com>', subject: 'Berth', text: 'Is one free?' })
    const { data } = await platform.ask<{ data: readonly { id: string }[] }>('GET', `/inboxes/${inboxId}/threads`)
    const thread = `/inboxes/${inboxId}/threads/${data[0]?.id ?? ''}/emails`
    const [email] = (await platform.ask<{ data: readonly { id: string }[] }>('GET', thread)).data
    const { id } = await platform.ask<{ readonly id: string }>('POST', `/inboxes/${inboxId}/drafts`, {
      ...{ thread_id: data[0]?.id, reply_to_email_id: email?.id, subject: 'Re: Berth', text: 'Number 4 is.' },
    })
    const engine = await openSettledEngine(platform)
    await eventually(
      () => engine.call('draft.list', { inboxId }),
      (drafts) => drafts.length > 0,
    )
    const { revision } = await engine.call('draft.open', { draftId: id })
    const now = { draftId: id, revision, holdSeconds: 10, archive: false, scheduledAt: null }
    expect((await engine.call('draft.send', now)).state.kind).toBe('held')
    const back = await engine.call('draft.cancelSending', { draftId: id })
    expect(back).toMatchObject({ state: { kind: 'open' }, isOurs: false, content: { text: 'Number 4 is.' } })
    await engine.call('draft.send', { ...now, revision: back.revision, holdSeconds: 0 })
    await thereWhere(platform, (drafts) => drafts.length === 0)
    const emails = await eventually(
      () => platform.ask<{ data: readonly { direction: string; text: string | null }[] }>('GET', thread),
      (answer) => answer.data.length === 2,
    )
    expect(emails.data[1]).toMatchObject({ direction: 'outbound' })
    expect(emails.data[1]?.text?.trim()).toBe('Number 4 is.')
    expect(await engine.call('draft.list', {})).toEqual([])
  })

  /** A reply draft without a subject, as agents and colleagues create them. */
  const beginWithoutSubject = async (platform: TestPlatform): Promise<string> => {
    const { inboxId } = platform
    await platform.deliver({ from: 'Ada Ferro <ada@example.com>', subject: 'Berth', text: 'Is one free?' })
    const [thread] = (await platform.ask<{ data: readonly { id: string }[] }>('GET', `/inboxes/${inboxId}/threads`))
      .data
    const emails = `/inboxes/${inboxId}/threads/${thread?.id ?? ''}/emails`
    const [email] = (await platform.ask<{ data: readonly { id: string }[] }>('GET', emails)).data
    const begun = { thread_id: thread?.id, reply_to_email_id: email?.id, text: 'Number 4 is.' }
    return (await platform.ask<{ readonly id: string }>('POST', `/inboxes/${inboxId}/drafts`, begun)).id
  }
  const subjectsSent = async (platform: TestPlatform): Promise<readonly (string | null)[]> => {
    const sent = await platform.ask<{ data: readonly { subject: string | null }[] }>('GET', '/emails')
    return sent.data.map(({ subject }) => subject)
  }

  it.each([
    { replySubject: 'filled', subjects: [] },
    // Sent only after the platform has rejected the draft without a subject.
    { replySubject: 'required', subjects: [{ subject: 'Re: Berth' }] },
  ] as const)(
    'shows its thread’s subject if it has none, and never sends it as a change: $replySubject',
    async (platformKind) => {
      const platform = await startTestPlatform({ replySubject: platformKind.replySubject })
      const { inboxId } = platform
      const draftId = await beginWithoutSubject(platform)
      const { baseUrl, changes } = await startRecordingProxy(platform.baseUrl)
      const engine = await openSettledEngine({ ...platform, baseUrl })
      const listed = await eventually(
        () => engine.call('draft.list', { inboxId }),
        (drafts) => drafts.length > 0,
      )
      expect(listed).toMatchObject([{ subject: 'Re: Berth' }])
      const { content, revision } = await engine.call('draft.open', { draftId })
      expect(content.subject).toBe('Re: Berth')
      const edited = { ...content, text: 'Number 5 is.' }
      const saved = await engine.call('draft.save', { draftId, revision, content: edited })
      await thereWhere(platform, ([there]) => there?.text === 'Number 5 is.')
      await broughtThere(engine)
      const patches = () => changes().flatMap(({ method, body }) => (method === 'PATCH' ? [body as object] : []))
      expect(patches().map((body) => Object.keys(body))).toEqual([['html', 'text']])
      const now = { draftId, revision: saved.revision, holdSeconds: 0, archive: false, scheduledAt: null }
      await engine.call('draft.send', now)
      await thereWhere(platform, (drafts) => drafts.length === 0)
      expect(patches().slice(1)).toEqual(platformKind.subjects)
      expect(await subjectsSent(platform)).toEqual(['Re: Berth'])
    },
  )

  it('shows the subject of a thread that isn’t synced yet', async () => {
    const platform = await startTestPlatform()
    const { inboxId } = platform
    const draftId = await beginWithoutSubject(platform)
    const proxy = await startInterceptingProxy(platform.baseUrl)
    proxy.intercept((_method, path) => (path.includes('/threads?') ? 500 : null))
    const engine = await openTestEngine({ ...platform, baseUrl: proxy.baseUrl })
    await eventually(
      () => engine.call('draft.list', { inboxId }).catch(() => []),
      (drafts) => drafts.length > 0,
    )
    const { content } = await engine.call('draft.open', { draftId })
    expect(content.subject).toBe('Re: Berth')
  })

  it('leaves the list if opening finds it gone', async () => {
    const platform = await startTestPlatform()
    const { inboxId } = platform
    const { id } = await platform.ask<{ readonly id: string }>('POST', `/inboxes/${inboxId}/drafts`, { text: 'Berth' })
    const engine = await openSettledEngine(platform)
    await eventually(
      () => engine.call('draft.list', { inboxId }),
      (drafts) => drafts.length > 0,
    )
    await platform.ask('DELETE', `/inboxes/${inboxId}/drafts/${id}`)
    expect((await engine.problemOf('draft.open', { draftId: id })).code).toBe('not_found')
    expect(await engine.call('draft.list', { inboxId })).toEqual([])
  })

  it('stays listed if the platform’s list never ends, which is reported', async () => {
    const platform = await startTestPlatform()
    const { inboxId } = platform
    await platform.ask('POST', `/inboxes/${inboxId}/drafts`, { subject: 'Berth', text: 'Of a colleague.' })
    const proxy = await startInterceptingProxy(platform.baseUrl)
    const engine = await openSettledEngine({ ...platform, baseUrl: proxy.baseUrl })
    const subjects = async (): Promise<readonly string[]> =>
      (await engine.call('draft.list', { inboxId })).map(({ subject }) => subject).toSorted()
    await eventually(subjects, ({ length }) => length === 1)
    const page = JSON.stringify({ object: 'list', has_more: true, data: [{ id: 'crane', subject: 'Crane' }] })
    const drafts = `/inboxes/${inboxId}/drafts`
    proxy.intercept((_method, path) => (path.startsWith(drafts) ? { status: 200, page } : null))
    await engine.call('sync.now', {})
    await engine.advance(20_000)
    expect(await eventually(subjects, ({ length }) => length === 2)).toEqual(['Berth', 'Crane'])
    expect((await engine.call('problem.list', {})).map(({ message }) => message).join()).toContain('list of drafts')
    expect(proxy.requests().filter((line) => line === `GET ${drafts} 200`).length).toBeLessThan(10)
  })

  it('is listed, opened, taken over by editing, and discarded', async () => {
    const platform = await startTestPlatform()
    const { inboxId } = platform
    const begun = { to: ['Ada Ferro <ada@example.com>'], subject: 'Berth', html: '<p>Of a <b>colleague</b>.</p>' }
    const { id } = await platform.ask<{ readonly id: string }>('POST', `/inboxes/${inboxId}/drafts`, begun)
    const engine = await openSettledEngine(platform)
    const [listed] = await eventually(
      () => engine.call('draft.list', { inboxId }),
      (drafts) => drafts.length > 0,
    )
    expect(listed).toMatchObject({ id, inboxId, kind: 'new', subject: 'Berth', isOurs: false, isSynced: true })
    const draft = await engine.call('draft.open', { draftId: id })
    expect(draft.content).toMatchObject({
      to: [{ name: 'Ada Ferro', address: 'ada@example.com' }],
      ...{ format: 'rich', html: '<p>Of a <b>colleague</b>.</p>', text: 'Of a colleague.' },
    })
    const content = { ...draft.content, html: '<p>Of both.</p>', text: 'Of both.' }
    await engine.call('draft.save', { draftId: id, revision: draft.revision, content })
    await thereWhere(platform, ([there]) => there?.html === '<p>Of both.</p>')
    expect((await broughtThere(engine)).map((each) => each.id)).toEqual([id])
    await engine.call('draft.discard', { draftId: id })
    await thereWhere(platform, (drafts) => drafts.length === 0)
    expect(await engine.call('draft.list', {})).toEqual([])
  })

  it('keeps the other drafts listed if it is unreadable', async () => {
    const platform = await startTestPlatform()
    const { inboxId } = platform
    await platform.ask('POST', `/inboxes/${inboxId}/drafts`, { subject: 'Berth', text: 'Of a colleague.' })
    const proxy = await startInterceptingProxy(platform.baseUrl)
    const drafts = `/inboxes/${inboxId}/drafts`
    const engine = await openSettledEngine({ ...platform, baseUrl: proxy.baseUrl })
    const subjects = async (): Promise<readonly string[]> =>
      (await engine.call('draft.list', { inboxId })).map(({ subject }) => subject).toSorted()
    await eventually(subjects, ({ length }) => length === 1)
    const list = {
      object: 'list',
      has_more: false,
      data: [
        { id: 'crane', subject: 'Crane' },
        { id: null, subject: 'Buoy' },
      ],
    }
    proxy.intercept((_method, path) => (path.startsWith(drafts) ? { status: 200, page: JSON.stringify(list) } : null))
    await engine.call('sync.now', {})
    await engine.advance(20_000)
    // The first of the two may be the unreadable draft.
    expect(await eventually(subjects, ({ length }) => length === 2)).toEqual(['Berth', 'Crane'])
  })

  it('is listed offline as last seen', async () => {
    const platform = await startTestPlatform()
    const { inboxId } = platform
    await platform.ask('POST', `/inboxes/${inboxId}/drafts`, { subject: 'Berth', text: 'Of a colleague.' })
    const engine = await openSettledEngine(platform)
    await eventually(
      () => engine.call('draft.list', {}),
      (drafts) => drafts.length > 0,
    )
    await engine.close()
    await platform.stop()
    const again = await openTestEngine(platform, engine.directory)
    const [listed] = await eventually(
      () => again.call('draft.list', {}),
      (drafts) => drafts.length > 0,
    )
    expect(listed).toMatchObject({ subject: 'Berth', snippet: 'Of a colleague.' })
    expect((await again.problemOf('draft.open', { draftId: listed?.id ?? '' })).code).toBe('unreachable')
  })
})
