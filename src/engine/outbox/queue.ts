import { randomUUID } from 'node:crypto'
import type { ChangeProgress } from '../../shared/model.ts'
import { isCorrupt } from '../store/storage-problem.ts'
import { systemClock, type Clock } from '../timing/clock.ts'
import {
  fieldKey,
  subjectKey,
  subjectOf,
  uniqueSubjects,
  type Change,
  type ChangeWrite,
  type Field,
  type MadeChange,
  type ReplacedId,
  type Subject,
  type SubjectState,
  type Undone,
  type WaitingChange,
} from './change.ts'
import type { ChangeType, Refusal } from './change-type.ts'
import { FormerIds } from './former-ids.ts'
import { LargeChanges, type LargeReceipt } from './large-changes.ts'
import type { Part } from './large-parts.ts'
import type { OutboxFile } from './outbox-file.ts'
import type { LoggedRuns, RuleRun, ThreadRuns } from './rule-runs.ts'
import { Sender } from './sender.ts'
import { SubjectSender } from './subject-sender.ts'
import { Folding, SUBJECTS_OF_TURN, WaitingChanges } from './waiting-changes.ts'

/** Who hears what becomes of changes. */
export interface QueueListeners {
  /** What waits is about to be shown: the cache remembers how far the outbox is. */
  readonly remember: () => void
  /** What waits is shown: how much that is may be another number. */
  readonly shown: () => void
  readonly refused: (subject: Subject, type: ChangeType, refusal: Refusal) => void
  readonly replaced: (replaced: ReplacedId) => void
  /** Large changes have gone on. */
  readonly progressed: () => void
  /** A large change could not go on, or what waits could not be shown, such as for a full disk; it is tried again. */
  readonly failed: (thrown: unknown) => void
}

/** What rules do with a subject, and which of them. */
export interface RuledChange {
  readonly changes: readonly Change[]
  readonly runs: readonly Omit<RuleRun, 'changeId'>[]
}

/**
 * Changes on their way to the platform: kept on the disk before anybody sees them, folded onto what waits, sent one after
 * the other for each subject, looked into where their fate is not known, and taken back where the platform refuses them.
 * Only their types know what they mean.
 */
export class ChangeQueue {
  readonly #file: OutboxFile
  readonly #types: readonly ChangeType[]
  readonly #listeners: QueueListeners
  readonly #waiting: WaitingChanges
  readonly #formerIds: FormerIds
  readonly #large: LargeChanges
  readonly #subjects: SubjectSender
  readonly #sender: Sender
  /** What is shown in turns that are still to come. */
  #toBeShown = 0
  /** What the cache could not take. */
  #unshown: readonly Subject[] = []
  #signal: AbortSignal | null = null

  constructor(file: OutboxFile, types: readonly ChangeType[], listeners: QueueListeners, clock: Clock = systemClock) {
    this.#file = file
    this.#types = types
    this.#listeners = listeners
    const { refused, replaced, progressed, failed } = listeners
    const send = (): void => this.#sender.wake()
    const show = (subjects: readonly Subject[]): void => this.#changed(subjects)
    const waiting = new WaitingChanges(types, ({ target, change }, subject, was, left) => {
      if (change === null) this.#subjects.forget(target)
      this.#large.follow(subject, was, left)
    })
    this.#waiting = waiting
    this.#large = new LargeChanges(file, {
      takeIn: (id, source, parts, left) => this.#takeIn(id, source, parts, left),
      fieldNow: (field) => waiting.fieldNow(field),
      ...{ show, send, progressed, failed, clock },
    })
    this.#sender = new Sender({
      sendNext: (subject, signal) => this.#subjects.sendNext(subject, signal),
      isHeld: (change) => this.#large.isHeld(change),
      ...{ waiting, failed, clock },
    })
    this.#subjects = new SubjectSender({
      formerIds: {
        replaceId: (replacement) => this.#formerIds.replaceId(replacement),
        wake: () => this.#formerIds.wake(),
      },
      changed: (subjects) => this.#changedMany(subjects),
      isBusy: (subject) => this.#sender.isBusy(subject),
      large: this.#large,
      ...{ file, waiting, refused, replaced, clock },
    })
    file.replacedIds().forEach((replaced) => waiting.noteNewId(replaced))
    for (const own of file.own()) waiting.keepOwn(own)
    for (const change of file.waiting()) waiting.remember({ target: change, change })
    this.#formerIds = new FormerIds({ file, waiting, changed: show, send, failed, clock })
  }

  /** Sends what waits until the signal ends it. */
  start(signal: AbortSignal): void {
    this.#signal = signal
    this.#large.start(signal)
    this.#formerIds.start(signal)
    this.#showLarge()
    this.#sender.start(signal)
  }

  /** Tries again now: the platform can be reached. */
  nudge(): void {
    this.#sender.nudge()
  }

  /** Call after the signal. @param isDamaged the files are checked when they are next opened */
  async close(isDamaged?: boolean): Promise<void> {
    await Promise.all([this.#sender.ended(), this.#formerIds.ended(), this.#large.ended()])
    this.#file.close(isDamaged)
  }

  /**
   * Keeps changes durably; they are shown at once and sent when the platform can be reached.
   * @returns the ID that undoes them
   */
  change(changes: readonly (Change & Partial<Pick<MadeChange, 'before'>>)[]): string {
    this.#large.takeInFirst(changes)
    this.#formerIds.renameFirst(changes)
    const changeId = this.#enqueue(this.#waiting.madeOf(changes))
    this.#sender.wake()
    return changeId
  }

  /**
   * The same for what rules did: each change has an ID of its own, and all of them are one write.
   * @returns those IDs; null for a change that made no difference
   */
  changeByRules(all: readonly RuledChange[]): readonly (string | null)[] {
    const changes = all.flatMap((each) => each.changes)
    this.#large.takeInFirst(changes)
    this.#formerIds.renameFirst(changes)
    const made = all.map((each) => ({ id: randomUUID(), changes: this.#waiting.madeOf(each.changes) }))
    const kept = made.filter((each) => each.changes.length > 0)
    const { writes } = this.#foldAll(kept.flatMap((each) => each.changes))
    const ids = made.map(({ id, changes: own }) => (own.length > 0 ? id : null))
    const runs = all.flatMap((each, at) => each.runs.map((run) => ({ ...run, changeId: ids[at] ?? null })))
    this.#file.writeChanges(kept, writes, runs)
    for (const write of writes) this.#waiting.remember(write)
    this.#changedMany(uniqueSubjects(kept.flatMap((each) => each.changes)))
    this.#sender.wake()
    return ids
  }

  /** `RuleRuns.ofThread` */
  ruleRunsOf(inboxId: string, threadId: string): ThreadRuns {
    return this.#file.ruleRunsOf(inboxId, threadId)
  }

  /** `RuleRuns.floor` */
  rulesForgottenUntil(): number | null {
    return this.#file.rulesForgottenUntil()
  }

  /** `RuleRuns.log` */
  ruleLog(rule: string | null, before: number | null, limit: number): readonly LoggedRuns[] {
    return this.#file.ruleLog(rule, before, limit)
  }

  /** `RuleRuns.threadsByRule` */
  threadsByRule(): ReadonlyMap<string, number> {
    return this.#file.threadsByRule()
  }

  /** `LargeChanges.changeMany` */
  changeMany(
    pages: Iterable<readonly (readonly MadeChange[])[]>,
    runsOf?: (changeId: string) => readonly RuleRun[],
  ): Promise<LargeReceipt> {
    return this.#large.changeMany(pages, runsOf)
  }

  /** `LargeChanges.cancel` */
  cancel(changeId: string): Promise<number | null> {
    return this.#large.cancel(changeId)
  }

  /** `LargeChanges.underWay` */
  underWay(): readonly ChangeProgress[] {
    return this.#large.underWay()
  }

  /** The same as `change` for what has no undo of this kind: what a person writes. */
  want(changes: readonly Change[]): void {
    const waiting = this.#waiting
    const folding = new Folding(waiting)
    for (const change of changes) folding.fold(change)
    this.#file.write(folding.writes)
    for (const write of folding.writes) waiting.remember(write)
    this.#changedMany(uniqueSubjects(changes))
    this.#sender.wake()
  }

  /**
   * Makes the inverse of changes, where nothing has changed them since: a change like any other. What rules did is not done
   * again to the same threads.
   */
  undo(changeId: string): Undone | Promise<Undone> {
    const waiting = this.#waiting
    const made = this.#file.madeChanges(changeId)
    if (made === undefined) return null
    if (made.length === 0 && this.#large.isLarge(changeId)) return this.#large.undo(changeId)
    const own = made.filter((change) => waiting.typeOf(change).takesAlong !== undefined)
    if (own.length > 0 && made.length > own.length + SUBJECTS_OF_TURN) {
      const taken = made.filter((change) => waiting.typeOf(change).takesAlong === undefined)
      return this.#large.undoTaken(taken, changeId, (id, begun) => {
        const back = waiting.inversesOf(own)
        this.#enqueue(back, id, { large: { kind: 'begin', large: begun } })
        this.#sender.wake()
        return back
      })
    }
    this.#large.takeInFirst(made)
    this.#formerIds.renameFirst(made)
    const back = waiting.inversesOf(made)
    if (back.length === 0) return 'nothing'
    const inverse = this.#enqueue(back, randomUUID(), { undone: changeId })
    this.#sender.wake()
    return { changeId: inverse }
  }

  /** What waits of a subject, in the order in which it was made. */
  waitingOf(subject: Subject): readonly WaitingChange[] {
    return this.#waiting.of(subject)
  }

  /** Whether anything stays on this computer. */
  hasOwn(): boolean {
    return this.#waiting.hasOwn()
  }

  /** What stays on this computer of a subject; undefined for nothing. */
  ownOf(subject: Subject): SubjectState | undefined {
    return this.#waiting.ownOf(subjectKey(subject))
  }

  /** Every subject of which something stays on this computer. */
  ownSubjects(): readonly Subject[] {
    return this.#waiting.ownSubjects()
  }

  isEmpty(): boolean {
    return this.#waiting.isEmpty()
  }

  /** How much waits, in fields. */
  pendingCount(): number {
    return this.#waiting.count()
  }

  /** A field as a person sees it: as it waits, else as the platform has it; undefined where that is not known. */
  shown(field: Field): string | undefined {
    return this.#waiting.shown(field)
  }

  /** The ID of a subject today: another one where the platform has given it one since. */
  idNow(subject: Subject): string {
    return this.#waiting.idNow(subject)
  }

  /** Whether a change was confirmed after a time, `Clock.elapsed`: an answer that was asked for before it is old. */
  confirmedSince(subject: Subject, askedAt: number): boolean {
    return this.#subjects.confirmedSince(subject, askedAt)
  }

  /** Every subject of which something waits that a person changed by itself; those of large changes are shown part by part. */
  subjects(): readonly Subject[] {
    return this.#waiting.subjectsOf(this.#waiting.own)
  }

  /** Fields of which dependents still go by the ID that they had. */
  beingRenamed(): readonly Field[] {
    return [...this.#waiting.renaming.values()]
  }

  /**
   * Shows all that waits: the cache is another, or behind, as an end came between the outbox's write and the cache's. What
   * waits of large changes follows in turns of its own, once the queue is started.
   * @param more what the cache may show otherwise than it is kept here
   */
  showAll(more: readonly Subject[] = []): void {
    this.#show([...this.#file.unshown(), ...this.subjects(), ...more])
    this.#showLarge()
  }

  #showLarge(): void {
    void this.#large.showAgain(this.#waiting.subjectsOf(this.#waiting.ofLarge))
  }

  /** What waits of these subjects is other than before: what the screen shows follows. */
  #changed(subjects: readonly Subject[]): void {
    if (this.#show(subjects) && this.#toBeShown === 0) this.#file.noteShown()
  }

  /**
   * Has every type show its own. A change that is kept does not fail because the cache does, as on a full disk: the next one
   * shows it.
   * @returns whether the cache took these subjects, and all before them
   */
  #show(subjects: readonly Subject[]): boolean {
    const { remember, shown, failed } = this.#listeners
    const toShow = [...this.#unshown, ...subjects]
    try {
      remember()
      for (const { show } of this.#types) show?.(toShow)
      shown()
      this.#unshown = []
      return true
    } catch (thrown) {
      this.#unshown = toShow
      // A damaged cache is opened anew, with all that is pending.
      if (!isCorrupt(thrown)) failed(thrown)
      return false
    }
  }

  /** The same for however many: all but the first in turns of their own. */
  #changedMany(subjects: readonly Subject[]): void {
    const signal = this.#signal
    if (subjects.length <= SUBJECTS_OF_TURN || signal === null) {
      this.#changed(subjects)
      return
    }
    this.#toBeShown += 1
    this.#changed(subjects.slice(0, SUBJECTS_OF_TURN))
    void this.#large.showAgain(subjects.slice(SUBJECTS_OF_TURN)).then(() => {
      if (!signal.aborted) this.#toBeShown -= 1
    })
  }

  #enqueue(
    made: readonly MadeChange[],
    changeId: string = randomUUID(),
    besides: Parameters<OutboxFile['writeChange']>[3] = {},
  ): string {
    const { writes, taken } = this.#foldAll(made)
    this.#file.writeChange(changeId, [...made, ...taken], writes, besides)
    for (const write of writes) this.#waiting.remember(write)
    this.#changedMany(uniqueSubjects([...made, ...writes.map(({ target }) => target)]))
    return changeId
  }

  /**
   * Takes in parts of a large change: what is wanted waits from then on.
   * @param left parts of which these were parted
   * @returns the subjects that are to be shown, which are those that were changed
   */
  #takeIn(id: string, source: string | null, parts: readonly Part[], left: readonly Part[]): readonly Subject[] {
    const waiting = this.#waiting
    const possible = parts.map((part) => ({
      ...part,
      changes: part.changes.filter((change) => waiting.typeOf(change).isMoot?.(waiting.fieldNow(change)) !== true),
    }))
    this.#formerIds.renameFirst(possible.flatMap(({ changes }) => changes))
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
    const counted = taken.map((part) => ({ ...part, subjects: uniqueSubjects(part.changes).length }))
    this.#file.writeLarge({ kind: 'make', id, parts: counted, left }, writes)
    for (const write of writes) waiting.remember(write)
    return uniqueSubjects(made)
  }

  /** What is to be written so that changes wait, and what they change besides. */
  #foldAll(
    made: readonly MadeChange[],
    largeId?: string,
  ): { readonly writes: readonly ChangeWrite[]; readonly taken: readonly MadeChange[] } {
    const waiting = this.#waiting
    const changes = made.map(({ after, ...target }): Change => ({
      ...subjectOf(target),
      field: target.field,
      wanted: after,
      ...(largeId !== undefined && { large: largeId }),
    }))
    const folding = new Folding(waiting)
    const taken = changes.flatMap((change) => {
      const key = fieldKey(change)
      const ended = waiting.dependentsOf([change])
      const along = waiting.typeOf(change).takesAlong?.(change, () => [
        // The cache is told of what waits a moment after it waits.
        ...ended,
        ...this.#large.coming((field) => {
          const other = waiting.otherOf(waiting.fieldNow(field))
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
