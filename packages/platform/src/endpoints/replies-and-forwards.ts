import { z } from 'zod'
import { ApiError, createValidationError } from '../http/api-error.ts'
import { type ApiRequest, type Commit, type Endpoint, defineEndpoint, respondOk } from '../http/endpoint.ts'
import type { Mailbox } from '../mail/addresses.ts'
import type { OutgoingAttachment, OutgoingMessage } from '../mail/compose-message.ts'
import { attachmentField, resolveAttachments, replyAttachmentRules } from '../mail/outgoing-attachments.ts'
import { decodeAttachments } from '../mail/parse-message.ts'
import {
  buildForwardedBody,
  buildReplyReferences,
  selectReplyRecipients,
  deduplicateMailboxes,
} from '../mail/replies.ts'
import { prepareSending } from '../mail/send.ts'
import { toForwardSubject, toReplySubject } from '../mail/subjects.ts'
import type { Database } from '../storage/database.ts'
import { type EmailRow, loadAttachments, loadEmailContent, loadRawMessage } from '../storage/emails.ts'
import type { InboxRow } from '../storage/inboxes.ts'
import type { ThreadRow } from '../storage/threads.ts'
import { requireInbox, requireThreadEmail, requireThread } from './inbox-resources.ts'
import { answerHeadersField, checkBody, checkRecipientCount, recipientsField, subjectField } from './outgoing-fields.ts'
import { uuid } from './shapes.ts'

/** Fields shared by reply and forward (platform.md 13.1 and 13.6). */
const answerFields = {
  cc: recipientsField.optional(),
  bcc: recipientsField.optional(),
  html: z.string().optional(),
  text: z.string().optional(),
  subject: subjectField.optional(),
  attachments: z.array(attachmentField).optional(),
  headers: answerHeadersField.nullish(),
}

const answered = { 200: z.strictObject({ id: uuid }) }

export const replyEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'POST',
    path: '/inboxes/:inbox/threads/:thread/emails/:email/reply',
    summary: 'Reply to an e-mail of a thread',
    idempotent: true,
    body: z.object({ ...answerFields, reply_all: z.boolean().optional() }),
    answers: answered,
    async handle(request, body) {
      const { db } = request.platform
      const { inbox, thread, email } = originalOf(request)
      checkBody(body)
      const { to, cc } = selectReplyRecipients(email, inbox.email_address, body.reply_all ?? false)
      if (to.length === 0) throw createValidationError('The email has no one to reply to.')
      const copies = deduplicateMailboxes([...cc, ...(body.cc ?? [])])
      checkRecipientCount(to, copies, body.bcc ?? [])
      return sendAnswer(request, inbox, thread, {
        ...buildReplyHeaders(db, inbox, email),
        to,
        cc: copies,
        bcc: body.bcc ?? [],
        subject: body.subject ?? toReplySubject(thread.subject),
        text: body.text ?? null,
        html: body.html ?? null,
        headers: body.headers ?? {},
        attachments: await resolveAttachments(body.attachments ?? [], replyAttachmentRules),
      })
    },
  }),

  defineEndpoint({
    method: 'POST',
    path: '/inboxes/:inbox/threads/:thread/emails/:email/forward',
    summary: 'Forward an e-mail of a thread',
    idempotent: true,
    body: z.object({ ...answerFields, to: recipientsField }),
    answers: answered,
    async handle(request, body) {
      const { db } = request.platform
      const { inbox, thread, email } = originalOf(request)
      if (body.to.length === 0) throw new ApiError(422, 'missing_required_field', 'Missing `to` field.')
      checkRecipientCount(body.to, body.cc ?? [], body.bcc ?? [])
      const originals = await originalAttachments(db, email)
      const bytes = originals.reduce((sum, { content }) => sum + content.byteLength, 0)
      const added = await resolveAttachments(body.attachments ?? [], replyAttachmentRules, {
        files: originals.length,
        bytes,
      })
      return sendAnswer(request, inbox, thread, {
        ...buildReplyHeaders(db, inbox, email),
        to: body.to,
        cc: body.cc ?? [],
        bcc: body.bcc ?? [],
        subject: body.subject ?? toForwardSubject(thread.subject),
        ...buildForwardedBody(
          { email, ...loadEmailContent(db, email.seq) },
          { text: body.text ?? null, html: body.html ?? null },
        ),
        headers: body.headers ?? {},
        attachments: [...originals, ...added],
      })
    },
  }),
]

function originalOf(request: ApiRequest): {
  readonly inbox: InboxRow
  readonly thread: ThreadRow
  readonly email: EmailRow
} {
  const inbox = requireInbox(request)
  const thread = requireThread(request, inbox)
  return { inbox, thread, email: requireThreadEmail(request, thread) }
}

export function buildReplyHeaders(
  db: Database,
  inbox: InboxRow,
  email: EmailRow,
): Pick<OutgoingMessage, 'from' | 'replyTo' | 'inReplyTo' | 'references'> {
  return {
    from: senderOf(inbox),
    replyTo: [],
    inReplyTo: email.message_id,
    references: buildReplyReferences(db, email),
  }
}

/** From header of an inbox's mail: its address, with `from_name` if set (platform.md 6.8). */
export function senderOf(inbox: InboxRow): Mailbox {
  return { name: inbox.from_name ?? '', address: inbox.email_address }
}

async function sendAnswer(
  { platform }: ApiRequest,
  inbox: InboxRow,
  thread: ThreadRow,
  message: OutgoingMessage,
): Promise<Commit> {
  const send = await prepareSending(platform, message, { place: { inbox: inbox.seq, thread: thread.seq } })
  return () => respondOk({ id: send().id })
}

/** A forward includes the original's attachments (platform.md 13.7). */
async function originalAttachments(db: Database, email: EmailRow): Promise<readonly OutgoingAttachment[]> {
  const rows = loadAttachments(db, email.seq)
  if (rows.length === 0) return []
  const contents = await decodeAttachments(loadRawMessage(db, email.seq))
  return rows.map((row) => ({
    filename: row.filename ?? 'attachment',
    contentType: row.content_type,
    content: Buffer.from(contents[row.position] ?? []),
    contentId: row.content_id,
  }))
}
