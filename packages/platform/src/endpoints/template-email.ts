import { z } from 'zod'
import { createNotFoundError, createValidationError } from '../http/api-error.ts'
import type { Database } from '../storage/database.ts'
import { type PublishedTemplate, type TemplateVariable, findTemplate } from '../storage/templates.ts'
import { parseStringArray } from './shapes.ts'
import { placeholder } from './templates.ts'

/** Vendor documentation, "Send Email": texts have at most 2,000 characters. */
const valueField = z.union([
  z.string().max(2000),
  z.number().min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER),
])

/** See platform.md 20.11. */
export const templateField = z.object({
  id: z.string().min(1, 'It must not be empty'),
  variables: z.record(z.string(), valueField).optional(),
})

export interface FilledTemplate {
  readonly id: string
  readonly from: string | null
  readonly subject: string | null
  readonly replyTo: readonly string[]
  readonly html: string
  readonly text: string | null
}

/**
 * The published content of a template with the values of its variables.
 * @throws ApiError 404 for an unknown template, 422 for an unpublished one or a missing or wrong value; the wording is
 * this service's own
 */
export function fillTemplate(db: Database, { id, variables = {} }: z.infer<typeof templateField>): FilledTemplate {
  const row = findTemplate(db, id)
  if (!row) throw createNotFoundError('Template not found')
  if (row.published === null) throw createValidationError('The template is not published.')
  const published = JSON.parse(row.published) as PublishedTemplate
  const values = valuesOf(JSON.parse(published.variables) as readonly TemplateVariable[], variables)
  // Reserved names such as FIRST_NAME belong to broadcasts, so they have no value here.
  const fill = (text: string): string => text.replace(placeholder, (_, key: string) => values.get(key) ?? '')
  return {
    id: row.id,
    from: published.sender,
    subject: published.subject === null ? null : fill(published.subject),
    replyTo: published.reply_to === null ? [] : parseStringArray(published.reply_to),
    html: fill(published.html),
    text: published.text === null ? null : fill(published.text),
  }
}

function valuesOf(
  variables: readonly TemplateVariable[],
  given: Readonly<Record<string, string | number>>,
): ReadonlyMap<string, string> {
  return new Map(
    variables.map(({ key, type, fallback }) => {
      const value = Object.hasOwn(given, key) ? given[key] : (fallback ?? undefined)
      if (value === undefined) throw createValidationError(`Missing value for the template variable \`${key}\`.`)
      if (typeof value !== type) throw createValidationError(`The template variable \`${key}\` must be a ${type}.`)
      return [key, String(value)]
    }),
  )
}
