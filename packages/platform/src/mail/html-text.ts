import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'

/** Elements without visible text. */
const invisibleElements = new Set('script style title noscript template iframe noembed noframes'.split(' '))
/** Elements that don't separate words; neither do comments. */
const inline = new Set(
  'a abbr b big bdi bdo code em font i ins kbd mark s small span strong sub sup tt u wbr'.split(' '),
)

/**
 * Text of an HTML body, for search and a missing plain-text part. It isn't a renderer: every block breaks the line. As
 * in a browser, entities are decoded and an unclosed element hides what follows.
 * The HTML is untrusted, so only the tokenizer is used, in one pass: the parser's stack of open elements has quadratic
 * cost.
 */
export function htmlToText(html: string): string {
  return textParts(html)
    .join('')
    .replace(/[ \t\r\f\u00a0]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
}

/** Text between tags, with a line break for each tag that separates words. */
function textParts(html: string): readonly string[] {
  const parts: string[] = []
  /** The hidden element and its nesting depth. */
  let hidden: { readonly name: string; readonly depth: number } | null = null
  const nothing = (): void => undefined
  const separate = (name: string): void => {
    if (hidden === null && !inline.has(name)) parts.push('\n')
  }
  const enter = (name: string): void => {
    if (hidden?.name === name) hidden = { name, depth: hidden.depth + 1 }
    else if (hidden === null && invisibleElements.has(name)) hidden = { name, depth: 1 }
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

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character)
}
