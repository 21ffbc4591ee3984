import { DATA_ELEMENTS } from '../../../shared/data-elements.ts'
import { createHtmlTokenizer } from './html-tokenizer.ts'

const HIDDEN = new Set(['script', 'style', 'title', 'template', 'noembed', 'object', 'select', ...DATA_ELEMENTS])

/** Elements that mail hides with an inline style, such as preheaders. They have explicit end tags. */
const PREHEADER_ELEMENTS = new Set(['div', 'span'])
const HIDDEN_STYLE = /(?:^|[;\s])display\s*:\s*none/i

/** Elements that start a new line. */
const LINES = new Set(
  [
    ...['address', 'article', 'aside', 'blockquote', 'br', 'center', 'dd', 'details', 'div', 'dl', 'dt', 'fieldset'],
    ...['figcaption', 'figure', 'footer', 'form', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'hr', 'li', 'main'],
    ...['nav', 'ol', 'p', 'pre', 'section', 'summary', 'table', 'tr', 'ul'],
  ].values(),
)

/** Elements with blank lines around them. */
const PARAGRAPHS = new Set(['blockquote', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'pre', 'table', 'ul', 'ol'])

/** Characters. Longer link addresses are omitted: they only track who clicked. */
const MAX_LINK_LENGTH = 200

/**
 * Text of an HTML body, with line breaks as on the page. Builds no tree, so it is linear at any nesting depth.
 * @param hasTargets true to include link addresses, image descriptions and text hidden by inline styles
 */
export const htmlToText = (html: string, hasTargets = true): string => {
  const text: string[] = []
  /** Separator before the next words. */
  let gap: '' | ' ' | '\n' | '\n\n' = ''
  let hidden: string | null = null
  /** Number of nested elements of the same name inside the hidden one. */
  let hiddenWithin = 0
  let isUnseen = false
  let name = ''
  let attribute = ''
  let value: string[] = []
  let link: { readonly address: string; readonly at: number } | null = null

  const part = (wider: typeof gap): void => {
    if (wider.length > gap.length || (wider.length === gap.length && wider === '\n')) gap = wider
  }
  const appendText = (words: string): void => {
    if (hidden !== null) return
    const line = words.replace(/\s+/g, ' ')
    if (line === ' ' || line === '') {
      if (line !== '') part(' ')
      return
    }
    if (line.startsWith(' ')) part(' ')
    if (text.length > 0) text.push(gap)
    text.push(line.trim())
    gap = line.endsWith(' ') ? ' ' : ''
  }
  const endLink = (): void => {
    if (link === null) return
    const { address, at } = link
    link = null
    const words = text.slice(at).join('').trim()
    if (words !== '' && !words.includes(address) && address.length <= MAX_LINK_LENGTH) appendText(` <${address}>`)
  }
  const open = (): void => {
    if (hidden !== null) {
      if (hidden === name && PREHEADER_ELEMENTS.has(name)) hiddenWithin += 1
      return
    }
    if (HIDDEN.has(name) || (isUnseen && PREHEADER_ELEMENTS.has(name))) hidden = name
    else if (PARAGRAPHS.has(name)) part('\n\n')
    else if (LINES.has(name)) part('\n')
    else if (name === 'td' || name === 'th') part(' ')
    if (name === 'li') appendText('- ')
  }

  const tokenizer = createHtmlTokenizer(
    { decodeEntities: true },
    {
      onopentagname: (start, end) => {
        name = html.slice(start, end).toLowerCase()
        isUnseen = false
        if (name === 'a') endLink()
      },
      onattribname: (start, end) => {
        attribute = html.slice(start, end).toLowerCase()
        value = []
      },
      onattribdata: (start, end) => {
        value.push(html.slice(start, end))
      },
      onattribentity: (point) => {
        value.push(String.fromCodePoint(point))
      },
      onattribend: () => {
        if (hidden !== null) return
        const said = value.join('').trim()
        if (!hasTargets) {
          isUnseen ||= attribute === 'style' && HIDDEN_STYLE.test(said)
          return
        }
        if (name === 'a' && attribute === 'href' && /^(?:https?|mailto):/i.test(said)) {
          link = { address: said.replace(/^mailto:/i, ''), at: text.length }
        }
        if (name === 'img' && attribute === 'alt' && said !== '') appendText(` [${said}] `)
      },
      onopentagend: open,
      onselfclosingtag: open,
      onclosetag: (start, end) => {
        const closed = html.slice(start, end).toLowerCase()
        if (hidden === closed && hiddenWithin > 0) hiddenWithin -= 1
        else if (hidden === closed) hidden = null
        else if (closed === 'a') endLink()
        else if (PARAGRAPHS.has(closed)) part('\n\n')
        else if (LINES.has(closed)) part('\n')
      },
      ontext: (start, end) => appendText(html.slice(start, end)),
      ontextentity: (point) => appendText(String.fromCodePoint(point)),
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  endLink()
  return text.join('')
}
