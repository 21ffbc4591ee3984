/**
 * How every answer of the platform is read: leniently (platform facts 0.1). Unknown fields are kept, a field of another
 * type counts as absent, and an unreadable element of a list is left out while all others stay. Each resource builds its
 * schemas from these fields, and its readers from these functions.
 */
import { z } from 'zod'
import { UnreadableAnswer } from './platform-problem.ts'
import type { ListPage } from './requests.ts'

/** The key under which the platform's own object rides along with what was read from it. */
export const WORDS: unique symbol = Symbol('the words of the platform')

/** Text; a number counts as its digits. */
export const id = z.union([z.string().min(1), z.number().transform(String)])
export const text = z.string().nullable().optional().catch(undefined)
export const flag = z.boolean().optional().catch(undefined)
export const count = z.number().optional().catch(undefined)

/** The elements of an array that can be read. */
export const each = <Schema extends z.ZodType>(schema: Schema) =>
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

/** Addresses; a single one is a list of one. */
export const texts = z.union([z.string().transform((only) => [only]), each(z.string())]).catch(undefined)

const envelope = z.looseObject({ data: z.array(z.unknown()), has_more: flag })

/** @throws UnreadableAnswer if the answer has another shape, or another ID than the expected one */
export const readWith =
  <Schema extends z.ZodType, Item>(schema: Schema, toItem: (wire: z.output<Schema>) => Item) =>
  (body: unknown, expectedId?: string): Item => {
    const { data } = schema.safeParse(body)
    const isOther = expectedId !== undefined && (data as { readonly id?: unknown } | undefined)?.id !== expectedId
    if (data === undefined || isOther) throw new UnreadableAnswer()
    return toItem(data)
  }

const readEnvelope = readWith(envelope, (list) => list)

/** The ID of something that was just made, which is all that such an answer has for sure. */
export const readMadeId = readWith(z.looseObject({ id }), (made) => made.id)

/**
 * Reads a list. An item without an ID is left out.
 * @throws UnreadableAnswer where it is no list. It never counts as an empty one: what a list lacks is concluded to be gone
 */
export const readPageOf =
  <Schema extends z.ZodType, Item>(schema: Schema, toItem: (wire: z.output<Schema>) => Item) =>
  (body: unknown, limit: number): ListPage<Item> => {
    const { data, has_more } = readEnvelope(body)
    const items = data.flatMap((item) => {
      const parsed = schema.safeParse(item)
      return parsed.success ? [toItem(parsed.data)] : []
    })
    return { items, hasMore: has_more ?? data.length >= limit, isWhole: items.length === data.length }
  }

/** The first item of a list that was cut off, as it came. */
export const firstOfList = (beginning: unknown): unknown => envelope.safeParse(beginning).data?.data[0]

/**
 * Reads what was kept of an answer, as leniently as the answer itself.
 * @returns null where the text is damaged: no JSON, another shape, or about another thing
 */
export const readKeptWith =
  <Schema extends z.ZodType<{ readonly id: string }>, Item>(schema: Schema, toItem: (wire: z.output<Schema>) => Item) =>
  (kept: string, expectedId: string): Item | null => {
    try {
      const { data } = schema.safeParse(JSON.parse(kept))
      return data?.id === expectedId ? toItem(data) : null
    } catch {
      return null
    }
  }
