import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { NO_FILTER } from '../../../../src/shared/thread-query.ts'
import { openSearchSessions } from '../support/open-search-sessions.ts'
import { emailOf } from '../../../support/platform-words.ts'
import { openTestCache, listedThread } from '../support/open-test-cache.ts'

/** Two threads with the word in their bodies, and a count of the e-mails that are read for what stands around it. */
const openResults = () => {
  // An answer has time for all of them, however busy the machine is.
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { cache, inbox } = openTestCache()
  const store = (threadId: string, text: string, id = `mail of ${threadId}`): void =>
    void cache.emails.storePage(inbox, threadId, [
      emailOf({
        id,
        direction: 'inbound',
        from: 'Ada <ada@example.com>',
        to: ['me@example.com'],
        text,
        html: null,
        read: true,
        received_at: '2026-01-01T00:01:00.000Z',
      }),
    ])
  const threads = [listedThread('one', 1), listedThread('two', 1)]
  cache.threads.storePage(inbox, threads, { askedAt: 0, inSent: false })
  store('one', 'A lantern burns.')
  store('two', 'Two lantern posts.')
  const read: string[] = []
  const watched = {
    ...cache,
    emails: {
      ...cache.emails,
      searchable: (...asked: Parameters<typeof cache.emails.searchable>) => {
        read.push(asked[1])
        return cache.emails.searchable(...asked)
      },
    },
  }
  const searches = openSearchSessions(watched, {
    searchThreads: () => Promise.reject(new Error('The platform is not asked.')),
    getThreadEmail: () => Promise.reject(new Error('The platform is not asked.')),
  })
  const text = [{ text: 'lantern', isPhrase: false, isExcluded: false }]
  const query = { ...NO_FILTER, inboxIds: [inbox.id], text }
  const excerpts = () => {
    const { rows } = searches.read(inbox, query, { offset: 0, limit: 10 }, true)
    return Object.fromEntries(searches.excerpts(inbox, query, rows))
  }
  return { searches, inbox, store, read, excerpts }
}

describe('the excerpts of results', () => {
  it('are made once, and anew for the threads that have changed alone', () => {
    const { searches, inbox, store, read, excerpts } = openResults()
    expect(excerpts()).toEqual({ one: 'A lantern burns.', two: 'Two lantern posts.' })
    excerpts()
    expect(read.toSorted()).toEqual(['one', 'two'])
    store('one', 'No lantern burns any more.')
    searches.touched(inbox.id, ['one'], new Set())
    expect(excerpts()).toEqual({ one: 'No lantern burns any more.', two: 'Two lantern posts.' })
    expect(read.slice(2)).toEqual(['one'])
  })

  it('are those of the e-mail that is found now, where more of the thread can be searched than before', () => {
    const { searches, store, excerpts } = openResults()
    excerpts()
    store('one', 'Lantern, lantern, lantern.', 'another')
    searches.searchHereAgain()
    expect(excerpts()).toMatchObject({ one: 'Lantern, lantern, lantern.' })
  })
})
