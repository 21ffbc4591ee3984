/** What becomes of an e-mail after it was sent, by the platform's own words for it (platform facts 6, `last_event`). */

/** What whoever sent it has to know of, and why it is so, for a sentence that begins with the word itself. */
const FAULTS: Readonly<Record<string, string>> = {
  bounced: 'the recipient’s server refused it',
  complained: 'the recipient reported it',
  failed: 'the platform could not send it',
  suppressed: 'the address is on the platform’s suppression list',
}
const UNDER_WAY: ReadonlySet<string | null> = new Set([null, 'queued', 'scheduled', 'sent', 'delivery_delayed'])

/** Whether it has come to nothing, or to harm: somebody has to do something about it. */
export const isDeliveryFault = (event: string | null): boolean => event !== null && Object.hasOwn(FAULTS, event)

/** Why that is; null for what is no fault. */
export const reasonOfFault = (event: string): string | null => (isDeliveryFault(event) ? (FAULTS[event] ?? null) : null)

/** Whether it has not come to its end yet, or that is not known. */
export const isUnderWay = (event: string | null): boolean => UNDER_WAY.has(event)

/** Whether nothing else becomes of it. One that was delivered may still be marked as spam. */
export const isDeliveryOver = (event: string | null): boolean => event === 'canceled' || isDeliveryFault(event)
