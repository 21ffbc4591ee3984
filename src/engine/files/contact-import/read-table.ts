import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
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
/** Characters to parse at once. */
const CHUNK_LENGTH = 32_768
/** A longer row means an unclosed quote. */
const LONGEST_ROW = 65_536
/** A file with more broken lines or unclosed quotes isn't a table. Each unclosed quote costs a long scan. */
const [MAX_BROKEN, MAX_UNCLOSED] = [1_000, 50]

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

/** Chunks of text, yielding in between. */
const streamChunks = (text: string, start: number): Readable => {
  const yieldTurn = createYielder()
  return Readable.from(
    (async function* () {
      for (let at = start; at < text.length; at += CHUNK_LENGTH) {
        await yieldTurn()
        yield text.slice(at, at + CHUNK_LENGTH)
      }
    })(),
  )
}

/** Offsets of line starts, counting lines as spreadsheets and editors do. */
const lineStarts = (text: string): readonly number[] => [
  0,
  ...[...text.matchAll(/\r\n|\n|\r/g)].map((end) => end.index + end[0].length),
]

/** A record with RFC 4180 quoting. */
const createStrictPattern = (delimiter: string): RegExp =>
  new RegExp(
    `^(?:"(?:[^"]|"")*"|[^"\\r\\n${delimiter}]*)(?:[${delimiter}](?:"(?:[^"]|"")*"|[^"\\r\\n${delimiter}]*))*\\s*$`,
  )

/** Thrown to stop the parser at once; an abort would first finish the chunk. */
class Unclosed extends Error {}

interface Parsed {
  readonly record: readonly string[]
  /** Text in the file, with the first character of its line break. */
  readonly raw: string
}

/**
 * Reads a table with RFC 4180 or sloppy quoting. An unclosed quote costs only its own line.
 * @returns the likely reading, and the other one with or without a heading @throws ProblemError `invalid_input`
 */
export const readTable = async (bytes: Uint8Array): Promise<readonly [likely: ContactTable, other: ContactTable]> => {
  const text = decodeTable(bytes).replace(/^\uFEFF/u, '')
  if (text.includes('\0')) throw invalidTable('it is not text')
  if (/^\s*BEGIN:VCARD/i.test(text)) throw invalidTable('it contains vCards. Export your contacts as CSV')
  const starts = lineStarts(text)
  const excelSign = EXCEL_SIGN.exec(text)?.[1]
  const delimiter = excelSign ?? delimiterOf(text)
  const strict = createStrictPattern(delimiter)
  const rows: TableRow[] = []
  const broken: ImportLineIssue[] = []
  let done = excelSign === undefined ? 0 : 1
  let unclosed = 0
  /** Parses from a line. @returns false if it stopped at an unclosed quote */
  const parseFrom = async (start: number): Promise<boolean> => {
    let at = starts[start] ?? text.length
    let next = start
    const take = ({ record, raw }: Parsed): null => {
      const line = done + 1
      at += raw.length
      if (text[at - 1] === '\r' && text[at] === '\n') at += 1
      // Inside quotes, the parser counts each character of a CRLF as a line.
      while (next < starts.length && (starts[next] ?? 0) < at) next += 1
      // If one line opens a quote and a later one happens to close it, the lines between are not a single cell.
      if (next > line && !strict.test(raw)) throw new Unclosed()
      done = next
      const cells = record.map((cell) => cell.trim())
      if (cells.some((cell) => cell !== '')) rows.push({ line, cells })
      if (rows.length > CONTACT_TABLE_LIMITS.lines + 1) throw tooLong()
      return null
    }
    const parser = parse({
      ...{ delimiter, raw: true, relax_column_count: true, relax_quotes: true },
      max_record_size: LONGEST_ROW,
      // Collect records here, because the parser's own output is lost on the first error.
      on_record: (record) => take(record as unknown as Parsed),
    })
    parser.resume()
    try {
      await pipeline(streamChunks(text, starts[start] ?? text.length), parser)
      return true
    } catch (thrown) {
      if (thrown instanceof CsvError) unclosed += 1
      else if (!(thrown instanceof Unclosed)) throw thrown
      return false
    }
  }
  while (done < starts.length && !(await parseFrom(done))) {
    broken.push({ line: done + 1, why: 'A closing quote is missing.' })
    if (broken.length > MAX_BROKEN || unclosed > MAX_UNCLOSED)
      throw invalidTable('too many of its lines cannot be read')
    done += 1
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
