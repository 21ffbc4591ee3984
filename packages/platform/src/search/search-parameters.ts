import { createValidationError } from '../http/api-error.ts'
import { type Cursor, parseCursor, parseLimit } from '../http/pagination.ts'
import { type Folder, folders } from '../storage/threads.ts'
import { type SearchLimits, searchLimits } from '../settings.ts'
import { type Moment, toStartTime, toEndTime, parseMoment } from './moments.ts'
import { type QueryTerm, countQueryWords, parseQuery } from './parse-query.ts'

export interface ThreadFilters {
  readonly folders: readonly Folder[]
  /** Label IDs; a thread needs at least one of them. `null` for no condition. */
  readonly labels: readonly string[] | null
  readonly read: boolean | null
}

/** Filters that must all match the same e-mail (platform.md 9.4). `null` for no condition. */
export interface EmailFilters {
  /** Empty if the text contains no words. */
  readonly query: readonly QueryTerm[] | null
  readonly from: readonly string[] | null
  readonly to: readonly string[] | null
  readonly cc: readonly string[] | null
  readonly bcc: readonly string[] | null
  readonly hasAttachment: boolean | null
  /** Milliseconds since 1970, inclusive. */
  readonly startDate: number | null
  readonly endDate: number | null
}

export interface ThreadListRequest {
  readonly filters: ThreadFilters
  readonly limit: number
  readonly cursor: Cursor | null
}

export interface SearchRequest extends ThreadListRequest {
  readonly emailFilters: EmailFilters
}

const fixedLimits = { queryCharacters: 256, labels: 50 } as const
const unrepeatable = ['from', 'to', 'cc', 'bcc', 'folders', 'labels'] as const

/** Checks in the order of platform.md 10. @throws ApiError 422, with its text */
export function parseSearchRequest(query: URLSearchParams, limits: SearchLimits = searchLimits): SearchRequest {
  const emailFilters = {
    query: readQueryText(query, limits),
    from: readPeople(query, 'from', limits),
    to: readPeople(query, 'to', limits),
    cc: readPeople(query, 'cc', limits),
    bcc: readPeople(query, 'bcc', limits),
    ...readDates(query),
  }
  const part = readFiltersAndLimit(query)
  const hasAttachment = readBoolean(query, 'has_attachment')
  const cursor = readThreadCursor(query)
  checkNotRepeated(query)
  return { emailFilters: { ...emailFilters, hasAttachment }, ...part, cursor }
}

/** Reads the parameters that list and search share (platform.md 8.4), in the order of `parseSearchRequest`. */
export function parseThreadListRequest(query: URLSearchParams): ThreadListRequest {
  const part = readFiltersAndLimit(query)
  const cursor = readThreadCursor(query)
  checkNotRepeated(query)
  return { ...part, cursor }
}

function readFiltersAndLimit(query: URLSearchParams): Omit<ThreadListRequest, 'cursor'> {
  const [folders, labels, limit] = [readFolders(query), readLabels(query), parseLimit(query, 20)]
  return { filters: { folders, labels, read: readBoolean(query, 'read') }, limit }
}

function readQueryText(query: URLSearchParams, limits: SearchLimits): readonly QueryTerm[] | null {
  const text = query.get('query') ?? ''
  const characters = Array.from(text).length
  if (characters > fixedLimits.queryCharacters) {
    throw createValidationError(
      `The \`query\` parameter must be at most ${fixedLimits.queryCharacters} characters, but received ${characters}.`,
    )
  }
  const words = countQueryWords(text)
  if (words > limits.words) {
    throw createValidationError(
      `The \`query\` parameter must contain at most ${limits.words} words, but received ${words}.`,
    )
  }
  return text.trim() === '' ? null : parseQuery(text)
}

/** Values of `from`, `to`, `cc` or `bcc` in lower case, because case is ignored (platform.md 9.9). */
function readPeople(
  query: URLSearchParams,
  name: 'from' | 'to' | 'cc' | 'bcc',
  limits: SearchLimits,
): readonly string[] | null {
  const values = readList(query, name)
  if (values && values.length > limits.people) {
    throw createValidationError(
      `The \`${name}\` parameter must contain at most ${limits.people} values, but received ${values.length}.`,
    )
  }
  return values?.map((value) => value.toLowerCase()) ?? null
}

function readDates(query: URLSearchParams): { readonly startDate: number | null; readonly endDate: number | null } {
  const start = readMoment(query, 'start_date')
  const end = readMoment(query, 'end_date')
  const startDate = start && toStartTime(start)
  const endDate = end && toEndTime(end)
  if (startDate !== null && endDate !== null && endDate < startDate) {
    throw createValidationError('The `start_date` must be on or before the `end_date`.')
  }
  return { startDate, endDate }
}

function readMoment(query: URLSearchParams, name: 'start_date' | 'end_date'): Moment | null {
  const text = query.get(name)
  if (text === null) return null
  const moment = parseMoment(text)
  if (!moment) throw createValidationError(`The \`${name}\` must be a valid ISO 8601 date.`)
  return moment
}

/** The default depends on `labels` (platform.md 9.12). */
function readFolders(query: URLSearchParams): readonly Folder[] {
  const values = readList(query, 'folders')
  if (!values) return readList(query, 'labels') ? ['inbox', 'archive', 'sent'] : ['inbox']
  return values.map((value) => {
    const folder = folders.find((known) => known === value)
    if (!folder) throw createValidationError(`The \`folders\` value "${value}" must be one of: ${folders.join(', ')}.`)
    return folder
  })
}

function readLabels(query: URLSearchParams): readonly string[] | null {
  const values = readList(query, 'labels')
  if (!values) return null
  const unknown = values.find((value) => !isUuid(value))
  if (unknown !== undefined) throw createValidationError(`The \`labels\` value "${unknown}" must be a valid UUID.`)
  if (values.length > fixedLimits.labels) {
    throw createValidationError(
      `The \`labels\` parameter must contain at most ${fixedLimits.labels} label IDs, but received ${values.length}.`,
    )
  }
  return values.map((value) => value.toLowerCase())
}

/** Accepts only `true` and `false` (platform.md 10.10). */
function readBoolean(query: URLSearchParams, name: 'read' | 'has_attachment'): boolean | null {
  const value = query.get(name)
  if (value === null) return null
  if (value !== 'true' && value !== 'false')
    throw createValidationError(`The \`${name}\` parameter must be \`true\` or \`false\`.`)
  return value === 'true'
}

/** A date passed as a cursor gets its own error, which names the parameter the caller probably meant. */
function readThreadCursor(query: URLSearchParams): Cursor | null {
  for (const [name, filter] of [
    ['after', 'start_date'],
    ['before', 'end_date'],
  ] as const) {
    if (parseMoment(query.get(name) ?? '')) {
      throw createValidationError(
        `The \`${name}\` parameter must be a thread ID. To filter by date, use \`GET /inboxes/:id/threads/search\` with \`${filter}\`.`,
      )
    }
  }
  return parseCursor(query)
}

function checkNotRepeated(query: URLSearchParams): void {
  const repeated = unrepeatable.find((name) => query.getAll(name).length > 1)
  if (repeated === undefined) return
  throw createValidationError(`The \`${repeated}\` parameter must not be repeated. Separate its values with commas.`)
}

/** Non-empty values of a comma-separated parameter; `null` if there are none. */
function readList(query: URLSearchParams, name: string): readonly string[] | null {
  const values = (query.get(name) ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
  return values.length === 0 ? null : values
}

function isUuid(value: string): boolean {
  return /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(value)
}
