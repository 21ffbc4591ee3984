import { z } from 'zod'
import type { Platform } from '../platform.ts'
import { type EmailRow, type LastEvent, lastEvents } from '../storage/emails.ts'
import { type SuppressionOrigin, addSuppression, findSuppression } from '../storage/suppressions.ts'
import { isLocalRecipient } from './deliver.ts'

/** Event simulated by the platform's test addresses. */
type Simulated = 'delivered' | 'bounced' | 'complained' | 'suppressed'

/** Milliseconds between events. */
const EVENT_INTERVAL_MS = 1000

/** Test addresses in the platform's documentation, "Send Test Emails". All but `suppressed@` may have a `+` label. */
function simulatedBy(address: string): Simulated | null {
  const found = /^(?:(delivered|bounced|complained)(?:\+[^@]*)?|(suppressed))@resend\.dev$/i.exec(address)
  const name = found?.[1] ?? found?.[2]
  return name === undefined ? null : (name.toLowerCase() as Simulated)
}

/** State of an e-mail right after sending, and the time of its next event, if any. */
export interface DeliveryOutcome {
  readonly lastEvent: LastEvent
  /** Milliseconds since 1970. */
  readonly nextEventAt: number | null
}

/** Recipients not on the suppression list. @param emailId a sent e-mail, whose own suppressions don't count */
export function excludeSuppressed(
  { db }: Platform,
  recipients: readonly string[],
  emailId?: string,
): readonly string[] {
  return recipients.filter((address) => {
    const suppression = findSuppression(db, address)
    const isSuppressed = suppression !== undefined && (emailId === undefined || suppression.source_id !== emailId)
    return simulatedBy(address) !== 'suppressed' && !isSuppressed
  })
}

/**
 * `delivered` if all recipients are local. Mail to anyone else stays `sent` and is never delivered. Test addresses get
 * their event later, unless all recipients are suppressed.
 */
export function computeDeliveryOutcome(platform: Platform, recipients: readonly string[]): DeliveryOutcome {
  const reached = excludeSuppressed(platform, recipients)
  if (recipients.length > 0 && reached.length === 0) return { lastEvent: 'suppressed', nextEventAt: null }
  const isSimulated = reached.some((address) => simulatedBy(address) !== null)
  if (isSimulated) return { lastEvent: 'sent', nextEventAt: platform.now() + EVENT_INTERVAL_MS }
  const isHere = reached.every((address) => isLocalRecipient(platform.db, address))
  return { lastEvent: isHere ? 'delivered' : 'sent', nextEventAt: null }
}

/** Later events in order. The platform reports only the latest one, for all recipients together. */
function laterEvents({ db }: Platform, reached: readonly string[]): readonly LastEvent[] {
  const simulated = new Set(reached.map(simulatedBy))
  const isDelivered = reached.some((address) => {
    const event = simulatedBy(address)
    return event === 'delivered' || event === 'complained' || (event === null && isLocalRecipient(db, address))
  })
  return [
    ...(isDelivered ? (['delivered'] as const) : []),
    ...(simulated.has('bounced') ? (['bounced'] as const) : []),
    ...(simulated.has('complained') ? (['complained'] as const) : []),
  ]
}

/** Bounce types with their subtypes, and a server's message for each (vendor documentation, "Email Bounces"). */
const bounces = {
  Permanent: {
    General: 'smtp; 550 5.1.1 The mailbox does not exist.',
    NoEmail: 'The bounce message names no recipient.',
    Suppressed: 'The address has a recent history of hard bounces.',
    OnAccountSuppressionList: 'The address is on the suppression list of the account.',
  },
  Transient: {
    General: 'smtp; 450 4.2.0 The message could not be delivered for now.',
    MailboxFull: 'smtp; 452 4.2.2 The mailbox is full.',
    MessageTooLarge: 'smtp; 552 5.3.4 The message is too large.',
    ContentRejected: 'smtp; 554 5.7.1 The content is not accepted.',
    AttachmentRejected: 'smtp; 554 5.7.1 The attachment is not accepted.',
  },
  Undetermined: { Undetermined: 'The bounce message gives no reason.' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>

const bounceField = z
  .object({ type: z.enum(['Permanent', 'Transient', 'Undetermined']), subType: z.string(), message: z.string() })
  .partial()
  .transform(({ type = 'Permanent', subType, message }, context) => {
    const known: Readonly<Record<string, string>> = bounces[type]
    const chosen = subType ?? Object.keys(known)[0] ?? ''
    const standard = known[chosen]
    if (standard === undefined) {
      context.addIssue({
        code: 'custom',
        message: `The subType of ${type} must be one of: ${Object.keys(known).join(', ')}`,
      })
      return z.NEVER
    }
    return { message: message ?? standard, subType: chosen, type }
  })

/** A delivery event with the fields of its payload (platform.md 23.9), each with a default. */
export const deliveryReport = z.object({
  last_event: z.enum(lastEvents),
  bounce: bounceField.prefault({}),
  failed: z.object({ reason: z.string() }).default({ reason: 'reached_daily_quota' }),
  click: z.object({ link: z.string() }).default({ link: 'https://example.com/' }),
})
type DeliveryReport = z.infer<typeof deliveryReport>

function detailsOf({ last_event: event, bounce, failed, click }: DeliveryReport, now: number): object {
  if (event === 'bounced') return { bounce }
  if (event === 'failed') return { failed }
  if (event !== 'clicked') return {}
  const timestamp = new Date(now).toISOString()
  return { click: { ipAddress: '127.0.0.1', link: click.link, timestamp, userAgent: 'Mozilla/5.0' } }
}

export function applyDueDeliveryEvents(platform: Platform): void {
  const { db, now } = platform
  const due = db.all<EmailRow & { readonly next_event_at: number }>(
    'SELECT * FROM emails WHERE next_event_at <= ? ORDER BY next_event_at',
    now(),
  )
  for (const email of due) {
    const events = laterEvents(
      platform,
      excludeSuppressed(platform, JSON.parse(email.delivered_to) as readonly string[], email.id),
    )
    const happened = email.last_event === null ? -1 : events.indexOf(email.last_event)
    const event = events[happened + 1] ?? email.last_event ?? 'sent'
    const isLast = happened + 2 >= events.length
    const report = deliveryReport.parse({ last_event: event })
    setDeliveryEvent(platform, email.id, report, isLast ? null : email.next_event_at + EVENT_INTERVAL_MS)
  }
}

/** Events that add an address to the suppression list, with their origin. */
const origins: Readonly<Partial<Record<LastEvent, SuppressionOrigin>>> = { bounced: 'bounce', complained: 'complaint' }

/**
 * Sets an e-mail's delivery event. A permanent bounce or a complaint suppresses the test addresses that simulate it, or
 * else all recipients. @returns false for an unknown e-mail
 */
export function setDeliveryEvent(
  platform: Platform,
  id: string,
  report: DeliveryReport,
  nextEventAt: number | null = null,
): boolean {
  const { db, now } = platform
  const event = report.last_event
  const email = db.get<EmailRow>("SELECT * FROM emails WHERE id = ? AND direction = 'outbound'", id)
  if (!email) return false
  const reached = excludeSuppressed(platform, JSON.parse(email.delivered_to) as readonly string[], id)
  const meant = reached.filter((address) => simulatedBy(address) === event)
  const details = { ...detailsOf(report, now()), ...(meant.length > 0 ? { to: meant } : {}) }
  db.run(
    'UPDATE emails SET last_event = ?, event_details = ?, next_event_at = ? WHERE seq = ?',
    event,
    // NULL for none, so that setting the same event again changes nothing.
    Object.keys(details).length === 0 ? null : JSON.stringify(details),
    nextEventAt,
    email.seq,
  )
  // Only a permanent bounce suppresses the address (platform.md 23.9).
  const isLasting = event !== 'bounced' || report.bounce.type === 'Permanent'
  const origin = isLasting ? origins[event] : undefined
  if (origin === undefined) return true
  for (const address of meant.length > 0 ? meant : reached) {
    addSuppression(db, { email: address, origin, sourceId: id }, now())
  }
  return true
}
