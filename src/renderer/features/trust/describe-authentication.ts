import type { Authentication, AuthenticationResult } from '../../../shared/model.ts'

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
      meaning: 'The domain of the address confirms that it sent this e-mail. Who wrote it is not checked.',
    }
  }
  if (dmarc === 'fail') {
    return {
      tone: 'bad',
      words: 'Domain not confirmed',
      meaning: 'The domain of the address does not confirm this e-mail: somebody else may have sent it.',
    }
  }
  if (spf === 'fail' ? dkim !== 'pass' : dkim === 'fail' && spf !== 'pass') {
    return { tone: 'bad', words: 'Checks failed', meaning: 'Not all checks of the sender were passed.' }
  }
  const isKnown = [spf, dkim, dmarc].some((result) => result === 'pass' || result === 'gray')
  return isKnown
    ? {
        tone: 'plain',
        words: 'Domain not checked',
        meaning: 'The domain of the address does not say how its e-mails can be told from others.',
      }
    : null
}

export const RESULT_WORDS: Readonly<Record<AuthenticationResult, string>> = {
  pass: 'Passed',
  fail: 'Failed',
  gray: 'Neither passed nor failed',
  processing_failed: 'Could not be checked',
  unknown: 'Not known',
}

export const METHODS = [
  { method: 'spf', name: 'SPF', about: 'the server that sent it' },
  { method: 'dkim', name: 'DKIM', about: 'the signature in it' },
  { method: 'dmarc', name: 'DMARC', about: 'the address that is shown' },
] as const satisfies readonly { readonly method: keyof Authentication; readonly name: string; readonly about: string }[]
