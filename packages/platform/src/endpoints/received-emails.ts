import { z } from 'zod'
import { createValidationError, createNotFoundError } from '../http/api-error.ts'
import { formatOffsetDate } from '../http/dates.ts'
import { type ApiRequest, type Endpoint, defineEndpoint, respondOk } from '../http/endpoint.ts'
import { toListResponse, listShape, paginationParameters, readPage, parsePageRequest } from '../http/pagination.ts'
import { downloadLifetimeMs, createSignedUrl } from '../http/signed-links.ts'
import type { Platform } from '../platform.ts'
import { authenticationResults, type Authentication } from '../settings.ts'
import type { Database } from '../storage/database.ts'
import { type EmailRow, loadAttachments, loadEmailContent, findEmailByDirection } from '../storage/emails.ts'
import { type HtmlFormat, embedInlineImages } from './inline-images.ts'
import { offsetTime, optionalText, parseStringArray, text, texts, uuid } from './shapes.ts'

/** See platform.md 21.4. */
const attachmentItemShape = z.strictObject({
  id: uuid,
  filename: optionalText,
  content_type: text,
  content_disposition: optionalText,
  content_id: optionalText,
  size: z.int(),
})

const receivedEmailItemShape = z.strictObject({
  id: uuid,
  to: texts,
  from: text,
  created_at: offsetTime,
  subject: text,
  bcc: texts,
  cc: texts,
  reply_to: texts,
  received_for: texts,
  message_id: text,
  attachments: z.array(attachmentItemShape),
})

const result = z.enum(authenticationResults)
const receivedEmailShape = receivedEmailItemShape.extend({
  object: z.literal('email'),
  html: optionalText,
  html_format: z.enum(['data_uri', 'cid']),
  text: optionalText,
  headers: z.record(z.string(), z.string()),
  authentication: z.strictObject({ spf: result, dkim: result, dmarc: result }),
  raw: z.strictObject({ download_url: text, expires_at: offsetTime }),
})

export const receivedEmailEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    path: '/emails/receiving',
    summary: 'List received e-mails, newest first',
    query: paginationParameters,
    answers: { 200: listShape(receivedEmailItemShape) },
    handle(request) {
      const { db } = request.platform
      const page = readPage<EmailRow>(
        db,
        {
          select: "SELECT * FROM emails WHERE direction = 'inbound'",
          values: [],
          orderedBy: 'received_at',
          order: 'newest first',
        },
        parsePageRequest(request.query, null),
      )
      return respondOk(toListResponse(page, (email) => showReceivedEmailItem(db, email)))
    },
  }),

  defineEndpoint({
    method: 'GET',
    path: '/emails/receiving/:email',
    summary: 'Retrieve a received e-mail',
    inContract: true,
    query: [{ name: 'html_format', description: 'How `html` gives inline images: `data_uri` (default) or `cid`.' }],
    answers: { 200: receivedEmailShape },
    async handle(request) {
      const { platform } = request
      const format = parseHtmlFormat(request.query)
      return respondOk(await showReceivedEmail(platform, requireReceivedEmail(request), format))
    },
  }),
]

function parseHtmlFormat(query: URLSearchParams): HtmlFormat {
  const format = query.get('html_format') ?? 'data_uri'
  if (format !== 'data_uri' && format !== 'cid') {
    throw createValidationError('The `html_format` parameter must be one of: data_uri, cid.')
  }
  return format
}

/** @throws ApiError 404 `Email not found`, also for a sent e-mail (platform.md 20.10) */
export function requireReceivedEmail(request: ApiRequest): EmailRow {
  const email = findEmailByDirection(request.platform.db, 'inbound', request.param('email'))
  if (!email) throw createNotFoundError('Email not found')
  return email
}

function showReceivedEmailItem(db: Database, email: EmailRow): z.infer<typeof receivedEmailItemShape> {
  return {
    id: email.id,
    to: [...parseStringArray(email.recipients)],
    from: email.sender,
    created_at: formatOffsetDate(email.received_at),
    // `subject` and `message_id` are never null (platform.md 21.3).
    subject: email.subject ?? '',
    bcc: [...parseStringArray(email.bcc)],
    cc: [...parseStringArray(email.cc)],
    reply_to: [...parseStringArray(email.reply_to)],
    received_for: [...parseStringArray(email.delivered_to)],
    message_id: email.message_id ?? '',
    attachments: loadAttachments(db, email.seq).map((attachment) => ({
      id: attachment.id,
      filename: attachment.filename,
      content_type: attachment.content_type,
      content_disposition: attachment.content_disposition,
      content_id: attachment.content_id,
      size: attachment.size,
    })),
  }
}

async function showReceivedEmail(
  platform: Platform,
  email: EmailRow,
  wanted: HtmlFormat,
): Promise<z.infer<typeof receivedEmailShape>> {
  const { db, secret } = platform
  const content = loadEmailContent(db, email.seq)
  const { html, format } =
    wanted === 'cid'
      ? { html: content.html, format: wanted }
      : await embedInlineImages(db, email, content.html, loadAttachments(db, email.seq))
  const expiresAt = platform.now() + downloadLifetimeMs
  return {
    object: 'email',
    ...showReceivedEmailItem(db, email),
    html,
    html_format: format,
    text: content.text,
    headers: JSON.parse(content.headers) as Record<string, string>,
    authentication: JSON.parse(email.authentication ?? 'null') as Authentication,
    raw: {
      download_url: createSignedUrl(secret, platform.baseUrl(), `/downloads/raw/${email.id}`, expiresAt),
      expires_at: formatOffsetDate(expiresAt),
    },
  }
}
