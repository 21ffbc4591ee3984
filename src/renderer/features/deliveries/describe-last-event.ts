import { explainDeliveryFailure, nameAffected, type DeliveryFailure } from '../../../shared/delivery.ts'

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

/** The reason for a row, or nothing if no event told it. */
const describeBriefly = (event: string | null, failure: DeliveryFailure | null): string => {
  const explanation = explainDeliveryFailure(event, failure)
  return explanation?.isKnown === true ? `: ${explanation.reason}` : ''
}

/** Status of an e-mail in a list, with a known reason. */
export const describeStatus = (event: string | null, failure: DeliveryFailure | null): string =>
  describeLastEvent(event) + describeBriefly(event, failure)

const describeForRecipients = (event: string | null, recipients: number, failure: DeliveryFailure | null): string => {
  const words = describeLastEvent(event) || 'No status yet'
  if (recipients < 2) return words
  if (event === null || !SINGLE_RECIPIENT_EVENTS.has(event)) return `${words}, ${recipients} recipients`
  const affected = nameAffected(failure, recipients)
  return affected === null ? `${words} (at least one of ${recipients} recipients)` : `${words} for ${affected}`
}

/** Status of an e-mail. The platform reports one event, which may concern any recipient (platform.md 20.9). */
export const describeDelivery = (
  event: string | null,
  recipients: number,
  failure: DeliveryFailure | null = null,
): string => describeForRecipients(event, recipients, failure) + describeBriefly(event, failure)

/** Status of an e-mail, with the reason if there is one, and with what to do if an event told the reason. */
export const explainDelivery = (event: string, recipients: number, failure: DeliveryFailure | null = null): string => {
  const isOfOne = SINGLE_RECIPIENT_EVENTS.has(event)
  const words = describeForRecipients(event, isOfOne ? recipients : 1, failure)
  if (event === 'delivery_delayed') return `${words}: the recipient’s server is not accepting the message yet`
  const explanation = explainDeliveryFailure(event, failure)
  if (explanation === null) return words
  const { reason, quote, advice } = explanation
  if (failure === null) return `${words}: ${reason}`
  return [`${words}: ${reason}.`, quote, advice].filter((part) => part !== null).join(' ')
}
