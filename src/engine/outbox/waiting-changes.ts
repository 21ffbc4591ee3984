import {
  fieldKey,
  subjectKey,
  subjectOf,
  subjectOfKey,
  type Change,
  type ChangeWrite,
  type Field,
  type MadeChange,
  type OwnField,
  type ReplacedId,
  type Subject,
  type SubjectState,
  type WaitingChange,
} from './change.ts'
import type { ChangeType } from './change-type.ts'

/** This many subjects are written and shown in one turn of the engine's thread; more go part by part. */
export const SUBJECTS_OF_TURN = 20

const NOTHING_OWN: SubjectState = new Map()

const ofType = (type: ChangeType, changes: Iterable<WaitingChange>): ReadonlyMap<string, WaitingChange> =>
  new Map([...changes].flatMap((change) => (type.owns(change) ? [[change.field, change] as const] : [])))

/**
 * Lays a newer change of one field over the one that waits: the newer takes its place. What the platform already has need
 * not be sent, unless something else is on its way there: archive, then un-archive, sends nothing.
 * @param server the platform's own value, where it is known
 * @returns null where nothing is left to send
 */
export const lastWins = (
  waiting: WaitingChange | undefined,
  next: Change,
  server: string | undefined,
): WaitingChange | null => {
  const sending = waiting?.sending ?? null
  if (sending === null && next.wanted === server) return null
  const { kind, scope, id, field, wanted, large } = next
  return { kind, scope, id, field, wanted, sending, large }
}

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

  /** @param state what the platform has of the subject; what the cache knows of that where it is left out */
  fold(next: Change, state?: SubjectState): void {
    const type = this.#waiting.typeOf(next)
    if (type.staysOwn === true) {
      this.put({ target: next, change: null, own: next.wanted })
      return
    }
    const server = state ?? this.#waiting.serverOf(type, next)
    const waiting = this.#layer(next)
    const writes = type.fold?.(ofType(type, waiting.values()), next, server) ?? [
      { target: next, change: lastWins(waiting.get(next.field), next, type.valueIn(server, next.field)) },
    ]
    for (const write of writes) this.put(write)
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

/**
 * Called with each write that has changed what waits.
 * @param subject its key
 * @param was the large change of which the field was a part before
 * @param left all that waits of the subject now
 */
type Remembered = (write: ChangeWrite, subject: string, was: string | undefined, left: readonly WaitingChange[]) => void

/** Everything that waits, as the file holds it, and what the changes have to do with each other. */
export class WaitingChanges {
  readonly #types: readonly ChangeType[]
  readonly #remembered: Remembered
  /** By subject, then by field, in the order in which they were made. */
  readonly #waiting = new Map<string, Map<string, WaitingChange>>()
  /** What stays on this computer, by subject, then by field. */
  readonly #own = new Map<string, Map<string, string>>()
  readonly #newIds = new Map<string, string>()
  /** The fields that wait for another one's change to be confirmed, by that. */
  readonly #dependents = new Map<string, Map<string, Field>>()
  /** Blocked: every waiting change of these depends on another one. */
  readonly #blocked = new Set<string>()
  /** Subjects of which something waits that a person changed by itself. */
  readonly #ofPerson = new Set<string>()
  /** Subjects that wait as parts of large changes alone. */
  readonly #ofLarge = new Set<string>()
  #pending = 0
  /** Fields of which dependents still go by the ID that they had. */
  readonly renaming = new Map<string, Field>()

  constructor(types: readonly ChangeType[], remembered: Remembered) {
    this.#types = types
    this.#remembered = remembered
  }

  isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  /** How much waits, in fields. */
  count(): number {
    return this.#pending
  }

  /** The keys of subjects of which something waits that a person changed by itself. */
  get own(): ReadonlySet<string> {
    return this.#ofPerson
  }

  /** The keys of subjects that wait as parts of large changes alone. */
  get ofLarge(): ReadonlySet<string> {
    return this.#ofLarge
  }

  find(target: Field): WaitingChange | undefined {
    return this.#waiting.get(subjectKey(target))?.get(target.field)
  }

  /** What waits of a subject, in the order in which it was made. */
  of(subject: Subject): readonly WaitingChange[] {
    return [...(this.#waiting.get(subjectKey(subject))?.values() ?? [])]
  }

  /** The same by its key, and by field; undefined where nothing waits. */
  byKey(subject: string): ReadonlyMap<string, WaitingChange> | undefined {
    return this.#waiting.get(subject)
  }

  all(): readonly WaitingChange[] {
    return [...this.#waiting.values()].flatMap((changes) => [...changes.values()])
  }

  subjectsOf(keys: ReadonlySet<string>): readonly Subject[] {
    return [...keys].flatMap((key) => {
      const [first] = this.#waiting.get(key)?.values() ?? []
      return first === undefined ? [] : [subjectOf(first)]
    })
  }

  remember(write: ChangeWrite): void {
    const { target, change, own } = write
    const subject = subjectKey(target)
    if (own !== undefined) {
      this.keepOwn({ ...target, value: own })
      return
    }
    const changes = this.#waiting.get(subject) ?? new Map<string, WaitingChange>()
    const before = changes.get(target.field)
    this.#pending += Number(change !== null) - Number(before !== undefined)
    if (change === null) changes.delete(target.field)
    else changes.set(target.field, change)
    if (changes.size === 0) this.#waiting.delete(subject)
    else this.#waiting.set(subject, changes)
    this.#follow(target, change !== null)
    const left = [...changes.values()]
    const isOwn = left.some(({ large }) => large === undefined)
    this.#ofPerson[isOwn ? 'add' : 'delete'](subject)
    this.#ofLarge[left.length > 0 && !isOwn ? 'add' : 'delete'](subject)
    this.#remembered(write, subject, before?.large, left)
  }

  /** Whether anything stays on this computer. */
  hasOwn(): boolean {
    return this.#own.size > 0
  }

  /** What stays on this computer of a subject; undefined for nothing. */
  ownOf(subject: string): SubjectState | undefined {
    return this.#own.get(subject)
  }

  /** Every subject of which something stays on this computer. */
  ownSubjects(): readonly Subject[] {
    return [...this.#own.keys()].map(subjectOfKey)
  }

  keepOwn({ field, value, ...subject }: OwnField): void {
    const key = subjectKey(subject)
    const fields = this.#own.get(key) ?? new Map<string, string>()
    if (value === '') fields.delete(field)
    else fields.set(field, value)
    if (fields.size === 0) this.#own.delete(key)
    else this.#own.set(key, fields)
  }

  typeOf(field: Field): ChangeType {
    const type = this.#types.find(({ owns }) => owns(field))
    if (type === undefined) throw new Error(`No type of changes has the field ${field.field} of a ${field.kind}.`)
    return type
  }

  /** The field whose change has to be confirmed before this one's; undefined where there is none. */
  otherOf(field: Field): Field | undefined {
    return this.#types.find(({ owns }) => owns(field))?.waitsFor?.(field)
  }

  /** Those that may be sent, or were. */
  readyOf(changes: Iterable<WaitingChange>): readonly WaitingChange[] {
    return [...changes].filter((change) => change.sending !== null || this.#isReady(change))
  }

  isBlocked(subject: string): boolean {
    return this.#blocked.has(subject)
  }

  /** What waits for a field's change, and cannot be without it; some of it may still go by the ID that it had. */
  dependentsOf(ended: readonly Field[]): readonly WaitingChange[] {
    const keys = ended.map(fieldKey)
    const former = [...this.renaming].flatMap(([key, field]) =>
      keys.includes(fieldKey(this.fieldNow(field))) ? [key] : [],
    )
    return [...keys, ...former].flatMap((key) =>
      [...(this.#dependents.get(key)?.values() ?? [])].flatMap((field) => this.find(field) ?? []),
    )
  }

  hasDependents(field: string): boolean {
    return this.#dependents.has(field)
  }

  waitedFor(): readonly Field[] {
    return [...this.#dependents.values()].flatMap((fields) => {
      const [first] = fields.values()
      return first === undefined ? [] : (this.otherOf(first) ?? [])
    })
  }

  noteNewId({ kind, scope, was, id }: ReplacedId): void {
    this.#newIds.set(subjectKey({ kind, scope, id: was }), id)
    this.#newIds.delete(subjectKey({ kind, scope, id }))
  }

  hasNewId(subject: Subject): boolean {
    return this.#newIds.has(subjectKey(subject))
  }

  /** The ID of a subject today: another one where the platform has given it one since. */
  idNow({ kind, scope, id }: Subject): string {
    const seen = new Set<string>()
    let now = id
    for (let next: string | undefined = id; next !== undefined && !seen.has(next);) {
      now = next
      seen.add(now)
      next = this.#newIds.get(subjectKey({ kind, scope, id: now }))
    }
    return now
  }

  /** The same field by the IDs of today. */
  fieldNow<Named extends Field>(named: Named): Named {
    const field = { ...named, id: this.idNow(named) }
    const type = this.typeOf(field)
    const other = type.waitsFor?.(field)
    return other === undefined || type.withId === undefined
      ? field
      : { ...field, ...type.withId(field, this.idNow(other)) }
  }

  /** The platform's own state of a field's subject; what is on its way may make another of what the field speaks of. */
  serverOf(type: ChangeType, field: Field): SubjectState {
    if (type.staysOwn === true) return this.#own.get(subjectKey(field)) ?? NOTHING_OWN
    const state = type.serverState(field)
    const other = type.waitsFor?.(field)
    const isSending = other !== undefined && (this.find(other)?.sending ?? null) !== null
    return isSending && state.has(field.field) ? new Map([...state].filter(([name]) => name !== field.field)) : state
  }

  /** A field as a person sees it: as it waits, else as the platform has it; undefined where that is not known. */
  shown(field: Field): string | undefined {
    const type = this.typeOf(field)
    const server = (): SubjectState => this.serverOf(type, field)
    if (type.shown !== undefined) return type.shown(ofType(type, this.of(field)), field.field, server)
    return this.find(field)?.wanted ?? type.valueIn(server(), field.field)
  }

  /**
   * What was there before changes, for those that make a difference.
   * @param changes with what was there when they were named, for fields that are not known here any more
   * @param areOfLarge whether they are parts of a large change
   */
  madeOf(
    changes: readonly (Change & Partial<Pick<MadeChange, 'before'>>)[],
    areOfLarge = false,
  ): readonly MadeChange[] {
    return changes.flatMap(({ wanted, before: named, ...field }): MadeChange[] => {
      const target = this.fieldNow(field)
      const isAskedFirst = areOfLarge && this.typeOf(target).asksFirst === true
      const before = (isAskedFirst ? this.find(target)?.wanted : this.shown(target)) ?? named
      return before === undefined || before === wanted ? [] : [{ ...target, before, after: wanted }]
    })
  }

  /**
   * The inverse of changes: of those that nothing has changed since, and that `mayTurn` allows. Of a field that is not known
   * here any more nothing says that it was changed.
   */
  inversesOf(
    made: readonly MadeChange[],
    mayTurn: (change: WaitingChange | undefined) => boolean = () => true,
  ): readonly MadeChange[] {
    return made.toReversed().flatMap((named): MadeChange[] => {
      const change = this.fieldNow(named)
      // The platform had it so before.
      if (change.before === change.after) return []
      const type = this.typeOf(change)
      // What was undone before it was known is as it was for as long as nothing waits.
      const isUnknown = type.asksFirst === true && change.after === ''
      const now = isUnknown ? this.find(change)?.wanted : this.shown(change)
      if ((now ?? change.after) !== change.after || !mayTurn(this.find(change))) return []
      if (type.isDeleted?.(change) === true) return []
      const server = type.valueIn(this.serverOf(type, change), change.field)
      const isSending = (this.find(change)?.sending ?? null) !== null
      return [{ ...change, before: change.after, after: type.inverse(change, server, isSending) }]
    })
  }

  /** Folds changes anew of which nothing has arrived. @param state what the platform has of their subject */
  foldAgain(unsent: readonly WaitingChange[], state: SubjectState): readonly ChangeWrite[] {
    const folding = new Folding(this)
    for (const change of unsent) folding.put({ target: change, change: { ...change, sending: null } })
    // One of them may have taken another along.
    for (const change of unsent) if (folding.has(change)) folding.fold(change, state)
    return folding.writes
  }

  /** Whether nothing has to be confirmed before a change can be sent. */
  #isReady(change: WaitingChange): boolean {
    const other = this.typeOf(change).waitsFor?.(change)
    return other === undefined || (this.find(other) === undefined && !this.hasNewId(other))
  }

  /** A field waits, or no more: update what it waits for, and what waits for it. */
  #follow(target: Field, isWaiting: boolean): void {
    const other = this.otherOf(target)
    if (other !== undefined) {
      const key = fieldKey(other)
      const fields = this.#dependents.get(key) ?? new Map<string, Field>()
      if (isWaiting) fields.set(fieldKey(target), target)
      else fields.delete(fieldKey(target))
      if (fields.size === 0) this.#dependents.delete(key)
      else this.#dependents.set(key, fields)
    }
    this.#block(subjectKey(target))
    // What goes by a former ID is not sent before it goes by that of today.
    if (this.hasNewId(target)) return
    for (const dependent of this.#dependents.get(fieldKey(target))?.values() ?? []) this.#block(subjectKey(dependent))
  }

  #block(subject: string): void {
    const changes = this.#waiting.get(subject)
    this.#blocked[changes === undefined || this.readyOf(changes.values()).length > 0 ? 'delete' : 'add'](subject)
  }
}
