/** What the platform may have found when it checked who sent an e-mail (platform facts 7). */
export const AUTHENTICATION_RESULTS = ['pass', 'fail', 'gray', 'processing_failed', 'unknown'] as const
export type AuthenticationResult = (typeof AUTHENTICATION_RESULTS)[number]

/** SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 7489), as the platform has checked them. */
export interface Authentication {
  readonly spf: AuthenticationResult
  readonly dkim: AuthenticationResult
  readonly dmarc: AuthenticationResult
}
