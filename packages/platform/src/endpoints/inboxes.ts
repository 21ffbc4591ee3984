import { z } from 'zod'
import { createValidationError } from '../http/api-error.ts'
import { formatIsoTimestamp } from '../http/dates.ts'
import { domainOf, isAddress } from '../mail/addresses.ts'
import { type Endpoint, defineEndpoint, respondOk } from '../http/endpoint.ts'
import { toListResponse, listShape, paginationParameters, readPage, parsePageRequest } from '../http/pagination.ts'
import type { Database } from '../storage/database.ts'
import { findDomain, isReadyFor } from '../storage/domains.ts'
import { type InboxRow, addInbox, findInboxByAddress } from '../storage/inboxes.ts'
import { createUnverifiedDomainError } from './domains.ts'
import { requireInbox } from './inbox-resources.ts'
import {
  createDeletionSchema,
  isoTime,
  optionalText,
  parseStringArray,
  createReferenceSchema,
  text,
  uuid,
} from './shapes.ts'

/** See platform.md 6.1. */
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

/** See platform.md 6.2. */
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

/** See platform.md 6.6. */
const nameField = z.string().trim().min(1, 'It must not be empty').max(64)
const fromNameField = z
  .string()
  .max(78)
  .regex(/^[^<>:\r\n]*$/, 'It must be a plain name, not `Name <email@example.com>`')

/** See platform.md 16.2. */
const agentActions = [
  'draft_reply',
  'forward_thread',
  'add_labels',
  'assign_thread',
  'mark_as_spam',
  'archive',
  'move_to_trash',
] as const
const agentTones = ['concise_professional', 'concise_casual', 'expanded_professional', 'expanded_casual'] as const

export const inboxEndpoints: readonly Endpoint[] = [
  defineEndpoint({
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
        parsePageRequest(request.query, 20),
      )
      return respondOk(toListResponse(page, (inbox) => showInboxItem(db, inbox)))
    },
  }),

  defineEndpoint({
    method: 'GET',
    path: '/inboxes/:inbox',
    summary: 'Retrieve an inbox',
    answers: { 200: inboxShape },
    handle(request) {
      return respondOk(showInbox(request.platform.db, requireInbox(request)))
    },
  }),

  defineEndpoint({
    method: 'POST',
    path: '/inboxes',
    summary: 'Create an inbox',
    body: z.object({
      email_address: z.string().refine(isAddress, 'It must be an email address'),
      name: nameField.optional(),
      from_name: fromNameField.optional(),
      forwarding: z.boolean().optional(),
    }),
    answers: { 200: createReferenceSchema('inbox') },
    handle(request, body) {
      const { db, now } = request.platform
      return () => {
        if (findInboxByAddress(db, body.email_address))
          throw createValidationError('An inbox with this email address already exists.')
        checkDomain(db, domainOf(body.email_address), body.forwarding ?? false)
        const inbox = addInbox(
          db,
          {
            emailAddress: body.email_address,
            name: body.name ?? null,
            fromName: body.from_name ?? null,
            forwarding: body.forwarding ?? false,
          },
          now(),
        )
        return respondOk({ object: 'inbox', id: inbox.id })
      }
    },
  }),

  defineEndpoint({
    method: 'PATCH',
    path: '/inboxes/:inbox',
    summary: 'Rename an inbox',
    body: z.object({ name: nameField.optional(), from_name: fromNameField.optional() }),
    answers: { 200: createReferenceSchema('inbox') },
    handle(request, body) {
      const { db, now } = request.platform
      const inbox = requireInbox(request)
      if (body.name === undefined && body.from_name === undefined) {
        throw createValidationError('At least one of `name` and `from_name` must be provided.')
      }
      return () => {
        db.run(
          'UPDATE inboxes SET name = ?, from_name = ?, updated_at = ? WHERE seq = ?',
          body.name ?? inbox.name,
          body.from_name ?? inbox.from_name,
          now(),
          inbox.seq,
        )
        return respondOk({ object: 'inbox', id: inbox.id })
      }
    },
  }),

  defineEndpoint({
    method: 'DELETE',
    path: '/inboxes/:inbox',
    summary: 'Delete an inbox with its threads, for good',
    answers: { 200: createDeletionSchema('inbox') },
    handle(request) {
      const inbox = requireInbox(request)
      return () => {
        request.platform.db.run('DELETE FROM inboxes WHERE seq = ?', inbox.seq)
        return respondOk({ object: 'inbox', id: inbox.id, deleted: true })
      }
    },
  }),

  defineEndpoint({
    method: 'GET',
    path: '/inboxes/:inbox/agent',
    summary: 'Retrieve the agent settings of an inbox',
    answers: {
      200: z.strictObject({
        object: z.literal('inbox_agent'),
        instructions: optionalText,
        tone: z.enum(agentTones).nullable(),
        actions: z.array(z.enum(agentActions)),
      }),
    },
    handle(request) {
      const inbox = requireInbox(request)
      return respondOk({
        object: 'inbox_agent',
        instructions: inbox.agent_instructions,
        tone: inbox.agent_tone,
        actions: parseStringArray(inbox.agent_actions),
      })
    },
  }),

  defineEndpoint({
    method: 'PATCH',
    path: '/inboxes/:inbox/agent',
    summary: 'Change the agent settings of an inbox',
    body: z.object({
      // Vendor documentation: not empty, at most 4,000 characters, null to clear.
      instructions: z.string().min(1, 'It must not be empty').max(4000, 'It must be at most 4000 characters').nullish(),
      tone: z.enum(agentTones).nullish(),
      actions: z.array(z.enum(agentActions)).optional(),
    }),
    answers: { 200: createReferenceSchema('inbox_agent') },
    handle(request, { instructions, tone, actions }) {
      const { db, now } = request.platform
      const inbox = requireInbox(request)
      if (instructions === undefined && tone === undefined && actions === undefined) {
        throw createValidationError('At least one of `instructions`, `tone` and `actions` must be provided.')
      }
      return () => {
        db.run(
          'UPDATE inboxes SET agent_instructions = ?, agent_tone = ?, agent_actions = ?, updated_at = ? WHERE seq = ?',
          instructions === undefined ? inbox.agent_instructions : instructions,
          tone === undefined ? inbox.agent_tone : tone,
          actions === undefined ? inbox.agent_actions : JSON.stringify(actions),
          now(),
          inbox.seq,
        )
        return respondOk({ object: 'inbox_agent', id: inbox.id })
      }
    },
  }),
]

/** @throws ApiError 403 if an added domain can't send, or can't receive and mail isn't forwarded (platform.md 6.7) */
function checkDomain(db: Database, name: string, isForwarding: boolean): void {
  const domain = findDomain(db, name)
  if (!domain) return
  if (!isReadyFor(domain, 'sending') || (!isForwarding && !isReadyFor(domain, 'receiving')))
    throw createUnverifiedDomainError(name)
}

export function showInbox(db: Database, inbox: InboxRow) {
  return {
    object: 'inbox' as const,
    ...showInboxItem(db, inbox),
    domain_id: inbox.domain_id,
    receiving_address: inbox.receiving_address,
    drafts: count(db, 'SELECT count(*) AS n FROM drafts WHERE inbox_seq = ? AND sent_at IS NULL', inbox),
  }
}

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
    last_received: typeof received?.latest === 'number' ? formatIsoTimestamp(received.latest) : null,
    created_at: formatIsoTimestamp(inbox.created_at),
    updated_at: formatIsoTimestamp(inbox.updated_at),
  }
}

function count(db: Database, sql: string, inbox: InboxRow): number {
  return db.get<{ n: number }>(sql, inbox.seq)?.n ?? 0
}
