import type { MailPlatform } from '../../../../src/engine/platform/mail-platform.ts'
import { SearchSessions } from '../../../../src/engine/mail/search/sessions.ts'
import { systemClock, type Clock } from '../../../../src/engine/timing/clock.ts'
import type { Cache } from '../../../../src/engine/store/cache.ts'

export const openSearchSessions = (
  cache: Cache,
  platform: Pick<MailPlatform, 'searchThreads' | 'getThreadEmail'>,
  clock: Clock = systemClock,
): SearchSessions =>
  new SearchSessions({
    platform,
    cache,
    clock,
    hub: { threads: () => undefined, searches: () => undefined },
    pending: { overlay: () => undefined, marks: () => undefined, confirmedSince: () => false },
    threads: { verify: () => Promise.resolve(), areLabelsListed: () => false },
    notFound: { inboxExists: () => Promise.resolve(true), noteInboxSeen: () => undefined },
    presence: { isGone: () => undefined },
    signal: new AbortController().signal,
    report: (thrown: unknown) => {
      throw thrown
    },
  })
