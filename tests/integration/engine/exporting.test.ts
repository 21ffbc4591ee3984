import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { FOLDERS, type Email } from '../../../src/shared/model.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { hasPython, runPython } from '../../support/python.ts'
import { mountSmallDisk } from '../../support/small-disk.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { eventually } from './support/eventually.ts'
import { bare, deliverLetters, messageIds, readByPython, readExported } from './support/read-exported.ts'
import { EVERYTHING, exportAll, startExport, untilStage } from './support/exporting.ts'
import { expectOk, openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'

const allInThreads = async (engine: TestEngine, inboxId: string): Promise<readonly Email[]> => {
  const found = new Map<string, Email>()
  for (const folder of FOLDERS) {
    for (let offset = 0, total = 1; offset < total; offset += 200) {
      const page = await engine.call('thread.list', { query: createFolderQuery(inboxId, folder), offset, limit: 200 })
      total = page.total
      for (const { id: threadId } of page.items) {
        const { emails } = await engine.call('thread.open', { inboxId, threadId })
        for (const email of emails) found.set(email.id, email)
      }
    }
  }
  return [...found.values()]
}

describe('an export of everything', () => {
  it('has every demo message once: exact originals, and rebuilt sent mail', async () => {
    const platform = await startTestPlatform({}, { dataset: 'demo' })
    const engine = await openSettledEngine(platform)
    const inThreads = await allInThreads(engine, platform.inboxId)
    const state = await exportAll(engine, temporaryDirectory())
    const messages = await readExported(state)
    expect(state).toMatchObject({ stage: 'done', missing: 0, missingThreads: 0, incomplete: 0, isWhole: true })
    expect(state).toMatchObject({ done: messages.length, total: messages.length, problem: null })

    // The export has every e-mail in threads, and may have others that are only in the account's own lists.
    const ids = messageIds(messages)
    const threadIds = inThreads.map(({ messageId }) => bare(messageId)).filter((id) => id !== '')
    expect(threadIds.filter((id) => !ids.includes(id))).toEqual([])
    const doubles = ids.filter((id, index) => id !== '' && ids[index + 1] === id)
    const meant = threadIds.toSorted().filter((id, index, sorted) => sorted[index + 1] === id)
    expect(doubles).toEqual(meant)

    const rebuilt = messages.filter(({ headers }) => headers.has('x-linnet-rebuilt'))
    expect(rebuilt).toHaveLength(state.rebuilt)
    const outbound = new Set(
      inThreads.flatMap(({ direction, messageId }) => (direction === 'outbound' ? [bare(messageId)] : [])),
    )
    expect(rebuilt.length).toBeGreaterThan(20)
    const inbound = inThreads.filter(({ direction }) => direction === 'inbound')
    expect(inbound.filter(({ messageId }) => outbound.has(bare(messageId)))).toEqual([])

    // Raw sources match byte for byte, except for line endings.
    const byId = new Map(messages.map((message) => [bare(message.headers.get('message-id')), message]))
    let compared = 0
    for (const { id, threadId, messageId } of inbound) {
      const exported = byId.get(bare(messageId))
      const of = { list: 'threads', inboxId: platform.inboxId, threadId, emailId: id } as const
      if (exported === undefined || messageId === null) continue
      const { content } = expectOk(await engine.link.original('test', of))
      const plain = (bytes: Uint8Array): string =>
        Buffer.from(bytes).toString('latin1').replaceAll('\r\n', '\n').replace(/\n?$/, '\n')
      if (plain(exported.raw) !== plain(content)) throw new Error(`Not the original: ${messageId}`)
      compared += 1
    }
    expect(compared).toBeGreaterThan(200)

    const times = messages.map(({ separator }) => Date.parse(`${separator.split(' ').slice(1).join(' ')} UTC`))
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    if (!hasPython) {
      console.log('No python3 on this machine: nothing was asked of its mailbox module.')
      return
    }
    const read = readByPython(state.path)
    expect(read.map(([id]) => bare(id)).toSorted()).toEqual(ids)
    expect(read.map(([, , , flags]) => flags.includes('R'))).toEqual(messages.map(({ isRead }) => isRead))
  })

  it('contains the same messages as .eml files and as JSON lines', async () => {
    const platform = await startTestPlatform({ trustDate: true })
    await deliverLetters(platform, 7)
    const engine = await openSettledEngine(platform)
    const folder = temporaryDirectory()
    const [mbox, zip, jsonl] = [
      await exportAll(engine, folder),
      await exportAll(engine, folder, { format: 'zip' }),
      await exportAll(engine, folder, { format: 'jsonl' }),
    ]
    const messages = await readExported(mbox)
    const files = Object.entries(unzipSync(await readFile(zip.path)))
    expect(files.map(([name]) => name)).toContain(`${platform.inboxAddress}/inbox/000001 2026-10-01 Letter 0.eml`)
    expect(files.map(([, bytes]) => Buffer.from(bytes).toString('latin1').trimEnd())).toEqual(
      messages.map(({ raw }) => raw.toString('latin1').trimEnd()),
    )
    if (hasPython) {
      const bad = runPython(
        `import json, sys, zipfile; print(json.dumps(zipfile.ZipFile(sys.argv[1]).testzip()))`,
        zip.path,
      )
      expect(bad).toBeNull()
    }
    const lines = (await readFile(jsonl.path, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines).toHaveLength(7)
    expect(lines[3]).toMatchObject({
      version: 1,
      list: 'threads',
      inbox: { id: platform.inboxId, address: platform.inboxAddress },
      folder: 'inbox',
      read: false,
      date: '2026-10-01T00:03:00.000Z',
      from: 'ada@example.com',
      subject: 'Letter 3',
      message_id: '<letter-3@example.com>',
      incomplete: false,
      attachments: [{ filename: 'Größe 3.bin', size: 5_000, content: Buffer.alloc(5_000, 3).toString('base64') }],
    })
    expect(lines[3]?.text).toContain('From here on it is letter 3.')
  })

  it('rebuilds missing sources offline, marks them, and makes no requests', async () => {
    const platform = await startTestPlatform()
    await deliverLetters(platform, 4)
    const engine = await openSettledEngine(platform)
    const before = platform.requests().length
    const kept = await exportAll(engine, temporaryDirectory(), { isFetching: false })
    expect(
      platform
        .requests()
        .slice(before)
        .filter((request) => /receiving\/|attachments|download/.test(request)),
    ).toEqual([])
    const messages = await readExported(kept)
    expect(kept).toMatchObject({ done: 4, rebuilt: 4, incomplete: 2 })
    expect(messages.map(({ headers }) => headers.get('x-linnet-rebuilt'))).toEqual([
      'incomplete',
      'yes',
      'yes',
      'incomplete',
    ])
    expect(messageIds(messages)).toEqual([0, 1, 2, 3].map((index) => `letter-${index}@example.com`))
    expect(messages[1]?.raw.toString()).toContain('From here on it is letter 1.\r\n')

    await platform.stop()
    await engine.link.call('test', 'sync.now', {}, 'test')
    await eventually(engine.status, ({ connection }) => connection === 'offline')
    expect(await exportAll(engine, temporaryDirectory())).toMatchObject({ stage: 'done', done: 4, rebuilt: 4 })
  })

  it('includes mail that the platform deleted', async () => {
    const platform = await startTestPlatform({ retentionDays: 30 })
    await deliverLetters(platform, 3)
    const engine = await openSettledEngine(platform)
    await platform.ask('POST', '/_control/clock', { advance_ms: 31 * 24 * 60 * 60_000 })
    await eventually(
      async () => {
        await engine.call('sync.now', {})
        return (await engine.call('cache.state', {})).localOnlyThreads
      },
      (gone) => gone === 3,
    )
    const state = await exportAll(engine, temporaryDirectory())
    expect(state).toMatchObject({ stage: 'done', done: 3, missing: 0, missingThreads: 0 })
    expect(messageIds(await readExported(state))).toEqual([0, 1, 2].map((index) => `letter-${index}@example.com`))
  })
})

describe('an export of a list', () => {
  it('contains exactly the threads of a folder or search', async () => {
    const platform = await startTestPlatform({}, { dataset: 'demo' })
    const engine = await openSettledEngine(platform)
    for (const query of [
      createFolderQuery(platform.inboxId, 'archive'),
      {
        ...createFolderQuery(platform.inboxId, 'inbox'),
        text: [{ text: 'invoice', isPhrase: false, isExcluded: false }],
      },
    ]) {
      const { items } = await engine.call('thread.list', { query, offset: 0, limit: 200 })
      await eventually(
        async () =>
          (await engine.call('thread.list', { query, offset: 0, limit: 200 })).searched?.platform.state ?? 'done',
        (state) => state !== 'waiting',
      )
      const conversations = await Promise.all(
        items.map(({ id: threadId }) => engine.call('thread.open', { inboxId: platform.inboxId, threadId })),
      )
      const ids = conversations.flatMap(({ emails }) => emails.map(({ messageId }) => bare(messageId)))
      const state = await exportAll(engine, temporaryDirectory(), { mail: { kind: 'threads', query } })
      expect(state).toMatchObject({ stage: 'done', missing: 0, missingThreads: 0 })
      expect(ids.length).toBeGreaterThan(3)
      expect(messageIds(await readExported(state))).toEqual(ids.toSorted())
    }
  })
})

describe('the file of an export', () => {
  const open10 = async () => {
    const platform = await startTestPlatform()
    await deliverLetters(platform, 10)
    const engine = await openSettledEngine(platform)
    return { platform, engine, folder: temporaryDirectory() }
  }

  it('never looks complete before it is, and is removed when cancelled', async () => {
    const { engine, folder, platform } = await open10()
    await platform.fault({ kind: 'delay', path: '/emails/receiving', delay_ms: 300 })
    const { id } = await startExport(engine, folder)
    await untilStage(engine, id, 'writing')
    expect((await readdir(folder)).filter((name) => !name.endsWith('.part'))).toEqual([])
    await engine.call('export.cancel', { id })
    expect([await readdir(folder), await engine.call('export.list', {})]).toEqual([[], []])
    expect(await engine.problemOf('export.cancel', { id })).toMatchObject({ code: 'not_found' })
  })

  it('replaces another file only with consent', async () => {
    const { engine, folder } = await open10()
    const path = join(folder, 'mail.mbox')
    await writeFile(path, 'mine')
    const wish = { mail: EVERYTHING, format: 'mbox', isFetching: true } as const
    const refused = await engine.link.startExport('test', wish, { path, mayReplace: false })
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    const nowhere = await engine.link.startExport('test', wish, {
      path: join(folder, 'no', 'mail.mbox'),
      mayReplace: false,
    })
    expect(nowhere).toMatchObject({ ok: false, error: { code: 'storage_failed' } })
    expect(await engine.call('export.list', {})).toEqual([])

    const { id } = await startExport(engine, folder, {}, true)
    expect(await untilStage(engine, id, 'done')).toMatchObject({ path, done: 10 })
    expect(await readExported({ path })).toHaveLength(10)
  })

  it('gets another name if its own was taken meanwhile', async () => {
    const { engine, folder, platform } = await open10()
    await platform.fault({ kind: 'delay', path: '/emails/receiving', delay_ms: 200 })
    const { id } = await startExport(engine, folder)
    await writeFile(join(folder, 'mail.mbox'), 'mine')
    const { path } = await untilStage(engine, id, 'done')
    expect(path).toBe(join(folder, 'mail (2).mbox'))
    expect([await readFile(join(folder, 'mail.mbox'), 'utf8'), (await readExported({ path })).length]).toEqual([
      'mine',
      10,
    ])
  })

  it('is reported as unfinished if Linnet was closed, and can be started again', async () => {
    const { engine, folder, platform } = await open10()
    await platform.fault({ kind: 'delay', path: '/emails/receiving', delay_ms: 300 })
    const { id } = await startExport(engine, folder)
    await untilStage(engine, id, 'writing')
    await engine.close()
    expect(await readdir(folder)).toEqual([])

    const again = await openTestEngine(platform, engine.directory)
    expect(await again.call('export.list', {})).toEqual([])
    expect(await again.call('problem.list', {})).toMatchObject([
      { message: 'The export of mail.mbox wasn’t finished. Start it again.' },
    ])
    const state = await exportAll(again, folder)
    expect(messageIds(await readExported(state))).toEqual(
      Array.from({ length: 10 }, (_, index) => `letter-${index}@example.com`),
    )
    expect(await readdir(folder)).toEqual(['mail.mbox'])
    expect(await again.call('problem.list', {})).toEqual([])
    await again.close()

    const last = await openTestEngine(platform, engine.directory)
    expect(await last.call('export.list', {})).toEqual([])
    expect(await last.call('problem.list', {})).toEqual([])
    expect(await readdir(folder)).toEqual(['mail.mbox'])
  })

  it('is removed if the disk is full, and can be started again', async (context) => {
    const { engine } = await open10()
    const size = 64 * 1024
    const disk = mountSmallDisk(size)
    if (disk === null) {
      context.skip()
      return
    }
    const other = join(disk, 'other')
    await writeFile(other, Buffer.alloc(size - 8 * 1024))
    const failed = await exportAll(engine, disk)
    expect(failed).toMatchObject({ stage: 'stopped', problem: { code: 'storage_failed' } })
    expect(failed.problem?.message).toBe(
      `The export to ${join(disk, 'mail.mbox')} has stopped. The disk is full. Free up some space, then start again.`,
    )
    expect(await readdir(disk)).toEqual(['other'])
    expect(await engine.call('problem.list', {})).toEqual([])

    await writeFile(other, '')
    const state = await exportAll(engine, disk)
    expect([state.stage, (await readExported(state)).length]).toEqual(['done', 10])
    await engine.call('export.cancel', { id: failed.id })
    await engine.call('export.cancel', { id: state.id })
    expect((await readdir(disk)).toSorted()).toEqual(['mail.mbox', 'other'])
  })

  it('is written beside another one', async () => {
    const { engine, folder } = await open10()
    const both = await Promise.all([exportAll(engine, folder), exportAll(engine, folder, { format: 'zip' })])
    expect(both).toMatchObject([
      { stage: 'done', done: 10 },
      { stage: 'done', done: 10 },
    ])
    expect((await readdir(folder)).toSorted()).toEqual(['mail.mbox', 'mail.zip'])
  })

  it('is removed when dismissed if it was only lent to a browser', async () => {
    const { engine, platform } = await open10()
    const lent = join(engine.directory, 'exports', 'file-1')
    await mkdir(lent, { recursive: true })
    const request = { mail: EVERYTHING, format: 'mbox', isFetching: false } as const
    const target = { path: join(lent, 'mail.mbox'), mayReplace: false, isLent: true }
    const { id } = expectOk(await engine.link.startExport('test', request, target))
    expect(await readExported(await untilStage(engine, id, 'done'))).toHaveLength(10)
    await engine.call('export.cancel', { id })
    expect(await readdir(join(engine.directory, 'exports'))).toEqual([])
    // Nobody downloads this one.
    await mkdir(lent)
    await untilStage(engine, expectOk(await engine.link.startExport('test', request, target)).id, 'done')
    await engine.close()
    await openTestEngine(platform, engine.directory)
    expect(await readdir(engine.directory)).not.toContain('exports')
  })
})
