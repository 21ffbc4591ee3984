/**
 * A startup snapshot is a window's view as inert markup. The page of the next start includes it, so the first frame
 * doesn't wait for scripts. It contains mail, so it's untrusted: writers escape all text, and readers validate every
 * character.
 */

export const SNAPSHOT_ID = 'still'
/**
 * ID of the window's style sheet link. The link is disabled in a page with a snapshot, which includes its own styles.
 */
export const SNAPSHOT_SHEET_ID = 'sheet'

/** Maximum UTF-16 units. A window of 60 rows has about 150,000. */
export const MAX_SNAPSHOT_LENGTH = 500_000
export const MAX_SNAPSHOT_IDS = 200
const MAX_LEVELS = 100

/** Allowed elements, in lower case. */
export const SNAPSHOT_ELEMENTS: ReadonlySet<string> = new Set([
  ...'div span p ul ol li dl dt dd a button label input time mark kbd code bdi output br hr'.split(' '),
  ...'nav main header footer section aside search details summary h1 h2 h3 strong em b i small'.split(' '),
  ...'svg g path circle ellipse rect line polyline polygon'.split(' '),
])
export const VOID_ELEMENTS: ReadonlySet<string> = new Set(['input', 'br', 'hr'])

/** Attributes for the window's styles and icon shapes. None of them can fetch, link to or run anything. */
const ATTRIBUTES: ReadonlySet<string> = new Set([
  ...['class', 'style', 'dir', 'type', 'placeholder', 'disabled', 'hidden', 'open'],
  ...['aria-selected', 'aria-current', 'aria-expanded', 'aria-pressed', 'aria-checked', 'aria-disabled'],
  ...['viewBox', 'width', 'height', 'fill', 'stroke', 'stroke-width', 'stroke-linecap', 'stroke-linejoin'],
  ...['d', 'cx', 'cy', 'r', 'rx', 'ry', 'x', 'y', 'x1', 'x2', 'y1', 'y2', 'points', 'transform'],
])
const DATA_ATTRIBUTE = /^data-[a-z]+(?:-[a-z]+)*$/

/** True for attributes that are safe in a snapshot. A style can't contain an address, even an escaped one. */
export const isSnapshotAttribute = (name: string, value: string): boolean => {
  if (name === 'style') return !/url|image|\\|@|\/\*/i.test(value)
  if (name === 'type') return value === 'text' || value === 'search' || value === 'button' || value === 'submit'
  return ATTRIBUTES.has(name) || DATA_ATTRIBUTE.test(name)
}

const CHARACTERS: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

const unescape = (text: string): string => text.replaceAll(/&\w+;/g, (entity) => CHARACTERS[entity] ?? '')

/** Accepts only one way of writing each element, so a parser has nothing to guess. */
const PART = /<([a-z][a-z0-9]*)((?: [a-zA-Z][a-zA-Z0-9-]*="[^"<>]*")*)>|<\/([a-z][a-z0-9]*)>|([^<>]+)/y
const ATTRIBUTE = / ([a-zA-Z0-9-]+)="([^"]*)"/g
const LOOSE = /&(?!(?:amp|lt|gt|quot);)/

const areAllowed = (attributes: string): boolean =>
  !LOOSE.test(attributes) &&
  [...attributes.matchAll(ATTRIBUTE)].every(([, name = '', value = '']) => isSnapshotAttribute(name, unescape(value)))

/** True for a valid snapshot: only known elements and attributes, all elements closed, and all text escaped. */
export const isSnapshot = (markup: string): boolean => {
  if (markup === '' || markup.length > MAX_SNAPSHOT_LENGTH) return false
  const part = new RegExp(PART)
  const open: string[] = []
  while (part.lastIndex < markup.length) {
    const found = part.exec(markup)
    if (found === null) return false
    const [, begun, attributes = '', ended, text] = found
    if (begun !== undefined) {
      if (!SNAPSHOT_ELEMENTS.has(begun) || !areAllowed(attributes)) return false
      if (!VOID_ELEMENTS.has(begun) && open.push(begun) > MAX_LEVELS) return false
    } else if (ended !== undefined) {
      if (open.pop() !== ended) return false
    } else if (text === undefined || LOOSE.test(text)) return false
  }
  return open.length === 0
}
