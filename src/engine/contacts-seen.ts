import { ALL_CONTACTS, type ContactQuery } from '../shared/contact-query.ts'
import type { Contact } from '../shared/people.ts'
import type { OpenAccount } from './account.ts'
import type { AddedContact } from './outbox/changes/contact.ts'
import { canonicalAddress } from './store/canonical-address.ts'
import { isContactMeant } from './store/contact-finder.ts'

type Account = Pick<OpenAccount, 'cache' | 'outbox'>

/** Somebody who waits to be added, by `canonicalAddress`. */
const waitingContact = (address: string, { email, firstName, lastName }: AddedContact): Contact => ({
  id: address,
  email,
  firstName,
  lastName,
  createdAt: null,
  unsubscribed: false,
  properties: {},
})

/**
 * A contact as a person sees it, with what waits in the outbox laid over what is kept.
 * @param idOrAddress its ID, or the address in whatever form
 * @returns null for one who is to be a contact no more, undefined for one who is not known here
 */
export const contactSeen = ({ cache, outbox }: Account, idOrAddress: string): Contact | null | undefined => {
  const kept = cache.contacts.get(idOrAddress) ?? cache.contacts.byAddress(idOrAddress)?.contact
  const address = canonicalAddress(kept?.email ?? idOrAddress)
  const waiting = outbox.contactsWaiting().get(address)
  return waiting === undefined ? kept : waiting && waitingContact(address, waiting)
}

/**
 * A window of the contacts as a person sees them: those who wait to be added stand before all others, the newest first, and
 * those who wait to be taken off are not among them.
 */
export const listContactsSeen = (
  { cache, outbox }: Account,
  query: ContactQuery,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): { readonly items: readonly Contact[]; readonly total: number } => {
  const waiting = [...outbox.contactsWaiting()].toReversed()
  const added = waiting
    .flatMap(([address, each]) => (each === null ? [] : [waitingContact(address, each)]))
    .filter(isContactMeant(query))
  // Somebody who waits may be kept already: the platform's word of it came before the outbox's.
  const hidden = new Set(waiting.flatMap(([address]) => cache.contacts.byAddress(address)?.contact.id ?? []))
  const rest = { offset: Math.max(0, offset - added.length), limit: Math.max(0, offset + limit - added.length) }
  const window = { offset: rest.offset, limit: rest.limit - rest.offset }
  const { typed, subscription, order } = query
  const isWhole =
    hidden.size === 0 &&
    typed.trim() === '' &&
    subscription === ALL_CONTACTS.subscription &&
    order === ALL_CONTACTS.order
  const kept = isWhole
    ? { items: cache.contacts.list(window), total: cache.contacts.count() }
    : cache.contacts.find(query, window, hidden)
  return {
    items: [...added.slice(offset, offset + limit), ...kept.items],
    total: added.length + kept.total,
  }
}
