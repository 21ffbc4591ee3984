import { describe, expect, it } from 'vitest'
import type { FetchedEmail } from '../../../../../src/engine/platform/resources/thread-emails.ts'
import type { Cache } from '../../../../../src/engine/store/cache.ts'
import { listAddressForms } from '../../../../../src/engine/store/canonical-address.ts'
import type { InboxRef } from '../../../../../src/engine/store/inboxes.ts'
import { bestTimeOf } from '../../../../support/growth.ts'
import { emailOf, receivedEmailOf, sentEmailOf, type Words } from '../../../../support/raw-payloads.ts'
import { listedThread, openTestCache } from '../../support/open-test-cache.ts'

const timeOf = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
const mail = (id: string, minute: number, fields: Words = {}): FetchedEmail =>
  emailOf({
    id,
    direction: 'inbound',
    from: 'Ada <ada@example.com>',
    to: ['me@example.com'],
    text: 'Fog until noon.',
    html: null,
    read: true,
    received_at: timeOf(minute),
    ...fields,
  })
const store = (cache: Cache, inbox: InboxRef, id: string, minute: number, emails: readonly FetchedEmail[]): void => {
  cache.threads.storePage(inbox, [listedThread(id, minute, { email_count: emails.length })], {
    askedAt: 0,
    inSent: false,
  })
  cache.emails.storePage(inbox, id, emails)
}
const find = (cache: Cache, inbox: InboxRef, address: string) =>
  cache.search.mailWithPerson(listAddressForms(address), [inbox.key], { threads: 4, sent: 3 })

describe('mail with a person', () => {
  it('matches one exact address under any name', () => {
    const { cache, inbox } = openTestCache()
    store(cache, inbox, 't1', 1, [mail('e1', 1), mail('e2', 1, { from: '"Quill, A." <ADA@example.com>' })])
    store(cache, inbox, 't2', 2, [mail('e3', 2, { from: 'b@example.com', cc: ['ada@example.com'] })])
    store(cache, inbox, 't3', 3, [mail('e4', 3, { from: 'Not Ada <nada@example.com>' })])
    store(cache, inbox, 't4', 4, [mail('e5', 4, { from: 'ada@example.com.evil.example' })])
    store(cache, inbox, 't5', 5, [mail('e6', 5, { from: '"ada@example.com" <mallory@evil.example>' })])
    expect(find(cache, inbox, 'Ada@Example.com')).toMatchObject({
      threads: [{ inboxId: 'inbox-1', threadId: 't2' }, { threadId: 't1' }],
      extent: {
        threads: { emails: 3, first: Date.parse(timeOf(1)), last: Date.parse(timeOf(2)) },
        received: null,
        sent: null,
      },
      isAll: true,
    })
  })

  it('lists each thread once by latest activity, including very long ones', () => {
    const { cache, inbox } = openTestCache()
    for (let thread = 1; thread <= 6; thread += 1) {
      const count = thread === 3 ? 60 : thread
      const emails = Array.from({ length: count }, (_, at) => mail(`t${thread} e${at}`, thread * 10))
      store(cache, inbox, `t${thread}`, thread * 10, emails)
    }
    const { threads, extent } = find(cache, inbox, 'ada@example.com')
    expect(threads.map(({ threadId }) => threadId)).toEqual(['t6', 't5', 't4', 't3'])
    expect(extent.threads?.emails).toBe(1 + 2 + 60 + 4 + 5 + 6)
  })

  it('counts the account’s own lists separately, and only sent mail to that person', () => {
    const { cache, inbox } = openTestCache()
    cache.receivedEmails.storePage(
      [1, 2].map((at) => receivedEmailOf({ id: `r${at}`, from: 'Ada <ada@example.com>', created_at: timeOf(at) })),
    )
    cache.sentEmails.storePage([
      sentEmailOf({ id: 's0', from: 'ada@example.com', to: ['b@example.com'], created_at: timeOf(9) }),
      ...[1, 2, 3, 4].map((at) =>
        sentEmailOf({ id: `s${at}`, from: 'me@example.com', to: ['Ada <ada@example.com>'], created_at: timeOf(at) }),
      ),
    ])
    const { threads, sentKeys, extent } = find(cache, inbox, 'ada@example.com')
    expect(threads).toEqual([])
    expect(sentKeys.map((key) => cache.sentEmails.found(key)?.listed.id)).toEqual(['s4', 's3', 's2'])
    expect([extent.received?.emails, extent.sent?.emails]).toEqual([2, 4])
  })

  it('takes no longer in a mailbox four times the size, or with unique sender names', async () => {
    const cacheOf = (size: number) => {
      const { cache, inbox } = openTestCache()
      cache.inTransaction(() => {
        for (let at = 0; at < size; at += 1) {
          const from = at < 40 ? 'Ada <ada@example.com>' : `Run ${at} <runs@example.com>`
          store(cache, inbox, `t${at}`, at, [mail(`e${at}`, at, { from })])
        }
      })
      return { cache, inbox }
    }
    const [small, large] = [cacheOf(1_000), cacheOf(4_000)]
    const timeFor = (address: string, { cache, inbox }: typeof small) =>
      bestTimeOf(() => {
        for (let count = 0; count < 10; count += 1) find(cache, inbox, address)
      }, 5)
    for (const address of ['ada@example.com', 'runs@example.com']) {
      const [before, after] = [await timeFor(address, small), await timeFor(address, large)]
      expect(after, `${address}: ${before} ms, then ${after} ms`).toBeLessThan(Math.max(3 * before, 30))
    }
    expect(find(large.cache, large.inbox, 'runs@example.com')).toMatchObject({
      isAll: false,
      threads: [3999, 3998, 3997, 3996].map((at) => ({ threadId: `t${at}` })),
    })
  })
})
