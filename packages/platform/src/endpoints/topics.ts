import { z } from 'zod'
import { formatDatabaseDate } from '../http/dates.ts'
import { type ApiRequest, type Endpoint, respondCreated, defineEndpoint, respondOk } from '../http/endpoint.ts'
import { toListResponse, listShape, paginationParameters, readPage, parsePageRequest } from '../http/pagination.ts'
import { type TopicRow, insertTopic } from '../storage/contacts.ts'
import { requireTopicById } from './contacts.ts'
import { databaseTime, createDeletionSchema, optionalText, createReferenceSchema, text, uuid } from './shapes.ts'

const topicItemShape = z.strictObject({
  id: uuid,
  name: text,
  description: optionalText,
  default_subscription: z.enum(['opt_in', 'opt_out']),
  visibility: z.enum(['public', 'private']),
  created_at: databaseTime,
})

/** See platform.md 19.1. */
const fields = {
  name: z.string().min(1, 'It must not be empty').max(50),
  description: z.string().max(200).nullish(),
  visibility: z.enum(['public', 'private']).optional(),
}

export const topicEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    path: '/topics',
    summary: 'List topics, newest first',
    query: paginationParameters,
    answers: { 200: listShape(topicItemShape) },
    handle(request) {
      const page = readPage<TopicRow>(
        request.platform.db,
        { select: 'SELECT * FROM topics', values: [], orderedBy: 'created_at', order: 'newest first' },
        parsePageRequest(request.query, 20),
      )
      return respondOk(toListResponse(page, showTopic))
    },
  }),

  defineEndpoint({
    method: 'POST',
    path: '/topics',
    summary: 'Create a topic',
    body: z.object({ ...fields, default_subscription: z.enum(['opt_in', 'opt_out']) }),
    answers: { 201: createReferenceSchema('topic') },
    handle: (request, body) => {
      const { db, now } = request.platform
      return () => {
        const topic = insertTopic(
          db,
          { ...body, description: body.description ?? null, visibility: body.visibility ?? 'private' },
          now(),
        )
        return respondCreated({ object: 'topic', id: topic.id })
      }
    },
  }),

  defineEndpoint({
    method: 'GET',
    path: '/topics/:topic',
    summary: 'Retrieve a topic',
    answers: { 200: topicItemShape.extend({ object: z.literal('topic') }) },
    handle: (request) => respondOk({ object: 'topic', ...showTopic(topicOf(request)) }),
  }),

  defineEndpoint({
    method: 'PATCH',
    path: '/topics/:topic',
    summary: 'Change a topic; its default subscription is fixed',
    body: z.object({ ...fields, name: fields.name.optional() }),
    answers: { 200: createReferenceSchema('topic') },
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
        return respondOk({ object: 'topic', id: topic.id })
      }
    },
  }),

  defineEndpoint({
    method: 'DELETE',
    path: '/topics/:topic',
    summary: 'Delete a topic',
    answers: { 200: createDeletionSchema('topic') },
    handle(request) {
      const topic = topicOf(request)
      return () => {
        request.platform.db.run('DELETE FROM topics WHERE seq = ?', topic.seq)
        return respondOk({ object: 'topic', id: topic.id, deleted: true })
      }
    },
  }),
]

function topicOf(request: ApiRequest): TopicRow {
  return requireTopicById(request.platform.db, request.param('topic'))
}

function showTopic(topic: TopicRow): z.infer<typeof topicItemShape> {
  return {
    id: topic.id,
    name: topic.name,
    description: topic.description,
    default_subscription: topic.default_subscription,
    visibility: topic.visibility,
    created_at: formatDatabaseDate(topic.created_at),
  }
}
