import { randomUUID } from 'node:crypto'
import type { Platform } from '../platform.ts'
import { type EmailRow, findEmail, indexEmail, insertEmail, loadRawMessage } from '../storage/emails.ts'
import { findInboxByAddress } from '../storage/inboxes.ts'
import { insertThread, refreshThread } from '../storage/threads.ts'
import { domainOf } from './addresses.ts'
import { type OutgoingMessage, composeMessage, toPlainText, recipientsOf } from './compose-message.ts'
import { deliver, type IncomingMail } from './deliver.ts'
import { computeDeliveryOutcome, excludeSuppressed } from './delivery-events.ts'
import { buildOutboundEmail } from './outbound-email.ts'
import { parseMessage } from './parse-message.ts'
import { parseMailboxesJson } from './replies.ts'
import { rememberReferences, findThread } from './threading.ts'

export interface SendingOptions {
  /** `sender` finds the inbox by From and the thread by references, as far as `--sent-joins-inbox` allows. */
  readonly place: { readonly inbox: number; readonly thread: number | null } | 'sender'
  /** Milliseconds since 1970; `null` sends at once. */
  readonly scheduledAt?: number | null
  readonly topicId?: string | null
  readonly tags?: readonly { readonly name: string; readonly value: string }[]
  readonly templateId?: string | null
}

/** Does all slow work. @returns a function that stores and delivers the e-mail, to be called within a transaction */
export async function prepareSending(
  platform: Platform,
  outgoing: OutgoingMessage,
  options: SendingOptions,
): Promise<() => EmailRow> {
  const now = platform.now()
  const messageId = `<${randomUUID()}@${domainOf(outgoing.from.address)}>`
  const raw = await composeMessage(outgoing, messageId, now)
  const mail: IncomingMail = {
    raw,
    // The parser adds a final line break; the sender must read back the exact text.
    message: { ...(await parseMessage(raw)), text: toPlainText(outgoing), html: outgoing.html },
    envelopeFrom: outgoing.from.address,
    envelopeTo: recipientsOf(outgoing),
    receivedAt: now,
  }
  const { topicId = null, tags = [], templateId = null } = options
  const facts = { bcc: outgoing.bcc, topicId, tags, templateId }
  const scheduledAt = options.scheduledAt ?? null
  if (scheduledAt !== null && scheduledAt > now) {
    const waits = { outcome: { lastEvent: 'scheduled', nextEventAt: null }, scheduledAt } as const
    return () => insertEmail(platform.db, buildOutboundEmail(platform, mail, null, { ...facts, ...waits }))
  }
  return () => {
    const place = placeOf(platform, mail, options.place)
    const email = insertEmail(platform.db, buildOutboundEmail(platform, mail, place, facts))
    deliverLocally(platform, mail, place)
    return email
  }
}

interface Place {
  readonly inbox: number
  readonly thread: number
}

function placeOf(platform: Platform, mail: IncomingMail, wanted: SendingOptions['place']): Place | null {
  const { db } = platform
  const { message } = mail
  if (wanted !== 'sender') {
    const thread =
      wanted.thread ?? insertThread(db, { inboxSeq: wanted.inbox, folder: 'sent', subject: message.subject })
    return { inbox: wanted.inbox, thread }
  }
  const inbox = platform.settings.sentJoinsInbox ? findInboxByAddress(db, mail.envelopeFrom) : undefined
  if (!inbox) return null
  const known = findThread(db, inbox.seq, { ...message, receivedAt: mail.receivedAt })
  const thread = known ?? insertThread(db, { inboxSeq: inbox.seq, folder: 'sent', subject: message.subject })
  return { inbox: inbox.seq, thread }
}

/**
 * Stores a message that was sent elsewhere earlier, without sending it. Hidden recipients come from the Bcc header that
 * mail programs keep in their own copy.
 */
export function storeSentEmail(platform: Platform, inbox: number, mail: IncomingMail): EmailRow {
  const { db } = platform
  const known = findThread(db, inbox, { ...mail.message, receivedAt: mail.receivedAt })
  const place = {
    inbox,
    thread: known ?? insertThread(db, { inboxSeq: inbox, folder: 'sent', subject: mail.message.subject }),
  }
  const email = insertEmail(db, buildOutboundEmail(platform, mail, place, { bcc: mail.message.bcc }))
  joinThread(platform, mail, place)
  return email
}

/** Adds the e-mail to its thread and delivers it to local recipients that aren't suppressed. */
function deliverLocally(platform: Platform, mail: IncomingMail, place: Place | null): void {
  if (place) joinThread(platform, mail, place)
  deliver(platform, { ...mail, envelopeTo: excludeSuppressed(platform, mail.envelopeTo) })
}

function joinThread({ db }: Platform, { message }: IncomingMail, place: Place): void {
  rememberReferences(db, place.inbox, place.thread, message)
  refreshThread(db, place.thread)
}

export async function sendScheduled(platform: Platform): Promise<void> {
  const { db } = platform
  const due = db.all<EmailRow>(
    "SELECT * FROM emails WHERE last_event = 'scheduled' AND scheduled_at <= ? ORDER BY scheduled_at",
    platform.now(),
  )
  for (const email of due) {
    const raw = loadRawMessage(db, email.seq)
    const message = await parseMessage(raw)
    db.transaction(() => {
      // The e-mail may have been cancelled or rescheduled while its message was being parsed.
      const current = findEmail(db, email.id)
      if (current?.last_event !== 'scheduled' || (current.scheduled_at ?? 0) > platform.now()) return
      const envelopeTo = JSON.parse(email.delivered_to) as readonly string[]
      const envelopeFrom = message.from?.address ?? ''
      const mail: IncomingMail = { raw, message, envelopeFrom, envelopeTo, receivedAt: platform.now() }
      const place = placeOf(platform, mail, 'sender')
      const { lastEvent, nextEventAt } = computeDeliveryOutcome(platform, envelopeTo)
      db.run(
        'UPDATE emails SET last_event = ?, next_event_at = ?, inbox_seq = ?, thread_seq = ?, received_at = ?, stored_at = ? WHERE seq = ?',
        lastEvent,
        nextEventAt,
        place?.inbox ?? null,
        place?.thread ?? null,
        mail.receivedAt,
        mail.receivedAt,
        email.seq,
      )
      if (place) {
        const { inlineImages } = platform.settings
        indexEmail(db, email.seq, { ...message, inlineImages, bcc: parseMailboxesJson(email.bcc) })
      }
      deliverLocally(platform, mail, place)
    })
  }
}
