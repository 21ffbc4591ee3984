import { z } from 'zod'
import { type Endpoint, defineEndpoint, respondOk } from '../http/endpoint.ts'
import { toListResponse, listShape, paginationParameters, readPage, parsePageRequest } from '../http/pagination.ts'
import { type Subscription, setTopicSubscription } from '../storage/contacts.ts'
import { requireContact, subscriptionFields, requireTopicById } from './contacts.ts'
import { optionalText, createReferenceSchema, text, uuid } from './shapes.ts'

/** See platform.md 19.2. */
const contactTopicShape = z.strictObject({
  id: uuid,
  name: text,
  description: optionalText,
  subscription: z.enum(['opt_in', 'opt_out']),
})

interface ContactTopicRow {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly subscription: Subscription
}

export const contactTopicEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    path: '/contacts/:contact/topics',
    summary: 'List the topics of a contact, newest topic first',
    inContract: true,
    query: paginationParameters,
    answers: { 200: listShape(contactTopicShape) },
    handle(request) {
      const contact = requireContact(request)
      const page = readPage<ContactTopicRow>(
        request.platform.db,
        {
          // An explicit choice, else the topic's default (platform.md 19.3).
          select: `SELECT topics.*, coalesce(contact_topics.subscription, default_subscription) AS subscription
                   FROM topics LEFT JOIN contact_topics ON topic_seq = topics.seq AND contact_seq = ?`,
          values: [contact.seq],
          orderedBy: 'created_at',
          order: 'newest first',
        },
        parsePageRequest(request.query, null),
      )
      return respondOk(
        toListResponse(page, ({ id, name, description, subscription }) => ({ id, name, description, subscription })),
      )
    },
  }),

  defineEndpoint({
    method: 'PATCH',
    path: '/contacts/:contact/topics',
    summary: 'Subscribe a contact to topics or unsubscribe it',
    // A bare list, or wrapped in an object (platform.md 19.4).
    body: z.union([subscriptionFields, z.object({ topics: subscriptionFields })]),
    answers: { 200: createReferenceSchema('contact_topics') },
    handle(request, body) {
      const { db } = request.platform
      const contact = requireContact(request)
      const changes = 'topics' in body ? body.topics : body
      const topics = changes.map(({ id, subscription }) => ({ topic: requireTopicById(db, id), subscription }))
      return () => {
        for (const { topic, subscription } of topics) setTopicSubscription(db, contact.seq, topic.seq, subscription)
        return respondOk({ object: 'contact_topics', id: contact.id })
      }
    },
  }),
]
