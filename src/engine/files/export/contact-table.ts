import type { RequestedFile } from '../../../shared/engine-api.ts'
import { ALL_CONTACTS } from '../../../shared/contact-query.ts'
import type { Contact } from '../../../shared/people.ts'
import type { ContactStore } from '../../store/contacts.ts'
import { createYielder } from '../../timing/turns.ts'

/** Start of a formula, also full-width, in a cell or after another possible delimiter. Excludes numbers. */
const FORMULA = /(^|[;,|\t\r\n])(?![\s\p{Cf}]*[+-]?\d+(?:[.,]\d+)*(?:$|[;,|\t\r\n]))(?=[\s\p{Cf}]*[=+\-@＝＋－＠])/gu
const GUARDED = /(^|[;,|\t\r\n])'(?=[\s\p{Cf}]*[=+\-@＝＋－＠])/gu
const BREAK_FIRST = /^(?!')(?=[\t\r\n])/

/** A cell (RFC 4180). Untrusted formulas get an apostrophe, which spreadsheets hide (OWASP, "CSV Injection"). */
export const formatCsvCell = (value: string | number | boolean | null): string => {
  const text = String(value ?? '')
  const safe = typeof value === 'string' ? text.replace(FORMULA, "$1'").replace(BREAK_FIRST, "'") : text
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Removes the apostrophe that `formatCsvCell` added and that spreadsheets keep when saving. */
export const removeFormulaGuard = (cell: string): string => cell.replace(GUARDED, '$1')

/** Column names of the platform's import (platform.md 18.7). */
const COLUMNS = ['email', 'first_name', 'last_name', 'unsubscribed', 'created_at'] as const

const cellsOf = ({ email, firstName, lastName, unsubscribed, createdAt }: Contact): readonly string[] =>
  [email, firstName, lastName, unsubscribed, createdAt === null ? null : new Date(createdAt).toISOString()].map(
    formatCsvCell,
  )

/** All contacts, newest first, one column per property. UTF-8 with BOM for spreadsheets. */
export const serializeContactTable = async (contacts: Pick<ContactStore, 'idsOf' | 'get'>): Promise<RequestedFile> => {
  const all: Contact[] = []
  const yieldTurn = createYielder()
  for (const id of contacts.idsOf(ALL_CONTACTS)) {
    await yieldTurn()
    all.push(...[contacts.get(id)].filter((contact) => contact !== undefined))
  }
  const reserved: readonly string[] = COLUMNS
  const properties = [...new Set(all.flatMap((contact) => Object.keys(contact.properties)))]
    .filter((name) => !reserved.includes(name))
    .toSorted()
  const rows = all.map((contact) =>
    [
      ...cellsOf(contact),
      ...properties.map((name) =>
        formatCsvCell(Object.hasOwn(contact.properties, name) ? (contact.properties[name] ?? null) : null),
      ),
    ].join(','),
  )
  const lines = [[...COLUMNS, ...properties.map(formatCsvCell)].join(','), ...rows]
  return { filename: 'contacts.csv', content: Buffer.from(`\ufeff${lines.map((line) => `${line}\r\n`).join('')}`) }
}
