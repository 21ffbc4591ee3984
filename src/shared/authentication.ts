/** Results of the platform's sender checks (platform.md 21.8). */
export const AUTHENTICATION_RESULTS = ['pass', 'fail', 'gray', 'processing_failed', 'unknown'] as const
export type AuthenticationResult = (typeof AUTHENTICATION_RESULTS)[number]

/** The platform's results for SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 7489). */
export interface Authentication {
  readonly spf: AuthenticationResult
  readonly dkim: AuthenticationResult
  readonly dmarc: AuthenticationResult
}
