import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { ApiError, createValidationError, createNotFoundError } from '../http/api-error.ts'
import { formatDatabaseDate } from '../http/dates.ts'
import { type ApiRequest, type Endpoint, respondCreated, defineEndpoint, respondOk } from '../http/endpoint.ts'
import { toListResponse, listShape, paginationParameters, readPage, parsePageRequest } from '../http/pagination.ts'
import { parseBody } from '../http/parse-body.ts'
import { isAddress } from '../mail/addresses.ts'
import type { Database } from '../storage/database.ts'
import {
  type PropertyType,
  addToSegment,
  loadAllProperties,
  findContact,
  upsertContact,
  setTopicSubscription,
} from '../storage/contacts.ts'
import { requireSegmentById, segmentFields, subscriptionFields, requireTopicById } from './contacts.ts'
import { parseCsv } from './csv.ts'
import { databaseTime, createReferenceSchema, uuid } from './shapes.ts'

const statuses = ['queued', 'in_progress', 'completed', 'failed'] as const
const countsShape = z.strictObject({
  total: z.int(),
  created: z.int(),
  updated: z.int(),
  skipped: z.int(),
  failed: z.int(),
})
type Counts = z.infer<typeof countsShape>

const importShape = z.strictObject({
  object: z.literal('contact_import'),
  id: uuid,
  status: z.enum(statuses),
  created_at: databaseTime,
  completed_at: databaseTime.nullable(),
  counts: countsShape,
})

/** The form's JSON fields; without a column map, headings are field names. */
const columnMap = z.object({
  email: z.string().optional(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  unsubscribed: z.string().optional(),
  properties: z.record(z.string(), z.object({ column: z.string(), type: z.string().optional() })).optional(),
})
type ColumnMap = z.infer<typeof columnMap>

interface ImportRow {
  readonly id: string
  readonly seq: number
  readonly status: (typeof statuses)[number]
  readonly counts: string
  readonly created_at: number
  readonly completed_at: number | null
}

export const contactImportEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'POST',
    path: '/contacts/imports',
    summary: 'Import contacts from a CSV file (multipart form); done when it answers',
    answers: { 201: createReferenceSchema('contact_import') },
    async handle(request) {
      const { db, now } = request.platform
      const file = request.form?.get('file')
      if (!(file instanceof Blob)) throw new ApiError(422, 'missing_required_field', 'Missing `file` field.')
      const columns = parseField(request, 'column_map', columnMap) ?? {}
      const conflict = request.form?.get('on_conflict') ?? 'upsert'
      if (conflict !== 'upsert' && conflict !== 'skip')
        throw createValidationError('Invalid `on_conflict` field. It must be upsert or skip.')
      const segments = (parseField(request, 'segments', segmentFields) ?? []).map(({ id }) =>
        requireSegmentById(db, id),
      )
      const topics = (parseField(request, 'topics', subscriptionFields) ?? []).map(({ id, subscription }) => ({
        topic: requireTopicById(db, id),
        subscription,
      }))
      const records = contactRecords(db, parseCsv(await file.text()), columns)
      const importRecords = (): Counts => {
        const counts = { total: records.length, created: 0, updated: 0, skipped: 0, failed: 0 }
        for (const record of records) {
          const known = isAddress(record.email) ? findContact(db, record.email) : undefined
          const outcome = !isAddress(record.email)
            ? 'failed'
            : !known
              ? 'created'
              : conflict === 'skip'
                ? 'skipped'
                : 'updated'
          counts[outcome]++
          if (outcome === 'failed' || outcome === 'skipped') continue
          const contact = upsertContact(db, record.email, record, now())
          for (const segment of segments) addToSegment(db, contact.seq, segment.seq)
          for (const { topic, subscription } of topics) setTopicSubscription(db, contact.seq, topic.seq, subscription)
        }
        return counts
      }
      return () => {
        // Importing contacts sends no events (vendor documentation, "contact.created").
        const counts = request.platform.events.silently(importRecords)
        return respondCreated({ object: 'contact_import', id: insertImport(db, counts, now()) })
      }
    },
  }),

  defineEndpoint({
    method: 'GET',
    path: '/contacts/imports',
    summary: 'List contact imports, newest first',
    query: [...paginationParameters, { name: 'status', description: statuses.join(', ') }],
    answers: { 200: listShape(importShape) },
    handle(request) {
      const page = readPage<ImportRow>(
        request.platform.db,
        {
          select: 'SELECT * FROM contact_imports WHERE status = coalesce(?, status)',
          values: [request.query.get('status')],
          orderedBy: 'created_at',
          order: 'newest first',
        },
        parsePageRequest(request.query, 20),
      )
      return respondOk(toListResponse(page, showImport))
    },
  }),

  defineEndpoint({
    method: 'GET',
    path: '/contacts/imports/:import',
    summary: 'Retrieve a contact import',
    answers: { 200: importShape },
    handle(request) {
      const row = request.platform.db.get<ImportRow>(
        'SELECT * FROM contact_imports WHERE id = ?',
        request.param('import'),
      )
      if (!row) throw createNotFoundError('Contact import not found')
      return respondOk(showImport(row))
    },
  }),
]

function parseField<Schema extends z.ZodType>(
  request: ApiRequest,
  name: string,
  schema: Schema,
): z.infer<Schema> | null {
  const value = request.form?.get(name)
  if (typeof value !== 'string') return null
  try {
    return parseBody(schema, JSON.parse(value))
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw createValidationError(`Invalid \`${name}\` field. It must be JSON.`)
  }
}

interface ContactRecord {
  readonly email: string
  readonly firstName?: string
  readonly lastName?: string
  readonly unsubscribed?: boolean
  readonly properties: Readonly<Record<string, string | number>>
}

function contactRecords(
  db: Database,
  table: readonly (readonly string[])[],
  columns: ColumnMap,
): readonly ContactRecord[] {
  const [heading = [], ...rows] = table
  const properties = loadAllProperties(db).map(({ key, type }) => ({
    key,
    type,
    column: columns.properties?.[key]?.column ?? key,
  }))
  return rows.map((row) => {
    const cell = (column: string): string | undefined => {
      const value = row[heading.indexOf(column)]?.trim()
      return value === '' ? undefined : value
    }
    const firstName = cell(columns.first_name ?? 'first_name')
    const lastName = cell(columns.last_name ?? 'last_name')
    const unsubscribed = cell(columns.unsubscribed ?? 'unsubscribed')
    return {
      email: cell(columns.email ?? 'email') ?? '',
      ...(firstName === undefined ? {} : { firstName }),
      ...(lastName === undefined ? {} : { lastName }),
      ...(unsubscribed === undefined ? {} : { unsubscribed: /^(?:true|1|yes)$/i.test(unsubscribed) }),
      properties: Object.fromEntries(
        properties.flatMap(({ key, type, column }) => {
          const value = propertyValue(type, cell(column))
          return value === undefined ? [] : [[key, value]]
        }),
      ),
    }
  })
}

function propertyValue(type: PropertyType, cell: string | undefined): string | number | undefined {
  if (cell === undefined || type === 'string') return cell
  const number = Number(cell)
  return Number.isFinite(number) ? number : undefined
}

function insertImport(db: Database, counts: Counts, now: number): string {
  const id = randomUUID()
  db.run(
    "INSERT INTO contact_imports (id, status, counts, created_at, completed_at) VALUES (?, 'completed', ?, ?, ?)",
    id,
    JSON.stringify(counts),
    now,
    now,
  )
  return id
}

function showImport(row: ImportRow): z.infer<typeof importShape> {
  return {
    object: 'contact_import',
    id: row.id,
    status: row.status,
    created_at: formatDatabaseDate(row.created_at),
    completed_at: row.completed_at === null ? null : formatDatabaseDate(row.completed_at),
    counts: JSON.parse(row.counts) as Counts,
  }
}
