import type { z } from 'zod'
import { UnreadableAnswer } from '../platform-problem.ts'
import { envelope } from '../wire.ts'

/** A page of one of the platform's lists. */
export interface ListPage<Item> {
  readonly items: readonly Item[]
  /** Whether another page follows. Where the platform does not say, a full page means yes. */
  readonly hasMore: boolean
  /** False where an item could not be read and was left out: what such a page does not show may well be there. */
  readonly isWhole: boolean
}

/** @throws UnreadableAnswer where the answer is something else */
export const readWith =
  <Schema extends z.ZodType, Item>(schema: Schema, toItem: (wire: z.output<Schema>) => Item) =>
  (body: unknown): Item => {
    const parsed = schema.safeParse(body)
    if (!parsed.success) throw new UnreadableAnswer()
    return toItem(parsed.data)
  }

const readEnvelope = readWith(envelope, (list) => list)

/**
 * Reads a list. An item without an ID is left out.
 * @throws UnreadableAnswer where it is no list: it is never an empty one, as what is gone is concluded from lists
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

/**
 * Reads what was kept of the platform's words as leniently as the words themselves.
 * @returns null where the text is no JSON, is something else, or is about another thing: it was damaged
 */
export const readKeptWith =
  <Schema extends z.ZodType<{ readonly id: string }>, Item>(schema: Schema, toItem: (wire: z.output<Schema>) => Item) =>
  (text: string, expectedId: string): Item | null => {
    try {
      const { data } = schema.safeParse(JSON.parse(text))
      return data?.id === expectedId ? toItem(data) : null
    } catch {
      return null
    }
  }
