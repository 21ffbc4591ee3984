import { ALL_CONTACTS } from '../../shared/contact-query.ts'
import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'
import type { FetchedTopic } from '../api/answers/contacts.ts'
import { isNotFound } from '../api/platform-problem.ts'
import { contactSubject } from '../outbox/changes/topic.ts'
import { problem, saying } from '../saying.ts'

export const contactHandlers = ({ current, freshness, asked }: AccountAccess): HandlersOf<'contact'> => ({
  'contact.list': ({ offset, limit, query = ALL_CONTACTS }) => {
    const { cache, lists } = current()
    const isWhole = query.typed.trim() === '' && query.subscription === 'all' && query.order === 'newest'
    const page = isWhole
      ? { items: cache.contacts.list({ offset, limit }), total: cache.contacts.count() }
      : cache.contacts.find(query, { offset, limit })
    return { ...page, offset, freshness: freshness(lists.lookedAt('contacts')) }
  },
  'contact.get': ({ contactId }) => {
    const contact = current().cache.contacts.get(contactId)
    if (contact === undefined) throw problem('not_found', 'There is no such contact here. Choose another in the list.')
    return contact
  },
  'contact.topics': async ({ contactId }) => {
    const { cache, platform, hub, outbox } = current()
    const contact = contactSubject(contactId)
    /** An answer from before a change was confirmed would bring the old choice back: it is asked for again. */
    const fetchTopics = async (): Promise<readonly FetchedTopic[]> => {
      const askedAt = performance.now()
      const topics = await platform.listContactTopics(contactId, asked())
      return outbox.confirmedSince(contact, askedAt) ? fetchTopics() : topics
    }
    const fromCache = () => {
      const stored = cache.topics.ofContact(contactId)
      return stored === undefined ? undefined : { topics: stored.topics, freshness: freshness(stored.fetchedAt) }
    }
    const recent = fromCache()
    if (recent?.freshness.state === 'live') return recent
    try {
      const topics = await fetchTopics()
      if (cache.topics.replaceAll(contactId, topics, Date.now())) hub.topics(contactId)
    } catch (thrown) {
      const kept = fromCache()
      if (kept !== undefined && !isNotFound(thrown))
        return { ...kept, freshness: { state: 'cached', at: kept.freshness.at } }
      throw saying(thrown, {
        unreachable: 'You are offline, and the topics of this contact are not on this computer yet.',
        not_found: 'This contact is no longer on the platform.',
      })
    }
    const fetched = fromCache()
    if (fetched === undefined) throw problem('not_found', 'This contact is no longer on the platform.')
    return fetched
  },
  'contact.setTopic': ({ contactId, topicId, subscription }) => {
    const { cache, outbox } = current()
    if (!cache.topics.serverSubscriptions(contactId).has(topicId)) {
      throw problem('not_found', 'This topic is not in the list of the contact any more. Nothing was changed.')
    }
    return { changeId: outbox.setTopic(contactId, topicId, subscription) }
  },
})
