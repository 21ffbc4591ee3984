import type { Freshness, WithThread } from '../../../shared/model.ts'
import { PERSON_LIMITS, type MailWithPerson, type Person, type EmailSentToPerson } from '../../../shared/people.ts'
import type { MailParts } from '../parts.ts'
import { peopleOf } from '../../store/search-index/searchable-email.ts'
import { canonicalizeAddress, listAddressForms } from '../../store/canonical-address.ts'
import { withThread } from '../../own/email-threads.ts'

/** ID under which a person's topics are cached and requested from the platform (platform.md 19.2). */
export const getPersonTopicsId = ({ cache }: Pick<MailParts, 'cache'>, address: string): string =>
  cache.contacts.idOf(address) ?? canonicalizeAddress(address)

/** @param freshness derives freshness from the time of the platform's last confirmation */
export const readPerson = (
  account: Pick<MailParts, 'cache' | 'lists' | 'suppressions'>,
  address: string,
  freshness: (at: number | null) => Freshness,
): Person => {
  const { cache, lists } = account
  const contact = cache.contacts.lookUp(address)
  const contactId = contact?.id ?? getPersonTopicsId(account, address)
  const inboxes = cache.inboxes.all()
  const { threads, sentKeys, extent, isAll } = cache.search.mailWithPerson(
    listAddressForms(address),
    inboxes.map(({ key }) => key),
    PERSON_LIMITS,
  )
  // A contact about to be deleted no longer has topics or segments.
  const topics = contact === null ? undefined : cache.topics.ofContact(contactId)
  const segments = contact === null ? undefined : cache.segments.ofContact(contactId)

  const isAllStored =
    isAll &&
    cache.search.countUnindexed() === 0 &&
    (['received', 'sent e-mails'] as const).every((list) => lists.isDone(list)) &&
    inboxes.every(({ key }) => {
      const { emails, of } = cache.search.extent(key)
      return emails >= of
    })
  const mail: MailWithPerson = { ...extent, isAll: isAllStored }

  return {
    address,
    contact: contact ?? null,
    contactsFreshness: freshness(lists.polledAt('contacts')),
    contactId,
    topics: topics === undefined ? null : { topics: topics.topics, freshness: freshness(topics.fetchedAt) },
    segments: segments === undefined ? null : { segments: segments.segments, freshness: freshness(segments.fetchedAt) },
    suppressed: account.suppressions.of(address, freshness),
    threads: threads.flatMap(({ inboxId, threadId }) => {
      const inbox = inboxes.find((each) => each.id === inboxId)
      const thread = inbox && cache.threads.get(inbox, threadId)
      return thread === undefined ? [] : [thread]
    }),
    mail,
    sent: sentKeys.flatMap((key): readonly WithThread<EmailSentToPerson>[] => {
      const found = cache.sentEmails.found(key)
      if (found === undefined) return []
      const { to, cc, bcc } = peopleOf(found.searchable)
      const recipients = new Set([...to, ...cc, ...bcc].map((each) => canonicalizeAddress(each.address))).size
      return [withThread(account, 'sent', { ...found.listed, recipients })]
    }),
  }
}
