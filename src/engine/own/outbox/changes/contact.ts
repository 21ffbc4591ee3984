import { withContactChange, type NewContact } from '../../../platform/resources/contacts.ts'
import { isNotFound } from '../../../platform/platform-problem.ts'
import { storeContact } from '../../../store/contact-crawl.ts'
import type { ContactChange } from '../../../../shared/people.ts'
import type { Change, ChangeSubject, SubjectState, WaitingChange } from '../change.ts'
import type { ChangeResponse, ChangeTypeRules, ChangeType } from '../change-type.ts'
import { screenOptions, catchMissing, type ChangeDependencies } from './change-dependencies.ts'

/**
 * A contact by address (`canonicalizeAddress`), as its ID isn't known yet. The value is `NONE`, the data it was added
 * with, or `FOUND` if it wasn't created here. Undo never deletes a contact that was only found: adding an existing
 * address returns its contact (platform.md 18.4).
 */
const FIELD = 'contact'
const NONE = ''
const FOUND = 'found'

/** Data of a contact to add. The `no` stored with it tells additions with the same data apart. */
export type AddedContact = Pick<
  NewContact,
  'email' | 'firstName' | 'lastName' | 'unsubscribed' | 'properties' | 'segments'
>

const parseContact = (text: string): AddedContact & { readonly no?: string } =>
  JSON.parse(text) as AddedContact & { readonly no?: string }

/** The edit that turns `was` into `is`. Segments are changed one by one once the contact exists. */
const diffContacts = (was: AddedContact, is: AddedContact): ContactChange => {
  const keys = new Set([...Object.keys(was.properties ?? {}), ...Object.keys(is.properties ?? {})])
  const changed = [...keys].filter((key) => was.properties?.[key] !== is.properties?.[key])
  return {
    ...(was.firstName !== is.firstName && { firstName: is.firstName }),
    ...(was.lastName !== is.lastName && { lastName: is.lastName }),
    ...((was.unsubscribed ?? false) !== (is.unsubscribed ?? false) && { unsubscribed: is.unsubscribed ?? false }),
    ...(changed.length > 0 && {
      properties: Object.fromEntries(changed.map((key) => [key, is.properties?.[key] ?? null])),
    }),
  }
}

const KIND = 'person'
export const personSubject = (address: string): ChangeSubject => ({ kind: KIND, scope: '', id: address })
export const isPerson = ({ kind }: ChangeSubject): boolean => kind === KIND

const contactRules: ChangeTypeRules = {
  kind: KIND,
  owns: (field) => isPerson(field) && field.field === FIELD,
  valueIn: (state, field) => state.get(field) ?? NONE,
  batch: (first) => [first],
  inverse: ({ before }) => before,
}

export const createContactChangeType = ({
  platform,
  cache,
  hub,
}: Pick<ChangeDependencies, 'platform' | 'cache' | 'hub'>): ChangeType => {
  const storing = (write: () => void) => (): void => {
    write()
    hub.contacts()
  }
  const stateHere = (address: string): SubjectState => {
    const known = cache().contacts.byAddress(address)
    return new Map(known === undefined ? [] : [[FIELD, known.madeBy ?? FOUND]])
  }

  /** Leaves an existing contact as it is. */
  const add = async (address: string, change: WaitingChange, signal: AbortSignal): Promise<ChangeResponse> => {
    const added = parseContact(change.wanted)
    const known = cache().contacts.byAddress(address)
    const madeBy = known?.madeBy ?? null
    const before = madeBy === null ? null : parseContact(madeBy)
    if (known !== undefined && before !== null && before.no === added.no) {
      // The addition was edited while it was in flight.
      const { id } = known.contact
      const edit = diffContacts(before, added)
      await platform.updateContact(id, edit, screenOptions(signal))
      return {
        store: storing(() => {
          const kept = cache().contacts.server(id)
          if (kept !== undefined) storeContact(cache(), withContactChange(kept.contact, edit), change.wanted)
        }),
      }
    }
    const there = await catchMissing(platform.getContact(added.email, screenOptions(signal)))
    if (there !== null) return { store: storing(() => storeContact(cache(), there, null)) }
    const made = await platform.createContact(added, screenOptions(signal))
    return {
      store: storing(() => {
        storeContact(cache(), made, change.wanted)
        const names = new Map(
          cache()
            .accountLists.get('segments')
            .items.map(({ id, name }) => [id, name]),
        )
        for (const id of added.segments ?? []) cache().segments.put(made.id, { id, name: names.get(id) ?? id }, true)
      }),
    }
  }

  const remove = async (address: string, signal: AbortSignal): Promise<ChangeResponse> => {
    const known = cache().contacts.byAddress(address)
    if (typeof known?.madeBy !== 'string') return { store: () => undefined }
    const { id } = known.contact
    try {
      await platform.deleteContact(id, screenOptions(signal))
    } catch (thrown) {
      if (!isNotFound(thrown)) throw thrown
    }
    return { store: storing(() => cache().contacts.remove(id)) }
  }

  return {
    ...contactRules,
    serverState: ({ id }) => stateHere(id),
    deliver: async ({ id }, [change], signal) => {
      if (change === undefined) return { store: () => undefined }
      return change.wanted === NONE ? remove(id, signal) : add(id, change, signal)
    },
    look: async ({ id }, changes, signal) => {
      const known = cache().contacts.byAddress(id)
      const sending = changes.find((change) => change.sending !== null)?.sending ?? NONE
      const email = known?.contact.email ?? (sending === NONE ? id : parseContact(sending).email)
      const there = await catchMissing(platform.getContact(known?.contact.id ?? email, screenOptions(signal)))
      if (there === null) {
        return {
          state: new Map<string, string>(),
          store: storing(() => {
            if (known !== undefined) cache().contacts.remove(known.contact.id)
          }),
        }
      }
      // There was no such contact before the request, so this is the one it created.
      const madeBy = known === undefined && sending !== NONE ? sending : (known?.madeBy ?? null)
      return {
        state: new Map([[FIELD, madeBy ?? FOUND]]),
        store: storing(() => storeContact(cache(), there, madeBy)),
      }
    },
    // Adding requires nothing, so a not-found response means the operation itself is missing.
    findMissing: () => Promise.resolve('change'),
    show: () => hub.contacts(),
    // The text includes what the user typed, so that a rejection doesn't lose it.
    describe: ({ id }, [wanted = NONE]) => {
      const { firstName, lastName } = wanted === NONE ? { firstName: null, lastName: null } : parseContact(wanted)
      const name = [firstName, lastName].filter((part) => part !== null).join(' ')
      return `new contact ${name === '' ? id : `${name} (${id})`}`
    },
    describeMissing: ({ problem }) =>
      problem.code === 'not_found' ? 'the platform does not support this kind of change.' : null,
    isGone: () => undefined,
  }
}

/** @param no unique among additions */
export const buildContactAddition = (address: string, added: AddedContact, no: string): Change => ({
  ...personSubject(address),
  field: FIELD,
  wanted: JSON.stringify({ ...added, no }),
})

/** Edits a pending addition. @param wanted its current value */
export const editContactAddition = (address: string, wanted: string, added: AddedContact): Change => ({
  ...personSubject(address),
  field: FIELD,
  wanted: JSON.stringify({ ...parseContact(wanted), ...added }),
})

export const cancelContactAddition = (address: string): Change => ({
  ...personSubject(address),
  field: FIELD,
  wanted: NONE,
})

export const findPendingAddition = (waiting: readonly WaitingChange[]): string | undefined => {
  const wanted = waiting.find(({ field }) => field === FIELD)?.wanted
  return wanted === NONE ? undefined : wanted
}

/** Pending state of a contact: data to add, null to be removed, undefined for no change. */
export const buildContactOverlay = (waiting: readonly WaitingChange[]): AddedContact | null | undefined => {
  const change = waiting.find(({ field }) => field === FIELD)
  if (change === undefined) return undefined
  return change.wanted === NONE ? null : parseContact(change.wanted)
}
