import type { Problem } from '../../shared/result.ts'
import type { Problems } from '../problems/problems.ts'
import type { Subject } from './change.ts'
import type { ChangeType, Rejection } from './change-type.ts'

/** ID prefix of problems about rolled-back changes. */
export const ROLLBACK_PREFIX = 'taken-back '
/** Beyond this many, one problem covers the rest, so that they don't push out other problems. */
const MAX_TOLD = 5

const MORE: Problem & { readonly id: string } = {
  id: `${ROLLBACK_PREFIX}more`,
  code: 'refused',
  message: 'More changes were undone. Check your latest ones.',
}

type Words = Pick<ChangeType, 'describe' | 'describeMissing'>

const wordsOf = (subject: Subject, type: Words, refusal: Rejection, address: string | null): string => {
  if (refusal.missing === 'inbox') {
    return `Your changes in ${address ?? subject.scope} were undone: the inbox is no longer on the platform. Linnet keeps its mail.`
  }
  const takenBack = `Your ${type.describe(subject, refusal.wanted)} was undone`
  const gone = type.describeMissing(refusal)
  return gone === null ? `${takenBack}. ${refusal.problem.message}` : `${takenBack}: ${gone}`
}

/** The same rejection gives the same ID. @param address of the subject's inbox, if known */
export const rollbackProblem = (
  subject: Subject,
  type: Words,
  refusal: Rejection,
  address: string | null,
): Problem & { readonly id: string } => {
  const { kind, scope, id } = subject
  const { code, details } = refusal.problem
  const what = refusal.missing === 'inbox' ? ['inbox', scope] : [kind, scope, id, ...refusal.fields]
  return { id: ROLLBACK_PREFIX + what.join(' '), code, message: wordsOf(subject, type, refusal, address), details }
}

/** Stays until dismissed, as no window may be open when the platform rejects a change. */
export const reportRollback = (
  problems: Pick<Problems, 'list' | 'raise'>,
  problem: Problem & { readonly id: string },
): void => {
  const told = problems.list().filter(({ id }) => id.startsWith(ROLLBACK_PREFIX) && id !== problem.id && id !== MORE.id)
  problems.raise(told.length < MAX_TOLD ? problem : MORE)
}
