import {
  subjectKey,
  type Change,
  type ChangeWrite,
  type Field,
  type MadeChange,
  type Subject,
  type SubjectState,
  type WaitingChange,
} from './change.ts'
import type { ChangeType } from './change-type.ts'
import { ofType, type WaitingChanges } from './waiting-changes.ts'

/** Folds changes one after the other, each onto what those before it have left, and keeps nothing yet. */
export class Folding {
  readonly #waiting: WaitingChanges
  readonly #writes: ChangeWrite[] = []
  readonly #laid = new Map<string, Map<string, WaitingChange>>()

  constructor(waiting: WaitingChanges) {
    this.#waiting = waiting
  }

  /** What is to be written, in this order. */
  get writes(): readonly ChangeWrite[] {
    return this.#writes
  }

  put(write: ChangeWrite): void {
    this.#writes.push(write)
    if (write.change === null) this.#layer(write.target).delete(write.target.field)
    else this.#layer(write.target).set(write.target.field, write.change)
  }

  fold(type: ChangeType, next: Change, server: SubjectState): void {
    for (const write of type.fold(ofType(type, this.#layer(next).values()), next, server)) this.put(write)
  }

  has(field: Field): boolean {
    return this.#layer(field).has(field.field)
  }

  #layer(subject: Subject): Map<string, WaitingChange> {
    const key = subjectKey(subject)
    const changes = this.#laid.get(key) ?? new Map(this.#waiting.byKey(key))
    this.#laid.set(key, changes)
    return changes
  }
}

/** Folds changes anew of which nothing has arrived. */
export const foldAgain = (
  waiting: WaitingChanges,
  type: ChangeType,
  unsent: readonly WaitingChange[],
  state: SubjectState,
): readonly ChangeWrite[] => {
  const folding = new Folding(waiting)
  for (const change of unsent) folding.put({ target: change, change: { ...change, sending: null } })
  // One of them may have taken another along.
  for (const change of unsent) if (folding.has(change)) folding.fold(type, change, state)
  return folding.writes
}

/**
 * What was there before changes, for those that make a difference.
 * @param changes with what was there when they were named, for fields that are not known here any more
 */
export const madeOf = (
  waiting: WaitingChanges,
  changes: readonly (Change & Partial<Pick<MadeChange, 'before'>>)[],
): readonly MadeChange[] =>
  changes.flatMap(({ wanted, before: named, ...field }): MadeChange[] => {
    const target = waiting.fieldNow(field)
    const before = waiting.shown(target) ?? named
    return before === undefined || before === wanted ? [] : [{ ...target, before, after: wanted }]
  })

/**
 * The inverse of changes: of those that nothing has changed since, and that `mayTurn` allows. Of a field that is not known
 * here any more nothing says that it was changed.
 */
export const inversesOf = (
  waiting: WaitingChanges,
  made: readonly MadeChange[],
  mayTurn: (change: WaitingChange | undefined) => boolean = () => true,
): readonly MadeChange[] =>
  made.toReversed().flatMap((named): MadeChange[] => {
    const change = waiting.fieldNow(named)
    if ((waiting.shown(change) ?? change.after) !== change.after || !mayTurn(waiting.find(change))) return []
    const type = waiting.typeOf(change)
    if (type.isDeleted?.(change) === true) return []
    const server = type.valueIn(waiting.serverOf(type, change), change.field)
    const isSending = (waiting.find(change)?.sending ?? null) !== null
    return [{ ...change, before: change.after, after: type.inverse(change, server, isSending) }]
  })
