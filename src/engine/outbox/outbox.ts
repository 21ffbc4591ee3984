import type { ThreadChange } from '../../shared/model.ts'
import type { StateChange } from '../../shared/thread-state.ts'
import { createThreadAnswers, threadSubject } from './changes/thread-answers.ts'
import type { ChangeParts } from './changes/change-parts.ts'
import { createThreadLabels, threadLabelChanges, threadLabelOverlay } from './changes/thread-labels.ts'
import { createThreadState, threadStateChanges, threadStateOverlay } from './changes/thread-state.ts'
import { contactSubject, createTopic, topicChange, topicOverlay } from './changes/topic.ts'
import type { OutboxFile } from './outbox-file.ts'
import { createQueue, type ChangeQueue, type QueueListeners } from './queue.ts'

/** The changes of an account on their way to the platform, by what a person calls them. */
export interface Outbox extends Omit<ChangeQueue, 'change' | 'waitingOf' | 'isEmpty' | 'shown' | 'idNow'> {
  /** Changes threads of an inbox. @returns the ID that undoes it */
  readonly changeThreads: (inboxId: string, threadIds: readonly string[], change: ThreadChange) => string
  readonly setTopic: (contactId: string, topicId: string, subscription: string) => string
  /** How a thread is seen with the changes that wait; undefined where none does. */
  readonly threadOverlay: (inboxId: string, threadId: string) => StateChange | undefined
  /** A contact's subscriptions as they wait, by the topic's ID. */
  readonly topicOverlay: (contactId: string) => ReadonlyMap<string, string>
}

/** The queue with every type of changes that there is: a new one is a file in `changes/`, and its place here. */
export const createOutbox = (file: OutboxFile, parts: ChangeParts, listeners: QueueListeners): Outbox => {
  const thread = createThreadAnswers(parts)
  const types = [createThreadState(parts, thread), createThreadLabels(parts, thread), createTopic(parts)]
  const { change, waitingOf, isEmpty, ...queue } = createQueue(file, types, listeners)
  return {
    ...queue,
    changeThreads: (inboxId, threadIds, wanted) =>
      change(
        threadIds.flatMap((threadId) => [
          ...threadStateChanges(inboxId, threadId, wanted),
          ...threadLabelChanges(inboxId, threadId, wanted),
        ]),
      ),
    setTopic: (contactId, topicId, subscription) => change([topicChange(contactId, topicId, subscription)]),
    threadOverlay: (inboxId, threadId) => {
      if (isEmpty()) return undefined
      const waiting = waitingOf(threadSubject(inboxId, threadId))
      return waiting.length === 0 ? undefined : { ...threadStateOverlay(waiting), ...threadLabelOverlay(waiting) }
    },
    topicOverlay: (contactId) => topicOverlay(waitingOf(contactSubject(contactId))),
  }
}
