/** A way to unsubscribe from a mailing list, found in one of its e-mails (RFC 2369, 8058). */
export type UnsubscribeMethod =
  /** The engine sends a POST request with a fixed body to an https address. */
  | { readonly kind: 'oneClick'; readonly url: string }
  /** The user sends a message to one address. Other fields of the `mailto:` link are ignored. */
  | { readonly kind: 'mail'; readonly to: string; readonly subject: string; readonly text: string }
  /** A web page to open in the browser, over http or https. */
  | { readonly kind: 'page'; readonly url: string }

/** Outcomes of a request to unsubscribe: the server's response, or the state of the message. */
export const UNSUBSCRIBE_OUTCOMES = ['accepted', 'declined', 'unanswered', 'begun', 'sent'] as const

export interface UnsubscribeRecord {
  /** ASCII hostname of the server, or the address to which the message was sent. */
  readonly to: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /**
   * `begun`: the message is still a draft. `sent`: the platform has the message. The other outcomes come from a server.
   */
  readonly outcome: (typeof UNSUBSCRIBE_OUTCOMES)[number]
  /** HTTP status, if a server responded. */
  readonly status: number | null
  /** Host to which the server redirected; the redirect was not followed. */
  readonly leadsTo: string | null
}

export interface UnsubscribeOffer {
  /** At least one method, at most one per kind, best first. */
  readonly ways: readonly UnsubscribeMethod[]
  /** `verified`: DKIM-signed by a domain, as RFC 8058 requires. `forged`: perhaps not from the stated sender. */
  readonly sender: 'verified' | 'unverified' | 'forged'
  /** The user's address to which the list sends mail; null if unclear. */
  readonly recipient: string | null
  /** The last request to this list for this recipient, or null. */
  readonly last: UnsubscribeRecord | null
}
