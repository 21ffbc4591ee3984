import { z } from 'zod'
import { createValidationError, createNotFoundError } from '../http/api-error.ts'
import { formatIsoTimestamp } from '../http/dates.ts'
import {
  type ApiResponse,
  type ApiRequest,
  type Endpoint,
  type QueryParameter,
  defineEndpoint,
  respondOk,
} from '../http/endpoint.ts'
import { toListResponse, listShape, paginationParameters } from '../http/pagination.ts'
import { type FoundThread, listThreads, searchThreads } from '../search/search-threads.ts'
import { type SearchRequest, parseSearchRequest, parseThreadListRequest } from '../search/search-parameters.ts'
import type { Platform } from '../platform.ts'
import type { Database } from '../storage/database.ts'
import type { EmailRow } from '../storage/emails.ts'
import { findInboxById, type InboxRow } from '../storage/inboxes.ts'
import { type ThreadRow, folders, loadThreadLabels, moveThread, setThreadRead } from '../storage/threads.ts'
import { requireInbox, requireLabelById, requireThread } from './inbox-resources.ts'
import { createDeletionSchema, hexColor, isoTime, optionalText, parseStringArray, text, texts, uuid } from './shapes.ts'

export const threadLabelShape = z.strictObject({ id: uuid, name: text, color: hexColor })

/** See platform.md 8.1. Only a search adds `matched_email_id`. */
const threadShape = z.strictObject({
  id: uuid,
  subject: optionalText,
  from: optionalText,
  to: texts,
  cc: texts,
  bcc: texts,
  labels: z.array(threadLabelShape),
  email_count: z.int(),
  has_attachment: z.boolean(),
  has_draft: z.boolean(),
  read: z.boolean(),
  received_at: isoTime,
  folder: z.enum(folders),
})

const foundThreadShape = threadShape.extend({
  matched_email_id: uuid.nullable(),
  highlights: z.array(text).optional(),
})

const threadSummaryShape = z.strictObject({
  object: z.literal('inbox_thread'),
  id: uuid,
  subject: optionalText,
  folder: z.enum(folders),
  labels: z.array(threadLabelShape),
  read: z.boolean(),
})

const threadFilterParameters: readonly QueryParameter[] = [
  {
    name: 'folders',
    description:
      'Comma-separated: inbox, archive, spam, sent, trash. Default inbox, or inbox,archive,sent with `labels`.',
  },
  { name: 'labels', description: 'Comma-separated label IDs, up to 50; any of them.' },
  { name: 'read', description: '`true`: every e-mail is read. `false`: at least one is not.' },
]

const searchParameters: readonly QueryParameter[] = [
  { name: 'query', description: 'Words that must all match, "exact phrases", -excluded; 256 characters, 32 words.' },
  ...(['from', 'to', 'cc', 'bcc'] as const).map((name) => ({
    name,
    description: 'Comma-separated parts of a name or address, up to 20; any of them.',
  })),
  { name: 'has_attachment', description: '`true` or `false`.' },
  { name: 'start_date', description: 'E-mails on or after this date or ISO 8601 timestamp.' },
  { name: 'end_date', description: 'E-mails on or before it; a date covers its whole day.' },
]

export const threadEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    path: '/inboxes/:inbox/threads',
    summary: 'List threads, exact and current',
    query: [...threadFilterParameters, ...paginationParameters],
    answers: { 200: listShape(threadShape) },
    handle(request) {
      const { db } = request.platform
      const inbox = requireInbox(request)
      const wanted = parseThreadListRequest(request.query)
      checkLabels(request, inbox, wanted.filters.labels)
      return respondOk(toListResponse(listThreads(db, inbox.seq, wanted), (thread) => showThread(db, thread)))
    },
  }),

  defineEndpoint({
    method: 'GET',
    path: '/inboxes/:inbox/threads/search',
    summary: 'Search threads',
    inContract: true,
    query: [...searchParameters, ...threadFilterParameters, ...paginationParameters],
    answers: { 200: listShape(foundThreadShape) },
    handle(request) {
      const { platform } = request
      // Only by ID, never by address (platform.md 9.7).
      const inbox = findInboxById(platform.db, request.param('inbox'))
      if (!inbox) throw createNotFoundError('Inbox not found.')
      const wanted = parseSearchRequest(request.query, platform.settings.searchLimits)
      checkLabels(request, inbox, wanted.filters.labels)
      return platform.scheduler.run(answerSearch(platform, inbox, wanted), request.signal)
    },
  }),

  defineEndpoint({
    method: 'GET',
    path: '/inboxes/:inbox/threads/:thread',
    summary: 'Retrieve a thread',
    answers: { 200: threadSummaryShape },
    handle(request) {
      const inbox = requireInbox(request)
      return respondOk(showSummary(request.platform.db, requireThread(request, inbox)))
    },
  }),

  defineEndpoint({
    method: 'PATCH',
    path: '/inboxes/:inbox/threads/:thread',
    summary: 'Mark a thread read or unread, or move it',
    body: z.object({
      read: z.boolean().optional(),
      folder: z.enum(['inbox', 'archive', 'spam', 'trash']).optional(),
    }),
    answers: { 200: threadSummaryShape },
    handle(request, { read, folder }) {
      const { db, now } = request.platform
      const inbox = requireInbox(request)
      const thread = requireThread(request, inbox)
      if (read === undefined && folder === undefined)
        throw createValidationError('At least one of `read` and `folder` must be provided.')
      return () => {
        if (read !== undefined) setThreadRead(db, thread.seq, read)
        if (folder !== undefined) moveThread(db, thread, folder, now())
        return respondOk(showSummary(db, requireThread(request, inbox)))
      }
    },
  }),

  defineEndpoint({
    method: 'DELETE',
    path: '/inboxes/:inbox/threads/:thread',
    summary: 'Move a thread to trash',
    answers: { 200: createDeletionSchema('inbox_thread') },
    handle(request) {
      const { db, now } = request.platform
      const thread = requireThread(request, requireInbox(request))
      return () => {
        moveThread(db, thread, 'trash', now())
        // `deleted` is true if this call moved the thread (platform.md 8.8).
        return respondOk({ object: 'inbox_thread', id: thread.id, deleted: thread.folder !== 'trash' })
      }
    },
  }),
]

/** Formats the threads in the same step that finds them, before anything can change them. */
function* answerSearch(platform: Platform, inbox: InboxRow, wanted: SearchRequest): Generator<void, ApiResponse> {
  const page = yield* searchThreads(platform, inbox.seq, wanted)
  return respondOk(
    toListResponse(page, (thread) => ({
      ...showThread(platform.db, thread),
      matched_email_id: thread.matchedEmailId,
      ...(platform.settings.highlights ? { highlights: [] } : {}),
    })),
  )
}

/** @throws ApiError 404 naming an unknown label (platform.md 10.13) */
function checkLabels(request: ApiRequest, inbox: InboxRow, labels: readonly string[] | null): void {
  for (const id of labels ?? []) requireLabelById(request, inbox, id)
}

/** A thread's labels, as they appear in every response (platform.md 8.3). */
export function listThreadLabels(db: Database, threadSeq: number): readonly z.infer<typeof threadLabelShape>[] {
  return loadThreadLabels(db, threadSeq).map(({ id, name, color }) => ({ id, name, color }))
}

/** Sender, recipients and attachment flag come from the most recent message (platform.md 8.2). */
function showThread(db: Database, { seq }: FoundThread): z.infer<typeof threadShape> {
  const row = db.get<
    ThreadRow &
      Pick<EmailRow, 'direction' | 'sender' | 'recipients' | 'cc' | 'bcc' | 'delivered_to' | 'has_attachment'> & {
        has_draft: number
      }
  >(
    `SELECT threads.*, direction, sender, recipients, cc, bcc, delivered_to, has_attachment,
       EXISTS (SELECT 1 FROM drafts WHERE drafts.thread_seq = threads.seq AND sent_at IS NULL) AS has_draft
     FROM threads JOIN emails ON emails.seq = latest_email_seq WHERE threads.seq = ?`,
    seq,
  )
  if (!row) throw new Error('A thread that was just found is missing.')
  return {
    id: row.id,
    subject: row.subject,
    from: row.sender === '' ? null : row.sender,
    // "For a received email these are the addresses it was delivered to, not the full To header."
    to: [...parseStringArray(row.direction === 'inbound' ? row.delivered_to : row.recipients)],
    cc: [...parseStringArray(row.cc)],
    bcc: [...parseStringArray(row.bcc)],
    labels: [...listThreadLabels(db, seq)],
    email_count: row.email_count,
    has_attachment: row.has_attachment === 1,
    has_draft: row.has_draft === 1,
    read: row.unread_count === 0,
    received_at: formatIsoTimestamp(row.received_at),
    folder: row.folder,
  }
}

/** See platform.md 8.6. */
export function showSummary(db: Database, thread: ThreadRow): z.infer<typeof threadSummaryShape> {
  return {
    object: 'inbox_thread',
    id: thread.id,
    subject: thread.subject,
    folder: thread.folder,
    labels: [...listThreadLabels(db, thread.seq)],
    read: thread.unread_count === 0,
  }
}
