import { SNOOZED, type ReturnReason } from '../../shared/thread-marks.ts'
import type { StateChange, ThreadState } from '../../shared/thread-state.ts'
import { randomUUID } from 'node:crypto'
import type { LabelOverlay } from '../store/labels.ts'
import type { ContactChange, TopicChange, TopicLook } from '../../shared/people.ts'
import { NO_PENDING_ACCOUNT_TOPICS, type PendingAccountTopics } from '../store/account-lists.ts'
import type { PendingContact } from '../store/contacts.ts'
import {
  accountTopicOverlay,
  accountTopicSubject,
  createAccountTopics,
  isAccountTopic,
  isMakingTopic,
  topicChanges,
  topicCreation,
  topicDeletion,
} from './changes/account-topic.ts'
import {
  contactAddition,
  contactOverlay,
  createContactChanges,
  editedAddition,
  isPerson,
  personSubject,
  waitingAddition,
  withoutAddition,
  type AddedContact,
} from './changes/contact.ts'
import {
  CONTACTS_OF_REQUEST,
  contactsImported,
  createContactImports,
  type ImportedContact,
  type SomeContacts,
} from './changes/contact-import.ts'
import type { ContactSnapshot } from './changes/contact-snapshot.ts'
import {
  contactDeletion,
  contactEdits,
  contactReturn,
  createEditedContact,
  editOverlay,
  segmentChange,
  segmentOverlay,
} from './changes/edited-contact.ts'
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
import {
  answeredChanges,
  awayAgainChanges,
  backChanges,
  createThreadMarks,
  readMarks,
  stopWaitingChanges,
  threadMarkChanges,
  type KeptMarks,
} from './changes/thread-marks.ts'
import { createThreadState, threadStateChanges, threadStateOverlay, threadStateRules } from './changes/thread-state.ts'
import { createSendChanges, sendChange } from './changes/send.ts'
import {
  createSuppressionChanges,
  suppressionChange,
  suppressionOverlay,
  suppressionSubject,
} from './changes/suppression.ts'
import { contactSubject, createTopic, topicChange, topicChangeOfMany, topicOverlay } from './changes/topic.ts'
import type { Change, MadeChange, Subject, WaitingChange } from './change.ts'
import type { ChangeType } from './change-type.ts'
import type { Clock } from '../timing/clock.ts'
import type { LargeReceipt } from './large-changes.ts'
import { ChangeQueue, type RuledChange } from './queue.ts'
import type { RuleRun } from './rule-runs.ts'

export interface ThreadToChange {
  readonly threadId: string
  readonly change: StateChange
  /** As the person saw it; left out where nobody looked. */
  readonly seen?: ThreadState & { readonly receivedAt: number }
}

/** The same with what was there when it was named: the cache may have lost that when its turn comes. */
export type SeenThread = ThreadToChange & Required<Pick<ThreadToChange, 'seen'>>

const namedChanges = (changes: readonly Change[], { seen }: SeenThread): readonly MadeChange[] => {
  // A snoozed thread lies where the platform has it: mostly in the inbox.
  const state = subjectStateOf(seen.folder === SNOOZED ? { ...seen, folder: 'inbox' } : seen)
  return changes.map(({ wanted, ...field }) => {
    const { valueIn } = threadStateRules.owns(field) ? threadStateRules : threadLabelRules
    return { ...field, before: valueIn(state, field.field) ?? '', after: wanted }
  })
}

const NOBODY: ReadonlyMap<string, AddedContact | null> = new Map()
const NOTHING: ReadonlyMap<string, boolean> = new Map()

/** Contacts of the platform that wait to be others than they are. */
export interface ContactsAtChange {
  /** IDs of those that are to be deleted. */
  readonly going: readonly string[]
  /** Those that were deleted and are to be there again, by the IDs that they had. */
  readonly returning: ReadonlyMap<string, ContactSnapshot>
}

const NO_CONTACTS: ContactsAtChange = { going: [], returning: new Map() }

/** Contacts of a large change that are named in one turn. */
const CONTACTS_AT_ONCE = 100

/** Every type of change that there is: a new one is a file in `changes/`, and its place here. */
export const changeTypes = (parts: ChangeParts, clock: Pick<Clock, 'now' | 'after'>): readonly ChangeType[] => {
  const thread = createThreadAnswers(parts)
  return [
    createThreadState(parts, thread),
    createThreadLabels(parts, thread),
    createThreadMarks(thread),
    createLabelChanges(parts),
    createAccountTopics(parts, clock.now),
    createTopic(parts, clock.now),
    createContactChanges(parts),
    createEditedContact(parts),
    createSuppressionChanges(parts, clock.now),
    createContactImports(parts, clock),
    createSendChanges(parts.deliverDraft),
  ]
}

/** The changes of an account on their way to the platform, by what a person calls them. */
export class Outbox extends ChangeQueue {
  /** Changes threads of an inbox. @returns the ID that undoes it */
  changeThreads(inboxId: string, threads: readonly ThreadToChange[]): string {
    return this.change(threads.flatMap((thread) => this.#changesOf(inboxId, thread)))
  }

  /** Changes threads of an inbox, however many. @param pages some threads at a time, each asked for in a turn of its own */
  changeManyThreads(
    inboxId: string,
    pages: Iterable<readonly SeenThread[]>,
    runsOf?: (changeId: string) => readonly RuleRun[],
  ): Promise<LargeReceipt> {
    const changesOf = (thread: SeenThread): readonly MadeChange[] =>
      namedChanges(this.#changesOf(inboxId, thread), thread)
    return this.changeMany(
      (function* () {
        for (const page of pages) yield page.map(changesOf)
      })(),
      runsOf,
    )
  }

  /** Has rules change threads of an inbox, each by a change of its own. @returns the IDs that undo them */
  ruleThreads(
    inboxId: string,
    threads: readonly (ThreadToChange & Pick<RuledChange, 'runs'>)[],
  ): readonly (string | null)[] {
    return this.changeByRules(
      threads.map((thread) => ({ changes: this.#changesOf(inboxId, thread), runs: thread.runs })),
    )
  }

  /** A thread has come back to the inbox by itself. @param at when that was due, milliseconds since the epoch */
  bringBack(inboxId: string, threadId: string, at: number, why: ReturnReason): void {
    this.want([...this.#outOfArchive(inboxId, threadId), ...backChanges(inboxId, threadId, at, why)])
  }

  /** A thread that was put away will not come back. */
  stopWaiting(inboxId: string, threadId: string): void {
    this.want(stopWaitingChanges(inboxId, threadId))
  }

  /** One that came back waits on, as the computer's clock was ahead. */
  sendAwayAgain(inboxId: string, threadId: string): void {
    const back = this.marksOf(inboxId, threadId)?.back
    if (back) this.want(awayAgainChanges(inboxId, threadId, back))
  }

  /** Mail has come into a thread with marks. @param upTo the thread's activity; @param over what has waited for it */
  noteArrival(...[inboxId, threadId, upTo, over]: Parameters<typeof answeredChanges>): void {
    const moved = over.snooze ? this.#outOfArchive(inboxId, threadId) : []
    this.want([...moved, ...answeredChanges(inboxId, threadId, upTo, over)])
  }

  /** What a person keeps of a thread on this computer; undefined for nothing. */
  marksOf(inboxId: string, threadId: string): KeptMarks | undefined {
    // Asked for each thread that is stored and each row that is read: mostly there are none.
    if (!this.hasOwn()) return undefined
    const own = this.ownOf(threadSubject(inboxId, threadId))
    return own === undefined ? undefined : readMarks(own)
  }

  /** Every thread of which a person keeps something on this computer. */
  markedThreads(): readonly { readonly inboxId: string; readonly threadId: string }[] {
    return this.ownSubjects().map(({ scope, id }) => ({ inboxId: scope, threadId: id }))
  }

  /** @param before what it is where that is not kept of the contact, as of a topic that was just made */
  setTopic(contactId: string, topicId: string, subscription: string, before?: string): string {
    return this.change([topicChange(contactId, topicId, subscription, before)])
  }

  /** Subscribes contacts to a topic or unsubscribes them, however many. */
  setTopicOfMany(contactIds: readonly string[], topicId: string, subscription: string): Promise<LargeReceipt> {
    return this.changeMany(
      (function* () {
        for (let at = 0; at < contactIds.length; at += CONTACTS_AT_ONCE) {
          const some = contactIds.slice(at, at + CONTACTS_AT_ONCE)
          yield some.map((contactId) => [topicChangeOfMany(contactId, topicId, subscription)])
        }
      })(),
    )
  }

  /** Makes a topic. @returns the ID by which it goes here, until the platform has given it another one */
  createTopic(look: TopicLook): { readonly changeId: string; readonly topicId: string } {
    const topicId = `new-${randomUUID()}`
    return { changeId: this.change([topicCreation(topicId, look)]), topicId }
  }

  updateTopic(topicId: string, change: TopicChange): string {
    return this.change(topicChanges(topicId, change))
  }

  deleteTopic(topicId: string): string {
    return this.change([topicDeletion(topicId)])
  }

  /** The ID of a topic today, by one that it had. */
  topicIdNow(topicId: string): string {
    return this.idNow(accountTopicSubject(topicId))
  }

  /** What waits to become of the account's topics. */
  accountTopics(): PendingAccountTopics {
    if (this.isEmpty()) return NO_PENDING_ACCOUNT_TOPICS
    return accountTopicOverlay(this.#topicsWaiting())
  }

  /** Whether the platform was asked to make a topic and has not answered. */
  isMakingTopic(): boolean {
    return !this.isEmpty() && isMakingTopic(this.#topicsWaiting())
  }

  #topicsWaiting(): readonly WaitingChange[] {
    return this.subjects()
      .filter(isAccountTopic)
      .flatMap((subject) => this.waitingOf(subject))
  }

  /** Has a draft sent, by its Idempotency-Key; with null not any more. */
  sendDraft(inboxId: string, draftId: string, key: string | null): void {
    this.want([sendChange({ scope: inboxId, id: draftId }, key)])
  }

  /** Adds somebody to the contacts. @param address `canonicalAddress` @returns the ID that undoes it */
  addContact(address: string, contact: AddedContact): string {
    return this.change([contactAddition(address, contact, randomUUID())])
  }

  /** Adds and changes contacts as a table has them. @returns once all of it waits, or is the platform's already */
  importContacts(
    contacts: readonly ImportedContact[],
    { numbers, segmentId }: Omit<SomeContacts, 'contacts'>,
  ): Promise<LargeReceipt> {
    const importId = randomUUID()
    return this.changeMany(
      (function* () {
        for (let at = 0, part = 0; at < contacts.length; at += CONTACTS_OF_REQUEST, part += 1) {
          const some = contacts.slice(at, at + CONTACTS_OF_REQUEST)
          yield [[contactsImported(importId, part, { contacts: some, numbers, segmentId })]]
        }
      })(),
    )
  }

  /** Who waits to be added, or with null to be taken off, by `canonicalAddress`; the newest last. */
  contactsWaiting(): ReadonlyMap<string, AddedContact | null> {
    if (this.isEmpty()) return NOBODY
    return new Map(
      this.subjects().flatMap((subject) => {
        const overlay = isPerson(subject) ? contactOverlay(this.waitingOf(subject)) : undefined
        return overlay === undefined ? [] : [[subject.id, overlay] as const]
      }),
    )
  }

  /** Changes fields of a contact, by its ID, or of somebody who waits to be added, by `canonicalAddress`. @returns the ID that undoes it */
  updateContact(contactId: string, change: ContactChange): string {
    const wanted = waitingAddition(this.waitingOf(personSubject(contactId)))
    if (wanted === undefined) return this.change(contactEdits(contactId, change))
    const added = JSON.parse(wanted) as AddedContact
    const { firstName = added.firstName, lastName = added.lastName, unsubscribed = added.unsubscribed } = change
    const properties = { ...added.properties, ...change.properties }
    return this.change([editedAddition(contactId, wanted, { ...added, firstName, lastName, unsubscribed, properties })])
  }

  /** Deletes contacts, and takes off those who wait to be added. @returns the ID that undoes it */
  deleteContacts(contactIds: readonly string[]): string {
    return this.change(
      contactIds.map((id) =>
        waitingAddition(this.waitingOf(personSubject(id))) === undefined ? contactDeletion(id) : withoutAddition(id),
      ),
    )
  }

  /** Puts contacts into segments and takes them out of others. @returns the ID that undoes it */
  setSegments(contactIds: readonly string[], add: readonly string[], remove: readonly string[]): string {
    return this.change(
      contactIds.flatMap((contactId): readonly Change[] => {
        const wanted = waitingAddition(this.waitingOf(personSubject(contactId)))
        if (wanted === undefined) {
          return [
            ...add.map((id) => segmentChange(contactId, id, true)),
            ...remove.map((id) => segmentChange(contactId, id, false)),
          ]
        }
        const added = JSON.parse(wanted) as AddedContact
        const segments = [...new Set([...(added.segments ?? []), ...add])].filter((id) => !remove.includes(id))
        return [editedAddition(contactId, wanted, { ...added, segments })]
      }),
    )
  }

  /** Has a contact that waits to be deleted stay. @returns the ID that undoes it */
  returnContact(contactId: string, snapshot: ContactSnapshot): string {
    return this.change([contactReturn(contactId, snapshot)])
  }

  /** The ID of a contact today, by one that it had. */
  contactIdNow(contactId: string): string {
    return this.idNow(contactSubject(contactId))
  }

  /** What waits of a contact of the platform; undefined for nothing. */
  contactOverlay(contactId: string): PendingContact | undefined {
    return this.isEmpty() ? undefined : editOverlay(this.waitingOf(contactSubject(contactId)))
  }

  contactsAtChange(): ContactsAtChange {
    if (this.isEmpty()) return NO_CONTACTS
    const overlays = this.#contactSubjects().map(
      ({ id }) => [id, editOverlay(this.waitingOf(contactSubject(id)))] as const,
    )
    return {
      going: overlays.flatMap(([id, overlay]) => (overlay?.isGoing === true ? [id] : [])),
      returning: new Map(overlays.flatMap(([id, overlay]) => (overlay?.snapshot ? [[id, overlay.snapshot]] : []))),
    }
  }

  /** Contacts that wait to be put into a segment, or to be taken out, by their IDs. */
  segmentMembers(segmentId: string): ReadonlyMap<string, boolean> {
    if (this.isEmpty()) return NOTHING
    return new Map(
      this.#contactSubjects().flatMap(({ id }) => {
        const isIn = segmentOverlay(this.waitingOf(contactSubject(id))).get(segmentId)
        return isIn === undefined ? [] : [[id, isIn] as const]
      }),
    )
  }

  /** Which segments a contact waits to be put into, or to be taken out of. */
  segmentsOf(contactId: string): ReadonlyMap<string, boolean> {
    return this.isEmpty() ? NOTHING : segmentOverlay(this.waitingOf(contactSubject(contactId)))
  }

  #contactSubjects(): readonly Subject[] {
    const { kind } = contactSubject('')
    return this.subjects().filter((subject) => subject.kind === kind)
  }

  /** Puts an address on the suppression list, or takes it off. @param address `canonicalAddress` @returns the ID that undoes it */
  suppress(address: string, isSuppressed: boolean): string {
    return this.change([suppressionChange(address, isSuppressed)])
  }

  /** Whether an address waits to be on the suppression list, or off it; undefined where neither does. */
  suppressionWaiting(address: string): boolean | undefined {
    return this.isEmpty() ? undefined : suppressionOverlay(this.waitingOf(suppressionSubject(address)))
  }

  /** Makes a label. @returns the ID by which it goes here, until the platform has given it another one */
  createLabel(inboxId: string, look: LabelLook): { readonly changeId: string; readonly labelId: string } {
    // Told apart at sight from the platform's own, which are UUIDs (contract, Label).
    const labelId = `new-${randomUUID()}`
    return { changeId: this.change([labelCreation(inboxId, labelId, look)]), labelId }
  }

  updateLabel(inboxId: string, labelId: string, look: Partial<LabelLook>): string {
    return this.change(labelChanges(inboxId, labelId, look))
  }

  deleteLabel(inboxId: string, labelId: string): string {
    return this.change([labelDeletion(inboxId, labelId)])
  }

  /** The ID of a label today, by one that it had. */
  labelIdNow(inboxId: string, labelId: string): string {
    return this.idNow(labelSubject(inboxId, labelId))
  }

  labelOverlay(inboxId: string): LabelOverlay {
    const isLabelHere = ({ kind, scope }: Subject): boolean =>
      kind === labelSubject(inboxId, '').kind && scope === inboxId
    const waiting = this.subjects()
      .filter(isLabelHere)
      .flatMap((subject) => this.waitingOf(subject))
    const renamed = this.beingRenamed().filter(isLabelHere)
    return {
      ...labelOverlay(waiting),
      formerIds: new Map(renamed.map((field) => [field.id, this.idNow(field)])),
    }
  }

  /** How a thread is seen with the changes that wait; undefined where none does. */
  threadOverlay(inboxId: string, threadId: string): StateChange | undefined {
    if (this.isEmpty()) return undefined
    const waiting = this.waitingOf(threadSubject(inboxId, threadId))
    return waiting.length === 0 ? undefined : { ...threadStateOverlay(waiting), ...threadLabelOverlay(waiting) }
  }

  /** What was archived for as long as it is snoozed comes back there, too. */
  #outOfArchive(inboxId: string, threadId: string): readonly Change[] {
    const isThere = this.shown({ ...threadSubject(inboxId, threadId), field: 'folder' }) === 'archive'
    return isThere && this.marksOf(inboxId, threadId)?.isArchivedMeanwhile === true
      ? threadStateChanges(inboxId, threadId, { folder: 'inbox' })
      : []
  }

  #changesOf(inboxId: string, { threadId, change, seen }: ThreadToChange): readonly Change[] {
    const marks = this.marksOf(inboxId, threadId)
    const stateOnly = this.#isOnlyBack(inboxId, threadId, change, marks) ? { ...change, folder: undefined } : change
    return [
      ...threadStateChanges(inboxId, threadId, stateOnly),
      ...threadLabelChanges(inboxId, threadId, change),
      ...threadMarkChanges(inboxId, threadId, change, marks, seen),
    ]
  }

  /** Whether to archive a thread is only to send back what came into the inbox here alone: a sent one that nobody answered. */
  #isOnlyBack(inboxId: string, threadId: string, { folder }: StateChange, marks: KeptMarks | undefined): boolean {
    return (
      folder === 'archive' &&
      marks !== undefined &&
      marks.back !== null &&
      this.shown({ ...threadSubject(inboxId, threadId), field: 'folder' }) === 'sent'
    )
  }

  /** A contact's subscriptions as they wait, by the topic's ID. */
  topicOverlay(contactId: string): ReadonlyMap<string, string> {
    const overlay = topicOverlay(this.waitingOf(contactSubject(contactId)))
    // One that the platform has just made is for a moment spoken of by the ID that it had.
    return overlay.size === 0
      ? overlay
      : new Map([...overlay].map(([topicId, value]) => [this.topicIdNow(topicId), value]))
  }
}
