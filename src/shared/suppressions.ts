/**
 * The platform's suppression list: addresses to which it doesn't deliver. All times are in milliseconds since the
 * epoch, UTC.
 */
import type { Freshness } from './model.ts'

export interface Suppression {
  /** `bounce`, `complaint`, `manual`, or an origin that the platform added later. */
  readonly origin: string
  /** Null if the platform doesn't report it. */
  readonly since: number | null
  /** ID of the sent e-mail that caused it. Null if there is none, or it isn't on this computer. */
  readonly sourceId: string | null
}

/** The last known e-mail sent only to this address, if its delivery failed. */
export interface BouncedEmail {
  /** `bounced`, `complained` or `suppressed` (platform.md 20.9). */
  readonly event: string
  /** When the e-mail was sent. */
  readonly at: number
}

/** Known state of an address, including changes in the outbox. */
export interface AddressSuppression {
  /** The address as requested. */
  readonly address: string
  /** Null if the address is not on the list, or if that is unknown (see `freshness`). */
  readonly suppression: Suppression | null
  /** Freshness of the last request; also `never` if the platform has no such list. */
  readonly freshness: Freshness
  /** True if the user removed the address from the list, or put it back, and the platform hasn't confirmed that yet. */
  readonly isWaiting: boolean
  /** Null if the last e-mail was delivered, or if none is known. */
  readonly returned: BouncedEmail | null
}

/** Maximum addresses per request; an e-mail can't have more recipients (platform.md 20.1). */
export const MAX_ADDRESSES_PER_REQUEST = 50
