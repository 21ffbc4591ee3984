import { ProblemError, toProblem, type Problem } from '../../shared/result.ts'
import { labelsAsked } from '../../shared/search/search-parameters.ts'
import type { ThreadQuery } from '../../shared/thread-query.ts'
import { isNotFound, isTimeOut, PlatformRefusal } from '../api/platform-problem.ts'
import { inStorageWords } from '../store/storage-problem.ts'

const OFFLINE = 'You are offline: only the mail on this computer was searched.'
const SILENT = 'The platform did not answer this search in time. Search again in a moment.'

/** The thread to go on after has left the results, also after they were read from the top again. */
export const CURSOR_GONE: Problem = {
  code: 'platform_failed',
  message: 'The results changed while loading. Search again in a moment.',
  details: { missing: 'cursor' },
}

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

/** What is known of a search that failed. */
interface About {
  readonly query: ThreadQuery
  /** The inbox was asked for by another question, and is not there. */
  readonly isInboxGone: boolean
  /** How a person knows the inbox. */
  readonly inboxName: string
  /** How a person knows a label of the search; undefined where its name is not known any more. */
  readonly labelName: (labelId: string) => string | undefined
}

/** The label that a 404 is about: named by its ID, or the only one of the search (contract, Errors). */
const labelIn = (said: string, query: ThreadQuery): string | undefined => {
  const labelIds = labelsAsked(query)
  const words = said.toLowerCase()
  const named = labelIds.find((id) => words.includes(id.toLowerCase()))
  return named ?? (labelIds.length === 1 && /\blabel\b/.test(words) ? labelIds[0] : undefined)
}

/** What a search was answered with 404, by the name of what is missing. */
const missingProblem = (found: Problem, said: string, about: About): Problem => {
  const labelId = labelIn(said, about.query)
  if (labelId !== undefined) {
    const name = about.labelName(labelId)
    return {
      ...found,
      message: `The platform no longer has ${name === undefined ? 'a label of this search' : `the label “${name}”`}. Remove it from the search.`,
      details: { ...found.details, missing: 'label', labelId, ...(name !== undefined && { name }) },
    }
  }
  const details = { ...found.details, missing: 'inbox', name: about.inboxName }
  if (about.isInboxGone) {
    const message = `The inbox ${about.inboxName} is no longer on the platform. Linnet keeps its mail.`
    return { ...found, message, details }
  }
  if (/\binbox\b/i.test(said)) {
    const message = `The platform did not find the inbox ${about.inboxName}, though it exists. Search again in a moment.`
    return { code: 'platform_failed', message, details }
  }
  const answer = said === '' ? '“not found”' : `“${said}”`
  return {
    code: 'platform_failed',
    message: `The platform answered ${answer}. Search again in a moment.`,
    ...(found.details !== undefined && { details: found.details }),
  }
}

/**
 * Why the platform did not find anything for a search, in a person's words: what it answered, by the name of what it is about
 * (`details.missing`: `inbox`, `label` or `cursor`, with its `details.name`), and silence only where there was no answer. Where it
 * finds fault with the search itself the words are its own, which name the limit or the value: `details.parameter` holds the
 * parameters that they speak of, parted by spaces, `details.most` and `details.counted` the limit (`counted`: characters, words,
 * values, label).
 */
export const searchProblem = (thrown: unknown, about: About): Problem => {
  const found = toProblem(inStorageWords(thrown))
  const said = String(found.details?.platform ?? '')
  if (isNotFound(thrown)) return missingProblem(found, said, about)
  if (thrown instanceof PlatformRefusal && thrown.status === 422) {
    const words = said.replaceAll('`', '')
    return {
      code: 'query_invalid',
      message: said === '' ? 'The platform refused this search.' : `The platform refused this search: ${words}`,
      details: { ...found.details, ...speaksOf(said) },
    }
  }
  if (isTimeOut(thrown)) return { ...found, message: SILENT, details: { ...found.details, isSilent: true } }
  if (found.code === 'unreachable') return { ...found, message: OFFLINE }
  return found
}

/** Whether the trouble is over by itself, sooner or later: then the search is sent again after a while. */
export const passesByItself = ({ code }: Problem): boolean =>
  code === 'unreachable' || code === 'platform_failed' || code === 'rate_limited'

/** Whether the trouble may be over when the platform answers again. */
export const isPassing = (problem: Problem): boolean => passesByItself(problem) || problem.code.startsWith('key_')

export const isOurs = (thrown: unknown): boolean => !(thrown instanceof ProblemError)
