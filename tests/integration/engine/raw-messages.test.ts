import { describe, expect, it } from 'vitest'
import type { BodyOwner } from '../../../src/shared/contract.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { listCached } from './support/compare-with-platform.ts'
import { eventually } from './support/eventually.ts'
import { startRejectingProxy } from './support/rejecting-proxy.ts'
import { expectOk, openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const RAW = Buffer.from(
  [
    'From: Ada <ada@example.com>',
    'To: inbox@example.com',
    'Message-ID: <cafe@example.com>',
    'Subject: =?iso-8859-1?q?Caf=E9?=',
    '',
    'Gr\xfc\xdfe \x07 und Schluss',
    '',
  ].join('\r\n'),
  'latin1',
)

const deliverRaw = (platform: TestPlatform, raw: Uint8Array): Promise<void> =>
  platform.deliver({
    raw: Buffer.from(raw),
    envelope: { from: 'ada@example.com', to: platform.inboxAddress },
  })

const findEmail = async (engine: TestEngine, inboxId: string) => {
  await engine.settled()
  const newest = { offset: 0, limit: 1 }
  const { items: threads } = await engine.call('thread.list', { query: createFolderQuery(inboxId, 'inbox'), ...newest })
  const threadId = threads[0]?.id ?? ''
  const { emails } = await engine.call('thread.open', { inboxId, threadId })
  const { items: received } = await engine.call('receivedEmail.list', newest)
  const emailId = received[0]?.id ?? ''
  return {
    inThread: { list: 'threads', inboxId, threadId, emailId: emails.at(-1)?.id ?? '' },
    received: { list: 'received', emailId },
  } as const
}

const originalOf = async (engine: TestEngine, of: BodyOwner): Promise<Buffer> =>
  Buffer.from(expectOk(await engine.link.original('test', of)).content)

const textOf = async (engine: TestEngine, of: BodyOwner): Promise<string> => {
  const { pieces, version } = await engine.call('original.open', { of })
  const texts: string[] = []
  for (let place = 0; place < pieces; place += 1) texts.push(await engine.call('original.read', { of, version, place }))
  return texts.join('')
}

describe('the raw source of an e-mail', () => {
  it('is downloaded once, byte for byte, for received and thread e-mails', async () => {
    const platform = await startTestPlatform()
    await deliverRaw(platform, RAW)
    const door = await startRejectingProxy(platform)
    const engine = await openTestEngine({ ...platform, baseUrl: door.baseUrl })
    const { inThread, received } = await findEmail(engine, platform.inboxId)
    const [first, second] = await Promise.all([originalOf(engine, inThread), originalOf(engine, inThread)])
    expect(first.subarray(first.indexOf('From: Ada'))).toEqual(RAW)
    expect(second).toEqual(first)
    expect(await originalOf(engine, received)).toEqual(first)
    expect(door.requests().filter((request) => request.includes('/downloads/'))).toHaveLength(1)
    expect(expectOk(await engine.link.original('test', inThread)).filename).toBe('Café.eml')
    expect(expectOk(await engine.link.original('test', received)).filename).toBe('Café.eml')
  })

  it('is read in pieces as text with every byte visible', async () => {
    const platform = await startTestPlatform()
    const filler = `${'long '.repeat(15)}\r\n`.repeat(8_000)
    await deliverRaw(platform, Buffer.concat([RAW, Buffer.from(filler)]))
    const engine = await openTestEngine(platform)
    const { received } = await findEmail(engine, platform.inboxId)
    const { headers, pieces, bytes } = await engine.call('original.open', { of: received })
    expect(headers.find(({ name }) => name === 'Subject')).toEqual({
      name: 'Subject',
      value: '=?iso-8859-1?q?Caf=E9?=',
      decoded: 'Café',
      isCut: false,
    })
    expect([pieces > 2, bytes > filler.length]).toEqual([true, true])
    const text = await textOf(engine, received)
    expect(text).toContain('\nGr⟨0xFC⟩⟨0xDF⟩e ␇ und Schluss\n')
    expect(text.endsWith(filler.replaceAll('\r\n', '\n'))).toBe(true)
    expect(await engine.problemOf('original.read', { of: received, version: 'another', place: 0 })).toMatchObject({
      code: 'not_found',
    })
  })

  it('is read to its end even if another one is opened', async () => {
    const platform = await startTestPlatform()
    const other = Buffer.from(RAW.toString('latin1').replaceAll('cafe', 'quay').replace('Gr', 'Sp'), 'latin1')
    await deliverRaw(platform, RAW)
    await deliverRaw(platform, other)
    const engine = await openSettledEngine(platform)
    const { items } = await engine.call('receivedEmail.list', { offset: 0, limit: 2 })
    const [one, two] = items.map(({ id }) => ({ list: 'received', emailId: id }) as const)
    if (one === undefined || two === undefined) throw new Error('two e-mails')
    const { version } = await engine.call('original.open', { of: one })
    const before = await engine.call('original.read', { of: one, version, place: 0 })
    await engine.call('original.open', { of: two })
    expect(await engine.call('original.read', { of: one, version, place: 0 })).toBe(before)
  })

  it('stays available offline once read, and is reported missing otherwise', async () => {
    const platform = await startTestPlatform()
    await deliverRaw(platform, RAW)
    const engine = await openTestEngine(platform)
    const { inThread: seen } = await findEmail(engine, platform.inboxId)
    const original = await originalOf(engine, seen)
    await platform.deliver({ subject: 'Another' })
    await engine.call('sync.now', {})
    const { inThread: unseen } = await eventually(
      () => findEmail(engine, platform.inboxId),
      ({ inThread }) => inThread.emailId !== seen.emailId,
    )
    await platform.stop()
    expect(await originalOf(engine, seen)).toEqual(original)
    await engine.close()
    const again = await openTestEngine(platform, engine.directory)
    expect(await originalOf(again, seen)).toEqual(original)
    expect(await again.problemOf('original.open', { of: unseen })).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('not on this computer yet') as string,
    })
  })

  it.each([403, 410])('uses a new link if the first expired (%i)', async (status) => {
    const platform = await startTestPlatform()
    await deliverRaw(platform, RAW)
    const door = await startRejectingProxy(platform)
    const engine = await openTestEngine({ ...platform, baseUrl: door.baseUrl })
    const { received } = await findEmail(engine, platform.inboxId)
    let downloads = 0
    door.refuse((request) => (request.includes('/downloads/') && (downloads += 1) === 1 ? status : null))
    expect((await originalOf(engine, received)).includes('cafe@example.com')).toBe(true)
    expect(downloads).toBe(2)
  })

  it('is reported missing if no link works', async () => {
    const platform = await startTestPlatform()
    await deliverRaw(platform, RAW)
    const door = await startRejectingProxy(platform)
    const engine = await openTestEngine({ ...platform, baseUrl: door.baseUrl })
    const { received } = await findEmail(engine, platform.inboxId)
    door.refuse((request) => (request.includes('/downloads/') ? 403 : null))
    expect(await engine.problemOf('original.open', { of: received })).toMatchObject({
      code: 'platform_failed',
      message: expect.stringContaining('link to the original does not work') as string,
    })
    expect(door.requests().filter((request) => request.includes('/downloads/'))).toHaveLength(2)
  })

  it('comes from the received message if the platform rejects the thread’s ID', async () => {
    const platform = await startTestPlatform()
    await deliverRaw(platform, RAW)
    const door = await startRejectingProxy(platform, (id) => `in-thread-${id}`)
    const engine = await openTestEngine({ ...platform, baseUrl: door.baseUrl })
    const { inThread, received } = await findEmail(engine, platform.inboxId)
    expect(inThread.emailId).toBe(`in-thread-${received.emailId}`)
    expect(await originalOf(engine, inThread)).toEqual(await originalOf(engine, received))
    await platform.stop()
    expect((await originalOf(engine, inThread)).includes('cafe@example.com')).toBe(true)
  })

  it('never comes from another message with the same Message-ID', async () => {
    const platform = await startTestPlatform()
    await deliverRaw(platform, RAW)
    const door = await startRejectingProxy(platform, (id) => `in-thread-${id}`)
    const engine = await openTestEngine({ ...platform, baseUrl: door.baseUrl })
    const { inThread } = await findEmail(engine, platform.inboxId)
    const forged = RAW.toString('latin1').replace('Ada <ada@', 'Ada <eve@').replace('Gr', 'Evil Gr')
    await deliverRaw(platform, Buffer.from(forged, 'latin1'))
    await engine.call('sync.now', {})
    await eventually(
      () => engine.call('receivedEmail.list', { offset: 0, limit: 5 }),
      ({ total }) => total === 2,
    )
    const original = await originalOf(engine, inThread)
    expect([original.includes('ada@example.com>'), original.includes('Evil')]).toEqual([true, false])
  })

  it('is given up for threads only after several 404s, and retried later', async () => {
    const platform = await startTestPlatform()
    await deliverRaw(platform, RAW)
    const door = await startRejectingProxy(platform)
    const engine = await openTestEngine({ ...platform, baseUrl: door.baseUrl })
    const { inThread } = await findEmail(engine, platform.inboxId)
    door.refuse((request) => (request.includes('/emails/receiving/') ? 404 : null))
    const words = async (): Promise<string> => (await engine.problemOf('original.open', { of: inThread })).message
    expect(await words()).toContain('Try again later')
    expect(await words()).toContain('This platform does not provide originals')
    const asked = door.requests().length
    expect(await words()).toContain('This platform does not provide originals')
    expect(door.requests().slice(asked).join()).not.toContain('/emails/receiving/')
    door.refuse(() => null)
    const answer = await eventually(
      () => engine.link.original('test', inThread),
      (result) => result.ok,
    )
    expect(answer.ok).toBe(true)
  })

  it('doesn’t exist for sent e-mails, which is reported', async () => {
    const platform = await startTestPlatform()
    const sent = { from: platform.inboxAddress, to: 'ada@example.com', subject: 'Sent', text: 'Hello' }
    await platform.ask('POST', '/emails', sent)
    const engine = await openSettledEngine(platform)
    const items = await listCached(engine, platform.inboxId, 'sent')
    const threadId = items[0]?.id ?? ''
    const { emails } = await engine.call('thread.open', { inboxId: platform.inboxId, threadId })
    const emailId = emails.find(({ direction }) => direction === 'outbound')?.id ?? ''
    const of = { list: 'threads', inboxId: platform.inboxId, threadId, emailId } as const
    expect((await engine.problemOf('original.open', { of })).message).toContain('originals of messages you sent')
  })
})
