import type { ResurfaceReason } from '../../../shared/thread-marks.ts'
import type { ThreadStateChange, ThreadState } from '../../../shared/thread-state.ts'
import { randomUUID } from 'node:crypto'
import type { LabelOverlay } from '../../store/labels.ts'
import type { PendingAccountTopics } from '../../store/account-lists.ts'
import type { PendingContact } from '../../store/contacts.ts'
import {
  buildAccountTopicOverlay,
  accountTopicSubject,
  createAccountTopicChangeType,
  isCreatingTopic,
} from './changes/account-topic.ts'
import { buildContactOverlay, createContactChangeType } from './changes/contact.ts'
import { contactSubject } from './changes/contact-fields.ts'
import {
  CONTACTS_PER_REQUEST,
  buildContactImportChange,
  createContactImportChangeType,
  type ImportedContact,
  type ContactBatch,
} from './changes/contact-import.ts'
import { createThreadChangeBase, threadSubject } from './changes/thread-change-base.ts'
import type { ChangeDependencies } from './changes/change-dependencies.ts'
import {
  createLabelChangeType,
  buildLabelChanges,
  labelCreation,
  labelDeletion,
  buildLabelOverlay,
  labelSubject,
  type LabelAttributes,
} from './changes/label.ts'
import {
  createThreadLabelChangeType,
  buildThreadLabelChanges,
  buildThreadLabelOverlay,
} from './changes/thread-labels.ts'
import {
  buildArrivalChanges,
  revertResurfaceChanges,
  buildResurfaceChanges,
  createThreadMarkChangeType,
  toThreadMarks,
  cancelReminderChanges,
  buildThreadMarkChanges,
  type StoredThreadMarks,
} from './changes/local-thread-state.ts'
import {
  createThreadStateChangeType,
  buildThreadStateChanges,
  buildThreadStateOverlay,
} from './changes/thread-state.ts'
import {
  createSuppressionChangeType,
  buildSuppressionChange,
  buildSuppressionOverlay,
  suppressionSubject,
} from './changes/suppression.ts'
import { createTopicChangeType, buildBulkTopicChange, buildTopicOverlay } from './changes/topic.ts'
import type { Change } from './change.ts'
import type { ChangeType } from './change-type.ts'
import type { Clock } from '../../timing/clock.ts'
import { ChangeQueue, type LargeChangeReceipt, type RuleRunChange } from './change-queue.ts'
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
    return this.change(threads.flatMap((thread) => this.#changesOf(inboxId, thread)))
  }

  changeManyThreads(
    inboxId: string,
    threads: Iterable<ThreadToChange>,
    runsOf?: (changeId: string) => readonly RuleRun[],
  ): LargeChangeReceipt {
    return this.changeMany(this.#changesOfAll(inboxId, threads), runsOf)
  }

  /** Changes threads for rules. @returns for each thread, the change ID for undo, or null if nothing changed */
  ruleThreads(
    inboxId: string,
    threads: readonly (ThreadToChange & Pick<RuleRunChange, 'runs'>)[],
  ): readonly (string | null)[] {
    return this.changeByRules(
      threads.map((thread) => ({ changes: this.#changesOf(inboxId, thread), runs: thread.runs })),
    )
  }

  /** Returns a snoozed or reminded thread to the inbox. @param at when it was due, in milliseconds since the epoch */
  returnToInbox(inboxId: string, threadId: string, at: number, why: ResurfaceReason): void {
    this.changeWithoutUndo([
      ...this.#unarchiveChanges(inboxId, threadId),
      ...buildResurfaceChanges(inboxId, threadId, at, why),
    ])
  }

  /** Cancels a thread's snooze and reminder. */
  cancelReminders(inboxId: string, threadId: string): void {
    this.changeWithoutUndo(cancelReminderChanges(inboxId, threadId))
  }

  /** For a thread that returned too early because the clock was ahead: it keeps waiting. */
  revertReturn(inboxId: string, threadId: string): void {
    const back = this.marksOf(inboxId, threadId)?.back
    if (back) this.changeWithoutUndo(revertResurfaceChanges(inboxId, threadId, back))
  }

  /**
   * Call when mail has arrived in a thread with marks. @param upTo the thread's latest activity @param over marks that
   * the arrival ends
   */
  noteArrival(...[inboxId, threadId, upTo, over]: Parameters<typeof buildArrivalChanges>): void {
    const moved = over.snooze ? this.#unarchiveChanges(inboxId, threadId) : []
    this.changeWithoutUndo([...moved, ...buildArrivalChanges(inboxId, threadId, upTo, over)])
  }

  marksOf(inboxId: string, threadId: string): StoredThreadMarks | undefined {
    // Called for every stored thread and every row read, but most threads have no marks.
    if (!this.waiting.hasLocalFields()) return undefined
    const own = this.waiting.localFieldsOf(threadSubject(inboxId, threadId))
    return own === undefined ? undefined : toThreadMarks(own)
  }

  markedThreads(): readonly { readonly inboxId: string; readonly threadId: string }[] {
    return this.waiting.subjectsWithLocalFields().map(({ scope, id }) => ({ inboxId: scope, threadId: id }))
  }

  setTopicOfMany(contactIds: readonly string[], topicId: string, subscription: string): LargeChangeReceipt {
    return this.changeMany(contactIds.map((contactId) => buildBulkTopicChange(contactId, topicId, subscription)))
  }

  topicIdNow(topicId: string): string {
    return this.waiting.idNow(accountTopicSubject(topicId))
  }

  accountTopics(): PendingAccountTopics {
    return buildAccountTopicOverlay(this.waiting.within(accountTopicSubject('')))
  }

  isCreatingTopic(): boolean {
    return isCreatingTopic(this.waiting.within(accountTopicSubject('')))
  }

  importContacts(
    contacts: readonly ImportedContact[],
    { numbers, segmentId }: Omit<ContactBatch, 'contacts'>,
  ): LargeChangeReceipt {
    const importId = randomUUID()
    const parts = Array.from({ length: Math.ceil(contacts.length / CONTACTS_PER_REQUEST) }, (_, part) =>
      contacts.slice(part * CONTACTS_PER_REQUEST, (part + 1) * CONTACTS_PER_REQUEST),
    )
    return this.changeMany(
      parts.map((some, part) => buildContactImportChange(importId, part, { contacts: some, numbers, segmentId })),
    )
  }

  contactIdNow(contactId: string): string {
    return this.waiting.idNow(contactSubject(contactId))
  }

  contactOverlay(contactId: string): PendingContact | undefined {
    return buildContactOverlay(this.waiting.of(contactSubject(contactId)))
  }

  /** @param address `canonicalizeAddress` @returns the change ID for undo */
  suppress(address: string, isSuppressed: boolean): string {
    return this.change([buildSuppressionChange(address, isSuppressed)])
  }

  /** True or false if an address is to be added or removed; undefined if nothing is pending. */
  suppressionWaiting(address: string): boolean | undefined {
    return buildSuppressionOverlay(this.waiting.of(suppressionSubject(address)))
  }

  /** @returns a local ID, used until the platform assigns one */
  createLabel(inboxId: string, look: LabelAttributes): { readonly changeId: string; readonly labelId: string } {
    // Easy to tell apart from the platform's IDs, which are UUIDs (platform.md 8.3).
    const labelId = `new-${randomUUID()}`
    return { changeId: this.change([labelCreation(inboxId, labelId, look)]), labelId }
  }

  updateLabel(inboxId: string, labelId: string, look: Partial<LabelAttributes>): string {
    return this.change(buildLabelChanges(inboxId, labelId, look))
  }

  deleteLabel(inboxId: string, labelId: string): string {
    return this.change([labelDeletion(inboxId, labelId)])
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

  /** Moves a thread back to the inbox if its snooze had archived it. */
  #unarchiveChanges(inboxId: string, threadId: string): readonly Change[] {
    const isThere = this.waiting.shown({ ...threadSubject(inboxId, threadId), field: 'folder' }) === 'archive'
    return isThere && this.marksOf(inboxId, threadId)?.isArchivedBySnooze === true
      ? buildThreadStateChanges(inboxId, threadId, { folder: 'inbox' })
      : []
  }

  *#changesOfAll(inboxId: string, threads: Iterable<ThreadToChange>): Generator<Change> {
    for (const thread of threads) yield* this.#changesOf(inboxId, thread)
  }

  #changesOf(inboxId: string, { threadId, change, seen }: ThreadToChange): readonly Change[] {
    const marks = this.marksOf(inboxId, threadId)
    const stateOnly = this.#isLocalReturnOnly(inboxId, threadId, change, marks)
      ? { ...change, folder: undefined }
      : change
    return [
      ...buildThreadStateChanges(inboxId, threadId, stateOnly),
      ...buildThreadLabelChanges(inboxId, threadId, change),
      ...buildThreadMarkChanges(inboxId, threadId, change, marks, seen),
    ]
  }

  /**
   * True if archiving would only undo a local-only move back to the inbox: the thread is still in Sent on the platform.
   */
  #isLocalReturnOnly(
    inboxId: string,
    threadId: string,
    { folder }: ThreadStateChange,
    marks: StoredThreadMarks | undefined,
  ): boolean {
    return (
      folder === 'archive' &&
      marks !== undefined &&
      marks.back !== null &&
      this.waiting.shown({ ...threadSubject(inboxId, threadId), field: 'folder' }) === 'sent'
    )
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
