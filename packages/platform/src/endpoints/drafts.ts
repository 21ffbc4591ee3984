import { z } from 'zod'
import { ApiError, createValidationError, createNotFoundError } from '../http/api-error.ts'
import { formatIsoTimestamp } from '../http/dates.ts'
import { type ApiRequest, type Endpoint, respondCreated, defineEndpoint, respondOk } from '../http/endpoint.ts'
import { toListResponse, listShape, paginationParameters, readPage, parsePageRequest } from '../http/pagination.ts'
import { type Mailbox, formatMailbox } from '../mail/addresses.ts'
import type { OutgoingMessage } from '../mail/compose-message.ts'
import { htmlToText } from '../mail/html-text.ts'
import { attachmentField, draftAttachmentRules, resolveAttachments } from '../mail/outgoing-attachments.ts'
import { parseMailboxesJson, selectReplyRecipients } from '../mail/replies.ts'
import { prepareSending } from '../mail/send.ts'
import { toReplySubject } from '../mail/subjects.ts'
import type { Platform } from '../platform.ts'
import type { Database } from '../storage/database.ts'
import {
  type DraftContent,
  type DraftRow,
  loadDraftAttachments,
  loadOutgoingAttachments,
  findDraft,
  insertDraft,
  replaceDraftAttachments,
  SELECT_DRAFTS,
  updateDraft,
} from '../storage/drafts.ts'
import { type EmailRow, findEmail, findThreadEmail } from '../storage/emails.ts'
import type { InboxRow } from '../storage/inboxes.ts'
import { type ThreadRow, findThread } from '../storage/threads.ts'
import { buildReplyHeaders, senderOf } from './replies-and-forwards.ts'
import { requireInbox } from './inbox-resources.ts'
import { answerHeadersField, checkRecipientCount, recipientsField, subjectField } from './outgoing-fields.ts'
import {
  createDeletionSchema,
  isoTime,
  optionalText,
  parseStringArray,
  createReferenceSchema,
  text,
  texts,
  uuid,
} from './shapes.ts'

/** See platform.md 14.1. */
const draftAttachmentShape = z.strictObject({ id: uuid, filename: text, content_type: text, size: z.int() })
const sharedShape = {
  id: uuid,
  type: z.enum(['standalone', 'reply']),
  to: texts.nullable(),
  cc: texts,
  bcc: texts,
  subject: optionalText,
  thread_id: uuid.nullable(),
  reply_to_email_id: uuid.nullable(),
  updated_at: isoTime,
  attachments: z.array(draftAttachmentShape),
}
const draftItemShape = z.strictObject({ ...sharedShape, snippet: optionalText })
const draftShape = z.strictObject({
  object: z.literal('inbox_draft'),
  ...sharedShape,
  html: optionalText,
  text: optionalText,
  email_id: uuid.nullable(),
  created_at: isoTime,
})

const contentFields = {
  to: recipientsField.nullish(),
  cc: recipientsField.nullish(),
  bcc: recipientsField.nullish(),
  subject: subjectField.nullish(),
  html: z.string().nullish(),
  text: z.string().nullish(),
  attachments: z.array(attachmentField).nullish(),
}

export const draftEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    path: '/inboxes/:inbox/drafts',
    summary: 'List unsent drafts, last changed first',
    query: paginationParameters,
    answers: { 200: listShape(draftItemShape) },
    handle(request) {
      const { db } = request.platform
      const inbox = requireInbox(request)
      const page = readPage<DraftRow>(
        db,
        {
          select: `${SELECT_DRAFTS} WHERE drafts.inbox_seq = ? AND drafts.sent_at IS NULL`,
          values: [inbox.seq],
          orderedBy: 'updated_at',
          order: 'newest first',
        },
        parsePageRequest(request.query, 20),
      )
      return respondOk(toListResponse(page, (draft) => ({ ...showShared(db, draft), snippet: snippetOf(draft) })))
    },
  }),

  defineEndpoint({
    method: 'POST',
    path: '/inboxes/:inbox/drafts',
    summary: 'Create a draft; a reply draft that exists already is returned with 200',
    idempotent: true,
    body: z.object({ ...contentFields, thread_id: z.uuid().optional(), reply_to_email_id: z.uuid().optional() }),
    answers: { 200: createReferenceSchema('inbox_draft'), 201: createReferenceSchema('inbox_draft') },
    async handle(request, body) {
      const { db, now } = request.platform
      const inbox = requireInbox(request)
      const answered = answeredEmail(db, inbox, body.thread_id, body.reply_to_email_id)
      checkRecipientCount(body.to ?? [], body.cc ?? [], body.bcc ?? [])
      checkNotEmpty(body)
      const attachments = await resolveAttachments(body.attachments ?? [], draftAttachmentRules)
      const to = body.to ?? (answered && selectReplyRecipients(answered.email, inbox.email_address, false).to)
      return () => {
        const existing = answered && unsentReplyDraft(db, answered.email)
        if (existing) return respondOk({ object: 'inbox_draft', id: existing })
        const content: DraftContent = {
          recipients: to && listJson(to),
          cc: listJson(body.cc ?? []),
          bcc: listJson(body.bcc ?? []),
          subject: body.subject ?? null,
          html: body.html ?? null,
          text: body.text ?? null,
        }
        const answers = answered && { threadSeq: answered.thread.seq, emailSeq: answered.email.seq }
        const id = insertDraft(db, inbox.seq, content, answers, now())
        replaceDraftAttachments(db, draftById(db, inbox, id).seq, attachments)
        return respondCreated({ object: 'inbox_draft', id })
      }
    },
  }),

  defineEndpoint({
    method: 'GET',
    path: '/inboxes/:inbox/drafts/:draft',
    summary: 'Retrieve a draft',
    answers: { 200: draftShape },
    handle(request) {
      const draft = draftOf(request)
      const { html, text: plain } = draft
      return respondOk({ ...showDraftWithoutBody(request.platform.db, draft), html, text: plain })
    },
  }),

  defineEndpoint({
    method: 'PATCH',
    path: '/inboxes/:inbox/drafts/:draft',
    summary: 'Change a draft: what is left out stays, null clears',
    body: z.object(contentFields),
    answers: { 200: createReferenceSchema('inbox_draft') },
    async handle(request, body) {
      const { db, now } = request.platform
      if (Object.values(body).every((value) => value === undefined))
        throw createValidationError('At least one field must be provided.')
      const draft = unsentDraftOf(request)
      const attachments =
        body.attachments === undefined ? null : await resolveAttachments(body.attachments ?? [], draftAttachmentRules)
      return () => {
        const current = unsentDraftOf(request)
        const content = applyChange(current, body)
        checkRecipientCount(
          parseMailboxesJson(content.recipients ?? '[]'),
          parseMailboxesJson(content.cc),
          parseMailboxesJson(content.bcc),
        )
        updateDraft(db, current.seq, content, now())
        if (attachments) replaceDraftAttachments(db, current.seq, attachments)
        return respondOk({ object: 'inbox_draft', id: draft.id })
      }
    },
  }),

  defineEndpoint({
    method: 'DELETE',
    path: '/inboxes/:inbox/drafts/:draft',
    summary: 'Delete a draft',
    answers: { 200: createDeletionSchema('inbox_draft') },
    handle(request) {
      const draft = unsentDraftOf(request)
      return () => {
        request.platform.db.run('DELETE FROM drafts WHERE seq = ?', draft.seq)
        return respondOk({ object: 'inbox_draft', id: draft.id, deleted: true })
      }
    },
  }),

  defineEndpoint({
    method: 'POST',
    path: '/inboxes/:inbox/drafts/:draft/send',
    summary: 'Send a draft',
    idempotent: true,
    body: z.object({ headers: answerHeadersField.nullish() }),
    answers: { 200: z.strictObject({ id: uuid }) },
    async handle(request, body) {
      const { db, now } = request.platform
      const inbox = requireInbox(request)
      const draft = unsentDraftOf(request)
      const answered = answeredEmailOf(db, inbox, draft)
      const message = messageOf(request.platform, inbox, draft, answered)
      const send = await prepareSending(
        request.platform,
        { ...message, headers: body.headers ?? {} },
        { place: { inbox: inbox.seq, thread: answered?.thread.seq ?? null } },
      )
      return () => {
        // Another request may have sent or changed the draft while the message was composed.
        const current = unsentDraftOf(request)
        if (current.updated_at !== draft.updated_at) {
          throw new ApiError(409, 'resource_locked', 'Another request changed the draft. Try again.')
        }
        const email = send()
        db.run(
          'UPDATE drafts SET sent_email_seq = ?, thread_seq = ?, sent_at = ?, updated_at = ? WHERE seq = ?',
          email.seq,
          email.thread_seq,
          now(),
          now(),
          current.seq,
        )
        return respondOk({ id: email.id })
      }
    },
  }),
]

interface Answered {
  readonly thread: ThreadRow
  readonly email: EmailRow
}

/**
 * `thread_id` and `reply_to_email_id` only together; 404 if the e-mail is unknown or belongs to another thread
 * (platform.md 14.5).
 */
function answeredEmail(
  db: Database,
  inbox: InboxRow,
  threadId: string | undefined,
  emailId: string | undefined,
): Answered | null {
  if (threadId === undefined && emailId === undefined) return null
  if (threadId === undefined || emailId === undefined) {
    throw createValidationError('`thread_id` and `reply_to_email_id` must be provided together.')
  }
  const thread = findThread(db, inbox.seq, threadId)
  if (!thread) throw createNotFoundError('Thread not found.')
  const email = findThreadEmail(db, thread.seq, emailId)
  if (!email) throw createNotFoundError('Email not found.')
  return { thread, email }
}

function answeredEmailOf(db: Database, inbox: InboxRow, draft: DraftRow): Answered | null {
  const email = draft.reply_to_email_id === null ? undefined : findEmail(db, draft.reply_to_email_id)
  const thread = draft.thread_id === null ? undefined : findThread(db, inbox.seq, draft.thread_id)
  return email && thread ? { thread, email } : null
}

/** A message has one unsent reply draft (platform.md 14.5). */
function unsentReplyDraft(db: Database, email: EmailRow): string | null {
  const row = db.get<{ id: string }>(
    'SELECT id FROM drafts WHERE reply_to_email_seq = ? AND sent_at IS NULL',
    email.seq,
  )
  return row?.id ?? null
}

/** A new draft needs at least one non-empty field (platform.md 14.4). */
function checkNotEmpty(body: Readonly<Record<string, unknown>>): void {
  const fields = Object.keys(contentFields).map((name) => body[name])
  if (fields.some((value) => (Array.isArray(value) ? value.length > 0 : typeof value === 'string' && value !== '')))
    return
  throw createValidationError(
    'At least one of `to`, `cc`, `bcc`, `subject`, `text`, `html` and `attachments` must not be empty.',
  )
}

type ContentChange = Partial<Record<'to' | 'cc' | 'bcc', Mailbox[] | null | undefined>> &
  Partial<Record<'subject' | 'html' | 'text', string | null | undefined>>

/**
 * An omitted field stays, and `null` clears it. If only one of `text` and `html` is sent, the other is emptied
 * (platform.md 14.7).
 */
function applyChange(draft: DraftRow, change: ContentChange): DraftContent {
  const changesBody = change.html !== undefined || change.text !== undefined
  return {
    recipients: change.to === undefined ? draft.recipients : change.to && listJson(change.to),
    cc: change.cc === undefined ? draft.cc : listJson(change.cc ?? []),
    bcc: change.bcc === undefined ? draft.bcc : listJson(change.bcc ?? []),
    subject: change.subject === undefined ? draft.subject : change.subject,
    html: changesBody ? (change.html ?? null) : draft.html,
    text: changesBody ? (change.text ?? null) : draft.text,
  }
}

/**
 * A reply without a subject gets its thread's (platform.md 14.6). `--reply-subject required` rejects it, as the
 * platform used to.
 * @throws ApiError 422 without a recipient or a subject
 */
function messageOf(
  { db, settings }: Pick<Platform, 'db' | 'settings'>,
  inbox: InboxRow,
  draft: DraftRow,
  answered: Answered | null,
): Omit<OutgoingMessage, 'headers'> {
  const [to, cc, bcc] = [
    parseMailboxesJson(draft.recipients ?? '[]'),
    parseMailboxesJson(draft.cc),
    parseMailboxesJson(draft.bcc),
  ]
  if (to.length + cc.length + bcc.length === 0) throw createValidationError('The draft needs at least one recipient.')
  const filledIn = answered && settings.replySubject === 'filled' ? toReplySubject(answered.thread.subject) : null
  const subject = draft.subject ?? filledIn
  if (subject === null) throw createValidationError('The draft needs a subject.')
  const origin = answered
    ? buildReplyHeaders(db, inbox, answered.email)
    : { from: senderOf(inbox), replyTo: [], inReplyTo: null, references: [] }
  const { text: plain, html } = draft
  return { ...origin, to, cc, bcc, subject, text: plain, html, attachments: loadOutgoingAttachments(db, draft.seq) }
}

function draftOf(request: ApiRequest): DraftRow {
  return draftById(request.platform.db, requireInbox(request), request.param('draft'))
}

/** @throws ApiError 404 in this service's own wording (platform.md 4.5) */
function draftById(db: Database, inbox: InboxRow, id: string): DraftRow {
  const draft = findDraft(db, inbox.seq, id)
  if (!draft) throw createNotFoundError('Draft not found.')
  return draft
}

/** @throws ApiError 409 if already sent (platform.md 14.10) */
function unsentDraftOf(request: ApiRequest): DraftRow {
  const draft = draftOf(request)
  if (draft.sent_at !== null) throw new ApiError(409, 'validation_error', 'The draft has already been sent.')
  return draft
}

function showShared(db: Database, draft: DraftRow) {
  return {
    id: draft.id,
    type: draft.reply_to_email_id === null ? ('standalone' as const) : ('reply' as const),
    to: draft.recipients === null ? null : parseStringArray(draft.recipients),
    cc: parseStringArray(draft.cc),
    bcc: parseStringArray(draft.bcc),
    subject: draft.subject,
    thread_id: draft.thread_id,
    reply_to_email_id: draft.reply_to_email_id,
    updated_at: formatIsoTimestamp(draft.updated_at),
    attachments: loadDraftAttachments(db, draft.seq),
  }
}

export function showDraftWithoutBody(db: Database, draft: DraftRow) {
  return {
    object: 'inbox_draft' as const,
    ...showShared(db, draft),
    email_id: draft.email_id,
    created_at: formatIsoTimestamp(draft.created_at),
  }
}

/** Maximum characters of a snippet. The platform's own limit is unknown. */
const snippetLength = 200

function snippetOf(draft: DraftRow): string | null {
  const body = draft.text ?? (draft.html === null ? null : htmlToText(draft.html))
  return body?.replace(/\s+/g, ' ').trim().slice(0, snippetLength) ?? null
}

function listJson(mailboxes: readonly Mailbox[]): string {
  return JSON.stringify(mailboxes.map(formatMailbox))
}
