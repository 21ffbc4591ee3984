import { firstFrom, type FindInSource } from './find-in-source.svelte.ts'
import type { SourceBlock } from './source-blocks.ts'

const FOUND = 'source-found'
const CURRENT = 'source-current'

export const clearSourceMarks = (): void => {
  CSS.highlights.delete(FOUND)
  CSS.highlights.delete(CURRENT)
}

/** Highlights matches without new layout (CSS Custom Highlight API). A match across two blocks is marked in both. */
export const markSource = (
  drawn: HTMLElement,
  blocks: readonly SourceBlock[],
  { matches, index: current, length }: Pick<FindInSource, 'matches' | 'index' | 'length'>,
): void => {
  clearSourceMarks()
  if (matches.length === 0) return
  const found: StaticRange[] = []
  const here: StaticRange[] = []
  for (const element of drawn.querySelectorAll<HTMLElement>('[data-block]')) {
    const node = element.firstChild
    const block = blocks[Number(element.dataset.block)]
    if (!(node instanceof Text) || block === undefined) continue
    const end = block.start + node.length
    for (let match = firstFrom(matches, block.start - length + 1); (matches[match] ?? end) < end; match += 1) {
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
