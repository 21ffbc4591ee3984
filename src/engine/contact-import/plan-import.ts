import { propertyOf, type BadLine, type ColumnTarget, type PlannedContact } from '../../shared/contact-import.ts'
import { partsOfName } from '../../shared/parts-of-name.ts'
import type { Contact, PropertyValue } from '../../shared/people.ts'
import { cleanAddress, isAddress } from '../../shared/recipients.ts'
import { withoutGuard } from '../export/contact-table.ts'
import type { ImportedContact } from '../outbox/changes/contact-import.ts'
import { canonicalAddress } from '../store/canonical-address.ts'
import { createBreathing } from '../timing/turns.ts'
import type { ReadTable, TableRow } from './read-table.ts'

/** How a person wants a table to be read. */
export interface Reading {
  readonly targets: readonly ColumnTarget[]
  /** True if the table may subscribe people again who unsubscribed. */
  readonly mayResubscribe: boolean
  /** The account's properties: key and type. */
  readonly properties: ReadonlyMap<string, string>
}

interface Fields {
  readonly firstName?: string
  readonly lastName?: string
  readonly unsubscribed?: boolean
  readonly properties?: Readonly<Record<string, string | number>>
}

/** Somebody as a table has them. */
interface Read extends Fields {
  readonly email: string
}

/** A line that cannot be read, said in a sentence. */
class Unreadable extends Error {}

const YES = /^(?:true|yes|y|1|x|ja|oui|si|sí)$/i
const NO = /^(?:false|no|n|0|nein|non)$/i
/** Mail services' words for somebody who gets no mail, and somebody who does. */
const OUT =
  /^(?:unsubscribed|opt(?:ed)?[ _-]?out|un[ _-]?subscribe|cleaned|bounced|complained|complaint|spam|suppressed|blocked|inactive|removed|never[ _-]subscribed|not[ _-]subscribed|non[ _-]?subscribed)$/i
const IN = /^(?:subscribed|opt(?:ed)?[ _-]?in|active|confirmed|enabled)$/i
/** When somebody unsubscribed. */
const A_DATE = /^\d{4}-\d{1,2}-\d{1,2}(?:[T ].*)?$|^\d{1,2}[./]\d{1,2}[./]\d{2,4}(?: .*)?$/

/** A long cell is no name, and no more of it is shown. */
const LONGEST_SHOWN = 40
const quoted = (cell: string): string => `“${cell.length > LONGEST_SHOWN ? `${cell.slice(0, LONGEST_SHOWN)}…` : cell}”`

const readAddress = (cell: string): string => {
  const address = cleanAddress(/<([^<>]+)>$/.exec(cell)?.[1] ?? cell)
  if (address === '') throw new Unreadable('It has no e-mail address.')
  // A domain without a dot is nobody's on the internet: mostly it is half of one.
  if (!isAddress(address) || !/\.[^.]+$/.test(address.slice(address.lastIndexOf('@')))) {
    throw new Unreadable(`${quoted(cell)} is not an e-mail address.`)
  }
  return address
}

/** @returns true for somebody who unsubscribed */
const readUnsubscribed = (cell: string, heading: string, target: 'subscribed' | 'unsubscribed'): boolean => {
  if (OUT.test(cell)) return true
  if (IN.test(cell)) return false
  const isYes = YES.test(cell) || A_DATE.test(cell)
  if (!isYes && !NO.test(cell)) throw new Unreadable(`${quoted(cell)} in “${heading}” is neither yes nor no.`)
  return isYes === (target === 'unsubscribed')
}

const readProperty = (cell: string, type: string | undefined, heading: string): string | number => {
  if (type !== 'number') return cell
  const number = Number(cell)
  if (!Number.isFinite(number)) throw new Unreadable(`${quoted(cell)} in “${heading}” is not a number.`)
  return number
}

/** Reads a line. Empty cells say nothing. @throws Unreadable */
const readRow = ({ cells }: TableRow, heading: readonly string[], { targets, properties }: Reading): Read => {
  if (cells.slice(heading.length).some((cell) => cell !== '')) {
    throw new Unreadable(`It has ${cells.length} cells, and the first line ${heading.length}.`)
  }
  const said: { -readonly [Key in keyof Read]?: Read[Key] } = {}
  const values: Record<string, string | number> = {}
  for (const [column, target] of targets.entries()) {
    const [cell, head] = [withoutGuard(cells[column] ?? '').trim(), heading[column] ?? '']
    const key = propertyOf(target)
    if (target === 'email') said.email = readAddress(cell)
    else if (cell === '' || target === 'nothing') continue
    else if (key !== null) values[key] = readProperty(cell, properties.get(key), head)
    else if (target === 'unsubscribed' || target === 'subscribed') {
      said.unsubscribed = said.unsubscribed === true || readUnsubscribed(cell, head, target)
    } else if (target === 'name') {
      const { firstName, lastName } = partsOfName(cell)
      if (firstName !== null) said.firstName ??= firstName
      if (lastName !== null) said.lastName ??= lastName
    } else if (target === 'firstName' || target === 'lastName') said[target] = cell
  }
  const { email = readAddress('') } = said
  return { ...said, email, ...(Object.keys(values).length > 0 && { properties: values }) }
}

const shown = (value: PropertyValue | undefined): string => String(value ?? '')

/** The change that an import makes to one contact: the fields that differ; null if none does. */
const differing = (
  read: Read,
  known: Contact | null,
  mayResubscribe: boolean,
): { readonly imported: ImportedContact; readonly planned: PlannedContact } | null => {
  const { email } = read
  const { firstName = null, lastName = null, unsubscribed = false, properties: had = {} } = known ?? {}
  const properties = Object.entries(read.properties ?? {}).filter(([key, value]) => had[key] !== value)
  const isSwitched =
    read.unsubscribed !== undefined && read.unsubscribed !== unsubscribed && (read.unsubscribed || mayResubscribe)
  const change = {
    ...(read.firstName !== undefined && read.firstName !== firstName && { firstName: read.firstName }),
    ...(read.lastName !== undefined && read.lastName !== lastName && { lastName: read.lastName }),
    ...(isSwitched && { unsubscribed: read.unsubscribed }),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
  }
  if (known !== null && Object.keys(change).length === 0) return null
  const was = known && {
    ...(change.firstName !== undefined && { firstName }),
    ...(change.lastName !== undefined && { lastName }),
    ...(isSwitched && { unsubscribed }),
    ...(properties.length > 0 && {
      properties: Object.fromEntries(properties.map(([key]) => [key, had[key] ?? null])),
    }),
  }
  const fields = [
    ...(change.firstName === undefined ? [] : [['First name', firstName, change.firstName] as const]),
    ...(change.lastName === undefined ? [] : [['Last name', lastName, change.lastName] as const]),
    ...(isSwitched ? [['Unsubscribed', unsubscribed ? 'yes' : 'no', unsubscribed ? 'no' : 'yes'] as const] : []),
    ...properties.map(([key, value]) => [key, had[key], value] as const),
  ].map(([name, before, after]) => ({ name, before: shown(before), after: shown(after) }))
  return {
    imported: { email: known?.email ?? email, ...change, was },
    planned: { address: email, isNew: known === null, fields },
  }
}

/** All that an import would do, whole. */
export interface WholePlan {
  readonly contacts: readonly ImportedContact[]
  readonly planned: readonly PlannedContact[]
  readonly same: number
  readonly repeated: number
  readonly leftUnsubscribed: number
  readonly bad: readonly BadLine[]
}

/**
 * Compares a table with the contacts that are known here. Lines of one address add up: the last value counts, but who
 * unsubscribed in any line stays so.
 * @param known the contact with an address (`canonicalAddress`); null for one who is none
 */
export const planImport = async (
  { heading, rows, broken }: ReadTable,
  reading: Reading,
  known: (address: string) => Contact | null,
): Promise<WholePlan> => {
  const breathe = createBreathing()
  const people = new Map<string, Read>()
  const bad: BadLine[] = [...broken]
  let repeated = 0
  for (const row of rows) {
    await breathe()
    try {
      const read = readRow(row, heading, reading)
      const address = canonicalAddress(read.email)
      const before = people.get(address)
      if (before !== undefined) repeated += 1
      const properties = { ...before?.properties, ...read.properties }
      const email = before?.email ?? read.email
      people.set(address, {
        ...{ ...before, ...read, email },
        ...(before?.unsubscribed === true && { unsubscribed: true }),
        ...(Object.keys(properties).length > 0 && { properties }),
      })
    } catch (thrown) {
      if (!(thrown instanceof Unreadable)) throw thrown
      bad.push({ line: row.line, why: thrown.message })
    }
  }
  const contacts: ImportedContact[] = []
  const planned: PlannedContact[] = []
  let [same, leftUnsubscribed] = [0, 0]
  for (const [address, read] of people) {
    await breathe()
    const there = known(address)
    if (there?.unsubscribed === true && read.unsubscribed === false && !reading.mayResubscribe) leftUnsubscribed += 1
    const differs = differing(read, there, reading.mayResubscribe)
    if (differs === null) same += 1
    else {
      contacts.push(differs.imported)
      planned.push(differs.planned)
    }
  }
  bad.sort((one, other) => one.line - other.line)
  return { contacts, planned, same, repeated, leftUnsubscribed, bad }
}
