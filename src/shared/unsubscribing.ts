/** A way to leave a mailing list, from one of its e-mails (RFC 2369, 8058). */
export type UnsubscribeMethod =
  /** The engine POSTs a constant body to an https address. */
  | { readonly kind: 'oneClick'; readonly url: string }
  /** A message to one address. Other `mailto:` fields are ignored. */
  | { readonly kind: 'mail'; readonly to: string; readonly subject: string; readonly text: string }
  /** A page for the browser, over http or https. */
  | { readonly kind: 'page'; readonly url: string }

/** Outcome of a request to leave a list: the server's response, or the state of the message. */
export const UNSUBSCRIBE_OUTCOMES = ['accepted', 'declined', 'unanswered', 'begun', 'sent'] as const

export interface Unsubscribed {
  /** ASCII hostname of the server, or the address written to. */
  readonly to: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** `begun`: the message is still a draft; `sent`: the platform has it. The others come from a server. */
  readonly outcome: (typeof UNSUBSCRIBE_OUTCOMES)[number]
  /** HTTP status, if a server responded. */
  readonly status: number | null
  /** Host of a redirect, which was not followed. */
  readonly leadsTo: string | null
}

export interface UnsubscribeOffer {
  /** At least one, at most one per kind, best first. */
  readonly ways: readonly UnsubscribeMethod[]
  /** `verified`: DKIM-signed by a domain, as RFC 8058 requires. `forged`: perhaps not from the stated sender. */
  readonly sender: 'verified' | 'unverified' | 'forged'
  /** The user's address that the list writes to; null if unclear. */
  readonly recipient: string | null
  /** The last request to this list for this recipient, or null. */
  readonly last: Unsubscribed | null
}
