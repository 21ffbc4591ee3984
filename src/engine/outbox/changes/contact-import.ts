import { z } from 'zod'
import type { ContactChange } from '../../../shared/people.ts'
import { ProblemError } from '../../../shared/result.ts'
import type { FetchedContact } from '../../api/contacts.ts'
import { isNotFound } from '../../api/platform-problem.ts'
import { scheduleContactCrawl } from '../../sync/contact-list.ts'
import { sleep, type Clock } from '../../timing/clock.ts'
import type { Field, UndoableChange } from '../change.ts'
import type { ChangeType } from '../change-type.ts'
import { optionsFor, nullIfMissing, type ChangeParts } from './change-parts.ts'

/** One request of a table import (platform facts 5). Contacts are matched by address, so resending is safe. */
const FIELD = 'contacts'
const KIND = 'contactImport'
const DO = 'do:'
const UNDO = 'undo:'

export const CONTACTS_OF_REQUEST = 500

/** Interval between polls of a running import, in milliseconds, and maximum number of polls. */
const LOOK_MS = 1_000
const MAX_LOOKS = 120

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
  /** Earlier values of what changes; null for a new contact. */
  was: change.nullable(),
})
/** Omitted fields stay as they are. */
export type ImportedContact = Readonly<z.infer<typeof importedContact>>

const some = z.object({
  contacts: z.array(importedContact),
  /** Keys of numeric properties. */
  numbers: z.array(z.string()),
  segmentId: z.string().nullable(),
})
export type SomeContacts = Readonly<z.infer<typeof some>>

const contactsWords = (count: number): string => (count === 1 ? '1 contact' : `${count} contacts`)
const read = (value: string): SomeContacts => some.parse(JSON.parse(value.slice(value.indexOf(':') + 1)))
const turned = (value: string): string =>
  value.startsWith(DO) ? UNDO + value.slice(DO.length) : DO + value.slice(UNDO.length)

/** True if a contact is still as imported; later edits aren't undone. */
const isAsImported = (contact: FetchedContact, { firstName, lastName, unsubscribed, properties }: ImportedContact) =>
  (firstName === undefined || contact.firstName === firstName) &&
  (lastName === undefined || contact.lastName === lastName) &&
  (unsubscribed === undefined || contact.unsubscribed === unsubscribed) &&
  Object.entries(properties ?? {}).every(([key, value]) => contact.properties[key] === value)

export const createContactImports = (
  { platform, cache, hub }: Pick<ChangeParts, 'platform' | 'cache' | 'hub'>,
  clock: Pick<Clock, 'after'>,
): ChangeType => {
  type Options = ReturnType<typeof optionsFor>

  const bring = async ({ contacts, numbers, segmentId }: SomeContacts, options: Options): Promise<void> => {
    const importId = await platform.importContacts({ contacts, numbers, segmentId }, options)
    for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
      const { state, failed } = await platform.getContactImport(importId, options)
      if (state === 'failed' || failed > 0) {
        scheduleContactCrawl(cache())
        const addresses = contacts.map(({ email }) => email)
        throw new ProblemError({
          code: 'refused',
          message: `The platform did not fully accept the import of ${contactsWords(contacts.length)} (${addresses[0] ?? ''} to ${addresses.at(-1) ?? ''}).`,
        })
      }
      if (state === 'completed') return
      await sleep(clock, LOOK_MS, options.signal)
    }
  }

  const takeBack = async (imported: ImportedContact, options: Options): Promise<void> => {
    const { email, was } = imported
    const there = await nullIfMissing(platform.getContact(email, options))
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
    // Undoing an unsent import leaves nothing to send.
    fold: (waiting, next) => {
      const before = waiting.get(next.field)
      if (before?.sending === null && before.wanted === turned(next.wanted)) return [{ target: next, change: null }]
      return [{ target: next, change: { ...next, sending: before?.sending ?? null } }]
    },
    batch: (first) => [first],
    inverse: ({ after }) => turned(after),
    // The platform doesn't report what it imported.
    serverState: () => new Map(),
    deliver: async (_subject, changes, signal) => {
      const options = optionsFor(changes, signal)
      const store = (): void => {
        scheduleContactCrawl(cache())
        hub.contacts()
      }
      for (const { wanted } of changes) {
        const part = read(wanted)
        if (wanted.startsWith(DO)) await bring(part, options)
        else for (const contact of part.contacts) await takeBack(contact, options)
      }
      return { store }
    },
    // Repeating an import changes nothing more, so just resend it.
    look: () => Promise.resolve(null),
    findMissing: () => Promise.resolve('change'),
    describe: (_subject, [wanted = '']) =>
      wanted === '' ? 'import of contacts' : `import of ${contactsWords(read(wanted).contacts.length)}`,
    describeMissing: ({ problem }) =>
      problem.code === 'not_found' ? 'the platform does not support contact imports.' : null,
    isGone: () => undefined,
  }
}

/** @param importId shared by all parts of a table @param part counted from 0 */
export const contactsImported = (importId: string, part: number, contacts: SomeContacts): UndoableChange => ({
  ...({ kind: KIND, scope: importId, id: String(part), field: FIELD } satisfies Field),
  before: '',
  after: DO + JSON.stringify(contacts),
})
