import type { Problem } from '../../shared/result.ts'

const describeMissing = (missing: unknown, name: unknown): string | null => {
  const named = typeof name === 'string'
  if (missing === 'inbox') return `the platform has no inbox ${named ? name : 'with this name'}`
  if (missing === 'label')
    return `the platform no longer has ${named ? `the label “${name}”` : 'a label in this search'}`
  return missing === 'cursor' ? 'the platform’s results changed while loading' : null
}

/** Describes the platform's failure in a few words. "Did not answer" means that there was no response at all. */
export const describePlatformFailure = ({ code, details = {} }: Problem): string => {
  const missing = describeMissing(details.missing, details.name)
  if (missing !== null) return missing
  switch (code) {
    case 'unreachable':
      return details.isSilent === true ? 'the platform did not answer' : 'the platform cannot be reached'
    case 'key_missing':
      return 'the API key is missing'
    case 'key_rejected':
      return 'the platform does not accept the API key'
    case 'key_restricted':
      return 'this API key lacks permission'
    case 'key_of_another_account':
      return 'this API key belongs to another account'
    case 'rate_limited':
      return 'the platform is limiting requests'
    case 'platform_failed':
      return typeof details.status === 'number' && details.status >= 500
        ? 'the platform reported an error'
        : 'the platform’s response is not valid'
    case 'not_found':
      return 'the platform does not have it'
    case 'storage_failed':
    case 'internal':
      return 'the platform’s response could not be saved'
    case 'query_invalid':
    case 'refused':
    case 'invalid_input':
    case 'conflict':
      return 'the platform rejected the request'
    case 'not_a_mail_platform':
      return 'there is no mail platform at this address'
    case 'no_account':
    case 'cancelled':
      return 'the request was not sent'
  }
}
