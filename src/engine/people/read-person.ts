import type { Freshness, InThread } from '../../shared/model.ts'
import { PERSON_ROWS, type MailWithPerson, type Person, type SentToPerson } from '../../shared/people.ts'
import type { OpenAccount } from '../account.ts'
import { contactSeen } from '../contacts-seen.ts'
import { peopleOf } from '../search-index/searchable-email.ts'
import { canonicalAddress, formsOfAddress } from '../store/canonical-address.ts'
import { inThread } from '../thread-of-email.ts'

/** By which somebody's topics are kept and asked for (contract, 5). */
export const topicsNameOf = ({ cache }: Pick<OpenAccount, 'cache'>, address: string): string =>
  cache.contacts.byAddress(address)?.contact.id ?? canonicalAddress(address)

const readSent = (account: Pick<OpenAccount, 'cache'>, key: number): readonly InThread<SentToPerson>[] => {
  const found = account.cache.sentEmails.found(key)
  if (found === undefined) return []
  const { to, cc, bcc } = peopleOf(found.searchable)
  const addresses = [...to, ...cc, ...bcc].map(({ address }) => canonicalAddress(address))
  return [inThread(account, 'sent', { ...found.listed, recipients: new Set(addresses).size })]
}

/**
 * What the cache knows of the person with an address.
 * @param freshness how fresh something is that the platform confirmed at a time
 */
export const readPerson = (
  account: Pick<OpenAccount, 'cache' | 'lists' | 'outbox'>,
  address: string,
  freshness: (at: number | null) => Freshness,
): Person => {
  const { cache, lists } = account
  const contactId = topicsNameOf(account, address)
  const inboxes = cache.inboxes.all()
  const { threads, sentKeys, extent, isAll } = cache.search.mailWithPerson(
    formsOfAddress(address),
    inboxes.map(({ key }) => key),
    PERSON_ROWS,
  )
  const topics = cache.topics.ofContact(contactId)
  const segments = cache.segments.ofContact(contactId)

  const isAllHere = (): boolean =>
    isAll &&
    cache.search.coverage().waiting === 0 &&
    (['received', 'sent e-mails'] as const).every((list) => lists.isDone(list)) &&
    inboxes.every(({ key }) => {
      const { emails, of } = cache.search.extent(key)
      return emails >= of
    })
  const mail: MailWithPerson = { ...extent, isAll: isAllHere() }

  return {
    address,
    contact: contactSeen(account, address) ?? null,
    contactsFreshness: freshness(lists.lookedAt('contacts')),
    contactId,
    topics: topics === undefined ? null : { topics: topics.topics, freshness: freshness(topics.fetchedAt) },
    segments: segments === undefined ? null : { segments: segments.segments, freshness: freshness(segments.fetchedAt) },
    threads: threads.flatMap(({ inboxId, threadId }) => {
      const inbox = inboxes.find((each) => each.inbox.id === inboxId)
      const thread = inbox === undefined ? undefined : cache.threads.get({ key: inbox.key, id: inboxId }, threadId)
      return thread === undefined ? [] : [thread]
    }),
    mail,
    sent: sentKeys.flatMap((key) => readSent(account, key)),
  }
}
