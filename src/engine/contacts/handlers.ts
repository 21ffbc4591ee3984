import { ALL_CONTACTS } from '../../shared/contact-query.ts'
import type { HandlersOf } from '../../shared/contract.ts'
import type { PersonName } from '../../shared/people.ts'
import { cleanAddress } from '../../shared/recipients.ts'
import type { AccountAccess } from '../account-access.ts'
import { problem, saying } from '../saying.ts'
import { canonicalAddress } from '../store/canonical-address.ts'
import { keepContact } from '../store/keep-contact.ts'
import { contactSeen, listContactsSeen } from '../contacts-seen.ts'

const GONE = 'This contact does not exist on the platform, or was deleted.'

/** A name of which nothing was typed is none. */
const withoutBlanks = ({ firstName, lastName }: PersonName): PersonName => ({
  firstName: firstName === '' ? null : firstName,
  lastName: lastName === '' ? null : lastName,
})

export const contactHandlers = ({ current, freshness, asked }: AccountAccess): HandlersOf<'contact'> => ({
  'contact.list': ({ offset, limit, query = ALL_CONTACTS }) => {
    const account = current()
    return {
      ...listContactsSeen(account, query, { offset, limit }),
      offset,
      freshness: freshness(account.lists.lookedAt('contacts')),
    }
  },
  'contact.ofAddress': ({ address }) => contactSeen(current(), address) ?? null,
  'contact.get': async ({ contactId }) => {
    const account = current()
    const here = contactSeen(account, contactId)
    if (here === null) throw problem('not_found', GONE)
    if (here !== undefined) return here
    const { cache, platform, hub } = account
    try {
      const contact = await platform.getContact(contactId, asked())
      keepContact(cache, contact, null)
      hub.contacts()
      return cache.contacts.get(contact.id) ?? contact
    } catch (thrown) {
      throw saying(thrown, {
        unreachable: 'You are offline, and this contact is not on this computer.',
        not_found: GONE,
      })
    }
  },
  'contact.add': ({ address: given, ...name }) => {
    const account = current()
    const address = cleanAddress(given)
    const key = canonicalAddress(address)
    if (!/^[^\s@]+@[^\s@]+$/u.test(key))
      throw problem('invalid_input', 'This is not an e-mail address. Nobody was added.')
    if ((contactSeen(account, address) ?? null) !== null)
      throw problem('invalid_input', 'This address is already in your contacts.')
    return { changeId: account.outbox.addContact(key, { email: address, ...withoutBlanks(name) }) }
  },
  'contact.setTopic': ({ contactId, topicId, subscription }) => {
    const { cache, outbox } = current()
    if (!cache.topics.serverSubscriptions(contactId).has(topicId)) {
      throw problem('not_found', 'This contact no longer has this topic. Nothing was changed.')
    }
    return { changeId: outbox.setTopic(contactId, topicId, subscription) }
  },
})
