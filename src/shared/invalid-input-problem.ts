import type { z } from 'zod'
import type { Problem } from './result.ts'

type Issue = z.core.$ZodIssue

/** User-facing names of command fields. Fields that users don't fill in have none. */
const FIELD_NAMES: Readonly<Record<string, string>> = {
  address: 'An address',
  apiKey: 'The API key',
  baseUrl: 'The platform address',
  bcc: 'Bcc',
  cc: 'Cc',
  color: 'The colour',
  filename: 'A file name',
  files: 'A draft',
  folder: 'The folder',
  html: 'The text',
  name: 'The name',
  query: 'The search',
  quietHours: 'The quiet hours setting',
  subject: 'The subject',
  text: 'The text',
  title: 'The title',
  to: 'To',
  typed: 'The text',
}

const ITEM_NAMES: Readonly<Record<string, string>> = {
  bcc: 'addresses',
  cc: 'addresses',
  files: 'files',
  inboxIds: 'inboxes',
  labels: 'labels',
  snippets: 'canned replies',
  threads: 'threads',
  to: 'addresses',
}

const formatCount = (value: number | bigint): string => value.toLocaleString('en')

const describeIssue = (issue: Issue): string => {
  const field = issue.path.findLast((step) => typeof step === 'string') ?? ''
  const what = FIELD_NAMES[field] ?? 'This value'
  if (issue.code === 'too_big') {
    if (issue.origin === 'string') return `${what} can have at most ${formatCount(issue.maximum)} characters.`
    if (issue.origin === 'array')
      return `${FIELD_NAMES[field] ?? 'A request'} can have at most ${formatCount(issue.maximum)} ${ITEM_NAMES[field] ?? 'entries'}.`
    return `${what} can be at most ${formatCount(issue.maximum)}.`
  }
  if (issue.code === 'too_small') {
    if (issue.origin === 'string' || issue.origin === 'array') return `${what} is empty.`
    return `${what} must be at least ${formatCount(issue.minimum)}.`
  }
  return what === 'This value' ? 'This request is not valid.' : `${what} is not valid.`
}

/**
 * Problem for an invalid input: tells the user which limit was violated and that nothing changed. `details` are for the
 * log and developers.
 */
export const toInvalidInputProblem = (command: string, [issue]: readonly Issue[]): Problem => ({
  code: 'invalid_input',
  message: `${issue === undefined ? 'This request is not valid.' : describeIssue(issue)} Nothing was changed.`,
  details: {
    where: [command, ...(issue?.path.map(String) ?? [])].join('.'),
    why: issue?.message ?? 'not understood',
  },
})
