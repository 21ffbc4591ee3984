// @vitest-environment jsdom
import { expect, it } from 'vitest'
import UsageSettings from '../../../src/renderer/features/accounts/UsageSettings.svelte'
import type { UsageReport, EmailQuotaUsage } from '../../../src/shared/usage.ts'
import { renderScreen } from './support/draw-screen.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

const ending = endAfterEach()

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
