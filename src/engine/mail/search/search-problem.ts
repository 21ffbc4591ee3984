import { ProblemError, toProblem, type Problem } from '../../../shared/result.ts'
import { selectLabelsToSend } from '../../../shared/search/search-parameters.ts'
import type { ThreadQuery } from '../../../shared/thread-query.ts'
import { isNotFound, isTimeOut, PlatformRefusalError } from '../../platform/platform-problem.ts'
import { toStorageError } from '../../store/storage-problem.ts'

/** After a restart from the top, the cursor's thread dropped out of the results again. */
export class CursorExpiredError extends ProblemError {
  constructor() {
    super({
      code: 'platform_failed',
      message: 'The results changed while loading. Search again in a moment.',
      details: { missing: 'cursor' },
    })
  }
}

/** Pattern for parameter names in the platform's messages. */
const PARAMETERS = /`([a-z_]+)`/g
/** Pattern for a limit in the platform's messages, such as `at most 32 words`. */
const LIMIT = /\bat most (\d{1,6}) (characters|words|values|label)/

const joinUnique = (names: readonly string[]): string => [...new Set(names)].join(' ')

const parseDetails = (said: string): NonNullable<Problem['details']> => {
  const parameter = joinUnique([...said.matchAll(PARAMETERS)].map(([, name = '']) => name))
  const [, most, counted] = LIMIT.exec(said) ?? []
  return {
    ...(parameter === '' ? {} : { parameter }),
    ...(most === undefined || counted === undefined ? {} : { most: Number(most), counted }),
  }
}

interface ProblemContext {
  readonly query: ThreadQuery
  /** True if another request confirmed that the inbox is gone. */
  readonly isInboxGone: boolean
  readonly inboxName: string
  readonly labelName: (labelId: string) => string | undefined
}

/** The label that a 404 refers to: named by its ID, or the search's only label (platform.md 10.13). */
const labelIn = (said: string, query: ThreadQuery): string | undefined => {
  const labelIds = selectLabelsToSend(query)
  const words = said.toLowerCase()
  const named = labelIds.find((id) => words.includes(id.toLowerCase()))
  return named ?? (labelIds.length === 1 && /\blabel\b/.test(words) ? labelIds[0] : undefined)
}

const missingProblem = (found: Problem, said: string, about: ProblemContext): Problem => {
  const labelId = labelIn(said, about.query)
  if (labelId !== undefined) {
    const name = about.labelName(labelId)
    return {
      ...found,
      message: `The platform no longer has ${name === undefined ? 'a label in this search' : `the label “${name}”`}. Remove it from the search.`,
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
 * User-facing error for a failed search. A 404 names the missing object: `details.missing` is `inbox`, `label` or
 * `cursor`, with its `details.name`. If the search itself is invalid, the message is the platform's own.
 * `details.parameter` then lists the parameters, separated by spaces. `details.most` and `details.counted` hold the
 * limit (`counted`: characters, words, values, label).
 */
export const toSearchProblem = (thrown: unknown, about: ProblemContext): Problem => {
  const found = toProblem(toStorageError(thrown))
  const said = String(found.details?.platform ?? '')
  if (isNotFound(thrown)) return missingProblem(found, said, about)
  if (thrown instanceof PlatformRefusalError && thrown.status === 422) {
    const words = said.replaceAll('`', '')
    return {
      code: 'query_invalid',
      message:
        said === ''
          ? 'The platform did not accept this search. Change it, then search again.'
          : `The platform did not accept this search: ${words}`,
      details: { ...found.details, ...parseDetails(said) },
    }
  }
  if (isTimeOut(thrown)) {
    const message = 'The platform did not answer this search in time. Search again in a moment.'
    return { ...found, message, details: { ...found.details, isSilent: true } }
  }
  if (found.code !== 'unreachable') return found
  return { ...found, message: 'You are offline: only the mail on this computer was searched.' }
}

/** True for temporary errors; the search is retried after a while. */
export const isTemporaryProblem = ({ code }: Problem): boolean =>
  code === 'unreachable' || code === 'platform_failed' || code === 'rate_limited'

/** True for errors that may be gone when the platform responds again. */
export const clearsOnReconnect = (problem: Problem): boolean =>
  isTemporaryProblem(problem) || problem.code.startsWith('key_')
