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

/**
 * Reports a rolled-back change. The problem stays until dismissed, since no window may be open at the time. Repeated
 * rejections of the same change share an ID.
 * @param address address of the subject's inbox, if known
 */
export const reportRollback = (
  problems: Pick<Problems, 'list' | 'raise'>,
  { kind, scope, id }: ChangeSubject,
  type: Pick<ChangeType, 'describe' | 'describeMissing'>,
  refusal: RejectedChange,
  address: string | null,
): void => {
  const { code, details, message } = refusal.problem
  const gone = type.describeMissing(refusal)
  const sentence = `Your ${type.describe({ kind, scope, id }, refusal.wanted)} was undone`
  const isInboxGone = refusal.missing === 'inbox'
  const problem = {
    id: ROLLBACK_PROBLEM_ID_PREFIX + (isInboxGone ? ['inbox', scope] : [kind, scope, id, ...refusal.fields]).join(' '),
    ...{ code, details },
    message: isInboxGone
      ? `Your changes in ${address ?? scope} were undone: the inbox is no longer on the platform. Linnet keeps its mail.`
      : sentence + (gone === null ? `. ${message}` : `: ${gone}`),
  }
  const told = problems
    .list()
    .filter((each) => each.id.startsWith(ROLLBACK_PROBLEM_ID_PREFIX) && each.id !== problem.id && each.id !== MORE.id)
  problems.raise(told.length < MAX_PROBLEMS ? problem : MORE)
}
