/** The platform's suppression list. All times are in milliseconds since the epoch, UTC. */
import type { Freshness } from './model.ts'

export interface Suppression {
  /** `bounce`, `complaint`, `manual`, or an origin that the platform has added since. */
  readonly origin: string
  /** Null if the platform doesn't say. */
  readonly since: number | null
}

/** The last known mail to this address alone, which failed. */
export interface ReturnedMail {
  /** `bounced`, `complained` or `suppressed` (platform facts 6, `last_event`). */
  readonly event: string
  /** When the e-mail was sent. */
  readonly at: number
}

/** Known state of an address, including changes in the outbox. */
export interface SuppressionOfAddress {
  /** As requested. */
  readonly address: string
  /** Null if not on the list, or if unknown (`freshness`). */
  readonly suppression: Suppression | null
  /** Of the last request; `never` also if the platform has no such list. */
  readonly freshness: Freshness
  /** True if the user removed it from the list, or put it back, and the platform doesn't know yet. */
  readonly isWaiting: boolean
  /** Null if the last mail arrived, or none is known. */
  readonly returned: ReturnedMail | null
}

/** Limit per request: the most recipients of an e-mail (platform facts 6.1). */
export const MAX_ADDRESSES = 50
