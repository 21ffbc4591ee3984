import { toVisibleText } from '../../../shared/visible-text.ts'

/** Maximum characters of untrusted text in a line: a subject, name, filename or preview. */
const MAX_QUOTED_LENGTH = 300

/**
 * Untrusted text as one line without hidden characters, for a `quoted` field. Unescaped: JSON delimits it.
 * @param most at most 1,000 characters; truncated text gets an ellipsis
 */
export const quoteUntrustedText = (text: string | null | undefined, most: number = MAX_QUOTED_LENGTH): string => {
  const line = toVisibleText(text ?? '')
  return line.length <= most ? line : `${line.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
}
