import { z } from 'zod'
import { isoDate } from '../http/dates.ts'
import { type Endpoint, endpoint, ok } from '../http/endpoint.ts'
import { listShape, paginationParameters, readPage, readPageRequest } from '../http/pagination.ts'
import type { Platform } from '../platform.ts'
import { type EmailRow, attachmentsOf, emailContent } from '../storage/emails.ts'
import { inboxOf, threadEmailOf, threadOfRequest } from './inbox-of-request.ts'
import { htmlWithImages } from './inline-images.ts'
import { isoTime, optionalText, parseTexts, text, texts, uuid } from './shapes.ts'

/** Platform facts 3.4, Message. */
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
  endpoint({
    method: 'GET',
    path: '/inboxes/:inbox/threads/:thread/emails',
    summary: 'List the e-mails of a thread, oldest first',
    query: paginationParameters,
    answers: { 200: listShape(threadEmailShape) },
    async handle(request) {
      const { db } = request.platform
      const thread = threadOfRequest(request, inboxOf(request))
      const page = readPage<EmailRow>(
        db,
        {
          select: 'SELECT * FROM emails WHERE thread_seq = ?',
          values: [thread.seq],
          orderedBy: 'received_at',
          order: 'oldest first',
        },
        readPageRequest(request.query, 20),
      )
      const data = await Promise.all(page.items.map((email) => showThreadEmail(request.platform, email)))
      return ok({ object: 'list', has_more: page.hasMore, data })
    },
  }),

  endpoint({
    method: 'GET',
    path: '/inboxes/:inbox/threads/:thread/emails/:email',
    summary: 'Retrieve an e-mail of a thread',
    answers: { 200: threadEmailShape },
    async handle(request) {
      const thread = threadOfRequest(request, inboxOf(request))
      return ok(await showThreadEmail(request.platform, threadEmailOf(request, thread)))
    },
  }),
]

async function showThreadEmail({ db }: Platform, email: EmailRow): Promise<z.infer<typeof threadEmailShape>> {
  const content = emailContent(db, email.seq)
  const attachments = attachmentsOf(db, email.seq)
  return {
    id: email.id,
    direction: email.direction,
    from: email.sender,
    to: [...parseTexts(email.recipients)],
    cc: [...parseTexts(email.cc)],
    bcc: [...parseTexts(email.bcc)],
    reply_to: [...parseTexts(email.reply_to)],
    subject: email.subject,
    message_id: email.message_id,
    html: (await htmlWithImages(db, email, content.html, attachments)).html,
    text: content.text,
    attachments: attachments
      .filter(({ is_listed }) => is_listed === 1)
      .map(({ id, filename, size }) => ({ id, filename, size })),
    read: email.read === 1,
    received_at: isoDate(email.received_at),
  }
}
