/**
 * Contacts, and people as their mail shows them. Commands that return a `ChangeReceipt` apply locally at once and reach
 * the platform through the outbox.
 */
import { z } from 'zod'
import { contactQuerySchema } from '../contact-query.ts'
import { EMAIL_LISTS } from '../email-query.ts'
import type { Page } from '../model.ts'
import { TOPIC_LIMITS, type Contact, type ContactCatalog, type Person, type Segment } from '../people.ts'
import { defineEngineCommand, defineHostCommand } from './command.ts'
import { idSchema, emptyInputSchema, listWindowFields, type ChangeReceipt, type SavedFile } from './inputs.ts'

/** Maximum number of contacts per command, because each is a separate request. */
const MAX_CHANGED = 500

const personName = z.string().trim().max(200).nullable()
const propertyKey = z.string().min(1).max(200)
const properties = z.record(propertyKey, z.union([z.string().max(2_000), z.number(), z.null()]))
const newPropertyKey = z.string().trim().min(1).max(50)
const segmentName = z.string().trim().min(1).max(200)
const contactIds = z.array(idSchema).min(1).max(MAX_CHANGED)
const subscription = z.enum(['opt_in', 'opt_out'])
const topicFields = {
  name: z.string().trim().min(1).max(TOPIC_LIMITS.name),
  description: z.string().trim().max(TOPIC_LIMITS.description).nullable(),
  visibility: z.enum(['public', 'private']),
}
const typedPerson = { typed: z.string().max(256), limit: z.int().min(1).max(20) }
/** An address without a name. RFC 5321 allows 320 characters; nobody has a longer one, but it can be looked up. */
const address = z.string().trim().min(1).max(512)

export const peopleCommands = {
  'contact.export': defineHostCommand<SavedFile>()(emptyInputSchema),
  /**
   * All contacts, newest first, or the local matches of a query in its order. Contacts that were added locally and that
   * the platform doesn't have yet come first (`createdAt`: null).
   */
  'contact.list': defineEngineCommand<Page<Contact>>()('owner', () =>
    z.object({ ...listWindowFields, query: contactQuerySchema.optional() }).strict(),
  ),
  /** A contact by ID or address, from the cache or else from the platform, without crawling the list. */
  'contact.get': defineEngineCommand<Contact>()('owner', () => z.object({ contactId: idSchema }).strict()),
  'contact.ofAddress': defineEngineCommand<Contact | null>()('merged', () => z.object({ address }).strict()),
  /**
   * Adds a contact. Undo removes it, unless the platform already had it. `invalid_input` for a bad address or an
   * existing contact.
   */
  'contact.add': defineEngineCommand<ChangeReceipt>()('owner', () =>
    z
      .object({
        address,
        firstName: personName,
        lastName: personName,
        unsubscribed: z.boolean().optional(),
        properties: properties.optional(),
        segmentIds: z.array(idSchema).max(100).optional(),
      })
      .strict(),
  ),
  /**
   * Changes a contact. Omitted fields are unchanged, also on the platform; a null property is removed. For a contact
   * that hasn't been sent yet, `contactId` is its address. `invalid_input` if a value doesn't match its property's
   * type.
   */
  'contact.update': defineEngineCommand<ChangeReceipt>()('owner', () =>
    z
      .object({
        contactId: idSchema,
        firstName: personName.optional(),
        lastName: personName.optional(),
        unsubscribed: z.boolean().optional(),
        properties: properties.optional(),
      })
      .strict(),
  ),
  /**
   * Deletes contacts. Undo restores them as far as known: the platform assigns new IDs, and the old ones keep working.
   */
  'contact.delete': defineEngineCommand<ChangeReceipt>()('owner', () => z.object({ contactIds }).strict()),
  'contact.setSegments': defineEngineCommand<ChangeReceipt>()('owner', () =>
    z.object({ contactIds, add: z.array(idSchema).max(100), remove: z.array(idSchema).max(100) }).strict(),
  ),
  /** The locally known properties, segments and topics of the account. May change with `contacts.changed`. */
  'contact.catalog': defineEngineCommand<ContactCatalog>()('owner', emptyInputSchema),
  'contact.refreshCatalog': defineEngineCommand<ContactCatalog>()('owner', emptyInputSchema),
  /** Requests a segment's contacts from the platform; they are listed in the segment as they arrive. */
  'contact.refreshSegment': defineEngineCommand<null>()('owner', () => z.object({ segmentId: idSchema }).strict()),
  /**
   * Creates a property. Needs the platform and can't be undone. `invalid_input` for an existing key, or one with
   * characters other than letters, digits and underscores.
   */
  'contact.createProperty': defineEngineCommand<ContactCatalog>()('owner', () =>
    z.object({ key: newPropertyKey, type: z.enum(['string', 'number']) }).strict(),
  ),
  /** Needs a connection to the platform. */
  'contact.createSegment': defineEngineCommand<Segment>()('owner', () => z.object({ name: segmentName }).strict()),
  /** Needs a connection to the platform. */
  'contact.renameSegment': defineEngineCommand<Segment>()('owner', () =>
    z.object({ segmentId: idSchema, name: segmentName }).strict(),
  ),
  /** Deletes a segment but not its contacts. Needs a connection to the platform and can't be undone. */
  'contact.deleteSegment': defineEngineCommand<null>()('owner', () => z.object({ segmentId: idSchema }).strict()),
  /** Subscribes a contact to a topic, or unsubscribes it. `contactId` is the address if the ID is unknown. */
  'contact.setTopic': defineEngineCommand<ChangeReceipt>()('owner', () =>
    z.object({ contactId: idSchema, topicId: idSchema, subscription }).strict(),
  ),
  /**
   * Changes the subscription of a list of IDs, or of all local matches of a query. Undo restores each contact's earlier
   * state on the platform. `contacts` counts the changed contacts; `left` counts those skipped because the platform
   * doesn't have them yet.
   */
  'topic.setForMany': defineEngineCommand<ChangeReceipt & { readonly contacts: number; readonly left: number }>()(
    'owner',
    () =>
      z
        .object({
          topicId: idSchema,
          subscription,
          of: z.union([z.object({ contactIds }).strict(), z.object({ query: contactQuerySchema }).strict()]),
        })
        .strict(),
  ),
  /** Creates a topic. `topicId` is temporary until the platform assigns its own, and keeps working afterwards. */
  'topic.create': defineEngineCommand<ChangeReceipt & { readonly topicId: string }>()('owner', () =>
    z.object({ ...topicFields, byDefault: subscription }).strict(),
  ),
  /** Changes a topic; omitted fields are unchanged. The default subscription can't change (platform.md 19.1). */
  'topic.update': defineEngineCommand<ChangeReceipt>()('owner', () =>
    z
      .object({
        topicId: idSchema,
        name: topicFields.name.optional(),
        description: topicFields.description.optional(),
        visibility: topicFields.visibility.optional(),
      })
      .strict(),
  ),
  /**
   * Deletes a topic with all subscription choices. Undo restores it with a new ID and the known choices that differ
   * from its default.
   */
  'topic.delete': defineEngineCommand<ChangeReceipt>()('owner', () => z.object({ topicId: idSchema }).strict()),
  /**
   * People whose name or address matches the typed text: contacts, and everyone named in local e-mails of the inbox or
   * of an account-wide list. Most likely first, each address once. `contactId` is null for people who are not contacts.
   */
  'person.suggest': defineEngineCommand<
    readonly { readonly name: string | null; readonly address: string; readonly contactId: string | null }[]
  >()('merged', () =>
    z.union([
      z.object({ inboxId: idSchema, ...typedPerson }).strict(),
      z.object({ list: z.enum(EMAIL_LISTS), ...typedPerson }).strict(),
    ]),
  ),
  /**
   * Everything known locally about an address, in any capitalisation or IDNA form. May change with `contacts.changed`,
   * `topics.changed` for the same person, `threads.changed`, `emails.changed`, `receivedEmails.changed` and
   * `sentEmails.changed`.
   */
  'person.get': defineEngineCommand<Person>()('owner', () => z.object({ address }).strict()),
  /**
   * Requests the topics (platform.md 19.2: by contact ID, or else by address) and segments of a person on screen,
   * unless requested moments ago. `unreachable` if they are neither stored nor fetchable. Empty for a person who isn't
   * a contact.
   * @param again true to also request what the platform didn't have a moment ago
   */
  'person.refresh': defineEngineCommand<Person>()('owner', () =>
    z.object({ address, again: z.boolean().optional() }).strict(),
  ),
}

export interface PeopleEvents {
  /** Contacts, contacts waiting to be sent, or their segments changed. */
  'contacts.changed': null
  /** `contactId` is the address if the ID is unknown (see `Person`). */
  'topics.changed': { readonly contactId: string }
}
