import { resolveDateBound, type Clock } from '../../../shared/search/date-bounds.ts'
import { formatQueryText, SEARCH_LIMITS } from '../../../shared/search/parse-search.ts'
import { selectLabelsToSend } from '../../../shared/search/search-parameters.ts'
import { countCharacters, countTypedWords } from '../../../shared/search/word-tokenizer.ts'
import { PEOPLE_FIELDS, type ThreadQuery } from '../../../shared/thread-query.ts'
import { toRefusal, type PlatformRefusalError } from '../../platform/platform-problem.ts'

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

const invalid = (message: string): PlatformRefusalError => toRefusal(422, { name: 'validation_error', message })

/** Splits values at commas, as the platform does. */
const splitValues = (values: readonly string[]): readonly string[] =>
  values
    .join(',')
    .split(',')
    .filter((value) => value.trim() !== '')

/**
 * Predicts the platform's rejection of a search, with the same messages and order of checks (platform.md 10). The user
 * sees the same error either way.
 * @param hasLabel null if the labels are unknown @returns null if the search is valid
 */
export const predictRejection = (
  { text, since, until, ...query }: ThreadQuery,
  clock: Clock,
  hasLabel: ((labelId: string) => boolean) | null,
): PlatformRefusalError | null => {
  const labelIds = selectLabelsToSend(query)
  const typed = formatQueryText(text)
  const [characters, words] = [countCharacters(typed), countTypedWords(typed)]
  if (characters > SEARCH_LIMITS.characters) {
    return invalid(
      `The \`query\` parameter must be at most ${SEARCH_LIMITS.characters} characters, but received ${characters}.`,
    )
  }
  if (words > SEARCH_LIMITS.words) {
    return invalid(`The \`query\` parameter must contain at most ${SEARCH_LIMITS.words} words, but received ${words}.`)
  }
  for (const field of PEOPLE_FIELDS) {
    const { length } = splitValues(query[field])
    if (length <= SEARCH_LIMITS.people) continue
    return invalid(
      `The \`${field}\` parameter must contain at most ${SEARCH_LIMITS.people} values, but received ${length}.`,
    )
  }
  if (since !== null && until !== null && resolveDateBound(since, clock) >= resolveDateBound(until, clock)) {
    return invalid('The `start_date` must be on or before the `end_date`.')
  }
  if (labelIds.length > SEARCH_LIMITS.labels) {
    return invalid(
      `The \`labels\` parameter must contain at most ${SEARCH_LIMITS.labels} label IDs, but received ${labelIds.length}.`,
    )
  }
  const unknown = hasLabel === null ? undefined : labelIds.find((id) => !hasLabel(id))
  if (unknown === undefined) return null
  return UUID.test(unknown)
    ? toRefusal(404, { name: 'not_found', message: `Label "${unknown}" not found.` })
    : invalid(`The \`labels\` value "${unknown}" must be a valid UUID.`)
}
