import type { Freshness } from '../../../shared/model.ts'
import type { MailParts } from '../parts.ts'
import type { FetchedTopic } from '../../platform/resources/contacts.ts'
import type { CallOptions } from '../../platform/requests.ts'
import { catchMissing } from '../../platform/platform-problem.ts'
import { isContactDeleted } from '../../platform/contact-deletion-check.ts'
import { refreshCatalog } from '../contact-catalog.ts'
import { contactSubject } from '../../own/outbox/changes/contact-fields.ts'
import { canonicalizeAddress } from '../../store/canonical-address.ts'
import { storeContact } from '../../store/contact-crawl.ts'
import type { createRecentMap } from '../../timing/recent-map.ts'
import { getPersonTopicsId } from './read-person.ts'

type Account = Pick<MailParts, 'cache' | 'platform' | 'hub' | 'outbox' | 'clock'>

/** Time when the platform last reported each record as missing, in milliseconds since the epoch. */
export type MissingRecords = ReturnType<typeof createRecentMap<number>>

/**
 * Reads a contact's topics (platform.md 19.2). Reads again if a change was confirmed in the meantime, since the
 * response may be stale.
 */
const readTopics = async (
  { cache, platform, hub, outbox, clock }: Account,
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

/**
 * Refreshes a person's topics and segments, and adds or removes their contact. @throws if the platform is unreachable
 */
export const refreshPerson = async (
  account: Account,
  address: string,
  {
    missingRecords,
    isAskedAgain,
    freshness,
    options,
  }: {
    readonly missingRecords: MissingRecords
    readonly isAskedAgain: boolean
    readonly freshness: (at: number | null) => Freshness
    readonly options: CallOptions
  },
): Promise<void> => {
  const { cache, platform, hub } = account
  const { now } = account.clock
  const isFresh = (at: number | undefined, record: string): boolean =>
    freshness(at ?? (isAskedAgain ? null : (missingRecords.get(record) ?? null))).state === 'live'
  /** Null if the platform lacks the record or the operation. */
  const ask = async <Answer>(record: string, answer: Promise<Answer>): Promise<Answer | null> => {
    const given = await catchMissing(answer)
    missingRecords.drop(record)
    if (given === null) missingRecords.put(record, now())
    return given
  }
  const name = getPersonTopicsId(account, address)
  const topicsOf = `topics of ${name}`
  if (!isFresh(cache.topics.ofContact(name)?.fetchedAt, topicsOf)) {
    const topics = await ask(topicsOf, readTopics(account, name, options))
    const isKnown = cache.contacts.idOf(address) !== undefined
    if (topics === null && isKnown && (await isContactDeleted(platform, name, options))) {
      cache.contacts.remove(name)
      hub.contacts()
    }
    if (topics !== null && !isKnown) {
      const contact = await ask(`contact ${canonicalizeAddress(address)}`, platform.getContact(name, options))
      if (contact !== null) {
        storeContact(cache, contact)
        if (cache.topics.replaceAll(contact.id, topics, now())) hub.topics(contact.id)
        hub.contacts()
      }
    }
  }
  const contactId = cache.contacts.idOf(address)
  if (contactId === undefined) return
  // The account's topics are needed to tell a topic's default from the contact's choice.
  const catalogOf = 'lists of the account'
  if (!isFresh(cache.accountLists.get('topics').fetchedAt ?? undefined, catalogOf)) {
    await ask(catalogOf, refreshCatalog(account, options))
  }
  const segmentsOf = `segments of ${contactId}`
  if (isFresh(cache.segments.ofContact(contactId)?.fetchedAt, segmentsOf)) return
  const segments = await ask(segmentsOf, platform.listContactSegments(contactId, options))
  if (segments !== null && cache.segments.replaceAll(contactId, segments, now())) hub.contacts()
}
