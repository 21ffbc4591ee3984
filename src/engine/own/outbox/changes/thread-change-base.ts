import { catchMissing } from '../../../platform/platform-problem.ts'
import type { CallOptions } from '../../../platform/requests.ts'
import type { FetchedThreadState } from '../../../platform/resources/threads.ts'
import type { ThreadStateChange, ThreadState } from '../../../../shared/thread-state.ts'
import type { InboxRef } from '../../../store/inboxes.ts'
import type { ChangeSubject, SubjectState } from '../change.ts'
import type { ChangeResponse, ChangeType, MissingResource } from '../change-type.ts'
import { callOptionsFor, NEWER_THAN_ANY_RESPONSE, type ChangeDependencies } from './change-dependencies.ts'

/** Threads displayed in one transaction of the cache. More would take too much memory. */
const THREADS_PER_WRITE = 10_000

export const threadSubject = (inboxId: string, threadId: string): ChangeSubject => ({
  kind: 'thread',
  scope: inboxId,
  id: threadId,
})

export const toLabelField = (labelId: string): string => `label:${labelId}`

const toSubjectState = ({ folder, read, labelIds }: ThreadState): SubjectState =>
  new Map([
    ['folder', folder],
    ['read', String(read)],
    ...labelIds.map((labelId) => [toLabelField(labelId), 'true'] as const),
  ])

const stateOfSummary = ({ folder, read, labels }: FetchedThreadState): SubjectState =>
  new Map([
    ...(folder === undefined ? [] : [['folder', folder] as const]),
    ...(read === undefined ? [] : [['read', String(read)] as const]),
    ...(labels ?? []).map(({ id }) => [toLabelField(id), 'true'] as const),
  ])

/** Local-only threads keep their changes. */
export const THREAD_GONE = 'the thread no longer exists on the platform or on this computer.'

export interface ThreadChangeBase {
  /** Shared by all change types of threads: one response holds folder, labels and read state. */
  readonly common: Pick<ChangeType, 'serverState' | 'look' | 'describe' | 'isGone' | 'isLocalOnly' | 'isDeleted'>
  readonly show: NonNullable<ChangeType['show']>
  /** True if the platform has dropped the thread and only this computer has it. */
  readonly existsOnlyLocally: (subject: ChangeSubject) => boolean
  /**
   * Applies a change to the cached row of a local-only thread, without a request; does nothing if it was deleted here.
   * Null if the platform has the thread or it isn't stored here.
   */
  readonly deliverHere: (subject: ChangeSubject, change: ThreadStateChange) => ChangeResponse | null
  readonly store: (subject: ChangeSubject, state: FetchedThreadState) => ChangeResponse
  /** @param askFurther called if the thread exists, to find out if anything else is missing */
  readonly findMissing: (
    subject: ChangeSubject,
    how: CallOptions,
    askFurther: () => Promise<MissingResource>,
  ) => Promise<MissingResource>
}

export const createThreadChangeBase = ({
  platform,
  cache,
  hub,
  notFound,
}: Pick<ChangeDependencies, 'platform' | 'cache' | 'hub' | 'notFound'>): ThreadChangeBase => {
  const refOf = (scope: string): InboxRef | undefined => cache.inboxes.ref(scope)
  const store = ({ scope, id }: ChangeSubject, state: FetchedThreadState): ChangeResponse => ({
    store: () => {
      const inbox = refOf(scope)
      if (inbox === undefined) return
      // The response may differ from the request: a thread moved back may be filed elsewhere.
      hub.threads(scope, cache.threads.storeState(inbox, id, state, NEWER_THAN_ANY_RESPONSE))
    },
  })
  /** Inbox of a local-only thread; undefined for others. */
  const inboxOfKept = ({ scope, id }: ChangeSubject): InboxRef | undefined => {
    const inbox = refOf(scope)
    return inbox !== undefined && cache.threads.currentState(inbox, id)?.onServer === false ? inbox : undefined
  }
  const isDeleted = ({ scope, id }: ChangeSubject): boolean => {
    const inbox = refOf(scope)
    return (
      inbox !== undefined &&
      cache.deleted.has({ list: 'threads', inboxId: scope, id }) &&
      cache.threads.currentState(inbox, id) === undefined
    )
  }
  /** A thread with sent e-mails only belongs in `sent`, not in the inbox (platform.md 7.1). */
  const filed = (inbox: InboxRef, threadId: string, change: ThreadStateChange): ThreadStateChange => {
    if (change.folder !== 'inbox') return change
    const emails = cache.emails.known(inbox, threadId)
    return emails.length > 0 && emails.every(({ isOutbound }) => isOutbound) ? { ...change, folder: 'sent' } : change
  }
  const serverState: ChangeType['serverState'] = ({ scope, id }) => {
    const inbox = refOf(scope)
    const state = inbox === undefined ? undefined : cache.threads.serverState(inbox, id)
    if (inbox === undefined || state === undefined) return new Map()
    // A deleted label belongs to no thread, whatever earlier responses said.
    const labelIds = state.labelIds.filter((labelId) => !cache.labels.isGone(inbox.key, labelId))
    return toSubjectState({ ...state, labelIds })
  }
  return {
    store,
    common: {
      serverState,
      look: async (subject, changes, signal) => {
        // For a local-only thread, the cache is authoritative.
        if (inboxOfKept(subject) !== undefined) return { state: serverState(subject), store: () => undefined }
        // If the thread is gone, the change itself gets rejected; a platform that offers only the contract lacks this
        // operation.
        const { scope, id } = subject
        const summary = await catchMissing(platform.getThread(scope, id, callOptionsFor(changes, signal)))
        return summary === null ? null : { state: stateOfSummary(summary), ...store(subject, summary) }
      },
      describe: ({ scope, id }) => {
        const inbox = refOf(scope)
        const subject = inbox === undefined ? undefined : cache.threads.get(inbox, id)?.subject
        return subject ? `change to “${subject}”` : 'change to a thread'
      },
      isGone: ({ scope, id }) => {
        const inbox = refOf(scope)
        if (inbox !== undefined) hub.threads(scope, cache.threads.markGone(inbox, id))
      },
      isDeleted,
      isLocalOnly: ({ scope, id }) => {
        if (isDeleted({ kind: 'thread', scope, id })) return true
        const inbox = refOf(scope)
        if (inbox === undefined || cache.threads.currentState(inbox, id) === undefined) return false
        hub.threads(scope, cache.threads.markGone(inbox, id))
        return true
      },
    },
    deliverHere: (subject, change) => {
      if (isDeleted(subject)) return { store: () => undefined }
      const inbox = inboxOfKept(subject)
      if (inbox === undefined) return null
      return {
        store: () => {
          const touched = cache.threads.storeLocally(inbox, subject.id, filed(inbox, subject.id, change))
          // The thread is back on the platform. Fail, so that the change is looked up and sent there.
          if (touched === null) throw new Error('A local-only thread is on the platform again.')
          hub.threads(subject.scope, touched)
        },
      }
    },
    existsOnlyLocally: (subject) => inboxOfKept(subject) !== undefined,
    findMissing: async ({ scope, id }, how, askFurther) => {
      const { part } = await notFound.ofThread(scope, id, how.priority, { certain: true })
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
      for (const [scope, those] of Map.groupBy(subjects, (thread) => thread.scope)) {
        const inbox = refOf(scope)
        if (inbox === undefined) continue
        for (let at = 0; at < those.length; at += THREADS_PER_WRITE) {
          const ids = those.slice(at, at + THREADS_PER_WRITE).map(({ id }) => id)
          hub.threads(scope, cache.threads.project(inbox, ids), true)
        }
      }
    },
  }
}
