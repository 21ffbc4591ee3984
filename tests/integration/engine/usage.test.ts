import { describe, expect, it } from 'vitest'
import { eventually } from './support/eventually.ts'
import { openSettledEngine, openTestEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'

const MINUTE = 60_000
const asked = (requests: readonly string[]): number => requests.filter((line) => line.startsWith('GET /usage')).length

describe('the usage of an account', () => {
  it('is requested only if needed and older than allowed', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 3, seed: 1 } })
    const engine = await openSettledEngine(platform)
    await engine.advance(10 * MINUTE)
    expect(asked(platform.requests())).toBe(0)

    const { emails, contacts, rate_limit } = await platform.ask<{
      emails: { daily: { used: number; limit: number; resets_at: string } }
      contacts: { used: number; limit: number }
      rate_limit: { limit: number; duration: string }
    }>('GET', '/usage')
    const first = await engine.call('usage.get', { maxAge: 5 * MINUTE })
    expect(first).toMatchObject({
      isOffered: true,
      usage: {
        daily: {
          used: emails.daily.used,
          limit: emails.daily.limit,
          resetsAt: Date.parse(emails.daily.resets_at),
        },
        contacts: { used: contacts.used, limit: contacts.limit },
        rateLimit: rate_limit,
      },
    })
    await engine.call('usage.get', { maxAge: 5 * MINUTE })
    expect(asked(platform.requests())).toBe(2)
    await engine.skip(6 * MINUTE)
    // Two windows share the response.
    await Promise.all([
      engine.call('usage.get', { maxAge: 5 * MINUTE }),
      engine.call('usage.get', { maxAge: 5 * MINUTE }),
    ])
    expect(asked(platform.requests())).toBe(3)
    await engine.call('usage.get', { maxAge: 0 })
    expect(asked(platform.requests())).toBe(4)
  })

  it('is updated from the headers of sent requests', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 3, seed: 1 } })
    const engine = await openSettledEngine(platform)
    const { usage: before } = await engine.call('usage.get', { maxAge: 0 })
    const { inboxId } = platform
    const draft = await engine.call('draft.create', {
      inboxId,
      kind: 'new',
      target: null,
      content: {
        to: ['ann', 'bea', 'cid'].map((name) => ({ name: null, address: `${name}@example.com` })),
        ...{ cc: [], bcc: [], subject: 'Three', format: 'plain', html: '', text: 'Three', quote: null, files: [] },
      },
    })
    await engine.call('draft.send', { ...draft, holdSeconds: 0, archive: false, scheduledAt: null })
    const used = (before?.daily?.used ?? 0) + 3
    const { usage } = await eventually(
      () => engine.call('usage.get', { maxAge: 24 * 60 * MINUTE }),
      ({ usage: now }) => now?.daily?.used === used,
    )
    expect(usage).toMatchObject({ daily: { used, sent: null, received: null } })
    expect(asked(platform.requests())).toBe(1)
  })

  it('is kept offline and after a restart, and blocks nothing', async () => {
    const platform = await startTestPlatform({}, { generate: { threads: 3, seed: 1 } })
    const engine = await openSettledEngine(platform)
    const { usage } = await engine.call('usage.get', { maxAge: 0 })
    await platform.fault({ kind: 'delay', path: '/usage', delay_ms: 60_000 })
    await engine.skip(10 * MINUTE)
    const asking = engine.call('usage.get', { maxAge: MINUTE, timeoutMs: 1_000 })
    await engine.advance(1_500)
    expect((await asking).usage).toEqual(usage)
    await platform.stop()
    await engine.close()
    const again = await openTestEngine(platform, engine.directory)
    expect(await again.problemOf('usage.get', { maxAge: 0 })).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('last known') as unknown,
    })
    expect(await again.call('usage.get', { maxAge: MINUTE, timeoutMs: 0 })).toEqual({ usage, isOffered: true })
  })

  it('isn’t requested repeatedly if the platform doesn’t report it', async () => {
    const platform = await startTestPlatform({ operations: 'contract' }, { generate: { threads: 3, seed: 1 } })
    const engine = await openTestEngine(platform)
    for (let count = 0; count < 5; count += 1) {
      expect(await engine.call('usage.get', { maxAge: 0, timeoutMs: 100 })).toMatchObject({ usage: null })
      await engine.call('usage.get', { maxAge: 0 })
    }
    expect(asked(platform.requests())).toBeLessThan(4)
    expect(await engine.call('usage.get', { maxAge: 0 })).toEqual({ usage: null, isOffered: false })
  })
})
