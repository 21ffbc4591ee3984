import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { createValidationError, createNotFoundError } from '../http/api-error.ts'
import { formatDatabaseDate } from '../http/dates.ts'
import { type ApiRequest, type Endpoint, respondCreated, defineEndpoint, respondOk } from '../http/endpoint.ts'
import { toListResponse, listShape, paginationParameters, readPage, parsePageRequest } from '../http/pagination.ts'
import { htmlToText } from '../mail/html-text.ts'
import {
  type TemplateContent,
  type TemplateRow,
  type TemplateVariable,
  deleteTemplate,
  findTemplate,
  insertTemplate,
  publishTemplate,
  updateTemplate,
} from '../storage/templates.ts'
import {
  databaseTime,
  createDeletionSchema,
  optionalText,
  parseStringArray,
  createReferenceSchema,
  text,
  texts,
  uuid,
} from './shapes.ts'

/**
 * Templates, after the vendor's documentation and clients. They don't specify the order (here newest first), the
 * version shown after changes to a published template (the newest) or the response to a taken alias (422).
 */
const templateItemShape = z.strictObject({
  id: uuid,
  name: text,
  alias: optionalText,
  status: z.enum(['draft', 'published']),
  published_at: databaseTime.nullable(),
  created_at: databaseTime,
  updated_at: databaseTime,
})

const variableShape = z.strictObject({
  id: uuid,
  key: text,
  type: z.enum(['string', 'number']),
  fallback_value: z.union([z.string(), z.number(), z.null()]),
  created_at: databaseTime,
  updated_at: databaseTime,
})

const templateShape = templateItemShape.extend({
  object: z.literal('template'),
  current_version_id: uuid,
  from: optionalText,
  subject: optionalText,
  reply_to: texts.nullable(),
  html: text,
  text: optionalText,
  variables: z.array(variableShape),
  has_unpublished_versions: z.boolean(),
})

const MAX_VARIABLES = 50
const RESERVED = ['FIRST_NAME', 'LAST_NAME', 'EMAIL', 'UNSUBSCRIBE_URL', 'RESEND_UNSUBSCRIBE_URL', 'contact', 'this']

/** `{{{NAME}}}` or `{{{contact.first_name}}}`; the first group is the variable. */
export const placeholder = /\{\{\{\s*(\w+)[^{}]*\}\}\}/g

const variableField = z.object({
  key: z.string().regex(/^\w{1,50}$/, 'It must be 1 to 50 letters, digits or underscores'),
  type: z.enum(['string', 'number']),
  fallback_value: z.union([z.string(), z.number(), z.null()]).optional(),
})

const fields = {
  name: z.string().min(1, 'It must not be empty').max(200),
  html: z.string().min(1, 'It must not be empty'),
  alias: z.string().min(1).max(200).nullish(),
  from: z.string().nullish(),
  subject: z.string().max(2000).nullish(),
  reply_to: z.union([z.string(), z.array(z.string())]).nullish(),
  text: z.string().nullish(),
  variables: z
    .array(variableField)
    .max(MAX_VARIABLES, `A template can have at most ${MAX_VARIABLES} variables`)
    .optional(),
}
const templateFields = z.object({ ...fields, name: fields.name.optional(), html: fields.html.optional() })

export const templateEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    path: '/templates',
    summary: 'List templates, newest first',
    query: paginationParameters,
    answers: { 200: listShape(templateItemShape) },
    handle(request) {
      const page = readPage<TemplateRow>(
        request.platform.db,
        { select: 'SELECT * FROM templates', values: [], orderedBy: 'created_at', order: 'newest first' },
        parsePageRequest(request.query, 20),
      )
      return respondOk(toListResponse(page, showItem))
    },
  }),

  defineEndpoint({
    method: 'POST',
    path: '/templates',
    summary: 'Create a template: a draft until it is published',
    body: z.object(fields),
    answers: { 201: createReferenceSchema('template') },
    handle(request, body) {
      const { db, now } = request.platform
      return () => respondCreated({ object: 'template', id: insertTemplate(db, contentOf(request, null, body), now()) })
    },
  }),

  defineEndpoint({
    method: 'GET',
    path: '/templates/:template',
    summary: 'Retrieve a template by id or alias',
    answers: { 200: templateShape },
    handle: (request) => respondOk(showTemplate(templateOf(request))),
  }),

  defineEndpoint({
    method: 'PATCH',
    path: '/templates/:template',
    summary: 'Change a template; what is published stays until it is published again',
    body: templateFields,
    answers: { 200: createReferenceSchema('template') },
    handle(request, body) {
      const row = templateOf(request)
      const { db, now } = request.platform
      return () => {
        updateTemplate(db, row, contentOf(request, row, body), now())
        return respondOk({ object: 'template', id: row.id })
      }
    },
  }),

  defineEndpoint({
    method: 'POST',
    path: '/templates/:template/publish',
    summary: 'Publish a template as it is now',
    answers: { 200: createReferenceSchema('template') },
    handle(request) {
      const { id } = templateOf(request)
      const { db, now } = request.platform
      return () => {
        publishTemplate(db, id, now())
        return respondOk({ object: 'template', id })
      }
    },
  }),

  defineEndpoint({
    method: 'DELETE',
    path: '/templates/:template',
    summary: 'Delete a template',
    answers: { 200: createDeletionSchema('template') },
    handle(request) {
      const row = templateOf(request)
      return () => {
        deleteTemplate(request.platform.db, row)
        return respondOk({ object: 'template', id: row.id, deleted: true })
      }
    },
  }),
]

function templateOf(request: ApiRequest): TemplateRow {
  const row = findTemplate(request.platform.db, request.param('template'))
  if (!row) throw createNotFoundError('Template not found')
  return row
}

/** Template content with the body's fields applied; omitted fields stay. @throws ApiError 422 */
function contentOf(
  { platform: { db, now } }: ApiRequest,
  before: TemplateRow | null,
  body: z.infer<typeof templateFields>,
): TemplateContent {
  const html = body.html ?? before?.html ?? ''
  const alias = body.alias === undefined ? (before?.alias ?? null) : body.alias
  const holder = alias === null ? undefined : findTemplate(db, alias)
  if (holder && holder.id !== before?.id)
    throw createValidationError(`A template with the alias \`${alias}\` already exists.`)
  const known = before === null ? [] : variablesOf(before)
  const variables = body.variables === undefined ? known : buildVariables(body.variables, known, now())
  const subject = body.subject === undefined ? (before?.subject ?? null) : body.subject
  const written = body.text ?? (body.html === undefined ? before?.text : null) ?? null
  for (const [, key = ''] of `${subject ?? ''}\n${html}\n${written ?? ''}`.matchAll(placeholder)) {
    if (!RESERVED.includes(key) && !variables.some((variable) => variable.key === key)) {
      throw createValidationError(`Variable '${key}' is used in the template but not defined in the variables list`)
    }
  }
  const replyTo = typeof body.reply_to === 'string' ? [body.reply_to] : body.reply_to
  return {
    name: body.name ?? before?.name ?? '',
    alias,
    sender: body.from === undefined ? (before?.sender ?? null) : body.from,
    subject,
    reply_to: replyTo === undefined ? (before?.reply_to ?? null) : replyTo && JSON.stringify(replyTo),
    html,
    // As with e-mails, derived from the HTML unless explicitly empty.
    text: written ?? htmlToText(html),
    variables: JSON.stringify(variables),
  }
}

function buildVariables(
  wanted: readonly z.infer<typeof variableField>[],
  before: readonly TemplateVariable[],
  now: number,
): readonly TemplateVariable[] {
  return wanted.map(({ key, type, fallback_value: fallback = null }, index) => {
    if (RESERVED.includes(key)) throw createValidationError(`The variable name '${key}' is reserved.`)
    if (wanted.findIndex((each) => each.key === key) !== index)
      throw createValidationError(`Variable '${key}' is defined twice.`)
    if (fallback !== null && typeof fallback !== type) {
      throw createValidationError(`The fallback value of the variable '${key}' must be a ${type}.`)
    }
    const known = before.find((each) => each.key === key)
    return { id: known?.id ?? randomUUID(), key, type, fallback, createdAt: known?.createdAt ?? now, updatedAt: now }
  })
}

function variablesOf(row: TemplateRow): readonly TemplateVariable[] {
  return JSON.parse(row.variables) as readonly TemplateVariable[]
}

function showItem(row: TemplateRow): z.infer<typeof templateItemShape> {
  return {
    id: row.id,
    name: row.name,
    alias: row.alias,
    status: row.published_at === null ? 'draft' : 'published',
    published_at: row.published_at === null ? null : formatDatabaseDate(row.published_at),
    created_at: formatDatabaseDate(row.created_at),
    updated_at: formatDatabaseDate(row.updated_at),
  }
}

function showTemplate(row: TemplateRow): z.infer<typeof templateShape> {
  return {
    object: 'template',
    ...showItem(row),
    current_version_id: row.version_id,
    from: row.sender,
    subject: row.subject,
    reply_to: row.reply_to === null ? null : [...parseStringArray(row.reply_to)],
    html: row.html,
    text: row.text,
    variables: variablesOf(row).map(({ id, key, type, fallback, createdAt, updatedAt }) => ({
      id,
      key,
      type,
      fallback_value: fallback,
      created_at: formatDatabaseDate(createdAt),
      updated_at: formatDatabaseDate(updatedAt),
    })),
    has_unpublished_versions: row.is_changed === 1,
  }
}
