import { createProblem } from '../../shared/result.ts'

const segment = (text: string): string => {
  if (text === '' || text === '.' || text === '..') {
    throw createProblem('invalid_input', `${JSON.stringify(text)} cannot be an ID.`)
  }
  return encodeURIComponent(text)
}

/**
 * Rejects `.` and `..` as IDs, which encoding can't protect (platform.md 1.7).
 * @example path`/inboxes/${inboxId}/threads`
 */
export const apiPath = (literals: TemplateStringsArray, ...ids: readonly string[]): string =>
  literals.slice(1).reduce((built, literal, index) => built + segment(ids[index] ?? '') + literal, literals[0] ?? '')
