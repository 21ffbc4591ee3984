import {
  fieldKey,
  subjectKey,
  SubjectMap,
  toChangeSubject,
  UNKNOWN,
  type Change,
  type ChangeRequest,
  type ChangeWrite,
  type SubjectField,
  type UndoableChange,
  type LocalField,
  type ReplacedId,
  type ChangeSubject,
  type SubjectState,
  type WaitingChange,
} from './change.ts'
import type { ChangeType } from './change-type.ts'

const NO_LOCAL_FIELDS: SubjectState = new Map()
const NONE: readonly WaitingChange[] = []

const ofType = (type: ChangeType, changes: readonly WaitingChange[]): ReadonlyMap<string, WaitingChange> =>
  new Map(changes.flatMap((change) => (type.owns(change) ? [[change.field, change] as const] : [])))

const largeIdsOf = (changes: readonly WaitingChange[]): readonly string[] => {
  const ids = changes.flatMap(({ large }) => large ?? [])
  return ids.length < 2 ? ids : [...new Set(ids)]
}

/** A subject's changes after a write; a field keeps its place. */
const withWrite = (changes: readonly WaitingChange[], { target, change }: ChangeWrite): readonly WaitingChange[] => {
  const at = changes.findIndex(({ field }) => field === target.field)
  if (change === null) return at === -1 ? changes : changes.toSpliced(at, 1)
  return at === -1 ? [...changes, change] : changes.with(at, change)
}

/**
 * Default folding: the newest value wins. Nothing is sent if the platform already has the value and no change is in
 * flight, for example after archiving and unarchiving.
 * @returns null if nothing is left to send
 */
export const keepNewestValue = (
  waiting: WaitingChange | undefined,
  next: Change,
  server: string | undefined,
): WaitingChange | null => {
  const sending = waiting?.sending ?? null
  if (sending === null && next.wanted === server) return null
  const { kind, scope, id, field, wanted, large } = next
  return { kind, scope, id, field, wanted, sending, large }
}

/** Reads subjects' states on the platform, as cached. */
export type StateReader = (type: ChangeType, subject: ChangeSubject) => SubjectState

/** Reads each subject only once if all of its changes come in a row. Use it within one turn: it doesn't see writes. */
export const createStateReader = (): StateReader => {
  let last: { readonly subject: ChangeSubject; readonly type: ChangeType; readonly state: SubjectState } | null = null
  return (type, subject) => {
    const isSame =
      last !== null &&
      last.type.serverState === type.serverState &&
      last.subject.id === subject.id &&
      last.subject.scope === subject.scope &&
      last.subject.kind === subject.kind
    if (last === null || !isSame) last = { subject, type, state: type.serverState(subject) }
    return last.state
  }
}

/** Folds changes in order, each onto the previous result, without storing them. */
export class ChangeCoalescer {
  readonly #waiting: WaitingChanges
  readonly #read: StateReader
  readonly #writes: ChangeWrite[] = []
  readonly #layers = new SubjectMap<readonly WaitingChange[]>()

  constructor(waiting: WaitingChanges, read: StateReader) {
    this.#waiting = waiting
    this.#read = read
  }

  get writes(): readonly ChangeWrite[] {
    return this.#writes
  }

  put(write: ChangeWrite): void {
    this.#writes.push(write)
    this.#layers.set(write.target, withWrite(this.#layer(write.target), write))
  }

  fold(next: Change): void {
    const type = this.#waiting.typeOf(next)
    if (type.isNeverSent === true) {
      this.put({ target: next, change: null, own: next.wanted })
      return
    }
    const server = this.#waiting.serverOf(type, next, this.#read)
    const waiting = this.#layer(next)
    const before = waiting.find(({ field }) => field === next.field)
    if (type.fold !== undefined) {
      for (const write of type.fold(ofType(type, waiting), next, server)) this.put(write)
      return
    }
    const change = keepNewestValue(before, next, type.valueIn(server, next.field))
    this.put({ target: change ?? next, change })
  }

  has({ field, ...subject }: SubjectField): boolean {
    return this.#layer(subject).some((change) => change.field === field)
  }

  #layer(subject: ChangeSubject): readonly WaitingChange[] {
    return this.#layers.get(subject) ?? this.#waiting.of(subject)
  }
}

/** A large change that isn't completely sent. */
interface UnsentLargeChange {
  /** Kind of its subjects. */
  readonly kind: string
  /** Number of subjects with pending changes of it. */
  readonly subjects: number
}

/** A subject with pending changes. */
export interface WaitingSubject {
  readonly subject: ChangeSubject
  /** Oldest first. Most subjects have one change. */
  changes: readonly WaitingChange[]
}

interface WaitingListeners {
  /** Called when a field's pending change is removed. */
  readonly removed: (field: SubjectField) => void
  /** Called when a large change has more or fewer unsent subjects. */
  readonly progressed: () => void
}

/** In-memory copy of the pending changes, with the dependencies between them. */
export class WaitingChanges {
  readonly #types: readonly ChangeType[]
  readonly #listeners: WaitingListeners
  readonly #waiting = new SubjectMap<WaitingSubject>()
  readonly #own = new SubjectMap<Map<string, string>>()
  readonly #newIds = new Map<string, string>()
  /** Fields that wait for another field's change; the key is that other field. */
  readonly #dependents = new Map<string, Map<string, SubjectField>>()
  readonly #individual = new Set<WaitingSubject>()
  readonly #ofLarge = new Set<WaitingSubject>()
  /** Large changes that aren't completely sent, by ID, oldest first. */
  readonly #large = new Map<string, UnsentLargeChange>()
  #pending = 0

  constructor(types: readonly ChangeType[], listeners: WaitingListeners) {
    this.#types = types
    this.#listeners = listeners
  }

  isEmpty(): boolean {
    return this.#pending === 0
  }

  count(): number {
    return this.#pending
  }

  /** Subjects with pending changes that aren't part of a large change. */
  get individual(): ReadonlySet<Readonly<WaitingSubject>> {
    return this.#individual
  }

  /** Subjects whose pending changes all belong to large changes. */
  get ofLarge(): ReadonlySet<Readonly<WaitingSubject>> {
    return this.#ofLarge
  }

  get large(): ReadonlyMap<string, UnsentLargeChange> {
    return this.#large
  }

  find(target: SubjectField): WaitingChange | undefined {
    return this.of(target).find(({ field }) => field === target.field)
  }

  of(subject: ChangeSubject): readonly WaitingChange[] {
    return this.#waiting.get(subject)?.changes ?? NONE
  }

  /** Pending changes of a kind of subjects in an inbox. */
  within(where: Pick<ChangeSubject, 'kind' | 'scope'>): readonly WaitingChange[] {
    return this.#waiting.within(where).flatMap(({ changes }) => changes)
  }

  all(): readonly ChangeSubject[] {
    return [...this.#waiting.keys()]
  }

  remember(write: ChangeWrite): void {
    const { target, change, own } = write
    if (own !== undefined) {
      this.setLocalField({ ...target, value: own })
      return
    }
    const known = this.#waiting.get(target)
    const before = known?.changes ?? NONE
    const left = withWrite(before, write)
    this.#pending += left.length - before.length
    const entry = known ?? { subject: toChangeSubject(target), changes: left }
    entry.changes = left
    if (left.length === 0) this.#waiting.delete(target)
    else if (known === undefined) this.#waiting.set(target, entry)
    this.#updateDependents(target, change !== null)
    const isIndividual = left.some(({ large }) => large === undefined)
    this.#individual[isIndividual ? 'add' : 'delete'](entry)
    this.#ofLarge[left.length > 0 && !isIndividual ? 'add' : 'delete'](entry)
    this.#followLarge(target, before, left)
    if (change === null) this.#listeners.removed(target)
  }

  localFieldsOf(subject: ChangeSubject): SubjectState | undefined {
    return this.#own.get(subject)
  }

  subjectsWithLocalFields(): readonly ChangeSubject[] {
    return [...this.#own.keys()]
  }

  setLocalField({ field, value, ...subject }: LocalField): void {
    const fields = this.#own.get(subject) ?? new Map<string, string>()
    if (value === '') fields.delete(field)
    else fields.set(field, value)
    if (fields.size === 0) this.#own.delete(subject)
    else this.#own.set(subject, fields)
  }

  typeOf(field: SubjectField): ChangeType {
    const type = this.#types.find(({ owns }) => owns(field))
    if (type === undefined) throw new Error(`No change type owns the field ${field.field} of a ${field.kind}.`)
    return type
  }

  dependencyOf(field: SubjectField): SubjectField | undefined {
    return this.#types.find(({ owns }) => owns(field))?.waitsFor?.(field)
  }

  /** Changes that are ready to send or already in flight. */
  sendableOf(changes: readonly WaitingChange[]): readonly WaitingChange[] {
    return changes.filter((change) => {
      const other = this.typeOf(change).waitsFor?.(change)
      return other === undefined || this.find(other) === undefined || change.sending !== null
    })
  }

  /** Changes that depend on these fields. */
  dependentsOf(fields: readonly SubjectField[]): readonly WaitingChange[] {
    return fields.flatMap((field) =>
      [...(this.#dependents.get(fieldKey(field))?.values() ?? [])].flatMap((each) => this.find(each) ?? []),
    )
  }

  /** Records a subject's new ID. @returns writes that move its own changes, and those that depend on it, to that ID */
  replaceId({ kind, scope, was, id }: ReplacedId): readonly ChangeWrite[] {
    const former = { kind, scope, id: was }
    this.#newIds.set(subjectKey(former), id)
    this.#newIds.delete(subjectKey({ kind, scope, id }))
    const dependents = [...this.#dependents.values()].flatMap((fields) => {
      const [first] = fields.values()
      const other = first === undefined ? undefined : this.dependencyOf(first)
      return other === undefined || subjectKey(other) !== subjectKey(former) ? [] : this.dependentsOf([other])
    })
    return [...this.of(former), ...dependents].flatMap((change): ChangeWrite[] => {
      const target = { ...change, ...this.withCurrentIds(change) }
      // If the field was set again under the new ID, the newer value wins.
      const isOlder = this.find(target) !== undefined
      return [{ target: change, change: null }, ...(isOlder ? [] : [{ target, change: target }])]
    })
  }

  idNow({ kind, scope, id }: ChangeSubject): string {
    const seen = new Set<string>()
    let now = id
    for (let next: string | undefined = id; next !== undefined && !seen.has(next);) {
      now = next
      seen.add(now)
      next = this.#newIds.get(subjectKey({ kind, scope, id: now }))
    }
    return now
  }

  withCurrentIds<Named extends SubjectField>(named: Named): Named {
    if (this.#newIds.size === 0) return named
    const field = { ...named, id: this.idNow(named) }
    const type = this.typeOf(field)
    const other = type.waitsFor?.(field)
    return other === undefined || type.withId === undefined
      ? field
      : { ...field, ...type.withId(field, this.idNow(other)) }
  }

  /** The platform's state as cached. Leaves out the field if a change in flight may alter what it refers to. */
  serverOf(type: ChangeType, field: SubjectField, read: StateReader): SubjectState {
    if (type.isNeverSent === true) return this.#own.get(field) ?? NO_LOCAL_FIELDS
    const state = read(type, field)
    const other = type.waitsFor?.(field)
    const isSending = other !== undefined && (this.find(other)?.sending ?? null) !== null
    return isSending && state.has(field.field) ? new Map([...state].filter(([name]) => name !== field.field)) : state
  }

  shown(field: SubjectField, read: StateReader = createStateReader()): string | undefined {
    const type = this.typeOf(field)
    const server = (): SubjectState => this.serverOf(type, field, read)
    if (type.shown !== undefined) return type.shown(ofType(type, this.of(field)), field.field, server)
    return this.find(field)?.wanted ?? type.valueIn(server(), field.field)
  }

  /** Adds old values and drops changes without effect. */
  *madeOf(changes: Iterable<ChangeRequest>, read: StateReader): Generator<UndoableChange> {
    for (const { wanted: after, before: named, kind, scope, id, field } of changes) {
      const target = this.withCurrentIds({ kind, scope, id, field })
      const isUnknown = named === UNKNOWN && this.typeOf(target).readsBeforeWrite === true
      const before = (isUnknown ? this.find(target)?.wanted : this.shown(target, read)) ?? named
      if (before !== undefined && before !== after) yield { ...target, before, after }
    }
  }

  /** Inverses of changes that are still in effect and that `mayTurn` allows. Uncached fields count as unchanged. */
  *inversesOf(
    made: readonly UndoableChange[],
    read: StateReader,
    mayTurn: (change: WaitingChange | undefined) => boolean = () => true,
  ): Generator<UndoableChange> {
    // Side effects on other subjects can be undone although what they refer to is gone: it is restored along with them.
    const restored = new Set(
      made.flatMap((change) =>
        this.typeOf(change).cascades === undefined ? [] : [fieldKey(this.withCurrentIds(change))],
      ),
    )
    for (const named of made.toReversed()) {
      const change = this.withCurrentIds(named)
      // The platform already had this value before the change.
      if (change.before === change.after) continue
      const type = this.typeOf(change)
      // The change was undone before its old value was known. It counts as unchanged if nothing is pending.
      const isUnknown = type.readsBeforeWrite === true && change.after === UNKNOWN
      const now = (isUnknown ? this.find(change)?.wanted : this.shown(change, read)) ?? change.after
      const isInEffect = type.isInEffect?.(change.field, now, change.after) ?? now === change.after
      if (!isInEffect || !mayTurn(this.find(change))) continue
      if (type.isDeleted?.(change) === true) continue
      const other = type.waitsFor?.(change)
      const isRestored = other !== undefined && restored.has(fieldKey(other))
      if (!isRestored && type.isObsolete?.(change) === true) continue
      const server = type.valueIn(this.serverOf(type, change, read), change.field)
      const isSending = (this.find(change)?.sending ?? null) !== null
      yield { ...change, before: now, after: type.inverse(change, server, isSending) }
    }
  }

  /** Folds unsent changes again. @param state the subject's state on the platform */
  foldAgain(unsent: readonly WaitingChange[], state: SubjectState): readonly ChangeWrite[] {
    const folding = new ChangeCoalescer(this, () => state)
    for (const change of unsent) folding.put({ target: change, change: { ...change, sending: null } })
    // An earlier change may have cancelled a later one.
    for (const change of unsent) if (folding.has(change)) folding.fold(change)
    return folding.writes
  }

  #followLarge({ kind }: ChangeSubject, before: readonly WaitingChange[], left: readonly WaitingChange[]): void {
    const count = (id: string, difference: 1 | -1): void => {
      const subjects = (this.#large.get(id)?.subjects ?? 0) + difference
      if (subjects === 0) this.#large.delete(id)
      else this.#large.set(id, { kind, subjects })
      this.#listeners.progressed()
    }
    for (const id of largeIdsOf(left)) if (!largeIdsOf(before).includes(id)) count(id, 1)
    for (const id of largeIdsOf(before)) if (!largeIdsOf(left).includes(id)) count(id, -1)
  }

  /** Updates the fields that this one waits for. */
  #updateDependents(target: SubjectField, isWaiting: boolean): void {
    const other = this.dependencyOf(target)
    if (other === undefined) return
    const key = fieldKey(other)
    const fields = this.#dependents.get(key) ?? new Map<string, SubjectField>()
    if (isWaiting) fields.set(fieldKey(target), target)
    else fields.delete(fieldKey(target))
    if (fields.size === 0) this.#dependents.delete(key)
    else this.#dependents.set(key, fields)
  }
}
