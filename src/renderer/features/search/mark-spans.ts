import type { Span } from '../../../shared/search/lex-search.ts'

interface TextPiece {
  readonly text: string
  readonly isMarked: boolean
}

/** Characters that are shown beside what is marked. */
const BESIDE = 48

const shortenMiddle = (text: string): string =>
  text.length > 2 * BESIDE ? `${text.slice(0, BESIDE)}…${text.slice(-BESIDE)}` : text

const shorten = (text: string, isFirst: boolean, isLast: boolean): string => {
  if (isFirst) return text.length > BESIDE ? `…${text.slice(-BESIDE)}` : text
  if (isLast) return text.length > BESIDE ? `${text.slice(0, BESIDE)}…` : text
  return shortenMiddle(text)
}

/**
 * A text in pieces, of some of which something is said; what is far from the edges of those is left out.
 * @param spans in the order of the text
 */
export const markSpans = (text: string, spans: readonly Span[]): readonly TextPiece[] =>
  [...spans.map(({ start }) => start), text.length]
    .flatMap((start, index) => {
      const [before, here] = [spans[index - 1]?.end ?? 0, spans[index]]
      const between = shorten(text.slice(before, start), index === 0, index === spans.length)
      return [
        { text: between, isMarked: false },
        { text: here === undefined ? '' : shortenMiddle(text.slice(here.start, here.end)), isMarked: true },
      ]
    })
    .filter((piece) => piece.text !== '')
