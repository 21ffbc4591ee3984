import { z } from 'zod'
import type { Email } from '../../shared/model.ts'
import { toAttachments, wireAttachment } from './attachments.ts'
import { each, id, text, texts } from './read-answer.ts'

/** What every e-mail has alike: one of a thread, and one of the account's own lists. */
export const wireContent = z.looseObject({
  id,
  from: text,
  to: texts,
  cc: texts,
  bcc: texts,
  reply_to: texts,
  subject: text,
  message_id: text,
  html: text,
  text,
  attachments: each(wireAttachment),
})

type WireContent = z.infer<typeof wireContent>

/** All that changes once an e-mail exists. */
const CHANGING: readonly string[] = ['last_event', 'scheduled_at', 'raw']
const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** A later answer about an e-mail on top of an earlier one. What never changes stays if it is empty now. */
export const mergeContent = <Wire extends WireContent>(before: Wire, after: Wire): Wire => ({
  ...before,
  ...Object.fromEntries(Object.entries(after).filter(([name, value]) => CHANGING.includes(name) || !isEmpty(value))),
})

/** Where a kept e-mail has its Message-ID: a path of SQLite's JSON functions. */
export const MESSAGE_ID_IN_WORDS = '$.message_id'

type Content = Pick<
  Email,
  'id' | 'from' | 'to' | 'cc' | 'bcc' | 'replyTo' | 'subject' | 'messageId' | 'html' | 'text' | 'attachments'
>

export const toContent = (wire: WireContent): Content => ({
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
