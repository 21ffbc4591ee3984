import type { Platform } from '../platform.ts'
import type { NewEmail } from '../storage/emails.ts'
import { type Mailbox, toMailboxKey } from './addresses.ts'
import type { IncomingMail } from './deliver.ts'
import { type DeliveryOutcome, computeDeliveryOutcome } from './delivery-events.ts'

export interface SendingMetadata {
  readonly bcc?: readonly Mailbox[]
  /** Set if the e-mail isn't sent now. */
  readonly outcome?: DeliveryOutcome
  readonly scheduledAt?: number | null
  readonly topicId?: string | null
  readonly tags?: readonly { readonly name: string; readonly value: string }[]
  readonly templateId?: string | null
}

/** The row of a sent message. @param place `null` outside an inbox */
export function buildOutboundEmail(
  platform: Platform,
  mail: IncomingMail,
  place: { readonly inbox: number; readonly thread: number } | null,
  facts: SendingMetadata = {},
): NewEmail {
  const { message } = mail
  return {
    direction: 'outbound',
    inboxSeq: place?.inbox ?? null,
    threadSeq: place?.thread ?? null,
    receivedAt: mail.receivedAt,
    storedAt: platform.now(),
    read: true,
    messageId: message.messageId,
    subject: message.subject,
    from: message.from,
    to: message.to,
    cc: message.cc,
    bcc: facts.bcc ?? unnamedRecipients(mail),
    replyTo: message.replyTo,
    deliveredTo: mail.envelopeTo,
    text: message.text,
    html: message.html,
    headers: message.headers,
    attachments: message.attachments,
    inlineImages: platform.settings.inlineImages,
    raw: mail.raw,
    authentication: null,
    sent: {
      ...(facts.outcome ?? computeDeliveryOutcome(platform, mail.envelopeTo)),
      scheduledAt: facts.scheduledAt ?? null,
      topicId: facts.topicId ?? null,
      tags: facts.tags ?? [],
      templateId: facts.templateId ?? null,
    },
  }
}

/** Envelope recipients that no header names: the Bcc recipients. */
function unnamedRecipients({ message, envelopeTo }: IncomingMail): readonly Mailbox[] {
  const named = new Set([...message.to, ...message.cc].map(({ address }) => toMailboxKey(address)))
  return envelopeTo.filter((address) => !named.has(toMailboxKey(address))).map((address) => ({ name: '', address }))
}
