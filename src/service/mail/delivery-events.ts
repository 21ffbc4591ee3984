import type { Platform } from '../platform.ts'
import type { EmailRow, LastEvent } from '../storage/emails.ts'
import { type SuppressionOrigin, addSuppression, findSuppression } from '../storage/suppressions.ts'
import { isLocalRecipient } from './deliver.ts'

/** What happens to mail at one of the platform's own test addresses, for programs that try things out. */
type Simulated = 'delivered' | 'bounced' | 'complained' | 'suppressed'

/** How long after one event the next one comes, milliseconds. */
const PAUSE = 1000

/**
 * The platform's documentation, "Send Test Emails": `delivered@`, `bounced@` and `complained@resend.dev`, each also with a
 * label behind `+`, and `suppressed@resend.dev`, which knows no labels.
 */
function simulatedBy(address: string): Simulated | null {
  const found = /^(?:(delivered|bounced|complained)(?:\+[^@]*)?|(suppressed))@resend\.dev$/i.exec(address)
  const name = found?.[1] ?? found?.[2]
  return name === undefined ? null : (name.toLowerCase() as Simulated)
}

/** What becomes of an e-mail as soon as it is sent, and when the next is known of it; `null` where nothing more is. */
export interface Outcome {
  readonly lastEvent: LastEvent
  /** Milliseconds since 1970. */
  readonly nextEventAt: number | null
}

/**
 * Those of an e-mail's recipients to whom it is sent: nothing goes to an address on the suppression list.
 * @param emailId the e-mail, once it is sent: what put an address on the list is not kept from it afterwards
 */
export function reachedOf({ db }: Platform, recipients: readonly string[], emailId?: string): readonly string[] {
  return recipients.filter((address) => {
    const suppression = findSuppression(db, address)
    const isSuppressed = suppression !== undefined && (emailId === undefined || suppression.source_id !== emailId)
    return simulatedBy(address) !== 'suppressed' && !isSuppressed
  })
}

/**
 * `delivered` when everyone is here; mail to anywhere else is kept as `sent` and goes nowhere. What becomes of mail to a test
 * address is known a moment after it was sent, except that nothing is sent where all are suppressed.
 */
export function outcome(platform: Platform, recipients: readonly string[]): Outcome {
  const reached = reachedOf(platform, recipients)
  if (recipients.length > 0 && reached.length === 0) return { lastEvent: 'suppressed', nextEventAt: null }
  const isSimulated = reached.some((address) => simulatedBy(address) !== null)
  if (isSimulated) return { lastEvent: 'sent', nextEventAt: platform.now() + PAUSE }
  const isHere = reached.every((address) => isLocalRecipient(platform.db, address))
  return { lastEvent: isHere ? 'delivered' : 'sent', nextEventAt: null }
}

/** What happens to an e-mail after it was sent, in its order: the platform tells one thing of all its recipients, the last. */
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

/** Goes on with every e-mail of which something more is known by now. */
export function passDeliveryEvents(platform: Platform): void {
  const { db, now } = platform
  const due = db.all<EmailRow & { readonly next_event_at: number }>(
    'SELECT * FROM emails WHERE next_event_at <= ? ORDER BY next_event_at',
    now(),
  )
  for (const email of due) {
    const events = laterEvents(
      platform,
      reachedOf(platform, JSON.parse(email.delivered_to) as readonly string[], email.id),
    )
    const happened = email.last_event === null ? -1 : events.indexOf(email.last_event)
    const event = events[happened + 1] ?? email.last_event
    const isLast = happened + 2 >= events.length
    tellDeliveryEvent(platform, email.id, event, isLast ? null : email.next_event_at + PAUSE)
  }
}

/** By which event an address comes on the suppression list, and as what. */
const origins: Readonly<Partial<Record<LastEvent, SuppressionOrigin>>> = { bounced: 'bounce', complained: 'complaint' }

/**
 * Says what became of a sent e-mail. One that bounced or was complained about puts whom that is about on the suppression list:
 * the test addresses that stand for it, else everybody it went to.
 * @returns false where there is no such e-mail
 */
export function tellDeliveryEvent(
  platform: Platform,
  id: string,
  event: LastEvent | null,
  nextEventAt: number | null = null,
): boolean {
  const { db, now } = platform
  const email = db.get<EmailRow>(
    "UPDATE emails SET last_event = ?, next_event_at = ? WHERE id = ? AND direction = 'outbound' RETURNING *",
    event,
    nextEventAt,
    id,
  )
  const origin = event === null ? undefined : origins[event]
  if (email !== undefined && origin !== undefined) {
    const reached = reachedOf(platform, JSON.parse(email.delivered_to) as readonly string[], id)
    const meant = reached.filter((address) => simulatedBy(address) === event)
    for (const address of meant.length > 0 ? meant : reached) {
      addSuppression(db, { email: address, origin, sourceId: id }, now())
    }
  }
  return email !== undefined
}
