import { z } from 'zod'
import { databaseDate } from '../http/dates.ts'
import { type ApiRequest, type Endpoint, created, endpoint, ok } from '../http/endpoint.ts'
import { listEnvelope, listShape, paginationParameters, readPage, readPageRequest } from '../http/pagination.ts'
import { type TopicRow, insertTopic } from '../storage/contacts.ts'
import { topicById } from './contacts.ts'
import { databaseTime, deletion, optionalText, reference, text, uuid } from './shapes.ts'

const topicItemShape = z.strictObject({
  id: uuid,
  name: text,
  description: optionalText,
  default_subscription: z.enum(['opt_in', 'opt_out']),
  visibility: z.enum(['public', 'private']),
  created_at: databaseTime,
})

/** Platform facts 5. */
const fields = {
  name: z.string().min(1, 'It must not be empty').max(50),
  description: z.string().max(200).nullish(),
  visibility: z.enum(['public', 'private']).optional(),
}

export const topicEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/topics',
    summary: 'List topics, newest first',
    query: paginationParameters,
    answers: { 200: listShape(topicItemShape) },
    handle(request) {
      const page = readPage<TopicRow>(
        request.platform.db,
        { select: 'SELECT * FROM topics', values: [], orderedBy: 'created_at', order: 'newest first' },
        readPageRequest(request.query, 20),
      )
      return ok(listEnvelope(page, showTopic))
    },
  }),

  endpoint({
    method: 'POST',
    path: '/topics',
    summary: 'Create a topic',
    body: z.object({ ...fields, default_subscription: z.enum(['opt_in', 'opt_out']) }),
    answers: { 201: reference('topic') },
    handle: (request, body) => {
      const { db, now } = request.platform
      return () => {
        const topic = insertTopic(
          db,
          { ...body, description: body.description ?? null, visibility: body.visibility ?? 'private' },
          now(),
        )
        return created({ object: 'topic', id: topic.id })
      }
    },
  }),

  endpoint({
    method: 'GET',
    path: '/topics/:topic',
    summary: 'Retrieve a topic',
    answers: { 200: topicItemShape.extend({ object: z.literal('topic') }) },
    handle: (request) => ok({ object: 'topic', ...showTopic(topicOf(request)) }),
  }),

  endpoint({
    method: 'PATCH',
    path: '/topics/:topic',
    summary: 'Change a topic; its default subscription is fixed',
    body: z.object({ ...fields, name: fields.name.optional() }),
    answers: { 200: reference('topic') },
    handle(request, { name, description, visibility }) {
      const topic = topicOf(request)
      return () => {
        request.platform.db.run(
          'UPDATE topics SET name = ?, description = ?, visibility = ? WHERE seq = ?',
          name ?? topic.name,
          description === undefined ? topic.description : description,
          visibility ?? topic.visibility,
          topic.seq,
        )
        return ok({ object: 'topic', id: topic.id })
      }
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/topics/:topic',
    summary: 'Delete a topic',
    answers: { 200: deletion('topic') },
    handle(request) {
      const topic = topicOf(request)
      return () => {
        request.platform.db.run('DELETE FROM topics WHERE seq = ?', topic.seq)
        return ok({ object: 'topic', id: topic.id, deleted: true })
      }
    },
  }),
]

function topicOf(request: ApiRequest): TopicRow {
  return topicById(request.platform.db, request.param('topic'))
}

function showTopic(topic: TopicRow): z.infer<typeof topicItemShape> {
  return {
    id: topic.id,
    name: topic.name,
    description: topic.description,
    default_subscription: topic.default_subscription,
    visibility: topic.visibility,
    created_at: databaseDate(topic.created_at),
  }
}
