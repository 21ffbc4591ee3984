import type { Span } from '../../../shared/search/lex-search.ts'
import {
  findLimitFaults,
  SEARCH_LIMITS,
  type ParsedSearch,
  type WithSpan,
  type SearchFault,
  type SearchLimits,
  type SearchPart,
} from '../../../shared/search/parse-search.ts'
import type { Problem } from '../../../shared/result.ts'
import { describeSearchFault } from '../../../shared/search/describe-search-fault.ts'
import { findSearchRepair, removeSpan, type SearchRepair } from './edit-search.ts'

/** A problem with a search, its place, and its repair. */
export interface LocatedProblem {
  readonly message: string
  /** Words at fault in text order. Empty if unknown. */
  readonly spans: readonly Span[]
  /** Null if there is no automatic repair. */
  readonly repair: SearchRepair | null
}

/** True if the part was sent as this platform parameter. */
const isOfParameter = (part: SearchPart, parameter: string): boolean => {
  switch (part.kind) {
    case 'text':
    case 'subject':
      return parameter === 'query'
    case 'people':
      return parameter === part.field
    case 'attachment':
      return parameter === 'has_attachment'
    case 'dates':
      return (parameter === 'start_date' && part.since !== null) || (parameter === 'end_date' && part.until !== null)
    case 'folders':
    case 'labels':
    case 'read':
      return parameter === part.kind
    case 'assigned':
      return parameter === 'labels' && part.wanted
    case 'dropped':
    case 'mark':
    case 'message type':
      return false
  }
}

/** Our limit for each unit that the platform counts. */
const LIMIT_OF: ReadonlyMap<unknown, keyof SearchLimits> = new Map([
  ['characters', 'characters'],
  ['words', 'words'],
  ['values', 'people'],
  ['label', 'labels'],
])

/** True if the excess concerns one of these parameters. */
const isCountedFor = (fault: SearchFault, parameters: readonly string[]): boolean => {
  if (fault.code !== 'too_many') return false
  const { what } = fault
  return parameters.includes(what === 'characters' || what === 'words' ? 'query' : what)
}

/** Excess over a platform limit lower than ours (`details.most` of `details.counted`), or undefined. */
const excessOf = (
  { parts }: ParsedSearch,
  { most, counted }: NonNullable<Problem['details']>,
  parameters: readonly string[],
): WithSpan<SearchFault> | undefined => {
  const limit = LIMIT_OF.get(counted)
  if (limit === undefined || typeof most !== 'number') return undefined
  return findLimitFaults(parts, { ...SEARCH_LIMITS, [limit]: most }).find((fault) => isCountedFor(fault, parameters))
}

/** Locates a problem by parameter (`details.parameter`), exceeded limit, or deleted label (`details.labelId`). */
export const locateProblem = (parsed: ParsedSearch, { message, details = {} }: Problem): LocatedProblem => {
  const { text, parts } = parsed
  const { parameter, labelId } = details
  const parameters = typeof parameter === 'string' ? parameter.split(' ') : []
  const excess = excessOf(parsed, details, parameters)
  if (excess !== undefined) {
    return { message: describeSearchFault(excess), spans: [excess.span], repair: findSearchRepair(text, excess) }
  }
  const spans = parts
    .filter(
      (part) =>
        parameters.some((name) => isOfParameter(part, name)) ||
        (part.kind === 'labels' && typeof labelId === 'string' && part.ids.includes(labelId)),
    )
    .map(({ span }) => span)
  if (spans.length === 0) return { message, spans, repair: null }
  const rest = spans.reduceRight((left, span) => removeSpan(left, span).text, text)
  return { message, spans, repair: { label: 'Remove marked part', edited: { text: rest, caret: rest.length } } }
}

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
