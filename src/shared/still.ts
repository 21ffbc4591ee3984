/**
 * A still: what a window has drawn, as markup that nothing runs in. The next start has it in its page, so that its first frame waits for
 * no script. It is mail, and so it is hostile: whoever writes one escapes every text, and whoever takes one reads it to the last letter.
 */

/** The ID of the element that holds one in a page. */
export const STILL_ID = 'still'
/** The ID of the link to the window's style sheet, which a page with a still has disabled: it brings along what the still needs of it. */
export const STILL_SHEET_ID = 'sheet'

/** UTF-16 units of one: a window of 60 rows has about 150,000. */
export const MOST_STILL = 500_000
/** Threads that one may show. */
export const MOST_IN_STILL = 200
/** Elements inside each other. */
const MOST_LEVELS = 100

/** Elements that may be in a still, in lower case. */
export const STILL_ELEMENTS: ReadonlySet<string> = new Set([
  ...'div span p ul ol li dl dt dd a button label input time mark kbd code bdi output br hr'.split(' '),
  ...'nav main header footer section aside search details summary h1 h2 h3 strong em b i small'.split(' '),
  ...'svg g path circle ellipse rect line polyline polygon'.split(' '),
])
/** Elements without an end tag. */
export const EMPTY_ELEMENTS: ReadonlySet<string> = new Set(['input', 'br', 'hr'])

/** What the styles of the window look at, and the shapes of its icons: nothing that fetches, leads anywhere or is run. */
const ATTRIBUTES: ReadonlySet<string> = new Set([
  ...['class', 'style', 'dir', 'type', 'placeholder', 'disabled', 'hidden', 'open'],
  ...['aria-selected', 'aria-current', 'aria-expanded', 'aria-pressed', 'aria-checked', 'aria-disabled'],
  ...['viewBox', 'width', 'height', 'fill', 'stroke', 'stroke-width', 'stroke-linecap', 'stroke-linejoin'],
  ...['d', 'cx', 'cy', 'r', 'rx', 'ry', 'x', 'y', 'x1', 'x2', 'y1', 'y2', 'points', 'transform'],
])
const DATA_ATTRIBUTE = /^data-[a-z]+(?:-[a-z]+)*$/

/** Whether an attribute may be in a still. A style may name no address, nor hide one by an escape. */
export const isStillAttribute = (name: string, value: string): boolean => {
  if (name === 'style') return !/url|image|\\|@|\/\*/i.test(value)
  if (name === 'type') return value === 'text' || value === 'search' || value === 'button' || value === 'submit'
  return ATTRIBUTES.has(name) || DATA_ATTRIBUTE.test(name)
}

const CHARACTERS: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

const unescape = (text: string): string => text.replaceAll(/&\w+;/g, (entity) => CHARACTERS[entity] ?? '')

/** One way to write each thing, and no other: a parser has nothing to guess. */
const PART = /<([a-z][a-z0-9]*)((?: [a-zA-Z][a-zA-Z0-9-]*="[^"<>]*")*)>|<\/([a-z][a-z0-9]*)>|([^<>]+)/y
const ATTRIBUTE = / ([a-zA-Z0-9-]+)="([^"]*)"/g
const LOOSE = /&(?!(?:amp|lt|gt|quot);)/

const areSound = (attributes: string): boolean =>
  !LOOSE.test(attributes) &&
  [...attributes.matchAll(ATTRIBUTE)].every(([, name = '', value = '']) => isStillAttribute(name, unescape(value)))

/** Whether a text is a still to the last letter: known elements with known attributes, each with its end, and escaped text. */
export const isStill = (markup: string): boolean => {
  if (markup === '' || markup.length > MOST_STILL) return false
  const part = new RegExp(PART)
  const open: string[] = []
  while (part.lastIndex < markup.length) {
    const found = part.exec(markup)
    if (found === null) return false
    const [, begun, attributes = '', ended, text] = found
    if (begun !== undefined) {
      if (!STILL_ELEMENTS.has(begun) || !areSound(attributes)) return false
      if (!EMPTY_ELEMENTS.has(begun) && open.push(begun) > MOST_LEVELS) return false
    } else if (ended !== undefined) {
      if (open.pop() !== ended) return false
    } else if (text === undefined || LOOSE.test(text)) return false
  }
  return open.length === 0
}
