import type { Authentication, AuthenticationResult } from '../../../shared/authentication.ts'

export interface CheckedSender {
  readonly tone: 'good' | 'bad' | 'plain'
  readonly words: string
  readonly meaning: string
}

/**
 * Sums up the platform's checks. Only DMARC covers the address the user sees (RFC 7489, 3.1): SPF and DKIM pass for any
 * domain someone owns. Without DMARC, only report a server that was not allowed to send. A forwarder is such a server,
 * but then the signature vouches for the mail; a mailing list that adds a line breaks the signature, which then counts
 * as none (RFC 6376, 6.1).
 * @returns null if nothing is known; then no badge
 */
export const describeAuthentication = ({ spf, dkim, dmarc }: Authentication): CheckedSender | null => {
  if (dmarc === 'pass') {
    return {
      tone: 'good',
      words: 'Domain confirmed',
      meaning: 'Verified: this message is from the sender’s domain. The person is not verified.',
    }
  }
  if (dmarc === 'fail') {
    return {
      tone: 'bad',
      words: 'Domain not confirmed',
      meaning: 'Not verified: this message may not be from the sender’s domain.',
    }
  }
  if (spf === 'fail' ? dkim !== 'pass' : dkim === 'fail' && spf !== 'pass') {
    return {
      tone: 'bad',
      words: 'Checks failed',
      meaning: 'This message failed some checks, so the sender may be forged.',
    }
  }
  const isKnown = [spf, dkim, dmarc].some((result) => result === 'pass' || result === 'gray')
  return isKnown
    ? {
        tone: 'plain',
        words: 'Domain not checked',
        meaning: 'The sender’s domain publishes no way to verify its mail.',
      }
    : null
}

export const RESULT_DESCRIPTIONS: Readonly<Record<AuthenticationResult, string>> = {
  pass: 'Passed',
  fail: 'Failed',
  gray: 'Neutral',
  processing_failed: 'Could not be checked',
  unknown: 'Unknown',
}

export const AUTHENTICATION_METHODS = [
  { method: 'spf', name: 'SPF', about: 'sending server' },
  { method: 'dkim', name: 'DKIM', about: 'signature' },
  { method: 'dmarc', name: 'DMARC', about: 'address shown' },
] as const satisfies readonly { readonly method: keyof Authentication; readonly name: string; readonly about: string }[]
