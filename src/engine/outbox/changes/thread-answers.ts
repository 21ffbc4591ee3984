import type { CallOptions } from '../../api/requests.ts'
import type { FetchedThreadState } from '../../api/threads.ts'
import type { StateChange, ThreadState } from '../../../shared/thread-state.ts'
import type { InboxRef } from '../../store/inboxes.ts'
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
export interface ThreadAnswers extends Pick<
  Required<ChangeType>,
  'serverState' | 'look' | 'show' | 'words' | 'isGone' | 'staysHere' | 'isDeleted'
> {
  /** Whether a thread is kept here alone: the platform has dropped it. */
  readonly isOnlyHere: (subject: Subject) => boolean
  /**
   * What delivers a change of a thread that the platform has dropped: the cache's own row takes it, and nobody is asked.
   * Of one that was deleted here since there is nothing to do.
   * Null for a thread that the platform has, and for one that is not here.
   */
  readonly deliverHere: (subject: Subject, change: StateChange) => Answer | null
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
  const refOf = (scope: string): InboxRef | undefined => {
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
  /** The inbox of a thread that the platform has dropped; undefined for every other. */
  const inboxOfKept = ({ scope, id }: Subject): InboxRef | undefined => {
    const inbox = refOf(scope)
    return inbox !== undefined && cache().threads.standing(inbox, id)?.onServer === false ? inbox : undefined
  }
  /** Whether a person has deleted the only copy of a thread. */
  const isDeleted = ({ scope, id }: Subject): boolean => {
    const inbox = refOf(scope)
    return (
      inbox !== undefined &&
      cache().threads.standing(inbox, id) === undefined &&
      cache().deleted.has({ list: 'threads', inboxId: scope, id })
    )
  }
  /** A thread that holds only sent e-mails lies in `sent`, not in the inbox (contract, "Thread folders"). */
  const filed = (inbox: InboxRef, threadId: string, change: StateChange): StateChange => {
    if (change.folder !== 'inbox') return change
    const emails = cache().emails.known(inbox, threadId)
    return emails.length > 0 && emails.every(({ isOutbound }) => isOutbound) ? { ...change, folder: 'sent' } : change
  }
  const serverState: ThreadAnswers['serverState'] = ({ scope, id }) => {
    const inbox = refOf(scope)
    const state = inbox === undefined ? undefined : cache().threads.serverState(inbox, id)
    if (inbox === undefined || state === undefined) return new Map()
    // A label that the platform has no more is on no thread, whatever was said of it before.
    const labelIds = state.labelIds.filter((labelId) => !cache().labels.isGone(inbox.key, labelId))
    return subjectStateOf({ ...state, labelIds })
  }
  return {
    keep,
    serverState,
    deliverHere: (subject, change) => {
      // Nothing is left that could be changed.
      if (isDeleted(subject)) return { keep: () => undefined }
      const inbox = inboxOfKept(subject)
      if (inbox === undefined) return null
      return {
        keep: () => {
          const touched = cache().threads.storeHere(inbox, subject.id, filed(inbox, subject.id, change))
          // It has come back in the meantime: the change is looked into, and goes to the platform.
          if (touched === null) throw new Error('A thread that was only here is on the platform again.')
          hub.threads(subject.scope, touched)
        },
      }
    },
    isOnlyHere: (subject) => inboxOfKept(subject) !== undefined,
    isDeleted,
    staysHere: ({ scope, id }) => {
      if (isDeleted({ kind: 'thread', scope, id })) return true
      const inbox = refOf(scope)
      if (inbox === undefined || cache().threads.standing(inbox, id) === undefined) return false
      hub.threads(scope, cache().threads.markGone(inbox, id))
      return true
    },
    look: async (subject, changes, signal) => {
      // Of a thread that is only here, the cache has the last word.
      if (inboxOfKept(subject) !== undefined) return { state: serverState(subject), keep: () => undefined }
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
    show: (subjects) => {
      const threads = subjects.filter(({ kind }) => kind === 'thread')
      for (const [scope, those] of Map.groupBy(threads, (thread) => thread.scope)) {
        const inbox = refOf(scope)
        if (inbox === undefined) continue
        const ids = those.map(({ id }) => id)
        hub.threads(scope, cache().threads.project(inbox, ids), true)
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

/** Why changes of a thread were taken back where something is gone; those of a thread that is kept here are not. */
export const threadGoneWords =
  (changeIsGone: string) =>
  ({ missing, problem }: Refusal): string | null => {
    if (missing === 'subject') return 'neither the platform nor this computer still has it.'
    return problem.code === 'not_found' ? changeIsGone : null
  }
