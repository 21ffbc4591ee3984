import { z } from 'zod'
import { type Endpoint, defineEndpoint, respondOk } from '../http/endpoint.ts'
import { toListResponse, listShape, paginationParameters, readPage, parsePageRequest } from '../http/pagination.ts'
import { type SegmentRow, addToSegment } from '../storage/contacts.ts'
import { requireContact, requireSegment } from './contacts.ts'
import { segmentItemShape, toSegmentItem } from './segments.ts'
import { uuid } from './shapes.ts'

export const contactSegmentEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    path: '/contacts/:contact/segments',
    summary: 'List the segments of a contact',
    query: paginationParameters,
    answers: { 200: listShape(segmentItemShape) },
    handle(request) {
      const contact = requireContact(request)
      const page = readPage<SegmentRow>(
        request.platform.db,
        {
          select:
            'SELECT segments.* FROM segments JOIN contact_segments ON segment_seq = segments.seq WHERE contact_seq = ?',
          values: [contact.seq],
          orderedBy: 'created_at',
          order: 'newest first',
        },
        parsePageRequest(request.query, null),
      )
      return respondOk(toListResponse(page, toSegmentItem))
    },
  }),

  defineEndpoint({
    method: 'POST',
    path: '/contacts/:contact/segments/:segment',
    summary: 'Add a contact to a segment',
    answers: { 200: z.strictObject({ id: uuid }) },
    handle(request) {
      const [contact, segment] = [requireContact(request), requireSegment(request)]
      return () => {
        addToSegment(request.platform.db, contact.seq, segment.seq)
        return respondOk({ id: segment.id })
      }
    },
  }),

  defineEndpoint({
    method: 'DELETE',
    path: '/contacts/:contact/segments/:segment',
    summary: 'Take a contact out of a segment',
    answers: { 200: z.strictObject({ id: uuid, audienceId: uuid, deleted: z.boolean() }) },
    handle(request) {
      const [contact, segment] = [requireContact(request), requireSegment(request)]
      return () => {
        const removed = request.platform.db.run(
          'DELETE FROM contact_segments WHERE contact_seq = ? AND segment_seq = ?',
          contact.seq,
          segment.seq,
        )
        return respondOk({ id: contact.id, audienceId: segment.id, deleted: removed > 0 })
      }
    },
  }),
]
