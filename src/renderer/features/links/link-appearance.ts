import type { DrawnPhrase, LinkAppearance } from './link-warnings.ts'
import { mayNameHost } from './named-hosts.ts'

/** Milliseconds to read a link. What takes longer always leads to a question. */
const MAX_DURATION = 300
/** When the time for the current link is up. Links are read one at a time. */
let deadline = 0
const hasTime = (): boolean => performance.now() < deadline

/** Elements of a link whose labels and generated content are read. */
const MAX_ELEMENTS = 3_000

/** In line heights. Texts further apart are separate, even without a space. Spaces are wider in all common fonts. */
const GAP = 1 / 6

/** Pictures and their placeholders. */
const PICTURE = 'img, svg, .linnet-image'
const VISIBLE_CHARACTER = /[\p{L}\p{N}\p{P}\p{S}]/u
/** Characters that separate words. */
const SEPARATOR = /[\s|()<>"“”„«»,;•·]/
const REST_BEFORE = new RegExp(`[^${SEPARATOR.source.slice(1)}*$`)
const REST_BEHIND = new RegExp(`^[^${SEPARATOR.source.slice(1)}*`)

/** A point of the mail's frame, in CSS pixels. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** A text node as drawn, without blanks around it. */
interface Piece {
  readonly parent: Element
  readonly words: string
  /** One per line. */
  readonly boxes: readonly DOMRect[]
  readonly isOfLink: boolean
  /** False if other elements hide or cover some of its letters. */
  readonly isWhole: boolean
}

/** In pixels. Smaller text can't be read. */
const MIN_HEIGHT = 6

const hasSize = ({ width, height }: DOMRect): boolean => width > 0.5 && height > 0.5

const isOnOneLine = (one: DOMRect, other: DOMRect): boolean =>
  Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) >= Math.min(one.height, other.height) / 2

/** Colour channels from 0 to 255 and opacity from 0 to 1, or null for another notation. */
const channelsOf = (color: string): readonly number[] | null => {
  const [, ...channels] = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(color) ?? []
  return channels.length === 0 ? null : channels.map((channel) => Number((channel as string | undefined) ?? 1))
}

const isFaint = (color: string): boolean => (channelsOf(color)?.[3] ?? 0) < 0.5

/** True if the colours may hardly differ. @param ground null if there may be a picture */
const isLike = (color: string, ground: string | null): boolean => {
  const [one, other] = [channelsOf(color) ?? [], channelsOf(ground ?? '') ?? []]
  return ground === null || [0, 1, 2].every((place) => Math.abs((one[place] ?? 0) - (other[place] ?? 0)) < 32)
}

/** True if an element's own styles may hide, cover or reorder letters in it. */
const isUnclearAround = (element: Element): boolean => {
  const { opacity, transform, unicodeBidi, color, fontSize } = getComputedStyle(element)
  return (
    Number(opacity) < 0.5 ||
    transform.startsWith('matrix3d') ||
    unicodeBidi.includes('override') ||
    ['::first-letter', '::first-line'].some((pseudo) => {
      const first = getComputedStyle(element, pseudo)
      return first.color !== color || Number.parseFloat(first.fontSize) < Number.parseFloat(fontSize) / 2
    }) ||
    ['::before', '::after'].some((pseudo) => {
      const { content, position } = getComputedStyle(element, pseudo)
      return content !== 'none' && position !== 'static'
    })
  )
}

/** Background colour behind an element's text, or null if there may be a picture. */
const groundOf = (around: readonly Element[]): string | null => {
  for (const element of around) {
    const { backgroundColor, backgroundImage } = getComputedStyle(element)
    if (backgroundImage !== 'none') return null
    if (channelsOf(backgroundColor)?.[3] !== 0) return backgroundColor
  }
  return 'rgb(255, 255, 255)'
}

/** True unless all styles of a text let its letters be read in order. */
const isUnclear = ({ parent, words, boxes, isWhole }: Piece): boolean => {
  const around: Element[] = []
  for (let at: Element | null = parent; at !== null; at = at.parentElement) around.push(at)
  const style = getComputedStyle(parent)
  const size = Number.parseFloat(style.fontSize)
  return (
    !isWhole ||
    boxes.some(({ height }) => height < MIN_HEIGHT) ||
    isFaint(style.color) ||
    isFaint(style.webkitTextFillColor) ||
    isLike(style.color, groundOf(around)) ||
    Number.parseFloat(style.letterSpacing) < -size / 8 ||
    Number.parseFloat(style.wordSpacing) < -size / 8 ||
    style.getPropertyValue('-webkit-text-security') !== 'none' ||
    style.writingMode !== 'horizontal-tb' ||
    (style.direction === 'rtl' && /^[.:]|[.:]$/.test(words)) ||
    around.some(isUnclearAround)
  )
}

/** Text that styles add to an element: `content: "bank.example"`, list markers, counters, attributes, hyphens. */
const generatedWords = (element: Element): string => {
  const { listStyleType, hyphenateCharacter } = getComputedStyle(element)
  const contents = ['::marker', '::before', '::after'].map((pseudo) => getComputedStyle(element, pseudo).content)
  return [...contents, listStyleType, hyphenateCharacter]
    .filter((content) => /["(]|quote/.test(content))
    .join('')
    .replaceAll('"', '')
}

type Side = 'before' | 'behind'

interface Neighbour {
  readonly piece: Piece
  /** False if it is uncertain which letters of the piece touch the box. */
  readonly isCertain: boolean
}

/** The piece that touches a box on one side, or null if there is a gap. */
const touching = (box: DOMRect, side: Side, pieces: Iterable<Piece>): Neighbour | null => {
  let nearest: Neighbour | null = null
  let least = Infinity
  for (const piece of pieces) {
    const edge = side === 'before' ? piece.boxes.length - 1 : 0
    for (const [index, other] of piece.boxes.entries()) {
      const [left, right] = side === 'before' ? [other, box] : [box, other]
      const gap = right.left - left.right
      const most = Math.min(left.height, right.height) * GAP
      if (!isOnOneLine(left, right) || gap > most || left.left >= right.left || Math.abs(gap) >= least) continue
      least = Math.abs(gap)
      nearest = { piece, isCertain: index === edge && gap >= -most }
    }
  }
  return nearest
}

const hrefAround = (piece: Piece | undefined): string | null =>
  piece?.parent.closest('a[href]')?.getAttribute('href') ?? null

const wordsOf = (pieces: readonly Piece[]): string => pieces.map(({ words }) => words).join('')

/** Takes from `pieces` all that touches a text of a link, directly or through others, and reads it from left to right. */
const takePhrase = (start: Piece, pieces: Set<Piece>): DrawnPhrase => {
  const reach = (side: Side): readonly Neighbour[] => {
    const found: Neighbour[] = []
    for (let at = start; at.isOfLink || !SEPARATOR.test(at.words);) {
      const box = at.boxes.at(side === 'before' ? 0 : -1)
      const next = box === undefined ? null : touching(box, side, pieces)
      if (next === null) break
      pieces.delete(next.piece)
      found.push(next)
      at = next.piece
    }
    return found
  }
  pieces.delete(start)
  const read = [...reach('before').toReversed(), { piece: start, isCertain: true }, ...reach('behind')]
  const all = read.map(({ piece }) => piece)
  const [first, last] = [all.findIndex(({ isOfLink }) => isOfLink), all.findLastIndex(({ isOfLink }) => isOfLink)]
  const own = wordsOf(all.slice(first, last + 1))
  const before = SEPARATOR.test(own.charAt(0)) ? '' : (REST_BEFORE.exec(wordsOf(all.slice(0, first)))?.[0] ?? '')
  const behind = SEPARATOR.test(own.slice(-1)) ? '' : (REST_BEHIND.exec(wordsOf(all.slice(last + 1)))?.[0] ?? '')
  return {
    before: { words: before, href: hrefAround(all[first - 1]) },
    own,
    behind: { words: behind, href: hrefAround(all[last + 1]) },
    // A full stop at the end can't be part of a name, unless it is drawn elsewhere.
    isUnclear:
      (all.length > 1 || mayNameHost(own.slice(0, -1))) &&
      (read.some(({ isCertain }) => !isCertain) || all.some(isUnclear)),
  }
}

/** Letters that are under their own boxes. Hidden and clipped ones aren't. @param perHeight points per line height */
const shownPart = (parent: Element, boxes: readonly DOMRect[], perHeight: number): 'all' | 'some' | 'none' => {
  let [all, shown, inFront] = [0, 0, 0]
  for (const { left, top, width, height } of boxes) {
    const inset = Math.min(1.5, width / 2)
    const steps = Math.ceil((width - 2 * inset) / Math.max(4, height / perHeight))
    for (let step = 0; step <= steps && hasTime(); step += 1) {
      const x = left + inset + ((width - 2 * inset) * step) / Math.max(1, steps)
      const found = parent.ownerDocument.elementsFromPoint(x, top + height / 2)
      all += 1
      shown += Number(found.includes(parent))
      inFront += Number(found[0] === parent)
    }
  }
  return shown === 0 ? 'none' : inFront === all ? 'all' : 'some'
}

/** Texts of a link, or texts outside it on its lines, that have a letter to be seen. */
const readPieces = (root: Element, link: Element, lines: readonly DOMRect[] | null): readonly Piece[] => {
  const pieces: Piece[] = []
  const range = root.ownerDocument.createRange()
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (hasTime() && walker.nextNode() !== null) {
    const text = walker.currentNode as Text
    const parent = text.parentElement
    const isOfLink = link.contains(text)
    if (parent === null || isOfLink !== (lines === null) || !VISIBLE_CHARACTER.test(text.data)) continue
    // Placeholders are Linnet's own. Their words are read as labels.
    if (parent.matches(PICTURE)) continue
    const words = text.data.trim()
    const from = text.data.indexOf(words)
    range.setStart(text, from)
    range.setEnd(text, from + words.length)
    const boxes = [...range.getClientRects()].filter(hasSize)
    const near = lines === null ? boxes : boxes.filter((box) => lines.some((line) => isOnOneLine(box, line)))
    const part = near.length === 0 ? 'none' : shownPart(parent, near, mayNameHost(words) ? 1.5 : 0.2)
    if (part !== 'none') pieces.push({ parent, words, boxes, isOfLink, isWhole: part === 'all' })
  }
  return pieces
}

/** True if an element draws something at a point, other than its children do. */
const drawsAt = (element: Element, { x, y }: Point, isAroundLink: boolean): boolean => {
  if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false
  const range = element.ownerDocument.createRange()
  const hasText = [...element.childNodes].some((node) => {
    if (node.nodeType !== 3 || !hasTime()) return false
    range.selectNodeContents(node)
    // Tightly set lines overlap above and below their letters.
    return [...range.getClientRects()].some(
      ({ left, right, top, height }) => x >= left && x <= right && Math.abs(y - top - height / 2) < height / 4,
    )
  })
  if (hasText || isAroundLink) return hasText
  const { backgroundColor, backgroundImage } = getComputedStyle(element)
  return element.matches(PICTURE) || backgroundImage !== 'none' || channelsOf(backgroundColor)?.[3] !== 0
}

/** True if something else than the link is drawn at a point of it. */
const coversAt = (link: Element, root: Element, point: Point): boolean =>
  root.ownerDocument
    .elementsFromPoint(point.x, point.y)
    .some(
      (element) => root.contains(element) && !link.contains(element) && drawsAt(element, point, element.contains(link)),
    )

const readLink = (link: Element, root: Element, point: Point | null): LinkAppearance => {
  // Layout, if any is pending, doesn't count.
  const rects = [...link.getClientRects()]
  deadline = performance.now() + MAX_DURATION
  const own = readPieces(link, link, null)
  const lines = own.flatMap(({ boxes }) => boxes)
  const pieces = new Set([...own, ...readPieces(root, link, lines)])
  const phrases = own.flatMap((piece) => (hasTime() && pieces.has(piece) ? [takePhrase(piece, pieces)] : []))
  const elements = [link, ...link.querySelectorAll('*')].slice(0, MAX_ELEMENTS)
  const labels = elements.flatMap((element) => ['aria-label', 'alt'].map((name) => element.getAttribute(name) ?? ''))
  const beside = rects.flatMap(({ left, right, top, height }) =>
    [left - height * GAP, right + height * GAP].flatMap((x) =>
      hasTime() ? (root.ownerDocument.elementsFromPoint(x, top + height / 2)[0] ?? []) : [],
    ),
  )
  const generated = [...new Set([...beside, ...elements])]
    .map((element) => (hasTime() ? generatedWords(element) : ''))
    .join(' ')
    .trim()
  const hasPicture = elements.some((element) => element.matches(PICTURE) && [...element.getClientRects()].some(hasSize))
  const text = (link as HTMLElement).innerText
  return {
    words: [...new Set([text, ...labels].map((reading) => reading.trim()))].filter((reading) => reading !== ''),
    phrases,
    generated,
    isWordless: own.length === 0 && !hasPicture && generated === '',
    isCovering: point !== null && coversAt(link, root, point),
    isCrowded: !hasTime(),
  }
}

/**
 * Reads a link as the user sees it, as styles can hide, reverse and move text. An image map's area looks like its
 * picture. @param root the mail around it @param point where the link was clicked, null with the keyboard
 */
export const getLinkAppearance = (link: Element, root: Element, point: Point | null): LinkAppearance => {
  if (link.localName !== 'area') return readLink(link, root, point)
  const name = link.closest('map')?.getAttribute('name') ?? ''
  const picture = [...root.querySelectorAll('img[usemap]')].find(
    (image) => image.getAttribute('usemap') === `#${name}` && [...image.getClientRects()].some(hasSize),
  )
  const seen = readLink(picture ?? link, root, picture === undefined ? null : point)
  const labels = ['alt', 'aria-label'].map((label) => link.getAttribute(label)?.trim() ?? '')
  return { ...seen, words: [...labels, ...seen.words].filter((reading) => reading !== '') }
}
