import { z } from 'zod'
import { ApiError, createValidationError, createNotFoundError } from '../http/api-error.ts'
import { formatDatabaseDate } from '../http/dates.ts'
import { type ApiRequest, type Endpoint, defineEndpoint, respondOk } from '../http/endpoint.ts'
import { toListResponse, listShape, paginationParameters, readPage, parsePageRequest } from '../http/pagination.ts'
import { parseBody } from '../http/parse-body.ts'
import type { OutgoingMessage } from '../mail/compose-message.ts'
import { attachmentField, resolveAttachments, sendAttachmentRules } from '../mail/outgoing-attachments.ts'
import { domainOf } from '../mail/addresses.ts'
import { prepareSending } from '../mail/send.ts'
import { parseMoment } from '../search/moments.ts'
import type { Database } from '../storage/database.ts'
import { findDomain, isReadyFor } from '../storage/domains.ts'
import { type EmailRow, loadEmailContent, findEmailByDirection, lastEvents } from '../storage/emails.ts'
import { createUnverifiedDomainError } from './domains.ts'
import { fillTemplate, templateField } from './template-email.ts'
import { checkBody, checkRecipientCount, headersField, recipientsField, senderField } from './outgoing-fields.ts'
import { databaseTime, optionalText, parseStringArray, createReferenceSchema, text, texts, uuid } from './shapes.ts'

const tagShape = z.strictObject({ name: text, value: text })

/** See platform.md 20.7. */
const sentEmailItemShape = z.strictObject({
  id: uuid,
  message_id: text,
  to: texts,
  from: text,
  created_at: databaseTime,
  subject: text,
  bcc: texts.nullable(),
  cc: texts.nullable(),
  reply_to: texts.nullable(),
  last_event: z.enum(lastEvents),
  scheduled_at: databaseTime.nullable(),
  topic_id: uuid.nullable(),
})

const sentEmailShape = sentEmailItemShape.extend({
  object: z.literal('email'),
  html: optionalText,
  text: optionalText,
  tags: z.array(tagShape),
})

/** See platform.md 20.4. */
const tagField = z
  .string()
  .regex(/^[\w-]{1,256}$/, 'Tags should only contain ASCII letters, numbers, underscores, or dashes.')
const emailFields = z.object({
  // `from` and `subject` are required unless a template has them.
  from: senderField.optional(),
  to: recipientsField,
  subject: z.string().optional(),
  cc: recipientsField.optional(),
  bcc: recipientsField.optional(),
  reply_to: recipientsField.optional(),
  html: z.string().optional(),
  text: z.string().optional(),
  headers: headersField.optional(),
  scheduled_at: z.string().optional(),
  tags: z.array(z.object({ name: tagField, value: tagField })).optional(),
  topic_id: z.uuid().nullish(),
  template: templateField.optional(),
})
const emailBody = emailFields.extend({ attachments: z.array(attachmentField).optional() })
type EmailBody = z.infer<typeof emailBody>

const maxBatchSize = 100

export const sentEmailEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    method: 'POST',
    path: '/emails',
    summary: 'Send an e-mail',
    permission: 'sending_access',
    idempotent: true,
    body: emailBody,
    answers: { 200: z.strictObject({ id: uuid }) },
    async handle(request, body) {
      const send = await prepareEmail(request, body)
      return () => respondOk({ id: send().id })
    },
  }),

  defineEndpoint({
    method: 'POST',
    path: '/emails/batch',
    summary: 'Send up to 100 e-mails without attachments',
    permission: 'sending_access',
    idempotent: true,
    body: z.array(z.unknown()).min(1).max(maxBatchSize, `A batch can have at most ${maxBatchSize} emails.`),
    answers: {
      200: z.strictObject({
        data: z.array(z.strictObject({ id: uuid })),
        errors: z.array(z.strictObject({ index: z.int(), message: text })).optional(),
      }),
    },
    async handle(request, items) {
      const isPermissive = request.headers.get('x-batch-validation') === 'permissive'
      const results = await Promise.all(items.map((item) => prepareBatchItem(request, item)))
      const errors = results.flatMap((result, index) =>
        result instanceof ApiError ? [{ index, message: result.message }] : [],
      )
      const first = results.find((result) => result instanceof ApiError)
      if (first && !isPermissive) throw first
      return () => {
        const data = results.flatMap((send) => (send instanceof ApiError ? [] : [{ id: send().id }]))
        return respondOk(isPermissive ? { data, errors } : { data })
      }
    },
  }),

  defineEndpoint({
    method: 'GET',
    path: '/emails',
    summary: 'List sent e-mails, newest first',
    query: paginationParameters,
    answers: { 200: listShape(sentEmailItemShape) },
    handle(request) {
      const page = readPage<EmailRow>(
        request.platform.db,
        {
          select: "SELECT * FROM emails WHERE direction = 'outbound'",
          values: [],
          orderedBy: 'received_at',
          order: 'newest first',
        },
        parsePageRequest(request.query, 20),
      )
      return respondOk(toListResponse(page, showSentEmailItem))
    },
  }),

  defineEndpoint({
    method: 'GET',
    path: '/emails/:email',
    summary: 'Retrieve a sent e-mail',
    answers: { 200: sentEmailShape },
    handle(request) {
      const email = requireSentEmail(request)
      const content = loadEmailContent(request.platform.db, email.seq)
      return respondOk({
        object: 'email',
        ...showSentEmailItem(email),
        bcc: parseStringArray(email.bcc),
        cc: parseStringArray(email.cc),
        reply_to: parseStringArray(email.reply_to),
        html: content.html,
        text: content.text,
        tags: JSON.parse(email.tags ?? '[]') as unknown,
      })
    },
  }),

  defineEndpoint({
    method: 'PATCH',
    path: '/emails/:email',
    summary: 'Move a scheduled e-mail to another time',
    body: z.object({ scheduled_at: z.string() }),
    answers: { 200: createReferenceSchema('email') },
    handle(request, body) {
      const { db, now } = request.platform
      const time = parseScheduledAt(body.scheduled_at, now())
      const email = scheduledEmailOf(request)
      return () => {
        db.run('UPDATE emails SET scheduled_at = ? WHERE seq = ?', time, email.seq)
        return respondOk({ object: 'email', id: email.id })
      }
    },
  }),

  defineEndpoint({
    method: 'POST',
    path: '/emails/:email/cancel',
    summary: 'Cancel a scheduled e-mail',
    answers: { 200: createReferenceSchema('email') },
    handle(request) {
      const email = scheduledEmailOf(request)
      return () => {
        request.platform.db.run("UPDATE emails SET last_event = 'canceled' WHERE seq = ?", email.seq)
        return respondOk({ object: 'email', id: email.id })
      }
    },
  }),
]

async function prepareBatchItem(request: ApiRequest, item: unknown): Promise<(() => EmailRow) | ApiError> {
  try {
    if (typeof item === 'object' && item !== null && 'attachments' in item) {
      throw createValidationError('The `attachments` field is not supported in a batch.')
    }
    return await prepareEmail(request, parseBody(emailFields, item))
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

async function prepareEmail(request: ApiRequest, body: EmailBody): Promise<() => EmailRow> {
  const { platform } = request
  const { to, cc = [], bcc = [] } = body
  const { from, subject, replyTo, html, text: plain, templateId } = contentOf(platform.db, body)
  checkSender(request, domainOf(from.address))
  checkRecipientCount(to, cc, bcc)
  if (to.length === 0) throw new ApiError(422, 'missing_required_field', 'Missing `to` field.')
  const message: OutgoingMessage = {
    from,
    to,
    cc,
    bcc,
    replyTo,
    subject,
    text: plain,
    html,
    headers: body.headers ?? {},
    attachments: await resolveAttachments(body.attachments ?? [], sendAttachmentRules),
    inReplyTo: null,
    references: [],
  }
  return prepareSending(platform, message, {
    place: 'sender',
    scheduledAt: body.scheduled_at === undefined ? null : parseScheduledAt(body.scheduled_at, platform.now()),
    topicId: body.topic_id ?? null,
    tags: body.tags ?? [],
    templateId,
  })
}

/** The parts of a message that a template can supply. The request's own take precedence (platform.md 20.11). */
function contentOf(db: Database, body: EmailBody) {
  if (body.template && (body.html !== undefined || body.text !== undefined))
    throw createValidationError('`html` and `text` cannot be used together with `template`.')
  const template = body.template ? fillTemplate(db, body.template) : null
  const from = body.from ?? (template?.from ? parseBody(senderField, template.from) : null)
  if (!from) throw new ApiError(422, 'missing_required_field', 'Missing `from` field.')
  const subject = body.subject ?? template?.subject ?? null
  if (subject === null) throw new ApiError(422, 'missing_required_field', 'Missing `subject` field.')
  const replyTo = body.reply_to ?? (template ? parseBody(recipientsField, [...template.replyTo]) : [])
  if (!template) checkBody(body)
  const { html = null, text: plain = null } = template ?? body
  return { from, subject, replyTo, html, text: plain, templateId: template?.id ?? null }
}

/** Domain of `onboarding@resend.dev` in the platform's examples. Every account may send from it. */
const testDomain = 'resend.dev'

/** 403 `validation_error` for a domain that is unverified or not the key's own (platform.md 4.2). */
function checkSender({ platform, key }: ApiRequest, name: string): void {
  const domain = findDomain(platform.db, name)
  const isReady = name === testDomain || isReadyFor(domain, 'sending')
  if (!isReady || (key.domain_id !== null && key.domain_id !== domain?.id)) throw createUnverifiedDomainError(name)
}

const unitMilliseconds: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/**
 * ISO 8601 or natural language (platform.md 20.4). Of the latter, only `in NUMBER UNIT` is supported here.
 * @returns milliseconds since 1970
 * @throws ApiError 422
 */
export function parseScheduledAt(value: string, now: number): number {
  const moment = parseMoment(value)
  if (moment) return moment.time
  const relative = /^\s*in\s+(\d{1,6}|an?)\s*(s|sec|m|min|h|hr|d|(?:second|sec|minute|min|hour|hr|day)s?)\s*$/i.exec(
    value,
  )
  const unit = unitMilliseconds[relative?.[2]?.charAt(0).toLowerCase() ?? '']
  if (!relative || unit === undefined) {
    throw createValidationError('Invalid `scheduled_at` field. It must be an ISO 8601 date or such as `in 1 min`.')
  }
  const count = /^an?$/i.test(relative[1] ?? '') ? 1 : Number(relative[1])
  return now + count * unit
}

/** @throws ApiError 404 `Email not found`, also for a received e-mail (platform.md 20.10) */
export function requireSentEmail(request: ApiRequest): EmailRow {
  const email = findEmailByDirection(request.platform.db, 'outbound', request.param('email'))
  if (!email) throw createNotFoundError('Email not found')
  return email
}

function scheduledEmailOf(request: ApiRequest): EmailRow {
  const email = requireSentEmail(request)
  if (email.last_event !== 'scheduled') throw createValidationError('Email is not scheduled.')
  return email
}

function showSentEmailItem(email: EmailRow): z.infer<typeof sentEmailItemShape> {
  return {
    id: email.id,
    message_id: email.message_id ?? '',
    to: [...parseStringArray(email.recipients)],
    from: email.sender,
    created_at: formatDatabaseDate(email.received_at),
    subject: email.subject ?? '',
    bcc: listOrNull(email.bcc),
    cc: listOrNull(email.cc),
    reply_to: listOrNull(email.reply_to),
    // Always set for outbound e-mails, and no others get here.
    last_event: email.last_event ?? 'sent',
    scheduled_at: email.scheduled_at === null ? null : formatDatabaseDate(email.scheduled_at),
    topic_id: email.topic_id,
  }
}

function listOrNull(json: string): string[] | null {
  const list = parseStringArray(json)
  return list.length === 0 ? null : [...list]
}
