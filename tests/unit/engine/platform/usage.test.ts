import { describe, expect, it } from 'vitest'
import { createMailPlatform } from '../../../../src/engine/platform/mail-platform.ts'
import { parseStoredUsage, parseQuotaHeaders, serializeUsage } from '../../../../src/engine/platform/resources/usage.ts'

const AT = Date.UTC(2026, 10, 27, 8)
const read = (answer: unknown) =>
  createMailPlatform({ request: () => Promise.resolve(answer) }, () => AT).getUsage({
    priority: 'action',
    signal: new AbortController().signal,
  })

const EMAILS = { used: 40, limit: 100, sent: 30, received: 10, resets_at: '2026-11-28T00:00:00.000Z' }

describe('usage reported by the platform', () => {
  it('is read with its extra fields, and stored as received', async () => {
    const usage = await read({
      object: 'usage',
      emails: { daily: EMAILS, monthly: { ...EMAILS, limit: null } },
      contacts: { used: 3, limit: 1000 },
      rate_limit: { limit: 10, duration: '1s' },
      seats: 4,
    })
    expect(usage).toMatchObject({
      daily: { used: 40, limit: 100, resetsAt: Date.UTC(2026, 10, 28), at: AT },
      monthly: { limit: null },
      contacts: { used: 3, limit: 1000 },
      rateLimit: { limit: 10, duration: '1s' },
    })
    expect(parseStoredUsage(serializeUsage(usage))).toEqual(usage)
    expect(parseStoredUsage('{"at":1')).toBeNull()
    expect(parseStoredUsage('{"at":1,"words":7}')).toBeNull()
  })

  it.each([
    { used: -1 },
    { used: 1.5 },
    { used: Number.POSITIVE_INFINITY },
    { used: '40' },
    { used: null },
    { used: 1e300 },
  ])('leaves out an invalid amount: %o', async (wrong) => {
    const usage = await read({ emails: { daily: { ...EMAILS, ...wrong }, monthly: EMAILS } })
    expect(usage).toMatchObject({ daily: null, monthly: { used: 40 }, contacts: null, rateLimit: null })
  })

  it('has no limit or reset if they can’t be read', async () => {
    const usage = await read({ emails: { daily: { ...EMAILS, limit: 'many', resets_at: 'soon' } } })
    expect(usage).toMatchObject({ daily: { limit: null, resetsAt: null }, monthly: null })
  })

  it('is rejected in a response about something else', async () => {
    await expect(read({ object: 'list', data: [] })).rejects.toThrow()
    await expect(read('usage')).rejects.toThrow()
  })

  it('is read from purely numeric headers', () => {
    const of = (daily?: string, monthly?: string) =>
      parseQuotaHeaders({ 'x-resend-daily-quota': daily, 'x-resend-monthly-quota': monthly })
    expect(of('17', ' 2040 ')).toEqual({ daily: 17, monthly: 2040 })
    expect(of()).toEqual({ daily: null, monthly: null })
    expect(of('-3', '1e9')).toEqual({ daily: null, monthly: null })
    expect(of('9'.repeat(30), '')).toEqual({ daily: null, monthly: null })
  })
})
