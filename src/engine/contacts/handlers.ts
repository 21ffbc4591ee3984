import { ALL_CONTACTS } from '../../shared/contact-query.ts'
import type { HandlersOf } from '../../shared/contract.ts'
import type { PersonName } from '../../shared/model.ts'
import type { AccountAccess } from '../account-access.ts'
import { isNotFound } from '../api/platform-problem.ts'
import { readTopics } from '../read-topics.ts'
import { problem, saying } from '../saying.ts'
import { canonicalAddress } from '../store/canonical-address.ts'

/** A name of which nothing was typed is none. */
const withoutBlanks = ({ firstName, lastName }: PersonName): PersonName => ({
  firstName: firstName === '' ? null : firstName,
  lastName: lastName === '' ? null : lastName,
})

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
    const account = current()
    const { cache } = account
    const fromCache = () => {
      const stored = cache.topics.ofContact(contactId)
      return stored === undefined ? undefined : { topics: stored.topics, freshness: freshness(stored.fetchedAt) }
    }
    const recent = fromCache()
    if (recent?.freshness.state === 'live') return recent
    try {
      await readTopics(account, contactId, asked())
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
  'contact.add': ({ address, ...name }) => {
    const { cache, outbox } = current()
    const key = canonicalAddress(address)
    if (!/^[^\s@]+@[^\s@]+$/u.test(key)) throw problem('invalid_input', 'This is no e-mail address. Nobody was added.')
    const waiting = outbox.contactOverlay(key)
    const isThere = waiting === undefined ? cache.contacts.byAddress(address) !== undefined : waiting !== null
    if (isThere) throw problem('invalid_input', 'This address is among your contacts already.')
    return { changeId: outbox.addContact(key, { email: address, ...withoutBlanks(name) }) }
  },
  'contact.setTopic': ({ contactId, topicId, subscription }) => {
    const { cache, outbox } = current()
    if (!cache.topics.serverSubscriptions(contactId).has(topicId)) {
      throw problem('not_found', 'This topic is not in the list of the contact any more. Nothing was changed.')
    }
    return { changeId: outbox.setTopic(contactId, topicId, subscription) }
  },
})
