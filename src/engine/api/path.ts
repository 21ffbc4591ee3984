import { ProblemError } from '../../shared/result.ts'

const segment = (text: string): string => {
  if (text === '' || text === '.' || text === '..') {
    throw new ProblemError({ code: 'invalid_input', message: `${JSON.stringify(text)} cannot be an ID.` })
  }
  return encodeURIComponent(text)
}

/**
 * A path whose IDs cannot leave their place: each is percent-encoded, and `.` and `..`, which no encoding protects,
 * are refused before anything is sent (platform facts 1, "Path safety").
 * @example path`/inboxes/${inboxId}/threads`
 */
export const path = (literals: TemplateStringsArray, ...ids: readonly string[]): string =>
  literals.slice(1).reduce((built, literal, index) => built + segment(ids[index] ?? '') + literal, literals[0] ?? '')
