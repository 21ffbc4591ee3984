import type { Cache } from './cache.ts'
import { NO_LIST_PROGRESS } from './list-progress.ts'
import type { FetchedContact } from '../platform/resources/contacts.ts'

export const CONTACTS = 'contacts'
/** Metadata key, set while a poll has left contacts that must be crawled. */
export const UNCRAWLED_KEY = 'contacts left'

/** Schedules a crawl for contacts missing from the cache. It runs while the sync is idle. */
export const scheduleContactCrawl = (cache: Pick<Cache, 'listProgress' | 'accountMeta' | 'inTransaction'>): void =>
  cache.inTransaction(() => {
    // The new round must find every contact again before it removes any.
    cache.listProgress.set(CONTACTS, { ...NO_LIST_PROGRESS, rounds: cache.listProgress.get(CONTACTS).rounds })
    cache.accountMeta.set(UNCRAWLED_KEY, 1)
  })

/**
 * Stores a contact. A running list crawl may already have passed the contact's position, so the contact counts as found
 * by the crawl.
 * @param madeBy the local change that created the contact; omitted for an existing contact
 */
export const storeContact = (
  { contacts, listProgress }: Pick<Cache, 'contacts' | 'listProgress'>,
  contact: FetchedContact,
  madeBy?: string,
): void => contacts.put(contact, listProgress.get(CONTACTS).rounds + 1, madeBy)
