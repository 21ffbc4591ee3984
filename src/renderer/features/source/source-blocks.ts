/** Part of a source that is drawn by itself. */
export interface SourceBlock {
  /** Where it begins in the whole, in UTF-16 units. */
  readonly start: number
  readonly text: string
}

/** Few enough to be laid out in no time, and enough that there are not too many of them. */
const LINES = 16
const LONGEST = 2_000

/** Where a block ends that begins at `start`: behind some lines, or within one that is very long. */
const endOf = (text: string, start: number): number => {
  let end = start
  for (let lines = 0; lines < LINES && end < text.length; lines += 1) {
    const lineFeed = text.indexOf('\n', end)
    const next = lineFeed === -1 ? text.length : lineFeed + 1
    if (next - start > LONGEST) {
      if (end > start) return end
      const cut = start + LONGEST
      // Never between the halves of a character.
      return /[\ud800-\udbff]/.test(text.charAt(cut - 1)) ? cut + 1 : cut
    }
    end = next
  }
  return end
}

/** A piece of a source in blocks. @param offset where the piece begins in the whole */
export const blocksOf = (piece: string, offset: number): readonly SourceBlock[] => {
  const blocks: SourceBlock[] = []
  for (let start = 0; start < piece.length;) {
    const end = endOf(piece, start)
    blocks.push({ start: offset + start, text: piece.slice(start, end) })
    start = end
  }
  return blocks
}
