import { ALL_CONTACTS, type ContactQuery } from '../../shared/contact-query.ts'
import type { Contact } from '../../shared/people.ts'
import type { MailParts } from './parts.ts'
import type { AddedContact } from '../own/outbox/changes/contact.ts'
import { canonicalizeAddress } from '../store/canonical-address.ts'
import { createContactFilter } from '../store/contact-finder.ts'

type Account = Pick<MailParts, 'cache' | 'outbox'>

/** A contact waiting to be added. @param id `canonicalizeAddress`, or a former ID */
const pendingContact = (
  id: string,
  { email, firstName, lastName, unsubscribed = false, properties = {} }: Omit<AddedContact, 'segments'>,
): Contact => ({ ...{ id, email, firstName, lastName, unsubscribed, properties }, createdAt: null })

/**
 * A contact with outbox changes applied; null if about to be removed, undefined if unknown.
 * @param idOrAddress current or former ID, or an address in any form
 */
export const findContactWithChanges = ({ cache, outbox }: Account, idOrAddress: string): Contact | null | undefined => {
  const byId = cache.contacts.get(outbox.contactIdNow(idOrAddress))
  const alike = byId === undefined ? cache.contacts.allByAddress(idOrAddress) : [byId]
  const { removing, restoring } = outbox.pendingContactChanges()
  const kept = alike.find(({ id }) => !removing.includes(id))
  const address = canonicalizeAddress(kept?.email ?? idOrAddress)
  const waiting = outbox.contactsWaiting().get(address)
  if (waiting !== undefined) return waiting && pendingContact(address, waiting)
  if (kept !== undefined) return kept
  const back = [...restoring].find(
    ([id, { email }]) => id === idOrAddress || (byId === undefined && canonicalizeAddress(email) === address),
  )
  if (back !== undefined) return pendingContact(...back)
  return alike.length > 0 ? null : undefined
}

/** Contacts waiting to be added that match a query, and stored contacts to hide. */
const pendingContacts = (
  { cache, outbox }: Account,
  query: ContactQuery,
): { readonly added: readonly Contact[]; readonly hidden: ReadonlySet<string> } => {
  const waiting = [...outbox.contactsWaiting()].toReversed()
  const { removing, restoring } = outbox.pendingContactChanges()
  const { segmentId } = query
  const back = [...restoring].filter(([id]) => !cache.contacts.has(id))
  const isInSegment = (segments: readonly string[] | undefined): boolean =>
    segmentId === undefined || segments?.includes(segmentId) === true
  const added = [
    ...waiting.flatMap(([address, each]) =>
      each !== null && isInSegment(each.segments) ? [pendingContact(address, each)] : [],
    ),
    ...back.toReversed().flatMap(([id, each]) => (isInSegment(each.segments) ? [pendingContact(id, each)] : [])),
  ].filter(createContactFilter(query))
  // An added contact may be stored already, if sync saw it before the outbox did.
  const hidden = new Set([
    ...waiting.flatMap(([address]) => cache.contacts.byAddress(address)?.contact.id ?? []),
    ...removing,
  ])
  return { added, hidden }
}

const membersOf = ({ cache }: Account, { segmentId }: ContactQuery): ReadonlySet<string> | undefined =>
  segmentId === undefined ? undefined : cache.segments.members(segmentId)

/** IDs of all contacts matching a query, in its order. A contact waiting to be added has its address as ID. */
export const listContactIdsWithChanges = (account: Account, query: ContactQuery): readonly string[] => {
  const { added, hidden } = pendingContacts(account, query)
  return [...added.map(({ id }) => id), ...account.cache.contacts.idsOf(query, hidden, membersOf(account, query))]
}

/** A window of contacts with outbox changes applied: added ones first, newest first, without removed ones. */
export const listContactsWithChanges = (
  account: Account,
  query: ContactQuery,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): { readonly items: readonly Contact[]; readonly total: number } => {
  const { cache } = account
  const { typed, subscription, order, segmentId } = query
  const { added, hidden } = pendingContacts(account, query)
  const rest = { offset: Math.max(0, offset - added.length), limit: Math.max(0, offset + limit - added.length) }
  const window = { offset: rest.offset, limit: rest.limit - rest.offset }
  const isWhole =
    hidden.size === 0 &&
    typed.trim() === '' &&
    subscription === ALL_CONTACTS.subscription &&
    segmentId === undefined &&
    order === ALL_CONTACTS.order
  const kept = isWhole
    ? { items: cache.contacts.list(window), total: cache.contacts.count() }
    : cache.contacts.find(query, window, hidden, membersOf(account, query))
  return {
    items: [...added.slice(offset, offset + limit), ...kept.items],
    total: added.length + kept.total,
  }
}
