import { CONTACT_TABLE_LIMITS, type ImportLineIssue } from '../../../shared/contact-import.ts'
import { isAddress } from '../../../shared/recipients.ts'
import { detectUtf16 } from '../../../shared/detect-utf16.ts'
import { createYielder } from '../../timing/turns.ts'
import { createProblem } from '../../../shared/result.ts'

/** A non-empty line. */
export interface TableRow {
  /** Line number in the file, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

export interface ContactTable {
  readonly heading: readonly string[]
  readonly hasHeading: boolean
  readonly rows: readonly TableRow[]
  /** Lines without readable cells. */
  readonly broken: readonly ImportLineIssue[]
}

/** A heading without any of these is a single column. */
const DELIMITERS = [',', ';', '\t', '|'] as const
/** A longer row means an unclosed quote. */
const LONGEST_ROW = 65_536
/** A file with more broken lines isn't a table. Each one may cost a scan of the longest row. */
const MAX_BROKEN = 1_000

/** True if the cell contains what looks like an address, even within other text or malformed. */
export const containsAddress = (cell: string): boolean => /\S@\S/.test(cell)

const invalidTable = (why: string) =>
  createProblem('invalid_input', `This file cannot be imported as contacts: ${why}.`)

const tooLong = () => invalidTable(`it has more than ${CONTACT_TABLE_LIMITS.lines.toLocaleString('en')} lines`)

/** Detects UTF-8 and UTF-16 by BOM or content; otherwise assumes windows-1252. */
const decodeTable = (bytes: Uint8Array): string => {
  const wide = detectUtf16(bytes)
  if (wide !== null) return new TextDecoder(wide).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** First line that tells Excel the delimiter. */
const EXCEL_SIGN = /^sep=([,;\t|])(?:\r\n|\n|\r)/i
const MAX_LINES_CHECKED = 20

/** Picks the delimiter that splits most first lines into as many cells as the heading, then by addresses and cells. */
const delimiterOf = (text: string): string => {
  const unquoted = text
    .slice(0, LONGEST_ROW)
    .replaceAll(/"[^"]*"/g, '')
    .trimStart()
  const lines = unquoted.split(/[\r\n]+/, MAX_LINES_CHECKED).filter((line) => line !== '')
  const scores = DELIMITERS.map((sign) => {
    const rows = lines.map((line) => line.split(sign))
    const cells = rows[0]?.length ?? 1
    const fitting = rows.filter(({ length }) => length === cells)
    const addresses = fitting.flat().filter((cell) => isAddress(cell.trim()))
    return cells === 1 ? 0 : (fitting.length * LONGEST_ROW + addresses.length) * LONGEST_ROW + cells
  })
  return DELIMITERS[scores.indexOf(Math.max(...scores))] ?? ','
}

const QUOTED = '"(?:[^"]|"")*"(?!")'

/** Line ends, as spreadsheets and editors count them. */
const LINE_END = /\r\n|\n|\r/g

const findLineEnd = (text: string, from: number): { readonly index: number; readonly length: number } => {
  LINE_END.lastIndex = from
  const end = LINE_END.exec(text)
  return end === null ? { index: text.length, length: 0 } : { index: end.index, length: end[0].length }
}

/** Patterns of records and cells. Delimiters need no escapes within a class. */
const createPatterns = (delimiter: string) => {
  const [end, other] = [`[${delimiter}]`, `[^${delimiter}]`]
  const createRecord = (cell: string): string => `^(?:${cell})(?:${end}(?:${cell}))*`
  return {
    /** RFC 4180; quoted cells may contain line breaks. */
    strict: new RegExp(`${createRecord(`${QUOTED}|[^"\\r\\n${delimiter}]*`)}(?=[\\r\\n]|$)`),
    /** A line with quotes within cells, or words after a closing quote. */
    loose: new RegExp(`${createRecord(`${QUOTED}${other}*|[^"${delimiter}]${other}*|`)}$`),
    cell: new RegExp(`${end}(?:(${QUOTED})(?=${end}|$)|((?:${QUOTED})?${other}*))`, 'g'),
  }
}

/**
 * Reads a table with RFC 4180 or sloppy quoting. An unclosed quote costs only its own line.
 * @returns the likely reading, and the other one with or without a heading @throws ProblemError `invalid_input`
 */
export const readTable = async (bytes: Uint8Array): Promise<readonly [likely: ContactTable, other: ContactTable]> => {
  const text = decodeTable(bytes).replace(/^\uFEFF/u, '')
  if (text.includes('\0')) throw invalidTable('it is not text')
  if (/^\s*BEGIN:VCARD/i.test(text)) throw invalidTable('it contains vCards. Export your contacts as CSV')
  const [signLine = '', excelSign] = EXCEL_SIGN.exec(text) ?? []
  const delimiter = excelSign ?? delimiterOf(text)
  const patterns = createPatterns(delimiter)
  const rows: TableRow[] = []
  const broken: ImportLineIssue[] = []
  const yieldTurn = createYielder()
  let line = signLine === '' ? 1 : 2
  for (let at = signLine.length; at < text.length;) {
    await yieldTurn()
    const single = text.slice(at, findLineEnd(text, at).index)
    const [strict = ''] = patterns.strict.exec(text.slice(at, at + LONGEST_ROW)) ?? []
    const isLoose = strict === '' && single.length < LONGEST_ROW && patterns.loose.test(single)
    const record = isLoose ? single : strict
    const isBroken = (record === '' && single !== '') || record.length >= LONGEST_ROW
    if (isBroken) broken.push({ line, why: 'A closing quote is missing.' })
    else {
      const found = [...`${delimiter}${record}`.matchAll(patterns.cell)]
      const cells = found.map(([, quoted, plain = '']) => (quoted?.slice(1, -1).replaceAll('""', '"') ?? plain).trim())
      if (cells.some((cell) => cell !== '')) rows.push({ line, cells })
    }
    if (broken.length > MAX_BROKEN) throw invalidTable('too many of its lines cannot be read')
    if (rows.length > CONTACT_TABLE_LIMITS.lines + 1) throw tooLong()
    const end = findLineEnd(text, at + (isBroken ? single : record).length)
    line += text.slice(at, end.index).split(LINE_END).length
    at = end.index + end.length
  }
  const [first] = rows
  if (first === undefined) throw invalidTable('it is empty')
  if (first.cells.length > CONTACT_TABLE_LIMITS.columns)
    throw invalidTable(`it has more than ${CONTACT_TABLE_LIMITS.columns} columns`)
  const headed = { heading: first.cells, hasHeading: true, rows: rows.slice(1), broken }
  const headless = { heading: first.cells.map(() => ''), hasHeading: false, rows, broken }
  // A line with an address is a contact, not a heading.
  return first.cells.some(containsAddress) ? [headless, headed] : [headed, headless]
}
