import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { databaseDate } from '../http/dates.ts'
import { type Endpoint, created, endpoint, ok } from '../http/endpoint.ts'
import { listEnvelope, listShape, paginationParameters, readPage, readPageRequest } from '../http/pagination.ts'
import type { SegmentRow } from '../storage/contacts.ts'
import { segmentOf } from './contacts.ts'
import { databaseTime, reference, text, uuid } from './shapes.ts'

export const segmentItemShape = z.strictObject({ id: uuid, name: text, created_at: databaseTime })
const nameField = z.string().min(1, 'It must not be empty')

export const segmentEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/segments',
    summary: 'List segments, newest first',
    query: paginationParameters,
    answers: { 200: listShape(segmentItemShape) },
    handle(request) {
      const page = readPage<SegmentRow>(
        request.platform.db,
        { select: 'SELECT * FROM segments', values: [], orderedBy: 'created_at', order: 'newest first' },
        readPageRequest(request.query, null),
      )
      return ok(listEnvelope(page, showSegment))
    },
  }),

  endpoint({
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
        return created({ object: 'segment', id, name })
      }
    },
  }),

  endpoint({
    method: 'GET',
    path: '/segments/:segment',
    summary: 'Retrieve a segment',
    answers: { 200: segmentItemShape.extend({ object: z.literal('segment') }) },
    handle: (request) => ok({ object: 'segment', ...showSegment(segmentOf(request)) }),
  }),

  endpoint({
    method: 'PATCH',
    path: '/segments/:segment',
    summary: 'Rename a segment',
    body: z.object({ name: nameField }),
    answers: { 200: reference('segment') },
    handle(request, { name }) {
      const segment = segmentOf(request)
      return () => {
        request.platform.db.run('UPDATE segments SET name = ? WHERE seq = ?', name, segment.seq)
        return ok({ object: 'segment', id: segment.id })
      }
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/segments/:segment',
    summary: 'Delete a segment; an unknown one answers alike',
    answers: { 200: z.strictObject({ object: z.literal('segment'), id: text, deleted: z.literal(true) }) },
    handle(request) {
      const id = request.param('segment')
      return () => {
        // Platform facts 5: "deleting an unknown id answers 200".
        request.platform.db.run('DELETE FROM segments WHERE id = ?', id)
        return ok({ object: 'segment', id, deleted: true })
      }
    },
  }),
]

export function showSegment({ id, name, created_at }: SegmentRow): z.infer<typeof segmentItemShape> {
  return { id, name, created_at: databaseDate(created_at) }
}
