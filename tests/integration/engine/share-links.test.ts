import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { eventually } from './support/eventually.ts'
import { startRecordingProxy } from './support/recording-proxy.ts'
import { openTestEngine, type TestEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'

const openSome = async () => {
  const platform = await startTestPlatform({}, { generate: { threads: 6, seed: 3 } })
  const engine = await openTestEngine(platform)
  await platform.deliver({ subject: 'Berth for the Kittiwake', text: 'From Tuesday.' })
  await engine.call('sync.now', {})
  await engine.settled()
  const { inboxId } = platform
  const query = createFolderQuery(inboxId, 'inbox')
  const [thread] = (await engine.call('thread.list', { query, offset: 0, limit: 1 })).items
  const { emails } = await engine.call('thread.open', { inboxId, threadId: thread?.id ?? '' })
  const of = { list: 'threads', inboxId, threadId: thread?.id ?? '', emailId: emails.at(-1)?.id ?? '' } as const
  return { platform, engine, of }
}

const listed = (engine: TestEngine, typed = '') => engine.call('shareLink.list', { typed })

describe('a share link', () => {
  it('opens any e-mail for anyone, and is listed with its location', async () => {
    const { platform, engine, of } = await openSome()
    const { link, isKept } = await engine.call('shareLink.create', { of, expiresIn: ' 1h 30m ' })
    expect(isKept).toBe(true)
    const inThread = { thread: { folder: 'inbox' }, emailId: of.emailId }
    expect(link).toMatchObject({ of, subject: 'Berth for the Kittiwake', isHere: true, inThread })
    expect(link.expiresAt - link.madeAt).toBeLessThanOrEqual(90 * 60_000)
    expect(link.expiresAt - link.madeAt).toBeGreaterThan(89 * 60_000)
    const page = await fetch(link.url)
    expect([page.status, (await page.text()).includes('Berth for the Kittiwake')]).toEqual([200, true])

    const [received] = (await engine.call('receivedEmail.list', { offset: 0, limit: 1 })).items
    await engine.call('receivedEmail.get', { id: received?.id ?? '' })
    const ofReceived = { list: 'received', emailId: received?.id ?? '' } as const
    const { link: other } = await engine.call('shareLink.create', { of: ofReceived })
    expect(other).toMatchObject({ subject: received?.subject, from: received?.from, isHere: true })
    expect(other).toHaveProperty('inThread.thread')
    expect((await listed(engine)).map(({ id }) => id)).toEqual([other.id, link.id])

    await platform.ask('POST', '/emails', {
      from: platform.inboxAddress,
      to: 'harbour@example.com',
      subject: 'Papers of the berth',
      text: 'As promised.',
    })
    await engine.call('sync.now', {})
    const [sent] = (await engine.call('sentEmail.list', { offset: 0, limit: 1 })).items
    await engine.call('sentEmail.get', { id: sent?.id ?? '' })
    const { link: third } = await engine.call('shareLink.create', { of: { list: 'sent', emailId: sent?.id ?? '' } })
    expect(third).toMatchObject({ subject: 'Papers of the berth', to: ['harbour@example.com'], isHere: true })
    expect((await listed(engine, 'papers'))[0]).toEqual(third)
  })

  it('is announced to every window when created, forgotten or revoked', async () => {
    const { engine, of } = await openSome()
    const told = (count: number) =>
      eventually(
        () => engine.events('shareLinks.changed'),
        ({ length }) => length === count,
      )
    const { link } = await engine.call('shareLink.create', { of })
    await told(1)
    await engine.call('shareLink.forget', { id: link.id })
    await told(2)
    expect(await listed(engine)).toEqual([])
    await engine.call('shareLink.restore', { id: link.id })
    await told(3)
    expect(await listed(engine, 'kittiwake')).toEqual([link])
    expect(await engine.problemOf('shareLink.restore', { id: link.id })).toMatchObject({ code: 'not_found' })
  })

  it('is rejected for an invalid duration, and leaves no trace', async () => {
    const { platform, engine, of } = await openSome()
    for (const expiresIn of ['', ' ', 'soon', '0m', '49 hours', '3 days']) {
      expect(await engine.problemOf('shareLink.create', { of, expiresIn })).toMatchObject({ code: 'invalid_input' })
    }
    expect(platform.requests().filter((request) => request.includes('/share'))).toEqual([])
    const gone = { ...of, emailId: '00000000-0000-4000-8000-000000000000' }
    expect(await engine.problemOf('shareLink.create', { of: gone })).toMatchObject({
      code: 'not_found',
      message: 'This message is no longer on the platform, so it cannot be shared.',
    })
    expect(await listed(engine)).toEqual([])
  })

  it.each([
    [401, 'restricted_api_key', 'This API key is restricted to only send emails'],
    [403, 'invalid_permission', 'Missing scope'],
  ])('is rejected for a send-only key, with advice: %i %s', async (status, name, message) => {
    const { platform, engine, of } = await openSome()
    const { directory } = engine
    await engine.close()
    const refusal = { status, body: { statusCode: status, name, message } }
    const { baseUrl } = await startRecordingProxy(platform.baseUrl, ({ path }) =>
      path.endsWith('/share') ? refusal : null,
    )
    const restricted = await openTestEngine({ ...platform, baseUrl }, directory)
    expect(await restricted.problemOf('shareLink.create', { of })).toMatchObject({
      code: 'key_restricted',
      message: 'Your API key can only send mail. To create share links, enter a key with full access in Settings.',
    })
    expect(await listed(restricted)).toEqual([])
  })

  it('can be requested again after a lost response, and says so', async () => {
    const { platform, engine, of } = await openSome()
    await platform.fault({ kind: 'lost', path: `/emails/${of.emailId}/share`, times: 1 })
    const problem = await engine.problemOf('shareLink.create', { of })
    expect(problem).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('Create the link again') as string,
    })
    const { link } = await engine.call('shareLink.create', { of })
    expect(await listed(engine)).toEqual([link])
  })

  it('is marked if its e-mail is no longer stored locally', async () => {
    const { platform, engine, of } = await openSome()
    await engine.call('shareLink.create', { of })
    const { directory } = engine
    await engine.close()
    await platform.stop()
    for (const end of ['', '-wal', '-shm']) rmSync(join(directory, `cache.sqlite${end}`), { force: true })
    const again = await openTestEngine(platform, directory)
    expect(await listed(again)).toMatchObject([{ subject: 'Berth for the Kittiwake', isHere: false, inThread: null }])
    expect(await again.problemOf('shareLink.create', { of })).toMatchObject({
      code: 'unreachable',
      message: 'You are offline. Go online to create a share link.',
    })
  })
})
