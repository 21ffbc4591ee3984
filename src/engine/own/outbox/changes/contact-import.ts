import { randomUUID } from 'node:crypto'
import type { ContactChange } from '../../../../shared/people.ts'
import { createProblem } from '../../../../shared/result.ts'
import type { FetchedContact } from '../../../platform/resources/contacts.ts'
import { catchMissing, isNotFound } from '../../../platform/platform-problem.ts'
import { scheduleContactCrawl } from '../../../store/contact-crawl.ts'
import { sleep, type Clock } from '../../../timing/clock.ts'
import type { ChangeRequest } from '../change.ts'
import { COMMON_RULES, describeMissing, type ChangeType } from '../change-type.ts'
import { getEmptyValue, toContactFields } from './contact-fields.ts'
import { callOptionsFor, type ChangeDependencies } from './change-dependencies.ts'

/** One request of a table import (platform.md 18.7). Contacts are matched by address, so resending is safe. */
const FIELD = 'contacts'
const KIND = 'contactImport'
const DO = 'do:'
const UNDO = 'undo:'

const CONTACTS_PER_REQUEST = 500

/** Interval between polls of a running import, in milliseconds, and maximum number of polls. */
const POLL_INTERVAL_MS = 1_000
const MAX_POLLS = 120

/** Omitted fields stay as they are. */
export interface ImportedContact extends ContactChange {
  readonly email: string
  /** Earlier values of what changes; null for a new contact. */
  readonly was: ContactChange | null
}

export interface ContactBatch {
  readonly contacts: readonly ImportedContact[]
  /** Keys of numeric properties. */
  readonly numbers: readonly string[]
  readonly segmentId: string | null
}

const formatCount = (count: number): string => (count === 1 ? '1 contact' : `${count} contacts`)
const parseContacts = (value: string): ContactBatch => JSON.parse(value.slice(value.indexOf(':') + 1)) as ContactBatch
const invert = (value: string): string =>
  value.startsWith(DO) ? UNDO + value.slice(DO.length) : DO + value.slice(UNDO.length)

/** True if a contact is still as imported; later edits aren't undone. */
const isAsImported = (contact: FetchedContact, imported: ImportedContact): boolean => {
  const fields = toContactFields(contact)
  return Object.entries(toContactFields(imported)).every(
    ([field, value]) => value === (fields[field] ?? getEmptyValue(field)),
  )
}

export const createContactImportChangeType = (
  { platform, cache, hub }: Pick<ChangeDependencies, 'platform' | 'cache' | 'hub'>,
  clock: Pick<Clock, 'after'>,
): ChangeType => {
  type Options = ReturnType<typeof callOptionsFor>

  const bring = async ({ contacts, numbers, segmentId }: ContactBatch, options: Options): Promise<void> => {
    const importId = await platform.importContacts({ contacts, numbers, segmentId }, options)
    for (let looks = 0; looks < MAX_POLLS; looks += 1) {
      const { state, failed } = await platform.getContactImport(importId, options)
      if (state === 'failed' || failed > 0) {
        scheduleContactCrawl(cache)
        const addresses = contacts.map(({ email }) => email)
        throw createProblem(
          'refused',
          `The platform did not fully accept the import of ${formatCount(contacts.length)} (${addresses[0] ?? ''} to ${addresses.at(-1) ?? ''}).`,
        )
      }
      if (state === 'completed') return
      await sleep(clock, POLL_INTERVAL_MS, options.signal)
    }
  }

  const takeBack = async (imported: ImportedContact, options: Options): Promise<void> => {
    const { email, was } = imported
    const there = await catchMissing(platform.getContact(email, options))
    if (there === null || !isAsImported(there, imported)) return
    try {
      if (was === null) await platform.deleteContact(there.id, options)
      else await platform.updateContact(there.id, was, options)
    } catch (thrown) {
      if (!isNotFound(thrown)) throw thrown
    }
  }

  return {
    ...COMMON_RULES,
    kind: KIND,
    owns: ({ kind, field }) => kind === KIND && field === FIELD,
    // Undoing an unsent import leaves nothing to send.
    fold: (waiting, next) => {
      const before = waiting.get(next.field)
      if (before?.sending === null && before.wanted === invert(next.wanted)) return [{ target: next, change: null }]
      return [{ target: next, change: { ...next, sending: before?.sending ?? null } }]
    },
    inverse: ({ after }) => invert(after),
    // The platform doesn't report what it imported.
    serverState: () => new Map(),
    deliver: async (_subject, changes, signal) => {
      const options = callOptionsFor(changes, signal)
      const store = (): void => {
        scheduleContactCrawl(cache)
        hub.contacts()
      }
      for (const { wanted } of changes) {
        const part = parseContacts(wanted)
        if (wanted.startsWith(DO)) await bring(part, options)
        else for (const contact of part.contacts) await takeBack(contact, options)
      }
      return { store }
    },
    // Repeating an import changes nothing more, so just resend it.
    look: () => Promise.resolve(null),
    findMissing: () => Promise.resolve('change'),
    describe: (_subject, [wanted = '']) =>
      wanted === '' ? 'import of contacts' : `import of ${formatCount(parseContacts(wanted).contacts.length)}`,
    describeMissing: describeMissing(
      'the platform no longer has these contacts.',
      'the platform does not support contact imports.',
    ),
  }
}

export const buildContactImportChanges = (
  contacts: readonly ImportedContact[],
  about: Omit<ContactBatch, 'contacts'>,
): readonly ChangeRequest[] => {
  const scope = randomUUID()
  return Array.from({ length: Math.ceil(contacts.length / CONTACTS_PER_REQUEST) }, (_, part): ChangeRequest => {
    const some = contacts.slice(part * CONTACTS_PER_REQUEST, (part + 1) * CONTACTS_PER_REQUEST)
    const batch: ContactBatch = { contacts: some, ...about }
    return { kind: KIND, scope, id: String(part), field: FIELD, before: '', wanted: DO + JSON.stringify(batch) }
  })
}
