import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { BodyOwner } from '../../../src/shared/contract.ts'
import type { ListedAttachment } from '../../../src/shared/attachments.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { drawPng } from '../../support/drawn-pictures.ts'
import { eventually } from './support/eventually.ts'
import { startRejectingProxy } from './support/rejecting-proxy.ts'
import { expectOk, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const NOTES = Buffer.from('Grüße\r\nand a second line\r\n')
const PHOTO = Buffer.concat([drawPng(2, 2), randomBytes(900_000)])

const deliverFiles = (platform: TestPlatform): Promise<void> =>
  platform.deliver({
    subject: 'Two files',
    attachments: [
      { filename: 'notes.txt', content: NOTES, contentType: 'text/plain' },
      { filename: 'photo.png', content: PHOTO, contentType: 'image/png' },
    ],
  })

const newestEmail = async (engine: TestEngine, inboxId: string) => {
  const newest = { offset: 0, limit: 1 }
  await eventually(
    () => engine.call('receivedEmail.list', newest),
    ({ total }) => total > 0,
  )
  await engine.settled()
  const { items: threads } = await engine.call('thread.list', { query: createFolderQuery(inboxId, 'inbox'), ...newest })
  const threadId = threads[0]?.id ?? ''
  const { emails } = await engine.call('thread.open', { inboxId, threadId })
  const { items: received } = await engine.call('receivedEmail.list', newest)
  await engine.call('receivedEmail.get', { id: received[0]?.id ?? '' })
  return {
    inThread: { list: 'threads', inboxId, threadId, emailId: emails.at(-1)?.id ?? '' },
    received: { list: 'received', emailId: received[0]?.id ?? '' },
  } as const
}

const listOf = async (engine: TestEngine, of: BodyOwner): Promise<readonly ListedAttachment[]> =>
  (await engine.call('attachment.list', { of })).items
const idOf = async (engine: TestEngine, of: BodyOwner, name: string): Promise<string> =>
  (await listOf(engine, of)).find(({ filename }) => filename === name)?.id ?? 'no such attachment'

const readAll = async (engine: TestEngine, of: BodyOwner, attachmentId: string): Promise<Buffer> => {
  const { pieces, version } = await engine.call('attachment.open', { of, attachmentId })
  const read: Buffer[] = []
  for (let place = 0; place < pieces; place += 1) {
    read.push(Buffer.from(await engine.call('attachment.read', { of, attachmentId, version, place }), 'base64'))
  }
  return Buffer.concat(read)
}

const contentFiles = (directory: string): readonly string[] =>
  readdirSync(join(directory, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

const prepare = async (settings: Parameters<typeof startTestPlatform>[0] = {}) => {
  const platform = await startTestPlatform(settings)
  await deliverFiles(platform)
  const door = await startRejectingProxy(platform)
  const engine = await openTestEngine({ ...platform, baseUrl: door.baseUrl })
  return { platform, door, engine, ...(await newestEmail(engine, platform.inboxId)) }
}
const offline = (): number => 502

describe('an attachment', () => {
  it('is downloaded once from its own address, byte for byte', async () => {
    const { engine, door, inThread, received } = await prepare()
    expect((await listOf(engine, inThread)).map(({ filename, isHere }) => [filename, isHere])).toEqual([
      ['notes.txt', false],
      ['photo.png', false],
    ])
    const photo = await idOf(engine, inThread, 'photo.png')
    const [first, second] = await Promise.all([readAll(engine, inThread, photo), readAll(engine, inThread, photo)])
    expect(first.equals(PHOTO)).toBe(true)
    expect(second.equals(PHOTO)).toBe(true)
    expect(await engine.call('attachment.open', { of: inThread, attachmentId: photo })).toMatchObject({
      bytes: PHOTO.byteLength,
      look: 'image/png',
      risk: null,
    })
    expect(door.requests().filter((request) => request.includes('/downloads/'))).toHaveLength(1)
    expect(door.requests().filter((request) => request.includes('/downloads/raw'))).toEqual([])
    expect((await listOf(engine, inThread)).map(({ isHere }) => isHere)).toEqual([false, true])
    // The account's own list has the same e-mail.
    expect((await listOf(engine, received)).map(({ isHere }) => isHere)).toEqual([false, true])
    expect(engine.events('attachments.changed').map(({ emailId }) => emailId)).toContain(inThread.emailId)
  })

  it('is extracted from the raw source if the platform hides it', async () => {
    const { engine, door, inThread } = await prepare({ inboxAttachments: false })
    const notes = await idOf(engine, inThread, 'notes.txt')
    expect((await readAll(engine, inThread, notes)).equals(NOTES)).toBe(true)
    expect(door.requests().filter((request) => request.includes('/downloads/raw'))).toHaveLength(1)
    door.refuse(offline)
    const photo = await idOf(engine, inThread, 'photo.png')
    expect((await readAll(engine, inThread, photo)).equals(PHOTO)).toBe(true)
  })

  it('stays available offline once downloaded, and is reported missing otherwise', async () => {
    const { engine, door, platform, inThread } = await prepare()
    const notes = await idOf(engine, inThread, 'notes.txt')
    const photo = await idOf(engine, inThread, 'photo.png')
    await engine.call('attachment.open', { of: inThread, attachmentId: notes })
    await engine.close()
    door.refuse(offline)
    const again = await openTestEngine({ ...platform, baseUrl: door.baseUrl }, engine.directory)
    expect((await readAll(again, inThread, notes)).equals(NOTES)).toBe(true)
    expect(await again.problemOf('attachment.open', { of: inThread, attachmentId: photo })).toMatchObject({
      code: expect.stringMatching(/unreachable|platform_failed/) as string,
    })
  })

  it('is reported missing if nothing responds, and fetched later', async () => {
    const platform = await startTestPlatform()
    await deliverFiles(platform)
    const engine = await openTestEngine(platform)
    const { inThread } = await newestEmail(engine, platform.inboxId)
    const notes = await idOf(engine, inThread, 'notes.txt')
    await platform.stop()
    expect(await engine.problemOf('attachment.open', { of: inThread, attachmentId: notes })).toMatchObject({
      code: 'unreachable',
      message: 'You are offline, and this attachment is not on this computer yet. Go online to download it.',
    })
    expect((await listOf(engine, inThread)).map(({ fetching }) => fetching)).toEqual([null, null])
  })

  it('is requested again once if its link expired', async () => {
    const { engine, door, inThread } = await prepare()
    const notes = await idOf(engine, inThread, 'notes.txt')
    let expired = 1
    door.refuse((request) => (request.includes('/downloads/') && expired-- > 0 ? 403 : null))
    expect((await readAll(engine, inThread, notes)).equals(NOTES)).toBe(true)
    const photo = await idOf(engine, inThread, 'photo.png')
    door.refuse((request) => (request.includes('/downloads/') ? 410 : null))
    expect(await engine.problemOf('attachment.open', { of: inThread, attachmentId: photo })).toMatchObject({
      code: 'platform_failed',
      message: 'The platform’s link to this attachment does not work. Try again later.',
    })
  })

  it('is downloaded again if its file is damaged', async () => {
    const { engine, inThread } = await prepare()
    const notes = await idOf(engine, inThread, 'notes.txt')
    const { version } = await engine.call('attachment.open', { of: inThread, attachmentId: notes })
    for (const file of contentFiles(engine.directory)) truncateSync(file, 3)
    expect((await listOf(engine, inThread)).map(({ isHere }) => isHere)).toEqual([false, false])
    const piece = { of: inThread, attachmentId: notes, version, place: 0 }
    expect(await engine.problemOf('attachment.read', piece)).toMatchObject({ code: 'not_found' })
    expect((await readAll(engine, inThread, notes)).equals(NOTES)).toBe(true)
  })

  it('is readable even if the disk rejects it', async () => {
    const { engine, inThread } = await prepare()
    rmSync(join(engine.directory, 'blobs'), { recursive: true, force: true })
    // A file with the folder's name blocks the folder.
    writeFileSync(join(engine.directory, 'blobs'), '')
    const notes = await idOf(engine, inThread, 'notes.txt')
    expect((await readAll(engine, inThread, notes)).equals(NOTES)).toBe(true)
    const saved = expectOk(await engine.link.attachment('test', inThread, notes))
    expect(Buffer.from(saved.content).equals(NOTES)).toBe(true)
  })

  it('can be cancelled while downloading, and fetched again', async () => {
    const { engine, platform, inThread } = await prepare()
    const notes = await idOf(engine, inThread, 'notes.txt')
    await platform.fault({ kind: 'delay', method: 'GET', path: '/emails/receiving', delay_ms: 30_000 })
    const asked = engine.problemOf('attachment.open', { of: inThread, attachmentId: notes })
    await eventually(
      () => listOf(engine, inThread),
      (items) => items.some(({ fetching }) => fetching !== null),
    )
    await engine.call('attachment.cancel', { of: inThread, attachmentId: notes })
    expect(await asked).toMatchObject({ code: 'cancelled' })
    await platform.fault()
    expect((await readAll(engine, inThread, notes)).equals(NOTES)).toBe(true)
  })

  it('is listed and downloaded for sent e-mails, and known offline', async () => {
    const platform = await startTestPlatform()
    await platform.ask('POST', '/emails', {
      from: platform.inboxAddress,
      to: 'bob@example.com',
      subject: 'An offer',
      text: 'See the file.',
      attachments: [{ filename: 'offer.txt', content: NOTES.toString('base64'), content_type: 'text/plain' }],
    })
    const door = await startRejectingProxy(platform)
    const engine = await openTestEngine({ ...platform, baseUrl: door.baseUrl })
    const { items } = await eventually(
      () => engine.call('sentEmail.list', { offset: 0, limit: 1 }),
      ({ total }) => total > 0,
    )
    await engine.settled()
    const of = { list: 'sent', emailId: items[0]?.id ?? '' } as const
    await engine.call('sentEmail.get', { id: of.emailId })
    const offer = await idOf(engine, of, 'offer.txt')
    expect((await readAll(engine, of, offer)).equals(NOTES)).toBe(true)
    door.refuse(offline)
    expect((await listOf(engine, of)).map(({ filename, isHere }) => [filename, isHere])).toEqual([['offer.txt', true]])
    expect((await readAll(engine, of, offer)).equals(NOTES)).toBe(true)
  })

  it('has a safe name, and a warning based on its name or content', async () => {
    const platform = await startTestPlatform()
    await platform.deliver({
      subject: 'Harmless',
      attachments: [
        { filename: '../../évil\u202Efdp.exe', content: Buffer.from('hello') },
        { filename: 'picture.png', content: Buffer.concat([Buffer.from('MZ'), randomBytes(60)]) },
      ],
    })
    const engine = await openTestEngine(platform)
    const { inThread } = await newestEmail(engine, platform.inboxId)
    const [first, second] = await listOf(engine, inThread)
    const open = (attachment?: ListedAttachment) =>
      engine.call('attachment.open', { of: inThread, attachmentId: attachment?.id ?? '' })
    expect(await open(first)).toMatchObject({ risk: 'program' })
    expect(await open(second)).toMatchObject({ risk: 'program', look: null })
    const saved = expectOk(await engine.link.attachment('test', inThread, first?.id ?? ''))
    expect(saved.filename).toMatch(/^[^/\\\u202e]+\.exe$/)
  })
})

describe('a large raw source', () => {
  /** The default is just slow enough for the test; set another size to measure. */
  const MEGABYTES = Number(process.env.LINNET_TEST_ORIGINAL_MB ?? 12)

  it('is parsed without blocking other requests', async () => {
    const platform = await startTestPlatform({ inboxAttachments: false })
    const row = `${'QUJD'.repeat(19)}\r\n`
    const content = row.repeat((MEGABYTES * 1024 * 1024) / row.length)
    const raw =
      'From: Ada <ada@example.com>\r\nTo: inbox@example.com\r\nSubject: Large\r\nMIME-Version: 1.0\r\n' +
      'Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="large.dat"\r\n' +
      `Content-Transfer-Encoding: base64\r\n\r\n${content}`
    await platform.deliver({ raw, envelope: { from: 'ada@example.com', to: platform.inboxAddress } })
    const engine = await openTestEngine(platform)
    const { inThread } = await newestEmail(engine, platform.inboxId)
    const large = await idOf(engine, inThread, 'large.dat')
    // Already on disk, so only the parsing is measured.
    await engine.call('original.open', { of: inThread })
    const began = performance.now()
    const state = { isOpen: false }
    const opened = engine
      .call('attachment.open', { of: inThread, attachmentId: large })
      .finally(() => (state.isOpen = true))
    const waits: number[] = []
    while (!state.isOpen) {
      const askedAt = performance.now()
      await engine.call('thread.list', { query: createFolderQuery(platform.inboxId, 'inbox'), offset: 0, limit: 20 })
      // Gives disk reads and other threads a turn.
      await nextTurn()
      waits.push(performance.now() - askedAt)
    }
    const all = performance.now() - began
    expect(await opened).toMatchObject({ bytes: (content.length / 78) * 57 })
    expect(waits.length).toBeGreaterThan(10)
    // Parsing in a single turn would have blocked one request for most of the time.
    expect(Math.max(...waits)).toBeLessThan(all / 2)
  })
})

describe('a malicious raw source', () => {
  const nested = (depth: number): string => {
    const parts: string[] = []
    for (let level = 0; level < depth; level += 1) {
      parts.push(`Content-Type: multipart/mixed; boundary="b${level}"\r\n\r\n--b${level}\r\n`)
    }
    parts.push(
      'Content-Type: text/plain; name="deep.txt"\r\nContent-Disposition: attachment; filename="deep.txt"\r\n\r\ndeep\r\n',
    )
    for (let level = depth - 1; level >= 0; level -= 1) parts.push(`--b${level}--\r\n`)
    return parts.join('')
  }
  const head = 'From: Ada <ada@example.com>\r\nTo: inbox@example.com\r\nSubject: Odd\r\nMIME-Version: 1.0\r\n'

  it.each<readonly [string, string, string]>([
    ['a part a hundred deep', nested(100), 'deep.txt'],
    [
      'a boundary that its head does not name',
      'Content-Type: multipart/mixed; boundary="none"\r\n\r\n--other\r\nContent-Disposition: attachment; filename="a.txt"\r\n\r\nx\r\n',
      'a.txt',
    ],
    [
      'an unknown encoding',
      'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Disposition: attachment; filename="a.bin"\r\nContent-Transfer-Encoding: x-rot13\r\n\r\nabc\r\n--b--\r\n',
      'a.bin',
    ],
    [
      'an empty file',
      'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Disposition: attachment; filename="empty.dat"\r\n\r\n\r\n--b--\r\n',
      'empty.dat',
    ],
  ])('is parsed as far as possible: %s', async (_, body, filename) => {
    const platform = await startTestPlatform({ inboxAttachments: false })
    await platform.deliver({
      raw: Buffer.from(head + body),
      envelope: { from: 'ada@example.com', to: platform.inboxAddress },
    })
    const engine = await openTestEngine(platform)
    const { inThread } = await newestEmail(engine, platform.inboxId)
    const items = await listOf(engine, inThread)
    expect(items.map((item) => item.filename)).toEqual([filename])
    for (const { id, size } of items) {
      expect((await readAll(engine, inThread, id)).byteLength).toBe(size)
    }
  })
})
