import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../http/endpoint.ts'
import { listEnvelope, listShape, paginationParameters, readPage, readPageRequest } from '../http/pagination.ts'
import { type Subscription, setSubscription } from '../storage/contacts.ts'
import { contactOf, subscriptionFields, topicById } from './contacts.ts'
import { optionalText, reference, text, uuid } from './shapes.ts'

/** Contract, Topic subscription. */
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
  endpoint({
    method: 'GET',
    path: '/contacts/:contact/topics',
    summary: 'List the topics of a contact, newest topic first',
    inContract: true,
    query: paginationParameters,
    answers: { 200: listShape(contactTopicShape) },
    handle(request) {
      const contact = contactOf(request)
      const page = readPage<ContactTopicRow>(
        request.platform.db,
        {
          // Platform facts 5: an explicit choice, else the topic's default.
          select: `SELECT topics.*, coalesce(contact_topics.subscription, default_subscription) AS subscription
                   FROM topics LEFT JOIN contact_topics ON topic_seq = topics.seq AND contact_seq = ?`,
          values: [contact.seq],
          orderedBy: 'created_at',
          order: 'newest first',
        },
        readPageRequest(request.query, null),
      )
      return ok(
        listEnvelope(page, ({ id, name, description, subscription }) => ({ id, name, description, subscription })),
      )
    },
  }),

  endpoint({
    method: 'PATCH',
    path: '/contacts/:contact/topics',
    summary: 'Subscribe a contact to topics or unsubscribe it',
    // Platform facts 5: the SDK and the curl pages send a bare list, the reference wraps it in an object.
    body: z.union([subscriptionFields, z.object({ topics: subscriptionFields })]),
    answers: { 200: reference('contact_topics') },
    handle(request, body) {
      const { db } = request.platform
      const contact = contactOf(request)
      const changes = 'topics' in body ? body.topics : body
      const topics = changes.map(({ id, subscription }) => ({ topic: topicById(db, id), subscription }))
      return () => {
        for (const { topic, subscription } of topics) setSubscription(db, contact.seq, topic.seq, subscription)
        return ok({ object: 'contact_topics', id: contact.id })
      }
    },
  }),
]
