import type { ThreadStateChange, ThreadState } from '../../../shared/thread-state.ts'
import type { LabelOverlay } from '../../store/labels.ts'
import type { Clock } from '../../timing/clock.ts'
import type { Change } from './change.ts'
import { ChangeQueue, type LargeChangeReceipt } from './change-queue.ts'
import type { ChangeType } from './change-type.ts'
import { accountTopicSubject, createAccountTopicChangeType } from './changes/account-topic.ts'
import type { ChangeDependencies } from './changes/change-dependencies.ts'
import { contactSubject } from './changes/contact-fields.ts'
import { createContactImportChangeType } from './changes/contact-import.ts'
import { createContactChangeType } from './changes/contact.ts'
import { buildLabelOverlay, createLabelChangeType, labelSubject } from './changes/label.ts'
import {
  buildMarkChanges,
  createThreadMarkChangeType,
  marksOfChange,
  toThreadMarks,
  type StoredThreadMarks,
} from './changes/local-thread-state.ts'
import { createSuppressionChangeType } from './changes/suppression.ts'
import { createThreadChangeBase, threadSubject } from './changes/thread-change-base.ts'
import {
  buildThreadLabelChanges,
  buildThreadLabelOverlay,
  createThreadLabelChangeType,
} from './changes/thread-labels.ts'
import {
  buildThreadStateChanges,
  buildThreadStateOverlay,
  createThreadStateChangeType,
} from './changes/thread-state.ts'
import { buildTopicOverlay, createTopicChangeType } from './changes/topic.ts'
import type { RuleRun } from './rule-runs.ts'

export interface ThreadToChange {
  readonly threadId: string
  readonly change: ThreadStateChange
  /** The thread's state when the user made the change; omitted if the change wasn't made by the user. */
  readonly seen?: ThreadState & { readonly receivedAt: number }
}

/** All change types. To add one, create a file in `changes/` and list it here. */
export const createChangeTypes = (
  parts: ChangeDependencies,
  clock: Pick<Clock, 'now' | 'after'>,
): readonly ChangeType[] => {
  const thread = createThreadChangeBase(parts)
  return [
    createThreadStateChangeType(parts, thread),
    createThreadLabelChangeType(parts, thread),
    createThreadMarkChangeType(thread),
    createLabelChangeType(parts),
    createAccountTopicChangeType(parts, clock.now),
    createTopicChangeType(parts, clock.now),
    createContactChangeType(parts),
    createSuppressionChangeType(parts, clock.now),
    createContactImportChangeType(parts, clock),
  ]
}

/** The account's change queue, with methods for each kind of change. */
export class Outbox extends ChangeQueue {
  /** @returns the change ID for undo */
  changeThreads(inboxId: string, threads: readonly ThreadToChange[]): string {
    return this.change(threads.flatMap((thread) => this.changesOf(inboxId, thread)))
  }

  changeManyThreads(
    inboxId: string,
    threads: Iterable<ThreadToChange>,
    runsOf?: (changeId: string) => readonly RuleRun[],
  ): LargeChangeReceipt {
    return this.changeMany(this.#changesOfAll(inboxId, threads), runsOf)
  }

  /**
   * Changes a thread's marks, without undo.
   * @param isBack true to also move the thread back to the inbox if its snooze had archived it
   */
  setMarks(inboxId: string, threadId: string, marks: Parameters<typeof buildMarkChanges>[2], isBack = false): void {
    const isArchived = isBack && this.#shownFolder(inboxId, threadId) === 'archive'
    const isMoved = isArchived && this.marksOf(inboxId, threadId)?.isArchivedBySnooze === true
    this.changeWithoutUndo([
      ...(isMoved ? buildThreadStateChanges(inboxId, threadId, { folder: 'inbox' }) : []),
      ...buildMarkChanges(inboxId, threadId, marks),
    ])
  }

  marksOf(inboxId: string, threadId: string): StoredThreadMarks | undefined {
    const own = this.waiting.localFieldsOf(threadSubject(inboxId, threadId))
    return own === undefined ? undefined : toThreadMarks(own)
  }

  topicIdNow(topicId: string): string {
    return this.waiting.idNow(accountTopicSubject(topicId))
  }

  labelIdNow(inboxId: string, labelId: string): string {
    return this.waiting.idNow(labelSubject(inboxId, labelId))
  }

  labelOverlay(inboxId: string): LabelOverlay {
    return buildLabelOverlay(this.waiting.within(labelSubject(inboxId, '')))
  }

  /** Pending changes of a thread, if any. */
  threadOverlay(inboxId: string, threadId: string): ThreadStateChange | undefined {
    if (this.waiting.isEmpty()) return undefined
    const waiting = this.waiting.of(threadSubject(inboxId, threadId))
    return waiting.length === 0
      ? undefined
      : { ...buildThreadStateOverlay(waiting), ...buildThreadLabelOverlay(waiting) }
  }

  #shownFolder(inboxId: string, threadId: string): string | undefined {
    return this.waiting.shown({ ...threadSubject(inboxId, threadId), field: 'folder' })
  }

  *#changesOfAll(inboxId: string, threads: Iterable<ThreadToChange>): Generator<Change> {
    for (const thread of threads) yield* this.changesOf(inboxId, thread)
  }

  changesOf(inboxId: string, { threadId, change, seen }: ThreadToChange): readonly Change[] {
    const marks = this.marksOf(inboxId, threadId)
    // Archiving only undoes a local-only move back to the inbox: the thread is still in Sent on the platform.
    const isLocal = change.folder === 'archive' && marks?.back && this.#shownFolder(inboxId, threadId) === 'sent'
    return [
      ...buildThreadStateChanges(inboxId, threadId, isLocal ? { ...change, folder: undefined } : change),
      ...buildThreadLabelChanges(inboxId, threadId, change),
      ...buildMarkChanges(inboxId, threadId, marksOfChange(change, marks, seen)),
    ]
  }

  /** Pending subscriptions of a contact by topic ID. */
  topicOverlay(contactId: string): ReadonlyMap<string, string> {
    const overlay = buildTopicOverlay(this.waiting.of(contactSubject(contactId)))
    // A topic that the platform has just created may still appear under its local ID here.
    return overlay.size === 0
      ? overlay
      : new Map([...overlay].map(([topicId, value]) => [this.topicIdNow(topicId), value]))
  }
}
