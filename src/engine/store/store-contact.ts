import type { FetchedContact } from '../api/contacts.ts'
import type { Cache } from './cache.ts'

/**
 * A running list crawl may have passed the contact's position, so it counts as found by the crawl.
 * @param madeBy the local change that created it; null for an existing one
 */
export const storeContact = (
  { contacts, listProgress }: Pick<Cache, 'contacts' | 'listProgress'>,
  contact: FetchedContact,
  madeBy: string | null,
): void => contacts.put(contact, listProgress.get('contacts').rounds + 1, madeBy)
