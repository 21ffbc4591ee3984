import type { CallOptions } from '../../api/requests.ts'
import { withContactChange } from '../../api/contacts.ts'
import { isNotFound } from '../../api/platform-problem.ts'
import { isContactDeleted } from '../../contact-deleted.ts'
import { storeContact } from '../../store/store-contact.ts'
import type { ContactChange } from '../../../shared/people.ts'
import { subjectOf, type Change, type ChangeWrite, type WaitingChange } from '../change.ts'
import type { Answer, ChangeRules, ChangeType } from '../change-type.ts'
import { lastWins } from '../waiting-changes.ts'
import { screenOptions, nullIfMissing, type ChangeParts } from './change-parts.ts'
import {
  changeOf,
  emptyValue,
  EXISTENCE,
  fieldsOf,
  isContactField,
  isSegmentField,
  NONE,
  readSnapshot,
  segmentField,
  segmentIdOf,
  snapshotFrom,
  snapshotOf,
  snapshotWith,
  stateOf,
  textOfSnapshot,
  textsOf,
  type ContactSnapshot,
} from './contact-snapshot.ts'
import { contactSubject } from './topic.ts'

const isUnsent = (change: WaitingChange | undefined): boolean => change?.sending === null
const isEdit = ({ field }: Pick<Change, 'field'>): boolean => field !== EXISTENCE && !isSegmentField(field)
const drop = (change: WaitingChange): ChangeWrite => ({ target: change, change: null })

type Fold = NonNullable<ChangeRules['fold']>

/** A deletion cancels the contact's other pending changes. */
const foldDeletion: Fold = (waiting, next, server) => {
  const existence = waiting.get(EXISTENCE)
  const dropped = [...waiting.values()]
    .filter(({ field }) => field !== EXISTENCE)
    // Wait for changes in flight, but send nothing after them.
    .map((change) =>
      change.sending === null ? drop(change) : { target: change, change: { ...change, wanted: change.sending } },
    )
  if ((existence === undefined || isUnsent(existence)) && !server.has(EXISTENCE)) {
    return [...dropped, ...(existence === undefined ? [] : [drop(existence)])]
  }
  const wanted = { ...subjectOf(next), field: EXISTENCE, wanted: NONE, sending: existence?.sending ?? null }
  return [...dropped, { target: next, change: wanted }]
}

/** Recreates a deleted contact, or cancels its deletion. */
const foldReturn: Fold = (waiting, next, server) => {
  const existence = waiting.get(EXISTENCE)
  if (!server.has(EXISTENCE) || (existence !== undefined && !isUnsent(existence))) {
    return [{ target: next, change: { ...next, sending: existence?.sending ?? null } }]
  }
  // The platform still has the contact, so only restore the changes that the deletion dropped.
  const wanted = fieldsOf(readSnapshot(next.wanted))
  const fields = new Set([...wanted.keys(), ...server.keys()])
  return [
    ...(existence === undefined ? [] : [drop(existence)]),
    ...[...fields]
      .filter((field) => field !== EXISTENCE)
      .map((field): ChangeWrite => {
        const target = { ...subjectOf(next), field, wanted: wanted.get(field) ?? emptyValue(field) }
        const there = server.get(field) ?? emptyValue(field)
        return { target, change: lastWins(waiting.get(field), target, there) }
      }),
  ]
}

const editRules: ChangeRules = {
  owns: ({ kind, field }) => kind === contactSubject('').kind && isContactField(field),
  valueIn: (state, field) => {
    if (field === EXISTENCE) return state.get(field) ?? NONE
    // If the contact is unknown, so are its fields.
    return state.get(field) ?? (state.has(EXISTENCE) ? emptyValue(field) : undefined)
  },
  shown: (waiting, field, server) => {
    const change = waiting.get(field)
    if (change !== undefined) return change.wanted
    const existence = waiting.get(EXISTENCE)
    if (existence !== undefined && existence.wanted !== NONE) {
      return fieldsOf(readSnapshot(existence.wanted)).get(field) ?? emptyValue(field)
    }
    const state = server()
    const known = state.get(EXISTENCE)
    if (field !== EXISTENCE) return editRules.valueIn(state, field)
    return known === undefined ? NONE : textOfSnapshot(snapshotWith(readSnapshot(known), [...waiting.values()]))
  },
  fold: (waiting, next, server) => {
    if (next.field === EXISTENCE) {
      return (next.wanted === NONE ? foldDeletion : foldReturn)(waiting, next, server)
    }
    const existence = waiting.get(EXISTENCE)
    if (existence?.wanted === NONE) return [{ target: next, change: null }]
    if (existence === undefined || !isUnsent(existence)) {
      const there = editRules.valueIn(server, next.field)
      return [{ target: next, change: lastWins(waiting.get(next.field), next, there) }]
    }
    // The contact is recreated in its latest form.
    const wanted = textOfSnapshot(snapshotWith(readSnapshot(existence.wanted), [next]))
    return [{ target: existence, change: { ...existence, wanted } }]
  },
  // Creation and deletion are sent first. Each segment is sent alone, all other fields together.
  batch: (first, candidates) => {
    const existence = candidates.find(({ field }) => field === EXISTENCE)
    if (existence !== undefined) return [existence]
    return isEdit(first) ? candidates.filter(isEdit) : [first]
  },
  inverse: ({ before }) => before,
}

type Parts = Pick<ChangeParts, 'platform' | 'cache' | 'hub'>

const createRequests = ({ platform, cache, hub }: Parts) => {
  const storing = (write: () => void) => (): void => {
    write()
    hub.contacts()
  }

  /** A missing contact counts as deleted. */
  const remove = async (contactId: string, options: CallOptions): Promise<Answer> => {
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
  const restore = async (contactId: string, snapshot: ContactSnapshot, options: CallOptions): Promise<Answer> => {
    const there = await nullIfMissing(platform.getContact(snapshot.email, options))
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

  const edit = async (contactId: string, change: ContactChange, options: CallOptions): Promise<Answer> => {
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

export const createEditedContact = (parts: Parts): ChangeType => {
  const { platform, cache, hub } = parts
  const { storing, remove, restore, edit, setSegment } = createRequests(parts)

  const nameOf = (contactId: string): string => {
    const contact = cache().contacts.get(contactId)
    const name = [contact?.firstName, contact?.lastName].filter((part) => part).join(' ')
    return name === '' ? (contact?.email ?? 'a contact') : name
  }

  return {
    ...editRules,
    serverState: ({ id }) => stateOf(snapshotOf(cache(), id)),
    deliver: async ({ id }, changes, signal) => {
      const options = screenOptions(signal)
      const [first] = changes
      if (first === undefined) return { store: () => undefined }
      const { field, wanted } = first
      if (field === EXISTENCE) return wanted === NONE ? remove(id, options) : restore(id, readSnapshot(wanted), options)
      if (isSegmentField(field)) return setSegment(id, segmentIdOf(field), wanted === 'true', options)
      return edit(id, changeOf(changes), options)
    },
    look: async ({ id }, changes, signal) => {
      const options = screenOptions(signal)
      const made = changes.find(({ field, sending }) => field === EXISTENCE && sending !== null && sending !== NONE)
      const found = await nullIfMissing(
        platform.getContact(made === undefined ? id : readSnapshot(made.sending ?? '').email, options),
      )
      const known = cache().contacts.server(id)
      if (found === null) {
        const isBeingDeleted = changes.some(({ field, sending }) => field === EXISTENCE && sending === NONE)
        const store = isBeingDeleted ? storing(() => cache().contacts.remove(id)) : () => undefined
        return { state: new Map<string, string>(), store }
      }
      const segments = changes.some(({ field }) => isSegmentField(field))
        ? await nullIfMissing(platform.listContactSegments(found.id, options))
        : null
      const snapshot = snapshotFrom(cache(), found.id, found, known?.madeBy ?? null)
      const state = stateOf(
        segments === null ? snapshot : { ...snapshot, segments: segments.map((segment) => segment.id) },
      )
      const store = storing(() => {
        storeContact(cache(), found, made === undefined ? null : readSnapshot(made.sending ?? '').madeBy)
        if (segments !== null) cache().segments.replaceAll(found.id, segments, 0)
        if (made !== undefined && found.id !== id) {
          cache().segments.rename(id, found.id)
          cache().contacts.remove(id)
        }
      })
      // The contact with this address is the one created.
      return made === undefined
        ? { state, store }
        : { state: new Map([...state, [EXISTENCE, made.sending ?? '']]), store, id: found.id }
    },
    findMissing: async ({ id }, changes, signal) => {
      const options = screenOptions(signal)
      // A contact being recreated has no ID to look for.
      if (changes.some(({ field, wanted }) => field === EXISTENCE && wanted !== NONE)) return 'change'
      if (await isContactDeleted(platform, id, options)) return 'subject'
      if (!changes.every(({ field }) => isSegmentField(field))) return 'change'
      const segments = await nullIfMissing(platform.listSegments(options))
      if (segments === null) return 'change'
      return changes.every(({ field }) => segments.some((segment) => segment.id === segmentIdOf(field)))
        ? 'nothing'
        : 'change'
    },
    show: (subjects) => {
      const ids = subjects.flatMap(({ kind, id }) => (kind === contactSubject('').kind ? [id] : []))
      if (ids.length === 0) return
      cache().contacts.projected(ids)
      hub.contacts()
    },
    describe: ({ id }, [wanted = NONE]) => {
      if (!wanted.startsWith('{')) return wanted === NONE ? `deletion of ${nameOf(id)}` : `change to ${nameOf(id)}`
      return `restored contact ${readSnapshot(wanted).email}`
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

export const contactEdits = (contactId: string, change: ContactChange): readonly Change[] =>
  [...textsOf(change)].map(([field, wanted]) => ({ ...contactSubject(contactId), field, wanted }))

export const segmentChange = (contactId: string, segmentId: string, isIn: boolean): Change => ({
  ...contactSubject(contactId),
  field: segmentField(segmentId),
  wanted: String(isIn),
})

export const contactDeletion = (contactId: string): Change => ({
  ...contactSubject(contactId),
  field: EXISTENCE,
  wanted: NONE,
})

/** Cancels a deletion, or recreates the contact. */
export const contactReturn = (contactId: string, snapshot: ContactSnapshot): Change => ({
  ...contactDeletion(contactId),
  wanted: textOfSnapshot(snapshot),
})

/** Pending state of a contact; undefined if only topics are pending. */
export const editOverlay = (
  waiting: readonly WaitingChange[],
):
  | { readonly isBeingDeleted: boolean; readonly snapshot: ContactSnapshot | null; readonly change: ContactChange }
  | undefined => {
  const edits = waiting.filter(editRules.owns)
  if (edits.length === 0) return undefined
  const existence = edits.find(({ field }) => field === EXISTENCE)
  const snapshot = existence === undefined || existence.wanted === NONE ? null : readSnapshot(existence.wanted)
  const whole = snapshot === null ? null : snapshotWith(snapshot, edits)
  return { isBeingDeleted: existence?.wanted === NONE, snapshot: whole, change: whole ?? changeOf(edits) }
}

/** Pending segments: true to add, false to remove. */
export const segmentOverlay = (waiting: readonly WaitingChange[]): ReadonlyMap<string, boolean> =>
  new Map(
    waiting.flatMap(({ field, wanted }) =>
      isSegmentField(field) ? [[segmentIdOf(field), wanted === 'true'] as const] : [],
    ),
  )
