import type { Span } from '../../../shared/search/lex-search.ts'
import type { ParsedSearch, SearchPart } from '../../../shared/search/parse-search.ts'
import type { Problem } from '../../../shared/result.ts'
import type { Repair } from './edit-search.ts'
import { withoutSpan } from './edit-search.ts'

/** Whether a parameter of the platform came of a part. */
const isOfParameter = (part: SearchPart, parameter: string): boolean => {
  switch (part.kind) {
    case 'text':
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
  }
}

/**
 * The words that a problem of the platform speaks of: those of the parameter that it names (`details.parameter`), or the
 * label that it does not have any more (`details.labelId`).
 * @returns null where it names none, or none was typed
 */
export const placeProblem = ({ parts }: ParsedSearch, { details }: Problem): Span | null => {
  const { parameter, labelId } = details ?? {}
  const named = parts.filter(
    (part) =>
      (typeof parameter === 'string' && isOfParameter(part, parameter)) ||
      (part.kind === 'labels' && typeof labelId === 'string' && part.ids.includes(labelId)),
  )
  if (named.length === 0) return null
  return {
    start: Math.min(...named.map(({ span }) => span.start)),
    end: Math.max(...named.map(({ span }) => span.end)),
  }
}

/** What mends a search that the platform refused. */
export const repairOfProblem = (parsed: ParsedSearch, problem: Problem): Repair | null => {
  const span = placeProblem(parsed, problem)
  return span === null ? null : { label: 'Take it out', edited: withoutSpan(parsed.text, span) }
}
