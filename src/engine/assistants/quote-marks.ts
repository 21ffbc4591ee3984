import type { MessageLine } from '../../shared/history/find-history.ts'
import { isForwardLine } from '../../shared/history/history-words.ts'
import type { PageElement } from './page.ts'

/** Characters and pieces that are looked through for the words that an element begins with. */
const BEGINNING = { characters: 500, pieces: 60 } as const

const beginningOf = (element: PageElement): string => {
  const open: (PageElement | string)[] = [element]
  let words = ''
  for (let pieces = 0; pieces < BEGINNING.pieces && words.trim().length < BEGINNING.characters; pieces += 1) {
    const next = open.pop()
    if (next === undefined) break
    if (typeof next === 'string') words += next.slice(0, BEGINNING.characters)
    else {
      const { children } = next
      for (let index = Math.min(children.length, BEGINNING.pieces) - 1; index >= 0; index -= 1) {
        const child = children[index]
        if (child !== undefined) open.push(child)
      }
    }
  }
  return words.trim().slice(0, BEGINNING.characters)
}

/** What mail programs put around what an earlier e-mail said (Apple Mail, Thunderbird, Gmail, Proton, Yahoo, Tuta, Zoho). */
const isQuote = (element: PageElement): boolean => {
  const { localName, classes } = element
  if (localName === 'blockquote') {
    if (element.getAttribute('type')?.toLowerCase() === 'cite') return true
    if (['gmail_quote', 'protonmail_quote', 'tutanota_quote'].some((name) => classes.has(name))) return true
  }
  if (classes.has('yahoo_quoted') || classes.has('zmail_extra')) return true
  const written = element.getAttribute('class') ?? ''
  return written.startsWith('ydp') && written.endsWith('yahoo_quoted')
}

/** These hold a quote and its introduction, and answers between the parts of it. Where no quote is in them, they are one. */
const isAroundQuotes = ({ localName, classes }: PageElement): boolean =>
  localName === 'div' && ['gmail_quote', 'protonmail_quote', 'gmail_extra'].some((name) => classes.has(name))

/** From these on all is an earlier e-mail (Outlook on the web and on phones, Windows Mail). */
const isHistory = (element: PageElement): boolean => {
  const id = (element.getAttribute('id') ?? '').toLowerCase()
  return (
    /(?:appendonsend|divrplyfwdmsg)$|^(?:mail-editor-reference-message-container|olk_src_body_section)$/.test(id) ||
    element.classes.has('ms-outlook-mobile-reference-message')
  )
}

/** The elements that quotes are in. */
export const aroundQuotesIn = (elements: Iterable<PageElement>): ReadonlySet<PageElement> => {
  const around = new Set<PageElement>()
  for (const element of elements) {
    if (!isQuote(element)) continue
    for (let { parent } = element; parent !== null && !around.has(parent); { parent } = parent) around.add(parent)
  }
  return around
}

/** What a mail program has marked an element as; null for one that is looked into. */
export const kindOfElement = (
  element: PageElement,
  aroundQuotes: ReadonlySet<PageElement>,
): Exclude<MessageLine['kind'], 'text' | 'signature'> | null => {
  if (isHistory(element)) return 'history'
  const isIntroduction = element.classes.has('gmail_attr') || element.classes.has('moz-cite-prefix')
  const isOne = isQuote(element) || (isAroundQuotes(element) && !aroundQuotes.has(element))
  if (!isOne && !isIntroduction) return null
  // What is forwarded is marked as what is quoted, but for its first words.
  if (isForwardLine(beginningOf(element))) return null
  return isOne ? 'quote' : 'introduction'
}
