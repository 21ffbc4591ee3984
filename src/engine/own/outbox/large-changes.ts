import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ChangeProgress } from '../../../shared/model.ts'
import { createProblem } from '../../../shared/result.ts'
import { isCorruptionError } from '../../store/storage-problem.ts'
import type { Clock } from '../../timing/clock.ts'
import { Loop } from '../../timing/loop.ts'
import { estimateBatchSize, processInSlices } from '../../timing/turns.ts'
import {
  fieldKey,
  subjectKey,
  dedupeSubjects,
  type Change,
  type SubjectField,
  type UndoableChange,
  type ChangeSubject,
  type UndoResult,
  type WaitingChange,
} from './change.ts'
import {
  splitOffSubjects,
  type LargeChange,
  type LargeChangePart,
  type LargeChangePartState,
} from './large-change-parts.ts'
import { WRITE_RETRY_MS, type OutboxFile } from './outbox-file.ts'
import type { RuleRun } from './rule-runs.ts'

/** The usual `Subject.kind`. */
const THREAD = 'thread'
/** Threads per part: the minimum applied in one turn of the event loop. */
const THREADS_PER_PART = 20
const SUBJECTS_PER_PAGE = 100
const MAX_PARTS = 8
/** Minimum interval between progress reports, in milliseconds. */
const PROGRESS_INTERVAL_MS = 200

export interface LargeChangeReceipt {
  readonly changeId: string
  readonly changed: number
}

interface LargeChangeQueue {
  /** Queues parts. @param left the unapplied remainders of split parts @returns subjects to display again */
  readonly apply: (
    id: string,
    source: string | null,
    parts: readonly LargeChangePart[],
    left: readonly LargeChangePart[],
  ) => readonly ChangeSubject[]
  readonly show: (subjects: readonly ChangeSubject[]) => void
  readonly send: () => void
  readonly withCurrentIds: (field: UndoableChange) => UndoableChange
  readonly progressed: () => void
  readonly failed: (thrown: unknown) => void
  readonly clock: Clock
}

/** A large change being added to the queue. */
interface Running {
  readonly large: LargeChange
  /** Numbers of the remaining parts; null until this change's turn. */
  parts: readonly number[] | null
  changed: number
  readonly done: (receipt: LargeChangeReceipt) => void
}

const chunksOf = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))

/**
 * Changes to many subjects at once. Each large change is first stored completely, then applied part by part in turns of
 * the event loop, one large change after another. After a crash, a change that had been fully stored continues; a
 * partly stored one leaves no trace.
 */
export class LargeChanges {
  readonly #file: OutboxFile
  readonly #queue: LargeChangeQueue
  readonly #applyLoop: Loop
  /** Large changes not fully applied yet, in order. */
  readonly #running: Running[] = []
  /** Large changes not fully applied and sent yet, by ID. */
  readonly #unfinished = new Map<string, { readonly large: LargeChange; readonly kind: string; taken: number }>()
  /** Keys of subjects not sent yet, by large change. */
  readonly #unsent = new Map<string, Set<string>>()
  /** IDs of large changes that aren't sent because they are being undone. */
  readonly #held = new Set<string>()
  #signal: AbortSignal | null = null
  /** The file is damaged: stop until the account is reopened. */
  #isBroken = false
  #showing: Promise<void> = Promise.resolve()
  #reportedAt = Number.NEGATIVE_INFINITY
  #cancelReport: (() => void) | null = null

  constructor(file: OutboxFile, queue: LargeChangeQueue) {
    this.#file = file
    this.#queue = queue
    this.#applyLoop = new Loop(queue.clock, { unref: true })
  }

  /** Resumes after a shutdown or crash. */
  start(signal: AbortSignal): void {
    const { failed } = this.#queue
    this.#signal = signal
    for (const large of this.#file.read().large) this.#resume(large)
    // After a crash between storing and displaying a part, confirmed changes can only be found through the part.
    const cutOff = [...this.#unfinished.keys()]
    this.#showing = this.#showing.then(() => this.#showParts(cutOff, signal)).catch(failed)
    this.#applyLoop.start({
      step: () => this.#applyAll(signal).then(() => null),
      failed: (thrown) => {
        // If the file is corrupt, the account is reopened, which resumes the changes.
        this.#isBroken = isCorruptionError(thrown)
        if (this.#isBroken) return null
        failed(thrown)
        return WRITE_RETRY_MS
      },
      signal,
    })
  }

  async ended(): Promise<void> {
    this.#cancelReport?.()
    await Promise.all([this.#applyLoop.ended(), this.#showing])
  }

  /**
   * Changes many subjects. The change is stored completely before it starts, and is finished even after a crash.
   * @param pages old and new values, some subjects at a time; each page is read in its own turn of the event loop
   * @param runsOf the rule runs to store when the change starts, requested once all pages are stored
   * @returns a receipt once every subject is pending or confirmed
   */
  async changeMany(
    pages: Iterable<readonly (readonly UndoableChange[])[]>,
    runsOf?: (changeId: string) => readonly RuleRun[],
  ): Promise<LargeChangeReceipt> {
    const id = randomUUID()
    const total = await this.#storeParts(id, 'wanted', pages)
    return this.#rejectOnClose(this.#begin({ id, total, source: null }, runsOf?.(id)))
  }

  /**
   * Undoes the unsent part and ends the change. @returns number of subjects undone; null if the change is finished or
   * unknown
   */
  async cancel(changeId: string): Promise<number | null> {
    const progress = this.#unfinished.get(changeId)
    if (progress === undefined) return null
    this.#held.add(changeId)
    let cancelled: Promise<LargeChangeReceipt>
    try {
      this.#file.writeLarge({ kind: 'drop', id: changeId })
      const run = this.#running.find(({ large }) => large.id === changeId)
      if (run !== undefined) run.parts = []
      cancelled = this.#beginOf({ id: changeId, how: 'unsend' }, progress.taken)
    } catch (thrown) {
      // Storing the cancellation failed, for example because the disk is full. Resume sending; the user can cancel
      // again.
      this.#held.delete(changeId)
      this.#queue.send()
      throw thrown
    }
    const { changed } = await this.#rejectOnClose(cancelled)
    return (this.#file.countMade(changeId) ?? 0) - changed
  }

  /** Unfinished changes, oldest first. */
  unfinished(): readonly ChangeProgress[] {
    return [...this.#unfinished.values()].map(({ large: { id, total, source }, kind, taken }) => ({
      changeId: id,
      kind,
      total,
      taken,
      sent: Math.max(0, taken - (this.#unsent.get(id)?.size ?? 0)),
      undoes: source?.id ?? null,
      isCancelled: this.#held.has(id),
      isCancelling: source?.how === 'unsend',
    }))
  }

  isLarge(changeId: string): boolean {
    return this.#unfinished.has(changeId) || this.#file.countMade(changeId) !== null
  }

  async undo(changeId: string): Promise<UndoResult> {
    const total = this.#unfinished.get(changeId)?.large.total ?? this.#file.countMade(changeId) ?? 0
    const undone = await this.#rejectOnClose(this.#beginOf({ id: changeId, how: 'undo' }, total))
    return undone.changed === 0 ? 'nothing' : { changeId: undone.changeId }
  }

  /**
   * Undoes, part by part, a change with side effects on many subjects.
   * @param begin undoes the change itself once the rest is stored; `large` goes into the same write
   * @returns once the undo has started or, if the change itself needs no undo, once it is completely applied
   */
  async undoTaken(
    taken: readonly UndoableChange[],
    undoes: string,
    begin: (id: string, large: LargeChange) => readonly UndoableChange[],
  ): Promise<UndoResult> {
    const id = randomUUID()
    const subjects = [...Map.groupBy(taken, subjectKey).values()]
    const total = await this.#storeParts(id, 'undo', chunksOf(subjects, SUBJECTS_PER_PAGE))
    const large: LargeChange = { id, total, source: { id: undoes, how: 'undo' } }
    const own = begin(id, large)
    const received = this.#enlist(large)
    if (own.length > 0) return { changeId: id }
    const { changed } = await this.#rejectOnClose(received)
    return changed === 0 ? 'nothing' : { changeId: id }
  }

  /** Values that parts not yet applied will set in matching fields, oldest first. */
  upcoming(isMeant: (field: SubjectField) => boolean): readonly Change[] {
    return this.#running.flatMap((run) =>
      this.#partsAt(run, this.#partsOf(run)).flatMap(({ state, changes }) =>
        changes.flatMap(({ before, after, ...field }) =>
          isMeant(field) ? [{ ...field, wanted: state === 'wanted' ? after : before }] : [],
        ),
      ),
    )
  }

  /** Applies the remaining steps of large changes to these subjects, so that newer changes come later. */
  applyFirst(subjects: readonly ChangeSubject[]): void {
    if (this.#running.length === 0) return
    const keys = new Set(subjects.map(subjectKey))
    for (const run of [...this.#running]) {
      const { id } = run.large
      // The parts of an undo are unknown until they have been copied from its source.
      const numbers = new Set(
        this.#partsOf(run).length === 0 ? [] : subjects.flatMap((subject) => this.#file.partsLeftOf(id, subject.id)),
      )
      if (numbers.size === 0) continue
      const { parts, left } = splitOffSubjects(this.#partsAt(run, [...numbers]), keys, this.#file.lastPart(id) + 1)
      if (parts.length === 0) continue
      const applied = parts.map(({ part }) => part)
      this.#queue.show(this.#applyParts(run, parts, applied, left))
    }
  }

  /**
   * Call when a field moved from one large change to another, or out of large changes. @param was ID of the field's
   * previous large change @param left remaining changes of the subject
   */
  follow(subject: string, was: string | undefined, left: readonly WaitingChange[]): void {
    for (const { large } of left) {
      if (large === undefined) continue
      const subjects = this.#unsent.get(large) ?? new Set()
      this.#unsent.set(large, subjects.add(subject))
    }
    if (was === undefined || left.some(({ large }) => large === was)) return
    this.#unsent.get(was)?.delete(subject)
    if (!this.#unfinished.has(was)) return
    this.#reportProgress()
    if (this.#isComplete(was)) queueMicrotask(() => this.#endOrReport(was))
  }

  /** True if a large change needs the platform's old value before this change is sent. */
  needsOldValue(change: WaitingChange): boolean {
    return this.#partsWithout(change).length > 0
  }

  /** Stores the platform's old value in the parts that lack it, for undo. */
  storeOldValue(change: WaitingChange, before: string): void {
    for (const [id, parts] of Map.groupBy(this.#partsWithout(change), (part) => part.id)) {
      const corrected = parts.map(({ part, isMeant }) => ({
        ...part,
        changes: part.changes.map((made) => (isMeant(made) ? { ...made, before } : made)),
      }))
      this.#file.writeLarge({ kind: 'name', id, parts: corrected })
    }
  }

  /** True if the change isn't sent because its large change is being undone. */
  isHeld({ large, sending }: WaitingChange): boolean {
    return large !== undefined && sending === null && this.#held.has(large)
  }

  showAgain(subjects: readonly ChangeSubject[]): Promise<void> {
    const signal = this.#signal
    if (signal !== null && subjects.length > 0) {
      this.#showing = this.#showing.then(() => this.#showSome(subjects, signal)).catch(this.#queue.failed)
    }
    return this.#showing
  }

  /** Parts that still lack the old value of this change's field. */
  #partsWithout(change: WaitingChange) {
    const { withCurrentIds } = this.#queue
    const key = fieldKey(change)
    const isMeant = (made: UndoableChange): boolean => made.before === '' && fieldKey(withCurrentIds(made)) === key
    return this.#file.partsWithoutBefore(change.id).flatMap(({ id, part: number }) => {
      const part = this.#file.part(id, number)
      return part?.changes.some(isMeant) === true ? [{ id, part, isMeant }] : []
    })
  }

  /** Kind of the subjects. An undo has no parts of its own at first, so it uses its source's. */
  #kindOf({ id, source }: LargeChange): string {
    const [first] = this.#file.part(source?.id ?? id, 1)?.changes ?? []
    return first?.kind ?? THREAD
  }

  #resume(large: LargeChange): void {
    const { id, source, total } = large
    if (this.#unfinished.has(id)) return
    const made = this.#file.countMade(id)
    const isLeft = this.#file.partsLeft(id).length > 0 || (source !== null && made === null)
    if (isLeft) {
      if (source?.how === 'unsend') this.#held.add(source.id)
      void this.#enlist(large)
    }
    this.#unfinished.set(id, { large, kind: this.#kindOf(large), taken: isLeft ? (made ?? 0) : total })
  }

  /** Stores the parts of a large change. @returns number of subjects */
  async #storeParts(
    id: string,
    state: LargeChangePartState,
    pages: Iterable<readonly (readonly UndoableChange[])[]>,
  ): Promise<number> {
    this.#file.write([], { made: [{ id, changes: [] }] })
    let part = 0
    let total = 0
    for (const page of pages) {
      const parts = chunksOf(page, THREADS_PER_PART).map((subjects): LargeChangePart => ({
        part: (part += 1),
        state,
        subjects: subjects.length,
        changes: subjects.flat(),
      }))
      total += page.length
      if (parts.length > 0) this.#file.writeLarge({ kind: 'name', id, parts })
      await nextTurn()
      this.#signal?.throwIfAborted()
    }
    return total
  }

  #begin(large: LargeChange, runs: readonly RuleRun[] = []): Promise<LargeChangeReceipt> {
    this.#file.writeLarge({ kind: 'begin', large }, [], runs)
    return this.#enlist(large)
  }

  /** Starts a change whose parts come from its source: an undo or a cancellation. */
  #beginOf(source: LargeChange['source'], total: number): Promise<LargeChangeReceipt> {
    const id = randomUUID()
    this.#file.write([], { made: [{ id, changes: [] }] })
    return this.#begin({ id, total, source })
  }

  #enlist(large: LargeChange): Promise<LargeChangeReceipt> {
    this.#unfinished.set(large.id, { large, kind: this.#kindOf(large), taken: 0 })
    const received = new Promise<LargeChangeReceipt>((done) => {
      this.#running.push({ large, parts: null, changed: 0, done })
    })
    this.#reportProgress()
    this.#applyLoop.wake()
    return received
  }

  /** @throws ProblemError `cancelled` if the account is closed first */
  #rejectOnClose<Value>(work: Promise<Value>): Promise<Value> {
    const closed = new Promise<never>((_, reject) =>
      this.#signal?.addEventListener('abort', () => reject(createProblem('cancelled', 'The account was closed.')), {
        once: true,
      }),
    )
    return Promise.race([work, closed])
  }

  async #applyAll(signal: AbortSignal): Promise<void> {
    let most = 1
    for (let run = this.#running[0]; run !== undefined && !this.#isBroken && !signal.aborted; run = this.#running[0]) {
      const next = this.#partsOf(run).slice(0, most)
      if (next.length === 0) {
        this.#finish(run)
        continue
      }
      const before = performance.now()
      const subjects = this.#applyParts(run, this.#partsAt(run, next), next)
      most = estimateBatchSize(next.length, before, MAX_PARTS)
      await nextTurn()
      await this.#showSome(subjects, signal)
      this.#queue.send()
    }
  }

  /** @param numbers parts that are done with this: those applied, and unreadable ones @param left unapplied remainders */
  #applyParts(
    run: Running,
    parts: readonly LargeChangePart[],
    numbers: readonly number[],
    left: readonly LargeChangePart[] = [],
  ): readonly ChangeSubject[] {
    const { id, source } = run.large
    const subjects = this.#queue.apply(id, source?.id ?? null, parts, left)
    run.parts = this.#partsOf(run).filter((part) => !numbers.includes(part))
    run.changed += subjects.length
    const progress = this.#unfinished.get(id)
    if (progress !== undefined) progress.taken += parts.reduce((sum, part) => sum + part.subjects, 0)
    this.#reportProgress()
    return subjects
  }

  /** Remaining parts of the change. For an undo, first copies its source's parts. */
  #partsOf(run: Running): readonly number[] {
    const { id, source } = run.large
    if (run.parts === null && source !== null && this.#file.countMade(id) === null) {
      this.#file.writeLarge({ kind: 'copy', id, source })
    }
    run.parts ??= this.#file.partsLeft(id)
    return run.parts
  }

  #partsAt(run: Running, numbers: readonly number[]): readonly LargeChangePart[] {
    return numbers.flatMap((part) => this.#file.part(run.large.id, part) ?? [])
  }

  #finish(run: Running): void {
    this.#running.splice(this.#running.indexOf(run), 1)
    const { id, source, total } = run.large
    // An undo skips subjects that no longer need it, so fewer may have been applied than planned. Report all as done.
    const progress = this.#unfinished.get(id)
    if (progress !== undefined && progress.taken < total) {
      progress.taken = total
      this.#reportProgress()
    }
    if (source?.how === 'unsend') this.#held.delete(source.id)
    run.done({ changeId: id, changed: run.changed })
    this.#endAllComplete()
    this.#queue.send()
  }

  #isComplete(id: string): boolean {
    return !this.#running.some(({ large }) => large.id === id) && (this.#unsent.get(id)?.size ?? 0) === 0
  }

  /** Ends a change that is completely applied and sent. Its values stay stored for undo. */
  #endIfComplete(id: string): void {
    if (!this.#unfinished.has(id) || !this.#isComplete(id)) return
    this.#file.writeLarge({ kind: 'end', id })
    this.#unfinished.delete(id)
    this.#unsent.delete(id)
    this.#held.delete(id)
    this.#reportProgress()
  }

  /** Reports errors instead of throwing. A change that couldn't be ended is ended along with the next one. */
  #endOrReport(id: string): void {
    try {
      this.#endIfComplete(id)
    } catch (thrown) {
      this.#queue.failed(thrown)
    }
  }

  #endAllComplete(): void {
    for (const id of [...this.#unfinished.keys()]) this.#endIfComplete(id)
  }

  #showSome(subjects: readonly ChangeSubject[], signal: AbortSignal): Promise<void> {
    return processInSlices(subjects, this.#queue.show, signal)
  }

  async #showParts(ids: readonly string[], signal: AbortSignal): Promise<void> {
    for (const id of ids) {
      for (const number of this.#file.partsMade(id)) {
        if (signal.aborted) return
        const part = this.#file.part(id, number)
        if (part !== undefined) await this.#showSome(dedupeSubjects(part.changes), signal)
      }
    }
    // If interrupted, the next start displays the rest.
    if (!signal.aborted) this.#endAllComplete()
  }

  #reportProgress(): void {
    const { clock, progressed } = this.#queue
    this.#cancelReport ??= clock.after(Math.max(0, this.#reportedAt + PROGRESS_INTERVAL_MS - clock.elapsed()), () => {
      this.#cancelReport = null
      this.#reportedAt = clock.elapsed()
      progressed()
    })
  }
}
