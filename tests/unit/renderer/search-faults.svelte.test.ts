// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { parseSearch } from '../../../src/shared/search/parse-search.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { INBOX } from './support/fixture-mail.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

const ending = endAfterEach()

/** One search for each kind of fault. */
const FAULTY = [
  ...['body:noon', 'fog OR mist', '{ann bob}', 'from:me', 'from:', 'in:attic', 'label:zzqx', 'assigned:zzqx'],
  ...['assigned:me', 'assigned:(ann, nobody)', '-from:ann', 'subject:(a, b)', 'from:"Lee, Ann"', 'after:zzqx'],
  ...['is:read is:unread', 'after:2026-06-01 before:2026-05-01', 'fog '.repeat(33).trim()],
]

it.each(FAULTY)('lists nothing for %j after another search, typed or submitted', async (faulty) => {
  const { session } = await openWindow(inbox(null), ending.signal)
  const { threads } = session
  const show = async (query: string, isTyped: boolean): Promise<void> => {
    const route = { view: 'search', inboxId: INBOX.id, query } as const
    if (isTyped) threads.type(route, { labels: [] })
    else threads.show(route)
    await until(() => !threads.isArriving && threads.rows?.phase === 'ready')
  }
  for (const [isFirstTyped, isTyped] of [
    ...[[false, false] as const, [true, false] as const],
    ...[[false, true] as const, [true, true] as const],
  ]) {
    await show('e', isFirstTyped)
    expect(threads.rows?.total).toBeGreaterThan(0)
    await show(faulty, isTyped)
    expect([threads.isFaulty, threads.rows?.total]).toEqual([true, 0])
  }
})

it.each(FAULTY)('lists nothing for %j in All received after another search', async (faulty) => {
  const { session } = await openWindow({ view: 'received', id: null }, ending.signal)
  const { received } = session
  for (const isTyped of [false, true]) {
    received.show(null, 'e')
    await until(() => received.list.phase === 'ready' && received.list.total > 0)
    if (isTyped) received.type(faulty)
    received.show(null, faulty)
    await until(() => received.list.phase === 'ready' && received.search?.text === faulty)
    expect([received.search?.query, received.list.total]).toEqual([null, 0])
  }
})

it('covers each kind of fault', () => {
  const clock = { now: 0, timeZone: 'UTC', labels: [] }
  const codes = FAULTY.flatMap((text) => parseSearch(text, clock).faults.map(({ code }) => code))
  expect(new Set(codes).size).toBeGreaterThan(14)
})
