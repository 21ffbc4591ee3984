import { parseLegacyColor } from '../../../shared/css/rgba-color.ts'
import { escapeHtml } from '../../../shared/escape-html.ts'
import { darkenColor, type ColorRole } from './darken-color.ts'
import { applyEdits, type TextEdit } from './css-tokens.ts'
import { repaintCss, repaintMediaQuery } from './repaint-css.ts'
import type { MailPaper } from './frame-document.ts'
import { createHtmlTokenizer } from './html-tokenizer.ts'

const PAINTED: Readonly<Record<string, ColorRole>> = { bgcolor: 'ground', color: 'ink' }

const quoted = (value: string): string => `="${escapeHtml(value)}"`

const darkenAttribute = (name: string, value: string): string => {
  const color = parseLegacyColor(value)
  const paint = PAINTED[name]
  return color === null || paint === undefined ? value : (darkenColor(color, paint) ?? value)
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
  let attribute = ''
  let valueFrom = 0
  let value: string[] = []

  const repaintStyles = (css: string): string => {
    const kept = known.get(css) ?? repaintCss(css, paper)
    known.set(css, kept)
    return kept
  }
  const repainted = (written: string): string => {
    if (attribute === 'media') return repaintMediaQuery(written, paper)
    if (paper === 'light') return written
    return attribute === 'style' ? repaintStyles(written) : darkenAttribute(attribute, written)
  }
  const isPainted = (): boolean =>
    attribute === 'style' || Object.hasOwn(PAINTED, attribute) || (attribute === 'media' && tag === 'style')

  const tokenizer = createHtmlTokenizer(
    { decodeEntities: true },
    {
      onopentagname: (start, end) => {
        tag = markup.slice(start, Math.min(end, start + 40)).toLowerCase()
      },
      onattribname: (start, end) => {
        attribute = markup.slice(start, Math.min(end, start + 40)).toLowerCase()
        valueFrom = end
        value = []
      },
      onattribdata: (start, end) => {
        if (isPainted()) value.push(markup.slice(start, end))
      },
      onattribentity: (point) => {
        if (isPainted()) value.push(String.fromCodePoint(point))
      },
      onattribend: (_, end) => {
        if (!isPainted()) return
        const before = value.join('')
        const after = repainted(before)
        if (after !== before) edits.push({ from: valueFrom, to: end, text: quoted(after) })
      },
      onclosetag: () => {
        tag = ''
      },
      ontext: (start, end) => {
        if (tag !== 'style') return
        const sheet = repaintCss(markup.slice(start, end), paper)
        // Renaming can join adjacent text into an end tag, which must not close the element.
        edits.push({ from: start, to: end, text: /<\/style/i.test(sheet) ? '' : sheet })
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
