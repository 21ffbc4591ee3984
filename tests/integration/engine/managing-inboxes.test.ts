import { describe, expect, it } from 'vitest'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { eventually } from './support/eventually.ts'
import { startRecordingProxy } from './support/recording-proxy.ts'
import { startInterceptingProxy } from './support/intercepting-proxy.ts'
import { openSettledEngine, openTestEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'

const NEW = { emailAddress: 'harbour@example.com', name: 'Harbour', fromName: 'The harbour', forwarding: false }

const open = async () => {
  const platform = await startTestPlatform({}, { generate: { threads: 3, seed: 1 } })
  const engine = await openSettledEngine(platform)
  const inboxes = async () => (await engine.call('inbox.list', {})).inboxes
  return { platform, engine, inboxes }
}

describe('inboxes', () => {
  it('are created and renamed on the platform, and listed at once', async () => {
    const { platform, engine, inboxes } = await open()
    const { inboxId } = await engine.call('inbox.create', NEW)
    expect((await inboxes()).find(({ id }) => id === inboxId)).toMatchObject({
      name: 'Harbour',
      emailAddress: 'harbour@example.com',
      fromName: 'The harbour',
      onServer: true,
    })
    await engine.call('inbox.rename', { inboxId, name: '', fromName: '' })
    expect((await inboxes()).find(({ id }) => id === inboxId)).toMatchObject({
      name: 'harbour@example.com',
      fromName: null,
    })
    const there = await platform.ask<{ name: string; from_name: string | null }>('GET', `/inboxes/${inboxId}`)
    expect(there.name).toBe('harbour@example.com')
    const forwarded = await engine.call('inbox.create', {
      ...NEW,
      emailAddress: 'fleet@example.com',
      forwarding: true,
    })
    const { receiving_address } = await platform.ask<{ receiving_address: string | null }>(
      'GET',
      `/inboxes/${forwarded.inboxId}`,
    )
    expect(receiving_address).not.toBeNull()
  })

  it('are renamed without sending an unchanged name', async () => {
    const platform = await startTestPlatform()
    const { inboxId } = platform
    await platform.ask('PATCH', `/inboxes/${inboxId}`, { from_name: 'The harbour' })
    const { baseUrl, changes } = await startRecordingProxy(platform.baseUrl)
    const engine = await openSettledEngine({ ...platform, baseUrl })
    await platform.ask('PATCH', `/inboxes/${inboxId}`, { from_name: 'The harbour master' })
    await engine.call('inbox.rename', { inboxId, name: 'Quay' })
    expect(changes().map(({ body }) => body)).toEqual([{ name: 'Quay' }])
    const there = await platform.ask<object>('GET', `/inboxes/${inboxId}`)
    expect(there).toMatchObject({ name: 'Quay', from_name: 'The harbour master' })
    await engine.call('inbox.rename', { inboxId, fromName: 'Ann' })
    expect(changes().at(-1)?.body).toEqual({ from_name: 'Ann' })
  })

  it('are rejected with a message if they break the rules', async () => {
    const { platform, engine, inboxes } = await open()
    const before = await inboxes()
    for (const wrong of [
      { ...NEW, emailAddress: 'harbour' },
      { ...NEW, name: 'x'.repeat(65) },
      { ...NEW, fromName: 'Ann <ann@example.com>' },
      { ...NEW, fromName: 'x'.repeat(79) },
      { ...NEW, emailAddress: platform.inboxAddress.toUpperCase() },
    ]) {
      expect((await engine.problemOf('inbox.create', wrong)).code).toBe('invalid_input')
    }
    expect(platform.requests().filter((line) => line.startsWith('POST /inboxes'))).toEqual([])
    await platform.fault({
      kind: 'error_422',
      method: 'POST',
      path: '/inboxes',
      message: 'The domain is not verified.',
    })
    expect((await engine.problemOf('inbox.create', NEW)).message).toContain('The domain is not verified.')
    await platform.fault()
    const { baseUrl, intercept } = await startInterceptingProxy(platform.baseUrl)
    const behind = await openTestEngine({ ...platform, baseUrl })
    for (const [status, words] of [
      [403, 'Your plan may not include another inbox'],
      [451, 'has blocked this account'],
    ] as const) {
      intercept((method) => (method === 'POST' ? status : null))
      expect((await behind.problemOf('inbox.create', NEW)).message).toContain(words)
    }
    expect(await inboxes()).toEqual(before)
    expect(await engine.problemOf('inbox.rename', { inboxId: 'nobody', name: 'A', fromName: '' })).toMatchObject({
      code: 'not_found',
    })
  })

  it('are deleted only by their address, and keep their local mail', async () => {
    const { platform, engine, inboxes } = await open()
    const { inboxId, inboxAddress } = platform
    const query = createFolderQuery(inboxId, 'inbox')
    const { total } = await engine.call('thread.list', { query, offset: 0, limit: 10 })
    expect(total).toBeGreaterThan(0)
    expect(await engine.problemOf('inbox.delete', { inboxId, typed: 'harbour@example.com' })).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('Nothing was deleted') as unknown,
    })
    expect(platform.requests().filter((line) => line.startsWith('DELETE'))).toEqual([])

    await engine.call('inbox.delete', { inboxId, typed: inboxAddress.toUpperCase() })
    expect((await inboxes()).find(({ id }) => id === inboxId)).toMatchObject({ onServer: false })
    await expect(platform.ask('GET', `/inboxes/${inboxId}`)).rejects.toThrow(/404/)
    await engine.advance(120_000)
    expect((await engine.call('thread.list', { query, offset: 0, limit: 10 })).total).toBe(total)
    expect(await engine.call('problem.list', {})).toEqual([])
    expect(await engine.problemOf('inbox.delete', { inboxId, typed: inboxAddress })).toMatchObject({
      code: 'not_found',
    })
  })

  it('stay unchanged offline, and are rechecked after a lost response', async () => {
    const { platform, engine, inboxes } = await open()
    await platform.fault({ kind: 'lost', method: 'POST', path: '/inboxes', times: 1 })
    expect((await engine.problemOf('inbox.create', NEW)).message).toContain('before you try again')
    expect((await inboxes()).map(({ emailAddress }) => emailAddress)).toContain('harbour@example.com')
    await platform.stop()
    await engine.call('sync.now', {}).catch(() => undefined)
    await eventually(engine.status, ({ connection }) => connection === 'offline')
    const { inboxId, inboxAddress } = platform
    for (const problem of [
      await engine.problemOf('inbox.create', { ...NEW, emailAddress: 'fleet@example.com' }),
      await engine.problemOf('inbox.rename', { inboxId, name: 'A', fromName: '' }),
      await engine.problemOf('inbox.delete', { inboxId, typed: inboxAddress }),
    ]) {
      expect(problem).toMatchObject({ code: 'unreachable', message: expect.stringContaining('offline') as unknown })
    }
    expect((await inboxes()).every(({ onServer }) => onServer)).toBe(true)
  })
})
