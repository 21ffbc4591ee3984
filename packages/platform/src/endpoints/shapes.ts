import { z } from 'zod'

/** Shapes shared by several resources. Strict: an unknown field in a response is a bug. */
export const uuid = z.uuid()
export const text = z.string()
export const optionalText = z.string().nullable()
export const texts = z.array(z.string())
/** `2026-10-01T12:00:00.000Z` */
export const isoTime = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
/** `2026-10-01T12:00:00.000000+00:00` */
export const offsetTime = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/)
/** `2026-10-01 12:00:00.000000+00` */
export const databaseTime = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}\+00$/)
export const hexColor = z.string().regex(/^#[\dA-F]{6}$/)

/** `{ object, id }`, the response to most writes. */
export function createReferenceSchema(object: string): z.ZodType {
  return z.strictObject({ object: z.literal(object), id: uuid })
}

/** `{ object, id, deleted }` */
export function createDeletionSchema(object: string): z.ZodType {
  return z.strictObject({ object: z.literal(object), id: uuid, deleted: z.boolean() })
}

export function parseStringArray(json: string): readonly string[] {
  return JSON.parse(json) as readonly string[]
}
