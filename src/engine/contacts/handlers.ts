import { ALL_CONTACTS } from '../../shared/contact-query.ts'
import type { HandlersOf } from '../../shared/contract.ts'
import type { PersonName } from '../../shared/model.ts'
import type { AccountAccess } from '../account-access.ts'
import { isNotFound, PlatformRefusal } from '../api/platform-problem.ts'
import { readTopics } from '../read-topics.ts'
import { problem, saying } from '../saying.ts'
import { canonicalAddress } from '../store/canonical-address.ts'
import { keepContact } from '../store/keep-contact.ts'

/** A name of which nothing was typed is none. */
const withoutBlanks = ({ firstName, lastName }: PersonName): PersonName => ({
  firstName: firstName === '' ? null : firstName,
  lastName: lastName === '' ? null : lastName,
})

/** Whether the platform itself says that there is no such thing, and not something on the way there. */
const isDenied = (thrown: unknown): boolean =>
  thrown instanceof PlatformRefusal && isNotFound(thrown) && thrown.isInJson

export const contactHandlers = ({ current, freshness, asked }: AccountAccess): HandlersOf<'contact'> => {
  /**
   * Takes a contact out of the list that was deleted elsewhere: the platform does not know it, nor is it the place of a
   * page any more (contract, "Errors"). Else a walk over the whole list would find out.
   */
  const removeIfGone = async (contactId: string): Promise<void> => {
    const { cache, platform, hub } = current()
    if (!cache.contacts.has(contactId)) return
    const answers = await Promise.allSettled([
      platform.getContact(contactId, asked()),
      platform.listContacts({ ...asked(), after: contactId, limit: 1 }),
    ])
    if (!answers.every((answer) => answer.status === 'rejected' && isDenied(answer.reason))) return
    cache.contacts.remove(contactId)
    hub.contacts()
  }

  return {
    'contact.list': ({ offset, limit, query = ALL_CONTACTS }) => {
      const { cache, lists } = current()
      const isWhole = query.typed.trim() === '' && query.subscription === 'all' && query.order === 'newest'
      const page = isWhole
        ? { items: cache.contacts.list({ offset, limit }), total: cache.contacts.count() }
        : cache.contacts.find(query, { offset, limit })
      return { ...page, offset, freshness: freshness(lists.lookedAt('contacts')) }
    },
    'contact.get': async ({ contactId }) => {
      const { cache, platform, hub } = current()
      const here = cache.contacts.get(contactId) ?? cache.contacts.byAddress(contactId)?.contact
      if (here !== undefined) return here
      try {
        const contact = await platform.getContact(contactId, asked())
        keepContact(cache, contact, null)
        hub.contacts()
        return cache.contacts.get(contact.id) ?? contact
      } catch (thrown) {
        throw saying(thrown, {
          unreachable: 'You are offline, and this contact is not on this computer.',
          not_found: 'The platform has no such contact: it was deleted, or it never was there.',
        })
      }
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
        if (isDenied(thrown)) await removeIfGone(contactId)
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
      if (!/^[^\s@]+@[^\s@]+$/u.test(key))
        throw problem('invalid_input', 'This is no e-mail address. Nobody was added.')
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
  }
}
