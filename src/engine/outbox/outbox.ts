import type { StateChange, ThreadState } from '../../shared/thread-state.ts'
import { randomUUID } from 'node:crypto'
import type { LabelOverlay } from '../store/labels.ts'
import {
  contactAddition,
  contactOverlay,
  createContactChanges,
  isPerson,
  type AddedContact,
} from './changes/contact.ts'
import { createThreadAnswers, subjectStateOf, threadSubject } from './changes/thread-answers.ts'
import type { ChangeParts } from './changes/change-parts.ts'
import {
  createLabelChanges,
  labelChanges,
  labelCreation,
  labelDeletion,
  labelOverlay,
  labelSubject,
  type LabelLook,
} from './changes/label.ts'
import {
  createThreadLabels,
  threadLabelChanges,
  threadLabelOverlay,
  threadLabelRules,
} from './changes/thread-labels.ts'
import { createThreadState, threadStateChanges, threadStateOverlay, threadStateRules } from './changes/thread-state.ts'
import { createSendChanges, sendChange } from './changes/send.ts'
import { contactSubject, createTopic, topicChange, topicOverlay } from './changes/topic.ts'
import type { Change, MadeChange, Subject } from './change.ts'
import type { LargeReceipt } from './large-changes.ts'
import type { OutboxFile } from './outbox-file.ts'
import { createQueue, type ChangeQueue, type QueueListeners } from './queue.ts'
import { systemClock, type Clock } from '../timing/clock.ts'

export interface ThreadToChange {
  readonly threadId: string
  readonly change: StateChange
}

/** The same with what was there when it was named: the cache may have lost that when its turn comes. */
export interface SeenThread extends ThreadToChange {
  readonly seen: ThreadState
}

/** The changes of an account on their way to the platform, by what a person calls them. */
export interface Outbox extends Omit<
  ChangeQueue,
  'change' | 'changeMany' | 'want' | 'waitingOf' | 'isEmpty' | 'shown' | 'idNow' | 'beingRenamed'
> {
  /** Changes threads of an inbox. @returns the ID that undoes it */
  readonly changeThreads: (inboxId: string, threads: readonly ThreadToChange[]) => string
  /** Changes threads of an inbox, however many. @param pages some threads at a time, each asked for in a turn of its own */
  readonly changeManyThreads: (inboxId: string, pages: Iterable<readonly SeenThread[]>) => Promise<LargeReceipt>
  readonly setTopic: (contactId: string, topicId: string, subscription: string) => string
  /** Has a draft sent, by its Idempotency-Key; with null not any more. */
  readonly sendDraft: (inboxId: string, draftId: string, key: string | null) => void
  /** Adds somebody to the contacts. @param address `canonicalAddress` @returns the ID that undoes it */
  readonly addContact: (address: string, contact: AddedContact) => string
  /** Who waits to be added, or with null to be taken off, by `canonicalAddress`; the newest last. */
  readonly contactsWaiting: () => ReadonlyMap<string, AddedContact | null>
  /** Makes a label. @returns the ID by which it goes here, until the platform has given it another one */
  readonly createLabel: (inboxId: string, look: LabelLook) => { readonly changeId: string; readonly labelId: string }
  readonly updateLabel: (inboxId: string, labelId: string, look: Partial<LabelLook>) => string
  readonly deleteLabel: (inboxId: string, labelId: string) => string
  /** The ID of a label today, by one that it had. */
  readonly labelIdNow: (inboxId: string, labelId: string) => string
  readonly labelOverlay: (inboxId: string) => LabelOverlay
  /** How a thread is seen with the changes that wait; undefined where none does. */
  readonly threadOverlay: (inboxId: string, threadId: string) => StateChange | undefined
  /** A contact's subscriptions as they wait, by the topic's ID. */
  readonly topicOverlay: (contactId: string) => ReadonlyMap<string, string>
}

const changesOf = (inboxId: string, { threadId, change }: ThreadToChange): readonly Change[] => [
  ...threadStateChanges(inboxId, threadId, change),
  ...threadLabelChanges(inboxId, threadId, change),
]

const namedChangesOf = (inboxId: string, thread: SeenThread): readonly MadeChange[] => {
  const seen = subjectStateOf(thread.seen)
  return changesOf(inboxId, thread).map(({ wanted, ...field }) => {
    const { valueIn } = threadStateRules.owns(field) ? threadStateRules : threadLabelRules
    return { ...field, before: valueIn(seen, field.field) ?? '', after: wanted }
  })
}

const NOBODY: ReadonlyMap<string, AddedContact | null> = new Map()

/** The queue with every type of changes that there is: a new one is a file in `changes/`, and its place here. */
export const createOutbox = (
  file: OutboxFile,
  parts: ChangeParts,
  listeners: QueueListeners,
  clock: Clock = systemClock,
): Outbox => {
  const thread = createThreadAnswers(parts)
  const types = [
    createThreadState(parts, thread),
    createThreadLabels(parts, thread),
    createLabelChanges(parts),
    createTopic(parts, clock.now),
    createContactChanges(parts),
    createSendChanges(parts.deliverDraft),
  ]
  const { change, changeMany, want, waitingOf, isEmpty, idNow, beingRenamed, ...queue } = createQueue(
    file,
    types,
    listeners,
    clock,
  )
  return {
    ...queue,
    changeThreads: (inboxId, threads) => change(threads.flatMap((thread) => changesOf(inboxId, thread))),
    changeManyThreads: (inboxId, pages) =>
      changeMany(
        (function* () {
          for (const page of pages) yield page.map((thread) => namedChangesOf(inboxId, thread))
        })(),
      ),
    createLabel: (inboxId, look) => {
      // Told apart at sight from the platform's own, which are UUIDs (contract, Label).
      const labelId = `new-${randomUUID()}`
      return { changeId: change([labelCreation(inboxId, labelId, look)]), labelId }
    },
    updateLabel: (inboxId, labelId, look) => change(labelChanges(inboxId, labelId, look)),
    deleteLabel: (inboxId, labelId) => change([labelDeletion(inboxId, labelId)]),
    labelIdNow: (inboxId, labelId) => idNow(labelSubject(inboxId, labelId)),
    labelOverlay: (inboxId) => {
      const isLabelHere = ({ kind, scope }: Subject): boolean =>
        kind === labelSubject(inboxId, '').kind && scope === inboxId
      return {
        ...labelOverlay(queue.subjects().filter(isLabelHere).flatMap(waitingOf)),
        formerIds: new Map(
          beingRenamed()
            .filter(isLabelHere)
            .map((field) => [field.id, idNow(field)]),
        ),
      }
    },
    sendDraft: (inboxId, draftId, key) => want([sendChange({ scope: inboxId, id: draftId }, key)]),
    setTopic: (contactId, topicId, subscription) => change([topicChange(contactId, topicId, subscription)]),
    threadOverlay: (inboxId, threadId) => {
      if (isEmpty()) return undefined
      const waiting = waitingOf(threadSubject(inboxId, threadId))
      return waiting.length === 0 ? undefined : { ...threadStateOverlay(waiting), ...threadLabelOverlay(waiting) }
    },
    addContact: (address, contact) => change([contactAddition(address, contact, randomUUID())]),
    contactsWaiting: () =>
      isEmpty()
        ? NOBODY
        : new Map(
            queue.subjects().flatMap((subject) => {
              const overlay = isPerson(subject) ? contactOverlay(waitingOf(subject)) : undefined
              return overlay === undefined ? [] : [[subject.id, overlay] as const]
            }),
          ),
    topicOverlay: (contactId) => topicOverlay(waitingOf(contactSubject(contactId))),
  }
}
