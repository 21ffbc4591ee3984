import { VOID_ELEMENTS } from '../../../shared/mail-text/walk-html.ts'
import { countOpenBrackets, FORMATTING } from '../../../shared/mail-text/heavy-html.ts'
import { estimateSignCost, estimateLetterCost } from '../../../shared/mail-text/limit-shaping.ts'
import { createHtmlTokenizer } from './html-tokenizer.ts'

export interface TruncatedHtml {
  readonly html: string
  readonly isCut: boolean
}

const MAX = {
  tags: 2500,
  images: 300,
  links: 600,
  words: 120_000,
  /** Letters of scripts whose layout time grows with the square of the paragraph length. */
  shaped: 20_000,
  /** Runs of symbols (emoji, dingbats) within the text. */
  signs: 1500,
  /** Style sheet characters and rules. */
  styles: 40_000,
  rules: 400,
  /** Characters per attribute, and characters of all embedded images together. */
  attribute: 2000,
  embedded: 1_000_000,
  /** Nesting depth. Deeper elements are dropped, but their text is kept. */
  depth: 60,
  /** Nested formatting elements. The parser reopens each of them in every paragraph. */
  formatting: 8,
} as const

const RAW = new Set(
  'script noscript iframe noembed noframes object template svg math textarea title select plaintext xmp'.split(' '),
)

/** Cuts HTML to what lays out in a few frames, and closes all elements. Linear. The output is still untrusted. */
export const truncateHtml = (html: string): TruncatedHtml => {
  const parts: string[] = []
  const counts = {
    tags: 0,
    images: 0,
    links: 0,
    words: 0,
    shaped: 0,
    signs: 0,
    styles: 0,
    rules: 0,
    /** Open brackets in style sheets. */
    brackets: 0,
    embedded: 0,
    formatting: 0,
  }
  const open: string[] = []
  let isCut = false
  let isFull = false
  let name = ''
  let attributes: string[] = []
  /** The dropped element, and the nesting depth of elements with its name inside it. */
  let skipped: { readonly name: string; depth: number } | null = null

  const openTag = (): void => {
    const tag = name
    if (isFull) return
    if (skipped !== null) {
      if (skipped.name === tag) skipped.depth += 1
      return
    }
    if (RAW.has(tag)) {
      skipped = { name: tag, depth: 1 }
      return
    }
    counts.tags += 1
    if (tag === 'img') counts.images += 1
    if (tag === 'a') counts.links += 1
    if (counts.tags > MAX.tags || counts.images > MAX.images || counts.links > MAX.links) {
      stop()
      return
    }
    const isFormatting = FORMATTING.has(tag)
    if (open.length >= MAX.depth || (isFormatting && counts.formatting >= MAX.formatting)) {
      isCut = true
      return
    }
    parts.push(`<${tag}${attributes.join('')}>`)
    if (VOID_ELEMENTS.has(tag)) return
    open.push(tag)
    if (isFormatting) counts.formatting += 1
  }
  const closeTag = (tag: string): void => {
    if (isFull) return
    if (skipped !== null) {
      if (skipped.name !== tag) return
      skipped.depth -= 1
      if (skipped.depth === 0) skipped = null
      return
    }
    const place = open.lastIndexOf(tag)
    if (place === -1) return
    for (const closed of open.splice(place).toReversed()) {
      parts.push(`</${closed}>`)
      if (FORMATTING.has(closed)) counts.formatting -= 1
    }
  }
  const keepStyles = (source: string): void => {
    counts.styles += source.length
    counts.rules += source.split('{').length - 1
    counts.brackets = countOpenBrackets(source, counts.brackets)
    // All or nothing: half a style sheet would look different.
    if (counts.styles > MAX.styles || counts.rules > MAX.rules || counts.brackets === Infinity) isCut = true
    else parts.push(source)
  }
  const appendText = (source: string): void => {
    if (isFull || skipped !== null) return
    if (open.at(-1) === 'style') {
      keepStyles(source)
      return
    }
    counts.shaped += estimateLetterCost(source, MAX.shaped)
    counts.signs += estimateSignCost(source, MAX.signs)
    const isOver = counts.shaped > MAX.shaped || counts.signs > MAX.signs
    const left = counts.shaped > MAX.shaped ? MAX.shaped / 8 : isOver ? MAX.signs / 2 : MAX.words - counts.words
    const kept = source.slice(0, left)
    parts.push(kept.replaceAll('<', '&lt;'))
    counts.words += kept.length
    if (kept.length < source.length || isOver) stop()
  }

  const tokenizer = createHtmlTokenizer(
    html,
    { decodeEntities: false },
    {
      openName: (tag) => {
        name = tag
        attributes = []
      },
      attribute: ({ name: attribute, value, hasValue }) => {
        if (isFull || skipped !== null || attributes.length > 40) return
        const isImage = attribute === 'src' && value.length <= MAX.embedded - counts.embedded
        if (isImage && value.length > MAX.attribute) counts.embedded += value.length
        if (value.length > MAX.attribute && !isImage) isCut = true
        else if (/^[a-z][a-z\d:_-]*$/.test(attribute))
          attributes.push(hasValue ? ` ${attribute}="${value.replaceAll('"', '&quot;')}"` : ` ${attribute}`)
      },
      open: openTag,
      close: closeTag,
      text: appendText,
    },
  )
  function stop(): void {
    isCut = true
    isFull = true
    tokenizer.pause()
  }
  tokenizer.write(html)
  tokenizer.end()
  for (const tag of open.toReversed()) parts.push(`</${tag}>`)
  return { html: parts.join(''), isCut }
}
