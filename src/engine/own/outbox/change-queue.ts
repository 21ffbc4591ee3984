import { randomUUID } from 'node:crypto'
import type { ChangeProgress } from '../../../shared/model.ts'
import { systemClock, type Clock } from '../../timing/clock.ts'
import { createThrottle } from '../../timing/throttle.ts'
import { processInSlices } from '../../timing/turns.ts'
import {
  dedupeSubjects,
  UNKNOWN,
  type Change,
  type ChangeRequest,
  type ChangeWrite,
  type UndoableChange,
  type ReplacedId,
  type ChangeSubject,
  type UndoRecord,
  type UndoResult,
  type WaitingChange,
} from './change.ts'
import type { ChangeType, RejectedChange } from './change-type.ts'
import type { OutboxFile } from './outbox-file.ts'
import type { RuleRun, RuleRuns } from './rule-runs.ts'
import { ChangeSender } from './change-sender.ts'
import { SubjectSender } from './subject-sender.ts'
import { ChangeCoalescer, createStateReader, WaitingChanges, type StateReader } from './waiting-changes.ts'

/** Changes to more subjects are large: they are sent after others, and their progress is shown. */
export const MAX_SMALL_CHANGE = 20
/** Minimum interval between progress reports, in milliseconds. */
const PROGRESS_INTERVAL_MS = 200

export interface QueueListeners {
  /** Called after pending changes were displayed. The number of pending changes may differ. */
  readonly shown: () => void
  readonly refused: (subject: ChangeSubject, type: ChangeType, refusal: RejectedChange) => void
  readonly replaced: (replaced: ReplacedId) => void
  /** Called when large changes have progressed. */
  readonly progressed: () => void
  /** Called if a display update failed, for example because the disk is full. It will be retried. */
  readonly failed: (thrown: unknown) => void
}

/** Changes to a subject made by rules, with the rule runs. */
export interface RuleRunChange {
  readonly changes: readonly Change[]
  readonly runs: readonly Omit<RuleRun, 'changeId'>[]
}

export interface LargeChangeReceipt {
  readonly changeId: string
  /** Number of changed subjects. */
  readonly changed: number
}

/** A change to be stored. */
interface NewChange {
  readonly changeId: string
  /** True if it is sent after individual changes, and its progress is shown. */
  readonly isLarge: boolean
  /** The change that this one undoes, wholly or in part. */
  readonly undoes?: string
}

/**
 * The queue of pending changes. Stores each change on disk before it is displayed, folds it into pending ones, and
 * sends changes one request at a time per subject. Looks up changes with an unknown outcome and rolls back rejected
 * ones. What a change means is left to its `ChangeType`.
 */
export class ChangeQueue {
  readonly #file: OutboxFile
  readonly #types: readonly ChangeType[]
  readonly #listeners: QueueListeners
  readonly #clock: Clock
  /** The pending changes. Only the queue changes them. */
  readonly waiting: WaitingChanges
  readonly ruleRuns: RuleRuns
  readonly #subjects: SubjectSender
  readonly #sender: ChangeSender
  /** Subjects that the cache failed to update. */
  #unprojected: readonly ChangeSubject[] = []
  #showing: Promise<void> = Promise.resolve()
  // These two do nothing until the queue has started.
  #reportProgress: () => void = () => undefined
  #showLarge: () => void = () => undefined

  constructor(file: OutboxFile, types: readonly ChangeType[], listeners: QueueListeners, clock: Clock = systemClock) {
    this.#file = file
    this.ruleRuns = file.ruleRuns
    this.#types = types
    this.#listeners = listeners
    this.#clock = clock
    const { refused, replaced, failed } = listeners
    const waiting = new WaitingChanges(types, {
      removed: (field) => this.#subjects.forget(field),
      progressed: () => this.#reportProgress(),
    })
    this.waiting = waiting
    this.#sender = new ChangeSender({
      sendNext: (subject, signal) => this.#subjects.sendNext(subject, signal),
      ...{ waiting, failed, clock },
    })
    this.#subjects = new SubjectSender({
      changed: (subjects) => this.#changed(subjects),
      isBusy: (subject) => this.#sender.isBusy(subject),
      ...{ file, waiting, refused, replaced, clock },
    })
    const stored = file.read()
    for (const newId of stored.replacedIds) waiting.replaceId(newId)
    for (const own of stored.own) waiting.setLocalField(own)
    for (const change of stored.waiting) waiting.remember({ target: change, change })
    if (file.wasRecovered) this.#doubtAll(stored.waiting)
  }

  start(signal: AbortSignal): void {
    const { progressed, failed } = this.#listeners
    this.#reportProgress = createThrottle(progressed, this.#clock, signal, {
      everyMs: PROGRESS_INTERVAL_MS,
      unref: true,
    })
    this.#showLarge = () => {
      const large = [...this.waiting.ofLarge].map(({ subject }) => subject)
      const show = (): Promise<void> => processInSlices(large, (some) => this.#show(some), signal)
      this.#showing = this.#showing.then(show).catch(failed)
    }
    this.#showLarge()
    this.#sender.start(signal)
  }

  /** Call when the platform is reachable again, to retry now. */
  nudge(): void {
    this.#sender.nudge()
  }

  /** Resolves when aborted work has stopped. */
  async ended(): Promise<void> {
    await Promise.all([this.#sender.ended(), this.#showing])
  }

  /**
   * Stores changes durably. They are displayed at once, and sent when the platform is reachable. @returns an ID for
   * undo
   */
  change(changes: readonly ChangeRequest[]): string {
    const read = createStateReader()
    const about = { changeId: randomUUID(), isLarge: false }
    return this.#enqueue(this.waiting.madeOf(changes, read), read, about).changeId
  }

  /**
   * Like `change`, for many subjects: they are sent after individual changes, and `unfinished` reports the progress.
   * @param runsOf rule runs to store with the change
   */
  changeMany(
    changes: Iterable<ChangeRequest>,
    runsOf: (changeId: string) => readonly RuleRun[] = () => [],
  ): LargeChangeReceipt {
    const changeId = randomUUID()
    const read = createStateReader()
    const about = { changeId, isLarge: true }
    return this.#enqueue(this.waiting.madeOf(changes, read), read, about, { ruleRuns: runsOf(changeId) })
  }

  /** Like `change`, for rules: one write, but an ID for each change. */
  changeByRules(all: readonly RuleRunChange[]): void {
    const read = createStateReader()
    const made: UndoRecord[] = []
    const ruleRuns: RuleRun[] = []
    for (const { changes, runs } of all) {
      const own = [...this.waiting.madeOf(changes, read)]
      const changeId = own.length > 0 ? randomUUID() : null
      if (changeId !== null) made.push({ id: changeId, changes: own })
      ruleRuns.push(...runs.map((run) => ({ ...run, changeId })))
    }
    const { writes } = this.#fold(
      made.flatMap(({ changes }) => changes),
      read,
      undefined,
    )
    this.#store(writes, { made, ruleRuns })
  }

  /** Like `change`, but without undo, for example for drafts and marks. */
  changeWithoutUndo(changes: readonly Change[]): void {
    const folding = new ChangeCoalescer(this.waiting, createStateReader())
    for (const change of changes) folding.fold(change)
    this.#store(folding.writes)
  }

  /**
   * Queues the inverse of each value that hasn't been overwritten. If rules made the change, they don't act on the same
   * threads again.
   */
  undo(changeId: string): UndoResult {
    const made = this.#file.undoRecord(changeId)
    if (made === undefined) return null
    const { changes } = made
    const isLarge =
      typeof made.subjects === 'number' ||
      (changes.length > MAX_SMALL_CHANGE &&
        changes.some((change) => this.waiting.typeOf(change).cascades !== undefined))
    const read = createStateReader()
    const inverse = { changeId: randomUUID(), isLarge, undoes: changeId }
    const { changed } = this.#enqueue(this.waiting.inversesOf(changes, read), read, inverse, { undone: changeId })
    return changed === 0 ? 'nothing' : { changeId: inverse.changeId }
  }

  /** Undoes the unsent part of a large change. @returns number of subjects left changed; null if all are sent */
  cancel(changeId: string): number | null {
    if (!this.waiting.large.has(changeId)) return null
    const { changes = [], subjects } = this.#file.undoRecord(changeId) ?? {}
    const read = createStateReader()
    const unsent = this.waiting.inversesOf(
      changes,
      read,
      (change) => change?.large === changeId && change.sending === null,
    )
    const { changed } = this.#enqueue(unsent, read, { changeId: randomUUID(), isLarge: true, undoes: changeId })
    return (subjects ?? changed) - changed
  }

  /** Large changes that aren't completely sent, oldest first. */
  unfinished(): readonly ChangeProgress[] {
    return [...this.waiting.large].map(([changeId, { kind, subjects }]) => {
      const large = this.#file.largeChange(changeId)
      const total = large?.subjects ?? subjects
      return { changeId, kind, total, sent: total - subjects, undoes: large?.undoes ?? null }
    })
  }

  /** True if a change was confirmed after this `Clock.elapsed` time. If so, responses to earlier requests are stale. */
  confirmedSince(subject: ChangeSubject, askedAt: number): boolean {
    return this.#subjects.confirmedSince(subject, askedAt)
  }

  /** True if a webhook's event tells of this change, made from here. */
  causedEvent(change: Change, eventId: string): boolean {
    return this.#subjects.causedEvent(change, eventId)
  }

  /**
   * Displays pending changes, for a cache that is new or missed a write in a crash. Large changes follow in later turns
   * of the event loop, once the queue has started.
   * @param more other subjects whose cached state may be wrong
   */
  showAll(more: readonly ChangeSubject[] = []): void {
    const individual = [...this.waiting.individual].map(({ subject }) => subject)
    this.#show([...this.#file.read().unprojected, ...individual, ...more])
    this.#showLarge()
  }

  /**
   * After damage, changes may be pending that the platform has confirmed already: treats them as sent without a
   * response, so that the platform's values are read first. Changes that wait for others can't have been sent.
   */
  #doubtAll(changes: readonly WaitingChange[]): void {
    const doubted = changes
      .filter((change) => this.waiting.dependencyOf(change) === undefined)
      .map((change) => ({ target: change, change: { ...change, sending: change.sending ?? change.wanted } }))
    this.#file.write(doubted)
    for (const write of doubted) this.waiting.remember(write)
  }

  #changed(subjects: readonly ChangeSubject[]): void {
    if (this.#show(subjects)) this.#file.noteProjected()
  }

  /**
   * Displays subjects. If the cache fails, for example because the disk is full, the changes are kept, and the next
   * update displays them. @returns false if the cache failed
   */
  #show(subjects: readonly ChangeSubject[]): boolean {
    const { shown, failed } = this.#listeners
    const toShow = this.#unprojected.length === 0 ? subjects : [...this.#unprojected, ...subjects]
    try {
      const byKind = Map.groupBy(toShow, ({ kind }) => kind)
      for (const { kind, show } of this.#types) {
        const ofKind = byKind.get(kind)
        if (ofKind !== undefined) show?.(ofKind)
      }
      shown()
      this.#unprojected = []
      return true
    } catch (thrown) {
      this.#unprojected = toShow
      failed(thrown)
      return false
    }
  }

  #enqueue(
    changes: Iterable<UndoableChange>,
    read: StateReader,
    { changeId, isLarge, undoes }: NewChange,
    besides: Parameters<OutboxFile['write']>[1] = {},
  ): LargeChangeReceipt {
    const { made, writes } = this.#fold(changes, read, isLarge ? changeId : undefined)
    if (made.length === 0 && undoes !== undefined) return { changeId, changed: 0 }
    const toSend = writes.flatMap(({ change }) => (change?.large === changeId ? [change] : []))
    const subjects = isLarge ? dedupeSubjects(toSend).length : null
    const unread = made.filter(
      (change) => change.before === UNKNOWN && this.waiting.typeOf(change).readsBeforeWrite === true,
    )
    this.#store(writes, {
      made: [{ id: changeId, changes: made, subjects, undoes: undoes ?? null }],
      unread,
      ...besides,
    })
    return { changeId, changed: dedupeSubjects(made).length }
  }

  /** Folds changes and their side effects. @param large ID of the large change that they belong to, if any */
  #fold(
    changes: Iterable<UndoableChange>,
    read: StateReader,
    large: string | undefined,
  ): { readonly made: readonly UndoableChange[]; readonly writes: readonly ChangeWrite[] } {
    const { waiting } = this
    const folding = new ChangeCoalescer(waiting, read)
    const made: UndoableChange[] = []
    let taken: readonly UndoableChange[] = []
    for (const change of changes) {
      made.push(change)
      const { kind, scope, id, field, after: wanted } = change
      const { cascades } = waiting.typeOf(change)
      const next: Change = { kind, scope, id, field, wanted, large: cascades === undefined ? large : undefined }
      const ended = cascades === undefined ? [] : waiting.dependentsOf([change])
      const along = cascades?.(next, ended)
      if (along !== undefined) {
        taken = [...taken, ...along]
        for (const target of ended) folding.put({ target, change: null })
      }
      folding.fold(next)
    }
    return { made: taken.length === 0 ? made : [...made, ...taken], writes: folding.writes }
  }

  #store(writes: readonly ChangeWrite[], besides: Parameters<OutboxFile['write']>[1] = {}): void {
    this.#file.write(writes, besides)
    for (const write of writes) this.waiting.remember(write)
    this.#changed(dedupeSubjects(writes.map(({ target }) => target)))
    this.#sender.wake()
  }
}
