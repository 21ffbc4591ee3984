/** Delivery of a sent e-mail, in the platform's own terms (platform.md 20.9 and 23.9). */
import { parseRecipient } from './recipients.ts'
import { toShortText } from './visible-text.ts'

/** Why delivery failed, as told by an event of a webhook. Untrusted; what the event lacks is null. */
export interface DeliveryFailure {
  /** For a bounce: `Permanent`, `Transient` or `Undetermined`. */
  readonly type: string | null
  readonly subType: string | null
  /** The reply of the recipient's server, or a text or code of the platform. */
  readonly message: string | null
  /** Affected recipients. Empty if unknown. */
  readonly recipients: readonly string[]
}

/**
 * The reason follows a colon; the advice is sentences. `isSuppressed` is true if the address is on the suppression list
 * now, and undefined if the type of the bounce decides it.
 */
type Cause = readonly [reason: string, advice: string, isSuppressed?: boolean]

const CHECK = 'Check the address before you send it again.'
const REMOVE = 'To send to it, remove it from that list.'
const TRANSIENT: Cause = ['temporarily rejected', 'The address was not suppressed, so you can try again later.', false]
const MAILBOX_FULL: Cause = ['mailbox full', 'Wait until the mailbox has room.']
const TOO_LARGE: Cause = ['message too large', 'Send fewer or smaller attachments.']

/**
 * Failures that the sender must know about: by event, by event and type, and by event and subtype, enhanced status code
 * (RFC 3463, without its class) or reason.
 */
const CAUSES: ReadonlyMap<string, Cause> = new Map([
  ['bounced', ['the recipient’s server rejected the message', CHECK]],
  ['complained', ['the recipient reported the message', 'Contact the recipient another way before you write again.']],
  ['failed', ['the platform could not send the message', 'Send it again.']],
  ['suppressed', ['the address is on the platform’s suppression list', REMOVE, true]],
  [
    'bounced Permanent',
    ['permanently rejected', `The platform added the address to its suppression list. ${REMOVE}`, true],
  ],
  ['bounced Transient', TRANSIENT],
  ['bounced Temporary', TRANSIENT],
  ['bounced Undetermined', ['rejected without a clear reason', CHECK]],
  ['bounced MailboxFull', MAILBOX_FULL],
  ['bounced MessageTooLarge', TOO_LARGE],
  ['bounced ContentRejected', ['content refused', 'Change the text.']],
  ['bounced AttachmentRejected', ['attachment refused', 'Leave out the attachment, or send a link to it.']],
  ['bounced NoEmail', ['permanently rejected, for an address that the server did not name', CHECK, false]],
  ['bounced Suppressed', ['held back by the platform because of earlier bounces', CHECK, false]],
  ['bounced OnAccountSuppressionList', ['address on the suppression list', REMOVE, true]],
  ['bounced 1.1', ['no such address', 'Check it for typing mistakes.']],
  ['bounced 1.2', ['no such domain', 'Check the part after the @.']],
  ['bounced 2.1', ['mailbox disabled', 'Contact the recipient another way.']],
  ['bounced 2.2', MAILBOX_FULL],
  ['bounced 2.3', TOO_LARGE],
  ['bounced 3.4', TOO_LARGE],
  ['failed reached_daily_quota', ['your daily quota is used up', 'Send it again tomorrow.']],
])
/** True if delivery failed or caused a complaint, so somebody must act. */
export const isDeliveryFailure = (event: string | null): boolean =>
  event !== null && !event.includes(' ') && CAUSES.has(event)

/** Enhanced status code of a permanent or transient failure (RFC 3463), but not part of an IP address. */
const STATUS_CODE = /(?<![\d.])[45]\.(\d{1,3}\.\d{1,3})(?!\.?\d)/

const IN_PROGRESS: ReadonlySet<string | null> = new Set([null, 'queued', 'scheduled', 'sent', 'delivery_delayed'])

/** Maximum characters of a server's reply, and of an address. */
const MAX_LENGTH = { reply: 200, address: 80 } as const

export interface FailureExplanation {
  readonly reason: string
  readonly advice: string
  /** True if an event told the reason, so that it is more than the last event says. */
  readonly isKnown: boolean
  /** True if the platform won't send to the address until it is removed from the suppression list. */
  readonly isSuppressed: boolean
  /** The server's or the platform's own words, if the reason is none of the known ones. Null otherwise. */
  readonly quote: string | null
}

/** Explains why delivery failed. @returns null if the event isn't a failure */
export const explainDeliveryFailure = (
  event: string | null,
  failure: DeliveryFailure | null,
): FailureExplanation | null => {
  const base = isDeliveryFailure(event) ? CAUSES.get(event ?? '') : undefined
  if (base === undefined) return null
  const message = failure?.message ?? ''
  const [, code] = STATUS_CODE.exec(message) ?? []
  const type = CAUSES.get(`${event} ${failure?.type}`)
  const cause = [failure?.subType, code, message]
    .map((name) => CAUSES.get(`${event} ${name}`))
    .find((found) => found !== undefined && found !== type)
  const [reason, advice, isSuppressed] = cause ?? type ?? base
  const [, consequence, isSuppressedByType] = type ?? []
  const isOpen = isSuppressed === undefined && isSuppressedByType !== undefined
  const speaker = event === 'bounced' ? 'The server said' : 'The platform said'
  return {
    reason,
    advice: isOpen ? `${advice} ${consequence}` : advice,
    isKnown: (cause ?? type) !== undefined,
    isSuppressed: isSuppressed ?? isSuppressedByType ?? false,
    quote:
      cause !== undefined || message === '' || event === 'suppressed'
        ? null
        : `${speaker}: “${toShortText(message, MAX_LENGTH.reply)}”.`,
  }
}

const addressOf = (recipient: string): string => parseRecipient(recipient)?.address ?? recipient

/** Names the affected recipients if they are fewer than all. @param count the e-mail's recipients */
export const nameAffected = (failure: DeliveryFailure | null, count: number): string | null => {
  const [first, ...others] = failure?.recipients ?? []
  if (first === undefined || others.length + 1 >= count) return null
  const address = toShortText(addressOf(first), MAX_LENGTH.address)
  return others.length === 0 ? address : `${address} and ${others.length} more`
}

/** The only recipient that a failure can be about. Null if there may be several. */
export const findFailedAddress = (failure: DeliveryFailure | null, recipients: readonly string[]): string | null => {
  const named = failure?.recipients ?? []
  const [only, ...others] = named.length > 0 ? named : recipients
  return only === undefined || others.length > 0 ? null : addressOf(only)
}

/** True if the outcome is still open or unknown. */
export const isDeliveryPending = (event: string | null): boolean => IN_PROGRESS.has(event)

/** True if no further event can follow. `delivered` isn't final: the recipient may still mark the e-mail as spam. */
export const isDeliveryFinal = (event: string | null): boolean => event === 'canceled' || isDeliveryFailure(event)
