import { findLowerBound, type SourceFinder } from './source-finder.svelte.ts'
import type { SourceBlock } from './source-blocks.ts'

const FOUND = 'source-found'
const CURRENT = 'source-current'

export const clearSourceHighlights = (): void => {
  CSS.highlights.delete(FOUND)
  CSS.highlights.delete(CURRENT)
}

/** Highlights matches without new layout (CSS Custom Highlight API). A match across two blocks is marked in both. */
export const highlightSource = (
  drawn: HTMLElement,
  blocks: readonly SourceBlock[],
  { matches, index: current, length }: Pick<SourceFinder, 'matches' | 'index' | 'length'>,
): void => {
  clearSourceHighlights()
  if (matches.length === 0) return
  const found: StaticRange[] = []
  const here: StaticRange[] = []
  for (const element of drawn.querySelectorAll<HTMLElement>('[data-block]')) {
    const node = element.firstChild
    const block = blocks[Number(element.dataset.block)]
    if (!(node instanceof Text) || block === undefined) continue
    const end = block.start + node.length
    for (let match = findLowerBound(matches, block.start - length + 1); (matches[match] ?? end) < end; match += 1) {
      const at = (matches[match] ?? 0) - block.start
      const range = new StaticRange({
        startContainer: node,
        startOffset: Math.max(0, at),
        endContainer: node,
        endOffset: Math.min(at + length, node.length),
      })
      ;(match === current ? here : found).push(range)
    }
  }
  CSS.highlights.set(FOUND, new Highlight(...found))
  CSS.highlights.set(CURRENT, new Highlight(...here))
}
