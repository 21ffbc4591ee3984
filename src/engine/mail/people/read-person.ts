import type { Freshness, WithThread } from '../../../shared/model.ts'
import {
  PERSON_LIMITS,
  type MailWithPerson,
  type Person,
  type Segment,
  type EmailSentToPerson,
} from '../../../shared/people.ts'
import type { MailParts } from '../parts.ts'
import { findContactWithChanges } from '../contacts-with-changes.ts'
import { peopleOf } from '../../store/search-index/searchable-email.ts'
import { canonicalizeAddress, listAddressForms } from '../../store/canonical-address.ts'
import { withThread } from '../../own/email-threads.ts'

/** A contact's topics with their defaults; null if its topics aren't cached. */
const topicsOf = ({ cache, outbox }: Pick<MailParts, 'cache' | 'outbox'>, contactId: string) => {
  const stored = cache.topics.ofContact(contactId)
  if (stored === undefined) return null
  const all = cache.accountLists.topics()
  const known = new Map(all.map((topic) => [topic.id, topic]))
  const listed = new Set(stored.topics.map(({ id }) => id))
  // Topics created after the response was fetched have their default state.
  const made = all.filter(({ id, createdAt }) => !listed.has(id) && (createdAt ?? Infinity) > stored.fetchedAt)
  const waiting = outbox.topicOverlay(contactId)
  const topics = [
    ...made.map(({ id, name, description, byDefault }) => ({
      ...{ id, name, description, byDefault },
      subscription: waiting.get(id) ?? byDefault,
    })),
    ...stored.topics
      .filter(({ id }) => !cache.accountLists.isTopicGoing(id))
      .map((topic) => {
        const { name, description, byDefault = '' } = known.get(topic.id) ?? topic
        return { ...topic, name, description, ...(byDefault !== '' && { byDefault }) }
      }),
  ]
  return { topics, fetchedAt: stored.fetchedAt }
}

/** A contact's segments with pending changes applied; null if neither is known. */
const segmentsOf = (
  { cache, outbox }: Pick<MailParts, 'cache' | 'outbox'>,
  contactId: string,
): { readonly segments: readonly Segment[]; readonly fetchedAt: number } | null => {
  const stored = cache.segments.ofContact(contactId)
  const waiting = outbox.segmentsOf(contactId)
  if (stored === undefined && waiting.size === 0) return null
  const all = cache.accountLists.get('segments').items
  const names = new Map([...(stored?.segments ?? []), ...all].map(({ id, name }) => [id, name]))
  const ids = new Set(stored?.segments.map(({ id }) => id))
  for (const [id, isIn] of waiting) ids[isIn ? 'add' : 'delete'](id)
  const segments = [...ids].map((id) => ({ id, name: names.get(id) ?? id }))
  return { segments, fetchedAt: stored?.fetchedAt ?? 0 }
}

/** ID under which a person's topics are cached and requested from the platform (platform.md 19.2). */
export const getPersonTopicsId = ({ cache }: Pick<MailParts, 'cache'>, address: string): string =>
  cache.contacts.byAddress(address)?.contact.id ?? canonicalizeAddress(address)

const readSent = (account: Pick<MailParts, 'cache'>, key: number): readonly WithThread<EmailSentToPerson>[] => {
  const found = account.cache.sentEmails.found(key)
  if (found === undefined) return []
  const { to, cc, bcc } = peopleOf(found.searchable)
  const addresses = [...to, ...cc, ...bcc].map(({ address }) => canonicalizeAddress(address))
  return [withThread(account, 'sent', { ...found.listed, recipients: new Set(addresses).size })]
}

/** @param freshness derives freshness from the time of the platform's last confirmation */
export const readPerson = (
  account: Pick<MailParts, 'cache' | 'lists' | 'outbox' | 'suppressions'>,
  address: string,
  freshness: (at: number | null) => Freshness,
): Person => {
  const { cache, lists } = account
  const contact = findContactWithChanges(account, address)
  const contactId = contact && contact.createdAt !== null ? contact.id : getPersonTopicsId(account, address)
  const inboxes = cache.inboxes.all()
  const { threads, sentKeys, extent, isAll } = cache.search.mailWithPerson(
    listAddressForms(address),
    inboxes.map(({ key }) => key),
    PERSON_LIMITS,
  )
  // A contact about to be deleted no longer has topics or segments.
  const topics = contact === null ? null : topicsOf(account, contactId)
  const segments = contact === null ? null : segmentsOf(account, contactId)

  const isAllStored = (): boolean =>
    isAll &&
    cache.search.coverage().waiting === 0 &&
    (['received', 'sent e-mails'] as const).every((list) => lists.isDone(list)) &&
    inboxes.every(({ key }) => {
      const { emails, of } = cache.search.extent(key)
      return emails >= of
    })
  const mail: MailWithPerson = { ...extent, isAll: isAllStored() }

  return {
    address,
    contact: contact ?? null,
    contactsFreshness: freshness(lists.polledAt('contacts')),
    contactId,
    topics: topics === null ? null : { topics: topics.topics, freshness: freshness(topics.fetchedAt) },
    segments: segments === null ? null : { segments: segments.segments, freshness: freshness(segments.fetchedAt) },
    suppressed: account.suppressions.of(address, freshness),
    threads: threads.flatMap(({ inboxId, threadId }) => {
      const inbox = inboxes.find((each) => each.id === inboxId)
      const thread = inbox && cache.threads.get(inbox, threadId)
      return thread === undefined ? [] : [thread]
    }),
    mail,
    sent: sentKeys.flatMap((key) => readSent(account, key)),
  }
}
