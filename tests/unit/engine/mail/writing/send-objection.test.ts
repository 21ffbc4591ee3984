import { expect, it } from 'vitest'
import { describeQuotaExcess } from '../../../../../src/engine/mail/writing/send-objection.ts'
import type { EmailQuotaUsage, UsageReport } from '../../../../../src/shared/usage.ts'

const now = Date.UTC(2026, 10, 29)
const emails = (change: Partial<EmailQuotaUsage> = {}): EmailQuotaUsage => ({
  ...{ used: 97, limit: 100, sent: 90, received: 7, resetsAt: now + 3_600_000, at: now - 300_000 },
  ...change,
})
const usageOf = (change: Partial<UsageReport> = {}): UsageReport => ({
  ...{ daily: emails(), monthly: emails({ used: 500, limit: 3_000 }), contacts: null, rateLimit: null, at: now },
  ...change,
})

it('warns only if a message exceeds today’s or this month’s quota', () => {
  expect(describeQuotaExcess(usageOf(), 3, now)).toBeNull()
  expect(describeQuotaExcess(usageOf(), 4, now)).toBe(
    'This message counts as 4 messages, but you have 3 left today. The platform may not send it.',
  )
  expect(describeQuotaExcess(usageOf({ daily: emails({ used: 120 }) }), 1, now)).toContain(
    '1 message, but you have none left today',
  )
  expect(describeQuotaExcess(usageOf({ daily: null, monthly: emails({ used: 99 }) }), 2, now)).toContain('this month')
  expect(describeQuotaExcess(usageOf({ daily: emails({ limit: null }) }), 50, now)).toBeNull()
  expect(describeQuotaExcess(usageOf({ daily: emails({ resetsAt: now }) }), 50, now)).toBeNull()
  expect(describeQuotaExcess(null, 50, now)).toBeNull()
})
