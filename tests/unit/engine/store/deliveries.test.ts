import { describe, expect, it } from 'vitest'
import { sentEmailOf } from '../../../support/raw-payloads.ts'
import { createSteppedClock } from '../../../support/stepped-clock.ts'
import { openTestCache } from '../support/open-test-cache.ts'

const NOW = Date.parse('2026-01-02T00:00:00.000Z')
const created_at = '2026-01-01T23:00:00.000Z'
const FOLLOWED = { sentId: 'e1', sentAt: NOW, inboxId: 'inbox-1', threadId: null }

const cacheAt = (time: number, clock = createSteppedClock(time)) => openTestCache(undefined, clock).cache

describe('delivery records of sent e-mails', () => {
  it('hold the first and the last report, from a list or an e-mail', async () => {
    const clock = createSteppedClock(NOW)
    const cache = cacheAt(NOW, clock)
    cache.sentEmails.storePage([sentEmailOf({ id: 'e1', created_at, last_event: 'sent' })])
    await clock.advance(5_000)
    cache.sentEmails.storePage([sentEmailOf({ id: 'e1', created_at, last_event: 'sent' })])
    expect(cache.deliveries.get('e1')).toEqual({
      ...{ sentId: 'e1', lastEvent: 'sent', learnedAt: NOW, confirmedAt: NOW + 5_000 },
    })
    await clock.advance(4_000)
    cache.sentEmails.storeWhole(sentEmailOf({ id: 'e1', created_at, last_event: 'bounced' }))
    expect(cache.deliveries.get('e1')).toMatchObject({
      ...{ lastEvent: 'bounced', learnedAt: NOW + 9_000, confirmedAt: NOW + 9_000 },
    })
  })

  it('ignore missing fields', () => {
    const cache = cacheAt(NOW)
    cache.sentEmails.storeWhole(sentEmailOf({ id: 'e1', created_at, last_event: 'delivered' }))
    cache.sentEmails.storePage([sentEmailOf({ id: 'e1', created_at })])
    expect(cache.deliveries.get('e1')).toMatchObject({ lastEvent: 'delivered' })
  })

  it('exclude mail older than the platform keeps', () => {
    const cache = cacheAt(NOW + 31 * 24 * 60 * 60 * 1000)
    cache.sentEmails.storePage([sentEmailOf({ id: 'e1', created_at, last_event: 'sent' })])
    expect(cache.deliveries.get('e1')).toBeUndefined()
  })

  it('follow a local message until its user is notified, in either order', () => {
    const cache = cacheAt(NOW)
    cache.deliveries.follow(FOLLOWED)
    cache.sentEmails.storePage([
      sentEmailOf({ id: 'e1', created_at, last_event: 'sent' }),
      sentEmailOf({ id: 'elsewhere', created_at, last_event: 'sent' }),
    ])
    // Follow the message again, as after a restart.
    cache.deliveries.follow({ ...FOLLOWED, sentAt: NOW + 1, threadId: 't1' })
    expect(cache.deliveries.followed(NOW)).toMatchObject([{ ...FOLLOWED, threadId: 't1', lastEvent: 'sent' }])
    expect(cache.deliveries.followed(NOW + 1)).toEqual([])
    cache.deliveries.told('e1')
    expect(cache.deliveries.followed(0)).toEqual([])
    expect(cache.deliveries.get('e1')).toMatchObject({ lastEvent: 'sent' })
  })

  it('go with the e-mail', () => {
    const cache = cacheAt(NOW)
    cache.sentEmails.storePage([sentEmailOf({ id: 'e1', created_at, last_event: 'sent' })])
    cache.sentEmails.markGone('e1')
    cache.sentEmails.remove('e1', false)
    expect(cache.deliveries.get('e1')).toBeUndefined()
  })
})
