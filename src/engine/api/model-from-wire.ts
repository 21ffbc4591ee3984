/** Where the wire's snake_case ends: each function turns one thing of the platform into the model's. */
import type {
  Attachment,
  Contact,
  Email,
  Inbox,
  Label,
  ReceivedEmail,
  ReceivedEmailDetail,
  SentEmail,
  SentEmailDetail,
  ShareLink,
  TopicSubscription,
} from '../../shared/model.ts'
import { parsePlatformTime } from './platform-time.ts'
import type {
  WireContact,
  WireEmail,
  WireInbox,
  WireLabel,
  WireReceivedEmail,
  WireSentEmail,
  WireShareLink,
  WireTopic,
} from './wire.ts'

/** A time of the platform in milliseconds; 0, the very end of every list, where there is none. */
export const toTime = (text: string | null | undefined): number => parsePlatformTime(text ?? '') ?? 0

export const toLabel = ({ id, name, color }: WireLabel): Label => ({ id, name: name ?? id, color: color ?? '#6F6E77' })

export const toInbox = ({ id, name, email_address: emailAddress, unread }: WireInbox, onServer: boolean): Inbox => ({
  id,
  name: name ?? null,
  emailAddress: emailAddress ?? id,
  unread: unread ?? 0,
  onServer,
})

const toAttachments = (attachments: WireEmail['attachments']): readonly Attachment[] =>
  (attachments ?? []).map(({ id, filename, size, content_type: contentType }, index) => ({
    id: id === '' ? `attachment ${index + 1}` : id,
    filename: filename ?? null,
    size: size ?? null,
    contentType: contentType ?? null,
  }))

const TOO_LARGE = 'The text of this e-mail is too large to fetch. It is on the platform, unchanged.'

export const toEmail = (
  wire: WireEmail,
  local: { readonly threadId: string; readonly read: boolean; readonly onServer: boolean },
): Email => ({
  id: wire.id,
  threadId: local.threadId,
  direction: wire.direction === 'outbound' ? 'outbound' : 'inbound',
  from: wire.from ?? '',
  to: wire.to ?? [],
  cc: wire.cc ?? [],
  bcc: wire.bcc ?? [],
  replyTo: wire.reply_to ?? [],
  subject: wire.subject ?? null,
  messageId: wire.message_id ?? null,
  html: wire.html ?? null,
  text: wire.too_large === true ? TOO_LARGE : (wire.text ?? null),
  apart: null,
  attachments: toAttachments(wire.attachments),
  read: local.read,
  receivedAt: toTime(wire.received_at),
  onServer: local.onServer,
})

/** Lists in lists that a header's value is looked for in. */
const HEADER_LEVELS = 4

/** A header's value: text, or several of them where the header occurs more than once. */
const toHeaderValue = (value: unknown): string | null => {
  const texts = [value]
    .flat(HEADER_LEVELS)
    .filter((item) => typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean')
  return texts.length === 0 ? null : texts.join(', ')
}

/** A property's value: plain, as `{ value, type }`, or absent (platform facts 5, "properties"). */
const toPropertyValue = (value: unknown): string | number | boolean | null => {
  const plain = typeof value === 'object' && value !== null && 'value' in value ? value.value : value
  return typeof plain === 'string' || typeof plain === 'number' || typeof plain === 'boolean' ? plain : null
}

export const toContact = (wire: WireContact): Contact => ({
  id: wire.id,
  email: wire.email ?? '',
  firstName: wire.first_name ?? null,
  lastName: wire.last_name ?? null,
  createdAt: toTime(wire.created_at),
  unsubscribed: wire.unsubscribed ?? false,
  properties: Object.fromEntries(
    Object.entries(wire.properties ?? {}).map(([name, value]) => [name, toPropertyValue(value)]),
  ),
})

export const toTopic = ({ id, name, description, subscription }: WireTopic): TopicSubscription => ({
  id,
  name: name ?? id,
  description: description ?? null,
  subscription: subscription ?? 'opt_out',
})

export const toReceivedEmail = (wire: WireReceivedEmail, onServer: boolean): ReceivedEmail => ({
  id: wire.id,
  from: wire.from ?? '',
  to: wire.to ?? [],
  subject: wire.subject ?? null,
  createdAt: toTime(wire.created_at),
  attachments: toAttachments(wire.attachments),
  onServer,
})

export const toReceivedEmailDetail = (wire: WireReceivedEmail, onServer: boolean): ReceivedEmailDetail => ({
  ...toReceivedEmail(wire, onServer),
  cc: wire.cc ?? [],
  bcc: wire.bcc ?? [],
  replyTo: wire.reply_to ?? [],
  messageId: wire.message_id ?? null,
  html: wire.html ?? null,
  text: wire.text ?? null,
  apart: null,
  headers: Object.fromEntries(
    Object.entries(wire.headers ?? {}).flatMap(([name, value]) => {
      const shown = toHeaderValue(value)
      return shown === null ? [] : [[name, shown]]
    }),
  ),
  hasRaw: wire.raw !== null && wire.raw !== undefined,
})

export const toSentEmail = (wire: WireSentEmail, onServer: boolean): SentEmail => ({
  id: wire.id,
  from: wire.from ?? '',
  to: wire.to ?? [],
  subject: wire.subject ?? null,
  createdAt: toTime(wire.created_at),
  lastEvent: wire.last_event ?? null,
  scheduledAt: parsePlatformTime(wire.scheduled_at ?? ''),
  onServer,
})

export const toSentEmailDetail = (wire: WireSentEmail, onServer: boolean): SentEmailDetail => ({
  ...toSentEmail(wire, onServer),
  cc: wire.cc ?? [],
  bcc: wire.bcc ?? [],
  replyTo: wire.reply_to ?? [],
  messageId: wire.message_id ?? null,
  html: wire.html ?? null,
  text: wire.text ?? null,
  apart: null,
})

export const toShareLink = ({ id, url }: WireShareLink): ShareLink => ({ id, url })
