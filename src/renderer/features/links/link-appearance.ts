import { INLINE_ELEMENTS } from '../../../shared/search/inline-elements.ts'
import type { AdjacentWord, LinkAppearance } from './link-warnings.ts'

/** Letters of a link whose positions are checked. */
const MAX_LETTERS = 3_000
/** Maximum number of text nodes and pictures checked for being covered. */
const MAX_NEIGHBORS = 20_000
/** Adjoining characters read on each side of a link. */
const MAX_ADJOINING = 100

/** In line heights. Text further away belongs to another word. */
const MAX_LINE_DISTANCE = 20
/** Text nodes near a link that are read with it. */
const MAX_NEARBY_TEXTS = 200

/** Pictures and their placeholders. */
const PICTURE = 'img, svg, .linnet-image'

const overlap = (one: DOMRect, other: DOMRect): { readonly width: number; readonly height: number } => ({
  width: Math.min(one.right, other.right) - Math.max(one.left, other.left),
  height: Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top),
})

/** True if one box visibly overlaps the other. Tightly set lines share a few pixels. */
const overlaps = (one: DOMRect, other: DOMRect): boolean => {
  const { width, height } = overlap(one, other)
  return width >= 4 && height >= 4 && height >= Math.min(one.height, other.height) / 2
}

const hasSize = ({ width, height }: DOMRect): boolean => width > 0.5 && height > 0.5

const walk = (root: Node, what: number, filter?: (node: Node) => number): TreeWalker =>
  (root.ownerDocument ?? (root as Document)).createTreeWalker(root, what, filter)

/** The element and its ancestors up to the mail. */
const ancestorsOf = (element: Element, root: Element): readonly Element[] => {
  const found: Element[] = []
  for (let at: Element | null = element; at !== null && at !== root; at = at.parentElement) found.push(at)
  return [...found, root]
}

interface Part {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  /** True if it is uncertain whether the text is visible. */
  readonly isDoubtful: boolean
}

/** Opacity of a computed colour, 0 to 1 (`rgba(0, 0, 0, 0)`, `oklch(0 0 0 / 0)`). */
const alphaOf = (color: string): number => {
  if (color === 'transparent') return 0
  const alpha = /^rgba\([^)]*,\s*([\d.e-]+)\)$|\/\s*([\d.e-]+)\s*\)$/.exec(color)
  return Number.parseFloat(alpha?.[1] ?? alpha?.[2] ?? '1')
}

/** Background colour behind an element's text, or null if there may be a picture. */
const backgroundOf = (around: readonly Element[], view: Window): string | null => {
  for (const element of around) {
    const { backgroundColor, backgroundImage } = view.getComputedStyle(element)
    if (backgroundImage !== 'none') return null
    if (alphaOf(backgroundColor) > 0) return backgroundColor
  }
  return 'rgb(255, 255, 255)'
}

/** Part of the frame where an element's text is visible, or null. */
const visiblePart = (element: Element, root: Element, view: Window): Part | null => {
  const { visibility, color, fontSize, webkitTextFillColor } = view.getComputedStyle(element)
  if (visibility !== 'visible' || Number.parseFloat(fontSize) < 3 || alphaOf(color) < 0.1) return null
  const mail = root.getBoundingClientRect()
  // Mail scrolls right and down, but never to content before its start.
  let part = { left: mail.left - root.scrollLeft, top: mail.top, right: Infinity, bottom: Infinity }
  const all = ancestorsOf(element, root)
  let isDoubtful = alphaOf(webkitTextFillColor) < 0.1 || backgroundOf(all, view) === color
  for (const around of all) {
    const style = view.getComputedStyle(around)
    const { opacity, overflowX, overflowY, clipPath, backfaceVisibility, transform } = style
    if (Number.parseFloat(opacity) < 0.1) return null
    isDoubtful ||= style.getPropertyValue('clip') !== 'auto' || clipPath !== 'none' || backfaceVisibility === 'hidden'
    isDoubtful ||= transform.startsWith('matrix3d')
    if (around === root || (overflowX === 'visible' && overflowY === 'visible')) continue
    const { left, top, right, bottom } = around.getBoundingClientRect()
    part = {
      left: Math.max(part.left, left),
      top: Math.max(part.top, top),
      right: Math.min(part.right, right),
      bottom: Math.min(part.bottom, bottom),
    }
  }
  return { ...part, isDoubtful }
}

interface DrawnLetter {
  readonly letter: string
  readonly box: DOMRect
  /** Index among all letters in document order. */
  readonly place: number
  readonly isDoubtful: boolean
  readonly isOfLink: boolean
  readonly text: Text
}

/** The visible letters of these texts, with their positions. */
const drawnLetters = (
  texts: Iterable<Text>,
  isOfLink: boolean,
  root: Element,
  view: Window,
): readonly DrawnLetter[] => {
  const letters: DrawnLetter[] = []
  const parts = new Map<Element, Part | null>()
  const range = root.ownerDocument.createRange()
  let place = 0
  for (const node of texts) {
    if (letters.length >= MAX_LETTERS) break
    const parent = node.parentElement ?? root
    if (!parts.has(parent)) parts.set(parent, visiblePart(parent, root, view))
    const part = parts.get(parent) ?? null
    if (part === null) continue
    let at = 0
    for (const letter of node.data) {
      if (letters.length >= MAX_LETTERS) break
      range.setStart(node, at)
      range.setEnd(node, at + letter.length)
      at += letter.length
      place += 1
      const [box] = range.getClientRects()
      if (box === undefined || !hasSize(box)) continue
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      const isIn = x > part.left && x < part.right && y > part.top && y < part.bottom
      if (isIn) letters.push({ letter, box, place, isDoubtful: part.isDoubtful, isOfLink, text: node })
    }
  }
  return letters
}

const textsIn = function* (link: Element): Generator<Text> {
  const walker = walk(link, 4)
  while (walker.nextNode() !== null) yield walker.currentNode as Text
}

/** Letters in visual lines, top to bottom and left to right, whatever their document order. */
const linesOf = (letters: readonly DrawnLetter[]): readonly (readonly DrawnLetter[])[] => {
  const lines: { readonly middle: number; readonly height: number; readonly letters: DrawnLetter[] }[] = []
  for (const drawn of letters.toSorted(
    (one, other) => one.box.y + one.box.height / 2 - other.box.y - other.box.height / 2,
  )) {
    const middle = drawn.box.y + drawn.box.height / 2
    const line = lines.at(-1)
    if (line !== undefined && Math.abs(line.middle - middle) < line.height / 2) line.letters.push(drawn)
    else lines.push({ middle, height: drawn.box.height, letters: [drawn] })
  }
  return lines.map(({ letters: line }) => {
    const tallest = Math.max(...line.map(({ box }) => box.height))
    // A hairline space doesn't separate words.
    return line
      .filter(({ letter, box }) => letter.trim() !== '' || box.width > tallest / 8)
      .toSorted((one, other) => one.box.x - other.box.x)
  })
}

/** True if there is a visible gap before the letter. */
const hasGapBefore = (before: DrawnLetter | undefined, { box }: DrawnLetter): boolean =>
  before !== undefined && box.left - before.box.right > box.height / 5

/** True if a word broken at the end of a line continues on the next one. */
const wordContinues = (line: readonly DrawnLetter[], next: readonly DrawnLetter[] | undefined): boolean =>
  next !== undefined && next[0]?.place === (line.at(-1)?.place ?? 0) + 1

const textInVisualOrder = (letters: readonly DrawnLetter[]): string =>
  linesOf(letters)
    .map((line, index, lines) => {
      const words = line.map((drawn, place) =>
        hasGapBefore(line[place - 1], drawn) ? ` ${drawn.letter}` : drawn.letter,
      )
      return `${words.join('')}${wordContinues(line, lines[index + 1]) ? '' : '\n'}`
    })
    .join('')

/** Characters that separate words. */
const WORD_SEPARATOR = /[\s|()<>"“”„«»,;•·]/

const hrefAround = (text: Text | undefined): string | null =>
  text?.parentElement?.closest('a[href]')?.getAttribute('href') ?? null

const joinLetters = (letters: readonly DrawnLetter[]): string => letters.map(({ letter }) => letter).join('')

/** Words that start or end in a link and continue outside it, wherever the rest is in the document. */
const findStraddlingWords = (letters: readonly DrawnLetter[]): readonly AdjacentWord[] =>
  linesOf(letters)
    .flatMap((line) => {
      const words: DrawnLetter[][] = [[]]
      for (const [place, drawn] of line.entries()) {
        if (WORD_SEPARATOR.test(drawn.letter) || hasGapBefore(line[place - 1], drawn)) words.push([])
        if (!WORD_SEPARATOR.test(drawn.letter)) words.at(-1)?.push(drawn)
      }
      return words.filter((word) => word.some(({ isOfLink }) => isOfLink) && word.some(({ isOfLink }) => !isOfLink))
    })
    .map((word) => {
      const [first, last] = [word.findIndex(({ isOfLink }) => isOfLink), word.findLastIndex(({ isOfLink }) => isOfLink)]
      const [before, behind] = [word.slice(0, first), word.slice(last + 1)]
      return {
        before: { words: joinLetters(before), href: hrefAround(before.at(-1)?.text) },
        own: joinLetters(word.slice(first, last + 1)),
        behind: { words: joinLetters(behind), href: hrefAround(behind[0]?.text) },
      }
    })

const REST_BEFORE = new RegExp(`[^${WORD_SEPARATOR.source.slice(1)}*$`)
const REST_BEHIND = new RegExp(`^[^${WORD_SEPARATOR.source.slice(1)}*`)

/** In line heights. Text further apart isn't read as one word, even without a space. */
const GAP = 1 / 3

const hasGapToLink = (link: Element, text: Text, direction: 'before' | 'behind'): boolean => {
  const range = text.ownerDocument.createRange()
  const at = direction === 'before' ? text.data.length - 1 : 0
  range.setStart(text, at)
  range.setEnd(text, at + 1)
  const [letter] = range.getClientRects()
  const own = [...link.getClientRects()].filter(hasSize).at(direction === 'before' ? 0 : -1)
  if (letter === undefined || own === undefined || overlap(letter, own).height < letter.height / 2) return false
  // A link's own padding also separates it from neighbours.
  range.selectNodeContents(link)
  const drawn = [...range.getClientRects()].filter(hasSize).at(direction === 'before' ? 0 : -1) ?? own
  return Math.max(letter.left - drawn.right, drawn.left - letter.right) > letter.height * GAP
}

/** True if the element appears to be inline. */
const isInline = (element: Element, view: Window): boolean =>
  /^(?:inline|contents|)$/.test(view.getComputedStyle(element).display)

/** True if all elements between a text and the link's nearest common ancestor are inline. */
const isInLineWith = (text: Node, link: Element, view: Window): boolean => {
  for (let around = text.parentElement; around !== null && !around.contains(link); around = around.parentElement) {
    if (!isInline(around, view)) return false
  }
  return true
}

/** Text directly before or after a link on its line, without a space: the rest of its word. */
const adjoiningText = (
  link: Element,
  root: Element,
  view: Window,
  direction: 'before' | 'behind',
): AdjacentWord['before'] => {
  const walker = walk(root, 5)
  let words = ''
  let href: string | null = null
  if (!isInline(link, view)) return { words, href }
  walker.currentNode = link
  if (direction === 'behind') {
    let last: Node = link
    while (last.lastChild !== null) last = last.lastChild
    walker.currentNode = last
  }
  for (let steps = 0; steps < 40 && words.length < MAX_ADJOINING; steps += 1) {
    const node = direction === 'before' ? walker.previousNode() : walker.nextNode()
    if (node === null) break
    if (node.nodeType === 1) {
      const isOfLine = INLINE_ELEMENTS.has(node.nodeName.toLowerCase()) && isInline(node as Element, view)
      if (!node.contains(link) && isOfLine) continue
      break
    }
    const text = (node as Text).data
    // A block element in between separates the words.
    if (!isInLineWith(node, link, view)) break
    if (words === '' && text !== '' && hasGapToLink(link, node as Text, direction)) break
    const piece = (direction === 'before' ? REST_BEFORE : REST_BEHIND).exec(text)?.[0] ?? ''
    if (words === '' && piece !== '') href = hrefAround(node as Text)
    words = direction === 'before' ? `${piece}${words}` : `${words}${piece}`
    if (piece.length < text.length) break
  }
  return { words, href }
}

/** Generated content of a link: `content: "bank.example"`, list markers, quotes. */
const generatedContent = (
  elements: readonly Element[],
  view: Window,
  pseudos: readonly string[] = ['::marker', '::before', '::after'],
): string =>
  elements
    .flatMap((element) => {
      const { display, listStyleType, hyphenateCharacter } = view.getComputedStyle(element)
      const contents = pseudos.map((pseudo) => {
        const { content, quotes } = view.getComputedStyle(element, pseudo)
        return content.includes('quote') ? `${content} ${quotes}` : content
      })
      const own = pseudos.length === 1 ? [] : [...(display === 'list-item' ? [listStyleType] : []), hyphenateCharacter]
      const values = [...own, ...contents]
      return values.flatMap((value) =>
        [...value.matchAll(/"((?:[^"\\]|\\.)*)"|attr\(([^)\s]+)/g)].map(
          ([, said, attribute]) => said ?? element.getAttribute(attribute ?? '') ?? '',
        ),
      )
    })
    .join('')

/** Clickable areas of a link: its boxes, those of its descendants, and pseudo-elements stretched over an ancestor. */
const boxesOf = (elements: readonly Element[], root: Element, view: Window): readonly DOMRect[] =>
  elements.flatMap((element) => {
    const isStretched = ['::before', '::after'].some((pseudo) => {
      const { content, position } = view.getComputedStyle(element, pseudo)
      return content !== 'none' && position === 'absolute'
    })
    const holder = isStretched
      ? (ancestorsOf(element, root).find((around) => view.getComputedStyle(around).position !== 'static') ?? root)
      : null
    return [...element.getClientRects(), ...(holder === null ? [] : [holder.getBoundingClientRect()])].filter(hasSize)
  })

/** Characters with a visible shape. */
const VISIBLE_CHARACTER = /[\p{L}\p{N}\p{P}\p{S}]/u

/** True if a box is on the same line as part of the link, and near. */
const isOnLine = (rect: DOMRect, line: DOMRect): boolean => {
  const { width, height } = overlap(rect, line)
  return height >= Math.min(rect.height, line.height) / 2 && width > -MAX_LINE_DISTANCE * line.height
}

interface LinkSurroundings {
  /** Null if there is too much to check. */
  readonly isCovering: boolean | null
  /** Texts near the link on its lines. */
  readonly beside: readonly Text[]
}

const checkSurroundings = (
  link: Element,
  root: Element,
  view: Window,
  boxes: readonly DOMRect[],
  lines: readonly DOMRect[],
): LinkSurroundings => {
  const range = link.ownerDocument.createRange()
  const walker = walk(root, 5, (node) => (node === link ? 2 : 1))
  const beside: Text[] = []
  for (let looked = 0; walker.nextNode() !== null; looked += 1) {
    if (looked > MAX_NEIGHBORS) return { isCovering: null, beside }
    const node = walker.currentNode
    const text = node.nodeType === 3 && VISIBLE_CHARACTER.test((node as Text).data) ? (node as Text) : null
    if (text === null && !(node.nodeType === 1 && (node as Element).matches(PICTURE))) continue
    if (text !== null) range.selectNodeContents(text)
    const rects = [...(text === null ? (node as Element).getClientRects() : range.getClientRects())].filter(hasSize)
    const parent = text === null ? (node as Element) : text.parentElement
    if (
      text !== null &&
      beside.length < MAX_NEARBY_TEXTS &&
      rects.some((rect) => lines.some((line) => isOnLine(rect, line)))
    )
      beside.push(text)
    const under = rects.filter((rect) => boxes.some((box) => overlaps(rect, box)))
    // Invisible content can't be covered.
    if (under.length === 0 || parent?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) !== true)
      continue
    const part = text === null ? null : visiblePart(parent, root, view)
    const isSeen = ({ left, top, right, bottom }: DOMRect): boolean =>
      text === null ||
      (part !== null && right > part.left && left < part.right && bottom > part.top && top < part.bottom)
    if (under.some(isSeen)) return { isCovering: true, beside }
  }
  return { isCovering: false, beside }
}

/** Generated content right before and after a link, from its inline ancestors and adjacent siblings. */
const adjacentGeneratedContent = (
  link: Element,
  root: Element,
  view: Window,
): readonly { readonly before: string; readonly behind: string }[] => {
  const around = ancestorsOf(link, root).slice(1)
  const end = around.findIndex((element) => !INLINE_ELEMENTS.has(element.localName))
  const within = around.slice(0, end + 1)
  const sides = [
    [...within.map((element) => [element, '::before'] as const), [link.previousElementSibling, '::after'] as const],
    [...within.map((element) => [element, '::after'] as const), [link.nextElementSibling, '::before'] as const],
  ].map((places) =>
    places.map(([element, pseudo]) => (element === null ? '' : generatedContent([element], view, [pseudo]))).join(''),
  )
  const [before = '', behind = ''] = sides
  return before === '' && behind === '' ? [] : [{ before, behind }]
}

/** Appearance of a link, or of the image that an `<area>` belongs to. */
const measureLink = (link: Element, root: Element): LinkAppearance => {
  const view = link.ownerDocument.defaultView ?? window
  const elements = [link, ...link.querySelectorAll('*')].slice(0, MAX_LETTERS)
  const letters = drawnLetters(textsIn(link), true, root, view)
  const pictures = elements.filter((element) => element.matches(PICTURE))
  const shownPictures = pictures.filter((picture) => [...picture.getClientRects()].some(hasSize))
  const labels = elements.flatMap((element) => ['aria-label', 'alt'].map((name) => element.getAttribute(name) ?? ''))
  const text = (link as HTMLElement).innerText
  const put = generatedContent(elements, view)
  const [before, behind] = (['before', 'behind'] as const).map((side) => adjoiningText(link, root, view, side))
  const lines = linesOf(letters).flatMap((line) =>
    line
      .slice(0, 1)
      .concat(line.slice(-1))
      .map(({ box }) => box),
  )
  const { isCovering, beside } = checkSurroundings(link, root, view, boxesOf(elements, root, view), lines)
  const readings = [
    text,
    textInVisualOrder(letters),
    textInVisualOrder(letters.filter(({ isDoubtful }) => !isDoubtful)),
    put,
    `${put}${text}`,
    ...adjacentGeneratedContent(link, root, view).map((side) => `${side.before}${text.trim()}${side.behind}`),
    ...labels,
  ]
  return {
    words: [...new Set(readings.map((reading) => reading.trim()))].filter((reading) => reading !== ''),
    beside: [
      ...(before === undefined || behind === undefined ? [] : [{ before, own: text.trim(), behind }]),
      ...findStraddlingWords([...letters, ...drawnLetters(beside, false, root, view)]),
    ].filter((word) => word.before.words !== '' || word.behind.words !== ''),
    isWordless: letters.every(({ letter }) => letter.trim() === '') && shownPictures.length === 0 && put.trim() === '',
    isCovering,
  }
}

/** An image map's area looks like its picture. */
const measureArea = (area: Element, root: Element): LinkAppearance => {
  const name = area.closest('map')?.getAttribute('name') ?? ''
  const picture = [...root.querySelectorAll('img[usemap]')].find(
    (image) => image.getAttribute('usemap') === `#${name}` && [...image.getClientRects()].some(hasSize),
  )
  const seen =
    picture === undefined ? { words: [], beside: [], isWordless: true, isCovering: false } : measureLink(picture, root)
  const labels = ['alt', 'aria-label'].map((label) => area.getAttribute(label)?.trim() ?? '')
  return { ...seen, words: [...new Set([...labels, ...seen.words])].filter((reading) => reading !== '') }
}

/** Reads a link as the user sees it, as styles can hide, reverse and move text. @param root the mail around it */
export const getLinkAppearance = (link: Element, root: Element): LinkAppearance =>
  link.localName === 'area' ? measureArea(link, root) : measureLink(link, root)
