import { QuoteType } from 'htmlparser2'
import { weighSigns, weighLetters } from './calm-text.ts'
import { createHtmlTokenizer } from './html-tokenizer.ts'

/** The beginning of an e-mail's HTML, small enough to be formatted in one go. */
export interface CutHtml {
  readonly html: string
  /** Whether anything was left out. */
  readonly isCut: boolean
}

const MOST = {
  tags: 2500,
  images: 300,
  links: 600,
  /** Characters of text. */
  words: 120_000,
  /** Letters in scripts that are laid out in time with the square of a paragraph's length. */
  shaped: 20_000,
  /** Runs of signs among the letters. */
  signs: 1500,
  /** Characters and rules of style sheets. */
  styles: 40_000,
  rules: 400,
  /** Characters of an attribute, and of all images that the e-mail carries. */
  attribute: 2000,
  embedded: 1_000_000,
  /** Elements in each other. Deeper ones are left out and their words kept. */
  depth: 60,
  /** Those among them that a parser opens again in each paragraph. */
  formatting: 8,
} as const

const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
const FORMATTING = new Set('b big code em font i s small strike strong tt u a nobr'.split(' '))
const RAW = new Set(
  'script noscript iframe noembed noframes object template svg math textarea title select plaintext xmp'.split(' '),
)

/**
 * Cuts an e-mail's HTML down to what a window can format in a few frames, with every element closed that was opened.
 * Time and memory are in proportion to what is read, and reading stops where the measure is full. It is no sanitiser:
 * what it returns is as hostile as what it was given.
 */
export const cutHtml = (html: string): CutHtml => {
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
    embedded: 0,
    formatting: 0,
  }
  /** Open elements, outermost first; null for one that was left out. */
  const open: string[] = []
  let isCut = false
  let isFull = false
  let name = ''
  let attributes: string[] = []
  let attribute = ''
  let value: string[] = []
  let valueLength = 0
  /** The element whose content is left out, and how deep in elements of its own name the reader is. */
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
    if (counts.tags > MOST.tags || counts.images > MOST.images || counts.links > MOST.links) {
      stop()
      return
    }
    const isFormatting = FORMATTING.has(tag)
    if (open.length >= MOST.depth || (isFormatting && counts.formatting >= MOST.formatting)) {
      isCut = true
      return
    }
    parts.push(`<${tag}${attributes.join('')}>`)
    if (VOID.has(tag)) return
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
    // At most `MOST.depth` are looked through.
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
    // Half of a sheet would be another sheet.
    if (counts.styles > MOST.styles || counts.rules > MOST.rules) isCut = true
    else parts.push(source)
  }
  const say = (source: string): void => {
    if (isFull || skipped !== null) return
    if (open.at(-1) === 'style') {
      keepStyles(source)
      return
    }
    counts.shaped += weighLetters(source, MOST.shaped)
    counts.signs += weighSigns(source, MOST.signs)
    const isOver = counts.shaped > MOST.shaped || counts.signs > MOST.signs
    const left = counts.shaped > MOST.shaped ? MOST.shaped / 8 : isOver ? MOST.signs / 2 : MOST.words - counts.words
    const kept = source.slice(0, left)
    parts.push(kept.replaceAll('<', '&lt;'))
    counts.words += kept.length
    if (kept.length < source.length || isOver) stop()
  }

  const tokenizer = createHtmlTokenizer(
    { decodeEntities: false },
    {
      onopentagname: (start, end) => {
        name = html.slice(start, Math.min(end, start + 40)).toLowerCase()
        attributes = []
      },
      onattribname: (start, end) => {
        attribute = html.slice(start, Math.min(end, start + 80)).toLowerCase()
        value = []
        valueLength = 0
      },
      onattribdata: (start, end) => {
        valueLength += end - start
        value.push(html.slice(start, end))
      },
      onattribend: (quote) => {
        if (isFull || skipped !== null || attributes.length > 40) return
        const isImage = attribute === 'src' && valueLength <= MOST.embedded - counts.embedded
        if (isImage && valueLength > MOST.attribute) counts.embedded += valueLength
        if (valueLength > MOST.attribute && !isImage) {
          isCut = true
          return
        }
        if (!/^[a-z][a-z\d:_-]*$/.test(attribute)) return
        attributes.push(
          quote === QuoteType.NoValue ? ` ${attribute}` : ` ${attribute}="${value.join('').replaceAll('"', '&quot;')}"`,
        )
      },
      onopentagend: openTag,
      onselfclosingtag: openTag,
      onclosetag: (start, end) => closeTag(html.slice(start, Math.min(end, start + 40)).toLowerCase()),
      ontext: (start, end) => say(html.slice(start, end)),
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
