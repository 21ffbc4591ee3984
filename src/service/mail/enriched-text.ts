import { escapeHtml } from './html-text.ts'

/** Commands of text/enriched (RFC 1896) and text/richtext (RFC 1341) that HTML has an element for. */
const elements: ReadonlyMap<string, string> = new Map([
  ['bold', 'b'],
  ['italic', 'i'],
  ['underline', 'u'],
  ['fixed', 'code'],
  ['bigger', 'big'],
  ['smaller', 'small'],
  ['subscript', 'sub'],
  ['superscript', 'sup'],
  ['excerpt', 'blockquote'],
  ['indent', 'blockquote'],
  ['center', 'center'],
  ['paragraph', 'p'],
  ['nofill', 'pre'],
])

/** Commands of text/richtext that stand for themselves. */
const signs: ReadonlyMap<string, string> = new Map([
  ['nl', '<br>'],
  ['np', '<hr>'],
  ['lt', '&lt;'],
])

/** A command, a written `<`, or line breaks: a single one is a blank, of more each but the first is one. */
const tokens = /<<|<(\/?)([a-z\d-]{1,60})>|(?:\r?\n)+/gi

/**
 * The HTML of a text/enriched or text/richtext. Colours and fonts are left out with the parameters that name them, and so
 * are the comments of richtext.
 */
export function enrichedToHtml(text: string, kind: 'enriched' | 'richtext'): string {
  const parts: string[] = []
  /** Commands open, whose content is not read: parameters and comments. */
  let unread = 0
  let unfilled = 0
  let end = 0
  const say = (html: string): void => {
    if (unread === 0) parts.push(html)
  }
  for (const token of text.matchAll(tokens)) {
    const [whole, slash, name] = token
    say(escapeHtml(text.slice(end, token.index)))
    end = token.index + whole.length
    const command = name?.toLowerCase()
    if (command === undefined) {
      const breaks = whole.split('\n').length - 1
      if (whole === '<<') say('&lt;')
      else if (unfilled > 0) say('\n'.repeat(breaks))
      else say(kind === 'richtext' || breaks === 1 ? ' ' : '<br>'.repeat(breaks - 1))
      continue
    }
    const step = slash === '/' ? -1 : 1
    if (command === 'param' || command === 'comment') unread = Math.max(0, unread + step)
    if (command === 'nofill') unfilled = Math.max(0, unfilled + step)
    const element = elements.get(command)
    if (element !== undefined) say(`<${slash}${element}>`)
    else if (kind === 'richtext') say(signs.get(command) ?? '')
  }
  say(escapeHtml(text.slice(end)))
  return parts.join('')
}
