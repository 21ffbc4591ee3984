import { randomUUID } from 'node:crypto'
import { ALL_CONTACTS } from '../../shared/contact-query.ts'
import type { DomainHandlers } from '../../shared/contract.ts'
import type { Contact, Topic } from '../../shared/people.ts'
import { cleanAddress } from '../../shared/recipients.ts'
import type { BackgroundPart } from '../account-background.ts'
import type { OwnPart } from '../account-own.ts'
import type { PlatformPart } from '../account-platform.ts'
import { toNamedSegment } from '../platform/resources/contacts.ts'
import {
  buildAccountTopicChanges,
  buildAccountTopicCreation,
  buildAccountTopicDeletion,
} from '../own/outbox/changes/account-topic.ts'
import {
  buildContactCreation,
  buildContactDeletion,
  buildContactEdits,
  buildSegmentChange,
  findGoingContact,
} from '../own/outbox/changes/contact.ts'
import { contactSubject } from '../own/outbox/changes/contact-fields.ts'
import { buildBulkTopicChange, buildTopicChange } from '../own/outbox/changes/topic.ts'
import { withMessages } from '../platform/problem.ts'
import type { Clock } from '../timing/clock.ts'
import { canonicalizeAddress } from '../store/canonical-address.ts'
import { storeContact } from '../store/contact-crawl.ts'
import { readCatalog, refreshCatalog, refreshSegment } from '../mail/contact-catalog.ts'
import { createProblem } from '../../shared/result.ts'

/** A contact by its current or former ID, or by its address; null if about to be deleted, undefined if unknown. */
const findContact = (
  { cache, outbox }: Pick<OwnPart, 'cache' | 'outbox'>,
  idOrAddress: string,
): Contact | null | undefined =>
  cache.contacts.lookUp(idOrAddress) ?? cache.contacts.lookUp(outbox.waiting.idNow(contactSubject(idOrAddress)))

export const createTopicHandlers = ({ cache, outbox }: OwnPart): DomainHandlers<'topic'> => {
  /** @throws ProblemError `not_found` if it is deleted or about to be */
  const topicOf = (given: string): Topic => {
    const topicId = outbox.topicIdNow(given)
    const topic = cache.accountLists.topics().find(({ id }) => id === topicId)
    if (topic === undefined) throw createProblem('not_found', 'This topic no longer exists. Nothing was changed.')
    return topic
  }
  return {
    'topic.create': (look) => {
      // Contacts can subscribe to it at once.
      const topicId = `new-${randomUUID()}`
      return { changeId: outbox.change([buildAccountTopicCreation(topicId, look)]), topicId }
    },
    'topic.update': ({ topicId, name, description, visibility }) => ({
      changeId: outbox.change(buildAccountTopicChanges(topicOf(topicId).id, { name, description, visibility })),
    }),
    'topic.setForMany': ({ topicId: given, subscription, of }) => {
      const topicId = topicOf(given).id
      // Skip contacts deleted in the meantime.
      const meant =
        'query' in of
          ? cache.contacts.idsOf(of.query)
          : [...new Set(of.contactIds)].flatMap((id) => findContact({ cache, outbox }, id)?.id ?? [])
      // Contacts to be added have no subscriptions yet.
      const contactIds = meant.filter((id) => cache.contacts.has(id))
      const left = meant.length - contactIds.length
      if (contactIds.length === 0) {
        throw createProblem(
          'invalid_input',
          left === 0
            ? 'There are no contacts to change.'
            : 'These contacts are not on the platform yet. Try again once they are.',
        )
      }
      const changes = contactIds.map((id) => buildBulkTopicChange(id, topicId, subscription))
      const { changeId } = outbox.changeMany(changes)
      return { changeId, contacts: contactIds.length, left }
    },
    'topic.delete': ({ topicId }) => ({
      changeId: outbox.change([buildAccountTopicDeletion(topicOf(topicId).id)]),
    }),
  }
}

const GONE = 'This contact was not found. It may have been deleted.'

const NEEDS_PLATFORM = { unreachable: 'You are offline. Try again when you are online.' }

/** @throws ProblemError `not_found` if it is deleted or about to be */
const contactOrThrow = (account: Pick<OwnPart, 'cache' | 'outbox'>, contactId: string): Contact => {
  const contact = findContact(account, contactId) ?? null
  if (contact === null) throw createProblem('not_found', 'This contact no longer exists. Nothing was changed.')
  return contact
}

/** @throws ProblemError `invalid_input` for a value of the wrong type, if the type is known */
const checkProperties = ({ cache }: Pick<OwnPart, 'cache'>, properties: Contact['properties'] = {}): void => {
  const types = new Map(cache.accountLists.get('properties').items.map(({ key, type }) => [key, type]))
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || types.get(key) !== 'number' || typeof value === 'number') continue
    throw createProblem('invalid_input', `“${key}” must be a number. Nothing was changed.`)
  }
}

export const createContactHandlers = (
  { api, action }: PlatformPart,
  { cache, hub, outbox }: OwnPart,
  { freshness, lists }: BackgroundPart,
  clock: Clock,
): DomainHandlers<'contact'> => {
  const account = { cache, platform: api, hub, outbox, clock }
  return {
    'contact.list': ({ offset, limit, query = ALL_CONTACTS }) => ({
      ...cache.contacts.find(query, { offset, limit }),
      offset,
      freshness: freshness(lists.polledAt('contacts')),
    }),
    'contact.ofAddress': ({ address }) => findContact(account, address) ?? null,
    'contact.get': async ({ contactId }) => {
      const here = findContact(account, contactId)
      if (here === null) throw createProblem('not_found', GONE)
      if (here !== undefined) return here
      const contact = await withMessages(api.getContact(contactId, action), {
        unreachable: 'You are offline, and this contact is not on this computer yet. Go online to open it.',
        not_found: GONE,
      })
      storeContact(cache, contact)
      hub.contacts()
      return cache.contacts.get(contact.id) ?? contact
    },
    'contact.add': ({ address: given, segmentIds, ...added }) => {
      const address = cleanAddress(given)
      const key = canonicalizeAddress(address)
      if (!/^[^\s@]+@[^\s@]+$/u.test(key))
        throw createProblem('invalid_input', 'This email address is not valid. Check it, then add the contact again.')
      if ((findContact(account, address) ?? null) !== null)
        throw createProblem('invalid_input', 'This address is already in your contacts.')
      checkProperties(account, added.properties)
      const contact = { ...added, email: address, segments: segmentIds }
      // Adding a contact that is about to be deleted keeps it.
      return { changeId: outbox.change([buildContactCreation(contact, findGoingContact(cache, address))]) }
    },
    'contact.update': ({ contactId, ...change }) => {
      const contact = contactOrThrow(account, contactId)
      checkProperties(account, change.properties)
      return { changeId: outbox.change(buildContactEdits(contact.id, change)) }
    },
    'contact.delete': ({ contactIds }) => {
      const ids = [...new Set(contactIds)].map((id) => contactOrThrow(account, id).id)
      return { changeId: outbox.change(ids.map(buildContactDeletion)) }
    },
    'contact.setSegments': ({ contactIds, add, remove }) => {
      const known = new Set(cache.accountLists.get('segments').items.map(({ id }) => id))
      if (add.some((id) => !known.has(id)))
        throw createProblem('not_found', 'This segment no longer exists. Nothing was changed.')
      const ids = [...new Set(contactIds)].map((id) => contactOrThrow(account, id).id)
      const changes = ids.flatMap((id) => [
        ...add.map((segmentId) => buildSegmentChange(id, segmentId, true)),
        ...remove.map((segmentId) => buildSegmentChange(id, segmentId, false)),
      ])
      return { changeId: outbox.change(changes) }
    },
    'contact.catalog': () => readCatalog(account, freshness),
    'contact.refreshCatalog': async () => {
      await withMessages(refreshCatalog(account, action), {
        unreachable: 'You are offline. Properties, segments and topics may be out of date.',
      })
      return readCatalog(account, freshness)
    },
    'contact.refreshSegment': async ({ segmentId }) => {
      // Sync priority: large segments have many pages, and actions go first.
      const options = { priority: 'sync', signal: action.signal } as const
      await withMessages(refreshSegment(account, segmentId, options), {
        unreachable: 'You are offline. Some contacts in this segment may be missing.',
        not_found: 'This segment is no longer on the platform.',
      })
    },
    'contact.createProperty': async ({ key, type }) => {
      if (!/^\w+$/.test(key)) {
        const message = 'A property name can contain only letters, digits and underscores. Nothing was added.'
        throw createProblem('invalid_input', message)
      }
      if (cache.accountLists.get('properties').items.some((property) => property.key === key))
        throw createProblem('invalid_input', `There is already a property “${key}”. Choose another name.`)
      await withMessages(api.createContactProperty(key, type, action), NEEDS_PLATFORM)
      await refreshCatalog(account, action)
      return readCatalog(account, freshness)
    },
    'contact.createSegment': async ({ name }) => {
      const id = await withMessages(api.createSegment(name, action), NEEDS_PLATFORM)
      cache.accountLists.change('segments', (segments) => [toNamedSegment(id, name), ...segments])
      hub.contacts()
      return { id, name }
    },
    'contact.renameSegment': async ({ segmentId, name }) => {
      await withMessages(api.renameSegment(segmentId, name, action), NEEDS_PLATFORM)
      cache.accountLists.change('segments', (segments) =>
        segments.map((segment) => (segment.id === segmentId ? toNamedSegment(segmentId, name) : segment)),
      )
      hub.contacts()
      return { id: segmentId, name }
    },
    'contact.deleteSegment': async ({ segmentId }) => {
      await withMessages(api.deleteSegment(segmentId, action), NEEDS_PLATFORM)
      cache.accountLists.change('segments', (segments) => segments.filter(({ id }) => id !== segmentId))
      cache.segments.remove(segmentId)
      hub.contacts()
    },
    'contact.setTopic': ({ contactId, topicId, subscription }) => {
      const id = outbox.topicIdNow(topicId)
      const known = cache.accountLists.topics().find((topic) => topic.id === id)
      const isListed = cache.topics.serverSubscriptions(contactId).has(id) && !cache.accountLists.isTopicGoing(id)
      if (known === undefined && !isListed)
        throw createProblem('not_found', 'This contact no longer has this topic. Nothing was changed.')
      return { changeId: outbox.change([buildTopicChange(contactId, id, subscription, known?.byDefault)]) }
    },
  }
}
