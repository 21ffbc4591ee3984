/** A way to leave a mailing list that one of its e-mails names (RFC 2369, 8058). */
export type UnsubscribeWay =
  /** A POST with one constant body to an https address, by the engine. */
  | { readonly kind: 'oneClick'; readonly url: string }
  /** A message to one address. Nothing else that a `mailto:` may ask for is taken over. */
  | { readonly kind: 'mail'; readonly to: string; readonly subject: string; readonly text: string }
  /** A page for the browser, over http or https. */
  | { readonly kind: 'page'; readonly url: string }

/** The outcome of asking a list to let go: what its server answered, or how far a message to it is. */
export const UNSUBSCRIBE_OUTCOMES = ['accepted', 'declined', 'unanswered', 'begun', 'sent'] as const

/** A request to leave a list that was made on this computer. */
export interface Unsubscribed {
  /** The server's host, as the network knows it, or the address that was written to. */
  readonly to: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** `begun`: the message is still a draft; `sent`: the platform has it. The others are a server's. */
  readonly outcome: (typeof UNSUBSCRIBE_OUTCOMES)[number]
  /** HTTP's, of a server that answered. */
  readonly status: number | null
  /** The host that a redirect pointed to, which was not followed. */
  readonly leadsTo: string | null
}

/** What an e-mail of a mailing list offers. */
export interface UnsubscribeOffer {
  /** One of a kind at most, the best first; at least one. */
  readonly ways: readonly UnsubscribeWay[]
  /**
   * Whether the platform found the e-mail signed by a domain (DKIM), as RFC 8058 wants it; `forged` where it may be
   * somebody else's than it says.
   */
  readonly sender: 'verified' | 'unverified' | 'forged'
  /** The own address that the list writes to; null where that cannot be told. */
  readonly recipient: string | null
  /** What was last asked of this list, for this recipient; null for nothing. */
  readonly last: Unsubscribed | null
}
