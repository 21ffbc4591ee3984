/** Contacts, and people as their mail shows them. */
import { z } from 'zod'
import { contactQuerySchema } from '../contact-query.ts'
import { EMAIL_LISTS } from '../email-query.ts'
import type { Contact, Page, Person } from '../model.ts'
import { engine, hostOf } from './command.ts'
import { id, nothing, window, type ChangeReceipt, type SavedFile } from './inputs.ts'

const personName = z.string().trim().max(200).nullable()
const typedPerson = { typed: z.string().max(256), limit: z.int().min(1).max(20) }
/** An address alone, without a name. RFC 5321 allows 320 characters; what is longer is nobody's and can be asked about. */
const address = z.string().trim().min(1).max(512)

export const peopleCommands = {
  /** Saves all contacts that are on this computer as a table (CSV). */
  'contact.export': hostOf<SavedFile>()('open', nothing),
  /**
   * All of them, newest first; with a query those that it means, in its order, of all that are on this computer. Before them
   * stand those who were added here and whom the platform does not know yet (`createdAt`: null).
   */
  'contact.list': engine<Page<Contact>>()('open', () =>
    z.object({ ...window, query: contactQuerySchema.optional() }).strict(),
  ),
  /** By its ID or its address, from the cache, else from the platform: without walking the list. */
  'contact.get': engine<Contact>()('open', () => z.object({ contactId: id }).strict()),
  /** What is known on this computer of the contact who has an address; null for one who is no contact, or is not here. */
  'contact.ofAddress': engine<Contact | null>()('joined', () => z.object({ address }).strict()),
  /**
   * Adds somebody to the contacts, at once here and by the outbox there. Undone it takes them off again, unless the platform
   * turned out to have them before. `invalid_input` for what is not an address, and for somebody who is a contact.
   */
  'contact.add': engine<ChangeReceipt>()('joined', () =>
    z.object({ address, firstName: personName, lastName: personName }).strict(),
  ),
  /**
   * Subscribes a contact to a topic or takes it off, at once here and by the outbox there. `contactId`: the address where the ID
   * is not known.
   */
  'contact.setTopic': engine<ChangeReceipt>()('joined', () =>
    z.object({ contactId: id, topicId: id, subscription: z.enum(['opt_in', 'opt_out']) }).strict(),
  ),
  /**
   * Whom a typed part of a name or an address may mean: contacts, and everyone whom the e-mails of the inbox, or of one of
   * the account's own lists, name on this computer, the likeliest first, each address once. `contactId`: null for one who is
   * no contact.
   */
  'person.suggest': engine<
    readonly { readonly name: string | null; readonly address: string; readonly contactId: string | null }[]
  >()('joined', () =>
    z.union([
      z.object({ inboxId: id, ...typedPerson }).strict(),
      z.object({ list: z.enum(EMAIL_LISTS), ...typedPerson }).strict(),
    ]),
  ),
  /**
   * What is known of the person with an address, however it is written (capitals, the domain in either form of IDNA): from
   * this computer alone, at once. `contacts.changed`, `topics.changed` of its `contactId`, `threads.changed`, `emails.changed`,
   * `receivedEmails.changed` and `sentEmails.changed` tell that it may be another.
   */
  'person.get': engine<Person>()('joined', () => z.object({ address }).strict()),
  /**
   * Asks the platform for the topics of the person (contract, 5: by the contact's ID, or by the address where there is none)
   * and for their segments, unless both were asked for a moment ago. For somebody on whom a person rests. `unreachable` where
   * they are not here and the platform is out of reach; somebody who is no contact has none, and that is no error.
   * @param again what the platform said a moment ago that it does not have is asked for all the same
   */
  'person.refresh': engine<Person>()('joined', () => z.object({ address, again: z.boolean().optional() }).strict()),
}

export interface PeopleEvents {
  /** Contacts, or who waits to become one, and their segments. */
  'contacts.changed': null
  /** `contactId`: the address where the ID is not known (`Person`). */
  'topics.changed': { readonly contactId: string }
}
