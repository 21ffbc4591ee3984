import type { MailPlatform } from '../../../../src/engine/platform/mail-platform.ts'
import { SearchSessions } from '../../../../src/engine/mail/search/sessions.ts'
import { systemClock, type Clock } from '../../../../src/engine/timing/clock.ts'
import type { Cache } from '../../../../src/engine/store/cache.ts'
import { partial } from '../../../support/partial.ts'

export const openSearchSessions = (
  cache: Cache,
  platform: Pick<MailPlatform, 'searchThreads' | 'getThreadEmail'>,
  clock: Clock = systemClock,
): SearchSessions =>
  new SearchSessions({
    platform: partial(platform),
    cache,
    clock,
    hub: partial({ threads: () => undefined, searches: () => undefined }),
    pending: { overlay: () => undefined, marks: () => undefined, confirmedSince: () => false },
    threads: partial({ verify: () => Promise.resolve(), areLabelsListed: () => false }),
    notFound: partial({ inboxExists: () => Promise.resolve(true), noteInboxSeen: () => undefined }),
    presence: partial({ isGone: () => undefined }),
    signal: new AbortController().signal,
    report: (thrown: unknown) => {
      throw thrown
    },
  })
