import type { Problem } from '../../shared/result.ts'
import type { Problems } from '../problems/problems.ts'
import type { Lane } from './intent.ts'
import type { Refusal } from './outbox.ts'

/** What all problems about changes that were taken back begin their ID with. */
export const TAKEN_BACK = 'taken-back '
/** More than these at a time are told as one: they are not to push out what else a person should know. */
const MOST_TOLD = 5

const MORE: Problem & { readonly id: string } = {
  id: `${TAKEN_BACK}more`,
  code: 'refused',
  message: 'More of your changes were taken back. Look through what you changed last.',
}

/** What a person calls what was changed. */
interface ChangedThing {
  /** Of a thread, where it has one. */
  readonly subject: string | null
  /** Of the thread's inbox, as far as that is known. */
  readonly address: string | null
}

const wordsOf = (
  { kind, scope }: Lane,
  { problem, missing, fields }: Refusal,
  { subject, address }: ChangedThing,
): string => {
  const { code } = problem
  if (missing === 'inbox') {
    return `Your changes in ${address ?? scope} were taken back: the inbox is no longer on the platform. Linnet keeps its mail.`
  }
  const what = kind === 'contact' ? 'topic change' : subject ? `change to “${subject}”` : 'change to this thread'
  const takenBack = `Your ${what} was taken back`
  if (kind === 'contact' && code === 'not_found') {
    return `${takenBack}: the platform no longer has this ${missing === 'lane' ? 'contact' : 'topic'}.`
  }
  if (missing === 'lane') return `${takenBack}: the platform no longer has it. Linnet keeps its copy.`
  if (code !== 'not_found') return `${takenBack}. ${problem.message}`
  return fields.every((field) => field.startsWith('label:'))
    ? `${takenBack}: the platform no longer has this label.`
    : `${takenBack}: the platform does not offer it.`
}

/** What a person is told when changes were taken back: which, and why. The same refusal has the same ID. */
export const takenBackProblem = (
  lane: Lane,
  refusal: Refusal,
  thing: ChangedThing,
): Problem & { readonly id: string } => {
  const { kind, scope, id } = lane
  const { code, details } = refusal.problem
  const what = refusal.missing === 'inbox' ? ['inbox', scope] : [kind, scope, id, ...refusal.fields]
  return { id: TAKEN_BACK + what.join(' '), code, message: wordsOf(lane, refusal, thing), details }
}

/** Tells that changes were taken back, until it is dismissed: no window may be there when the platform refuses them. */
export const raiseTakenBack = (
  problems: Pick<Problems, 'list' | 'raise'>,
  problem: Problem & { readonly id: string },
): void => {
  const told = problems.list().filter(({ id }) => id.startsWith(TAKEN_BACK) && id !== problem.id && id !== MORE.id)
  problems.raise(told.length < MOST_TOLD ? problem : MORE)
}
