import { z } from 'zod'
import type { ContactChange } from '../../../shared/people.ts'
import { ProblemError } from '../../../shared/result.ts'
import type { FetchedContact } from '../../api/contacts.ts'
import { isNotFound } from '../../api/platform-problem.ts'
import { leaveContacts } from '../../sync/contact-list.ts'
import { sleep, type Clock } from '../../timing/clock.ts'
import type { Field, MadeChange } from '../change.ts'
import type { ChangeType } from '../change-type.ts'
import { asNeeded, unlessGone, type ChangeParts } from './change-parts.ts'

/**
 * Some contacts of a table: one request of the platform's own import (platform facts 5), which adds and changes by address, so
 * that the same ones may come twice. The value says whether they are to be imported (`do`) or that is to be undone (`undo`).
 */
const FIELD = 'contacts'
const KIND = 'contactImport'
const DO = 'do:'
const UNDO = 'undo:'

export const CONTACTS_OF_REQUEST = 500

/** Between two looks at an import that the platform works on, milliseconds; it is left alone after so many. */
const LOOK_MS = 1_000
const MOST_LOOKS = 120

const change = z.object({
  firstName: z.string().nullable().optional(),
  lastName: z.string().nullable().optional(),
  unsubscribed: z.boolean().optional(),
  properties: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
})
const importedContact = change.extend({
  email: z.string(),
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  properties: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  /** What it was before, of what is changed; null for somebody who is new. */
  was: change.nullable(),
})
/** Somebody who is imported: what is left out stays as it is. */
export type ImportedContact = Readonly<z.infer<typeof importedContact>>

const some = z.object({
  contacts: z.array(importedContact),
  /** Keys of properties that take numbers. */
  numbers: z.array(z.string()),
  /** The segment that all of them are put into; null for none. */
  segmentId: z.string().nullable(),
})
export type SomeContacts = Readonly<z.infer<typeof some>>

const contactsWords = (count: number): string => (count === 1 ? '1 contact' : `${count} contacts`)
const read = (value: string): SomeContacts => some.parse(JSON.parse(value.slice(value.indexOf(':') + 1)))
const turned = (value: string): string =>
  value.startsWith(DO) ? UNDO + value.slice(DO.length) : DO + value.slice(UNDO.length)

/** Whether a contact is as the import has left it: what was changed since is not taken back. */
const isAsImported = (contact: FetchedContact, { firstName, lastName, unsubscribed, properties }: ImportedContact) =>
  (firstName === undefined || contact.firstName === firstName) &&
  (lastName === undefined || contact.lastName === lastName) &&
  (unsubscribed === undefined || contact.unsubscribed === unsubscribed) &&
  Object.entries(properties ?? {}).every(([key, value]) => contact.properties[key] === value)

export const createContactImports = (
  { platform, cache, hub }: Pick<ChangeParts, 'platform' | 'cache' | 'hub'>,
  clock: Pick<Clock, 'after'>,
): ChangeType => {
  type Options = ReturnType<typeof asNeeded>

  const bring = async ({ contacts, numbers, segmentId }: SomeContacts, options: Options): Promise<void> => {
    const importId = await platform.importContacts({ contacts, numbers, segmentId }, options)
    for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
      const { state, failed } = await platform.getContactImport(importId, options)
      if (state === 'failed' || failed > 0) {
        leaveContacts(cache())
        const addresses = contacts.map(({ email }) => email)
        throw new ProblemError({
          code: 'refused',
          message: `The platform did not take all of ${contactsWords(contacts.length)}, from ${addresses[0] ?? ''} to ${addresses.at(-1) ?? ''}.`,
        })
      }
      if (state === 'completed') return
      await sleep(clock, LOOK_MS, options.signal)
    }
  }

  const takeBack = async (imported: ImportedContact, options: Options): Promise<void> => {
    const { email, was } = imported
    const there = await unlessGone(platform.getContact(email, options))
    if (there === null || !isAsImported(there, imported)) return
    try {
      if (was === null) await platform.deleteContact(there.id, options)
      else await platform.updateContact(there.id, was satisfies ContactChange, options)
    } catch (thrown) {
      if (!isNotFound(thrown)) throw thrown
    }
  }

  return {
    owns: ({ kind, field }) => kind === KIND && field === FIELD,
    valueIn: (state, field) => state.get(field),
    // Of what was not sent nothing is left when it is undone.
    fold: (waiting, next) => {
      const before = waiting.get(next.field)
      if (before?.sending === null && before.wanted === turned(next.wanted)) return [{ target: next, change: null }]
      return [{ target: next, change: { ...next, sending: before?.sending ?? null } }]
    },
    together: (first) => [first],
    inverse: ({ after }) => turned(after),
    // The platform does not say what it has imported.
    serverState: () => new Map(),
    deliver: async (_subject, changes, signal) => {
      const options = asNeeded(changes, signal)
      const keep = (): void => {
        leaveContacts(cache())
        hub.contacts()
      }
      for (const { wanted } of changes) {
        const part = read(wanted)
        if (wanted.startsWith(DO)) await bring(part, options)
        else for (const contact of part.contacts) await takeBack(contact, options)
      }
      return { keep }
    },
    // What comes twice changes nothing more: it is asked again.
    look: () => Promise.resolve(null),
    inquire: () => Promise.resolve('change'),
    words: (_subject, [wanted = '']) =>
      wanted === '' ? 'import of contacts' : `import of ${contactsWords(read(wanted).contacts.length)}`,
    goneWords: ({ problem }) => (problem.code === 'not_found' ? 'the platform does not offer it.' : null),
    isGone: () => undefined,
  }
}

/** The change that imports some contacts. @param importId of all that come from one table @param part counted from 0 */
export const contactsImported = (importId: string, part: number, contacts: SomeContacts): MadeChange => ({
  ...({ kind: KIND, scope: importId, id: String(part), field: FIELD } satisfies Field),
  before: '',
  after: DO + JSON.stringify(contacts),
})
