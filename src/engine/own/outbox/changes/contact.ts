import { randomUUID } from 'node:crypto'
import type { CallOptions } from '../../../platform/requests.ts'
import { withContactChange, type FetchedContact, type NewContact } from '../../../platform/resources/contacts.ts'
import { catchMissing, isNotFound } from '../../../platform/platform-problem.ts'
import { isContactDeleted } from '../../../platform/contact-deletion-check.ts'
import type { Cache } from '../../../store/cache.ts'
import { canonicalizeAddress } from '../../../store/canonical-address.ts'
import { storeContact } from '../../../store/contact-crawl.ts'
import type { PendingContact } from '../../../store/contacts.ts'
import type { ContactChange } from '../../../../shared/people.ts'
import type { Change, SubjectState, WaitingChange } from '../change.ts'
import { describeMissing, type ChangeResponse, type ChangeTypeRules, type ChangeType } from '../change-type.ts'
import { deleted, screenOptions, type ChangeDependencies } from './change-dependencies.ts'
import {
  contactSubject,
  CONTACT,
  EMAIL,
  EXISTENCE_FIELD,
  formatContactName,
  getEmptyValue,
  isContactField,
  isSegmentField,
  MADE_BY,
  parseContactChange,
  parseNewContact,
  parseSegments,
  segmentIdOf,
  toAttributes,
  toContactFields,
  toSegmentField,
} from './contact-fields.ts'
import {
  createEntityRules,
  fieldsOf,
  isCreating,
  NOT_EXISTING,
  parseAttributes,
  toDeletion,
  type Attributes,
} from './created-entity.ts'

const { rules, textOf } = createEntityRules({
  kind: CONTACT,
  existence: EXISTENCE_FIELD,
  key: EMAIL,
  isField: isContactField,
  emptyValue: getEmptyValue,
})

const isExistence = ({ field }: Pick<Change, 'field'>): boolean => field === EXISTENCE_FIELD

const madeByOf = (text: string): string | undefined =>
  text === NOT_EXISTING ? undefined : parseAttributes(text)[MADE_BY]

const contactRules: ChangeTypeRules = {
  ...rules,
  // Each segment is sent alone, all other fields together.
  batch: (first, candidates) => {
    const joins = isSegmentField(first.field)
      ? (change: WaitingChange): boolean => change === first
      : (change: WaitingChange): boolean => !isSegmentField(change.field)
    return rules.batch(
      first,
      candidates.filter((change) => isExistence(change) || joins(change)),
    )
  },
  // A contact that was created here is still the same one after edits. One that was only found has no such mark: adding
  // an existing address returns its contact (platform.md 18.4), and undo must not delete it.
  isInEffect: (field, now, set) =>
    now === set || (field === EXISTENCE_FIELD && madeByOf(now) !== undefined && madeByOf(now) === madeByOf(set)),
}

/** Until the platform has given a contact an ID, it is known by its address, so it can't be added twice. */
const isLocalId = (contactId: string): boolean => contactId.includes('@')

type Stores = Pick<Cache, 'contacts' | 'segments' | 'topics'>

/** All attributes of a contact as the platform has it, with the cached data about it. */
const stateOf = (
  cache: Stores,
  { id, ...contact }: FetchedContact,
  segments: Iterable<string> = cache.segments.idsOf(id),
): SubjectState => {
  const madeBy = cache.contacts.madeBy(id)
  const topics = (cache.topics.ofContact(id)?.topics ?? [])
    // A state equal to the topic's default may not be a choice (platform.md 19.3), so don't make it one.
    .filter(({ subscription, byDefault }) => subscription !== '' && subscription !== byDefault)
  const attributes = toAttributes({ ...contact, segments: [...segments], topics })
  return new Map(Object.entries({ ...attributes, ...(madeBy !== null && { [MADE_BY]: madeBy }) }))
}

const serverState = (cache: Stores, contactId: string): SubjectState => {
  const contact = cache.contacts.server(contactId)
  return contact === undefined ? new Map() : stateOf(cache, contact)
}

type Parts = Pick<ChangeDependencies, 'platform' | 'cache' | 'hub'>

const createRequests = ({ platform, cache, hub }: Parts) => {
  const storing = (write: () => void) => (): void => {
    write()
    hub.contacts()
  }

  const remove = async (contactId: string, options: CallOptions): Promise<ChangeResponse> => {
    // The platform never had it: its address was already taken.
    if (isLocalId(contactId)) return { store: () => undefined }
    await deleted(
      platform.deleteContact(contactId, options),
      async () => !(await isContactDeleted(platform, contactId, options)),
    )
    return { store: storing(() => cache.contacts.remove(contactId)) }
  }

  /** Removes topics and segments deleted since. */
  const withoutLost = async (made: NewContact, options: CallOptions): Promise<NewContact> => {
    const [topics, segments] = await Promise.all([platform.listTopics(options), platform.listSegments(options)])
    return {
      ...made,
      topics: made.topics?.filter(({ id }) => topics.some((topic) => topic.id === id)),
      segments: made.segments?.filter((id) => segments.some((segment) => segment.id === id)),
    }
  }

  /**
   * Stores the contact that a creation led to. @param isOurs false if the contact existed before; it is left unchanged.
   * It then stays even if the user has cancelled the creation in the meantime
   */
  const toCreated = (localId: string, contact: FetchedContact, made: Attributes, isOurs: boolean): ChangeResponse => {
    const isCancelled = cache.contacts.get(localId) === undefined
    return {
      ...((isOurs || !isCancelled) && { id: contact.id }),
      store: storing(() => {
        storeContact(cache, contact, isOurs ? made[MADE_BY] : undefined)
        if (contact.id === localId) return
        if (isOurs) {
          cache.segments.rename(localId, contact.id)
          for (const [segmentId, isIn] of parseSegments(made)) cache.segments.put(contact.id, segmentId, isIn)
        }
        cache.contacts.remove(localId)
      }),
    }
  }

  const edit = async (contactId: string, change: ContactChange, options: CallOptions): Promise<ChangeResponse> => {
    await platform.updateContact(contactId, change, options)
    return {
      store: storing(() => {
        const kept = cache.contacts.server(contactId)
        if (kept !== undefined) storeContact(cache, withContactChange(kept, change))
      }),
    }
  }

  /** Creates a contact, or recreates a deleted one. If the address has a contact by now, uses that one. */
  const create = async (localId: string, made: Attributes, options: CallOptions): Promise<ChangeResponse> => {
    const wanted = parseNewContact(made)
    const there = await catchMissing(platform.getContact(wanted.email, options))
    // It was changed while its creation was in flight.
    if (there?.id === localId) return edit(localId, parseContactChange(made), options)
    if (there !== null) return toCreated(localId, there, made, false)
    const contact = await platform.createContact(wanted, options).catch(async (thrown: unknown) => {
      if (!isNotFound(thrown)) throw thrown
      return platform.createContact(await withoutLost(wanted, options), options)
    })
    return toCreated(localId, contact, made, true)
  }

  const setSegment = async (contactId: string, segmentId: string, isIn: boolean, options: CallOptions) => {
    if (isIn) await platform.addToSegment(contactId, segmentId, options)
    else await platform.removeFromSegment(contactId, segmentId, options)
    return { store: storing(() => cache.segments.put(contactId, segmentId, isIn)) }
  }
  return { storing, remove, toCreated, create, edit, setSegment }
}

export const createContactChangeType = (parts: Parts): ChangeType => {
  const { platform, cache, hub } = parts
  const { storing, remove, toCreated, create, edit, setSegment } = createRequests(parts)

  const nameOf = (contactId: string): string => {
    const contact = cache.contacts.get(contactId)
    const name = contact === undefined ? '' : formatContactName(contact)
    return name === '' ? (contact?.email ?? 'a contact') : name
  }

  return {
    ...contactRules,
    serverState: ({ id }) => serverState(cache, id),
    deliver: async ({ id }, changes, signal) => {
      const options = screenOptions(signal)
      const [first] = changes
      if (first === undefined) return { store: () => undefined }
      const { field, wanted } = first
      if (field === EXISTENCE_FIELD) {
        return wanted === NOT_EXISTING ? remove(id, options) : create(id, parseAttributes(wanted), options)
      }
      if (isSegmentField(field)) return setSegment(id, segmentIdOf(field), wanted === 'true', options)
      return edit(id, parseContactChange(fieldsOf(changes)), options)
    },
    look: async ({ id }, changes, signal) => {
      const options = screenOptions(signal)
      const creation = changes.find(isCreating(EXISTENCE_FIELD))
      const made = creation === undefined ? null : parseAttributes(creation.sending ?? '')
      const found = await catchMissing(platform.getContact(made?.[EMAIL] ?? id, options))
      if (found === null) {
        const isBeingDeleted = changes.some((change) => isExistence(change) && change.sending === NOT_EXISTING)
        const store = isBeingDeleted ? storing(() => cache.contacts.remove(id)) : () => undefined
        return { state: new Map<string, string>(), store }
      }
      if (made !== null) {
        // If there was no such contact before the request, this is the one it created.
        const isOurs = cache.contacts.idOf(found.email) === undefined
        return { state: new Map(Object.entries(made)), ...toCreated(id, found, made, isOurs) }
      }
      const segments = changes.some(({ field }) => isSegmentField(field))
        ? await catchMissing(platform.listContactSegments(found.id, options))
        : null
      const store = storing(() => {
        storeContact(cache, found)
        if (segments !== null) cache.segments.replaceAll(found.id, segments, 0)
      })
      return {
        state: stateOf(
          cache,
          found,
          segments?.map((segment) => segment.id),
        ),
        store,
      }
    },
    findMissing: async ({ id }, changes, signal) => {
      const options = screenOptions(signal)
      // A contact being created has no ID to look for.
      if (changes.some((change) => isExistence(change) && change.wanted !== NOT_EXISTING)) return 'change'
      if (await isContactDeleted(platform, id, options)) return 'subject'
      if (!changes.every(({ field }) => isSegmentField(field))) return 'change'
      const segments = await catchMissing(platform.listSegments(options))
      if (segments === null) return 'change'
      return changes.every(({ field }) => segments.some((segment) => segment.id === segmentIdOf(field)))
        ? 'nothing'
        : 'change'
    },
    show: (subjects) => {
      cache.contacts.project(subjects.map(({ id }) => id))
      hub.contacts()
    },
    describe: ({ id }, [wanted = NOT_EXISTING]) => {
      // Attributes are sorted, and each contact has an address.
      if (!wanted.startsWith('{"email":'))
        return wanted === NOT_EXISTING ? `deletion of ${nameOf(id)}` : `change to ${nameOf(id)}`
      const { email, ...names } = parseNewContact(parseAttributes(wanted))
      // Include what the user typed, so that a rejection doesn't lose it.
      const name = formatContactName(names)
      return `${isLocalId(id) ? 'new' : 'restored'} contact ${name === '' ? email : `${name} (${email})`}`
    },
    describeMissing: (refusal) => {
      const segmentIsGone = refusal.fields.every(isSegmentField)
        ? 'the platform no longer has this segment.'
        : undefined
      return describeMissing('the platform no longer has this contact.', segmentIsGone)(refusal)
    },
    isGone: ({ id }) => storing(() => cache.contacts.remove(id))(),
  }
}

export const buildContactEdits = (contactId: string, change: ContactChange): readonly Change[] =>
  Object.entries(toContactFields(change)).map(([field, wanted]) => ({ ...contactSubject(contactId), field, wanted }))

export const buildSegmentChange = (contactId: string, segmentId: string, isIn: boolean): Change => ({
  ...contactSubject(contactId),
  field: toSegmentField(segmentId),
  wanted: String(isIn),
})

/** A contact with this address that is about to be deleted, with the platform's attributes; null if there is none. */
export const findGoingContact = (cache: Stores, address: string): { id: string; attributes: Attributes } | null => {
  const id = cache.contacts.idOf(address)
  return id === undefined ? null : { id, attributes: Object.fromEntries(serverState(cache, id)) }
}

/** Adds a contact. @param going kept instead, with its own topics */
export const buildContactCreation = (contact: NewContact, going: ReturnType<typeof findGoingContact>): Change => {
  const kept = Object.entries(going?.attributes ?? { [MADE_BY]: randomUUID() })
  const attributes = {
    ...toAttributes(contact),
    ...Object.fromEntries(kept.filter(([name]) => !isContactField(name))),
  }
  const subject = contactSubject(going?.id ?? canonicalizeAddress(contact.email))
  return { ...subject, field: EXISTENCE_FIELD, wanted: textOf(attributes) }
}

export const buildContactDeletion = (contactId: string): Change =>
  toDeletion({ ...contactSubject(contactId), field: EXISTENCE_FIELD })

/** Pending state of a contact; undefined if only topics are pending. */
export const buildContactOverlay = (waiting: readonly WaitingChange[]): PendingContact | undefined => {
  const own = waiting.filter(contactRules.owns)
  if (own.length === 0) return undefined
  const existence = own.find(isExistence)?.wanted
  const isMade = existence !== undefined && existence !== NOT_EXISTING
  const fields = { ...(isMade && parseAttributes(existence)), ...fieldsOf(own) }
  const made = isMade ? parseNewContact(fields) : null
  return {
    isBeingDeleted: existence === NOT_EXISTING,
    made,
    change: made ?? parseContactChange(fields),
    segments: parseSegments(fields),
  }
}
