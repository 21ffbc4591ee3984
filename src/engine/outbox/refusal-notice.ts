import type { Problem } from '../../shared/result.ts'
import type { Lane } from './intent.ts'
import type { Refusal } from './outbox.ts'

const count = (changes: number): string => (changes === 1 ? 'Your change was' : `Your ${changes} changes were`)

/**
 * What a person is told when changes were taken back: which, and why.
 * @param subject of the thread, where it has one
 */
export const refusalNotice = (
  { kind }: Pick<Lane, 'kind'>,
  { problem, missing, fields }: Refusal,
  subject: string | null,
): Problem => {
  const { code, details } = problem
  const what = kind === 'contact' ? 'topic change' : subject ? `change to “${subject}”` : 'change to this thread'
  const takenBack = `Your ${what} was taken back`
  const isLabel = fields.every((field) => field.startsWith('label:'))
  const words = (): string => {
    if (missing === 'inbox') {
      return `${count(fields.length)} taken back: the inbox is no longer on the platform. Linnet keeps its mail.`
    }
    if (kind === 'contact' && code === 'not_found') {
      return `${takenBack}: the platform no longer has this ${missing === 'lane' ? 'contact' : 'topic'}.`
    }
    if (missing === 'lane') return `${takenBack}: the platform no longer has it. Linnet keeps its copy.`
    if (code !== 'not_found') return `${takenBack}. ${problem.message}`
    return isLabel
      ? `${takenBack}: the platform no longer has this label.`
      : `${takenBack}: the platform does not offer it.`
  }
  return { code, message: words(), details }
}
