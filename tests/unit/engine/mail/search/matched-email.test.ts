import { describe, expect, it } from 'vitest'
import type { FetchedEmail } from '../../../../../src/engine/platform/resources/thread-emails.ts'
import type { FoundThread } from '../../../../../src/engine/store/search-index/search-threads.ts'
import { NO_FILTER } from '../../../../../src/shared/thread-query.ts'
import { openSearchSessions } from '../../support/open-search-sessions.ts'
import { emailOf } from '../../../../support/raw-payloads.ts'
import { openTestCache, listedThread } from '../../support/open-test-cache.ts'
import { withMembers } from '../../../../support/with-members.ts'

const timeOf = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
const mail = (id: string, minute: number): FetchedEmail =>
  emailOf({
    id,
    direction: 'inbound',
    from: 'Ada <ada@harbour.example>',
    to: ['me@harbour.example'],
    text: 'Fog.',
    html: null,
    read: true,
    received_at: timeOf(minute),
  })

/** A thread of three e-mails, two with the same time, and a platform that found one of them. */
const openSearch = (found: { readonly here: FoundThread | null; readonly there: FetchedEmail | null }) => {
  const { cache, inbox } = openTestCache()
  cache.threads.storePage(inbox, [listedThread('t', 2, { email_count: 3 })], { askedAt: 0, inSent: false })
  cache.emails.storePage(inbox, 't', [mail('first', 1), mail('second', 2), mail('third', 2)])
  const query = { ...NO_FILTER, inboxIds: [inbox.id], text: [{ text: 'fog', isPhrase: false, isExcluded: false }] }
  const asked: string[] = []
  const threadSearch = withMembers(cache.threadSearch, {
    page: () => ({ threads: [], hasMore: false }),
    matching: () => (found.here === null ? [] : [found.here]),
  })
  const searches = openSearchSessions(
    { ...cache, threadSearch },
    {
      searchThreads: () =>
        Promise.resolve({
          items: [{ thread: listedThread('t', 2, { email_count: 3 }), matchedEmailId: 'of the index' }],
          hasMore: false,
          isWhole: true,
        }),
      getThreadEmail: (_inboxId: string, _threadId: string, emailId: string) => {
        asked.push(emailId)
        return found.there === null ? Promise.reject(new Error('Not reached.')) : Promise.resolve(found.there)
      },
    },
  )
  const matched = async () => {
    searches.read(inbox, query, { offset: 0, limit: 10 }, false)
    await new Promise((resolve) => setTimeout(resolve, 0))
    return searches.matchedEmail(inbox, query, 't')
  }
  return { matched, asked }
}

describe('the e-mail that a search matched', () => {
  it('is known locally, without a request', async () => {
    const { matched, asked } = openSearch({ here: { id: 't', time: 0, emailId: 'third' }, there: null })
    expect([await matched(), asked]).toEqual(['third', []])
  })

  it('is requested by the platform’s ID if not found locally', async () => {
    const { matched, asked } = openSearch({ here: null, there: mail('second', 2) })
    expect([await matched(), asked]).toEqual(['second', ['of the index']])
  })

  it('is found by its time if the response has another ID', async () => {
    const { matched } = openSearch({ here: null, there: mail('of the index', 1) })
    expect(await matched()).toBe('first')
  })

  it('is unknown if several share that time, or the platform doesn’t answer', async () => {
    expect(await openSearch({ here: null, there: mail('of the index', 2) }).matched()).toBeNull()
    expect(await openSearch({ here: null, there: null }).matched()).toBeNull()
  })
})
