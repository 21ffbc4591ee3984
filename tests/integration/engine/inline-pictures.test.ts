import { expect, describe, it } from 'vitest'
import type { BodyOwner } from '../../../src/shared/contract.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { drawPng } from '../../support/drawn-pictures.ts'
import { eventually } from './support/eventually.ts'
import { startRejectingProxy } from './support/rejecting-proxy.ts'
import { expectOk, openSettledEngine, openTestEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'

/** Too large for the platform to inline it as often as the HTML refers to it (platform.md 21.7). */
const SHOWN_OFTEN = '<img src="cid:chart@pier.example">'.repeat(1_600)
const CHART = Buffer.concat([drawPng(30, 20), Buffer.alloc(60_000, 7)])

const prepare = async (settings: Parameters<typeof startTestPlatform>[0] = {}) => {
  const platform = await startTestPlatform(settings)
  await platform.deliver({
    from: 'Ann <ann@pier.example>',
    subject: 'The chart',
    html: `<p>Here it is.</p>${SHOWN_OFTEN}<img src="cid:none@pier.example"><img src="cid:drawing@pier.example">`,
    attachments: [
      { filename: 'chart.png', content: CHART, cid: 'chart@pier.example' },
      { filename: 'drawing.png', content: '<svg xmlns="http://www.w3.org/2000/svg"/>', cid: 'drawing@pier.example' },
    ],
  })
  const door = await startRejectingProxy(platform)
  const engine = await openTestEngine({ ...platform, baseUrl: door.baseUrl })
  const newest = { offset: 0, limit: 1 }
  await eventually(
    () => engine.call('receivedEmail.list', newest),
    ({ total }) => total > 0,
  )
  await engine.settled()
  const { inboxId } = platform
  const { items: threads } = await engine.call('thread.list', { query: createFolderQuery(inboxId, 'inbox'), ...newest })
  const threadId = threads[0]?.id ?? ''
  const { emails } = await engine.call('thread.open', { inboxId, threadId })
  const { items: received } = await engine.call('receivedEmail.list', newest)
  const inThread = { list: 'threads', inboxId, threadId, emailId: emails.at(-1)?.id ?? '' } as const
  return { platform, door, engine, inThread, received: { list: 'received', emailId: received[0]?.id ?? '' } as const }
}
type Prepared = Awaited<ReturnType<typeof prepare>>

const read = ({ engine }: Pick<Prepared, 'engine'>, of: BodyOwner, url: string, isRetry = false) =>
  engine.call('picture.read', { of, url, isRetry })
const downloads = ({ door }: Pick<Prepared, 'door'>): readonly string[] =>
  door.requests().filter((request) => request.includes('/downloads/'))
const offline = (): number => 502

describe('an embedded picture', () => {
  it('is loaded apart from the HTML, fetched once, and kept offline', async () => {
    const prepared = await prepare()
    const { engine, door, platform, inThread, received } = prepared
    const { html } = await engine.call('receivedEmail.get', { id: received.emailId })
    expect(html).toContain('cid:chart@pier.example')
    expect(html).not.toContain('data:')
    const url = 'cid:chart%40pier.example'
    const [first, second] = await Promise.all([read(prepared, received, url), read(prepared, received, url)])
    expect(first.type).toBe('image/png')
    expect(Buffer.from(first.content, 'base64').equals(CHART)).toBe(true)
    expect(second).toEqual(first)
    expect(await read(prepared, inThread, 'cid:Chart@pier.example')).toEqual(first)
    expect(downloads(prepared)).toHaveLength(1)
    expect((await engine.call('attachment.list', { of: received })).items.map(({ isHere }) => isHere)).toEqual([
      true,
      false,
    ])

    await engine.close()
    door.refuse(offline)
    const again = { engine: await openTestEngine({ ...platform, baseUrl: door.baseUrl }, engine.directory) }
    expect(await read(again, received, url)).toEqual(first)
    expect(await read(again, inThread, url)).toEqual(first)
  })

  it('is found among a thread’s attachments before the received e-mail is read', async () => {
    const prepared = await prepare()
    const { content } = await read(prepared, prepared.inThread, 'cid:chart@pier.example')
    expect(Buffer.from(content, 'base64').equals(CHART)).toBe(true)
    expect(downloads(prepared)).not.toContainEqual(expect.stringContaining('/downloads/raw'))
  })

  it('is extracted once from the raw source if attachments are hidden', async () => {
    const prepared = await prepare({ inboxAttachments: false })
    const { inThread } = prepared
    const { content } = await read(prepared, inThread, 'cid:chart@pier.example')
    expect(Buffer.from(content, 'base64').equals(CHART)).toBe(true)
    expect(
      await prepared.engine.problemOf('picture.read', { of: inThread, url: 'cid:none', isRetry: false }),
    ).toMatchObject({
      code: 'not_found',
    })
    expect(downloads(prepared)).toHaveLength(1)
  })

  it('is saved with its file’s name and the right extension, also offline', async () => {
    const { engine, door, received } = await prepare()
    await engine.call('receivedEmail.get', { id: received.emailId })
    const save = (url: string) => engine.link.picture('test', received, url)
    const problemOf = async (url: string) => {
      const saved = await save(url)
      return saved.ok ? null : saved.error.code
    }
    const chart = expectOk(await save('cid:chart%40pier.example'))
    expect(chart.filename).toBe('chart.png')
    expect(Buffer.from(chart.content).equals(CHART)).toBe(true)
    expect(await problemOf('cid:drawing@pier.example')).toBe('refused')
    expect(await problemOf('cid:none@pier.example')).toBe('not_found')
    // Saving doesn't fetch pictures that the e-mail doesn't refer to.
    expect(await problemOf('http://192.0.2.1/a.png')).toBe('refused')
    expect(await problemOf(`http://192.0.2.1/${'a'.repeat(100_000)}`)).toBe('refused')
    door.refuse(offline)
    expect(expectOk(await save('cid:chart%40pier.example')).filename).toBe('chart.png')
    // The bytes decide whether embedded data is a picture.
    const inBase64 = (content: Uint8Array | string): string =>
      `data:image/jpeg;base64,${Buffer.from(content).toString('base64')}`
    expect(expectOk(await save(inBase64(CHART))).filename).toBe('picture.png')
    expect(await problemOf(inBase64('<!doctype html><script>alert(1)</script>'))).toBe('refused')
    expect(await problemOf(inBase64(Buffer.concat([CHART, Buffer.alloc(9 * 1024 * 1024)])))).toBe('refused')
  })

  it('is reported if unknown, not a picture, or not stored', async () => {
    const prepared = await prepare()
    const { engine, door, received } = prepared
    await engine.call('receivedEmail.get', { id: received.emailId })
    const problemOf = (url: string) => engine.problemOf('picture.read', { of: received, url, isRetry: false })
    door.refuse(offline)
    for (const url of ['cid:chart@pier.example', 'cid:none@pier.example']) {
      expect(await problemOf(url)).toMatchObject({
        code: expect.stringMatching(/unreachable|platform_failed/) as string,
      })
    }
    door.refuse(() => null)
    expect(await problemOf('cid:none@pier.example')).toMatchObject({ code: 'not_found' })
    expect(await problemOf('cid:drawing@pier.example')).toMatchObject({ code: 'refused' })
    const before = door.requests().length
    expect(await problemOf('cid:none@pier.example')).toMatchObject({ code: 'not_found' })
    expect(await problemOf('cid:drawing@pier.example')).toMatchObject({ code: 'refused' })
    expect(door.requests()).toHaveLength(before)
    expect((await read(prepared, received, 'cid:chart@pier.example')).type).toBe('image/png')
  })

  it('is shown in spam too, since no sender can notice', async () => {
    const prepared = await prepare()
    const { engine, inThread } = prepared
    await engine.call('thread.change', {
      inboxId: inThread.inboxId,
      threadIds: [inThread.threadId],
      change: { folder: 'spam' },
    })
    expect((await read(prepared, inThread, 'cid:chart@pier.example')).type).toBe('image/png')
  })

  it('is found by its name or claimed address, without requests', async () => {
    const platform = await startTestPlatform()
    const deliver = (subject: string, files: readonly { readonly filename: string; readonly location?: string }[]) =>
      platform.deliver({
        from: 'Ann <ann@pier.example>',
        subject,
        html: '<img src="bare.png"><img src="images/deep%20one.png"><img src="http://pics.example/loc.png"><img src="http://pics.example/other.png">',
        attachments: files.map(({ filename, location }) => ({
          filename,
          content: drawPng(30, 20),
          ...(location !== undefined && { headers: { 'Content-Location': location } }),
        })),
      })
    await deliver('With files', [
      { filename: 'bare.png' },
      { filename: 'deep one.png' },
      { filename: 'loc.png', location: 'http://pics.example/loc.png' },
      { filename: 'other.png' },
    ])
    await deliver('Without', [])
    const door = await startRejectingProxy(platform)
    const engine = await openSettledEngine({ ...platform, baseUrl: door.baseUrl })
    const { inboxId } = platform
    const { items } = await eventually(
      () => engine.call('thread.list', { query: createFolderQuery(inboxId, 'inbox'), offset: 0, limit: 2 }),
      ({ total }) => total === 2,
    )
    const ownerOf = async (threadId: string): Promise<BodyOwner> => {
      const { emails } = await engine.call('thread.open', { inboxId, threadId })
      return { list: 'threads', inboxId, threadId, emailId: emails[0]?.id ?? '' }
    }
    const withFiles = await ownerOf(items.find(({ subject }) => subject === 'With files')?.id ?? '')
    for (const url of ['bare.png', './images/deep%20one.png?1', 'http://pics.example/loc.png']) {
      expect(await read({ engine }, withFiles, url), url).toMatchObject({ type: 'image/png' })
    }
    expect(await engine.call('picture.located', { of: withFiles })).toEqual(['http://pics.example/loc.png'])

    const without = await ownerOf(items.find(({ subject }) => subject === 'Without')?.id ?? '')
    const before = downloads({ door }).length
    expect(await engine.problemOf('picture.read', { of: without, url: 'bare.png', isRetry: true })).toMatchObject({
      code: 'not_found',
    })
    expect(await engine.call('picture.located', { of: without })).toEqual([])
    expect(downloads({ door })).toHaveLength(before)
  })
})
