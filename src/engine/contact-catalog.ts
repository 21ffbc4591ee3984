import type { ContactCatalog } from '../shared/people.ts'
import type { Freshness } from '../shared/model.ts'
import type { OpenAccount } from './account.ts'
import { eachPage, type CallOptions } from './api/requests.ts'
import { lacksOperation } from './api/platform-problem.ts'
import { contactSubject } from './outbox/changes/topic.ts'

type Account = Pick<OpenAccount, 'cache' | 'platform' | 'hub' | 'clock' | 'outbox'>

/** What contacts of the account can have, be in and subscribe to, as known here. @param freshness of a time of the platform's word */
export const readCatalog = (
  { cache }: Pick<Account, 'cache'>,
  freshness: (at: number | null) => Freshness,
): ContactCatalog => {
  const [properties, segments] = [cache.accountLists.get('properties'), cache.accountLists.get('segments')]
  const times = [properties, segments, cache.accountLists.get('topics')].map(({ fetchedAt }) => fetchedAt)
  return {
    properties: properties.items.map(({ id, key, type, fallback }) => ({ id, key, type, fallback })),
    segments: segments.items.map(({ id, name }) => ({ id, name })),
    topics: cache.accountLists.topics(),
    freshness: freshness(times.includes(null) ? null : Math.min(...times.map((at) => at ?? 0))),
  }
}

/** A list; an empty one where the platform does not offer it. */
const unlessNotOffered = async <Item>(list: Promise<readonly Item[]>): Promise<readonly Item[]> => {
  try {
    return await list
  } catch (thrown) {
    if (lacksOperation(thrown)) return []
    throw thrown
  }
}

/** Asks the platform for what contacts of the account can have, be in and subscribe to. */
export const refreshCatalog = async (
  { cache, platform, hub, clock, outbox }: Account,
  options: CallOptions,
): Promise<void> => {
  const changesBefore = cache.accountLists.changeCount()
  const [properties, segments, topics] = await Promise.all([
    unlessNotOffered(platform.listContactProperties(options)),
    unlessNotOffered(platform.listSegments(options)),
    unlessNotOffered(platform.listTopics(options)),
  ])
  const now = clock.now()
  const changed = [
    cache.accountLists.replace('properties', properties, now),
    cache.accountLists.replace('segments', segments, now),
    // One that is being made is not told from others before its answer is here, and what was changed since is known better.
    !outbox.isMakingTopic() &&
      cache.accountLists.changeCount() === changesBefore &&
      cache.accountLists.replace('topics', topics, now),
  ]
  if (changed.some(Boolean)) hub.contacts()
}

/**
 * Asks the platform for the contacts of a segment, page by page; those that are read are in it at once.
 * @throws where it cannot be asked, `not_found` where it has no such segment
 */
export const refreshSegment = async (
  { cache, platform, hub, clock, outbox }: Account,
  segmentId: string,
  options: CallOptions,
): Promise<void> => {
  const round = cache.segments.roundOf(segmentId)
  const contactRound = (): number => cache.walks.get('contacts').rounds + 1
  let askedAt = 0
  for await (const page of eachPage((after) => {
    askedAt = clock.elapsed()
    return platform.listSegmentContacts(segmentId, { ...options, after })
  })) {
    // Who was put into it or taken out of it since it was asked for is known better here.
    const isIn = ({ id }: { readonly id: string }): boolean =>
      !outbox.confirmedSince(contactSubject(id), askedAt) || cache.segments.idsOf(id).has(segmentId)
    cache.together(() => {
      cache.contacts.storePage(page.items, contactRound(), askedAt)
      cache.segments.met(
        segmentId,
        page.items.filter(isIn).map(({ id }) => id),
        round,
      )
    })
    hub.contacts()
  }
  cache.segments.endWalk(segmentId, round, clock.now())
  hub.contacts()
}
