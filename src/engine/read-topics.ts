import type { FetchedTopic } from './api/contacts.ts'
import type { CallOptions } from './api/requests.ts'
import type { OpenAccount } from './account.ts'
import { contactSubject } from './outbox/changes/topic.ts'

/**
 * Asks the platform for the topics of a contact and keeps them (contract, 5). An answer from before a change was confirmed
 * would bring the old choice back: it is asked for again.
 * @param contactId its ID, or its address where that is not known
 */
export const readTopics = async (
  { cache, platform, hub, outbox, clock }: Pick<OpenAccount, 'cache' | 'platform' | 'hub' | 'outbox' | 'clock'>,
  contactId: string,
  options: CallOptions,
): Promise<readonly FetchedTopic[]> => {
  const fetchTopics = async (): Promise<readonly FetchedTopic[]> => {
    const askedAt = clock.elapsed()
    const topics = await platform.listContactTopics(contactId, options)
    return outbox.confirmedSince(contactSubject(contactId), askedAt) ? fetchTopics() : topics
  }
  const topics = await fetchTopics()
  if (cache.topics.replaceAll(contactId, topics, clock.now())) hub.topics(contactId)
  return topics
}
