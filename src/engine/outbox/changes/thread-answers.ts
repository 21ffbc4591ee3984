import type { FetchedThreadState } from '../../api/answers/threads.ts'
import type { ThreadState } from '../../../shared/thread-state.ts'
import type { CallOptions } from '../../api/mail-platform.ts'
import type { Subject, SubjectState } from '../change.ts'
import type { Answer, ChangeType, Missing, Refusal } from '../change-type.ts'
import { asNeeded, NEWEST, unlessGone, type ChangeParts } from './change-parts.ts'

export const threadSubject = (inboxId: string, threadId: string): Subject => ({
  kind: 'thread',
  scope: inboxId,
  id: threadId,
})

/** The field of a label that a thread carries: `true` or `false`. */
export const labelField = (labelId: string): string => `label:${labelId}`

export const subjectStateOf = ({ folder, read, labelIds }: ThreadState): SubjectState =>
  new Map([
    ['folder', folder],
    ['read', String(read)],
    ...labelIds.map((labelId) => [labelField(labelId), 'true'] as const),
  ])

const stateOfSummary = ({ folder, read, labels }: FetchedThreadState): SubjectState =>
  new Map([
    ...(folder === undefined ? [] : [['folder', folder] as const]),
    ...(read === undefined ? [] : [['read', String(read)] as const]),
    ...(labels ?? []).map(({ id }) => [labelField(id), 'true'] as const),
  ])

/** What all types of changes of a thread have in common: one answer of the platform tells of its folder, labels and read state. */
export interface ThreadAnswers extends Pick<ChangeType, 'serverState' | 'look' | 'words' | 'isGone'> {
  readonly keep: (subject: Subject, state: FetchedThreadState) => Answer
  /** @param askFurther the thread is there: whether something that the change speaks of is not */
  readonly inquire: (subject: Subject, how: CallOptions, askFurther: () => Promise<Missing>) => Promise<Missing>
}

export const createThreadAnswers = ({
  platform,
  cache,
  hub,
  absence,
}: Pick<ChangeParts, 'platform' | 'cache' | 'hub' | 'absence'>): ThreadAnswers => {
  const refOf = (scope: string) => {
    const inbox = cache().inboxes.get(scope)
    return inbox === undefined ? undefined : { key: inbox.key, id: scope }
  }
  const keep = ({ scope, id }: Subject, state: FetchedThreadState): Answer => ({
    keep: () => {
      const inbox = refOf(scope)
      if (inbox === undefined) return
      // The answer may say more than what was asked for: a thread that is moved back may be filed elsewhere.
      hub.threads(scope, cache().threads.storeState(inbox, id, state, NEWEST))
    },
  })
  return {
    keep,
    serverState: ({ scope, id }) => {
      const inbox = refOf(scope)
      const state = inbox === undefined ? undefined : cache().threads.serverState(inbox, id)
      if (inbox === undefined || state === undefined) return new Map()
      // A label that the platform has no more is on no thread, whatever was said of it before.
      const labelIds = state.labelIds.filter((labelId) => !cache().labels.isGone(inbox.key, labelId))
      return subjectStateOf({ ...state, labelIds })
    },
    look: async (subject, changes, signal) => {
      // A thread that is gone refuses the change itself; a platform of the contract alone has no such operation.
      const summary = await unlessGone(platform.getThread(subject.scope, subject.id, asNeeded(changes, signal)))
      return summary === null ? null : { state: stateOfSummary(summary), ...keep(subject, summary) }
    },
    inquire: async ({ scope, id }, how, askFurther) => {
      const { part } = await absence.ofThread(scope, id, how.priority, { certain: true })
      switch (part) {
        case 'nothing':
          return askFurther()
        case 'thread':
          return 'subject'
        case 'inbox':
          return 'inbox'
        case 'operation':
          return 'change'
      }
    },
    words: ({ scope, id }) => {
      const inbox = refOf(scope)
      const subject = inbox === undefined ? undefined : cache().threads.get(inbox, id)?.subject
      return subject ? `change to “${subject}”` : 'change to this thread'
    },
    isGone: ({ scope, id }) => {
      const inbox = refOf(scope)
      if (inbox !== undefined) hub.threads(scope, cache().threads.markGone(inbox, id))
    },
  }
}

/** Why changes of a thread were taken back where something is gone. */
export const threadGoneWords =
  (changeIsGone: string) =>
  ({ missing, problem }: Refusal): string | null => {
    if (missing === 'subject') return 'the platform no longer has it. Linnet keeps its copy.'
    return problem.code === 'not_found' ? changeIsGone : null
  }
