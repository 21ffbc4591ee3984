import { reasonOfFault } from '../../../shared/delivery.ts'

/** What became of a sent e-mail, in words (platform facts 6, `last_event`). */
const WORDS: Readonly<Record<string, string>> = {
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

/** What happens to each recipient by itself, while the platform tells of one of them. */
const OF_ONE = new Set(['bounced', 'clicked', 'complained', 'delivered', 'delivery_delayed', 'opened', 'suppressed'])

/** @param event an event that is not known yet is shown as the platform names it; null where none has happened */
export const describeLastEvent = (event: string | null): string => (event === null ? '' : (WORDS[event] ?? event))

/**
 * What became of an e-mail that went to somebody, and perhaps to others: the platform tells one thing of all of them, which may
 * have happened to another (platform facts 6).
 * @param recipients to how many addresses it went
 */
export const describeDelivery = (event: string | null, recipients: number): string => {
  const words = describeLastEvent(event) || 'No status yet'
  if (recipients < 2) return words
  const isOfOne = event !== null && OF_ONE.has(event)
  return isOfOne ? `${words}, at least one of ${recipients} recipients` : `${words}, ${recipients} recipients`
}

/** What became of an e-mail, with the reason behind it where there is one to tell. @param recipients to how many it went */
export const explainDelivery = (event: string, recipients: number): string => {
  const words = describeDelivery(event, recipients > 1 && OF_ONE.has(event) ? recipients : 1)
  const reason = event === 'delivery_delayed' ? 'the recipient’s server is not accepting it yet' : reasonOfFault(event)
  return reason === null ? words : `${words}: ${reason}`
}
