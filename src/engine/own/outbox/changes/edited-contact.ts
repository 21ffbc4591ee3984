import type { CallOptions } from '../../../platform/requests.ts'
import { withContactChange } from '../../../platform/resources/contacts.ts'
import { isNotFound } from '../../../platform/platform-problem.ts'
import { isContactDeleted } from '../../../platform/contact-deletion-check.ts'
import { storeContact } from '../../../store/contact-crawl.ts'
import type { ContactChange } from '../../../../shared/people.ts'
import { toChangeSubject, type Change, type ChangeWrite, type WaitingChange } from '../change.ts'
import type { ChangeResponse, ChangeTypeRules, ChangeType } from '../change-type.ts'
import { keepNewestValue } from '../waiting-changes.ts'
import { screenOptions, catchMissing, type ChangeDependencies } from './change-dependencies.ts'
import {
  parseContactChange,
  getEmptyValue,
  EXISTENCE_FIELD,
  toContactFields,
  isContactField,
  isSegmentField,
  NOT_EXISTING,
  parseContactSnapshot,
  toSegmentField,
  segmentIdOf,
  buildContactSnapshot,
  findContactSnapshot,
  applyFieldChanges,
  toContactState,
  serializeContactSnapshot,
  serializeContactChange,
  type ContactSnapshot,
} from './contact-snapshot.ts'
import { contactSubject } from './topic.ts'

const isUnsent = (change: WaitingChange | undefined): boolean => change?.sending === null
const isEdit = ({ field }: Pick<Change, 'field'>): boolean => field !== EXISTENCE_FIELD && !isSegmentField(field)
const drop = (change: WaitingChange): ChangeWrite => ({ target: change, change: null })

type Fold = NonNullable<ChangeTypeRules['fold']>

/** A deletion cancels the contact's other pending changes. */
const foldDeletion: Fold = (waiting, next, server) => {
  const existence = waiting.get(EXISTENCE_FIELD)
  const dropped = [...waiting.values()]
    .filter(({ field }) => field !== EXISTENCE_FIELD)
    // Wait for changes in flight, but send nothing after them.
    .map((change) =>
      change.sending === null ? drop(change) : { target: change, change: { ...change, wanted: change.sending } },
    )
  if ((existence === undefined || isUnsent(existence)) && !server.has(EXISTENCE_FIELD)) {
    return [...dropped, ...(existence === undefined ? [] : [drop(existence)])]
  }
  const wanted = {
    ...toChangeSubject(next),
    field: EXISTENCE_FIELD,
    wanted: NOT_EXISTING,
    sending: existence?.sending ?? null,
  }
  return [...dropped, { target: next, change: wanted }]
}

/** Recreates a deleted contact, or cancels its deletion. */
const foldReturn: Fold = (waiting, next, server) => {
  const existence = waiting.get(EXISTENCE_FIELD)
  if (!server.has(EXISTENCE_FIELD) || (existence !== undefined && !isUnsent(existence))) {
    return [{ target: next, change: { ...next, sending: existence?.sending ?? null } }]
  }
  // The platform still has the contact, so only restore the changes that the deletion dropped.
  const wanted = toContactFields(parseContactSnapshot(next.wanted))
  const fields = new Set([...wanted.keys(), ...server.keys()])
  return [
    ...(existence === undefined ? [] : [drop(existence)]),
    ...[...fields]
      .filter((field) => field !== EXISTENCE_FIELD)
      .map((field): ChangeWrite => {
        const target = { ...toChangeSubject(next), field, wanted: wanted.get(field) ?? getEmptyValue(field) }
        const there = server.get(field) ?? getEmptyValue(field)
        return { target, change: keepNewestValue(waiting.get(field), target, there) }
      }),
  ]
}

const editRules: ChangeTypeRules = {
  kind: contactSubject('').kind,
  owns: ({ kind, field }) => kind === contactSubject('').kind && isContactField(field),
  valueIn: (state, field) => {
    if (field === EXISTENCE_FIELD) return state.get(field) ?? NOT_EXISTING
    // If the contact is unknown, so are its fields.
    return state.get(field) ?? (state.has(EXISTENCE_FIELD) ? getEmptyValue(field) : undefined)
  },
  shown: (waiting, field, server) => {
    const change = waiting.get(field)
    if (change !== undefined) return change.wanted
    const existence = waiting.get(EXISTENCE_FIELD)
    if (existence !== undefined && existence.wanted !== NOT_EXISTING) {
      return toContactFields(parseContactSnapshot(existence.wanted)).get(field) ?? getEmptyValue(field)
    }
    const state = server()
    const known = state.get(EXISTENCE_FIELD)
    if (field !== EXISTENCE_FIELD) return editRules.valueIn(state, field)
    return known === undefined
      ? NOT_EXISTING
      : serializeContactSnapshot(applyFieldChanges(parseContactSnapshot(known), [...waiting.values()]))
  },
  fold: (waiting, next, server) => {
    if (next.field === EXISTENCE_FIELD) {
      return (next.wanted === NOT_EXISTING ? foldDeletion : foldReturn)(waiting, next, server)
    }
    const existence = waiting.get(EXISTENCE_FIELD)
    if (existence?.wanted === NOT_EXISTING) return [{ target: next, change: null }]
    if (existence === undefined || !isUnsent(existence)) {
      const there = editRules.valueIn(server, next.field)
      return [{ target: next, change: keepNewestValue(waiting.get(next.field), next, there) }]
    }
    // The contact is recreated in its latest form.
    const wanted = serializeContactSnapshot(applyFieldChanges(parseContactSnapshot(existence.wanted), [next]))
    return [{ target: existence, change: { ...existence, wanted } }]
  },
  // Creation and deletion are sent first. Each segment is sent alone, all other fields together.
  batch: (first, candidates) => {
    const existence = candidates.find(({ field }) => field === EXISTENCE_FIELD)
    if (existence !== undefined) return [existence]
    return isEdit(first) ? candidates.filter(isEdit) : [first]
  },
  inverse: ({ before }) => before,
}

type Parts = Pick<ChangeDependencies, 'platform' | 'cache' | 'hub'>

const createRequests = ({ platform, cache, hub }: Parts) => {
  const storing = (write: () => void) => (): void => {
    write()
    hub.contacts()
  }

  /** A missing contact counts as deleted. */
  const remove = async (contactId: string, options: CallOptions): Promise<ChangeResponse> => {
    try {
      await platform.deleteContact(contactId, options)
    } catch (thrown) {
      if (!isNotFound(thrown)) throw thrown
      if (!(await isContactDeleted(platform, contactId, options))) throw thrown
    }
    return { store: storing(() => cache().contacts.remove(contactId)) }
  }

  /** Removes topics and segments deleted since. */
  const withoutLost = async (snapshot: ContactSnapshot, options: CallOptions): Promise<ContactSnapshot> => {
    const [topics, segments] = await Promise.all([platform.listTopics(options), platform.listSegments(options)])
    return {
      ...snapshot,
      topics: snapshot.topics.filter(({ id }) => topics.some((topic) => topic.id === id)),
      segments: snapshot.segments.filter((id) => segments.some((segment) => segment.id === id)),
    }
  }

  /** Recreates a deleted contact. If the address has a contact again by now, uses that one and leaves it unchanged. */
  const restore = async (
    contactId: string,
    snapshot: ContactSnapshot,
    options: CallOptions,
  ): Promise<ChangeResponse> => {
    const there = await catchMissing(platform.getContact(snapshot.email, options))
    const make = async () => {
      try {
        return await platform.createContact(snapshot, options)
      } catch (thrown) {
        if (!isNotFound(thrown)) throw thrown
        return platform.createContact(await withoutLost(snapshot, options), options)
      }
    }
    const contact = there ?? (await make())
    return {
      id: contact.id,
      store: storing(() => {
        storeContact(cache(), contact, there === null ? snapshot.madeBy : null)
        if (contact.id === contactId) return
        if (there === null) cache().segments.rename(contactId, contact.id)
        cache().contacts.remove(contactId)
      }),
    }
  }

  const edit = async (contactId: string, change: ContactChange, options: CallOptions): Promise<ChangeResponse> => {
    await platform.updateContact(contactId, change, options)
    return {
      store: storing(() => {
        const kept = cache().contacts.server(contactId)
        if (kept !== undefined) storeContact(cache(), withContactChange(kept.contact, change), null)
      }),
    }
  }

  const setSegment = async (contactId: string, segmentId: string, isIn: boolean, options: CallOptions) => {
    if (isIn) await platform.addToSegment(contactId, segmentId, options)
    else await platform.removeFromSegment(contactId, segmentId, options)
    return {
      store: storing(() => {
        const known = cache()
          .accountLists.get('segments')
          .items.find(({ id }) => id === segmentId)
        cache().segments.put(contactId, { id: segmentId, name: known?.name ?? segmentId }, isIn)
      }),
    }
  }
  return { storing, remove, restore, edit, setSegment }
}

export const createContactEditChangeType = (parts: Parts): ChangeType => {
  const { platform, cache, hub } = parts
  const { storing, remove, restore, edit, setSegment } = createRequests(parts)

  const nameOf = (contactId: string): string => {
    const contact = cache().contacts.get(contactId)
    const name = [contact?.firstName, contact?.lastName].filter((part) => part).join(' ')
    return name === '' ? (contact?.email ?? 'a contact') : name
  }

  return {
    ...editRules,
    serverState: ({ id }) => toContactState(findContactSnapshot(cache(), id)),
    deliver: async ({ id }, changes, signal) => {
      const options = screenOptions(signal)
      const [first] = changes
      if (first === undefined) return { store: () => undefined }
      const { field, wanted } = first
      if (field === EXISTENCE_FIELD)
        return wanted === NOT_EXISTING ? remove(id, options) : restore(id, parseContactSnapshot(wanted), options)
      if (isSegmentField(field)) return setSegment(id, segmentIdOf(field), wanted === 'true', options)
      return edit(id, parseContactChange(changes), options)
    },
    look: async ({ id }, changes, signal) => {
      const options = screenOptions(signal)
      const made = changes.find(
        ({ field, sending }) => field === EXISTENCE_FIELD && sending !== null && sending !== NOT_EXISTING,
      )
      const found = await catchMissing(
        platform.getContact(made === undefined ? id : parseContactSnapshot(made.sending ?? '').email, options),
      )
      const known = cache().contacts.server(id)
      if (found === null) {
        const isBeingDeleted = changes.some(
          ({ field, sending }) => field === EXISTENCE_FIELD && sending === NOT_EXISTING,
        )
        const store = isBeingDeleted ? storing(() => cache().contacts.remove(id)) : () => undefined
        return { state: new Map<string, string>(), store }
      }
      const segments = changes.some(({ field }) => isSegmentField(field))
        ? await catchMissing(platform.listContactSegments(found.id, options))
        : null
      const snapshot = buildContactSnapshot(cache(), found.id, found, known?.madeBy ?? null)
      const state = toContactState(
        segments === null ? snapshot : { ...snapshot, segments: segments.map((segment) => segment.id) },
      )
      const store = storing(() => {
        storeContact(cache(), found, made === undefined ? null : parseContactSnapshot(made.sending ?? '').madeBy)
        if (segments !== null) cache().segments.replaceAll(found.id, segments, 0)
        if (made !== undefined && found.id !== id) {
          cache().segments.rename(id, found.id)
          cache().contacts.remove(id)
        }
      })
      // The contact with this address is the one created.
      return made === undefined
        ? { state, store }
        : { state: new Map([...state, [EXISTENCE_FIELD, made.sending ?? '']]), store, id: found.id }
    },
    findMissing: async ({ id }, changes, signal) => {
      const options = screenOptions(signal)
      // A contact being recreated has no ID to look for.
      if (changes.some(({ field, wanted }) => field === EXISTENCE_FIELD && wanted !== NOT_EXISTING)) return 'change'
      if (await isContactDeleted(platform, id, options)) return 'subject'
      if (!changes.every(({ field }) => isSegmentField(field))) return 'change'
      const segments = await catchMissing(platform.listSegments(options))
      if (segments === null) return 'change'
      return changes.every(({ field }) => segments.some((segment) => segment.id === segmentIdOf(field)))
        ? 'nothing'
        : 'change'
    },
    show: (subjects) => {
      cache().contacts.projected(subjects.map(({ id }) => id))
      hub.contacts()
    },
    describe: ({ id }, [wanted = NOT_EXISTING]) => {
      if (!wanted.startsWith('{'))
        return wanted === NOT_EXISTING ? `deletion of ${nameOf(id)}` : `change to ${nameOf(id)}`
      return `restored contact ${parseContactSnapshot(wanted).email}`
    },
    describeMissing: ({ missing, problem, fields }) => {
      if (missing === 'subject') return 'the platform no longer has this contact.'
      if (problem.code !== 'not_found') return null
      return fields.every(isSegmentField)
        ? 'the platform no longer has this segment.'
        : 'the platform does not support this kind of change.'
    },
    isGone: ({ id }) => {
      if (!cache().contacts.has(id)) return
      cache().contacts.remove(id)
      hub.contacts()
    },
  }
}

export const buildContactEdits = (contactId: string, change: ContactChange): readonly Change[] =>
  [...serializeContactChange(change)].map(([field, wanted]) => ({ ...contactSubject(contactId), field, wanted }))

export const buildSegmentChange = (contactId: string, segmentId: string, isIn: boolean): Change => ({
  ...contactSubject(contactId),
  field: toSegmentField(segmentId),
  wanted: String(isIn),
})

export const buildContactDeletion = (contactId: string): Change => ({
  ...contactSubject(contactId),
  field: EXISTENCE_FIELD,
  wanted: NOT_EXISTING,
})

/** Cancels a deletion, or recreates the contact. */
export const buildContactRestoration = (contactId: string, snapshot: ContactSnapshot): Change => ({
  ...buildContactDeletion(contactId),
  wanted: serializeContactSnapshot(snapshot),
})

/** Pending state of a contact; undefined if only topics are pending. */
export const editOverlay = (
  waiting: readonly WaitingChange[],
):
  | { readonly isBeingDeleted: boolean; readonly snapshot: ContactSnapshot | null; readonly change: ContactChange }
  | undefined => {
  const edits = waiting.filter(editRules.owns)
  if (edits.length === 0) return undefined
  const existence = edits.find(({ field }) => field === EXISTENCE_FIELD)
  const snapshot =
    existence === undefined || existence.wanted === NOT_EXISTING ? null : parseContactSnapshot(existence.wanted)
  const whole = snapshot === null ? null : applyFieldChanges(snapshot, edits)
  return {
    isBeingDeleted: existence?.wanted === NOT_EXISTING,
    snapshot: whole,
    change: whole ?? parseContactChange(edits),
  }
}

/** Pending segments: true to add, false to remove. */
export const buildSegmentOverlay = (waiting: readonly WaitingChange[]): ReadonlyMap<string, boolean> =>
  new Map(
    waiting.flatMap(({ field, wanted }) =>
      isSegmentField(field) ? [[segmentIdOf(field), wanted === 'true'] as const] : [],
    ),
  )
