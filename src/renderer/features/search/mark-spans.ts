import type { Span } from '../../../shared/search/lex-search.ts'

interface TextSegment {
  readonly text: string
  readonly isMarked: boolean
}

/** Characters shown around a mark. */
const CONTEXT_CHARS = 48

const shortenMiddle = (text: string): string =>
  text.length > 2 * CONTEXT_CHARS ? `${text.slice(0, CONTEXT_CHARS)}…${text.slice(-CONTEXT_CHARS)}` : text

const shorten = (text: string, isFirst: boolean, isLast: boolean): string => {
  if (isFirst) return text.length > CONTEXT_CHARS ? `…${text.slice(-CONTEXT_CHARS)}` : text
  if (isLast) return text.length > CONTEXT_CHARS ? `${text.slice(0, CONTEXT_CHARS)}…` : text
  return shortenMiddle(text)
}

/** Splits a text at its marks, and shortens text that is far from any mark. @param spans in text order */
export const markSpans = (text: string, spans: readonly Span[]): readonly TextSegment[] =>
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
