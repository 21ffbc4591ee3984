import type { Span } from '../../../shared/search/lex-search.ts'

interface TextPiece {
  readonly text: string
  readonly isMarked: boolean
}

/** Characters shown around a mark. */
const BESIDE = 48

const shortenMiddle = (text: string): string =>
  text.length > 2 * BESIDE ? `${text.slice(0, BESIDE)}…${text.slice(-BESIDE)}` : text

const shorten = (text: string, isFirst: boolean, isLast: boolean): string => {
  if (isFirst) return text.length > BESIDE ? `…${text.slice(-BESIDE)}` : text
  if (isLast) return text.length > BESIDE ? `${text.slice(0, BESIDE)}…` : text
  return shortenMiddle(text)
}

/** Splits a text at its marks, and shortens text that is far from any mark. @param spans in text order */
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
