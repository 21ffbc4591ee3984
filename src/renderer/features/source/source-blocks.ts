/** Part of a source, rendered as one element. */
export interface SourceBlock {
  /** Offset in the complete source, in UTF-16 units. */
  readonly start: number
  readonly text: string
}

/** Small enough to lay out at once, large enough to keep the number of blocks low. */
const LINES = 16
const MAX_BLOCK_LENGTH = 2_000

/** End of the block that starts at `start`: after `LINES` lines, or inside a very long line. */
const endOf = (text: string, start: number): number => {
  let end = start
  for (let lines = 0; lines < LINES && end < text.length; lines += 1) {
    const lineFeed = text.indexOf('\n', end)
    const next = lineFeed === -1 ? text.length : lineFeed + 1
    if (next - start > MAX_BLOCK_LENGTH) {
      if (end > start) return end
      const cut = start + MAX_BLOCK_LENGTH
      // Never split a surrogate pair.
      return /[\ud800-\udbff]/.test(text.charAt(cut - 1)) ? cut + 1 : cut
    }
    end = next
  }
  return end
}

/** Splits a piece of a source into blocks. @param offset offset of the piece in the complete source */
export const splitIntoBlocks = (piece: string, offset: number): readonly SourceBlock[] => {
  const blocks: SourceBlock[] = []
  for (let start = 0; start < piece.length;) {
    const end = endOf(piece, start)
    blocks.push({ start: offset + start, text: piece.slice(start, end) })
    start = end
  }
  return blocks
}
