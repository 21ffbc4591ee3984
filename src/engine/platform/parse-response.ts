/**
 * Lenient parsing of all responses (platform.md 1.6). Unknown fields are kept, fields of a wrong type count as absent,
 * and unreadable list elements are dropped. All resources build their schemas and readers from these.
 */
import { z } from 'zod'
import { parseJsonAs } from '../../shared/parse-json.ts'
import { UnreadableResponseError } from './platform-problem.ts'
import type { ListPage } from './requests.ts'

/** Key of the platform's raw object, carried along with the parsed one. */
export const RAW_PAYLOAD: unique symbol = Symbol('raw platform payload')

/**
 * Parsed platform data. A symbol keeps the raw object, including unread fields, for storage. Only `platform` reads it;
 * JSON and structured clones drop it.
 */
export interface RawPayload<Wire extends object = object> {
  readonly [RAW_PAYLOAD]: Wire
}

/** Numeric IDs become strings. */
export const wireId = z.union([z.string().min(1), z.number().transform(String)])
export const wireText = z.string().nullable().optional().catch(undefined)
export const wireFlag = z.boolean().optional().catch(undefined)
export const wireCount = z.number().optional().catch(undefined)

/** Drops unreadable elements. */
export const wireListOf = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .array(z.unknown())
    .transform((items): readonly z.output<Schema>[] =>
      items.flatMap((item): z.output<Schema>[] => {
        const parsed = schema.safeParse(item)
        return parsed.success ? [parsed.data] : []
      }),
    )
    .nullable()
    .optional()
    .catch(undefined)

/** A single address becomes a list of one. */
export const wireTexts = z.union([z.string().transform((only) => [only]), wireListOf(z.string())]).catch(undefined)

const envelope = z.looseObject({ data: z.array(z.unknown()), has_more: wireFlag })

/** Parses a resource in responses and in stored payloads. */
export const createParser = <Schema extends z.ZodType, Item>(
  schema: Schema,
  toItem: (wire: z.output<Schema>) => Item,
) => ({
  /** @throws UnreadableResponseError if the response has another shape or an unexpected ID */
  one: (body: unknown, expectedId?: string): Item => {
    const { data } = schema.safeParse(body)
    const isOther = expectedId !== undefined && (data as { readonly id?: unknown } | undefined)?.id !== expectedId
    if (data === undefined || isOther) throw new UnreadableResponseError()
    return toItem(data)
  },

  /** Drops items without an ID. @throws UnreadableResponseError for non-lists: an empty list would mark all as deleted */
  page: (body: unknown, limit: number): ListPage<Item> => {
    const { data: list } = envelope.safeParse(body)
    if (list === undefined) throw new UnreadableResponseError()
    const { data, has_more } = list
    const items = data.flatMap((item) => {
      const parsed = schema.safeParse(item)
      return parsed.success ? [toItem(parsed.data)] : []
    })
    return { items, hasMore: has_more ?? data.length >= limit, isWhole: items.length === data.length }
  },

  /** Reads a stored payload as leniently as a response. @returns null if it is damaged or has another ID */
  stored: (kept: string, expectedId: string): Item | null => {
    const wire = parseJsonAs(schema, kept)
    return wire !== null && (wire as { readonly id?: unknown }).id === expectedId ? toItem(wire) : null
  },

  /** Reads a stored list; null if it is damaged. */
  storedList: (kept: string): readonly Item[] | null => parseJsonAs(z.array(schema), kept)?.map(toItem) ?? null,
})

/** The ID of a new resource; such responses guarantee nothing else. */
export const parseCreatedId = createParser(z.looseObject({ id: wireId }), (made) => made.id).one

/** First item of a truncated list, unparsed. */
export const getFirstListItem = (beginning: unknown): unknown => envelope.safeParse(beginning).data?.data[0]

const SHAPE = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d{1,9}))?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

const ISO_MILLISECONDS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/**
 * Parses `2026-05-01T10:00:00.000Z` and `2026-05-01 10:00:00.84216+00` (platform.md 1.9); UTC by default.
 * @returns milliseconds since the epoch, truncated, or null
 */
export const parsePlatformTime = (text: string): number | null => {
  // Fast path: nearly all times look like this, and large mailboxes have hundreds of thousands.
  if (ISO_MILLISECONDS.test(text)) {
    const time = Date.parse(text)
    return Number.isNaN(time) ? null : time
  }
  const match = SHAPE.exec(text.trim())
  if (match === null) return null
  const [, day = '', clock = '00:00:00', fraction = '', offset = 'Z'] = match
  const hours = /^[+-]\d{2}$/.test(offset) ? `${offset}:00` : offset.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')
  const time = Date.parse(
    `${day}T${clock.length === 5 ? `${clock}:00` : clock}.${fraction.padEnd(3, '0').slice(0, 3)}${hours.toUpperCase()}`,
  )
  return Number.isNaN(time) ? null : time
}

/** Milliseconds since the epoch. A missing time becomes 0, which sorts to the end of every list. */
export const toTime = (text: string | null | undefined): number => parsePlatformTime(text ?? '') ?? 0

/** Formats a time for the platform; undefined for an invalid number. @param time milliseconds since the epoch */
export const formatPlatformTime = (time: number): string | undefined => {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}
