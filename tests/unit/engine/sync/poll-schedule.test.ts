import { describe, expect, it } from 'vitest'
import { DELIVERY_TRACKING_MS, computeNextPollTime } from '../../../../src/engine/sync/deliveries.ts'

const SECOND = 1_000
const HOUR = 60 * 60 * SECOND

/** Poll times for a message whose status never changes, in milliseconds after it was sent. */
const asksOf = (lastEvent: string | null, until: number): readonly number[] => {
  const asks: number[] = []
  for (
    let at = computeNextPollTime({ sentAt: 0, lastEvent, respondedAt: null, askedAt: null });
    at !== null && at < until;
  ) {
    asks.push(at)
    at = computeNextPollTime({ sentAt: 0, lastEvent, respondedAt: at, askedAt: at })
  }
  return asks
}
const pausesOf = (asks: readonly number[]): readonly number[] =>
  asks.slice(1).map((at, index) => at - (asks[index] ?? 0))

describe('polling for the delivery of a sent e-mail', () => {
  it.each([null, 'queued', 'sent', 'scheduled', 'delivery_delayed'])(
    'starts at once while pending (%j), then slows down to once an hour',
    (event) => {
      const asks = asksOf(event, DELIVERY_TRACKING_MS)
      expect(asks[0]).toBe(2 * SECOND)
      const pauses = pausesOf(asks)
      expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
      expect(pauses[0]).toBe(2 * SECOND)
      expect(pauses.at(-1)).toBe(HOUR)
      expect(asks.filter((at) => at < HOUR).length).toBeLessThan(22)
      expect(asks.length).toBeLessThan(160)
    },
  )

  it.each(['delivered', 'opened', 'clicked', 'a word of next year'])(
    'is rare after arrival, as it may still be marked as spam (%s)',
    (event) => {
      const asks = asksOf(event, DELIVERY_TRACKING_MS)
      expect(asks[0]).toBe(HOUR)
      expect(pausesOf(asks)).toEqual(pausesOf(asks).toSorted((a, b) => a - b))
      expect(asks.length).toBeLessThan(15)
    },
  )

  it.each(['bounced', 'complained', 'failed', 'suppressed', 'canceled'])(
    'stops once the status is final (%s)',
    (event) => {
      expect(computeNextPollTime({ sentAt: 0, lastEvent: event, respondedAt: null, askedAt: null })).toBeNull()
      expect(computeNextPollTime({ sentAt: 0, lastEvent: event, respondedAt: 5, askedAt: 5 })).toBeNull()
    },
  )

  it.each([null, 'sent', 'delivery_delayed', 'delivered'])(
    'happens at most once after the days in which the status can change (%j)',
    (event) => {
      expect(asksOf(event, 100 * DELIVERY_TRACKING_MS).filter((at) => at > DELIVERY_TRACKING_MS)).toHaveLength(1)
      const later = DELIVERY_TRACKING_MS + HOUR
      expect(computeNextPollTime({ sentAt: 0, lastEvent: event, respondedAt: later, askedAt: null })).toBeNull()
      // An unanswered request doesn't count as a response.
      expect(computeNextPollTime({ sentAt: 0, lastEvent: event, respondedAt: null, askedAt: later })).not.toBeNull()
    },
  )

  it('continues after those days for scheduled mail, which is sent later', () => {
    const later = DELIVERY_TRACKING_MS + HOUR
    expect(computeNextPollTime({ sentAt: 0, lastEvent: 'scheduled', respondedAt: later, askedAt: later })).toBe(
      later + HOUR,
    )
  })
})
