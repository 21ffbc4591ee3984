import type { ContactCatalog } from '../../shared/people.ts'
import type { Freshness } from '../../shared/model.ts'
import type { MailParts } from './parts.ts'
import { eachPage, type CallOptions } from '../platform/requests.ts'
import { catchMissing } from '../platform/platform-problem.ts'
import { accountTopicSubject, isCreatingTopic } from '../own/outbox/changes/account-topic.ts'
import { contactSubject } from '../own/outbox/changes/contact-fields.ts'

type Account = Pick<MailParts, 'cache' | 'platform' | 'hub' | 'clock' | 'outbox'>

/** Known properties, segments and topics. @param freshness converts a fetch time to a freshness */
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

export const refreshCatalog = async (
  { cache, platform, hub, clock, outbox }: Account,
  options: CallOptions,
): Promise<void> => {
  const changesBefore = cache.accountLists.changeCount()
  const [properties, segments, topics] = await Promise.all([
    catchMissing(platform.listContactProperties(options)),
    catchMissing(platform.listSegments(options)),
    catchMissing(platform.listTopics(options)),
  ])
  const now = clock.now()
  const changed = [
    cache.accountLists.replace('properties', properties ?? [], now),
    cache.accountLists.replace('segments', segments ?? [], now),
    // Keep the local topics while one is being created: until the response arrives, it can't be told apart from the
    // others. Also keep them if they changed since the request, because local changes are newer.
    !isCreatingTopic(outbox.waiting.within(accountTopicSubject(''))) &&
      cache.accountLists.changeCount() === changesBefore &&
      cache.accountLists.replace('topics', topics ?? [], now),
  ]
  if (changed.some(Boolean)) hub.contacts()
}

/** Stores each page at once. @throws if the platform can't be reached, `not_found` for an unknown segment */
export const refreshSegment = async (
  { cache, platform, hub, clock, outbox }: Account,
  segmentId: string,
  options: CallOptions,
): Promise<void> => {
  const round = cache.segments.roundOf(segmentId)
  const contactRound = (): number => cache.listProgress.get('contacts').rounds + 1
  let askedAt = 0
  for await (const page of eachPage((after) => {
    askedAt = clock.elapsed()
    return platform.listSegmentContacts(segmentId, { ...options, after })
  })) {
    // Membership changes confirmed since the request are newer.
    const isIn = ({ id }: { readonly id: string }): boolean =>
      !outbox.confirmedSince(contactSubject(id), askedAt) || cache.segments.idsOf(id).has(segmentId)
    cache.inTransaction(() => {
      cache.contacts.storePage(page.items, contactRound(), askedAt)
      cache.segments.met(
        segmentId,
        page.items.filter(isIn).map(({ id }) => id),
        round,
      )
    })
    hub.contacts()
  }
  cache.segments.endWalk(segmentId, round)
  hub.contacts()
}
