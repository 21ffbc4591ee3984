import type { TextFinder } from '../../../shared/search/word-tokenizer.ts'
import { findVisibleTextNodes } from './visible-text-nodes.ts'

/** Highlight names for the window and the mail frames. Random, so that mail can't know them. */
export const FIND_HIGHLIGHT = `find-${crypto.randomUUID()}`
export const CURRENT_FIND_HIGHLIGHT = `find-current-${crypto.randomUUID()}`

/** Further matches are ignored. */
export const MAX_FIND_MATCHES = 1000

type View = Window & typeof globalThis

const viewOf = (root: Element): View | null => root.ownerDocument.defaultView

/** True if the node is visible, or will be once its folds are open. */
const canBeSeen = (node: Node): boolean => {
  const element = node.parentElement
  if (element === null) return false
  return element.closest('details:not([open])') !== null || element.checkVisibility()
}

/**
 * Matches in the displayed text, in order. They may cross inline elements.
 * @param root an e-mail's HTML or plain-text body
 */
export const findRanges = (root: Element, sought: TextFinder): readonly Range[] => {
  const texts = findVisibleTextNodes(root)
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
  /** Index of the text node that holds a character. Call in ascending order. */
  const pieceOf = (index: number): number => {
    while ((starts[at + 1] ?? Number.POSITIVE_INFINITY) <= index) at += 1
    return at
  }
  return sought.placesIn(whole, MAX_FIND_MATCHES).flatMap(({ start, end }) => {
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

export const highlightMatches = (roots: readonly Element[], ranges: readonly Range[], current: Range | null): void => {
  for (const view of new Set(roots.map(viewOf))) {
    if (view === null) continue
    const own = ranges.filter(({ startContainer }) => startContainer.ownerDocument === view.document)
    view.CSS.highlights.set(FIND_HIGHLIGHT, new view.Highlight(...own))
    const isOwn = current?.startContainer.ownerDocument === view.document
    const marked = new view.Highlight(...(isOwn ? [current] : []))
    marked.priority = 1
    view.CSS.highlights.set(CURRENT_FIND_HIGHLIGHT, marked)
  }
}

const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))

/** Opens the folds around a match and scrolls it to the middle, unless it is no longer wanted by then. */
export const showRange = async (range: Range, scroller: HTMLElement, isWanted: () => boolean): Promise<void> => {
  const element = range.startContainer.parentElement
  let fold = element?.closest('details:not([open])') ?? null
  if (fold !== null) {
    for (; fold !== null; fold = fold.closest('details:not([open])')) fold.setAttribute('open', '')
    // Opening a fold changes the frame's height, which is measured after the next paint.
    await nextFrame()
    await nextFrame()
  }
  if (element?.isConnected !== true || !isWanted()) return
  // For scrollers inside the mail: a wide table, or a frame too tall to be drawn in full.
  element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
  const rect = range.getBoundingClientRect()
  const frame = element.ownerDocument.defaultView?.frameElement
  const top = rect.top + (frame?.getBoundingClientRect().top ?? 0)
  const box = scroller.getBoundingClientRect()
  const isInSight = top >= box.top + 24 && top + rect.height <= box.bottom - 24
  if (!isInSight) scroller.scrollBy({ top: top - box.top - box.height / 2, behavior: 'instant' })
}
