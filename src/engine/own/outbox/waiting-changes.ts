import {
  fieldKey,
  subjectKey,
  toChangeSubject,
  parseSubjectKey,
  type Change,
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

/** Subjects written and displayed per turn of the event loop. */
export const SUBJECTS_PER_TURN = 20

const NO_LOCAL_FIELDS: SubjectState = new Map()

const ofType = (type: ChangeType, changes: Iterable<WaitingChange>): ReadonlyMap<string, WaitingChange> =>
  new Map([...changes].flatMap((change) => (type.owns(change) ? [[change.field, change] as const] : [])))

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

/** Folds changes in order, each onto the previous result, without storing them. */
export class ChangeCoalescer {
  readonly #waiting: WaitingChanges
  readonly #writes: ChangeWrite[] = []
  readonly #layers = new Map<string, Map<string, WaitingChange>>()

  constructor(waiting: WaitingChanges) {
    this.#waiting = waiting
  }

  get writes(): readonly ChangeWrite[] {
    return this.#writes
  }

  put(write: ChangeWrite): void {
    this.#writes.push(write)
    if (write.change === null) this.#layer(write.target).delete(write.target.field)
    else this.#layer(write.target).set(write.target.field, write.change)
  }

  /** @param state the subject's state on the platform; read from the cache if omitted */
  fold(next: Change, state?: SubjectState): void {
    const type = this.#waiting.typeOf(next)
    if (type.isNeverSent === true) {
      this.put({ target: next, change: null, own: next.wanted })
      return
    }
    const server = state ?? this.#waiting.serverOf(type, next)
    const waiting = this.#layer(next)
    const writes = type.fold?.(ofType(type, waiting.values()), next, server) ?? [
      { target: next, change: keepNewestValue(waiting.get(next.field), next, type.valueIn(server, next.field)) },
    ]
    for (const write of writes) this.put(write)
  }

  has(field: SubjectField): boolean {
    return this.#layer(field).has(field.field)
  }

  #layer(subject: ChangeSubject): Map<string, WaitingChange> {
    const key = subjectKey(subject)
    const changes = this.#layers.get(key) ?? new Map(this.#waiting.byKey(key))
    this.#layers.set(key, changes)
    return changes
  }
}

/**
 * Called after each write that affects pending changes.
 * @param was ID of the large change that the field belonged to before the write
 * @param left all pending changes of the subject
 */
type WriteListener = (
  write: ChangeWrite,
  subject: string,
  was: string | undefined,
  left: readonly WaitingChange[],
) => void

/** In-memory copy of the pending changes, with the dependencies between them. */
export class WaitingChanges {
  readonly #types: readonly ChangeType[]
  readonly #onWrite: WriteListener
  /** Pending changes by subject, then by field, oldest first. */
  readonly #waiting = new Map<string, Map<string, WaitingChange>>()
  readonly #own = new Map<string, Map<string, string>>()
  readonly #newIds = new Map<string, string>()
  /** Fields that wait for another field's change; the key is that other field. */
  readonly #dependents = new Map<string, Map<string, SubjectField>>()
  /** Subjects whose pending changes all wait for others. */
  readonly #blocked = new Set<string>()
  /** Subjects with pending changes that aren't part of a large change. */
  readonly #individualSubjects = new Set<string>()
  /** Subjects whose pending changes all belong to large changes. */
  readonly #ofLarge = new Set<string>()
  #pending = 0
  /** Fields whose dependent changes still use the old ID. */
  readonly renaming = new Map<string, SubjectField>()

  constructor(types: readonly ChangeType[], remembered: WriteListener) {
    this.#types = types
    this.#onWrite = remembered
  }

  isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  count(): number {
    return this.#pending
  }

  get own(): ReadonlySet<string> {
    return this.#individualSubjects
  }

  get ofLarge(): ReadonlySet<string> {
    return this.#ofLarge
  }

  find(target: SubjectField): WaitingChange | undefined {
    return this.#waiting.get(subjectKey(target))?.get(target.field)
  }

  of(subject: ChangeSubject): readonly WaitingChange[] {
    return [...(this.#waiting.get(subjectKey(subject))?.values() ?? [])]
  }

  /** Pending changes by field. @param subject the subject's key */
  byKey(subject: string): ReadonlyMap<string, WaitingChange> | undefined {
    return this.#waiting.get(subject)
  }

  all(): readonly WaitingChange[] {
    return [...this.#waiting.values()].flatMap((changes) => [...changes.values()])
  }

  subjectsOf(keys: ReadonlySet<string>): readonly ChangeSubject[] {
    return [...keys].flatMap((key) => {
      const [first] = this.#waiting.get(key)?.values() ?? []
      return first === undefined ? [] : [toChangeSubject(first)]
    })
  }

  remember(write: ChangeWrite): void {
    const { target, change, own } = write
    const subject = subjectKey(target)
    if (own !== undefined) {
      this.setLocalField({ ...target, value: own })
      return
    }
    const changes = this.#waiting.get(subject) ?? new Map<string, WaitingChange>()
    const before = changes.get(target.field)
    this.#pending += Number(change !== null) - Number(before !== undefined)
    if (change === null) changes.delete(target.field)
    else changes.set(target.field, change)
    if (changes.size === 0) this.#waiting.delete(subject)
    else this.#waiting.set(subject, changes)
    this.#updateDependencies(target, change !== null)
    const left = [...changes.values()]
    const isOwn = left.some(({ large }) => large === undefined)
    this.#individualSubjects[isOwn ? 'add' : 'delete'](subject)
    this.#ofLarge[left.length > 0 && !isOwn ? 'add' : 'delete'](subject)
    this.#onWrite(write, subject, before?.large, left)
  }

  hasLocalFields(): boolean {
    return this.#own.size > 0
  }

  localFieldsOf(subject: ChangeSubject): SubjectState | undefined {
    return this.#own.get(subjectKey(subject))
  }

  subjectsWithLocalFields(): readonly ChangeSubject[] {
    return [...this.#own.keys()].map(parseSubjectKey)
  }

  setLocalField({ field, value, ...subject }: LocalField): void {
    const key = subjectKey(subject)
    const fields = this.#own.get(key) ?? new Map<string, string>()
    if (value === '') fields.delete(field)
    else fields.set(field, value)
    if (fields.size === 0) this.#own.delete(key)
    else this.#own.set(key, fields)
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
  sendableOf(changes: Iterable<WaitingChange>): readonly WaitingChange[] {
    return [...changes].filter((change) => {
      const other = this.typeOf(change).waitsFor?.(change)
      const isReady = other === undefined || (this.find(other) === undefined && !this.hasNewId(other))
      return isReady || change.sending !== null
    })
  }

  isBlocked(subject: string): boolean {
    return this.#blocked.has(subject)
  }

  /** Changes that depend on these fields, including those that still use an old ID. */
  dependentsOf(ended: readonly SubjectField[]): readonly WaitingChange[] {
    const keys = ended.map(fieldKey)
    const former = [...this.renaming].flatMap(([key, field]) =>
      keys.includes(fieldKey(this.withCurrentIds(field))) ? [key] : [],
    )
    return [...keys, ...former].flatMap((key) =>
      [...(this.#dependents.get(key)?.values() ?? [])].flatMap((field) => this.find(field) ?? []),
    )
  }

  hasDependents(field: string): boolean {
    return this.#dependents.has(field)
  }

  dependencies(): readonly SubjectField[] {
    return [...this.#dependents.values()].flatMap((fields) => {
      const [first] = fields.values()
      return first === undefined ? [] : (this.dependencyOf(first) ?? [])
    })
  }

  noteNewId({ kind, scope, was, id }: ReplacedId): void {
    this.#newIds.set(subjectKey({ kind, scope, id: was }), id)
    this.#newIds.delete(subjectKey({ kind, scope, id }))
  }

  hasNewId(subject: ChangeSubject): boolean {
    return this.#newIds.has(subjectKey(subject))
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
    const field = { ...named, id: this.idNow(named) }
    const type = this.typeOf(field)
    const other = type.waitsFor?.(field)
    return other === undefined || type.withId === undefined
      ? field
      : { ...field, ...type.withId(field, this.idNow(other)) }
  }

  /** The platform's state as cached. Leaves out the field if a change in flight may alter what it refers to. */
  serverOf(type: ChangeType, field: SubjectField): SubjectState {
    if (type.isNeverSent === true) return this.#own.get(subjectKey(field)) ?? NO_LOCAL_FIELDS
    const state = type.serverState(field)
    const other = type.waitsFor?.(field)
    const isSending = other !== undefined && (this.find(other)?.sending ?? null) !== null
    return isSending && state.has(field.field) ? new Map([...state].filter(([name]) => name !== field.field)) : state
  }

  shown(field: SubjectField): string | undefined {
    const type = this.typeOf(field)
    const server = (): SubjectState => this.serverOf(type, field)
    if (type.shown !== undefined) return type.shown(ofType(type, this.of(field)), field.field, server)
    return this.find(field)?.wanted ?? type.valueIn(server(), field.field)
  }

  /**
   * Adds old values and drops changes without effect. @param changes include `before` if the old value may no longer be
   * cached
   */
  madeOf(
    changes: readonly (Change & Partial<Pick<UndoableChange, 'before'>>)[],
    areOfLarge = false,
  ): readonly UndoableChange[] {
    return changes.flatMap(({ wanted, before: named, ...field }): UndoableChange[] => {
      const target = this.withCurrentIds(field)
      const needsOldValue = areOfLarge && this.typeOf(target).readsBeforeWrite === true
      const before = (needsOldValue ? this.find(target)?.wanted : this.shown(target)) ?? named
      return before === undefined || before === wanted ? [] : [{ ...target, before, after: wanted }]
    })
  }

  /** Inverses of changes that are still in effect and that `mayTurn` allows. Uncached fields count as unchanged. */
  inversesOf(
    made: readonly UndoableChange[],
    mayTurn: (change: WaitingChange | undefined) => boolean = () => true,
  ): readonly UndoableChange[] {
    return made.toReversed().flatMap((named): UndoableChange[] => {
      const change = this.withCurrentIds(named)
      // The platform already had this value before the change.
      if (change.before === change.after) return []
      const type = this.typeOf(change)
      // The change was undone before its old value was known. It counts as unchanged if nothing is pending.
      const isUnknown = type.readsBeforeWrite === true && change.after === ''
      const now = (isUnknown ? this.find(change)?.wanted : this.shown(change)) ?? change.after
      const isInEffect = type.isInEffect?.(change.field, now, change.after) ?? now === change.after
      if (!isInEffect || !mayTurn(this.find(change))) return []
      if (type.isDeleted?.(change) === true) return []
      const server = type.valueIn(this.serverOf(type, change), change.field)
      const isSending = (this.find(change)?.sending ?? null) !== null
      return [{ ...change, before: now, after: type.inverse(change, server, isSending) }]
    })
  }

  /** Folds unsent changes again. @param state the subject's state on the platform */
  foldAgain(unsent: readonly WaitingChange[], state: SubjectState): readonly ChangeWrite[] {
    const folding = new ChangeCoalescer(this)
    for (const change of unsent) folding.put({ target: change, change: { ...change, sending: null } })
    // An earlier change may have cancelled a later one.
    for (const change of unsent) if (folding.has(change)) folding.fold(change, state)
    return folding.writes
  }

  /** Updates the dependencies of a field in both directions. */
  #updateDependencies(target: SubjectField, isWaiting: boolean): void {
    const other = this.dependencyOf(target)
    if (other !== undefined) {
      const key = fieldKey(other)
      const fields = this.#dependents.get(key) ?? new Map<string, SubjectField>()
      if (isWaiting) fields.set(fieldKey(target), target)
      else fields.delete(fieldKey(target))
      if (fields.size === 0) this.#dependents.delete(key)
      else this.#dependents.set(key, fields)
    }
    this.#block(subjectKey(target))
    // Changes with an old ID are renamed before they are sent.
    if (this.hasNewId(target)) return
    for (const dependent of this.#dependents.get(fieldKey(target))?.values() ?? []) this.#block(subjectKey(dependent))
  }

  #block(subject: string): void {
    const changes = this.#waiting.get(subject)
    this.#blocked[changes === undefined || this.sendableOf(changes.values()).length > 0 ? 'delete' : 'add'](subject)
  }
}
