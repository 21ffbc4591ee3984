import { z } from 'zod'
import { isoDate } from '../http/dates.ts'
import { type Endpoint, endpoint, ok } from '../http/endpoint.ts'
import { listEnvelope, listShape, paginationParameters, readPage, readPageRequest } from '../http/pagination.ts'
import type { Database } from '../storage/database.ts'
import type { InboxRow } from '../storage/inboxes.ts'
import { inboxOf } from './inbox-of-request.ts'
import { isoTime, optionalText, text, uuid } from './shapes.ts'

/** Platform facts 3.1, list item. */
const inboxItemShape = z.strictObject({
  id: uuid,
  name: optionalText,
  email_address: text,
  from_name: optionalText,
  unread: z.int(),
  last_received: isoTime.nullable(),
  created_at: isoTime,
  updated_at: isoTime,
})

/** Platform facts 3.1, detail. */
const inboxShape = z.strictObject({
  object: z.literal('inbox'),
  id: uuid,
  name: text,
  email_address: text,
  domain_id: uuid,
  receiving_address: optionalText,
  from_name: optionalText,
  unread: z.int(),
  drafts: z.int(),
  last_received: isoTime.nullable(),
  created_at: isoTime,
  updated_at: isoTime,
})

export const inboxEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/inboxes',
    summary: 'List inboxes, newest first',
    query: paginationParameters,
    answers: { 200: listShape(inboxItemShape) },
    handle(request) {
      const { db } = request.platform
      const page = readPage<InboxRow>(
        db,
        { select: 'SELECT * FROM inboxes', values: [], orderedBy: 'created_at', order: 'newest first' },
        readPageRequest(request.query, 20),
      )
      return ok(listEnvelope(page, (inbox) => showInboxItem(db, inbox)))
    },
  }),

  endpoint({
    method: 'GET',
    path: '/inboxes/:inbox',
    summary: 'Retrieve an inbox',
    answers: { 200: inboxShape },
    handle(request) {
      const { db } = request.platform
      const inbox = inboxOf(request)
      return ok({
        object: 'inbox',
        ...showInboxItem(db, inbox),
        domain_id: inbox.domain_id,
        receiving_address: inbox.receiving_address,
        drafts: count(db, 'SELECT count(*) AS n FROM drafts WHERE inbox_seq = ? AND sent_at IS NULL', inbox),
      })
    },
  }),
]

function showInboxItem(db: Database, inbox: InboxRow): z.infer<typeof inboxItemShape> {
  const received = db.get<{ latest: number | null }>(
    "SELECT max(received_at) AS latest FROM emails WHERE inbox_seq = ? AND direction = 'inbound'",
    inbox.seq,
  )
  return {
    id: inbox.id,
    name: inbox.name,
    email_address: inbox.email_address,
    from_name: inbox.from_name,
    unread: count(
      db,
      "SELECT count(*) AS n FROM threads WHERE inbox_seq = ? AND folder = 'inbox' AND unread_count > 0",
      inbox,
    ),
    last_received: typeof received?.latest === 'number' ? isoDate(received.latest) : null,
    created_at: isoDate(inbox.created_at),
    updated_at: isoDate(inbox.updated_at),
  }
}

function count(db: Database, sql: string, inbox: InboxRow): number {
  return db.get<{ n: number }>(sql, inbox.seq)?.n ?? 0
}
