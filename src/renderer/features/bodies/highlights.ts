import type { Span } from '../../../shared/search/lex-search.ts'
import { findWordSpans, type WordTerm } from '../../../shared/search/highlight-terms.ts'
import { INLINE_ELEMENTS } from '../../../shared/search/inline-elements.ts'
import type { TextFinder } from '../../../shared/search/word-tokenizer.ts'

/** Highlight names for the window and the mail frames. Random, so that mail can neither hide nor imitate matches. */
export const SEARCH_HIGHLIGHT = `found-${crypto.randomUUID()}`
export const FIND_HIGHLIGHT = `find-${crypto.randomUUID()}`
export const CURRENT_FIND_HIGHLIGHT = `find-current-${crypto.randomUUID()}`

/** More help nobody, and each is painted separately. */
const MAX = { hits: 2000, matches: 1000 } as const

/** Elements that Linnet inserted. Their text is not the sender's. */
const INSERTED_ELEMENTS = '.linnet-image, .linnet-quote > summary, style, [data-own]'

interface PlacedText {
  readonly node: Text
  /** Position in the whole text. */
  readonly start: number
}

/** An e-mail's text, split the way search splits HTML: inline elements don't separate words. */
const readText = (mail: Element): { readonly text: string; readonly nodes: readonly PlacedText[] } => {
  const nodes: PlacedText[] = []
  let text = ''
  let isApart = true
  const visit = (parent: Node): void => {
    for (let node = parent.firstChild; node !== null; node = node.nextSibling) {
      if (node.nodeType === 3) {
        if (isApart) text += '\n'
        nodes.push({ node: node as Text, start: text.length })
        text += node.nodeValue ?? ''
        isApart = false
      } else if (node.nodeType === 1) {
        const isInserted = (node as Element).matches(INSERTED_ELEMENTS)
        const isSeparate = isInserted || !INLINE_ELEMENTS.has((node as Element).localName)
        isApart ||= isSeparate
        if (!isInserted) visit(node)
        isApart ||= isSeparate
      }
    }
  }
  visit(mail)
  return { text, nodes }
}

/** Ranges of the displayed text, in order. They may cross inline elements. */
const rangesIn = (root: Element, spansIn: (text: string) => readonly Span[]): readonly Range[] => {
  const { text, nodes } = readText(root)
  let at = 0
  /** Call in ascending order. */
  const textAt = (index: number): PlacedText | undefined => {
    while ((nodes[at + 1]?.start ?? Number.POSITIVE_INFINITY) <= index) at += 1
    return nodes[at]
  }
  return spansIn(text).flatMap(({ start, end }) => {
    const [first, last] = [textAt(start), textAt(end - 1)]
    if (first === undefined || last === undefined) return []
    const range = root.ownerDocument.createRange()
    range.setStart(first.node, Math.max(0, start - first.start))
    range.setEnd(last.node, end - last.start)
    return [range]
  })
}

/** Highlights leave the document unchanged (CSS Custom Highlight API), so selectors match as before. */
export const highlightFrame = (frame: HTMLIFrameElement, terms: readonly WordTerm[]): void => {
  const view = frame.contentWindow as (Window & typeof globalThis) | null
  const mail = frame.contentDocument?.getElementById('linnet-mail')
  if (view === null || !mail) return
  view.CSS.highlights.delete(SEARCH_HIGHLIGHT)
  if (terms.length === 0) return
  const ranges = rangesIn(mail, (text) => findWordSpans(text, terms).slice(0, MAX.hits))
  if (ranges.length === 0) return
  view.CSS.highlights.set(SEARCH_HIGHLIGHT, new view.Highlight(...ranges))
  // Open the quotes if all hits are inside quotes.
  const folds = ranges.map(
    ({ startContainer }) => startContainer.parentElement?.closest('details.linnet-quote') ?? null,
  )
  if (!folds.includes(null)) for (const fold of new Set(folds)) fold?.setAttribute('open', '')
}

/** True if the range is visible, or will be once its folds are open. */
const canBeSeen = ({ startContainer: { parentElement } }: Range): boolean =>
  parentElement !== null && (parentElement.closest('details:not([open])') !== null || parentElement.checkVisibility())

/** @param roots HTML or plain-text bodies of an e-mail */
export const findRanges = (roots: readonly Element[], sought: TextFinder): readonly Range[] =>
  roots
    .flatMap((root) => rangesIn(root, (text) => sought.placesIn(text, MAX.matches)).filter(canBeSeen))
    .slice(0, MAX.matches)

export const highlightMatches = (roots: readonly Element[], ranges: readonly Range[], current: Range | null): void => {
  for (const view of new Set(roots.map((root) => root.ownerDocument.defaultView))) {
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
