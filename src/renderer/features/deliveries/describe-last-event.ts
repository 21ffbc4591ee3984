import { describeDeliveryFailure } from '../../../shared/delivery.ts'

/** Delivery status texts (platform.md 20.9). */
const STATUS_TEXTS: Readonly<Record<string, string>> = {
  bounced: 'Bounced',
  canceled: 'Cancelled',
  clicked: 'Clicked',
  complained: 'Marked as spam',
  delivered: 'Delivered',
  delivery_delayed: 'Delayed',
  failed: 'Failed',
  opened: 'Opened',
  queued: 'Queued',
  scheduled: 'Scheduled',
  sent: 'Sent',
  suppressed: 'Suppressed',
}

/** Events of a single recipient; the platform reports just one for all recipients. */
const SINGLE_RECIPIENT_EVENTS = new Set([
  'bounced',
  'clicked',
  'complained',
  'delivered',
  'delivery_delayed',
  'opened',
  'suppressed',
])

/** @param event unknown events are shown under their raw name; null if none has happened */
export const describeLastEvent = (event: string | null): string =>
  event === null ? '' : (STATUS_TEXTS[event] ?? event)

/** Status of an e-mail. The platform reports one event, which may concern any recipient (platform.md 20.9). */
export const describeDelivery = (event: string | null, recipients: number): string => {
  const words = describeLastEvent(event) || 'No status yet'
  if (recipients < 2) return words
  const isOfOne = event !== null && SINGLE_RECIPIENT_EVENTS.has(event)
  return isOfOne ? `${words} (at least one of ${recipients} recipients)` : `${words}, ${recipients} recipients`
}

/** Status of an e-mail, with the reason if there is one. */
export const explainDelivery = (event: string, recipients: number): string => {
  const words = describeDelivery(event, recipients > 1 && SINGLE_RECIPIENT_EVENTS.has(event) ? recipients : 1)
  const reason =
    event === 'delivery_delayed'
      ? 'the recipient’s server is not accepting the message yet'
      : describeDeliveryFailure(event)
  return reason === null ? words : `${words}: ${reason}`
}
