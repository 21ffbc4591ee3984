import type { z } from 'zod'
import type { Problem } from './result.ts'

type Issue = z.core.$ZodIssue

/** User-facing names of command fields. Fields that users don't fill in have none. */
const WORDS: Readonly<Record<string, string>> = {
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

const MANY: Readonly<Record<string, string>> = {
  bcc: 'addresses',
  cc: 'addresses',
  files: 'files',
  inboxIds: 'inboxes',
  labels: 'labels',
  snippets: 'canned replies',
  threads: 'threads',
  to: 'addresses',
}

const count = (value: number | bigint): string => value.toLocaleString('en')

const wordsOf = (issue: Issue): string => {
  const field = issue.path.findLast((step) => typeof step === 'string') ?? ''
  const what = WORDS[field] ?? 'This value'
  if (issue.code === 'too_big') {
    if (issue.origin === 'string') return `${what} can have at most ${count(issue.maximum)} characters.`
    if (issue.origin === 'array')
      return `${WORDS[field] ?? 'A request'} can have at most ${count(issue.maximum)} ${MANY[field] ?? 'entries'}.`
    return `${what} can be at most ${count(issue.maximum)}.`
  }
  if (issue.code === 'too_small') {
    if (issue.origin === 'string' || issue.origin === 'array') return `${what} is empty.`
    return `${what} must be at least ${count(issue.minimum)}.`
  }
  return what === 'This value' ? 'This request is not valid.' : `${what} is not valid.`
}

/**
 * Problem for an invalid input: tells the user which limit was violated and that nothing changed. `details` are for the
 * log and developers.
 */
export const describeRefusal = (command: string, [issue]: readonly Issue[]): Problem => ({
  code: 'invalid_input',
  message: `${issue === undefined ? 'This request is not valid.' : wordsOf(issue)} Nothing was changed.`,
  details: {
    where: [command, ...(issue?.path.map(String) ?? [])].join('.'),
    why: issue?.message ?? 'not understood',
  },
})
