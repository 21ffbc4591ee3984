import type { Authentication, AuthenticationResult } from '../../../shared/authentication.ts'

/** The badge: what the checks of the sender come to. */
export interface CheckedSender {
  readonly tone: 'good' | 'bad' | 'plain'
  readonly words: string
  /** What it means, in a sentence. */
  readonly meaning: string
}

/**
 * What the platform's checks come to. DMARC is the one that is about the address that a person sees (RFC 7489, 3.1): SPF
 * and DKIM pass for any domain that somebody owns. Without it only a server that was not to send is told of: whoever
 * forwards an e-mail is such a one, and then its signature vouches for it; a list that adds a line breaks the signature,
 * which then counts as none (RFC 6376, 6.1).
 * @returns null where nothing is known, of which nothing is said
 */
export const describeAuthentication = ({ spf, dkim, dmarc }: Authentication): CheckedSender | null => {
  if (dmarc === 'pass') {
    return {
      tone: 'good',
      words: 'Domain confirmed',
      meaning: 'Verified: sent by this address’s domain. (The person is not verified.)',
    }
  }
  if (dmarc === 'fail') {
    return {
      tone: 'bad',
      words: 'Domain not confirmed',
      meaning: 'Not verified: this may not come from this address’s domain.',
    }
  }
  if (spf === 'fail' ? dkim !== 'pass' : dkim === 'fail' && spf !== 'pass') {
    return { tone: 'bad', words: 'Checks failed', meaning: 'The sender failed some checks.' }
  }
  const isKnown = [spf, dkim, dmarc].some((result) => result === 'pass' || result === 'gray')
  return isKnown
    ? {
        tone: 'plain',
        words: 'Domain not checked',
        meaning: 'This address’s domain publishes no way to verify its mail.',
      }
    : null
}

export const RESULT_WORDS: Readonly<Record<AuthenticationResult, string>> = {
  pass: 'Passed',
  fail: 'Failed',
  gray: 'Neutral',
  processing_failed: 'Could not be checked',
  unknown: 'Not known',
}

export const METHODS = [
  { method: 'spf', name: 'SPF', about: 'sending server' },
  { method: 'dkim', name: 'DKIM', about: 'signature' },
  { method: 'dmarc', name: 'DMARC', about: 'address shown' },
] as const satisfies readonly { readonly method: keyof Authentication; readonly name: string; readonly about: string }[]
