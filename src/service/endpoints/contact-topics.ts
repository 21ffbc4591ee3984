import { z } from 'zod'
import { type Endpoint, endpoint, ok } from '../http/endpoint.ts'
import { listEnvelope, listShape, paginationParameters, readPage, readPageRequest } from '../http/pagination.ts'
import type { Subscription } from '../storage/contacts.ts'
import { contactOf } from './contacts.ts'
import { optionalText, text, uuid } from './shapes.ts'

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
]
