import { z } from 'zod'
import type { Database, SqlValue } from '../storage/database.ts'
import { ApiError, createValidationError } from './api-error.ts'
import type { QueryParameter } from './endpoint.ts'

const guide = 'See https://resend.com/docs/api-reference/pagination for more information.'

/** Start of a page. The cursor is an ID and not part of its page. */
export interface Cursor {
  readonly direction: 'after' | 'before'
  readonly id: string
}

export interface PageRequest {
  /** `null` for everything in one response. */
  readonly limit: number | null
  readonly cursor: Cursor | null
}

export interface Page<Item> {
  readonly items: readonly Item[]
  /** True if more items follow in the requested direction. */
  readonly hasMore: boolean
}

export const paginationParameters: readonly QueryParameter[] = [
  { name: 'limit', description: 'Page size, 1 to 100.' },
  { name: 'after', description: 'ID after which to continue; not part of the page.' },
  { name: 'before', description: 'ID before which to continue; not part of the page. Not together with `after`.' },
]

/**
 * `limit` is 1 to 100, and `after` excludes `before` (platform.md 5.2).
 * @param defaultLimit 20 for the newer lists; `null` for the older ones, which then return everything
 */
export function parsePageRequest(query: URLSearchParams, defaultLimit: number | null): PageRequest {
  return { limit: parseLimit(query, defaultLimit), cursor: parseCursor(query) }
}

/** @throws ApiError 422 unless `limit` is a whole number from 1 to 100 (platform.md 5.2) */
export function parseLimit<Default extends number | null>(
  query: URLSearchParams,
  defaultLimit: Default,
): number | Default {
  const limit = query.get('limit')
  if (limit === null) return defaultLimit
  const number = Number(limit)
  if (!/^\d{1,9}$/.test(limit) || number < 1 || number > 100) {
    throw createValidationError(`The pagination limit must be a number between 1 and 100. ${guide}`)
  }
  return number
}

/** @throws ApiError 422 with both `after` and `before` (platform.md 5.2) */
export function parseCursor(query: URLSearchParams): Cursor | null {
  const after = query.get('after')
  const before = query.get('before')
  if (after !== null && before !== null) {
    throw createValidationError(`You can only pass one of \`before\` or \`after\` for pagination. ${guide}`)
  }
  if (after !== null) return { direction: 'after', id: after }
  return before === null ? null : { direction: 'before', id: before }
}

/** 404: the cursor is not in the list (platform.md 5.5). */
export function createCursorNotFoundError(): ApiError {
  return new ApiError(404, 'not_found', `The pagination cursor references an object that does not exist. ${guide}`)
}

/** A list in the database. Its SELECT returns `id`, `seq` and the `orderedBy` column. */
export interface ListQuery {
  readonly select: string
  readonly values: readonly SqlValue[]
  readonly orderedBy: string
  /** Ties are in order of arrival. */
  readonly order: 'newest first' | 'oldest first'
}

/** Reads a page by key, so concurrent inserts and deletes neither repeat nor skip items. */
export function readPage<Row>(db: Database, listing: ListQuery, { limit, cursor }: PageRequest): Page<Row> {
  const key = `${listing.orderedBy}, seq`
  const place = cursor && cursorPosition(db, listing, cursor.id)
  const backwards = cursor?.direction === 'before'
  const descending = (listing.order === 'newest first') !== backwards
  const rows = db.all<Row>(
    `SELECT * FROM (${listing.select}) ${place ? `WHERE (${key}) ${descending ? '<' : '>'} (?, ?)` : ''}
     ORDER BY ${listing.orderedBy} ${descending ? 'DESC' : 'ASC'}, seq ${descending ? 'DESC' : 'ASC'} LIMIT ?`,
    ...listing.values,
    ...(place ?? []),
    limit === null ? -1 : limit + 1,
  )
  const hasMore = limit !== null && rows.length > limit
  const items = hasMore ? rows.slice(0, limit) : rows
  return { items: backwards ? items.toReversed() : items, hasMore }
}

function cursorPosition(db: Database, listing: ListQuery, id: string): readonly [number, number] {
  const row = db.get<{ position: number; seq: number }>(
    `SELECT ${listing.orderedBy} AS position, seq FROM (${listing.select}) WHERE id = ?`,
    ...listing.values,
    id,
  )
  if (!row) throw createCursorNotFoundError()
  return [row.position, row.seq]
}

export function toListResponse<Item, Shown>(
  page: Page<Item>,
  show: (item: Item) => Shown,
): { readonly object: 'list'; readonly has_more: boolean; readonly data: readonly Shown[] } {
  return { object: 'list', has_more: page.hasMore, data: page.items.map((item) => show(item)) }
}

export function listShape(item: z.ZodType): z.ZodType {
  return z.strictObject({ object: z.literal('list'), has_more: z.boolean(), data: z.array(item) })
}
