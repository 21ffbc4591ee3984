import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ChangeProgress } from '../../shared/model.ts'
import { ProblemError } from '../../shared/result.ts'
import { isCorrupt } from '../store/storage-problem.ts'
import {
  subjectKey,
  uniqueSubjects,
  type Change,
  type Field,
  type MadeChange,
  type Subject,
  type WaitingChange,
} from './change.ts'
import { fitting, inTurns } from '../timing/turns.ts'
import type { LargeChange, Part, PartState } from './large-parts.ts'
import type { OutboxFile } from './outbox-file.ts'
import type { Undone } from './queue.ts'
import type { Clock } from '../timing/clock.ts'
import { Loop } from '../timing/loop.ts'

/** Threads of a part: what one turn of the engine's thread takes in at least. */
const THREADS_OF_PART = 20
/** Threads that are named in one turn. */
const NAMED_AT_ONCE = 100
/** Parts of one turn at most. */
const MOST_PARTS = 8
/** How often at most it is told how far large changes are. */
const TELL_MS = 200
/** After how long what failed is tried again, in milliseconds: room may be made on a full disk. */
const RETRY_MS = 5_000

/** What becomes of a large change that was asked for. */
export interface LargeReceipt {
  readonly changeId: string
  /** How many subjects were changed. */
  readonly changed: number
}

/**
 * Changes of many subjects at once: named as a whole before anything of them is done, then taken in part by part, each in
 * a turn of the engine's thread of its own, one large change after the other. An end at any moment leaves one that was begun
 * to be gone on with, and one that was not without a trace.
 */
export interface LargeChanges {
  /**
   * Keeps changes of many subjects. It is on the disk as a whole before anything of it is done, and what was begun is
   * finished after an end.
   * @param pages what was there and what is wanted, some subjects at a time; each is asked for in a turn of its own
   * @returns when all of it waits, or is the platform's already
   */
  readonly changeMany: (pages: Iterable<readonly (readonly MadeChange[])[]>) => Promise<LargeReceipt>
  /**
   * Takes back what of a large change was not sent, and ends it.
   * @returns how many subjects it has changed; null for one that is over, or not known
   */
  readonly cancel: (changeId: string) => Promise<number | null>
  /** Those that are not over, oldest first. */
  readonly underWay: () => readonly ChangeProgress[]
}

/** What the queue needs of them besides. */
interface LargeChangesOfQueue extends LargeChanges {
  readonly isLarge: (changeId: string) => boolean
  readonly undo: (changeId: string) => Promise<Undone>
  /**
   * Undoes a change part by part that took many subjects along.
   * @param begin undoes the change itself, once the rest is named; `large` goes into the same write
   * @returns once it is begun, or where nothing was left of the change itself, when all of it is taken in
   */
  readonly undoTaken: (
    taken: readonly MadeChange[],
    undoes: string,
    begin: (id: string, large: LargeChange) => readonly MadeChange[],
  ) => Promise<Undone>
  /** What is wanted by parts that are not taken in yet, of the fields that are meant; oldest first. */
  readonly coming: (isMeant: (field: Field) => boolean) => readonly Change[]
  /** What is wanted of these by large changes that are not taken in yet is taken in at once: what is wanted later comes later. */
  readonly takeInFirst: (subjects: readonly Subject[]) => void
  /** A field of a subject waits by another large change than before, or by none: what is left of the subject. */
  readonly follow: (subject: string, was: string | undefined, left: readonly WaitingChange[]) => void
  /** Whether nothing is to be sent of it, as it is being taken back. */
  readonly isHeld: (change: WaitingChange) => boolean
  /** Shows subjects, some in each turn. */
  readonly showAgain: (subjects: readonly Subject[]) => Promise<void>
  /** Goes on with what an end has cut off. */
  readonly start: (signal: AbortSignal) => void
  readonly ended: () => Promise<unknown>
}

interface QueueParts {
  /** Has parts wait. @param left parts of which these were parted @returns what is to be shown */
  readonly takeIn: (
    id: string,
    source: string | null,
    parts: readonly Part[],
    left: readonly Part[],
  ) => readonly Subject[]
  readonly show: (subjects: readonly Subject[]) => void
  readonly send: () => void
  readonly progressed: () => void
  readonly failed: (thrown: unknown) => void
  readonly clock: Clock
}

/** A large change on its way into the queue. */
interface Running {
  readonly large: LargeChange
  /** Numbers of the parts that are left; null until it is its turn. */
  parts: readonly number[] | null
  /** Subjects that it has changed. */
  changed: number
  readonly done: (receipt: LargeReceipt) => void
}

const chunksOf = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))

export const createLargeChanges = (
  file: OutboxFile,
  { takeIn, show, send, progressed, failed, clock }: QueueParts,
): LargeChangesOfQueue => {
  /** Those that are not taken in, in their order. */
  const running: Running[] = []
  /** Those that are not over. */
  const underWay = new Map<string, { readonly large: LargeChange; taken: number }>()
  /** Subjects that wait to be sent, by large change. */
  const unsent = new Map<string, Set<string>>()
  /** Of these nothing is sent: they are being taken back. */
  const held = new Set<string>()
  let signal: AbortSignal | null = null
  const taking = new Loop(clock, { unref: true })
  /** The file is damaged: nothing goes on until the account is opened anew. */
  let isBroken = false
  let showing: Promise<void> = Promise.resolve()
  let toldAt = Number.NEGATIVE_INFINITY
  let cancelTelling: (() => void) | null = null

  const tell = (): void => {
    cancelTelling ??= clock.after(Math.max(0, toldAt + TELL_MS - clock.elapsed()), () => {
      cancelTelling = null
      toldAt = clock.elapsed()
      progressed()
    })
  }

  const isOver = (id: string): boolean =>
    !running.some(({ large }) => large.id === id) && (unsent.get(id)?.size ?? 0) === 0

  /** What was made of it stays, to be undone. */
  const endIfOver = (id: string): void => {
    if (!underWay.has(id) || !isOver(id)) return
    file.writeLarge({ kind: 'end', id })
    underWay.delete(id)
    unsent.delete(id)
    held.delete(id)
    tell()
  }

  /** The same where nobody waits for it; it is ended with the next that is over. */
  const endOrTell = (id: string): void => {
    try {
      endIfOver(id)
    } catch (thrown) {
      failed(thrown)
    }
  }

  const endAllOver = (): void => {
    for (const id of [...underWay.keys()]) endIfOver(id)
  }

  /** What is left of the one whose turn it is. */
  const partsOf = (run: Running): readonly number[] => {
    const { id, source } = run.large
    if (run.parts === null && source !== null && file.countMade(id) === null) {
      file.writeLarge({ kind: 'copy', id, source })
    }
    run.parts ??= file.partsLeft(id)
    return run.parts
  }

  /** @param left parts of which some subjects are taken in, with the others */
  const take = (run: Running, parts: readonly Part[], left: readonly Part[] = []): readonly Subject[] => {
    const { id, source } = run.large
    const subjects = takeIn(id, source?.id ?? null, parts, left)
    const taken = new Set(parts.map(({ part }) => part))
    run.parts = partsOf(run).filter((part) => !taken.has(part))
    run.changed += subjects.length
    const progress = underWay.get(id)
    if (progress !== undefined) progress.taken += parts.reduce((sum, part) => sum + part.subjects, 0)
    tell()
    return subjects
  }

  const partsAt = (run: Running, numbers: readonly number[]): readonly Part[] =>
    numbers.flatMap((part) => file.part(run.large.id, part) ?? [])

  /** The next parts that can be read; what cannot be is left out. */
  const takeNext = (run: Running, numbers: readonly number[]): readonly Subject[] => {
    const subjects = take(run, partsAt(run, numbers))
    run.parts = partsOf(run).filter((part) => !numbers.includes(part))
    return subjects
  }

  const finish = (run: Running): void => {
    running.splice(running.indexOf(run), 1)
    const { id, source, total } = run.large
    // Of what it undoes, some may have made no difference: nothing of them is left to be taken in.
    const progress = underWay.get(id)
    if (progress !== undefined && progress.taken < total) {
      progress.taken = total
      tell()
    }
    if (source?.how === 'unsend') held.delete(source.id)
    run.done({ changeId: id, changed: run.changed })
    endAllOver()
    send()
  }

  const showSome = (subjects: readonly Subject[], ending: AbortSignal): Promise<void> => inTurns(subjects, show, ending)

  /** Takes in what is left of all of them, in their order. */
  const takeAll = async (ending: AbortSignal): Promise<void> => {
    let most = 1
    for (let run = running[0]; run !== undefined && !isBroken && !ending.aborted; run = running[0]) {
      const next = partsOf(run).slice(0, most)
      if (next.length === 0) {
        finish(run)
        continue
      }
      const before = performance.now()
      const subjects = takeNext(run, next)
      most = fitting(next.length, before, MOST_PARTS)
      await nextTurn()
      await showSome(subjects, ending)
      send()
    }
  }

  const showParts = async (ids: readonly string[], ending: AbortSignal): Promise<void> => {
    for (const id of ids) {
      for (const number of file.partsMade(id)) {
        if (ending.aborted) return
        const part = file.part(id, number)
        if (part !== undefined) await showSome(uniqueSubjects(part.changes), ending)
      }
    }
    // What was not shown is, the next time.
    if (!ending.aborted) endAllOver()
  }

  const enlist = (large: LargeChange): Promise<LargeReceipt> => {
    underWay.set(large.id, { large, taken: 0 })
    const received = new Promise<LargeReceipt>((done) => {
      running.push({ large, parts: null, changed: 0, done })
    })
    tell()
    taking.wake()
    return received
  }

  /** @returns how many subjects it is of */
  const name = async (
    id: string,
    state: PartState,
    pages: Iterable<readonly (readonly MadeChange[])[]>,
  ): Promise<number> => {
    file.writeChange(id, [], [])
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
      if (parts.length > 0) file.writeLarge({ kind: 'name', id, parts })
      await nextTurn()
      signal?.throwIfAborted()
    }
    return total
  }

  const begin = (large: LargeChange): Promise<LargeReceipt> => {
    file.writeLarge({ kind: 'begin', large })
    return enlist(large)
  }

  /** One that is made of another: it is named by that. */
  const beginOf = (source: LargeChange['source'], total: number): Promise<LargeReceipt> => {
    const id = randomUUID()
    file.writeChange(id, [], [])
    return begin({ id, total, source })
  }

  const ending = (): Promise<never> =>
    new Promise((_, reject) =>
      signal?.addEventListener(
        'abort',
        () => reject(new ProblemError({ code: 'cancelled', message: 'The account was closed.' })),
        { once: true },
      ),
    )

  return {
    changeMany: async (pages) => {
      const id = randomUUID()
      const total = await name(id, 'wanted', pages)
      return Promise.race([begin({ id, total, source: null }), ending()])
    },
    isLarge: (id) => underWay.has(id) || file.countMade(id) !== null,
    undo: async (id) => {
      const total = underWay.get(id)?.large.total ?? file.countMade(id) ?? 0
      const { changeId, changed } = await Promise.race([beginOf({ id, how: 'undo' }, total), ending()])
      return changed === 0 ? 'nothing' : { changeId }
    },
    undoTaken: async (taken, undoes, beginWith) => {
      const id = randomUUID()
      const subjects = [
        ...Map.groupBy(taken, ({ kind, scope, id: each }) => JSON.stringify([kind, scope, each])).values(),
      ]
      const total = await name(id, 'undo', chunksOf(subjects, NAMED_AT_ONCE))
      const large: LargeChange = { id, total, source: { id: undoes, how: 'undo' } }
      const own = beginWith(id, large)
      const received = enlist(large)
      if (own.length > 0) return { changeId: id }
      const { changed } = await Promise.race([received, ending()])
      return changed === 0 ? 'nothing' : { changeId: id }
    },
    coming: (isMeant) =>
      running.flatMap((run) =>
        partsOf(run)
          .flatMap((part) => file.part(run.large.id, part) ?? [])
          .flatMap(({ state, changes }) =>
            changes.flatMap(({ before, after, ...field }) =>
              isMeant(field) ? [{ ...field, wanted: state === 'wanted' ? after : before }] : [],
            ),
          ),
      ),
    cancel: async (id) => {
      const progress = underWay.get(id)
      if (progress === undefined) return null
      held.add(id)
      let cancelled: Promise<LargeReceipt>
      try {
        file.writeLarge({ kind: 'drop', id })
        const run = running.find(({ large }) => large.id === id)
        if (run !== undefined) run.parts = []
        cancelled = beginOf({ id, how: 'unsend' }, progress.taken)
      } catch (thrown) {
        // It could not be kept, as on a full disk: what was taken in is sent, and can be cancelled again.
        held.delete(id)
        send()
        throw thrown
      }
      const { changed } = await Promise.race([cancelled, ending()])
      return (file.countMade(id) ?? 0) - changed
    },
    underWay: () =>
      [...underWay.values()].map(({ large: { id, total, source }, taken }) => ({
        changeId: id,
        total,
        taken,
        sent: Math.max(0, taken - (unsent.get(id)?.size ?? 0)),
        undoes: source?.id ?? null,
        isCancelled: held.has(id),
        isCancelling: source?.how === 'unsend',
      })),
    takeInFirst: (subjects) => {
      if (running.length === 0) return
      const keys = new Set(subjects.map(subjectKey))
      for (const run of [...running]) {
        // One that is made of another is only known when that is taken in.
        const numbers = new Set(
          partsOf(run).length === 0 ? [] : subjects.flatMap(({ id }) => file.partsLeftOf(run.large.id, id)),
        )
        const parts: Part[] = []
        const left: Part[] = []
        let next = numbers.size === 0 ? 0 : file.lastPart(run.large.id)
        // The others of a part keep their turn: an earlier large change may come before it.
        for (const part of partsAt(run, [...numbers])) {
          const those = part.changes.filter((change) => keys.has(subjectKey(change)))
          const others = part.changes.filter((change) => !keys.has(subjectKey(change)))
          const count = uniqueSubjects(those).length
          if (others.length === 0) parts.push(part)
          else if (those.length > 0) {
            parts.push({ ...part, part: (next += 1), subjects: count, changes: those })
            left.push({ ...part, subjects: part.subjects - count, changes: others })
          }
        }
        if (parts.length > 0) show(take(run, parts, left))
      }
    },
    follow: (subject, was, left) => {
      for (const { large } of left) {
        if (large === undefined) continue
        const subjects = unsent.get(large) ?? new Set()
        unsent.set(large, subjects.add(subject))
      }
      if (was === undefined || left.some(({ large }) => large === was)) return
      unsent.get(was)?.delete(subject)
      if (underWay.has(was)) {
        tell()
        if (isOver(was)) queueMicrotask(() => endOrTell(was))
      }
    },
    isHeld: ({ large, sending }) => large !== undefined && sending === null && held.has(large),
    showAgain: (subjects) => {
      const until = signal
      if (until !== null && subjects.length > 0) {
        showing = showing.then(() => showSome(subjects, until)).catch(failed)
      }
      return showing
    },
    start: (until) => {
      signal = until
      for (const large of file.large()) {
        if (underWay.has(large.id)) continue
        const made = file.countMade(large.id)
        const isLeft = file.partsLeft(large.id).length > 0 || (large.source !== null && made === null)
        if (isLeft) {
          if (large.source?.how === 'unsend') held.add(large.source.id)
          void enlist(large)
        }
        underWay.set(large.id, { large, taken: isLeft ? (made ?? 0) : large.total })
      }
      // An end between a part and its showing: what waits no more, as the platform has it already, is found by the part alone.
      const cutOff = [...underWay.keys()]
      showing = showing.then(() => showParts(cutOff, until)).catch(failed)
      taking.start({
        step: async () => {
          await takeAll(until)
          return null
        },
        failed: (thrown) => {
          // The account is opened anew, and goes on with it.
          isBroken = isCorrupt(thrown)
          if (isBroken) return null
          failed(thrown)
          return RETRY_MS
        },
        signal: until,
      })
    },
    ended: async () => {
      cancelTelling?.()
      await Promise.all([taking.ended(), showing])
    },
  }
}
