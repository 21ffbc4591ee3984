import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'

/** Elements whose content nobody reads. */
const unread = new Set('script style title noscript template iframe noembed noframes'.split(' '))
/** Elements that do not separate the words around them; comments do not either. */
const inline = new Set(
  'a abbr b big bdi bdo code em font i ins kbd mark s small span strong sub sup tt u wbr'.split(' '),
)

/**
 * The words of an HTML body for search and for a missing plain-text part: no markup, no scripts, entities decoded as a
 * browser does. It is not a renderer: lines break at every block. What is opened and never closed hides what follows, as
 * in a browser.
 *
 * A stranger wrote it, so it is read in one walk, by the library's tokenizer: its parser also keeps a stack of the open
 * elements, which costs the square of their number.
 */
export function htmlText(html: string): string {
  return textParts(html)
    .join('')
    .replace(/[ \t\r\f\u00a0]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
}

/** What stands between the tags, with a line break for each tag that parts words. */
function textParts(html: string): readonly string[] {
  const parts: string[] = []
  /** The element whose content is left out, and how many of its kind are open in each other. */
  let hidden: { readonly name: string; readonly depth: number } | null = null
  const nothing = (): void => undefined
  const separate = (name: string): void => {
    if (hidden === null && !inline.has(name)) parts.push('\n')
  }
  const enter = (name: string): void => {
    if (hidden?.name === name) hidden = { name, depth: hidden.depth + 1 }
    else if (hidden === null && unread.has(name)) hidden = { name, depth: 1 }
    separate(name)
  }
  const leave = (name: string): void => {
    if (hidden?.name === name) hidden = hidden.depth === 1 ? null : { name, depth: hidden.depth - 1 }
    separate(name)
  }
  const nameAt = (start: number, end: number): string => html.slice(start, end).toLowerCase()
  const callbacks: TokenizerCallbacks = {
    ontext: (start, end) => hidden === null && parts.push(html.slice(start, end)),
    ontextentity: (code) => hidden === null && parts.push(String.fromCodePoint(code)),
    onopentagname: (start, end) => enter(nameAt(start, end)),
    onclosetag: (start, end) => leave(nameAt(start, end)),
    onattribdata: nothing,
    onattribend: nothing,
    onattribentity: nothing,
    onattribname: nothing,
    oncdata: nothing,
    oncomment: nothing,
    ondeclaration: nothing,
    onend: nothing,
    onopentagend: nothing,
    onprocessinginstruction: nothing,
    onselfclosingtag: nothing,
  }
  const tokenizer = new Tokenizer({}, callbacks)
  tokenizer.write(html)
  tokenizer.end()
  return parts
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text made safe to stand in HTML, between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character)
}
