import type { SoughtPart } from '../../../shared/search/words.ts'
import { textsOf } from './drawn-texts.ts'

/** Names of highlights in the window and in the frames of mail, which cannot know them. */
export const FIND_NAME = `find-${crypto.randomUUID()}`
export const FIND_CURRENT_NAME = `find-current-${crypto.randomUUID()}`

/** More than these are not told apart. */
export const MOST_FOUND = 1000

type View = Window & typeof globalThis

const viewOf = (root: Element): View | null => root.ownerDocument.defaultView

/** Whether a person would see it, once what is folded around it is unfolded. */
const canBeSeen = (node: Node): boolean => {
  const element = node.parentElement
  if (element === null) return false
  return element.closest('details:not([open])') !== null || element.checkVisibility()
}

/**
 * Where something stands in what is drawn, in its order, over the borders of elements within a line.
 * @param root a mail in its frame, or the plain text of one
 */
export const findRanges = (root: Element, sought: SoughtPart): readonly Range[] => {
  const texts = textsOf(root)
  const starts: number[] = []
  let length = 0
  const whole = texts
    .map(({ text, isApart }) => {
      starts.push(length + Number(isApart))
      length += text.length + Number(isApart)
      return isApart ? `\n${text}` : text
    })
    .join('')
  let at = 0
  /** The piece in which a character is; they are asked for in their order. */
  const pieceOf = (index: number): number => {
    while ((starts[at + 1] ?? Number.POSITIVE_INFINITY) <= index) at += 1
    return at
  }
  return sought.placesIn(whole, MOST_FOUND).flatMap(({ start, end }) => {
    const first = pieceOf(start)
    const last = pieceOf(end - 1)
    const [startNode, endNode] = [texts[first]?.node, texts[last]?.node]
    if (startNode === undefined || endNode === undefined || !canBeSeen(startNode)) return []
    const range = root.ownerDocument.createRange()
    range.setStart(startNode, Math.max(0, start - (starts[first] ?? 0)))
    range.setEnd(endNode, end - (starts[last] ?? 0))
    return [range]
  })
}

/** Shows what was found in some documents, and the one of it that a person is at. What was shown before is not any more. */
export const highlightFound = (roots: readonly Element[], ranges: readonly Range[], current: Range | null): void => {
  for (const view of new Set(roots.map(viewOf))) {
    if (view === null) continue
    const own = ranges.filter(({ startContainer }) => startContainer.ownerDocument === view.document)
    view.CSS.highlights.set(FIND_NAME, new view.Highlight(...own))
    const isOwn = current?.startContainer.ownerDocument === view.document
    const marked = new view.Highlight(...(isOwn ? [current] : []))
    marked.priority = 1
    view.CSS.highlights.set(FIND_CURRENT_NAME, marked)
  }
}

const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))

/** Unfolds what is folded around a place, and brings it into the middle of what scrolls, unless a person is elsewhere by then. */
export const showRange = async (range: Range, scroller: HTMLElement, isWanted: () => boolean): Promise<void> => {
  const element = range.startContainer.parentElement
  let fold = element?.closest('details:not([open])') ?? null
  if (fold !== null) {
    for (; fold !== null; fold = fold.closest('details:not([open])')) fold.setAttribute('open', '')
    // A frame is measured anew once what was folded in it is drawn.
    await nextFrame()
    await nextFrame()
  }
  if (element?.isConnected !== true || !isWanted()) return
  // Into what scrolls by itself within the mail: a wide table, a frame that is too high to be drawn as a whole.
  element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
  const rect = range.getBoundingClientRect()
  const frame = element.ownerDocument.defaultView?.frameElement
  const top = rect.top + (frame?.getBoundingClientRect().top ?? 0)
  const box = scroller.getBoundingClientRect()
  const isInSight = top >= box.top + 24 && top + rect.height <= box.bottom - 24
  if (!isInSight) scroller.scrollBy({ top: top - box.top - box.height / 2, behavior: 'instant' })
}
