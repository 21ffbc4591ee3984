/** Contacts, and people as their mail shows them. */
import { z } from 'zod'
import { contactQuerySchema } from '../contact-query.ts'
import { EMAIL_LISTS } from '../email-query.ts'
import type { Page } from '../model.ts'
import { TOPIC_LIMITS, type Contact, type ContactCatalog, type Person, type Segment } from '../people.ts'
import { engine, hostOf } from './command.ts'
import { id, nothing, window, type ChangeReceipt, type SavedFile } from './inputs.ts'

/** Contacts that one command changes: each is a request of its own. */
const MOST_CHANGED = 500

const personName = z.string().trim().max(200).nullable()
const propertyKey = z.string().min(1).max(200)
const properties = z.record(propertyKey, z.union([z.string().max(2_000), z.number(), z.null()]))
const newPropertyKey = z.string().trim().min(1).max(50)
const segmentName = z.string().trim().min(1).max(200)
const contactIds = z.array(id).min(1).max(MOST_CHANGED)
const subscription = z.enum(['opt_in', 'opt_out'])
const topicLook = {
  name: z.string().trim().min(1).max(TOPIC_LIMITS.name),
  description: z.string().trim().max(TOPIC_LIMITS.description).nullable(),
  visibility: z.enum(['public', 'private']),
}
const typedPerson = { typed: z.string().max(256), limit: z.int().min(1).max(20) }
/** An address without a name. RFC 5321 allows 320 characters; longer ones belong to nobody, but may be asked about. */
const address = z.string().trim().min(1).max(512)

export const peopleCommands = {
  /** Saves all contacts on this computer as a table (CSV). */
  'contact.export': hostOf<SavedFile>()('open', nothing),
  /**
   * All contacts, newest first; with a query those on this computer that match, in its order. First come those who were
   * added here and are unknown to the platform so far (`createdAt`: null).
   */
  'contact.list': engine<Page<Contact>>()('open', () =>
    z.object({ ...window, query: contactQuerySchema.optional() }).strict(),
  ),
  /** By ID or address, from the cache, else from the platform: without walking the list. */
  'contact.get': engine<Contact>()('open', () => z.object({ contactId: id }).strict()),
  /** The contact with an address, as known on this computer; null for one who is no contact, or is not here. */
  'contact.ofAddress': engine<Contact | null>()('joined', () => z.object({ address }).strict()),
  /**
   * Adds a contact, at once here and by the outbox on the platform. Undo removes them again, unless it turns out that
   * the platform had them before. `invalid_input` for what is not an address, and for an existing contact.
   */
  'contact.add': engine<ChangeReceipt>()('joined', () =>
    z
      .object({
        address,
        firstName: personName,
        lastName: personName,
        unsubscribed: z.boolean().optional(),
        properties: properties.optional(),
        segmentIds: z.array(id).max(100).optional(),
      })
      .strict(),
  ),
  /**
   * Changes fields of a contact, at once here and by the outbox on the platform; what is left out stays as it is, there as
   * well. A property that is null is taken away. `contactId` is the address of somebody who waits to be added.
   * `invalid_input` for a value of another type than its property.
   */
  'contact.update': engine<ChangeReceipt>()('joined', () =>
    z
      .object({
        contactId: id,
        firstName: personName.optional(),
        lastName: personName.optional(),
        unsubscribed: z.boolean().optional(),
        properties: properties.optional(),
      })
      .strict(),
  ),
  /**
   * Deletes contacts, at once here and by the outbox on the platform. Undo brings them back with what was known of them: the
   * platform gives them other IDs, and those that they had are understood from then on.
   */
  'contact.delete': engine<ChangeReceipt>()('joined', () => z.object({ contactIds }).strict()),
  /** Puts contacts into segments and takes them out of others, at once here and by the outbox on the platform. */
  'contact.setSegments': engine<ChangeReceipt>()('joined', () =>
    z.object({ contactIds, add: z.array(id).max(100), remove: z.array(id).max(100) }).strict(),
  ),
  /** The properties, segments and topics of the account, as known on this computer. May change with `contacts.changed`. */
  'contact.catalog': engine<ContactCatalog>()('open', nothing),
  /** Asks the platform for them. */
  'contact.refreshCatalog': engine<ContactCatalog>()('open', nothing),
  /** Asks the platform for the contacts of a segment: those that are read are listed by it at once. */
  'contact.refreshSegment': engine<null>()('open', () => z.object({ segmentId: id }).strict()),
  /**
   * Makes a property that contacts can have. Needs the platform: it cannot be undone here. `invalid_input` for a key of other
   * characters than letters, digits and underscores, and for one that is there.
   */
  'contact.createProperty': engine<ContactCatalog>()('open', () =>
    z.object({ key: newPropertyKey, type: z.enum(['string', 'number']) }).strict(),
  ),
  /** Makes a segment. Needs the platform. */
  'contact.createSegment': engine<Segment>()('open', () => z.object({ name: segmentName }).strict()),
  /** Needs the platform. */
  'contact.renameSegment': engine<Segment>()('open', () => z.object({ segmentId: id, name: segmentName }).strict()),
  /** Deletes a segment, and no contact. Needs the platform: it cannot be undone. */
  'contact.deleteSegment': engine<null>()('open', () => z.object({ segmentId: id }).strict()),
  /**
   * Subscribes a contact to a topic or unsubscribes them, at once here and by the outbox on the platform. `contactId`
   * is the address if the ID is unknown.
   */
  'contact.setTopic': engine<ChangeReceipt>()('joined', () =>
    z.object({ contactId: id, topicId: id, subscription }).strict(),
  ),
  /**
   * Subscribes many contacts to a topic or unsubscribes them, at once here and by the outbox on the platform: those of a list
   * of IDs, or all on this computer that a query means. Undo gives each the state that the platform had before it. `contacts`:
   * how many; `left`: of those that were meant, how many wait to be added and are left out.
   */
  'topic.setForMany': engine<ChangeReceipt & { readonly contacts: number; readonly left: number }>()('joined', () =>
    z
      .object({
        topicId: id,
        subscription,
        of: z.union([z.object({ contactIds }).strict(), z.object({ query: contactQuerySchema }).strict()]),
      })
      .strict(),
  ),
  /**
   * Makes a topic, at once here and by the outbox on the platform. `topicId` is the ID by which it goes until the platform has
   * given it another one; it is understood from then on.
   */
  'topic.create': engine<ChangeReceipt & { readonly topicId: string }>()('joined', () =>
    z.object({ ...topicLook, byDefault: subscription }).strict(),
  ),
  /** Changes a topic; what is left out stays as it is. What it is by default never changes (platform facts 5). */
  'topic.update': engine<ChangeReceipt>()('joined', () =>
    z
      .object({
        topicId: id,
        name: topicLook.name.optional(),
        description: topicLook.description.optional(),
        visibility: topicLook.visibility.optional(),
      })
      .strict(),
  ),
  /**
   * Deletes a topic, and with it what everybody has chosen. Undo makes it again, under another ID, with the choices against its
   * default that are known on this computer.
   */
  'topic.delete': engine<ChangeReceipt>()('joined', () => z.object({ topicId: id }).strict()),
  /**
   * People whose name or address may be meant by what was typed: contacts, and everyone named in e-mails of the inbox,
   * or of one of the account's own lists, on this computer; the likeliest first, each address once. `contactId` is null
   * for one who is no contact.
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
   * All that this computer knows of the person with an address, at once, however the address is written (capitals,
   * either form of IDNA). May change with `contacts.changed`, `topics.changed` of its `contactId`, `threads.changed`,
   * `emails.changed`, `receivedEmails.changed` and `sentEmails.changed`.
   */
  'person.get': engine<Person>()('joined', () => z.object({ address }).strict()),
  /**
   * Asks the platform for the person's topics (contract, 5: by the contact's ID, or by the address if there is none)
   * and segments, unless it was asked a moment ago. For a person whom somebody looks at. `unreachable` if they are not
   * here and the platform cannot be reached; one who is no contact has none, which is no error.
   * @param again ask even for what the platform did not have a moment ago
   */
  'person.refresh': engine<Person>()('joined', () => z.object({ address, again: z.boolean().optional() }).strict()),
}

export interface PeopleEvents {
  /** Contacts, contacts to be, or their segments. */
  'contacts.changed': null
  /** `contactId` is the address if the ID is unknown (`Person`). */
  'topics.changed': { readonly contactId: string }
}
