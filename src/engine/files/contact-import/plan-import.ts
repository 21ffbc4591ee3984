import {
  propertyKeyOf,
  type ImportLineIssue,
  type ColumnTarget,
  type PlannedContact,
} from '../../../shared/contact-import.ts'
import { type Contact, type PropertyValue, splitPersonName } from '../../../shared/people.ts'
import { cleanAddress, isAddress } from '../../../shared/recipients.ts'
import { removeFormulaGuard } from '../export/contact-table.ts'
import {
  FIRST_NAME,
  getEmptyValue,
  isPropertyField,
  LAST_NAME,
  parseContactChange,
  propertyOf,
  toContactFields,
  UNSUBSCRIBED,
} from '../../own/outbox/changes/contact-fields.ts'
import type { ImportedContact } from '../../own/outbox/changes/contact-import.ts'
import { canonicalizeAddress } from '../../store/canonical-address.ts'
import { createYielder } from '../../timing/turns.ts'
import type { ContactTable, TableRow } from './read-table.ts'

export interface ContactImportOptions {
  readonly targets: readonly ColumnTarget[]
  /** True if the import may resubscribe contacts who have unsubscribed. */
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

interface ParsedRow extends Fields {
  readonly email: string
}

const YES = /^(?:true|yes|y|1|x|ja|oui|si|sí)$/i
const NO = /^(?:false|no|n|0|nein|non)$/i
/** Mail services' words for unsubscribed and subscribed people. */
const UNSUBSCRIBED_PATTERN =
  /^(?:unsubscribed|opt(?:ed)?[ _-]?out|un[ _-]?subscribe|cleaned|bounced|complained|complaint|spam|suppressed|blocked|inactive|removed|never[ _-]subscribed|not[ _-]subscribed|non[ _-]?subscribed)$/i
const SUBSCRIBED_PATTERN = /^(?:subscribed|opt(?:ed)?[ _-]?in|active|confirmed|enabled)$/i
/** Dates. In a consent column, a date means yes. */
const A_DATE = /^\d{4}-\d{1,2}-\d{1,2}(?:[T ].*)?$|^\d{1,2}[./]\d{1,2}[./]\d{2,4}(?: .*)?$/

/** Longer cells are truncated: they aren't names. */
const MAX_SHOWN_LENGTH = 40
const quoted = (cell: string): string =>
  `“${cell.length > MAX_SHOWN_LENGTH ? `${cell.slice(0, MAX_SHOWN_LENGTH)}…` : cell}”`

const parseAddress = (cell: string): string | null => {
  const address = cleanAddress(/<([^<>]+)>$/.exec(cell)?.[1] ?? cell.replace(/^mailto:/i, ''))
  // Internet domains have a dot; others are usually truncated.
  return isAddress(address) && /\.[^.]+$/.test(address.slice(address.lastIndexOf('@'))) ? address : null
}

/** @returns true if unsubscribed; null if unclear */
const parseUnsubscribed = (cell: string, target: 'subscribed' | 'unsubscribed'): boolean | null => {
  if (UNSUBSCRIBED_PATTERN.test(cell)) return true
  if (SUBSCRIBED_PATTERN.test(cell)) return false
  const isYes = YES.test(cell) || A_DATE.test(cell)
  return isYes || NO.test(cell) ? isYes === (target === 'unsubscribed') : null
}

/** Ambiguous numbers, such as `1.234`. */
const AMBIGUOUS_NUMBER = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/

/**
 * Reads a row, ignoring empty cells. @returns `read`, null if the line is skipped (but unsubscriptions are always
 * kept); `why` describes what is skipped
 */
const parseRow = (
  { cells }: TableRow,
  heading: readonly string[],
  { targets, properties }: ContactImportOptions,
  known: (address: string) => Contact | null,
): { readonly read: ParsedRow | null; readonly why: string } => {
  const said: { -readonly [Key in keyof Fields]: Fields[Key] } = {}
  const values: Record<string, string | number> = {}
  const [faults, unclear]: [string[], string[]] = [[], []]
  const cellAt = (column: number): string => removeFormulaGuard(cells[column] ?? '').trim()
  const typed = cellAt(targets.indexOf('email'))
  const email = parseAddress(typed)
  if (email === null)
    faults.push(typed === '' ? 'This line has no email address.' : `${quoted(typed)} is not an email address.`)
  if (cells.slice(heading.length).some((cell) => cell !== '')) {
    faults.push(`This line has ${cells.length} cells, but the first line has ${heading.length}.`)
  }
  for (const [column, target] of targets.entries()) {
    const [cell, head] = [cellAt(column), heading[column] ?? '']
    const key = propertyKeyOf(target)
    if (cell === '' || target === 'nothing') continue
    else if (key !== null && properties.get(key) !== 'number') values[key] = cell
    else if (key !== null && AMBIGUOUS_NUMBER.test(cell)) {
      const ways = [cell.replace(/[.,]/, ''), cell.replace(',', '.')]
      const had = email === null ? null : known(canonicalizeAddress(email))?.properties[key]
      // The cell is the known value, as in Linnet's own export.
      if (ways.some((way) => Number(way) === had)) continue
      unclear.push(
        `${quoted(cell)} in “${head}” is skipped because it could mean ${ways.join(' or ')}. Write ${ways.join(' or ')}0 instead.`,
      )
    } else if (key !== null) {
      values[key] = Number(cell)
      if (!Number.isFinite(values[key])) faults.push(`${quoted(cell)} in “${head}” is not a number.`)
    } else if (target === 'unsubscribed' || target === 'subscribed') {
      const isOut = said.unsubscribed === true || parseUnsubscribed(cell, target)
      said.unsubscribed = isOut === true
      if (isOut === null) faults.push(`${quoted(cell)} in “${head}” is neither yes nor no.`)
    } else if (target === 'name') {
      const { firstName, lastName } = splitPersonName(cell)
      if (firstName !== null) said.firstName ??= firstName
      if (lastName !== null) said.lastName ??= lastName
    } else if (target === 'firstName' || target === 'lastName') said[target] = cell
  }
  const isWhole = faults.length === 0
  const why = (isWhole ? unclear : faults).join(' ')
  if (email === null || (!isWhole && said.unsubscribed !== true)) return { read: null, why }
  return { read: isWhole ? { ...said, email, properties: values } : { email, unsubscribed: true }, why }
}

const NAMES: Readonly<Record<string, string>> = {
  [FIRST_NAME]: 'First name',
  [LAST_NAME]: 'Last name',
  [UNSUBSCRIBED]: 'Unsubscribed',
}

const describeField = (field: string, value: string): string => {
  if (field === UNSUBSCRIBED) return value === 'true' ? 'yes' : 'no'
  return isPropertyField(field) ? String((JSON.parse(value) as PropertyValue) ?? '') : value
}

/** Fields that the import changes for a contact, or null. */
const findDifferences = (
  { email, ...read }: ParsedRow,
  known: Contact | null,
  mayResubscribe: boolean,
): { readonly imported: ImportedContact; readonly planned: PlannedContact } | null => {
  const had = known === null ? {} : toContactFields(known)
  const changes = Object.entries(toContactFields(read)).flatMap(([field, after]) => {
    const before = had[field] ?? getEmptyValue(field)
    const isKept = after === before || (field === UNSUBSCRIBED && after === 'false' && !mayResubscribe)
    return isKept ? [] : [{ field, before, after }]
  })
  if (known !== null && changes.length === 0) return null
  const change = (side: 'before' | 'after') =>
    parseContactChange(Object.fromEntries(changes.map((each) => [each.field, each[side]])))
  return {
    imported: { email: known?.email ?? email, ...change('after'), was: known && change('before') },
    planned: {
      address: email,
      isNew: known === null,
      fields: changes.map(({ field, before, after }) => ({
        name: NAMES[field] ?? propertyOf(field),
        before: describeField(field, before),
        after: describeField(field, after),
      })),
    },
  }
}

export interface ContactImportPlan {
  readonly contacts: readonly ImportedContact[]
  readonly planned: readonly PlannedContact[]
  readonly same: number
  readonly repeated: number
  readonly leftUnsubscribed: number
  readonly bad: readonly ImportLineIssue[]
}

/**
 * Compares a table with local contacts. Lines with the same address are merged: the last value wins, but
 * unsubscriptions stay.
 */
export const planImport = async (
  { heading, rows, broken }: ContactTable,
  options: ContactImportOptions,
  known: (address: string) => Contact | null,
): Promise<ContactImportPlan> => {
  const yieldTurn = createYielder()
  const people = new Map<string, ParsedRow>()
  const bad: ImportLineIssue[] = [...broken]
  let repeated = 0
  for (const row of rows) {
    await yieldTurn()
    const { read, why } = parseRow(row, heading, options, known)
    if (why !== '') bad.push({ line: row.line, why, ...(read !== null && { isPart: true }) })
    if (read === null) continue
    const address = canonicalizeAddress(read.email)
    const before = people.get(address)
    if (before !== undefined) repeated += 1
    people.set(address, {
      ...{ ...before, ...read, email: before?.email ?? read.email },
      ...(before?.unsubscribed === true && { unsubscribed: true }),
      properties: { ...before?.properties, ...read.properties },
    })
  }
  const contacts: ImportedContact[] = []
  const planned: PlannedContact[] = []
  let [same, leftUnsubscribed] = [0, 0]
  for (const [address, read] of people) {
    await yieldTurn()
    const there = known(address)
    if (there?.unsubscribed === true && read.unsubscribed === false && !options.mayResubscribe) leftUnsubscribed += 1
    const differs = findDifferences(read, there, options.mayResubscribe)
    if (differs === null) same += 1
    else {
      contacts.push(differs.imported)
      planned.push(differs.planned)
    }
  }
  bad.sort((one, other) => one.line - other.line)
  return { contacts, planned, same, repeated, leftUnsubscribed, bad }
}
