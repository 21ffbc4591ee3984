// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Delivery } from '../../../src/shared/model.ts'
import { ProblemError } from '../../../src/shared/result.ts'
import { inbox, openWindow } from './support/open-window.ts'

const deliveryOf = (emailId: string, lastEvent: string): Delivery => ({
  ...{ emailId, lastEvent, failure: null, scheduledAt: null, learnedAt: 1, confirmedAt: 1 },
})

let ending = new AbortController()
afterEach(() => {
  ending.abort()
  ending = new AbortController()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const open = async (known: Record<string, readonly Delivery[]>) => {
  const { session, called, emit } = await openWindow(inbox(null), ending.signal, {
    'delivery.ofThread': ({ threadId }) => {
      const answer = known[threadId]
      if (answer === undefined) throw new ProblemError({ code: 'not_found', message: 'It is not here.' })
      return answer
    },
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const asked = () => called('delivery.ofThread') as readonly { readonly mayAsk: boolean }[]
  const countOfAsking = () => asked().filter(({ mayAsk }) => mayAsk).length
  return { deliveries: session.deliveries, emit, asked, countOfAsking }
}

describe('delivery states of the open thread', () => {
  it('load from this computer at once, and cost a request only if the thread stays open', async () => {
    const { deliveries, asked, countOfAsking } = await open({ thread: [deliveryOf('a', 'delivered')] })
    for (let count = 0; count < 20; count += 1) {
      const end = deliveries.watch('inbox', 'thread')
      await vi.advanceTimersByTimeAsync(300)
      expect(deliveries.of('a')?.lastEvent).toBe('delivered')
      end()
    }
    await vi.advanceTimersByTimeAsync(60_000)
    expect(asked()).toHaveLength(20)
    expect(countOfAsking()).toBe(0)
    deliveries.watch('inbox', 'thread')
    await vi.advanceTimersByTimeAsync(500)
    expect(asked().at(-1)).toEqual({ inboxId: 'inbox', threadId: 'thread', mayAsk: true })
  })

  it('refresh with back-off up to a minute, without requests while the window is hidden', async () => {
    const { deliveries, asked, countOfAsking } = await open({ thread: [] })
    deliveries.watch('inbox', 'thread')
    await vi.advanceTimersByTimeAsync(60_000)
    const first = countOfAsking()
    expect(first).toBeGreaterThanOrEqual(4)
    expect(first).toBeLessThanOrEqual(6)
    await vi.advanceTimersByTimeAsync(600_000)
    expect(countOfAsking() - first).toBeLessThanOrEqual(11)
    const before = countOfAsking()
    const all = asked().length
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    await vi.advanceTimersByTimeAsync(600_000)
    expect(countOfAsking()).toBe(before)
    expect(asked().length).toBeGreaterThan(all)
  })

  it('update on an event and never show another thread’s state', async () => {
    const known = { thread: [deliveryOf('a', 'sent')], other: [deliveryOf('b', 'delivered')] }
    const { deliveries, emit, asked } = await open(known)
    const end = deliveries.watch('inbox', 'thread')
    await vi.advanceTimersByTimeAsync(1)
    expect(deliveries.of('a')?.lastEvent).toBe('sent')
    known.thread = [deliveryOf('a', 'bounced')]
    emit({ name: 'sentEmails.changed', payload: null })
    await vi.advanceTimersByTimeAsync(20)
    expect(deliveries.of('a')?.lastEvent).toBe('bounced')
    expect(asked().at(-1)?.mayAsk).toBe(false)
    end()
    deliveries.watch('inbox', 'other')
    expect(deliveries.of('a')).toBeNull()
    await vi.advanceTimersByTimeAsync(1)
    expect(deliveries.of('b')?.lastEvent).toBe('delivered')
    expect(deliveries.of('a')).toBeNull()
  })

  it('stay if a refresh fails, and ignore a late response for another thread', async () => {
    const known: Record<string, readonly Delivery[]> = { thread: [deliveryOf('a', 'delivered')] }
    const { deliveries, emit } = await open(known)
    deliveries.watch('inbox', 'thread')
    await vi.advanceTimersByTimeAsync(1)
    delete known.thread
    emit({ name: 'sentEmails.changed', payload: null })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(deliveries.of('a')?.lastEvent).toBe('delivered')
    known.thread = [deliveryOf('a', 'delivered')]
    deliveries.watch('inbox', 'thread')
    deliveries.watch('inbox', 'nowhere')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(deliveries.of('a')).toBeNull()
  })

  it('stop refreshing once the account is closed', async () => {
    const { deliveries, asked } = await open({ thread: [] })
    deliveries.watch('inbox', 'thread')
    ending.abort()
    await vi.advanceTimersByTimeAsync(60_000)
    // The pending timer does nothing after the abort.
    expect(asked()).toHaveLength(1)
  })
})
