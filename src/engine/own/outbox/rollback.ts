import type { Problem } from '../../../shared/result.ts'
import type { Problems } from '../problems.ts'
import type { ChangeSubject } from './change.ts'
import type { ChangeType, RejectedChange } from './change-type.ts'

/** ID prefix of problems about rolled-back changes. */
export const ROLLBACK_PROBLEM_ID_PREFIX = 'taken-back '
/** Beyond this many rollbacks, one general problem covers the rest, so they don't crowd out others. */
const MAX_PROBLEMS = 5

const MORE: Problem & { readonly id: string } = {
  id: `${ROLLBACK_PROBLEM_ID_PREFIX}more`,
  code: 'refused',
  message: 'More changes were undone. Check your latest ones.',
}

type Describer = Pick<ChangeType, 'describe' | 'describeMissing'>

const describeRollback = (
  subject: ChangeSubject,
  type: Describer,
  refusal: RejectedChange,
  address: string | null,
): string => {
  if (refusal.missing === 'inbox') {
    return `Your changes in ${address ?? subject.scope} were undone: the inbox is no longer on the platform. Linnet keeps its mail.`
  }
  const takenBack = `Your ${type.describe(subject, refusal.wanted)} was undone`
  const gone = type.describeMissing(refusal)
  return gone === null ? `${takenBack}. ${refusal.problem.message}` : `${takenBack}: ${gone}`
}

/** Repeated rejections of the same change share an ID. @param address address of the subject's inbox, if known */
export const toRollbackProblem = (
  subject: ChangeSubject,
  type: Describer,
  refusal: RejectedChange,
  address: string | null,
): Problem & { readonly id: string } => {
  const { kind, scope, id } = subject
  const { code, details } = refusal.problem
  const what = refusal.missing === 'inbox' ? ['inbox', scope] : [kind, scope, id, ...refusal.fields]
  return {
    id: ROLLBACK_PROBLEM_ID_PREFIX + what.join(' '),
    code,
    message: describeRollback(subject, type, refusal, address),
    details,
  }
}

/** Reports a rolled-back change. The problem stays until dismissed, since no window may be open at the time. */
export const reportRollback = (
  problems: Pick<Problems, 'list' | 'raise'>,
  problem: Problem & { readonly id: string },
): void => {
  const told = problems
    .list()
    .filter(({ id }) => id.startsWith(ROLLBACK_PROBLEM_ID_PREFIX) && id !== problem.id && id !== MORE.id)
  problems.raise(told.length < MAX_PROBLEMS ? problem : MORE)
}
