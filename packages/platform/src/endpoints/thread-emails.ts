import { z } from 'zod'
import { formatIsoTimestamp } from '../http/dates.ts'
import { type Endpoint, defineEndpoint, respondOk } from '../http/endpoint.ts'
import { listShape, paginationParameters, readPage, parsePageRequest } from '../http/pagination.ts'
import type { Platform } from '../platform.ts'
import type { Database } from '../storage/database.ts'
import { type EmailRow, loadAttachments, loadEmailContent } from '../storage/emails.ts'
import { requireInbox, requireThreadEmail, requireThread } from './inbox-resources.ts'
import { embedInlineImages } from './inline-images.ts'
import { isoTime, optionalText, parseStringArray, text, texts, uuid } from './shapes.ts'

/** See platform.md 12.1. */
const threadEmailShape = z.strictObject({
  id: uuid,
  direction: z.enum(['inbound', 'outbound']),
  from: text,
  to: texts,
  cc: texts,
  bcc: texts,
  reply_to: texts,
  subject: optionalText,
  message_id: optionalText,
  html: optionalText,
  text: optionalText,
  attachments: z.array(z.strictObject({ id: uuid, filename: optionalText, size: z.int().nullable() })),
  read: z.boolean(),
  received_at: isoTime,
})

export const threadEmailEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    path: '/inboxes/:inbox/threads/:thread/emails',
    summary: 'List the e-mails of a thread, oldest first',
    query: paginationParameters,
    answers: { 200: listShape(threadEmailShape) },
    async handle(request) {
      const { db } = request.platform
      const thread = requireThread(request, requireInbox(request))
      const page = readPage<EmailRow>(
        db,
        {
          select: 'SELECT * FROM emails WHERE thread_seq = ?',
          values: [thread.seq],
          orderedBy: 'received_at',
          order: 'oldest first',
        },
        parsePageRequest(request.query, 20),
      )
      const data = await Promise.all(page.items.map((email) => showThreadEmail(request.platform, email)))
      return respondOk({ object: 'list', has_more: page.hasMore, data })
    },
  }),

  defineEndpoint({
    method: 'GET',
    path: '/inboxes/:inbox/threads/:thread/emails/:email',
    summary: 'Retrieve an e-mail of a thread',
    answers: { 200: threadEmailShape },
    async handle(request) {
      const thread = requireThread(request, requireInbox(request))
      return respondOk(await showThreadEmail(request.platform, requireThreadEmail(request, thread)))
    },
  }),
]

async function showThreadEmail({ db }: Platform, email: EmailRow): Promise<z.infer<typeof threadEmailShape>> {
  const content = loadEmailContent(db, email.seq)
  const { html } = await embedInlineImages(db, email, content.html, loadAttachments(db, email.seq))
  return { ...showThreadEmailWithoutBody(db, email), html, text: content.text }
}

export function showThreadEmailWithoutBody(
  db: Database,
  email: EmailRow,
): Omit<z.infer<typeof threadEmailShape>, 'html' | 'text'> {
  return {
    id: email.id,
    direction: email.direction,
    from: email.sender,
    to: [...parseStringArray(email.recipients)],
    cc: [...parseStringArray(email.cc)],
    bcc: [...parseStringArray(email.bcc)],
    reply_to: [...parseStringArray(email.reply_to)],
    subject: email.subject,
    message_id: email.message_id,
    attachments: loadAttachments(db, email.seq)
      .filter(({ is_listed }) => is_listed === 1)
      .map(({ id, filename, size }) => ({ id, filename, size })),
    read: email.read === 1,
    received_at: formatIsoTimestamp(email.received_at),
  }
}
