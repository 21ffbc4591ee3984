import { describe, expect, it } from 'vitest'
import type { FetchedEmail } from '../../../../src/engine/platform/resources/thread-emails.ts'
import type { Cache } from '../../../../src/engine/store/cache.ts'
import type { InboxRef } from '../../../../src/engine/store/inboxes.ts'
import { emailOf, inboxOf, type Words } from '../../../support/raw-payloads.ts'
import { listedThread, openTestCache } from '../support/open-test-cache.ts'

const now = { askedAt: 0, inSent: false }
const minute = (count: number): number => Date.UTC(2026, 0, 1, 0, count)
const US = 'Larkspur Support <support@larkspur.example>'
const CLAIRE = 'Claire Aubert <claire@aubert.example>'

const email = (id: string, at: number, from: string, fields: Words = {}): FetchedEmail =>
  emailOf({
    ...{ id, direction: 'inbound', from, to: ['support@larkspur.example'], text: id, html: null, read: true },
    received_at: new Date(minute(at)).toISOString(),
    ...fields,
  })
const ours = (id: string, at: number): FetchedEmail => email(id, at, US, { direction: 'outbound' })

const keep = (cache: Cache, inbox: InboxRef, emails: readonly FetchedEmail[], fields: Words = {}): void => {
  const last = emails.at(-1)
  const at = ((last?.receivedAt ?? 0) - minute(0)) / 60_000
  cache.threads.storePage(inbox, [listedThread('t', at, { from: last?.from, read: true, ...fields })], now)
  cache.emails.storePage(inbox, 't', emails)
  const hasOutbound = emails.some(({ direction }) => direction === 'outbound')
  cache.threads.storeReading(inbox, 't', { emailsAt: last?.receivedAt ?? 0, snippet: null, hasOutbound })
}
const writers = (cache: Cache, inbox: InboxRef): readonly string[] =>
  (cache.threads.list(inbox, { folder: 'inbox' }, { offset: 0, limit: 9 })[0]?.writers ?? []).map(
    ({ from, isMe, isUnread }) => `${isMe ? 'me' : from}${isUnread ? ', unread' : ''}`,
  )

describe('writers of a thread', () => {
  it('are listed once each, newest first, with the inbox as oneself', () => {
    const { cache, inbox } = openTestCache()
    keep(cache, inbox, [
      email('e1', 1, 'CLAIRE@aubert.example'),
      ours('e2', 2),
      email('e3', 3, 'Tom Reed <tom@reed.example>'),
      email('e4', 4, CLAIRE),
      ours('e5', 5),
    ])
    expect(writers(cache, inbox)).toEqual(['me', CLAIRE, 'Tom Reed <tom@reed.example>'])
  })

  it('are the sender in the list until the e-mails arrive', () => {
    const { cache, inbox } = openTestCache()
    cache.threads.storePage(inbox, [listedThread('t', 1, { from: CLAIRE, read: true })], now)
    expect(writers(cache, inbox)).toEqual([CLAIRE])
  })

  it('start with newer ones until they are read, without replacing others by oneself', () => {
    const { cache, inbox } = openTestCache()
    cache.inboxes.storeListed([inboxOf({ id: inbox.id, email_address: 'support@larkspur.example' })])
    keep(cache, inbox, [email('e1', 1, CLAIRE)])
    cache.threads.storePage(inbox, [listedThread('t', 5, { from: US, read: true })], now)
    expect(writers(cache, inbox)).toEqual(['me', CLAIRE])
    cache.threads.storePage(inbox, [listedThread('t', 6, { from: 'Tom <tom@reed.example>' })], now)
    expect(writers(cache, inbox)).toEqual(['Tom <tom@reed.example>, unread', CLAIRE])
  })

  it('are marked if unread', () => {
    const { cache, inbox } = openTestCache()
    const unread = email('e2', 2, 'Tom <tom@reed.example>', { read: false })
    keep(cache, inbox, [email('e1', 1, CLAIRE), unread], { read: false })
    expect(writers(cache, inbox)).toEqual(['Tom <tom@reed.example>, unread', CLAIRE])
  })

  it('include oneself under every account address, by name if alone', () => {
    const { cache, inbox } = openTestCache()
    const billing = 'Larkspur Billing <billing+eu@Larkspur.example>'
    keep(cache, inbox, [email('e1', 1, CLAIRE), email('e2', 2, billing)])
    expect(writers(cache, inbox)).toEqual([billing, CLAIRE])
    cache.inboxes.storeListed([
      inboxOf({ id: inbox.id, email_address: 'support@larkspur.example' }),
      inboxOf({ id: 'other', email_address: 'Billing@larkspur.example' }),
    ])
    expect(writers(cache, inbox)).toEqual(['me', CLAIRE])

    const alone = openTestCache()
    alone.cache.inboxes.storeListed([inboxOf({ id: alone.inbox.id, email_address: 'support@larkspur.example' })])
    keep(alone.cache, alone.inbox, [email('e1', 1, US)])
    expect(writers(alone.cache, alone.inbox)).toEqual([US])
  })

  it('are limited, and empty for a damaged row', () => {
    const { cache, inbox } = openTestCache()
    const crowd = Array.from({ length: 60 }, (_, index) =>
      email(`e${index}`, index, `Person ${index} <p${index}@x.example>`),
    )
    keep(cache, inbox, [...crowd, email('last', 99, `${'é'.repeat(9000)} <long@x.example>`)])
    const kept = writers(cache, inbox)
    expect(kept).toHaveLength(40)
    expect(kept[0]).toMatch(/^é{300,}…é* ?.*<long@x\.example>$/u)
    expect(kept[0]?.length).toBeLessThan(900)
  })
})
