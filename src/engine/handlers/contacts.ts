import { ALL_CONTACTS } from '../../shared/contact-query.ts'
import type { DomainHandlers } from '../../shared/contract.ts'
import type { Contact, PersonName, Topic } from '../../shared/people.ts'
import { cleanAddress } from '../../shared/recipients.ts'
import type { BackgroundPart } from '../account-background.ts'
import type { OwnPart } from '../account-own.ts'
import type { PlatformPart } from '../account-platform.ts'
import { toNamedSegment } from '../platform/resources/contacts.ts'
import { findContactSnapshot } from '../own/outbox/changes/contact-snapshot.ts'
import { createProblem, withMessage } from '../platform/problem.ts'
import { canonicalizeAddress } from '../store/canonical-address.ts'
import type { Clock } from '../timing/clock.ts'
import { storeContact } from '../store/contact-crawl.ts'
import { readCatalog, refreshCatalog, refreshSegment } from '../mail/contact-catalog.ts'
import {
  findContactWithChanges,
  listContactIdsWithChanges,
  listContactsWithChanges,
} from '../mail/contacts-with-changes.ts'

const withoutBlank = (description: string | null): string | null => (description === '' ? null : description)

export const createTopicHandlers = ({ cache, outbox }: OwnPart): DomainHandlers<'topic'> => {
  /** @throws ProblemError `not_found` if it is deleted or about to be */
  const topicOf = (given: string): Topic => {
    const topicId = outbox.topicIdNow(given)
    const topic = cache.accountLists.topics().find(({ id }) => id === topicId)
    if (topic === undefined) throw createProblem('not_found', 'This topic no longer exists. Nothing was changed.')
    return topic
  }
  return {
    'topic.create': ({ description, ...look }) =>
      outbox.createTopic({ ...look, description: withoutBlank(description) }),
    'topic.update': ({ topicId, name, description, visibility }) => ({
      changeId: outbox.updateTopic(topicOf(topicId).id, {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description: withoutBlank(description) }),
        ...(visibility !== undefined && { visibility }),
      }),
    }),
    'topic.setForMany': async ({ topicId: given, subscription, of }) => {
      const topicId = topicOf(given).id
      // Skip contacts deleted in the meantime.
      const meant =
        'query' in of
          ? listContactIdsWithChanges({ cache, outbox }, of.query)
          : [...new Set(of.contactIds)].flatMap((id) => findContactWithChanges({ cache, outbox }, id)?.id ?? [])
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
      const { changeId } = await outbox.setTopicOfMany(contactIds, topicId, subscription)
      return { changeId, contacts: contactIds.length, left }
    },
    'topic.delete': ({ topicId }) => ({ changeId: outbox.deleteTopic(topicOf(topicId).id) }),
  }
}

const GONE = 'This contact was not found. It may have been deleted.'

const withoutBlanks = ({ firstName, lastName }: PersonName): PersonName => ({
  firstName: firstName === '' ? null : firstName,
  lastName: lastName === '' ? null : lastName,
})

type Sentences = Parameters<typeof withMessage>[1]

const NEEDS_PLATFORM: Sentences = { unreachable: 'You are offline. Try again when you are online.' }

const withErrorMessages = async <Answer>(answer: Promise<Answer>, sentences: Sentences): Promise<Answer> => {
  try {
    return await answer
  } catch (thrown) {
    throw withMessage(thrown, sentences)
  }
}

/** @throws ProblemError `not_found` if it is deleted or about to be */
const contactOrThrow = (account: Pick<OwnPart, 'cache' | 'outbox'>, contactId: string): Contact => {
  const contact = findContactWithChanges(account, contactId) ?? null
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
    'contact.list': ({ offset, limit, query = ALL_CONTACTS }) => {
      return {
        ...listContactsWithChanges(account, query, { offset, limit }),
        offset,
        freshness: freshness(lists.polledAt('contacts')),
      }
    },
    'contact.ofAddress': ({ address }) => findContactWithChanges(account, address) ?? null,
    'contact.get': async ({ contactId }) => {
      const here = findContactWithChanges(account, contactId)
      if (here === null) throw createProblem('not_found', GONE)
      if (here !== undefined) return here
      try {
        const contact = await api.getContact(contactId, action)
        storeContact(cache, contact, null)
        hub.contacts()
        return cache.contacts.get(contact.id) ?? contact
      } catch (thrown) {
        throw withMessage(thrown, {
          unreachable: 'You are offline, and this contact is not on this computer yet. Go online to open it.',
          not_found: GONE,
        })
      }
    },
    'contact.add': ({ address: given, segmentIds, properties, unsubscribed, ...name }) => {
      const address = cleanAddress(given)
      const key = canonicalizeAddress(address)
      if (!/^[^\s@]+@[^\s@]+$/u.test(key))
        throw createProblem('invalid_input', 'This email address is not valid. Check it, then add the contact again.')
      if ((findContactWithChanges(account, address) ?? null) !== null)
        throw createProblem('invalid_input', 'This address is already in your contacts.')
      checkProperties({ cache }, properties)
      const added = { email: address, ...withoutBlanks(name), unsubscribed, properties, segments: segmentIds }
      const [going] = cache.contacts.allByAddress(address)
      const snapshot = going === undefined ? null : findContactSnapshot(cache, going.id)
      // Adding a contact that is about to be deleted keeps it.
      if (going !== undefined && snapshot !== null && outbox.contactOverlay(going.id)?.isBeingDeleted === true) {
        const asAdded = {
          unsubscribed: unsubscribed ?? false,
          properties: properties ?? {},
          segments: segmentIds ?? [],
        }
        return { changeId: outbox.restoreContact(going.id, { ...snapshot, ...withoutBlanks(name), ...asAdded }) }
      }
      return { changeId: outbox.addContact(key, added) }
    },
    'contact.update': ({ contactId, firstName, lastName, unsubscribed, properties }) => {
      const contact = contactOrThrow(account, contactId)
      checkProperties({ cache }, properties)
      const change = {
        ...(firstName !== undefined && { firstName: firstName === '' ? null : firstName }),
        ...(lastName !== undefined && { lastName: lastName === '' ? null : lastName }),
        ...(unsubscribed !== undefined && { unsubscribed }),
        ...(properties !== undefined && { properties }),
      }
      return { changeId: outbox.updateContact(contact.id, change) }
    },
    'contact.delete': ({ contactIds }) => {
      const ids = [...new Set(contactIds)].map((id) => contactOrThrow(account, id).id)
      return { changeId: outbox.deleteContacts(ids) }
    },
    'contact.setSegments': ({ contactIds, add, remove }) => {
      const known = new Set(cache.accountLists.get('segments').items.map(({ id }) => id))
      if (add.some((id) => !known.has(id)))
        throw createProblem('not_found', 'This segment no longer exists. Nothing was changed.')
      const ids = [...new Set(contactIds)].map((id) => contactOrThrow(account, id).id)
      return { changeId: outbox.setSegments(ids, add, remove) }
    },
    'contact.catalog': () => readCatalog(account, freshness),
    'contact.refreshCatalog': async () => {
      await withErrorMessages(refreshCatalog(account, action), {
        unreachable: 'You are offline. Properties, segments and topics may be out of date.',
      })
      return readCatalog(account, freshness)
    },
    'contact.refreshSegment': async ({ segmentId }) => {
      // Sync priority: large segments have many pages, and actions go first.
      const options = { priority: 'sync', signal: action.signal } as const
      await withErrorMessages(refreshSegment(account, segmentId, options), {
        unreachable: 'You are offline. Some contacts in this segment may be missing.',
        not_found: 'This segment is no longer on the api.',
      })
    },
    'contact.createProperty': async ({ key, type }) => {
      if (!/^\w+$/.test(key)) {
        const message = 'A property name can contain only letters, digits and underscores. Nothing was added.'
        throw createProblem('invalid_input', message)
      }
      if (cache.accountLists.get('properties').items.some((property) => property.key === key))
        throw createProblem('invalid_input', `There is already a property “${key}”. Choose another name.`)
      await withErrorMessages(api.createContactProperty(key, type, action), NEEDS_PLATFORM)
      await refreshCatalog(account, action)
      return readCatalog(account, freshness)
    },
    'contact.createSegment': async ({ name }) => {
      const id = await withErrorMessages(api.createSegment(name, action), NEEDS_PLATFORM)
      cache.accountLists.change('segments', (segments) => [toNamedSegment(id, name), ...segments])
      hub.contacts()
      return { id, name }
    },
    'contact.renameSegment': async ({ segmentId, name }) => {
      await withErrorMessages(api.renameSegment(segmentId, name, action), NEEDS_PLATFORM)
      cache.accountLists.change('segments', (segments) =>
        segments.map((segment) => (segment.id === segmentId ? toNamedSegment(segmentId, name) : segment)),
      )
      hub.contacts()
      return { id: segmentId, name }
    },
    'contact.deleteSegment': async ({ segmentId }) => {
      await withErrorMessages(api.deleteSegment(segmentId, action), NEEDS_PLATFORM)
      cache.accountLists.change('segments', (segments) => segments.filter(({ id }) => id !== segmentId))
      cache.segments.remove(segmentId)
      hub.contacts()
    },
    'contact.setTopic': ({ contactId, topicId, subscription }) => {
      const id = outbox.topicIdNow(topicId)
      const isBeingDeleted = cache.accountLists.isTopicGoing(id)
      if (!isBeingDeleted && cache.topics.serverSubscriptions(contactId).has(id)) {
        return { changeId: outbox.setTopic(contactId, id, subscription) }
      }
      const made = cache.accountLists.topics().find((topic) => topic.id === id)
      if (made === undefined)
        throw createProblem('not_found', 'This contact no longer has this topic. Nothing was changed.')
      return { changeId: outbox.setTopic(contactId, id, subscription, made.byDefault) }
    },
  }
}
