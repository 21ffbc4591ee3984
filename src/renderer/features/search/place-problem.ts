import type { Span } from '../../../shared/search/lex-search.ts'
import {
  limitFaults,
  SEARCH_LIMITS,
  type ParsedSearch,
  type Placed,
  type SearchFault,
  type SearchLimits,
  type SearchPart,
} from '../../../shared/search/parse-search.ts'
import type { Problem } from '../../../shared/result.ts'
import { describeSearchFault } from '../../../shared/search/describe-search-fault.ts'
import { repairOf, withoutSpan, type Repair } from './edit-search.ts'

/** What is said of a search: why, at which words, and what mends it. */
export interface PlacedComplaint {
  readonly message: string
  /** The words that it speaks of, in the order of the text; none where they are not known. */
  readonly spans: readonly Span[]
  /** Null where only the person knows. */
  readonly repair: Repair | null
}

/** Whether a parameter of the platform came of a part. */
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
    case 'mail kind':
      return false
  }
}

/** What the platform counts, and which of our limits that is. */
const LIMIT_OF: ReadonlyMap<unknown, keyof SearchLimits> = new Map([
  ['characters', 'characters'],
  ['words', 'words'],
  ['values', 'people'],
  ['label', 'labels'],
])

/** Whether what is too much is of one of these parameters. */
const isCountedFor = (fault: SearchFault, parameters: readonly string[]): boolean => {
  if (fault.code !== 'too_many') return false
  const { what } = fault
  return parameters.includes(what === 'characters' || what === 'words' ? 'query' : what)
}

/**
 * What is too much by a limit that the platform names and that is lower than ours (`details.most` of `details.counted`);
 * undefined where it names none.
 */
const excessOf = (
  { parts }: ParsedSearch,
  { most, counted }: NonNullable<Problem['details']>,
  parameters: readonly string[],
): Placed<SearchFault> | undefined => {
  const limit = LIMIT_OF.get(counted)
  if (limit === undefined || typeof most !== 'number') return undefined
  return limitFaults(parts, { ...SEARCH_LIMITS, [limit]: most }).find((fault) => isCountedFor(fault, parameters))
}

/**
 * A problem of the platform at the words that it speaks of: those of the parameters that it names (`details.parameter`),
 * of them only what is beyond a limit, or the label that it does not have any more (`details.labelId`).
 */
export const placeProblem = (parsed: ParsedSearch, { message, details = {} }: Problem): PlacedComplaint => {
  const { text, parts } = parsed
  const { parameter, labelId } = details
  const parameters = typeof parameter === 'string' ? parameter.split(' ') : []
  const excess = excessOf(parsed, details, parameters)
  if (excess !== undefined) {
    return { message: describeSearchFault(excess), spans: [excess.span], repair: repairOf(text, excess) }
  }
  const spans = parts
    .filter(
      (part) =>
        parameters.some((name) => isOfParameter(part, name)) ||
        (part.kind === 'labels' && typeof labelId === 'string' && part.ids.includes(labelId)),
    )
    .map(({ span }) => span)
  if (spans.length === 0) return { message, spans, repair: null }
  const rest = spans.reduceRight((left, span) => withoutSpan(left, span).text, text)
  return { message, spans, repair: { label: 'Remove it', edited: { text: rest, caret: rest.length } } }
}
