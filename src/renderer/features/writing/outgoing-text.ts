import { escapeHtml } from '../../../shared/escape-html.ts'
import { htmlToText } from '../../../shared/mail-text/html-to-text.ts'

/** Plain text for `toOutgoingHtml` or similar: lists with bullets, quotes with `>`, links with URLs, alt text. */
export const toOutgoingText = (html: string): string => htmlToText(html, Infinity)

/** Preserves leading and repeated spaces. */
const escapedLine = (line: string): string => escapeHtml(line).replace(/^ | (?= )/g, '\u00a0')

const isQuoted = (line: string): boolean => line.startsWith('>')

/** Converts plain text to HTML: an empty line starts a paragraph, `>` a quote. @param depth current quote depth */
export const textToHtml = (text: string, depth = 0): string => {
  const html: string[] = []
  let lines: string[] = []
  let quoted: string[] = []
  const endLines = (): void => {
    if (lines.length > 0) html.push(`<p dir="auto">${lines.map(escapedLine).join('<br>')}</p>`)
    lines = []
  }
  const endQuote = (): void => {
    if (quoted.length > 0) html.push(`<blockquote>${textToHtml(quoted.join('\n'), depth + 1)}</blockquote>`)
    quoted = []
  }
  for (const line of text.replace(/\r\n?/g, '\n').split('\n')) {
    // Nobody quotes more deeply, and browsers can't lay out much deeper nesting.
    if (isQuoted(line) && depth < 20) {
      endLines()
      quoted.push(line.replace(/^> ?/, ''))
      continue
    }
    endQuote()
    if (line.trim() === '') endLines()
    else lines.push(line)
  }
  endLines()
  endQuote()
  return html.join('')
}
