import type { FetchedContact } from '../platform/resources/contacts.ts'
import type { Cache } from './cache.ts'

/**
 * Stores a contact. A running list crawl may already have passed the contact's position, so the contact counts as found
 * by the crawl.
 * @param madeBy the local change that created the contact; null for an existing contact
 */
export const storeContact = (
  { contacts, listProgress }: Pick<Cache, 'contacts' | 'listProgress'>,
  contact: FetchedContact,
  madeBy: string | null,
): void => contacts.put(contact, listProgress.get('contacts').rounds + 1, madeBy)
