import type { FetchedContact } from '../api/contacts.ts'
import type { Cache } from './cache.ts'

/**
 * Keeps one contact that was asked for, or made, by itself. The walk of the list that is under way may have passed its place
 * already: it counts as met by it.
 * @param madeBy the change by which this computer made it; null for one that was there
 */
export const keepContact = (
  { contacts, walks }: Pick<Cache, 'contacts' | 'walks'>,
  contact: FetchedContact,
  madeBy: string | null,
): void => contacts.put(contact, walks.get('contacts').rounds + 1, madeBy)
