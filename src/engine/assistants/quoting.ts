import { visibleText } from '../../shared/visible-text.ts'

/** Characters of what a stranger wrote into a line: a subject, a name, the name of a file, a snippet. */
const MOST = 300

/**
 * A stranger's words as one line in which nothing hides, for a field that says so (`quoted`). Nothing in them is escaped:
 * JSON says where they end, and no mark within them does.
 * @param most characters, at most 1,000, and an ellipsis where something was cut off
 * @returns '' for none
 */
export const quoted = (text: string | null | undefined, most: number = MOST): string => {
  const line = visibleText(text ?? '')
  return line.length <= most ? line : `${line.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`
}
