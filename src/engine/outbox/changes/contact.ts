import { withContactChange, type NewContact } from '../../api/contacts.ts'
import { isNotFound } from '../../api/platform-problem.ts'
import { keepContact } from '../../store/keep-contact.ts'
import type { ContactChange } from '../../../shared/people.ts'
import type { Change, Subject, SubjectState, WaitingChange } from '../change.ts'
import type { Answer, ChangeRules, ChangeType } from '../change-type.ts'
import { asScreen, unlessGone, type ChangeParts } from './change-parts.ts'

/**
 * Whether somebody is a contact, by their address (`canonicalAddress`): an ID is not known before the platform has given
 * one. The value is `NONE`, what they were added as, or `FOUND` for a contact that this computer did not make: what is not
 * of our making is not taken back, as the platform gives an address that it has the contact of it (platform facts 5).
 */
const FIELD = 'contact'
const NONE = ''
const FOUND = 'found'

/** Somebody as they are added. `no` tells one addition from another of the same words. */
export type AddedContact = Pick<
  NewContact,
  'email' | 'firstName' | 'lastName' | 'unsubscribed' | 'properties' | 'segments'
>

const read = (text: string): AddedContact & { readonly no?: string } =>
  JSON.parse(text) as AddedContact & { readonly no?: string }

/** What makes one that was added as the first into the second: its segments are changed one by one once it is there. */
const difference = (was: AddedContact, is: AddedContact): ContactChange => {
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
export const personSubject = (address: string): Subject => ({ kind: KIND, scope: '', id: address })
export const isPerson = ({ kind }: Subject): boolean => kind === KIND

const contactRules: ChangeRules = {
  owns: (field) => isPerson(field) && field.field === FIELD,
  valueIn: (state, field) => state.get(field) ?? NONE,
  together: (first) => [first],
  inverse: ({ before }) => before,
}

export const createContactChanges = ({
  platform,
  cache,
  hub,
}: Pick<ChangeParts, 'platform' | 'cache' | 'hub'>): ChangeType => {
  const keeping = (write: () => void) => (): void => {
    write()
    hub.contacts()
  }
  const stateHere = (address: string): SubjectState => {
    const known = cache().contacts.byAddress(address)
    return new Map(known === undefined ? [] : [[FIELD, known.madeBy ?? FOUND]])
  }

  /** Whoever is a contact already stays as they are. */
  const add = async (address: string, change: WaitingChange, signal: AbortSignal): Promise<Answer> => {
    const added = read(change.wanted)
    const known = cache().contacts.byAddress(address)
    const madeBy = known?.madeBy ?? null
    const before = madeBy === null ? null : read(madeBy)
    if (known !== undefined && before !== null && before.no === added.no) {
      // It was edited while it was on its way.
      const { id } = known.contact
      const edit = difference(before, added)
      await platform.updateContact(id, edit, asScreen(signal))
      return {
        keep: keeping(() => {
          const kept = cache().contacts.server(id)
          if (kept !== undefined) keepContact(cache(), withContactChange(kept.contact, edit), change.wanted)
        }),
      }
    }
    const there = await unlessGone(platform.getContact(added.email, asScreen(signal)))
    if (there !== null) return { keep: keeping(() => keepContact(cache(), there, null)) }
    const made = await platform.createContact(added, asScreen(signal))
    return {
      keep: keeping(() => {
        keepContact(cache(), made, change.wanted)
        const names = new Map(
          cache()
            .accountLists.get('segments')
            .items.map(({ id, name }) => [id, name]),
        )
        for (const id of added.segments ?? []) cache().segments.put(made.id, { id, name: names.get(id) ?? id }, true)
      }),
    }
  }

  const remove = async (address: string, signal: AbortSignal): Promise<Answer> => {
    const known = cache().contacts.byAddress(address)
    if (typeof known?.madeBy !== 'string') return { keep: () => undefined }
    const { id } = known.contact
    try {
      await platform.deleteContact(id, asScreen(signal))
    } catch (thrown) {
      if (!isNotFound(thrown)) throw thrown
    }
    return { keep: keeping(() => cache().contacts.remove(id)) }
  }

  return {
    ...contactRules,
    serverState: ({ id }) => stateHere(id),
    deliver: async ({ id }, [change], signal) => {
      if (change === undefined) return { keep: () => undefined }
      return change.wanted === NONE ? remove(id, signal) : add(id, change, signal)
    },
    look: async ({ id }, changes, signal) => {
      const known = cache().contacts.byAddress(id)
      const sending = changes.find((change) => change.sending !== null)?.sending ?? NONE
      const email = known?.contact.email ?? (sending === NONE ? id : read(sending).email)
      const there = await unlessGone(platform.getContact(known?.contact.id ?? email, asScreen(signal)))
      if (there === null) {
        return {
          state: new Map<string, string>(),
          keep: keeping(() => {
            if (known !== undefined) cache().contacts.remove(known.contact.id)
          }),
        }
      }
      // Nobody was there before it was asked for: this is the one.
      const madeBy = known === undefined && sending !== NONE ? sending : (known?.madeBy ?? null)
      return {
        state: new Map([[FIELD, madeBy ?? FOUND]]),
        keep: keeping(() => keepContact(cache(), there, madeBy)),
      }
    },
    // Nothing has to be there before somebody is added: what is refused so is the way of asking.
    inquire: () => Promise.resolve('change'),
    show: (subjects) => {
      if (subjects.some(({ kind }) => kind === 'person')) hub.contacts()
    },
    // What was typed is not lost with it.
    words: ({ id }, [wanted = NONE]) => {
      const { firstName, lastName } = wanted === NONE ? { firstName: null, lastName: null } : read(wanted)
      const name = [firstName, lastName].filter((part) => part !== null).join(' ')
      return `new contact ${name === '' ? id : `${name} (${id})`}`
    },
    goneWords: ({ problem }) => (problem.code === 'not_found' ? 'the platform does not offer it.' : null),
    isGone: () => undefined,
  }
}

/** The change that adds somebody. @param no tells it from every other addition */
export const contactAddition = (address: string, added: AddedContact, no: string): Change => ({
  ...personSubject(address),
  field: FIELD,
  wanted: JSON.stringify({ ...added, no }),
})

/** The change that has somebody who waits to be added be added otherwise. @param wanted as they are to be added so far */
export const editedAddition = (address: string, wanted: string, added: AddedContact): Change => ({
  ...personSubject(address),
  field: FIELD,
  wanted: JSON.stringify({ ...read(wanted), ...added }),
})

/** The change that takes somebody off again who waits to be added. */
export const withoutAddition = (address: string): Change => ({ ...personSubject(address), field: FIELD, wanted: NONE })

/** What waits to make somebody a contact; undefined where nothing does. */
export const waitingAddition = (waiting: readonly WaitingChange[]): string | undefined => {
  const wanted = waiting.find(({ field }) => field === FIELD)?.wanted
  return wanted === NONE ? undefined : wanted
}

/**
 * How somebody is seen with what waits of them: who they are to be added as, `null` where they are to be a contact no more,
 * undefined where nothing waits.
 */
export const contactOverlay = (waiting: readonly WaitingChange[]): AddedContact | null | undefined => {
  const change = waiting.find(({ field }) => field === FIELD)
  if (change === undefined) return undefined
  return change.wanted === NONE ? null : read(change.wanted)
}
