import { randomUUID } from 'node:crypto'
import type { Platform } from '../platform.ts'
import { type EmailRow, findEmail, indexEmail, insertEmail, rawMessage } from '../storage/emails.ts'
import { findInboxByAddress } from '../storage/inboxes.ts'
import { insertThread, refreshThread } from '../storage/threads.ts'
import { domainOf } from './addresses.ts'
import { type OutgoingMessage, composeMessage, plainText, recipientsOf } from './compose-message.ts'
import { deliver, type IncomingMail } from './deliver.ts'
import { outcome, reachedOf } from './delivery-events.ts'
import { outboundEmail } from './outbound-email.ts'
import { parseMessage } from './parse-message.ts'
import { mailboxesOf } from './replies.ts'
import { rememberReferences, threadOf } from './threading.ts'

export interface SendingOptions {
  /**
   * Where the e-mail belongs: an inbox and, for an answer, its thread; `sender` finds the inbox by the From address
   * and the thread by the references, as far as `--sent-joins-inbox` lets it.
   */
  readonly place: { readonly inbox: number; readonly thread: number | null } | 'sender'
  /** Milliseconds since 1970; `null` sends at once. */
  readonly scheduledAt?: number | null
  readonly topicId?: string | null
  readonly tags?: readonly { readonly name: string; readonly value: string }[]
}

/**
 * Prepares an e-mail: all that takes time happens here.
 * @returns what stores the e-mail and delivers it to the inboxes here, to be run within a transaction
 */
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
    // A parser ends a text with a line break; the sender reads back what was sent.
    message: { ...(await parseMessage(raw)), text: plainText(outgoing), html: outgoing.html },
    envelopeFrom: outgoing.from.address,
    envelopeTo: recipientsOf(outgoing),
    receivedAt: now,
  }
  const facts = { bcc: outgoing.bcc, topicId: options.topicId ?? null, tags: options.tags ?? [] }
  const scheduledAt = options.scheduledAt ?? null
  if (scheduledAt !== null && scheduledAt > now) {
    const waits = { outcome: { lastEvent: 'scheduled', nextEventAt: null }, scheduledAt } as const
    return () => insertEmail(platform.db, outboundEmail(platform, mail, null, { ...facts, ...waits }))
  }
  return () => {
    const place = placeOf(platform, mail, options.place)
    const email = insertEmail(platform.db, outboundEmail(platform, mail, place, facts))
    arrive(platform, mail, place)
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
  const known = threadOf(db, inbox.seq, { ...message, receivedAt: mail.receivedAt })
  const thread = known ?? insertThread(db, { inboxSeq: inbox.seq, folder: 'sent', subject: message.subject })
  return { inbox: inbox.seq, thread }
}

/**
 * Stores a message that the inbox sent elsewhere and at another time, without sending it again. Whom it was sent to in
 * secret is told by its own Bcc header, which programs keep in their copy.
 */
export function storeSent(platform: Platform, inbox: number, mail: IncomingMail): EmailRow {
  const { db } = platform
  const known = threadOf(db, inbox, { ...mail.message, receivedAt: mail.receivedAt })
  const place = {
    inbox,
    thread: known ?? insertThread(db, { inboxSeq: inbox, folder: 'sent', subject: mail.message.subject }),
  }
  const email = insertEmail(db, outboundEmail(platform, mail, place, { bcc: mail.message.bcc }))
  joinThread(platform, mail, place)
  return email
}

/** Makes the e-mail part of its thread and delivers it to those of its recipients that are here and not suppressed. */
function arrive(platform: Platform, mail: IncomingMail, place: Place | null): void {
  if (place) joinThread(platform, mail, place)
  deliver(platform, { ...mail, envelopeTo: reachedOf(platform, mail.envelopeTo) })
}

function joinThread({ db }: Platform, { message }: IncomingMail, place: Place): void {
  rememberReferences(db, place.inbox, place.thread, message)
  refreshThread(db, place.thread)
}

/** Sends every scheduled e-mail whose time has come. */
export async function sendScheduled(platform: Platform): Promise<void> {
  const { db } = platform
  const due = db.all<EmailRow>(
    "SELECT * FROM emails WHERE last_event = 'scheduled' AND scheduled_at <= ? ORDER BY scheduled_at",
    platform.now(),
  )
  for (const email of due) {
    const raw = rawMessage(db, email.seq)
    const message = await parseMessage(raw)
    db.transaction(() => {
      // It may have been cancelled or put off while its message was read.
      const current = findEmail(db, email.id)
      if (current?.last_event !== 'scheduled' || (current.scheduled_at ?? 0) > platform.now()) return
      const envelopeTo = JSON.parse(email.delivered_to) as readonly string[]
      const envelopeFrom = message.from?.address ?? ''
      const mail: IncomingMail = { raw, message, envelopeFrom, envelopeTo, receivedAt: platform.now() }
      const place = placeOf(platform, mail, 'sender')
      const { lastEvent, nextEventAt } = outcome(platform, envelopeTo)
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
        indexEmail(db, email.seq, { ...message, inlineImages, bcc: mailboxesOf(email.bcc) })
      }
      arrive(platform, mail, place)
    })
  }
}
