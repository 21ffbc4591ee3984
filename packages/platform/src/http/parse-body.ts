import type { z } from 'zod'
import { ApiError, createValidationError } from './api-error.ts'

/**
 * Reports the first error as the platform does (platform.md 4.6): 422 `missing_required_field` "Missing `email` field."
 * or 422 `validation_error` "Invalid `email` field. …". A missing body counts as `{}`, so the error names a field.
 */
export function parseBody<Schema extends z.ZodType>(schema: Schema, json: unknown): z.infer<Schema> {
  const input = json === undefined ? {} : json
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  if (!issue) throw createValidationError('The request body is invalid.')
  const field = issue.path.join('.')
  if (field === '') throw createValidationError(issue.message)
  if (valueAt(input, issue.path) === undefined) {
    throw new ApiError(422, 'missing_required_field', `Missing \`${field}\` field.`)
  }
  throw createValidationError(`Invalid \`${field}\` field. ${issue.message}`)
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Readonly<Record<PropertyKey, unknown>>)[key] : undefined,
    input,
  )
}
