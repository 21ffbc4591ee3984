import type { Email } from '../../../shared/model.ts'
import type { WireEmail, WireReceivedEmail, WireSentEmail } from '../wire.ts'
import { toAttachments } from './attachments.ts'

type Content = Pick<
  Email,
  'id' | 'from' | 'to' | 'cc' | 'bcc' | 'replyTo' | 'subject' | 'messageId' | 'html' | 'text' | 'attachments'
>

/** What the platform says alike of every e-mail: of one of a thread, and of one of the account's own lists. */
export const toContent = (wire: WireEmail | WireReceivedEmail | WireSentEmail): Content => ({
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
