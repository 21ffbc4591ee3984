/** Delivery of a sent e-mail, in the platform's own terms (platform.md 20.9). */

/** Failures that the sender must know about, with reasons for a sentence that starts with the event. */
const FAULTS: Readonly<Record<string, string>> = {
  bounced: 'the recipient’s server rejected the message',
  complained: 'the recipient reported the message',
  failed: 'the platform could not send the message',
  suppressed: 'the address is on the platform’s suppression list',
}
const IN_PROGRESS: ReadonlySet<string | null> = new Set([null, 'queued', 'scheduled', 'sent', 'delivery_delayed'])

/** True if delivery failed or caused a complaint, so somebody must act. */
export const isDeliveryFailure = (event: string | null): boolean => event !== null && Object.hasOwn(FAULTS, event)

/** Reason for a delivery failure, or null if the event isn't a failure. */
export const describeDeliveryFailure = (event: string): string | null =>
  isDeliveryFailure(event) ? (FAULTS[event] ?? null) : null

/** True if the outcome is still open or unknown. */
export const isDeliveryPending = (event: string | null): boolean => IN_PROGRESS.has(event)

/** True if no further event can follow. `delivered` isn't final: the recipient may still mark the e-mail as spam. */
export const isDeliveryFinal = (event: string | null): boolean => event === 'canceled' || isDeliveryFailure(event)
