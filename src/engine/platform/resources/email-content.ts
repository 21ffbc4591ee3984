import { z } from 'zod'
import type { Email } from '../../../shared/model.ts'
import { toAttachments, wireAttachment } from './attachments.ts'
import { wireListOf, wireId, wireText, wireTexts } from '../parse-response.ts'

/** Fields shared by e-mails of threads and of the account's lists. */
export const wireContent = z.looseObject({
  id: wireId,
  from: wireText,
  to: wireTexts,
  cc: wireTexts,
  bcc: wireTexts,
  reply_to: wireTexts,
  subject: wireText,
  message_id: wireText,
  html: wireText,
  text: wireText,
  attachments: wireListOf(wireAttachment),
})

type WireContent = z.infer<typeof wireContent>

/** The only fields that change after creation. */
const MUTABLE_FIELDS: readonly string[] = ['last_event', 'scheduled_at', 'raw']
const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** Merges a later response. An immutable field keeps its earlier value if it is empty in the later response. */
export const mergeContent = <Wire extends WireContent>(before: Wire, after: Wire): Wire => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(after).filter(([name, value]) => MUTABLE_FIELDS.includes(name) || !isEmpty(value)),
  ),
})

/** SQLite JSON path of a stored e-mail's Message-ID. */
export const MESSAGE_ID_PATH = '$.message_id'

type Content = Pick<
  Email,
  'id' | 'from' | 'to' | 'cc' | 'bcc' | 'replyTo' | 'subject' | 'messageId' | 'html' | 'text' | 'attachments'
>

export const toEmailContent = (wire: WireContent): Content => ({
  id: wire.id,
  from: wire.from ?? '',
  to: wire.to ?? [],
  cc: wire.cc ?? [],
  bcc: wire.bcc ?? [],
  replyTo: wire.reply_to ?? [],
  subject: wire.subject ?? null,
  messageId: wire.message_id ?? null,
  html: wire.html ?? null,
  text: wire.text ?? null,
  attachments: toAttachments(wire.attachments),
})
