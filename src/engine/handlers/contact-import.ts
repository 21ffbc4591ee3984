import { isUniqueTarget, CONTACT_TABLE_LIMITS, type ImportLineIssue } from '../../shared/contact-import.ts'
import type { DomainHandlers, ParsedInput } from '../../shared/contract.ts'
import type { OwnPart } from '../account-own.ts'
import { buildContactImportChanges } from '../own/outbox/changes/contact-import.ts'
import { formatCsvCell } from '../files/export/contact-table.ts'
import { guessColumns } from '../files/contact-import/guess-columns.ts'
import { planImport, type ContactImportPlan } from '../files/contact-import/plan-import.ts'
import { readTable, type ContactTable } from '../files/contact-import/read-table.ts'
import { createProblem } from '../../shared/result.ts'

/** Maximum items to preview before an import. */
const MAX_PREVIEWED = 100

interface Upload {
  readonly tableId: string
  readonly pieces: Buffer[]
}

const typesOf = ({ cache }: Pick<OwnPart, 'cache'>): ReadonlyMap<string, string> =>
  new Map(cache.accountLists.get('properties').items.map(({ key, type }) => [key, type]))

/** A table of the skipped lines: number, reason and cells. */
const serializeBadLines = ({ heading, rows }: ContactTable, bad: readonly ImportLineIssue[]): string => {
  const cells = new Map(rows.map((row) => [row.line, row.cells]))
  const lines = bad.map(({ line, why }) => [String(line), why, ...(cells.get(line) ?? [])])
  const table = [['Line', 'Reason', ...heading], ...lines].map((row) => row.map(formatCsvCell).join(','))
  return `\ufeff${table.map((line) => `${line}\r\n`).join('')}`
}

export const createContactTableHandlers = (own: OwnPart): DomainHandlers<'contactTable'> => {
  let upload: Upload | null = null
  let table: { readonly tableId: string; readonly variants: Awaited<ReturnType<typeof readTable>> } | null = null

  const tableOf = ({ tableId, hasHeading }: ParsedInput<'contactTable.plan'>): ContactTable => {
    if (table?.tableId === tableId)
      return table.variants.find((variant) => variant.hasHeading === hasHeading) ?? table.variants[0]
    throw createProblem('not_found', 'This table is no longer open. Choose the file again.')
  }
  const wholePlan = async (input: ParsedInput<'contactTable.plan'>): Promise<ContactImportPlan> => {
    const { targets, mayResubscribe } = input
    if (!targets.includes('email')) throw createProblem('invalid_input', 'Choose the column with the email addresses.')
    const twice = targets.find((target, at) => isUniqueTarget(target) && targets.indexOf(target) !== at)
    if (twice !== undefined)
      throw createProblem('invalid_input', 'Two columns are imported as the same field. Skip one of them.')
    const options = { targets, mayResubscribe, properties: typesOf(own) }
    return planImport(tableOf(input), options, (address) => own.cache.contacts.lookUp(address) ?? null)
  }

  return {
    'contactTable.read': async ({ tableId, place, base64, isLast }) => {
      if (place === 0) upload = { tableId, pieces: [] }
      if (upload?.tableId !== tableId || upload.pieces.length !== place) {
        throw createProblem('invalid_input', 'The file was not read completely. Choose it again.')
      }
      upload.pieces.push(Buffer.from(base64, 'base64'))
      const bytes = Buffer.concat(isLast ? upload.pieces : [])
      if (upload.pieces.reduce((sum, piece) => sum + piece.byteLength, 0) > CONTACT_TABLE_LIMITS.bytes) {
        upload = null
        throw createProblem('invalid_input', 'This file is over 32 MB. Split it and import each part.')
      }
      if (!isLast) return null
      upload = null
      const [read, other] = await readTable(bytes)
      table = { tableId, variants: [read, other] }
      const keys = [...typesOf(own).keys()]
      const [columns, otherColumns] = [guessColumns(read, keys), guessColumns(other, keys)]
      const lines = read.rows.length + read.broken.length
      return { tableId, columns, hasHeading: read.hasHeading, otherColumns, lines }
    },
    'contactTable.plan': async (input) => {
      const { contacts, planned, same, repeated, leftUnsubscribed, bad } = await wholePlan(input)
      const added = contacts.filter(({ was }) => was === null).length
      return {
        ...{ added, changed: contacts.length - added, same, repeated, leftUnsubscribed, bad: bad.length },
        contacts: planned.slice(0, MAX_PREVIEWED),
        badLines: bad.slice(0, MAX_PREVIEWED),
      }
    },
    'contactTable.import': async ({ segmentId, ...input }) => {
      const { contacts } = await wholePlan(input)
      if (contacts.length === 0) throw createProblem('invalid_input', 'There is nothing to import from this table.')
      const { cache, outbox } = own
      if (segmentId !== null && !cache.accountLists.get('segments').items.some(({ id }) => id === segmentId)) {
        throw createProblem('not_found', 'This segment no longer exists. Nothing was imported.')
      }
      const numbers = [...typesOf(own)].flatMap(([key, type]) => (type === 'number' ? [key] : []))
      const { changeId } = outbox.changeMany(buildContactImportChanges(contacts, { numbers, segmentId }))
      table = null
      return { changeId, contacts: contacts.length }
    },
    'contactTable.badLines': async (input) => ({
      text: serializeBadLines(tableOf(input), (await wholePlan(input)).bad),
    }),
  }
}
