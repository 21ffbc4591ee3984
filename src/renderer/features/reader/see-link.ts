import { WITHIN_A_LINE } from '../../../shared/search/within-a-line.ts'
import type { SeenLink } from './judge-link.ts'

/** Letters of a link whose places are looked at. */
const LETTERS = 3_000
/** Pieces of text and pictures that a link may lie over. */
const NEIGHBOURS = 20_000
/** Characters right before and behind a link that are read with it. */
const TOUCHING = 100

/** Pictures, and what Linnet has put in their place. */
const PICTURE = 'img, svg, .linnet-image'

const overlap = (one: DOMRect, other: DOMRect): { readonly width: number; readonly height: number } => ({
  width: Math.min(one.right, other.right) - Math.max(one.left, other.left),
  height: Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top),
})

/** Whether an eye would take one to lie on the other: lines that are set close share a few pixels. */
const lieOnEachOther = (one: DOMRect, other: DOMRect): boolean => {
  const { width, height } = overlap(one, other)
  return width >= 4 && height >= 4 && height >= Math.min(one.height, other.height) / 2
}

const hasSize = ({ width, height }: DOMRect): boolean => width > 0.5 && height > 0.5

const walk = (root: Node, what: number, filter?: (node: Node) => number): TreeWalker =>
  (root.ownerDocument ?? (root as Document)).createTreeWalker(root, what, filter)

/** Everything around an element, itself first, up to the mail. */
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
}

/** In which part of the frame the words of an element can be seen; null where they cannot. */
const visiblePart = (element: Element, root: Element, view: Window): Part | null => {
  const { visibility, color, fontSize } = view.getComputedStyle(element)
  const alpha = /^rgba\([^)]*,\s*([\d.]+)\)$/.exec(color)?.[1]
  if (visibility !== 'visible' || Number.parseFloat(fontSize) < 3 || Number.parseFloat(alpha ?? '1') < 0.1) return null
  const mail = root.getBoundingClientRect()
  // The mail is scrolled to the right and to its end, and nothing scrolls it to what lies before its beginning.
  let part: Part = { left: mail.left - root.scrollLeft, top: mail.top, right: Infinity, bottom: Infinity }
  for (const around of ancestorsOf(element, root)) {
    const { opacity, overflowX, overflowY } = view.getComputedStyle(around)
    if (Number.parseFloat(opacity) < 0.1) return null
    if (around === root || (overflowX === 'visible' && overflowY === 'visible')) continue
    const { left, top, right, bottom } = around.getBoundingClientRect()
    part = {
      left: Math.max(part.left, left),
      top: Math.max(part.top, top),
      right: Math.min(part.right, right),
      bottom: Math.min(part.bottom, bottom),
    }
  }
  return part
}

interface DrawnLetter {
  readonly letter: string
  readonly box: DOMRect
}

/** The letters of a link that can be seen, with their places. */
const drawnLetters = (link: Element, root: Element, view: Window): readonly DrawnLetter[] => {
  const letters: DrawnLetter[] = []
  const parts = new Map<Element, Part | null>()
  const range = link.ownerDocument.createRange()
  const walker = walk(link, 4)
  while (walker.nextNode() !== null && letters.length < LETTERS) {
    const node = walker.currentNode as Text
    const parent = node.parentElement ?? link
    if (!parts.has(parent)) parts.set(parent, visiblePart(parent, root, view))
    const part = parts.get(parent) ?? null
    if (part === null) continue
    let at = 0
    for (const letter of node.data) {
      if (letters.length >= LETTERS) break
      range.setStart(node, at)
      range.setEnd(node, at + letter.length)
      at += letter.length
      const [box] = range.getClientRects()
      if (box === undefined || !hasSize(box)) continue
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      const isIn = x > part.left && x < part.right && y > part.top && y < part.bottom
      if (isIn) letters.push({ letter, box })
    }
  }
  return letters
}

/** Letters as an eye reads them: line by line from the top, each from the left, whatever their order in the mail is. */
const readAsDrawn = (letters: readonly DrawnLetter[]): string => {
  const lines: { readonly middle: number; readonly height: number; readonly letters: DrawnLetter[] }[] = []
  for (const drawn of letters.toSorted(
    (one, other) => one.box.y + one.box.height / 2 - other.box.y - other.box.height / 2,
  )) {
    const middle = drawn.box.y + drawn.box.height / 2
    const line = lines.at(-1)
    if (line !== undefined && Math.abs(line.middle - middle) < line.height / 2) line.letters.push(drawn)
    else lines.push({ middle, height: drawn.box.height, letters: [drawn] })
  }
  return lines
    .map(({ letters: line }) =>
      line
        .toSorted((one, other) => one.box.x - other.box.x)
        .map(({ letter, box }, place, all) => {
          const before = all[place - 1]?.box
          const isApart = before !== undefined && box.left - before.right > box.height / 5
          return isApart ? ` ${letter}` : letter
        })
        .join(''),
    )
    .join('\n')
}

/** What stands right before or behind a link on its line, without a blank between: the rest of a word that it is a part of. */
const touching = (link: Element, root: Element, direction: 'before' | 'behind'): string => {
  const walker = walk(root, 5)
  let words = ''
  walker.currentNode = link
  if (direction === 'behind') {
    let last: Node = link
    while (last.lastChild !== null) last = last.lastChild
    walker.currentNode = last
  }
  for (let steps = 0; steps < 40 && words.length < TOUCHING; steps += 1) {
    const node = direction === 'before' ? walker.previousNode() : walker.nextNode()
    if (node === null) return words
    if (node.nodeType === 1) {
      if (!node.contains(link) && WITHIN_A_LINE.has(node.nodeName.toLowerCase())) continue
      return words
    }
    const text = (node as Text).data
    const piece = (direction === 'before' ? /\S*$/ : /^\S*/).exec(text)?.[0] ?? ''
    words = direction === 'before' ? `${piece}${words}` : `${words}${piece}`
    if (piece.length < text.length) return words
  }
  return words
}

/** Words that style sheets put into a link: `content: "bank.example"`, marks of lists, quotes. */
const putByStyles = (elements: readonly Element[], view: Window): string =>
  elements
    .flatMap((element) => {
      const { display, listStyleType } = view.getComputedStyle(element)
      const contents = ['::before', '::after'].map((pseudo) => {
        const { content, quotes } = view.getComputedStyle(element, pseudo)
        return content.includes('quote') ? `${content} ${quotes}` : content
      })
      const values = [...(display === 'list-item' ? [listStyleType] : []), ...contents]
      return values.flatMap((value) =>
        [...value.matchAll(/"((?:[^"\\]|\\.)*)"|attr\(([^)\s]+)/g)].map(
          ([, said, attribute]) => said ?? element.getAttribute(attribute ?? '') ?? '',
        ),
      )
    })
    .join('')

/** Where a link takes clicks: its own boxes, those of all in it, and what its style sheet stretches over the box around it. */
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

/** @returns null where there is too much around it to look at all */
const isCovering = (link: Element, root: Element, boxes: readonly DOMRect[]): boolean | null => {
  const range = link.ownerDocument.createRange()
  const walker = walk(root, 5, (node) => (node === link ? 2 : 1))
  for (let looked = 0; walker.nextNode() !== null; looked += 1) {
    if (looked > NEIGHBOURS) return null
    const node = walker.currentNode
    const isText = node.nodeType === 3 && (node as Text).data.trim() !== ''
    if (!isText && !(node.nodeType === 1 && (node as Element).matches(PICTURE))) continue
    if (isText) range.selectNodeContents(node)
    const rects = isText ? range.getClientRects() : (node as Element).getClientRects()
    const parent = isText ? node.parentElement : (node as Element)
    const isUnder = [...rects].some((rect) => hasSize(rect) && boxes.some((box) => lieOnEachOther(rect, box)))
    // What nobody sees is not covered.
    if (isUnder && parent?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) === true) return true
  }
  return false
}

/**
 * Looks at a link as a person does who is about to follow it: what is drawn in it, in the order in which it is drawn, and
 * whether it lies over something else. Styles can hide, turn round and move words, so that the text alone says little.
 * @param root the mail that it is in
 */
export const seeLink = (link: Element, root: Element): SeenLink => {
  const view = link.ownerDocument.defaultView ?? window
  const elements = [link, ...link.querySelectorAll('*')].slice(0, LETTERS)
  const letters = drawnLetters(link, root, view)
  const pictures = elements.filter((element) => element.matches(PICTURE))
  const shownPictures = pictures.filter((picture) => [...picture.getClientRects()].some(hasSize))
  const labels = elements.flatMap((element) => ['aria-label', 'alt'].map((name) => element.getAttribute(name) ?? ''))
  const text = (link as HTMLElement).innerText
  const put = putByStyles(elements, view)
  const around = `${touching(link, root, 'before')}${text.trim()}${touching(link, root, 'behind')}`
  const readings = [text, readAsDrawn(letters), around, put, `${put}${text}`, ...labels]
  const boxes = boxesOf(elements, root, view)
  return {
    words: [...new Set(readings.map((reading) => reading.trim()))].filter((reading) => reading !== ''),
    isWordless: letters.every(({ letter }) => letter.trim() === '') && shownPictures.length === 0 && put.trim() === '',
    isCovering: isCovering(link, root, boxes),
  }
}
