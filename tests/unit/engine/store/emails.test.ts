import { describe, expect, it } from 'vitest'
import type { FetchedEmail } from '../../../../src/engine/platform/resources/thread-emails.ts'
import { emailOf, type Words } from '../../../support/raw-payloads.ts'
import { openTestCache, listedThread } from '../support/open-test-cache.ts'

const email = (id: string, minute: number, fields: Words = {}): FetchedEmail =>
  emailOf({
    id,
    direction: 'inbound',
    from: 'ada@example.com',
    to: ['me@example.com'],
    text: `Text of ${id}`,
    html: null,
    read: false,
    received_at: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(),
    ...fields,
  })

describe('the e-mail cache', () => {
  it('keeps a thread’s e-mails oldest first, even those the platform dropped', () => {
    const { cache, inbox } = openTestCache()
    cache.threads.storePage(inbox, [listedThread('t1', 2)], { askedAt: 0, inSent: false })
    expect(cache.emails.storePage(inbox, 't1', [email('e2', 2), email('e1', 1)])).toBe(true)
    expect(cache.emails.storePage(inbox, 't1', [email('e2', 2), email('e1', 1)])).toBe(false)
    expect(cache.emails.markOthersGone(inbox, 't1', ['e1', 'e2'])).toBe(false)
    expect(cache.emails.markOthersGone(inbox, 't1', ['e2'])).toBe(true)
    expect(cache.emails.ofThread(inbox, 't1', false)).toMatchObject([
      { id: 'e1', onServer: false },
      { id: 'e2', onServer: true },
    ])
  })

  it('keeps known fields if a later response lacks them', () => {
    const { cache, inbox } = openTestCache()
    cache.threads.storePage(inbox, [listedThread('t1', 2)], { askedAt: 0, inSent: false })
    const whole = { subject: 'Berth', cc: ['bo@example.com'], message_id: '<1@example.com>', html: '<p>Text of e1</p>' }
    cache.emails.storePage(inbox, 't1', [email('e1', 1, whole)])
    const hollow = { from: '', to: [], cc: null, subject: null, message_id: null, html: null, text: '', read: true }
    cache.emails.storePage(inbox, 't1', [email('e1', 1, hollow)])
    const known = { from: 'ada@example.com', to: ['me@example.com'], cc: ['bo@example.com'], subject: 'Berth' }
    const [kept] = cache.emails.ofThread(inbox, 't1', false)
    expect(kept).toMatchObject({ ...known, html: '<p>Text of e1</p>', text: 'Text of e1', read: true })
    // The cache never mixes the bodies of two responses.
    cache.emails.storePage(inbox, 't1', [email('e1', 1, { ...hollow, text: 'Other' })])
    expect(cache.emails.ofThread(inbox, 't1', false)).toMatchObject([{ ...known, html: null, text: 'Other' }])
  })

  it('shows every e-mail of a read thread as read', () => {
    const { cache, inbox } = openTestCache()
    cache.threads.storePage(inbox, [listedThread('t1', 2)], { askedAt: 0, inSent: false })
    cache.emails.storePage(inbox, 't1', [email('e1', 1), email('e2', 2, { read: true })])
    expect(cache.emails.ofThread(inbox, 't1', false).map(({ read }) => read)).toEqual([false, true])
    expect(cache.emails.ofThread(inbox, 't1', true).map(({ read }) => read)).toEqual([true, true])
  })

  it('shows the newest snippet, and lists an answered thread under sent', () => {
    const { cache, inbox } = openTestCache()
    cache.threads.storePage(inbox, [listedThread('old', 1), listedThread('new', 9)], { askedAt: 0, inSent: false })
    const reading = { emailsAt: Date.UTC(2026, 0, 1, 0, 9), snippet: 'Hello', hasOutbound: true }
    cache.threads.storeReading(inbox, 'new', reading)
    expect(cache.threads.list(inbox, { folder: 'sent' }, { offset: 0, limit: 5 })).toMatchObject([{ snippet: 'Hello' }])
  })
})
