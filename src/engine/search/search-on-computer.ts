import { momentOf, type Clock } from '../../shared/search/date-bounds.ts'
import type { DateBound, EmailFilter, ThreadQuery } from '../../shared/thread-query.ts'
import type { Cache } from '../store/cache.ts'
import type { InboxRef } from '../store/inboxes.ts'
import type { LocalMatch, LocalSearch } from './local-search.ts'

/** Days and lengths of time of a query as the moments that they mean now. */
export const withMoments = <Query extends Pick<EmailFilter, 'since' | 'until'>>(query: Query, clock: Clock) => {
  const moment = (bound: DateBound | null): number | null => (bound === null ? null : momentOf(bound, clock))
  return { ...query, since: moment(query.since), until: moment(query.until) }
}

/** What the index is asked: for words in their other spellings as well. */
export const resolveQuery = (inbox: Pick<InboxRef, 'id'>, query: Omit<ThreadQuery, 'inboxIds'>, clock: Clock) => ({
  ...withMoments(query, clock),
  inboxId: inbox.id,
  isWidened: true,
})

type IndexMatch = ReturnType<Cache['threadSearch']['matching']>[number]

const toMatch = ({ threadId, receivedAt, matchedEmailId }: IndexMatch): LocalMatch => ({
  threadId,
  time: receivedAt,
  emailId: matchedEmailId,
})

/** Searches the cache by its index. */
export const searchOnComputer = ({ search, threadSearch }: Pick<Cache, 'search' | 'threadSearch'>): LocalSearch => ({
  extent: ({ key }) => search.extent(key),
  page: (inbox, query, clock, after, limit) => {
    const { threads, hasMore } = threadSearch.page(resolveQuery(inbox, query, clock), after, limit)
    return { matches: threads.map(toMatch), isEnd: !hasMore }
  },
  spellings: (inbox, query, clock) => threadSearch.spellings(resolveQuery(inbox, query, clock)),
  countByFolder: (inbox, query, clock, from, threads) =>
    threadSearch.countByFolder(resolveQuery(inbox, query, clock), from, threads),
  matching: (inbox, query, clock, threadIds) =>
    new Map(
      threadSearch
        .matching(resolveQuery(inbox, query, clock), threadIds)
        .map((match) => [match.threadId, toMatch(match)]),
    ),
})
