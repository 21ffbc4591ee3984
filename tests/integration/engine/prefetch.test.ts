import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CACHE_NAME } from '../../../src/engine/own/account-files.ts'
import { readDatabaseFile } from '../../../src/engine/store/read-database-file.ts'
import type { BodyOwner } from '../../../src/shared/contract.ts'
import { FOLDERS } from '../../../src/shared/model.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'
import { eventually } from './support/eventually.ts'
import { startRejectingProxy } from './support/rejecting-proxy.ts'
import { expectOk, openSettledEngine, openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform, type TestPlatform } from './support/test-platform.ts'

const EVERYTHING = { days: null, bytes: null } as const
const DAY_MS = 86_400_000

const kept = async (engine: TestEngine) => {
  await engine.settled()
  return eventually(
    () => engine.call('keeping.state', {}),
    ({ left }) => left === 0,
    undefined,
    ({ left }) => String(left),
  )
}

/** Number of e-mails with this many consecutive failures. */
const failedAt = (engine: TestEngine, tries: number): number =>
  readDatabaseFile(
    join(engine.directory, CACHE_NAME),
    (cache) =>
      cache.prepare<[number], number>('SELECT count(*) FROM prefetch_queue WHERE failures = ?').pluck().get(tries) ?? 0,
    0,
  )

const everyRow = async <Row>(
  read: (window: { offset: number; limit: number }) => Promise<{ readonly items: readonly Row[] }>,
): Promise<readonly Row[]> => {
  const rows: Row[] = []
  for (;;) {
    const { items } = await read({ offset: rows.length, limit: 200 })
    if (items.length === 0) return rows
    rows.push(...items)
  }
}

/** Everything readable of an e-mail, as text. Throws on any failure. */
const readWhole = async (engine: TestEngine, of: BodyOwner, isReceived: boolean): Promise<readonly string[]> => {
  const { items, problem } = await engine.call('attachment.list', { of })
  if (problem !== null) throw new Error(JSON.stringify(problem))
  const attachments = []
  for (const { id, filename, isHere } of items) {
    const { version } = await engine.call('attachment.open', { of, attachmentId: id })
    attachments.push(`${filename ?? ''} ${version} ${isHere}`)
  }
  if (!isReceived) return attachments
  const { content } = expectOk(await engine.link.original('test', of))
  return [...attachments, `original ${content.byteLength}`]
}

const readEverything = async (engine: TestEngine): Promise<Readonly<Record<string, unknown>>> => {
  const whole: Record<string, unknown> = {}
  const { inboxes } = await engine.call('inbox.list', {})
  for (const { id: inboxId } of inboxes) {
    for (const folder of FOLDERS) {
      const threads = await everyRow((window) =>
        engine.call('thread.list', { query: createFolderQuery(inboxId, folder), ...window }),
      )
      for (const { id: threadId } of threads) {
        const { emails } = await engine.call('thread.open', { inboxId, threadId })
        for (const email of emails) {
          const of = { list: 'threads', inboxId, threadId, emailId: email.id } as const
          whole[`${folder} ${threadId} ${email.id}`] = [
            email.text ?? email.html,
            ...(await readWhole(engine, of, email.direction === 'inbound')),
          ]
        }
      }
    }
  }
  for (const { id } of await everyRow((window) => engine.call('receivedEmail.list', window))) {
    const { text, html } = await engine.call('receivedEmail.get', { id })
    whole[`received ${id}`] = [text ?? html, ...(await readWhole(engine, { list: 'received', emailId: id }, true))]
  }
  for (const { id } of await everyRow((window) => engine.call('sentEmail.list', window))) {
    const { text, html } = await engine.call('sentEmail.get', { id })
    whole[`sent ${id}`] = [text ?? html, ...(await readWhole(engine, { list: 'sent', emailId: id }, false))]
  }
  return whole
}

/** Advances the platform's clock and waits until it has deleted all of its mail. */
const dropEverything = async (platform: TestPlatform): Promise<void> => {
  await platform.ask('POST', '/_control/clock', { advance_ms: 31 * DAY_MS })
  await eventually(
    () => platform.ask<{ data: readonly unknown[] }>('GET', '/emails/receiving?limit=1'),
    ({ data }) => data.length === 0,
  )
}

const idsOn = async (platform: TestPlatform): Promise<readonly string[]> => {
  const ids: string[] = []
  for (const [name, path] of [
    ['received', '/emails/receiving'],
    ['sent', '/emails'],
  ] as const) {
    for (let after = '', hasMore = true; hasMore;) {
      const answer = await platform.ask<{ data: readonly { id: string }[]; has_more: boolean }>(
        'GET',
        `${path}?limit=100${after}`,
      )
      ids.push(...answer.data.map(({ id }) => `${name} ${id}`))
      after = `&after=${answer.data.at(-1)?.id ?? ''}`
      hasMore = answer.has_more
    }
  }
  return ids
}

const sendWithFile = (platform: TestPlatform, subject: string): Promise<{ id: string }> =>
  platform.ask('POST', '/emails', {
    from: platform.inboxAddress,
    to: 'ada@example.com',
    subject,
    text: subject,
    attachments: [{ filename: `${subject}.txt`, content: Buffer.from(`of ${subject}`).toString('base64') }],
  })

const deliverWithFile = (platform: TestPlatform, subject: string, content = `in ${subject}`): Promise<void> =>
  platform.deliver({ subject, text: subject, attachments: [{ filename: `${subject}.bin`, content }] })

/** Requests for single e-mails and downloads, without those of regular syncing. */
const fetchesOf = (platform: TestPlatform, since = 0): readonly string[] =>
  platform
    .requests()
    .slice(since)
    .filter((request) => /\/emails\/(?:receiving\/)?[\da-f-]{36}|\/downloads\//.test(request))

describe('mail kept offline', () => {
  it('stays readable without a network after the platform deleted it', async () => {
    const platform = await startTestPlatform({ retentionDays: 30 }, { dataset: 'demo' })
    await sendWithFile(platform, 'sent')
    const engine = await openTestEngine(platform, undefined, EVERYTHING)
    const ids = await idsOn(platform)
    const state = await kept(engine)
    expect([state.lost, state.withoutFiles, state.paused]).toEqual([0, 0, null])
    await dropEverything(platform)
    await engine.call('sync.now', {})
    const gone = await eventually(
      () => engine.call('keeping.state', {}),
      ({ localOnly, kept: all }) => localOnly === all,
      undefined,
      ({ localOnly }) => String(localOnly),
    )
    expect(gone.kept).toBe(state.kept)
    await engine.close()
    await platform.stop()
    const offline = await openTestEngine(platform, engine.directory)
    const before = await readEverything(offline)
    expect(ids.length).toBeGreaterThan(50)
    expect(ids.filter((id) => !(id in before))).toEqual([])
    expect(JSON.stringify(before)).not.toContain(' false"')
  })

  it('takes one request per received and two per sent e-mail, then none', async () => {
    const platform = await startTestPlatform()
    for (const subject of ['one', 'two', 'three']) await deliverWithFile(platform, subject)
    await sendWithFile(platform, 'four')
    const engine = await openTestEngine(platform, undefined, EVERYTHING)
    expect(await kept(engine)).toMatchObject({ kept: 4, incomplete: 0, lost: 0 })
    const [received, sent, originals, files] = [
      /receiving\/[^/]+ 200/,
      /GET \/emails\/[\da-f-]{36}(?:\/attachments)? 200/,
      /\/downloads\/raw/,
      /\/downloads\/attachments/,
    ].map((kind) => fetchesOf(platform).filter((request) => kind.test(request)).length)
    expect({ received, sent, originals, files }).toEqual({ received: 3, sent: 2, originals: 3, files: 1 })
    expect(fetchesOf(platform)).toHaveLength(9)
    const before = platform.requests().length
    const everything = await readEverything(engine)
    await engine.close()
    const again = await openTestEngine(platform, engine.directory)
    await kept(again)
    await again.call('sync.now', {})
    expect(await readEverything(again)).toEqual(everything)
    expect(fetchesOf(platform, before)).toEqual([])
  })

  it('resumes after a restart without fetching anything twice', async () => {
    const platform = await startTestPlatform()
    for (let count = 0; count < 24; count += 1) await deliverWithFile(platform, `mail ${count}`)
    const engine = await openTestEngine(platform, undefined, EVERYTHING)
    const { kept: half } = await eventually(
      () => engine.call('keeping.state', {}),
      ({ kept: count }) => count >= 6,
    )
    await engine.close()
    expect(half).toBeLessThan(24)
    const again = await openTestEngine(platform, engine.directory)
    expect(await kept(again)).toMatchObject({ kept: 24, incomplete: 0 })
    // Only the four e-mails in flight at the restart are fetched again.
    expect(fetchesOf(platform).length).toBeLessThanOrEqual(2 * 24 + 2 * 4)
    expect(fetchesOf(platform).length).toBeGreaterThanOrEqual(2 * 24)
  })

  it('goes back as far as chosen, also after a restart with a new cache', async () => {
    const platform = await startTestPlatform({ trustDate: true })
    const old = new Date(Date.now() - 40 * DAY_MS)
    await platform.deliver({ subject: 'old', date: old })
    await platform.deliver({ subject: 'new' })
    const engine = await openTestEngine(platform, undefined, { days: 30, bytes: null })
    expect(await kept(engine)).toMatchObject({ kept: 1, days: 30 })
    expect(fetchesOf(platform)).toHaveLength(2)
    await engine.call('keeping.set', { days: 90 })
    await eventually(
      () => engine.call('keeping.state', {}),
      (state) => state.kept === 2 && state.left === 0,
    )
    await engine.call('cache.clear', {})
    expect(await kept(engine)).toMatchObject({ kept: 2, days: 90, maxBytes: null })
  })

  it('includes files while there is room, and text always', async () => {
    const platform = await startTestPlatform()
    for (let count = 0; count < 8; count += 1) await deliverWithFile(platform, `mail ${count}`, 'x'.repeat(20_000))
    const bytes = 90_000
    const engine = await openTestEngine(platform, undefined, { days: null, bytes })
    const full = await kept(engine)
    expect(full.fileBytes).toBeLessThanOrEqual(bytes)
    expect(full).toMatchObject({ paused: { why: 'room' }, lost: 0 })
    expect([full.kept > 0, full.kept + full.withoutFiles]).toEqual([true, 8])
    const { items } = await engine.call('receivedEmail.list', { offset: 0, limit: 8 })
    const places = await Promise.all(
      items.map(async ({ id: emailId }) => {
        const list = await engine.call('attachment.list', { of: { list: 'received', emailId } })
        return list.items[0]?.isHere
      }),
    )
    expect(places).toEqual(places.toSorted((a, b) => Number(b) - Number(a)))
    await engine.call('keeping.set', { bytes: null })
    const whole = await eventually(
      () => engine.call('keeping.state', {}),
      (state) => state.kept === 8,
    )
    expect(whole).toMatchObject({ paused: null, withoutFiles: 0 })
  })

  it.each([404, 403, 500])('retries raw sources rejected with %i only when due', async (status) => {
    const platform = await startTestPlatform()
    for (const subject of ['one', 'two', 'three']) await deliverWithFile(platform, subject)
    const door = await startRejectingProxy(platform)
    door.refuse((request) => (request.includes('/downloads/raw') ? status : null))
    const engine = await openSettledEngine({ ...platform, baseUrl: door.baseUrl }, undefined, EVERYTHING)
    const downloads = (): number => door.requests().filter((request) => request.includes('/downloads/raw')).length
    await eventually(downloads, (count) => count >= 3)
    await engine.call('sync.now', {})
    await engine.advance(1_500)
    // Each was downloaded once. Retries are due in a minute.
    expect(downloads()).toBe(3)
    for (const [tries, minutes] of [
      [2, 1],
      [3, 10],
    ] as const) {
      // The back-off starts when the failure is recorded, not when the request was sent.
      await eventually(
        () => failedAt(engine, tries - 1),
        (emails) => emails === 3,
      )
      await engine.advance(minutes * 30_000)
      expect(downloads()).toBe(3 * (tries - 1))
      await engine.advance(minutes * 60_000)
      await eventually(downloads, (count) => count === 3 * tries)
    }
    if (status === 500) return
    // Then the engine gives up on the raw sources, and gets the attachments from their own downloads.
    const state = await eventually(
      () => engine.call('keeping.state', {}),
      ({ incomplete }) => incomplete === 3,
    )
    expect(state).toMatchObject({ kept: 3, left: 0, lost: 0 })
    await engine.skip(3 * DAY_MS)
    await engine.call('keeping.set', {})
    const { items } = await engine.call('receivedEmail.list', { offset: 0, limit: 3 })
    for (const { id: emailId } of items) {
      const list = await engine.call('attachment.list', { of: { list: 'received', emailId } })
      expect(list.items.map(({ isHere }) => isHere)).toEqual([true])
    }
    expect(downloads()).toBe(9)
  })

  it('pauses with a message on a full disk, and resumes later', async () => {
    const platform = await startTestPlatform()
    await deliverWithFile(platform, 'one')
    const directory = temporaryDirectory()
    // A file in place of the folder blocks all writes.
    writeFileSync(join(directory, 'blobs'), '')
    const engine = await openTestEngine(platform, directory, EVERYTHING)
    const { paused } = await eventually(
      () => engine.call('keeping.state', {}),
      (state) => state.paused !== null,
    )
    expect(paused).toMatchObject({ why: 'disk' })
    expect(paused?.message).toContain('Stored mail is kept')
    const told = async (): Promise<readonly string[]> =>
      (await engine.call('problem.list', {})).flatMap(({ id, message }) => (id === 'keeping-paused' ? [message] : []))
    expect(await told()).toEqual([paused?.message])
    expect((await engine.settled()).problem).toBeNull()
    rmSync(join(directory, 'blobs'))
    await engine.call('keeping.set', {})
    expect(await kept(engine)).toMatchObject({ kept: 1, incomplete: 0 })
    await eventually(
      () => engine.call('keeping.state', {}),
      (state) => state.paused === null,
    )
    expect(await told()).toEqual([])
  })

  it('survives a damaged cache', async () => {
    const platform = await startTestPlatform({ retentionDays: 30 })
    for (const subject of ['one', 'two']) await deliverWithFile(platform, subject)
    await sendWithFile(platform, 'three')
    const engine = await openTestEngine(platform, undefined, EVERYTHING)
    await kept(engine)
    const everything = await readEverything(engine)
    const before = await engine.call('keeping.state', {})
    await dropEverything(platform)
    await engine.close()
    await platform.stop()
    const file = join(engine.directory, 'cache.sqlite')
    const bytes = readFileSync(file)
    bytes.fill(0, 0, 24)
    writeFileSync(file, bytes)
    const again = await openTestEngine(platform, engine.directory)
    await eventually(
      () => again.call('keeping.state', {}),
      ({ fileBytes }) => fileBytes === before.fileBytes,
    )
    expect((await again.call('problem.list', {})).map(({ id }) => id)).toContain('cache-damaged')
    expect(await readEverything(again)).toEqual(everything)
  })

  it('counts an e-mail deleted from a live thread', async () => {
    const platform = await startTestPlatform({ retentionDays: 30 })
    await platform.deliver({ subject: 'Talk', messageId: '<first@example.com>' })
    const engine = await openTestEngine(platform, undefined, EVERYTHING)
    await kept(engine)
    await platform.ask('POST', '/_control/clock', { advance_ms: 20 * DAY_MS })
    await platform.deliver({ subject: 'Re: Talk', inReplyTo: '<first@example.com>' })
    await engine.call('sync.now', {})
    expect(await kept(engine)).toMatchObject({ kept: 2, localOnly: 0 })
    await platform.ask('POST', '/_control/clock', { advance_ms: 15 * DAY_MS })
    await eventually(
      () => platform.ask<{ data: readonly unknown[] }>('GET', '/emails/receiving?limit=2'),
      ({ data }) => data.length === 1,
    )
    await engine.call('sync.now', {})
    await eventually(
      () => engine.call('keeping.state', {}),
      ({ localOnly }) => localOnly === 1,
    )
    const query = createFolderQuery(platform.inboxId, 'inbox')
    const { items } = await engine.call('thread.list', { query, offset: 0, limit: 2 })
    expect(items.map(({ onServer }) => onServer)).toEqual([true])
    const open = { inboxId: platform.inboxId, threadId: items[0]?.id ?? '' }
    const { emails } = await engine.call('thread.open', open)
    expect(emails.map(({ onServer, text }) => [onServer, text?.trim()])).toEqual([
      [false, 'Hello'],
      [true, 'Hello'],
    ])
  })

  it('isn’t downloaded if the user only keeps opened mail', async () => {
    const platform = await startTestPlatform()
    await deliverWithFile(platform, 'one')
    const engine = await openSettledEngine(platform, undefined, { days: null, bytes: 0 })
    await engine.call('sync.now', {})
    await engine.settled()
    expect(fetchesOf(platform)).toEqual([])
    await engine.call('keeping.set', { bytes: null })
    expect(await kept(engine)).toMatchObject({ kept: 1 })
  })
})
