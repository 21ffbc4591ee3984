import { describe, expect, it } from 'vitest'
import { FOLLOWED_FOR_MS, nextAskAt } from '../../../../src/engine/delivery/deliveries.ts'

const SECOND = 1_000
const HOUR = 60 * 60 * SECOND

/** When the platform is asked of a message of which always the same is heard, milliseconds after it was sent. */
const asksOf = (lastEvent: string | null, until: number): readonly number[] => {
  const asks: number[] = []
  for (let at = nextAskAt({ sentAt: 0, lastEvent, heardAt: null, askedAt: null }); at !== null && at < until;) {
    asks.push(at)
    at = nextAskAt({ sentAt: 0, lastEvent, heardAt: at, askedAt: at })
  }
  return asks
}
const pausesOf = (asks: readonly number[]): readonly number[] =>
  asks.slice(1).map((at, index) => at - (asks[index] ?? 0))

describe('when the platform is asked what became of a sent e-mail', () => {
  it.each([null, 'queued', 'sent', 'scheduled', 'delivery_delayed'])(
    'at once while it is under way (%j), then by growing pauses of an hour at most',
    (event) => {
      const asks = asksOf(event, FOLLOWED_FOR_MS)
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
    'seldom after it has arrived: it may still be marked as spam (%s)',
    (event) => {
      const asks = asksOf(event, FOLLOWED_FOR_MS)
      expect(asks[0]).toBe(HOUR)
      expect(pausesOf(asks)).toEqual(pausesOf(asks).toSorted((a, b) => a - b))
      expect(asks.length).toBeLessThan(15)
    },
  )

  it.each(['bounced', 'complained', 'failed', 'suppressed', 'canceled'])(
    'never again where nothing else becomes of it (%s)',
    (event) => {
      expect(nextAskAt({ sentAt: 0, lastEvent: event, heardAt: null, askedAt: null })).toBeNull()
      expect(nextAskAt({ sentAt: 0, lastEvent: event, heardAt: 5, askedAt: 5 })).toBeNull()
    },
  )

  it.each([null, 'sent', 'delivery_delayed', 'delivered'])(
    'once more at most after the days in which something becomes of it (%j)',
    (event) => {
      expect(asksOf(event, 100 * FOLLOWED_FOR_MS).filter((at) => at > FOLLOWED_FOR_MS)).toHaveLength(1)
      const later = FOLLOWED_FOR_MS + HOUR
      expect(nextAskAt({ sentAt: 0, lastEvent: event, heardAt: later, askedAt: null })).toBeNull()
      // That it was asked is no answer.
      expect(nextAskAt({ sentAt: 0, lastEvent: event, heardAt: null, askedAt: later })).not.toBeNull()
    },
  )

  it('also after those days of what is scheduled, which is sent later', () => {
    const later = FOLLOWED_FOR_MS + HOUR
    expect(nextAskAt({ sentAt: 0, lastEvent: 'scheduled', heardAt: later, askedAt: later })).toBe(later + HOUR)
  })
})
