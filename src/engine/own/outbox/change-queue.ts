import { randomUUID } from 'node:crypto'
import { isCorruptionError } from '../../store/storage-problem.ts'
import { systemClock, type Clock } from '../../timing/clock.ts'
import {
  fieldKey,
  toChangeSubject,
  dedupeSubjects,
  type Change,
  type ChangeWrite,
  type UndoableChange,
  type ReplacedId,
  type ChangeSubject,
  type UndoResult,
  type WaitingChange,
} from './change.ts'
import type { ChangeType, RejectedChange } from './change-type.ts'
import { LocalIdRenamer } from './local-id-renamer.ts'
import { LargeChanges } from './large-changes.ts'
import type { LargeChangePart } from './large-change-parts.ts'
import type { OutboxFile } from './outbox-file.ts'
import type { RuleRun } from './rule-runs.ts'
import { ChangeSender } from './change-sender.ts'
import { SubjectSender } from './subject-sender.ts'
import { ChangeCoalescer, SUBJECTS_PER_TURN, WaitingChanges } from './waiting-changes.ts'

export interface QueueListeners {
  /** Called before pending changes are displayed, so the cache can store the outbox's position. */
  readonly remember: () => void
  /** Called after pending changes were displayed. The number of pending changes may differ. */
  readonly shown: () => void
  readonly refused: (subject: ChangeSubject, type: ChangeType, refusal: RejectedChange) => void
  readonly replaced: (replaced: ReplacedId) => void
  /** Called when large changes have progressed. */
  readonly progressed: () => void
  /** Called if a large change or a display update failed, for example because the disk is full. It will be retried. */
  readonly failed: (thrown: unknown) => void
}

/** Changes to a subject made by rules, with the rule runs. */
export interface RuleRunChange {
  readonly changes: readonly Change[]
  readonly runs: readonly Omit<RuleRun, 'changeId'>[]
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
  /** The pending changes. Only the queue changes them. */
  readonly waiting: WaitingChanges
  readonly #idRenamer: LocalIdRenamer
  readonly large: LargeChanges
  readonly #subjects: SubjectSender
  readonly #sender: ChangeSender
  /** Number of display updates still running in later turns of the event loop. */
  #runningDisplays = 0
  /** Subjects that the cache failed to update. */
  #unprojected: readonly ChangeSubject[] = []
  #signal: AbortSignal | null = null

  constructor(file: OutboxFile, types: readonly ChangeType[], listeners: QueueListeners, clock: Clock = systemClock) {
    this.#file = file
    this.#types = types
    this.#listeners = listeners
    const { refused, replaced, progressed, failed } = listeners
    const send = (): void => this.#sender.wake()
    const show = (subjects: readonly ChangeSubject[]): void => this.#changed(subjects)
    const waiting = new WaitingChanges(types, ({ target, change }, subject, was, left) => {
      if (change === null) this.#subjects.forget(target)
      this.large.follow(subject, was, left)
    })
    this.waiting = waiting
    this.large = new LargeChanges(file, {
      apply: (id, source, parts, left) => this.#apply(id, source, parts, left),
      withCurrentIds: (field) => waiting.withCurrentIds(field),
      ...{ show, send, progressed, failed, clock },
    })
    this.#sender = new ChangeSender({
      sendNext: (subject, signal) => this.#subjects.sendNext(subject, signal),
      isHeld: (change) => this.large.isHeld(change),
      ...{ waiting, failed, clock },
    })
    this.#subjects = new SubjectSender({
      idRenamer: {
        replaceId: (replacement) => this.#idRenamer.replaceId(replacement),
        wake: () => this.#idRenamer.wake(),
      },
      changed: (subjects) => this.#changedMany(subjects),
      isBusy: (subject) => this.#sender.isBusy(subject),
      large: this.large,
      ...{ file, waiting, refused, replaced, clock },
    })
    const stored = file.read()
    for (const newId of stored.replacedIds) waiting.noteNewId(newId)
    for (const own of stored.own) waiting.setLocalField(own)
    for (const change of stored.waiting) waiting.remember({ target: change, change })
    this.#idRenamer = new LocalIdRenamer({ file, waiting, changed: show, send, failed, clock })
  }

  start(signal: AbortSignal): void {
    this.#signal = signal
    this.large.start(signal)
    this.#idRenamer.start(signal)
    this.#showLarge()
    this.#sender.start(signal)
  }

  /** Call when the platform is reachable again, to retry now. */
  nudge(): void {
    this.#sender.nudge()
  }

  /** Call after aborting the signal. @param isDamaged true to check the files when they are next opened */
  async close(isDamaged?: boolean): Promise<void> {
    await Promise.all([this.#sender.ended(), this.#idRenamer.ended(), this.large.ended()])
    this.#file.close(isDamaged)
  }

  /**
   * Stores changes durably. They are displayed at once, and sent when the platform is reachable. @returns an ID for
   * undo
   */
  change(changes: readonly (Change & Partial<Pick<UndoableChange, 'before'>>)[]): string {
    this.large.applyFirst(changes)
    this.#idRenamer.renameFirst(changes)
    const changeId = this.#enqueue(this.waiting.madeOf(changes))
    this.#sender.wake()
    return changeId
  }

  /** Like `change`, for rules: one write, but an ID for each change. @returns the IDs, null for no effect */
  changeByRules(all: readonly RuleRunChange[]): readonly (string | null)[] {
    const changes = all.flatMap((each) => each.changes)
    this.large.applyFirst(changes)
    this.#idRenamer.renameFirst(changes)
    const made = all.map((each) => ({ id: randomUUID(), changes: this.waiting.madeOf(each.changes) }))
    const kept = made.filter((each) => each.changes.length > 0)
    const { writes } = this.#foldAll(kept.flatMap((each) => each.changes))
    const ids = made.map(({ id, changes: own }) => (own.length > 0 ? id : null))
    const runs = all.flatMap((each, at) => each.runs.map((run) => ({ ...run, changeId: ids[at] ?? null })))
    this.#file.write(writes, { made: kept, ruleRuns: runs })
    for (const write of writes) this.waiting.remember(write)
    this.#changedMany(dedupeSubjects(kept.flatMap((each) => each.changes)))
    this.#sender.wake()
    return ids
  }

  get ruleRuns(): OutboxFile['ruleRuns'] {
    return this.#file.ruleRuns
  }

  /** Like `change`, but without undo, for example for drafts and marks. */
  changeWithoutUndo(changes: readonly Change[]): void {
    const waiting = this.waiting
    const folding = new ChangeCoalescer(waiting)
    for (const change of changes) folding.fold(change)
    this.#file.write(folding.writes)
    for (const write of folding.writes) waiting.remember(write)
    this.#changedMany(dedupeSubjects(changes))
    this.#sender.wake()
  }

  /**
   * Queues the inverse of each value that hasn't been overwritten. If rules made the change, they don't act on the same
   * threads again.
   */
  undo(changeId: string): UndoResult | Promise<UndoResult> {
    const waiting = this.waiting
    const made = this.#file.madeChanges(changeId)
    if (made === undefined) return null
    if (made.length === 0 && this.large.isLarge(changeId)) return this.large.undo(changeId)
    const own = made.filter((change) => waiting.typeOf(change).cascades !== undefined)
    if (own.length > 0 && made.length > own.length + SUBJECTS_PER_TURN) {
      const taken = made.filter((change) => waiting.typeOf(change).cascades === undefined)
      return this.large.undoTaken(taken, changeId, (id, begun) => {
        const back = waiting.inversesOf(own)
        this.#enqueue(back, id, { large: { kind: 'begin', large: begun } })
        this.#sender.wake()
        return back
      })
    }
    this.large.applyFirst(made)
    this.#idRenamer.renameFirst(made)
    const back = waiting.inversesOf(made)
    if (back.length === 0) return 'nothing'
    const inverse = this.#enqueue(back, randomUUID(), { undone: changeId })
    this.#sender.wake()
    return { changeId: inverse }
  }

  /** True if a change was confirmed after this `Clock.elapsed` time. If so, responses to earlier requests are stale. */
  confirmedSince(subject: ChangeSubject, askedAt: number): boolean {
    return this.#subjects.confirmedSince(subject, askedAt)
  }

  /** Subjects with pending changes that aren't part of a large change. Large changes are displayed part by part. */
  subjects(): readonly ChangeSubject[] {
    return this.waiting.subjectsOf(this.waiting.own)
  }

  /**
   * Displays all pending changes, for a cache that is new or missed a write in a crash. Large changes follow in later
   * turns of the event loop, once the queue has started.
   * @param more other subjects whose cached state may be wrong
   */
  showAll(more: readonly ChangeSubject[] = []): void {
    this.#show([...this.#file.read().unprojected, ...this.subjects(), ...more])
    this.#showLarge()
  }

  #showLarge(): void {
    void this.large.showAgain(this.waiting.subjectsOf(this.waiting.ofLarge))
  }

  #changed(subjects: readonly ChangeSubject[]): void {
    if (this.#show(subjects) && this.#runningDisplays === 0) this.#file.noteProjected()
  }

  /**
   * Displays subjects. If the cache fails, for example because the disk is full, the changes are kept, and the next
   * update displays them. @returns false if the cache failed
   */
  #show(subjects: readonly ChangeSubject[]): boolean {
    const { remember, shown, failed } = this.#listeners
    const toShow = [...this.#unprojected, ...subjects]
    try {
      remember()
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
      // If the cache is damaged, the account is reopened, which displays all pending changes.
      if (!isCorruptionError(thrown)) failed(thrown)
      return false
    }
  }

  /**
   * Like `#changed`, for any number of subjects: if there are many, they are displayed over several turns of the event
   * loop.
   */
  #changedMany(subjects: readonly ChangeSubject[]): void {
    const signal = this.#signal
    if (subjects.length <= SUBJECTS_PER_TURN || signal === null) {
      this.#changed(subjects)
      return
    }
    this.#runningDisplays += 1
    this.#changed(subjects.slice(0, SUBJECTS_PER_TURN))
    void this.large.showAgain(subjects.slice(SUBJECTS_PER_TURN)).then(() => {
      if (!signal.aborted) this.#runningDisplays -= 1
    })
  }

  #enqueue(
    made: readonly UndoableChange[],
    changeId: string = randomUUID(),
    besides: Parameters<OutboxFile['write']>[1] = {},
  ): string {
    const { writes, taken } = this.#foldAll(made)
    this.#file.write(writes, { made: [{ id: changeId, changes: [...made, ...taken] }], ...besides })
    for (const write of writes) this.waiting.remember(write)
    this.#changedMany(dedupeSubjects([...made, ...writes.map(({ target }) => target)]))
    return changeId
  }

  /**
   * Queues parts of a large change. @param left unapplied remainders of split parts @returns the changed subjects, to
   * display
   */
  #apply(
    id: string,
    source: string | null,
    parts: readonly LargeChangePart[],
    left: readonly LargeChangePart[],
  ): readonly ChangeSubject[] {
    const waiting = this.waiting
    const possible = parts.map((part) => ({
      ...part,
      changes: part.changes.filter(
        (change) => waiting.typeOf(change).isObsolete?.(waiting.withCurrentIds(change)) !== true,
      ),
    }))
    this.#idRenamer.renameFirst(possible.flatMap(({ changes }) => changes))
    const isUnsentOfSource = (change: WaitingChange | undefined): boolean =>
      change?.sending === null && change.large !== undefined && change.large === source
    const taken = possible.map(({ part, state, changes }) => ({
      part,
      changes:
        state === 'wanted'
          ? waiting.madeOf(
              changes.map(({ after, ...named }) => ({ ...named, wanted: after })),
              true,
            )
          : waiting.inversesOf(changes, state === 'undo' ? undefined : isUnsentOfSource),
    }))
    const made = taken.flatMap(({ changes }) => changes)
    const { writes } = this.#foldAll(made, id)
    const counted = taken.map((part) => ({ ...part, subjects: dedupeSubjects(part.changes).length }))
    this.#file.writeLarge({ kind: 'make', id, parts: counted, left }, writes)
    for (const write of writes) waiting.remember(write)
    return dedupeSubjects(made)
  }

  /** Writes that queue the changes and their side effects. */
  #foldAll(
    made: readonly UndoableChange[],
    largeId?: string,
  ): { readonly writes: readonly ChangeWrite[]; readonly taken: readonly UndoableChange[] } {
    const waiting = this.waiting
    const changes = made.map(({ after, ...target }): Change => ({
      ...toChangeSubject(target),
      field: target.field,
      wanted: after,
      ...(largeId !== undefined && { large: largeId }),
    }))
    const folding = new ChangeCoalescer(waiting)
    const taken = changes.flatMap((change) => {
      const key = fieldKey(change)
      const ended = waiting.dependentsOf([change])
      const along = waiting.typeOf(change).cascades?.(change, () => [
        // Include pending changes: they reach the cache a moment later.
        ...ended,
        ...this.large.upcoming((field) => {
          const other = waiting.dependencyOf(waiting.withCurrentIds(field))
          return other !== undefined && fieldKey(other) === key
        }),
      ])
      if (along !== undefined) for (const target of ended) folding.put({ target, change: null })
      return along ?? []
    })
    for (const change of changes) folding.fold(change)
    return { writes: folding.writes, taken }
  }
}
