import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ChangeProgress } from '../../shared/model.ts'
import { ProblemError } from '../../shared/result.ts'
import { isCorrupt } from '../store/storage-problem.ts'
import type { Clock } from '../timing/clock.ts'
import { Loop } from '../timing/loop.ts'
import { fitting, inTurns } from '../timing/turns.ts'
import {
  fieldKey,
  subjectKey,
  uniqueSubjects,
  type Change,
  type Field,
  type MadeChange,
  type Subject,
  type Undone,
  type WaitingChange,
} from './change.ts'
import { partSubjects, type LargeChange, type Part, type PartState } from './large-parts.ts'
import { WRITE_AGAIN_MS, type OutboxFile } from './outbox-file.ts'
import type { RuleRun } from './rule-runs.ts'

/** What nearly all large changes are of (`Subject.kind`). */
const THREAD = 'thread'
/** Threads of a part: the least that one turn of the engine's thread takes in. */
const THREADS_OF_PART = 20
const NAMED_AT_ONCE = 100
const MOST_PARTS = 8
/** The shortest time between two reports of progress, milliseconds. */
const TELL_MS = 200

export interface LargeReceipt {
  readonly changeId: string
  readonly changed: number
}

interface QueueOfLargeChanges {
  /** Has parts wait. @param left parts of which these were parted @returns what is to be shown */
  readonly takeIn: (
    id: string,
    source: string | null,
    parts: readonly Part[],
    left: readonly Part[],
  ) => readonly Subject[]
  readonly show: (subjects: readonly Subject[]) => void
  readonly send: () => void
  /** The same field by the IDs of today. */
  readonly fieldNow: (field: MadeChange) => MadeChange
  readonly progressed: () => void
  readonly failed: (thrown: unknown) => void
  readonly clock: Clock
}

/** A large change on its way into the queue. */
interface Running {
  readonly large: LargeChange
  /** Numbers of the parts that are left; null until it is its turn. */
  parts: readonly number[] | null
  changed: number
  readonly done: (receipt: LargeReceipt) => void
}

const chunksOf = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))

/**
 * Changes of many subjects at once: named as a whole before anything of them is done, then taken in part by part, each in
 * a turn of the engine's thread of its own, one large change after the other. An end at any moment leaves one that was begun
 * to be gone on with, and one that was not without a trace.
 */
export class LargeChanges {
  readonly #file: OutboxFile
  readonly #queue: QueueOfLargeChanges
  readonly #taking: Loop
  /** Those that are not taken in, in their order. */
  readonly #running: Running[] = []
  /** Those that are not over. */
  readonly #underWay = new Map<string, { readonly large: LargeChange; readonly kind: string; taken: number }>()
  /** Subjects that wait to be sent, by large change. */
  readonly #unsent = new Map<string, Set<string>>()
  /** Of these nothing is sent: they are being taken back. */
  readonly #held = new Set<string>()
  #signal: AbortSignal | null = null
  /** The file is damaged: nothing goes on until the account is opened anew. */
  #isBroken = false
  #showing: Promise<void> = Promise.resolve()
  #toldAt = Number.NEGATIVE_INFINITY
  #cancelTelling: (() => void) | null = null

  constructor(file: OutboxFile, queue: QueueOfLargeChanges) {
    this.#file = file
    this.#queue = queue
    this.#taking = new Loop(queue.clock, { unref: true })
  }

  /** Goes on with what an end has cut off. */
  start(signal: AbortSignal): void {
    const { failed } = this.#queue
    this.#signal = signal
    for (const large of this.#file.large()) this.#resume(large)
    // An end between a part and its showing: what waits no more, as the platform has it already, is found by the part alone.
    const cutOff = [...this.#underWay.keys()]
    this.#showing = this.#showing.then(() => this.#showParts(cutOff, signal)).catch(failed)
    this.#taking.start({
      step: async () => {
        await this.#takeAll(signal)
        return null
      },
      failed: (thrown) => {
        // The account is opened anew, and goes on with it.
        this.#isBroken = isCorrupt(thrown)
        if (this.#isBroken) return null
        failed(thrown)
        return WRITE_AGAIN_MS
      },
      signal,
    })
  }

  async ended(): Promise<void> {
    this.#cancelTelling?.()
    await Promise.all([this.#taking.ended(), this.#showing])
  }

  /**
   * Keeps changes of many subjects. It is on the disk as a whole before anything of it is done, and what was begun is
   * finished after an end.
   * @param pages what was there and what is wanted, some subjects at a time; each is asked for in a turn of its own
   * @param runsOf what a rule does by it, asked for once all of it is named, and kept with its beginning
   * @returns when all of it waits, or is the platform's already
   */
  async changeMany(
    pages: Iterable<readonly (readonly MadeChange[])[]>,
    runsOf?: (changeId: string) => readonly RuleRun[],
  ): Promise<LargeReceipt> {
    const id = randomUUID()
    const total = await this.#name(id, 'wanted', pages)
    return this.#untilClosed(this.#begin({ id, total, source: null }, runsOf?.(id)))
  }

  /**
   * Takes back what of a large change was not sent, and ends it.
   * @returns how many subjects it has changed; null for one that is over, or not known
   */
  async cancel(changeId: string): Promise<number | null> {
    const progress = this.#underWay.get(changeId)
    if (progress === undefined) return null
    this.#held.add(changeId)
    let cancelled: Promise<LargeReceipt>
    try {
      this.#file.writeLarge({ kind: 'drop', id: changeId })
      const run = this.#running.find(({ large }) => large.id === changeId)
      if (run !== undefined) run.parts = []
      cancelled = this.#beginOf({ id: changeId, how: 'unsend' }, progress.taken)
    } catch (thrown) {
      // It could not be kept, as on a full disk: what was taken in is sent, and can be cancelled again.
      this.#held.delete(changeId)
      this.#queue.send()
      throw thrown
    }
    const { changed } = await this.#untilClosed(cancelled)
    return (this.#file.countMade(changeId) ?? 0) - changed
  }

  /** Those that are not over, oldest first. */
  underWay(): readonly ChangeProgress[] {
    return [...this.#underWay.values()].map(({ large: { id, total, source }, kind, taken }) => ({
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
    return this.#underWay.has(changeId) || this.#file.countMade(changeId) !== null
  }

  async undo(changeId: string): Promise<Undone> {
    const total = this.#underWay.get(changeId)?.large.total ?? this.#file.countMade(changeId) ?? 0
    const undone = await this.#untilClosed(this.#beginOf({ id: changeId, how: 'undo' }, total))
    return undone.changed === 0 ? 'nothing' : { changeId: undone.changeId }
  }

  /**
   * Undoes a change part by part that took many subjects along.
   * @param begin undoes the change itself, once the rest is named; `large` goes into the same write
   * @returns once it is begun, or where nothing was left of the change itself, when all of it is taken in
   */
  async undoTaken(
    taken: readonly MadeChange[],
    undoes: string,
    begin: (id: string, large: LargeChange) => readonly MadeChange[],
  ): Promise<Undone> {
    const id = randomUUID()
    const subjects = [...Map.groupBy(taken, subjectKey).values()]
    const total = await this.#name(id, 'undo', chunksOf(subjects, NAMED_AT_ONCE))
    const large: LargeChange = { id, total, source: { id: undoes, how: 'undo' } }
    const own = begin(id, large)
    const received = this.#enlist(large)
    if (own.length > 0) return { changeId: id }
    const { changed } = await this.#untilClosed(received)
    return changed === 0 ? 'nothing' : { changeId: id }
  }

  /** What is wanted by parts that are not taken in yet, of the fields that are meant; oldest first. */
  coming(isMeant: (field: Field) => boolean): readonly Change[] {
    return this.#running.flatMap((run) =>
      this.#partsAt(run, this.#partsOf(run)).flatMap(({ state, changes }) =>
        changes.flatMap(({ before, after, ...field }) =>
          isMeant(field) ? [{ ...field, wanted: state === 'wanted' ? after : before }] : [],
        ),
      ),
    )
  }

  /** What is wanted of these by large changes that are not taken in yet is taken in at once: what is wanted later comes later. */
  takeInFirst(subjects: readonly Subject[]): void {
    if (this.#running.length === 0) return
    const keys = new Set(subjects.map(subjectKey))
    for (const run of [...this.#running]) {
      const { id } = run.large
      // One that is made of another is only known when that is taken in.
      const numbers = new Set(
        this.#partsOf(run).length === 0 ? [] : subjects.flatMap((subject) => this.#file.partsLeftOf(id, subject.id)),
      )
      if (numbers.size === 0) continue
      const { parts, left } = partSubjects(this.#partsAt(run, [...numbers]), keys, this.#file.lastPart(id) + 1)
      if (parts.length > 0) this.#queue.show(this.#take(run, parts, left))
    }
  }

  /** A field of a subject waits by another large change than before, or by none: what is left of the subject. */
  follow(subject: string, was: string | undefined, left: readonly WaitingChange[]): void {
    for (const { large } of left) {
      if (large === undefined) continue
      const subjects = this.#unsent.get(large) ?? new Set()
      this.#unsent.set(large, subjects.add(subject))
    }
    if (was === undefined || left.some(({ large }) => large === was)) return
    this.#unsent.get(was)?.delete(subject)
    if (!this.#underWay.has(was)) return
    this.#tell()
    if (this.#isOver(was)) queueMicrotask(() => this.#endOrReport(was))
  }

  /** Whether a large change has yet to know what the platform had before this is sent. */
  isAskedFirst(change: WaitingChange): boolean {
    return this.#partsWithout(change).length > 0
  }

  /** What the platform had before this is sent: what those that have yet to know it are undone to. */
  noteBefore(change: WaitingChange, before: string): void {
    for (const [id, parts] of Map.groupBy(this.#partsWithout(change), (part) => part.id)) {
      const corrected = parts.map(({ part, isMeant }) => ({
        ...part,
        changes: part.changes.map((made) => (isMeant(made) ? { ...made, before } : made)),
      }))
      this.#file.writeLarge({ kind: 'name', id, parts: corrected })
    }
  }

  /** Whether nothing is to be sent of it, as it is being taken back. */
  isHeld({ large, sending }: WaitingChange): boolean {
    return large !== undefined && sending === null && this.#held.has(large)
  }

  showAgain(subjects: readonly Subject[]): Promise<void> {
    const signal = this.#signal
    if (signal !== null && subjects.length > 0) {
      this.#showing = this.#showing.then(() => this.#showSome(subjects, signal)).catch(this.#queue.failed)
    }
    return this.#showing
  }

  /** Parts of which it is not known what was there before, of the field of a change. */
  #partsWithout(change: WaitingChange) {
    const { fieldNow } = this.#queue
    const key = fieldKey(change)
    const isMeant = (made: MadeChange): boolean => made.before === '' && fieldKey(fieldNow(made)) === key
    return this.#file.partsWithoutBefore(change.id).flatMap(({ id, part: number }) => {
      const part = this.#file.part(id, number)
      return part?.changes.some(isMeant) === true ? [{ id, part, isMeant }] : []
    })
  }

  /** Of one that takes another back, the parts are those of that. */
  #kindOf({ id, source }: LargeChange): string {
    const [first] = this.#file.part(source?.id ?? id, 1)?.changes ?? []
    return first?.kind ?? THREAD
  }

  #resume(large: LargeChange): void {
    const { id, source, total } = large
    if (this.#underWay.has(id)) return
    const made = this.#file.countMade(id)
    const isLeft = this.#file.partsLeft(id).length > 0 || (source !== null && made === null)
    if (isLeft) {
      if (source?.how === 'unsend') this.#held.add(source.id)
      void this.#enlist(large)
    }
    this.#underWay.set(id, { large, kind: this.#kindOf(large), taken: isLeft ? (made ?? 0) : total })
  }

  /** @returns how many subjects it is of */
  async #name(id: string, state: PartState, pages: Iterable<readonly (readonly MadeChange[])[]>): Promise<number> {
    this.#file.writeChange(id, [], [])
    let part = 0
    let total = 0
    for (const page of pages) {
      const parts = chunksOf(page, THREADS_OF_PART).map((subjects): Part => ({
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

  #begin(large: LargeChange, runs: readonly RuleRun[] = []): Promise<LargeReceipt> {
    this.#file.writeLarge({ kind: 'begin', large }, [], runs)
    return this.#enlist(large)
  }

  /** One that is made of another: it is named by that. */
  #beginOf(source: LargeChange['source'], total: number): Promise<LargeReceipt> {
    const id = randomUUID()
    this.#file.writeChange(id, [], [])
    return this.#begin({ id, total, source })
  }

  #enlist(large: LargeChange): Promise<LargeReceipt> {
    this.#underWay.set(large.id, { large, kind: this.#kindOf(large), taken: 0 })
    const received = new Promise<LargeReceipt>((done) => {
      this.#running.push({ large, parts: null, changed: 0, done })
    })
    this.#tell()
    this.#taking.wake()
    return received
  }

  /** @throws ProblemError `cancelled` where the account is closed before */
  #untilClosed<Value>(work: Promise<Value>): Promise<Value> {
    const closed = new Promise<never>((_, reject) =>
      this.#signal?.addEventListener(
        'abort',
        () => reject(new ProblemError({ code: 'cancelled', message: 'The account was closed.' })),
        { once: true },
      ),
    )
    return Promise.race([work, closed])
  }

  /** Takes in what is left of all of them, in their order. */
  async #takeAll(signal: AbortSignal): Promise<void> {
    let most = 1
    for (let run = this.#running[0]; run !== undefined && !this.#isBroken && !signal.aborted; run = this.#running[0]) {
      const next = this.#partsOf(run).slice(0, most)
      if (next.length === 0) {
        this.#finish(run)
        continue
      }
      const before = performance.now()
      const subjects = this.#takeNext(run, next)
      most = fitting(next.length, before, MOST_PARTS)
      await nextTurn()
      await this.#showSome(subjects, signal)
      this.#queue.send()
    }
  }

  /** The next parts that can be read; what cannot be is left out. */
  #takeNext(run: Running, numbers: readonly number[]): readonly Subject[] {
    const subjects = this.#take(run, this.#partsAt(run, numbers))
    run.parts = this.#partsOf(run).filter((part) => !numbers.includes(part))
    return subjects
  }

  /** @param left parts of which some subjects are taken in, with the others */
  #take(run: Running, parts: readonly Part[], left: readonly Part[] = []): readonly Subject[] {
    const { id, source } = run.large
    const subjects = this.#queue.takeIn(id, source?.id ?? null, parts, left)
    const taken = new Set(parts.map(({ part }) => part))
    run.parts = this.#partsOf(run).filter((part) => !taken.has(part))
    run.changed += subjects.length
    const progress = this.#underWay.get(id)
    if (progress !== undefined) progress.taken += parts.reduce((sum, part) => sum + part.subjects, 0)
    this.#tell()
    return subjects
  }

  /** What is left of the one whose turn it is. */
  #partsOf(run: Running): readonly number[] {
    const { id, source } = run.large
    if (run.parts === null && source !== null && this.#file.countMade(id) === null) {
      this.#file.writeLarge({ kind: 'copy', id, source })
    }
    run.parts ??= this.#file.partsLeft(id)
    return run.parts
  }

  #partsAt(run: Running, numbers: readonly number[]): readonly Part[] {
    return numbers.flatMap((part) => this.#file.part(run.large.id, part) ?? [])
  }

  #finish(run: Running): void {
    this.#running.splice(this.#running.indexOf(run), 1)
    const { id, source, total } = run.large
    // Of what it undoes, some may have made no difference: nothing of them is left to be taken in.
    const progress = this.#underWay.get(id)
    if (progress !== undefined && progress.taken < total) {
      progress.taken = total
      this.#tell()
    }
    if (source?.how === 'unsend') this.#held.delete(source.id)
    run.done({ changeId: id, changed: run.changed })
    this.#endAllOver()
    this.#queue.send()
  }

  #isOver(id: string): boolean {
    return !this.#running.some(({ large }) => large.id === id) && (this.#unsent.get(id)?.size ?? 0) === 0
  }

  /** What was made of it stays, to be undone. */
  #endIfOver(id: string): void {
    if (!this.#underWay.has(id) || !this.#isOver(id)) return
    this.#file.writeLarge({ kind: 'end', id })
    this.#underWay.delete(id)
    this.#unsent.delete(id)
    this.#held.delete(id)
    this.#tell()
  }

  /** The same where nobody waits for it; it is ended with the next that is over. */
  #endOrReport(id: string): void {
    try {
      this.#endIfOver(id)
    } catch (thrown) {
      this.#queue.failed(thrown)
    }
  }

  #endAllOver(): void {
    for (const id of [...this.#underWay.keys()]) this.#endIfOver(id)
  }

  #showSome(subjects: readonly Subject[], signal: AbortSignal): Promise<void> {
    return inTurns(subjects, this.#queue.show, signal)
  }

  async #showParts(ids: readonly string[], signal: AbortSignal): Promise<void> {
    for (const id of ids) {
      for (const number of this.#file.partsMade(id)) {
        if (signal.aborted) return
        const part = this.#file.part(id, number)
        if (part !== undefined) await this.#showSome(uniqueSubjects(part.changes), signal)
      }
    }
    // What was not shown is, the next time.
    if (!signal.aborted) this.#endAllOver()
  }

  #tell(): void {
    const { clock, progressed } = this.#queue
    this.#cancelTelling ??= clock.after(Math.max(0, this.#toldAt + TELL_MS - clock.elapsed()), () => {
      this.#cancelTelling = null
      this.#toldAt = clock.elapsed()
      progressed()
    })
  }
}
