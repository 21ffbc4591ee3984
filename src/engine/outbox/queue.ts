import { randomUUID } from 'node:crypto'
import { backOff } from '../timing/back-off.ts'
import { lacksOperation, neverTookEffect, PlatformRefusal } from '../api/platform-problem.ts'
import { ProblemError, type Problem } from '../../shared/result.ts'
import {
  confirm,
  fieldKey,
  refuse,
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
  type WaitingChange,
} from './change.ts'
import type { Answer, ChangeType, Missing, Refusal } from './change-type.ts'
import { inTurns } from '../timing/turns.ts'
import { createLargeChanges, type LargeChanges } from './large-changes.ts'
import type { LargeChange, Part } from './large-parts.ts'
import type { OutboxFile } from './outbox-file.ts'
import { systemClock, type Clock } from '../timing/clock.ts'
import { Loop } from '../timing/loop.ts'

/** Subjects of which changes are sent at the same time. More would stand between a person's click and the platform. */
const SUBJECTS_AT_ONCE = 4
/** Those of them that may be part of large changes: what a person changes by itself goes past these. */
const LARGE_AT_ONCE = 3
/** A confirmed change is remembered this long, for answers that were asked for before it: longer than any time-out. */
const REMEMBERED_MS = 120_000

/** Give up after this many contradictory 404s in a row (about 4 s, longer than a restart of the platform). */
const DOUBTS = 5

/** The ID that undoes the inverse, `nothing` where there was nothing left to undo; null for changes that are not known. */
export type Undone = { readonly changeId: string } | 'nothing' | null

/** Who is told what becomes of changes. */
export interface QueueListeners {
  /**
   * What waits of these subjects is other than before: what the screen shows follows.
   * @returns whether it does, and for all subjects before these as well
   */
  readonly changed: (subjects: readonly Subject[]) => boolean
  readonly refused: (subject: Subject, type: ChangeType, refusal: Refusal) => void
  readonly replaced: (replaced: ReplacedId) => void
  /** Large changes have gone on. */
  readonly progressed?: () => void
  /** A large change could not go on, such as for a full disk; it is tried again. */
  readonly failed?: (thrown: unknown) => void
}

/**
 * Changes on their way to the platform: kept on the disk before anybody sees them, folded onto what waits, sent one after
 * the other for each subject, looked into where their fate is not known, and taken back where the platform refuses them.
 * What they mean is known to their types.
 */
export interface ChangeQueue extends Pick<LargeChanges, 'changeMany' | 'cancel' | 'underWay'> {
  /**
   * Keeps changes durably; they are shown at once and sent when the platform can be reached.
   * @returns the ID that undoes them
   */
  readonly change: (changes: readonly Change[]) => string
  /** The same for what has no undo of this kind: what a person writes. */
  readonly want: (changes: readonly Change[]) => void
  /**
   * Makes the inverse of changes, where nothing has changed them since: a change like any other.
   * @returns the ID that undoes the inverse, `nothing` where there was nothing left to undo; null for changes that are not
   *   known
   */
  readonly undo: (changeId: string) => Undone | Promise<Undone>
  /** What waits of a subject, in the order in which it was made. */
  readonly waitingOf: (subject: Subject) => readonly WaitingChange[]
  /** Whether nothing waits at all. */
  readonly isEmpty: () => boolean
  /** A field as a person sees it: as it waits, else as the platform has it; undefined where that is not known. */
  readonly shown: (field: Field) => string | undefined
  /** The ID of a subject today: another one where the platform has given it one since. */
  readonly idNow: (subject: Subject) => string
  /** Whether a change was confirmed after a time, `Clock.elapsed`: an answer that was asked for before it is old. */
  readonly confirmedSince: (subject: Subject, askedAt: number) => boolean
  /** Every subject of which something waits that a person changed by itself; those of large changes are shown part by part. */
  readonly subjects: () => readonly Subject[]
  /** Subjects that may still be shown as if something of them waited: an end came between the outbox's write and the cache's. */
  readonly unshown: () => readonly Subject[]
  /** Fields of which dependents still go by the ID that they had. */
  readonly beingRenamed: () => readonly Field[]
  /** What waits of large changes is to be shown anew: the cache is another. */
  readonly showLarge: () => void
  readonly pendingCount: () => number
  /** Sends what waits until the signal ends it. */
  readonly start: (signal: AbortSignal) => void
  /** Tries again now: the platform can be reached. */
  readonly nudge: () => void
  /** Call after the signal. @param isDamaged the files are checked when they are next opened */
  readonly close: (isDamaged?: boolean) => Promise<void>
}

/**
 * Whether an answer is the platform's last word on a change: not a passing trouble, not the key's fault, and not the page
 * of a door in between. What a 404 or 405 is about is found out, whoever gave it.
 */
const isRefusal = (thrown: unknown): thrown is ProblemError =>
  thrown instanceof ProblemError &&
  ['refused', 'not_found', 'invalid_input', 'query_invalid'].includes(thrown.problem.code) &&
  (!(thrown instanceof PlatformRefusal) || thrown.isInJson || lacksOperation(thrown))

/** So many subjects are written and shown in one turn of the engine's thread; more go part by part. */
const SUBJECTS_OF_TURN = 20
/** After how long what could not be written is tried again, in milliseconds: room may be made on a full disk. */
const WRITE_AGAIN_MS = 5_000
/** Several that rest until about the same time are looked at once, in milliseconds. */
const LEAST_WAIT_MS = 10

export const createQueue = (
  file: OutboxFile,
  types: readonly ChangeType[],
  { changed: tellChanged, refused, replaced, progressed = () => undefined, failed = () => undefined }: QueueListeners,
  clock: Clock = systemClock,
): ChangeQueue => {
  /** By subject, then by field, in the order in which they were made. The file holds the same. */
  const waiting = new Map<string, Map<string, WaitingChange>>()
  const newIds = new Map<string, string>()
  /** The fields that wait for another one's change to be confirmed, by that. */
  const dependents = new Map<string, Map<string, Field>>()
  /** Blocked: every waiting change of these depends on another one. */
  const blocked = new Set<string>()
  /** Fields of which dependents still go by the ID that they had. */
  const renaming = new Map<string, Field>()
  /** What is shown in turns that are still to come. */
  let toBeShown = 0
  const confirmedAt = new Map<string, number>()
  const busy = new Map<string, Promise<void>>()
  /** Subjects whose last attempt failed: how often, and until when they rest. */
  const resting = new Map<string, { readonly failures: number; readonly until: number }>()
  /** Changes that go alone, as a request in which they went with others was refused. */
  const parted = new Set<string>()
  /** How often the platform has refused a change as if something were gone that it has. */
  const doubts = new Map<string, number>()
  /** Subjects of which something waits that a person changed by itself, and those that wait as parts of large changes alone. */
  const lines = { own: new Set<string>(), large: new Set<string>() }
  /** How much waits, in fields. */
  let pending = 0
  /** Where a part of a large change fails, the others need not try at once: how often in a row, and until when they rest. */
  let largeRest = { failures: 0, until: 0 }
  let signal: AbortSignal | null = null
  const sendLoop = new Loop(clock)
  const renameLoop = new Loop(clock, { unref: true })

  const changed = (subjects: readonly Subject[]): void => {
    if (tellChanged(subjects) && toBeShown === 0) file.noteShown()
  }
  /** The same for however many: all but the first in turns of their own. */
  const changedMany = (subjects: readonly Subject[]): void => {
    if (subjects.length <= SUBJECTS_OF_TURN || signal === null) {
      changed(subjects)
      return
    }
    toBeShown += 1
    changed(subjects.slice(0, SUBJECTS_OF_TURN))
    const ending = signal
    void large.showAgain(subjects.slice(SUBJECTS_OF_TURN)).then(() => {
      if (!ending.aborted) toBeShown -= 1
    })
  }

  const typeOf = (field: Field): ChangeType => {
    const type = types.find(({ owns }) => owns(field))
    if (type === undefined) throw new Error(`No type of changes has the field ${field.field} of a ${field.kind}.`)
    return type
  }

  const find = (target: Field): WaitingChange | undefined => waiting.get(subjectKey(target))?.get(target.field)
  /** Whether nothing has to be confirmed before a change can be sent. */
  const isReady = (change: WaitingChange): boolean => {
    const other = typeOf(change).waitsFor?.(change)
    return other === undefined || (find(other) === undefined && !newIds.has(subjectKey(other)))
  }
  const readyOf = (changes: Iterable<WaitingChange>): readonly WaitingChange[] =>
    [...changes].filter((change) => change.sending !== null || isReady(change))

  const otherOf = (field: Field): Field | undefined => types.find(({ owns }) => owns(field))?.waitsFor?.(field)

  const block = (subject: string): void => {
    const changes = waiting.get(subject)
    blocked[changes === undefined || readyOf(changes.values()).length > 0 ? 'delete' : 'add'](subject)
  }

  /** A field waits, or no more: what it waits for, and what waits for it. */
  const follow = (target: Field, isWaiting: boolean): void => {
    const other = otherOf(target)
    if (other !== undefined) {
      const key = fieldKey(other)
      const fields = dependents.get(key) ?? new Map<string, Field>()
      if (isWaiting) fields.set(fieldKey(target), target)
      else fields.delete(fieldKey(target))
      if (fields.size === 0) dependents.delete(key)
      else dependents.set(key, fields)
    }
    block(subjectKey(target))
    // What goes by a former ID is not sent before it goes by that of today.
    if (newIds.has(subjectKey(target))) return
    for (const dependent of dependents.get(fieldKey(target))?.values() ?? []) block(subjectKey(dependent))
  }

  const remember = ({ target, change }: ChangeWrite): void => {
    const subject = subjectKey(target)
    const changes = waiting.get(subject) ?? new Map<string, WaitingChange>()
    const before = changes.get(target.field)
    pending += Number(change !== null) - Number(before !== undefined)
    if (change === null) {
      changes.delete(target.field)
      parted.delete(fieldKey(target))
      doubts.delete(fieldKey(target))
    } else changes.set(target.field, change)
    if (changes.size === 0) waiting.delete(subject)
    else waiting.set(subject, changes)
    follow(target, change !== null)
    const left = [...changes.values()]
    const isOwn = left.some(({ large }) => large === undefined)
    lines.own[isOwn ? 'add' : 'delete'](subject)
    lines.large[left.length > 0 && !isOwn ? 'add' : 'delete'](subject)
    large.follow(subject, before?.large, left)
  }
  const waitingOf = (subject: Subject): readonly WaitingChange[] => [
    ...(waiting.get(subjectKey(subject))?.values() ?? []),
  ]
  const allWaiting = (): readonly WaitingChange[] => [...waiting.values()].flatMap((changes) => [...changes.values()])

  const noteNewId = ({ kind, scope, was, id }: ReplacedId): void => {
    newIds.set(subjectKey({ kind, scope, id: was }), id)
    newIds.delete(subjectKey({ kind, scope, id }))
  }
  file.replacedIds().forEach(noteNewId)

  const idNow = ({ kind, scope, id }: Subject): string => {
    const seen = new Set<string>()
    let now = id
    for (let next: string | undefined = id; next !== undefined && !seen.has(next);) {
      now = next
      seen.add(now)
      next = newIds.get(subjectKey({ kind, scope, id: now }))
    }
    return now
  }
  /** The same field by the IDs of today. */
  const fieldNow = <Named extends Field>(named: Named): Named => {
    const field = { ...named, id: idNow(named) }
    const type = typeOf(field)
    const other = type.waitsFor?.(field)
    return other === undefined || type.withId === undefined ? field : { ...field, ...type.withId(field, idNow(other)) }
  }

  /** The platform's own state of a field's subject; what is on its way may make another of what the field speaks of. */
  const serverOf = (type: ChangeType, field: Field): SubjectState => {
    const state = type.serverState(field)
    const other = type.waitsFor?.(field)
    const isSending = other !== undefined && (find(other)?.sending ?? null) !== null
    return isSending && state.has(field.field) ? new Map([...state].filter(([name]) => name !== field.field)) : state
  }

  const ofType = (type: ChangeType, changes: Iterable<WaitingChange>): ReadonlyMap<string, WaitingChange> =>
    new Map([...changes].flatMap((change) => (type.owns(change) ? [[change.field, change] as const] : [])))

  const shown = (field: Field): string | undefined => {
    const type = typeOf(field)
    return type.shown(ofType(type, waitingOf(field)), field.field, () => serverOf(type, field))
  }

  /** Folds changes one after the other, each onto what those before it have left, and keeps nothing yet. */
  const createFolding = () => {
    const writes: ChangeWrite[] = []
    const laid = new Map<string, Map<string, WaitingChange>>()
    const layer = (subject: Subject): Map<string, WaitingChange> => {
      const key = subjectKey(subject)
      const changes = laid.get(key) ?? new Map(waiting.get(key))
      laid.set(key, changes)
      return changes
    }
    const put = (write: ChangeWrite): void => {
      writes.push(write)
      if (write.change === null) layer(write.target).delete(write.target.field)
      else layer(write.target).set(write.target.field, write.change)
    }
    return {
      put,
      fold: (type: ChangeType, next: Change, server: SubjectState): void => {
        type.fold(ofType(type, layer(next).values()), next, server).forEach(put)
      },
      has: (field: Field): boolean => layer(field).has(field.field),
      writes,
    }
  }

  /** What waits for a field's change, and cannot be without it; some of it may still go by the ID that it had. */
  const dependentsOf = (ended: readonly Field[]): readonly WaitingChange[] => {
    const keys = ended.map(fieldKey)
    const former = [...renaming].flatMap(([key, field]) => (keys.includes(fieldKey(fieldNow(field))) ? [key] : []))
    return [...keys, ...former].flatMap((key) =>
      [...(dependents.get(key)?.values() ?? [])].flatMap((field) => find(field) ?? []),
    )
  }

  /**
   * What was there before changes, for those that make a difference.
   * @param changes with what was there when they were named, for fields that are not known here any more
   */
  const madeOf = (changes: readonly (Change & Partial<Pick<MadeChange, 'before'>>)[]): readonly MadeChange[] =>
    changes.flatMap(({ wanted, before: named, ...field }): MadeChange[] => {
      const target = fieldNow(field)
      const before = shown(target) ?? named
      return before === undefined || before === wanted ? [] : [{ ...target, before, after: wanted }]
    })

  /**
   * The inverse of changes, of those that nothing has changed since, and of which `mayTurn` says so. Of a field that is not
   * known here any more nothing says that it was changed.
   */
  const inversesOf = (
    made: readonly MadeChange[],
    mayTurn: (waiting: WaitingChange | undefined) => boolean = () => true,
  ): readonly MadeChange[] =>
    made.toReversed().flatMap((named): MadeChange[] => {
      const change = fieldNow(named)
      if ((shown(change) ?? change.after) !== change.after || !mayTurn(find(change))) return []
      const type = typeOf(change)
      if (type.isDeleted?.(change) === true) return []
      const server = type.valueIn(serverOf(type, change), change.field)
      const isSending = (find(change)?.sending ?? null) !== null
      return [{ ...change, before: change.after, after: type.inverse(change, server, isSending) }]
    })

  /** What is to be written so that changes wait, and what they change besides. */
  const foldAll = (
    made: readonly MadeChange[],
    largeId?: string,
  ): { readonly writes: readonly ChangeWrite[]; readonly taken: readonly MadeChange[] } => {
    const changes = made.map(({ after, ...target }): Change => ({
      ...subjectOf(target),
      field: target.field,
      wanted: after,
      ...(largeId !== undefined && { large: largeId }),
    }))
    const folding = createFolding()
    const taken = changes.flatMap((change) => {
      const key = fieldKey(change)
      const ended = dependentsOf([change])
      const along = typeOf(change).takesAlong?.(change, () => [
        // The cache is told of what waits a moment after it waits.
        ...ended,
        ...large.coming((field) => {
          const other = otherOf(fieldNow(field))
          return other !== undefined && fieldKey(other) === key
        }),
      ])
      if (along !== undefined) for (const target of ended) folding.put({ target, change: null })
      return along ?? []
    })
    for (const change of changes) {
      const type = typeOf(change)
      folding.fold(type, change, serverOf(type, change))
    }
    return { writes: folding.writes, taken }
  }

  /** @param begun the large change that goes with it */
  const enqueue = (made: readonly MadeChange[], changeId: string = randomUUID(), begun?: LargeChange): string => {
    const { writes, taken } = foldAll(made)
    file.writeChange(
      changeId,
      [...made, ...taken],
      writes,
      begun === undefined ? undefined : { kind: 'begin', large: begun },
    )
    for (const write of writes) remember(write)
    changedMany(uniqueSubjects([...made, ...writes.map(({ target }) => target)]))
    return changeId
  }

  /**
   * Takes in parts of a large change: what is wanted waits from then on.
   * @param left parts of which these were parted
   * @returns the subjects that are to be shown, and how many of them were changed
   */
  const takeIn = (
    id: string,
    source: string | null,
    parts: readonly Part[],
    left: readonly Part[],
  ): readonly Subject[] => {
    const possible = parts.map((part) => ({
      ...part,
      changes: part.changes.filter((change) => typeOf(change).isMoot?.(fieldNow(change)) !== true),
    }))
    renameFirst(possible.flatMap(({ changes }) => changes))
    const taken = possible.map(({ part, state, changes }) => ({
      part,
      changes:
        state === 'wanted'
          ? madeOf(changes.map(({ after, ...named }) => ({ ...named, wanted: after })))
          : inversesOf(
              changes,
              state === 'undo'
                ? undefined
                : (change) => change?.sending === null && change.large !== undefined && change.large === source,
            ),
    }))
    const made = taken.flatMap(({ changes }) => changes)
    const { writes } = foldAll(made, id)
    const counted = taken.map((part) => ({ ...part, subjects: uniqueSubjects(part.changes).length }))
    file.writeLarge({ kind: 'make', id, parts: counted, left }, writes)
    for (const write of writes) remember(write)
    return uniqueSubjects(made)
  }

  const large = createLargeChanges(file, {
    takeIn,
    show: (subjects) => changed(subjects),
    send: () => sendLoop.wake(),
    progressed,
    failed,
    clock,
  })
  for (const change of file.waiting()) remember({ target: change, change })
  // An end came while they were renamed.
  for (const fields of dependents.values()) {
    const [first] = fields.values()
    const other = first === undefined ? undefined : otherOf(first)
    if (other !== undefined && newIds.has(subjectKey(other))) renaming.set(fieldKey(other), other)
  }

  /** What becomes of changes that speak of a subject by the ID that it had. */
  const renamed = (changes: readonly WaitingChange[]): readonly ChangeWrite[] =>
    changes.flatMap((change): ChangeWrite[] => {
      const { id, field } = fieldNow(change)
      const target = { ...change, id, field }
      // What was wanted since then, by the ID of today, stays.
      const isOlder = find(target) !== undefined
      return [{ target: change, change: null }, ...(isOlder ? [] : [{ target, change: target }])]
    })

  /** What speaks of a subject by a former ID. */
  const formerOf = (subjects: readonly Subject[]): readonly WaitingChange[] =>
    renaming.size === 0
      ? []
      : uniqueSubjects(subjects).flatMap((subject) =>
          waitingOf(subject).filter((change) => {
            const other = otherOf(change)
            return other !== undefined && renaming.has(fieldKey(other))
          }),
        )

  const rename = (changes: readonly WaitingChange[]): void => {
    if (changes.length === 0) return
    const writes = renamed(changes)
    file.write(writes)
    for (const write of writes) remember(write)
    changed(uniqueSubjects(changes))
  }

  /** What speaks of these by a former ID goes by that of today before anything else becomes of them. */
  const renameFirst = (subjects: readonly Subject[]): void => rename(formerOf(subjects))

  /** Some in each turn: a label may have been put on thousands of threads before the platform gave it an ID. */
  const renameAll = async (ending: AbortSignal): Promise<void> => {
    for (const [key, field] of renaming) {
      while (dependents.has(key) && !ending.aborted) {
        await inTurns(dependentsOf([field]), (some) => rename(some.flatMap((each) => find(each) ?? [])), ending)
        sendLoop.wake()
      }
      if (dependents.has(key)) continue
      renaming.delete(key)
      // Nothing waits by the former ID any more: the labels are no longer to be found by it.
      changed([subjectOf(fieldNow(field))])
    }
  }

  /** The subject's own changes go by its new ID at once, and so do the first of those that wait for it. */
  const replaceId = ({ kind, scope, was }: ReplacedId): readonly ChangeWrite[] => {
    const former = { kind, scope, id: was }
    const own = waitingOf(former)
    const fields = [...dependents.values()].flatMap((each) => {
      const [first] = each.values()
      const other = first === undefined ? undefined : otherOf(first)
      return other !== undefined && subjectKey(other) === subjectKey(former) ? [other] : []
    })
    const following = dependentsOf(fields)
    // Where all of them move at once, nothing is shown by the former ID.
    if (following.length > SUBJECTS_OF_TURN) for (const field of fields) renaming.set(fieldKey(field), field)
    return renamed([...own, ...following.slice(0, SUBJECTS_OF_TURN)])
  }

  /** Puts the outcome of a request into the cache, the memory and, last, the file: an end in between is looked into. */
  const conclude = (
    about: readonly Subject[],
    outcomes: readonly ChangeWrite[],
    answer: { readonly of: Subject; readonly answer: Answer } | null,
  ): void => {
    let replacement: ReplacedId | null = null
    if (answer !== null) {
      // Where the cache cannot take it, the change stays pending, and is looked into again.
      answer.answer.keep()
      const { kind, scope, id: was } = answer.of
      const { id = was } = answer.answer
      if (id !== was) replacement = { kind, scope, was, id }
      const now = clock.elapsed()
      for (const [key, at] of confirmedAt) if (now - at > REMEMBERED_MS) confirmedAt.delete(key)
      for (const subject of about) confirmedAt.set(subjectKey(subject), now)
    }
    if (replacement !== null) noteNewId(replacement)
    for (const outcome of outcomes) remember(outcome)
    const moved = replacement === null ? [] : replaceId(replacement)
    for (const write of moved) remember(write)
    file.write([...outcomes, ...moved], replacement)
    if (replacement !== null) replaced(replacement)
    changedMany(uniqueSubjects([...about, ...moved.map(({ target }) => target)]))
    if (renaming.size > 0) renameLoop.wake()
  }

  /** Folds changes anew of which nothing has arrived. */
  const foldAgain = (
    type: ChangeType,
    unsent: readonly WaitingChange[],
    state: SubjectState,
  ): readonly ChangeWrite[] => {
    const folding = createFolding()
    for (const change of unsent) folding.put({ target: change, change: { ...change, sending: null } })
    // One of them may have taken another along.
    for (const change of unsent) if (folding.has(change)) folding.fold(type, change, state)
    return folding.writes
  }

  /** Finds out what became of what was sent and never answered. */
  const settleUncertain = async (
    subject: Subject,
    uncertain: readonly WaitingChange[],
    ending: AbortSignal,
  ): Promise<void> => {
    const [first] = uncertain
    if (first === undefined) return
    const type = typeOf(first)
    const sent = uncertain.filter(type.owns)
    const seen = await type.look(subject, sent, ending)
    const now = sent.flatMap((change) => find(change) ?? [])
    if (seen === null) {
      conclude(
        [subject],
        now.map((change) => ({ target: change, change: { ...change, sending: null } })),
        null,
      )
      return
    }
    const hasArrived = (change: WaitingChange): boolean => type.valueIn(seen.state, change.field) === change.sending
    const arrived = now.filter(hasArrived).map((change) => ({ target: change, change: confirm(change) }))
    // What did not arrive may since have been taken back: then the platform holds what is wanted already.
    const lost = foldAgain(
      type,
      now.filter((change) => !hasArrived(change)),
      seen.state,
    )
    conclude([subject], [...arrived, ...lost], { of: subject, answer: seen })
  }

  /** What to send next of a subject, oldest first. */
  const nextRequest = (
    subject: Subject,
  ): { readonly type: ChangeType; readonly changes: readonly WaitingChange[] } | null => {
    const ready = readyOf(waitingOf(subject))
    const [first] = ready
    if (first === undefined) return null
    const type = typeOf(first)
    const mayJoin = (change: WaitingChange): boolean => !parted.has(fieldKey(change))
    const candidates = mayJoin(first) ? ready.filter((change) => type.owns(change) && mayJoin(change)) : [first]
    return { type, changes: type.together(first, candidates) }
  }

  const sendOne = async (subject: Subject, ending: AbortSignal): Promise<void> => {
    const next = nextRequest(subject)
    if (next === null) return
    const sending = next.changes.map((change): WaitingChange => ({ ...change, sending: change.wanted }))
    const writes = sending.map((change) => ({ target: change, change }))
    // Before the request: after an end in between, the platform is asked before anything is sent twice.
    file.write(writes)
    for (const write of writes) remember(write)
    let answer: Answer
    try {
      answer = await next.type.deliver(subject, sending, ending)
    } catch (thrown) {
      if (!ending.aborted && isRefusal(thrown)) {
        await settleRefusal(subject, { type: next.type, changes: sending }, thrown, ending)
        return
      }
      if (neverTookEffect(thrown)) forgetSending(subject, next.type)
      throw thrown
    }
    const outcomes = sending.map((sent): ChangeWrite => ({ target: sent, change: confirm(find(sent) ?? sent) }))
    conclude([subject], outcomes, { of: subject, answer })
  }

  /** Nothing has become of what was sent: it waits as if it never had been, and can still be dropped. */
  const forgetSending = (subject: Subject, type: ChangeType): void => {
    const sent = waitingOf(subject).filter((change) => change.sending !== null && type.owns(change))
    conclude([subject], foldAgain(type, sent, type.serverState(subject)), null)
  }

  /** Takes back what these subjects have sent, or all of their changes where what they are about is gone. */
  const takeBack = (from: readonly Subject[], type: ChangeType, problem: Problem, missing: Missing): void => {
    const isAllGone = missing === 'subject' || missing === 'inbox'
    const outcomes = from.flatMap((subject) =>
      waitingOf(subject)
        .filter(({ sending }) => isAllGone || sending !== null)
        .map((change) => {
          const own = typeOf(change)
          const server = own.valueIn(own.serverState(subject), change.field)
          return { target: change, change: isAllGone ? null : refuse(change, server) }
        }),
    )
    const gone = outcomes.flatMap(({ target, change }) => (change === null ? [target] : []))
    const [subject] = from
    // Told before it is written: after an end in between the platform refuses it once more, and that is told as this is.
    if (gone.length > 0 && subject !== undefined) {
      refused(subject, type, {
        problem,
        missing,
        fields: gone.map(({ field }) => field),
        wanted: gone.map(({ wanted }) => wanted),
      })
    }
    const dependents = dependentsOf(gone)
    conclude(
      uniqueSubjects([...from, ...dependents]),
      [...outcomes, ...dependents.map((target) => ({ target, change: null }))],
      null,
    )
  }

  /**
   * Finds out what the platform meant by its no, so that only that is taken back. A request that carried several changes
   * is parted: what became of it is looked at, and what did not arrive is sent again, each change alone.
   */
  const settleRefusal = async (
    subject: Subject,
    { type, changes }: { readonly type: ChangeType; readonly changes: readonly WaitingChange[] },
    refusal: ProblemError,
    ending: AbortSignal,
  ): Promise<void> => {
    const { problem } = refusal
    const missing = lacksOperation(refusal) ? await type.inquire(subject, changes, ending) : 'change'
    if (missing === 'inbox') {
      // Every change of this inbox has the same answer; those on their way hear it themselves.
      const others = uniqueSubjects(allWaiting()).filter(
        (other) =>
          other.scope === subject.scope && subjectKey(other) !== subjectKey(subject) && !busy.has(subjectKey(other)),
      )
      takeBack([subject, ...others], type, problem, missing)
      return
    }
    if (missing === 'subject' && type.staysHere?.(subject) === true) {
      // Nothing of it has arrived, and from now on nothing is sent: it is delivered here.
      forgetSending(subject, type)
      return
    }
    const keys = changes.map(fieldKey)
    const isParting = missing !== 'subject' && changes.length > 1
    const doubt = missing === 'nothing' ? Math.max(...keys.map((key) => doubts.get(key) ?? 0)) + 1 : DOUBTS
    if (!isParting && doubt >= DOUBTS) {
      takeBack([subject], type, problem, missing)
      return
    }
    for (const key of keys) {
      if (isParting) parted.add(key)
      else doubts.set(key, doubt)
    }
    await settleUncertain(
      subject,
      waitingOf(subject).filter(({ sending }) => sending !== null),
      ending,
    )
    // Once more at once; after that the subject rests before each try.
    if (!isParting && doubt > 1) throw refusal
  }

  /** Leaves a subject alone for a while, longer after each failure. */
  const rest = (key: string): void => {
    const failures = (resting.get(key)?.failures ?? 0) + 1
    resting.set(key, { failures, until: clock.elapsed() + backOff(failures, Math.random()) })
  }

  const runSubject = async (subject: Subject, ending: AbortSignal): Promise<void> => {
    const key = subjectKey(subject)
    const isLarge = (): boolean => !lines.own.has(key)
    try {
      while (!ending.aborted && readyOf(waitingOf(subject)).length > 0) {
        const uncertain = waitingOf(subject).filter(({ sending }) => sending !== null)
        if (uncertain.length > 0) {
          // That the platform can be asked does not mean that it takes the change: the next rest is longer all the same.
          await settleUncertain(subject, uncertain, ending)
          continue
        }
        await sendOne(subject, ending)
        resting.delete(key)
        if (isLarge()) largeRest = { failures: 0, until: 0 }
      }
      if (!waiting.has(key)) resting.delete(key)
    } catch {
      if (ending.aborted) return
      rest(key)
      if (!isLarge()) return
      const failures = largeRest.failures + 1
      largeRest = { failures, until: clock.elapsed() + backOff(failures, Math.random()) }
    }
  }

  /** Sends what can be sent. @returns milliseconds until something has rested; null for never */
  const sendReady = (ending: AbortSignal): number | null => {
    const now = clock.elapsed()
    const sendOf = (line: ReadonlySet<string>, most: number): void => {
      for (const key of line) {
        if (busy.size >= most) return
        if (blocked.has(key) || busy.has(key) || (resting.get(key)?.until ?? 0) > now) continue
        const changes = waiting.get(key)
        const [only] = changes?.size === 1 ? changes.values() : []
        if (only !== undefined && large.isHeld(only)) continue
        const [first] = readyOf(changes?.values() ?? [])
        if (first === undefined || large.isHeld(first)) continue
        busy.set(
          key,
          runSubject(subjectOf(first), ending)
            // The outcome could not be written: what is on the disk still says that it has to be looked into.
            .catch(() => rest(key))
            .finally(() => {
              busy.delete(key)
              sendLoop.wake()
            }),
        )
      }
    }
    sendOf(lines.own, SUBJECTS_AT_ONCE)
    if (largeRest.until <= now) sendOf(lines.large, LARGE_AT_ONCE)
    const soonest = Math.min(
      ...[...resting].flatMap(([key, { until }]) => (waiting.has(key) ? [until] : [])),
      lines.large.size > 0 && largeRest.until > now ? largeRest.until : Infinity,
    )
    return Number.isFinite(soonest) ? Math.max(soonest - now, LEAST_WAIT_MS) : null
  }

  const subjectsOf = (line: ReadonlySet<string>): readonly Subject[] =>
    [...line].flatMap((key) => {
      const [first] = waiting.get(key)?.values() ?? []
      return first === undefined ? [] : [subjectOf(first)]
    })

  return {
    changeMany: large.changeMany,
    cancel: large.cancel,
    underWay: large.underWay,
    showLarge: () => void large.showAgain(subjectsOf(lines.large)),
    change: (changes) => {
      large.takeInFirst(changes)
      renameFirst(changes)
      const changeId = enqueue(madeOf(changes))
      sendLoop.wake()
      return changeId
    },
    want: (changes) => {
      const folding = createFolding()
      for (const next of changes) {
        const type = typeOf(next)
        folding.fold(type, next, serverOf(type, next))
      }
      file.write(folding.writes)
      for (const write of folding.writes) remember(write)
      changedMany(uniqueSubjects(changes))
      sendLoop.wake()
    },
    undo: (changeId) => {
      const made = file.madeChanges(changeId)
      if (made === undefined) return null
      if (made.length === 0 && large.isLarge(changeId)) return large.undo(changeId)
      const own = made.filter((change) => typeOf(change).takesAlong !== undefined)
      if (own.length > 0 && made.length > own.length + SUBJECTS_OF_TURN) {
        const taken = made.filter((change) => typeOf(change).takesAlong === undefined)
        return large.undoTaken(taken, changeId, (id, begun) => {
          const back = inversesOf(own)
          enqueue(back, id, begun)
          sendLoop.wake()
          return back
        })
      }
      large.takeInFirst(made)
      renameFirst(made)
      const back = inversesOf(made)
      if (back.length === 0) return 'nothing'
      const inverse = enqueue(back)
      sendLoop.wake()
      return { changeId: inverse }
    },
    waitingOf,
    isEmpty: () => waiting.size === 0,
    shown,
    idNow,
    confirmedSince: (subject, askedAt) =>
      confirmedAt.size > 0 && (confirmedAt.get(subjectKey(subject)) ?? Number.NEGATIVE_INFINITY) > askedAt,
    subjects: () => subjectsOf(lines.own),
    unshown: file.unshown,
    beingRenamed: () => [...renaming.values()],
    pendingCount: () => pending,
    start: (ending) => {
      signal = ending
      large.start(ending)
      renameLoop.start({
        step: async () => {
          await renameAll(ending)
          return null
        },
        failed: (thrown) => {
          failed(thrown)
          return WRITE_AGAIN_MS
        },
        signal: ending,
      })
      void large.showAgain(subjectsOf(lines.large))
      sendLoop.start({
        step: () => sendReady(ending),
        failed: (thrown) => {
          failed(thrown)
          return WRITE_AGAIN_MS
        },
        signal: ending,
      })
    },
    nudge: () => {
      largeRest = { failures: 0, until: 0 }
      for (const [key, { failures }] of resting) resting.set(key, { failures, until: 0 })
      sendLoop.wake()
    },
    close: async (isDamaged) => {
      await Promise.all([...busy.values(), sendLoop.ended(), renameLoop.ended(), large.ended()])
      file.close(isDamaged)
    },
  }
}
