import { z } from 'zod'
import { createNotFoundError } from '../http/api-error.ts'
import { formatOffsetDate } from '../http/dates.ts'
import { type ApiRequest, type Endpoint, defineEndpoint, respondOk } from '../http/endpoint.ts'
import { toListResponse, listShape, paginationParameters, readPage, parsePageRequest } from '../http/pagination.ts'
import { downloadLifetimeMs, createSignedUrl } from '../http/signed-links.ts'
import type { Platform } from '../platform.ts'
import type { AttachmentRow, EmailRow } from '../storage/emails.ts'
import { requireReceivedEmail } from './received-emails.ts'
import { requireSentEmail } from './sent-emails.ts'
import { offsetTime, text, uuid } from './shapes.ts'

/** An attachment with its link (platform.md 21.4). */
const attachmentItemShape = z.strictObject({
  id: uuid,
  filename: text.optional(),
  size: z.int(),
  content_type: text,
  content_disposition: z.enum(['inline', 'attachment']),
  content_id: text.optional(),
  download_url: text,
  expires_at: offsetTime,
})
const attachmentShape = attachmentItemShape.extend({ object: z.literal('attachment') })

export const emailAttachmentEndpoints: readonly Endpoint[] = [
  ...attachmentEndpoints('/emails/receiving/:email/attachments', 'received', requireReceivedEmail, null),
  ...attachmentEndpoints('/emails/:email/attachments', 'sent', requireSentEmail, 20),
]

function attachmentEndpoints(
  path: string,
  kind: string,
  emailOf: (request: ApiRequest) => EmailRow,
  defaultLimit: number | null,
): readonly Endpoint[] {
  return [
    defineEndpoint({
      method: 'GET',
      path,
      summary: `List the attachments of a ${kind} e-mail`,
      query: paginationParameters,
      answers: { 200: listShape(attachmentItemShape) },
      handle(request) {
        const email = withKnownAttachments(request, emailOf(request))
        const page = readPage<AttachmentRow>(
          request.platform.db,
          {
            select: 'SELECT * FROM attachments WHERE email_seq = ?',
            values: [email.seq],
            orderedBy: 'position',
            order: 'oldest first',
          },
          parsePageRequest(request.query, defaultLimit),
        )
        return respondOk(toListResponse(page, (attachment) => showAttachment(request.platform, attachment)))
      },
    }),

    defineEndpoint({
      method: 'GET',
      path: `${path}/:attachment`,
      summary: `Retrieve an attachment of a ${kind} e-mail`,
      answers: { 200: attachmentShape },
      handle(request) {
        const email = withKnownAttachments(request, emailOf(request))
        const attachment = request.platform.db.get<AttachmentRow>(
          'SELECT * FROM attachments WHERE id = ? AND email_seq = ?',
          request.param('attachment'),
          email.seq,
        )
        if (!attachment) throw createNotFoundError('Attachment not found')
        return respondOk({ object: 'attachment', ...showAttachment(request.platform, attachment) })
      },
    }),
  ]
}

/** It is unknown whether the platform serves attachments of inbox e-mails here (platform.md 12.4), hence a setting. */
function withKnownAttachments({ platform }: ApiRequest, email: EmailRow): EmailRow {
  if (email.inbox_seq !== null && !platform.settings.inboxAttachments) throw createNotFoundError('Email not found')
  return email
}

function showAttachment(platform: Platform, attachment: AttachmentRow): z.infer<typeof attachmentItemShape> {
  const expiresAt = platform.now() + downloadLifetimeMs
  return {
    id: attachment.id,
    ...(attachment.filename === null ? {} : { filename: attachment.filename }),
    size: attachment.size,
    content_type: attachment.content_type,
    content_disposition: attachment.content_disposition === 'inline' ? 'inline' : 'attachment',
    ...(attachment.content_id === null ? {} : { content_id: attachment.content_id }),
    download_url: createSignedUrl(
      platform.secret,
      platform.baseUrl(),
      `/downloads/attachments/${attachment.id}`,
      expiresAt,
    ),
    expires_at: formatOffsetDate(expiresAt),
  }
}
