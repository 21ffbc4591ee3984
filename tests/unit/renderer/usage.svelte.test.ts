// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it } from 'vitest'
import UsageSettings from '../../../src/renderer/features/accounts/UsageSettings.svelte'
import { describeQuotaExcess, checkSendQuota } from '../../../src/renderer/features/writing/quota-warning.ts'
import type { UsageReport, EmailQuotaUsage } from '../../../src/shared/usage.ts'
import { renderScreen } from './support/draw-screen.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

let ending: AbortController
beforeEach(() => {
  ending = new AbortController()
})
afterEach(() => ending.abort())

const HOUR = 3_600_000
const now = Date.now()
const emails = (change: Partial<EmailQuotaUsage> = {}): EmailQuotaUsage => ({
  ...{ used: 97, limit: 100, sent: 90, received: 7, resetsAt: now + HOUR, at: now - 300_000 },
  ...change,
})
const usageOf = (change: Partial<UsageReport> = {}): UsageReport => ({
  ...{ daily: emails(), monthly: emails({ used: 500, limit: 3_000 }), contacts: { used: 12, limit: 1_000 } },
  ...{ rateLimit: { limit: 10, duration: '1s' }, at: now - 300_000 },
  ...change,
})

it('warns only if a message exceeds today’s or this month’s quota', () => {
  expect(describeQuotaExcess(usageOf(), 3, now)).toBeNull()
  expect(describeQuotaExcess(usageOf(), 4, now)).toBe(
    'This message counts as 4 messages, but you have 3 left today (as of 5 minutes ago). The platform may not send it.',
  )
  expect(describeQuotaExcess(usageOf({ daily: emails({ used: 120 }) }), 1, now)).toContain(
    '1 message, but you have none left today',
  )
  expect(describeQuotaExcess(usageOf({ daily: null, monthly: emails({ used: 99 }) }), 2, now)).toContain('this month')
  expect(describeQuotaExcess(usageOf({ daily: emails({ limit: null }) }), 50, now)).toBeNull()
  expect(describeQuotaExcess(usageOf({ daily: emails({ resetsAt: now }) }), 50, now)).toBeNull()
  expect(describeQuotaExcess(null, 50, now)).toBeNull()
})

it('doesn’t delay a message if the quota is unknown', async () => {
  const refused = { ok: false, error: { code: 'internal', message: 'The pier is closed.' } }
  expect(await checkSendQuota({ call: (() => Promise.resolve(refused)) as never }, 'inbox-1', 9)).toBeNull()
})

it('shows usage and quota, and the last known figures when the platform is unreachable', async () => {
  let isReached = true
  const opened = await openWindow(inbox(null), ending.signal, {
    'usage.get': ({ timeoutMs }) => {
      if (!isReached && timeoutMs === undefined) throw new Error('unreachable')
      return { usage: usageOf(), isOffered: true }
    },
  })
  const { target, settle } = await renderScreen(opened, UsageSettings, ending.signal)
  await until(() => target.textContent.includes('Today'))
  expect(target.textContent).toContain('97 of 100 messages used, 3 left')
  expect(target.textContent).toContain('90 sent, 7 received')
  expect(target.textContent).toContain('12 of 1,000')
  expect(target.textContent).toContain('10 requests per second')
  expect(target.textContent).toContain('As of 5 minutes ago')
  isReached = false
  target.querySelector('button')?.click()
  await until(() => target.querySelector('[role="alert"]') !== null)
  await settle()
  expect(target.textContent).toContain('97 of 100 messages used')
})

it('says if the platform reports no usage', async () => {
  const opened = await openWindow(inbox(null), ending.signal)
  const { target } = await renderScreen(opened, UsageSettings, ending.signal)
  await until(() => target.textContent.includes('doesn’t report usage'))
  expect(target.querySelector('button')).toBeNull()
})
