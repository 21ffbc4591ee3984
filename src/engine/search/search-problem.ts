import { ProblemError, toProblem, type Problem } from '../../shared/result.ts'
import type { ThreadQuery } from '../../shared/thread-query.ts'
import { isNotFound, PlatformRefusal } from '../api/platform-problem.ts'
import { INBOX_GONE } from '../saying.ts'
import { inStorageWords } from '../store/storage-problem.ts'

export const NOT_ANSWERED = 'The platform did not answer this search. Search again in a moment.'
const LABEL_GONE = 'A label of this search is no longer on the platform. Take it out of the search.'
const OFFLINE_ONLY = 'You are offline, and search runs on the platform. Your folders are all here; go online to search.'
const OFFLINE = 'You are offline: only the mail on this computer was searched.'

/** Names of parameters in the platform's words. */
const PARAMETERS = /`([a-z_]+)`/g
/** The platform's words for a limit: `at most 32 words`. */
const LIMIT = /\bat most (\d{1,6}) (characters|words|values|label)/

const joined = (names: readonly string[]): string => [...new Set(names)].join(' ')

/** What of a search the platform finds fault with, as far as its words tell. */
const speaksOf = (said: string): NonNullable<Problem['details']> => {
  const parameter = joined([...said.matchAll(PARAMETERS)].map(([, name = '']) => name))
  const [, most, counted] = LIMIT.exec(said) ?? []
  return {
    ...(parameter === '' ? {} : { parameter }),
    ...(most === undefined || counted === undefined ? {} : { most: Number(most), counted }),
  }
}

/**
 * Why the platform did not answer a search, in a person's words. Where it finds fault with the search itself the words
 * are its own, which name the limit or the value: `details.parameter` holds the parameters that they speak of, parted by
 * spaces, `details.most` and `details.counted` the limit (`counted`: characters, words, values, label).
 * @param about what is known of the search; `isInboxGone`: the inbox was asked for, and is not there
 */
export const searchProblem = (
  thrown: unknown,
  {
    query,
    isInboxGone,
    isSearchedHere,
  }: { readonly query: ThreadQuery; readonly isInboxGone: boolean; readonly isSearchedHere: boolean },
): Problem => {
  const found = toProblem(inStorageWords(thrown))
  const said = String(found.details?.platform ?? '')
  if (isNotFound(thrown)) {
    const labelId = query.labelIds.find((id) => said.includes(id))
    if (labelId !== undefined) return { ...found, message: LABEL_GONE, details: { ...found.details, labelId } }
    return isInboxGone ? { ...found, message: INBOX_GONE } : { code: 'platform_failed', message: NOT_ANSWERED }
  }
  if (thrown instanceof PlatformRefusal && thrown.status === 422) {
    const words = said.replaceAll('`', '')
    return {
      code: 'query_invalid',
      message: said === '' ? 'The platform refused this search.' : `The platform refused this search: ${words}`,
      details: { ...found.details, ...speaksOf(said) },
    }
  }
  if (found.code === 'unreachable') return { ...found, message: isSearchedHere ? OFFLINE : OFFLINE_ONLY }
  return found
}

/** Whether the trouble is over by itself, sooner or later: then the search is sent again after a while. */
export const passesByItself = ({ code }: Problem): boolean =>
  code === 'unreachable' || code === 'platform_failed' || code === 'rate_limited'

/** Whether the trouble may be over when the platform answers again. */
export const isPassing = (problem: Problem): boolean => passesByItself(problem) || problem.code.startsWith('key_')

export const isOurs = (thrown: unknown): boolean => !(thrown instanceof ProblemError)
