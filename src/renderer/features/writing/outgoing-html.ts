import DOMPurify from 'dompurify'
import { safeLinkTarget } from '../links/safe-link.ts'
import { isLine, LINE_STYLE } from './paragraph-lines.ts'
import { OUTGOING_ATTRIBUTES, OUTGOING_STYLES } from './outgoing-rules.ts'

/** What a picture in the text is named by. The characters are those that every program takes in a content ID. */
const CARRIED = /^cid:[\w.@+-]{1,255}$/

const TAGS = Object.keys(OUTGOING_ATTRIBUTES)
const ATTRIBUTES = [...new Set(Object.values(OUTGOING_ATTRIBUTES).flat())]

/** Elements whose words are nobody's to read. */
const WITHOUT_WORDS =
  'script style title template noscript svg math iframe object embed select textarea audio video canvas'

const isWholeNumber = (value: string): boolean => /^\d{1,4}$/.test(value)

/**
 * Blocks that the table does not have: those that browsers show in lines of their own (HTML, 15.3), but for those in it.
 * Taken away alone, they would leave their words in one line with those beside them.
 */
const PLAIN_BLOCKS =
  'address article aside caption center dd details dialog dir dl dt fieldset figcaption figure footer form h4 h5 h6 header hgroup legend listing main menu nav optgroup option plaintext search section summary xmp'.split(
    ' ',
  )

/** Whether a message has a picture that its text names by this content ID. */
export type Carries = (contentId: string) => boolean

/** What an attribute's value is sent as; null where it is left out. */
const outgoingValue = (element: Element, name: string, value: string, carries: Carries): string | null => {
  if (OUTGOING_ATTRIBUTES[element.localName]?.includes(name) !== true) return null
  if (name === 'href') return safeLinkTarget(value)
  if (name === 'src') return CARRIED.test(value) && carries(value.slice('cid:'.length)) ? value : null
  if (name === 'alt') return value
  if (name === 'type') return value === 'cite' ? value : null
  if (name === 'dir') return value === 'rtl' || value === 'ltr' ? value : null
  if (name === 'align') return /^(?:left|right|center)$/.test(value) ? value : null
  if (name === 'valign') return /^(?:top|middle|bottom)$/.test(value) ? value : null
  return isWholeNumber(value) ? value : null
}

/** Takes an element away and leaves what is in it. */
const unwrap = (element: Element): void => element.replaceWith(...element.childNodes)

const wordsFor = (picture: Element): string => {
  const words = picture.getAttribute('alt')?.trim() ?? ''
  return words === '' ? '' : `[${words}]`
}

/**
 * Brings markup down to the table of what is sent: other elements go and leave their words, other attributes go, each
 * style is Linnet's own. It takes nothing on trust, whatever cleaned the markup before.
 */
const outgoingFragment = (html: string, carries: Carries): DocumentFragment => {
  // There is none where the markup leaves no body.
  const purified = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: [...TAGS, ...PLAIN_BLOCKS],
    // A style is only read: what is sent are Linnet's own.
    ALLOWED_ATTR: [...ATTRIBUTES, 'style'],
    // The only address that is not a link: what the message carries itself.
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|cid:)/i,
    ADD_URI_SAFE_ATTR: ATTRIBUTES.filter((name) => name !== 'href' && name !== 'src'),
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    FORBID_CONTENTS: WITHOUT_WORDS.split(' '),
    RETURN_DOM_FRAGMENT: true,
  }) as DocumentFragment | null
  const fragment = purified ?? document.createDocumentFragment()
  for (const block of [...fragment.querySelectorAll(PLAIN_BLOCKS.join())]) {
    const plain = block.ownerDocument.createElement('div')
    plain.append(...block.childNodes)
    // A table holds rows alone.
    const table = block.localName === 'caption' ? block.closest('table') : null
    if (table === null) block.replaceWith(plain)
    else {
      table.before(plain)
      block.remove()
    }
  }
  for (const element of [...fragment.querySelectorAll('*')]) {
    const isClose = element.localName === 'p' && isLine(element)
    for (const { name, value } of [...element.attributes]) {
      const kept = name === 'style' ? null : outgoingValue(element, name, value, carries)
      if (kept === null) element.removeAttribute(name)
      else element.setAttribute(name, kept)
    }
    if (element.localName === 'a' && !element.hasAttribute('href')) unwrap(element)
    else if (element.localName === 'img' && !element.hasAttribute('src')) element.replaceWith(wordsFor(element))
    else {
      const style = OUTGOING_STYLES[element.localName]
      // Code in a block has the block's font.
      if (style !== undefined && !element.matches('pre > code'))
        element.setAttribute('style', isClose ? LINE_STYLE : style)
      // The editor has a paragraph in each item and cell, and these stand close.
      if (element.matches('li > p, td > p, th > p')) element.setAttribute('style', LINE_STYLE)
      // The lines of two cells beside each other are one.
      if (element.matches('table[border="1"]')) element.setAttribute('style', 'margin:0 0 1em;border-collapse:collapse')
    }
  }
  return fragment
}

const textOf = (fragment: DocumentFragment): string => {
  const holder = fragment.ownerDocument.createElement('div')
  holder.append(fragment)
  return holder.innerHTML
}

/** Whether there is nothing in it to be read or seen. */
const isEmpty = (fragment: DocumentFragment): boolean =>
  fragment.textContent.trim() === '' && fragment.querySelector('img, hr') === null

/**
 * What is sent of the person's own words: small, without anything that runs, asks, is fetched or is hidden, and readable in
 * the common mail programs. Made of the editor's markup, or of its own result again.
 * @param carries other pictures are named by their words: nobody could see them
 * @returns '' where nothing was written
 */
export const outgoingHtml = (html: string, carries: Carries = () => false): string => {
  const fragment = outgoingFragment(html, carries)
  if (isEmpty(fragment)) return ''
  // An empty paragraph has no height in most programs: the line that the person left stays one.
  for (const paragraph of fragment.querySelectorAll('p')) {
    if (!paragraph.hasChildNodes()) paragraph.append(paragraph.ownerDocument.createElement('br'))
  }
  return textOf(fragment)
}
