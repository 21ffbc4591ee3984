import { expect, it } from 'vitest'
import { countPerFolder } from '../../../../../src/shared/folder-counts.ts'
import { NO_FILTER } from '../../../../../src/shared/thread-query.ts'
import { inboxOf } from '../../../../support/raw-payloads.ts'
import { openSearchSessions } from '../../support/open-search-sessions.ts'
import { createSteppedClock } from '../../../../support/stepped-clock.ts'
import { listedThread, openTestCache } from '../../support/open-test-cache.ts'
import { withMembers } from '../../../../support/with-members.ts'

const INBOXES = 50

it('asks the platform once for each of many inboxes, and remembers every search', async () => {
  const { cache } = openTestCache()
  const inboxIds = Array.from({ length: INBOXES }, (_, at) => `inbox-${at}`)
  cache.inboxes.storeListed(inboxIds.map((id) => inboxOf({ id, email_address: `${id}@example.com` })))
  const asked: string[] = []
  const searchedHere: string[] = []
  const page: typeof cache.threadSearch.page = (query, ...place) => {
    searchedHere.push(`${query.inboxId} ${query.text[0]?.text ?? ''}`)
    return cache.threadSearch.page(query, ...place)
  }
  const threadSearch = withMembers(cache.threadSearch, { page })
  const searches = openSearchSessions(
    { ...cache, threadSearch },
    {
      searchThreads: (inboxId, query) => {
        asked.push(`${inboxId} ${query.text?.[0]?.text ?? ''}`)
        return Promise.resolve({ items: [], hasMore: false, isWhole: true })
      },
      getThreadEmail: () => Promise.reject(new Error('Nothing is open.')),
    },
  )
  const readAll = async (word: string): Promise<readonly string[]> => {
    const lists = inboxIds.map((id) => ({
      inbox: { id, key: cache.inboxes.get(id)?.key ?? -1 },
      query: { ...NO_FILTER, inboxIds: [id], text: [{ text: word, isPhrase: false, isExcluded: false }] },
    }))
    // Read as in a merged list: all inboxes locally first, then all on the platform.
    for (const { inbox, query } of lists) searches.read(inbox, query, { offset: 0, limit: 50 }, true)
    for (const { inbox, query } of lists) searches.read(inbox, query, { offset: 0, limit: 50 }, false)
    await new Promise((resolve) => setImmediate(resolve))
    return lists.map(
      ({ inbox, query }) => searches.read(inbox, query, { offset: 0, limit: 50 }, false).searched.platform.state,
    )
  }
  for (const word of ['one', 'two', 'three', 'four', 'five', 'five', 'four', 'three']) {
    expect(new Set(await readAll(word))).toEqual(new Set(['answered']))
  }
  const each = ['one', 'two', 'three', 'four', 'five'].flatMap((word) => inboxIds.map((id) => `${id} ${word}`))
  expect(asked.toSorted()).toEqual(each.toSorted())
  expect(searchedHere.toSorted()).toEqual(each.toSorted())
  searches.close()
})

it('stops counting a search once another is typed in its inbox', async () => {
  const { cache } = openTestCache()
  cache.inboxes.storeListed([inboxOf({ id: 'inbox-1', email_address: 'support@example.com' })])
  const inbox = { id: 'inbox-1', key: cache.inboxes.get('inbox-1')?.key ?? -1 }
  const queryOf = (word: string) => ({
    ...NO_FILTER,
    inboxIds: [inbox.id],
    text: [{ text: word, isPhrase: false, isExcluded: false }],
  })
  let steps = 0
  const threadSearch = withMembers(cache.threadSearch, {
    countByFolder: () => {
      steps += 1
      return { folders: countPerFolder(() => 1), next: steps }
    },
  })
  const searches = openSearchSessions(
    { ...cache, threadSearch },
    {
      searchThreads: () => Promise.reject(new Error('Only this computer is asked.')),
      getThreadEmail: () => Promise.reject(new Error('Nothing is open.')),
    },
  )
  const type = (word: string) => searches.read(inbox, queryOf(word), { offset: 0, limit: 50 }, true)
  type('f')
  const counted = searches.countByFolder(inbox, queryOf('f'))
  type('f')
  await new Promise((resolve) => setImmediate(resolve))
  const before = steps
  expect(before).toBeGreaterThan(1)
  type('fo')
  expect((await counted).isWhole).toBe(false)
  expect(steps).toBe(before)
  searches.close()
})

it('warns that a search opened within a minute of new mail may lag', async () => {
  const { cache, inbox } = openTestCache()
  const clock = createSteppedClock(Date.UTC(2026, 0, 1, 0, 10))
  const searches = openSearchSessions(
    cache,
    {
      searchThreads: () => Promise.resolve({ items: [], hasMore: false, isWhole: true }),
      getThreadEmail: () => Promise.reject(new Error('Nothing is open.')),
    },
    clock,
  )
  cache.threads.storePage(inbox, [listedThread('t1', 10, { folder: 'inbox' })], { askedAt: 0, inSent: false })
  searches.touched(inbox.id, ['t1'], new Map([['t1', 0]]))
  const mayLag = async (word: string, folder: 'inbox' | 'archive') => {
    const text = [{ text: word, isPhrase: false, isExcluded: false }]
    const query = { ...NO_FILTER, inboxIds: [inbox.id], folders: [folder], text }
    searches.read(inbox, query, { offset: 0, limit: 50 }, false)
    await new Promise((resolve) => setImmediate(resolve))
    return searches.read(inbox, query, { offset: 0, limit: 50 }, false).searched.mayLag
  }
  await clock.advance(30_000)
  expect(await mayLag('fog', 'inbox')).toBe(true)
  expect(await mayLag('fog', 'archive')).toBe(false)
  await clock.advance(31_000)
  expect(await mayLag('tide', 'inbox')).toBe(false)
  searches.close()
})
