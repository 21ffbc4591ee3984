import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { formatDatabaseDate } from '../http/dates.ts'
import { type Endpoint, respondCreated, defineEndpoint, respondOk } from '../http/endpoint.ts'
import { toListResponse, listShape, paginationParameters, readPage, parsePageRequest } from '../http/pagination.ts'
import type { SegmentRow } from '../storage/contacts.ts'
import { requireSegment } from './contacts.ts'
import { databaseTime, createReferenceSchema, text, uuid } from './shapes.ts'

export const segmentItemShape = z.strictObject({ id: uuid, name: text, created_at: databaseTime })
const nameField = z.string().min(1, 'It must not be empty')

export const segmentEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    path: '/segments',
    summary: 'List segments, newest first',
    query: paginationParameters,
    answers: { 200: listShape(segmentItemShape) },
    handle(request) {
      const page = readPage<SegmentRow>(
        request.platform.db,
        { select: 'SELECT * FROM segments', values: [], orderedBy: 'created_at', order: 'newest first' },
        parsePageRequest(request.query, null),
      )
      return respondOk(toListResponse(page, toSegmentItem))
    },
  }),

  defineEndpoint({
    method: 'POST',
    path: '/segments',
    summary: 'Create a segment',
    body: z.object({ name: nameField }),
    answers: { 201: z.strictObject({ object: z.literal('segment'), id: uuid, name: text }) },
    handle: (request, { name }) => {
      const { db, now } = request.platform
      return () => {
        const id = randomUUID()
        db.run('INSERT INTO segments (id, name, created_at) VALUES (?, ?, ?)', id, name, now())
        return respondCreated({ object: 'segment', id, name })
      }
    },
  }),

  defineEndpoint({
    method: 'GET',
    path: '/segments/:segment',
    summary: 'Retrieve a segment',
    answers: { 200: segmentItemShape.extend({ object: z.literal('segment') }) },
    handle: (request) => respondOk({ object: 'segment', ...toSegmentItem(requireSegment(request)) }),
  }),

  defineEndpoint({
    method: 'PATCH',
    path: '/segments/:segment',
    summary: 'Rename a segment',
    body: z.object({ name: nameField }),
    answers: { 200: createReferenceSchema('segment') },
    handle(request, { name }) {
      const segment = requireSegment(request)
      return () => {
        request.platform.db.run('UPDATE segments SET name = ? WHERE seq = ?', name, segment.seq)
        return respondOk({ object: 'segment', id: segment.id })
      }
    },
  }),

  defineEndpoint({
    method: 'DELETE',
    path: '/segments/:segment',
    summary: 'Delete a segment; an unknown one answers alike',
    answers: { 200: z.strictObject({ object: z.literal('segment'), id: text, deleted: z.literal(true) }) },
    handle(request) {
      const id = request.param('segment')
      return () => {
        // Deleting an unknown segment returns 200 (platform.md 19.6).
        request.platform.db.run('DELETE FROM segments WHERE id = ?', id)
        return respondOk({ object: 'segment', id, deleted: true })
      }
    },
  }),
]

export function toSegmentItem({ id, name, created_at }: SegmentRow): z.infer<typeof segmentItemShape> {
  return { id, name, created_at: formatDatabaseDate(created_at) }
}
