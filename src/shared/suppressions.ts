/** Addresses that the platform sends nothing to. Every time is in milliseconds since the epoch, UTC. */
import type { Freshness } from './model.ts'

/** An address on the platform's suppression list. */
export interface Suppression {
  /** `bounce`, `complaint`, `manual`, or an origin that the platform has added since. */
  readonly origin: string
  /** When it came on the list; null where the platform does not say. */
  readonly since: number | null
}

/** The last that is known here of mail to an address alone: it came to nothing. */
export interface ReturnedMail {
  /** `bounced`, `complained` or `suppressed` (platform facts 6, `last_event`). */
  readonly event: string
  /** When the e-mail was sent. */
  readonly at: number
}

/** What is known of an address and the suppression list, with what waits in the outbox laid over it. */
export interface SuppressionOfAddress {
  /** As it was asked for. */
  readonly address: string
  /** Null for one that is not on the list, and where that is not known (`freshness`). */
  readonly suppression: Suppression | null
  /** When the platform was asked; `never` where it was not, or has no such list. */
  readonly freshness: Freshness
  /** Whether a person has taken it off the list, or put it back, and the platform has yet to hear of it. */
  readonly isWaiting: boolean
  /** Null where the last mail to it arrived, or none is known here. */
  readonly returned: ReturnedMail | null
}

/** The most addresses that are asked about at once: the most recipients of an e-mail (platform facts 6.1). */
export const MOST_ADDRESSES = 50
