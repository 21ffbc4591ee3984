import { parseLegacyColor } from '../../../shared/css/rgba-color.ts'
import { escapeHtml } from '../../../shared/escape-html.ts'
import { darkenColor, type ColorRole } from './darken-color.ts'
import { applyEdits, type TextEdit } from './css-tokens.ts'
import { repaintCss, repaintMediaQuery } from './repaint-css.ts'
import type { MailPaper } from './frame-document.ts'
import { createHtmlTokenizer } from './html-tokenizer.ts'

const PAINTED: ReadonlyMap<string, ColorRole> = new Map([
  ['bgcolor', 'ground'],
  ['color', 'ink'],
])

const darkenAttribute = (name: string, value: string): string => {
  const paint = PAINTED.get(name)
  const color = paint === undefined ? null : parseLegacyColor(value)
  return paint === undefined || color === null ? value : (darkenColor(color, paint) ?? value)
}

/**
 * Restyles markup for its paper (`repaintCss`). Changes only `style`, `bgcolor`, `color`, `media` and style sheets.
 * Edits can't break out of an attribute value or an element. Linear, without a tree.
 * @param markup output of `sanitizeHtml`
 */
export const repaintMarkup = (markup: string, paper: MailPaper): string => {
  // Senders choose colours for light paper.
  if (paper === 'light' && !/prefers-color/i.test(markup)) return markup
  const edits: TextEdit[] = []
  /** Cache: mail repeats the same styles. */
  const known = new Map<string, string>()
  let tag = ''

  const repaintStyles = (css: string): string => {
    const kept = known.get(css) ?? repaintCss(css, paper)
    known.set(css, kept)
    return kept
  }
  const repainted = (name: string, value: string): string => {
    if (name === 'media') return tag === 'style' ? repaintMediaQuery(value, paper) : value
    if (paper === 'light') return value
    return name === 'style' ? repaintStyles(value) : darkenAttribute(name, value)
  }

  const tokenizer = createHtmlTokenizer(
    markup,
    { decodeEntities: true },
    {
      openName: (name) => {
        tag = name
      },
      attribute: ({ name, value, from, to }) => {
        const after = repainted(name, value)
        if (after !== value) edits.push({ from, to, text: `="${escapeHtml(after)}"` })
      },
      close: () => {
        tag = ''
      },
      text: (text, from) => {
        if (tag !== 'style') return
        const sheet = repaintCss(text, paper)
        // Renaming can join adjacent text into an end tag, which must not close the element.
        edits.push({ from, to: from + text.length, text: /<\/style/i.test(sheet) ? '' : sheet })
      },
    },
  )
  tokenizer.write(markup)
  tokenizer.end()
  return applyEdits(markup, edits)
}

const MAX_QUERIES = 20

/** True if an e-mail has its own dark styles, including a background. @param markup output of `sanitizeHtml` */
export const hasDarkStyles = (markup: string): boolean => {
  const asked = /prefers-color-scheme\s*:\s*dark/gi
  for (let tries = 0; tries < MAX_QUERIES && asked.exec(markup) !== null; tries += 1) {
    const rest = markup.slice(asked.lastIndex, asked.lastIndex + 20_000)
    const end = rest.search(/@media|<\/style/i)
    if (/background/i.test(end === -1 ? rest : rest.slice(0, end))) return true
  }
  return false
}
