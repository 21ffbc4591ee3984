import type { MailPlatform } from '../../../../src/engine/api/mail-platform.ts'
import type { LocalSearch } from '../../../../src/engine/search/local-search.ts'
import { SearchSessions } from '../../../../src/engine/search/sessions.ts'
import type { Cache } from '../../../../src/engine/store/cache.ts'

/** The searches of windows over a cache, with what a search of one page needs of its surroundings. */
export const openSearchSessions = (
  cache: Cache,
  local: LocalSearch,
  platform: Pick<MailPlatform, 'searchThreads' | 'getThreadEmail'>,
): SearchSessions =>
  new SearchSessions({
    platform,
    cache,
    local,
    hub: { threads: () => undefined, searches: () => undefined },
    pending: { overlay: () => undefined, confirmedSince: () => false },
    threads: { verify: () => Promise.resolve(), areLabelsListed: () => false },
    absence: { inboxExists: () => Promise.resolve(true), sawInbox: () => undefined },
    presence: { isGone: () => undefined },
    signal: new AbortController().signal,
    report: (thrown: unknown) => {
      throw thrown
    },
  })
