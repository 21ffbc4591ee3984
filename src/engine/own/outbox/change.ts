/** Types of the change queue. Values are text; only the change types (`changes/`) know their meaning. */

/** A thread, contact or label, for example. Its changes are sent one after the other. */
export interface ChangeSubject {
  readonly kind: string
  /** Inbox of a thread or label; empty for account-wide subjects. */
  readonly scope: string
  readonly id: string
}

/** Fields are changed and undone independently. */
export interface SubjectField extends ChangeSubject {
  readonly field: string
}

/** Values are always text: `true`, `archive`, `opt_in`. */
export interface Change extends SubjectField {
  readonly wanted: string
  /** ID of the large change it belongs to, if any. */
  readonly large?: string | undefined
}

export interface WaitingChange extends Change {
  /** Value being sent, or null. */
  readonly sending: string | null
}

export interface UndoableChange extends SubjectField {
  readonly before: string
  readonly after: string
}

/** Stands for an old value that only the platform knows, and that is read before a large change is sent. */
export const UNKNOWN = ''

/** @property before the old value if it may not be cached, or `UNKNOWN` */
export interface ChangeRequest extends Change {
  readonly before?: string
}

/** A stored change, for undo. */
export interface UndoRecord {
  readonly id: string
  readonly changes: readonly UndoableChange[]
  /** Number of subjects of a large change that must be sent; null for individual changes. */
  readonly subjects?: number | null
  /** The change that this one undoes, if any. */
  readonly undoes?: string | null
}

/** ID that redoes the change; `nothing` if nothing was left to undo; null for an unknown change. */
export type UndoResult = { readonly changeId: string } | 'nothing' | null

/** The platform's field values by name; missing fields have no entry. */
export type SubjectState = ReadonlyMap<string, string>

/** A field to write; `change` is null if nothing is left to send. */
export interface ChangeWrite {
  readonly target: SubjectField
  readonly change: WaitingChange | null
  /** Value of a local-only field (`ChangeType.isNeverSent`), empty for none; omitted for other fields. */
  readonly own?: string
}

/** A stored local-only field. */
export interface LocalField extends SubjectField {
  readonly value: string
}

/** A subject whose ID on the platform differs from its first, local one. */
export interface ReplacedId {
  readonly kind: string
  readonly scope: string
  readonly was: string
  readonly id: string
}

export const toChangeSubject = ({ kind, scope, id }: ChangeSubject): ChangeSubject => ({ kind, scope, id })
export const subjectKey = ({ kind, scope, id }: ChangeSubject): string => JSON.stringify([kind, scope, id])
export const parseSubjectKey = (key: string): ChangeSubject => {
  const [kind = '', scope = '', id = ''] = JSON.parse(key) as readonly string[]
  return { kind, scope, id }
}
export const fieldKey = ({ kind, scope, id, field }: SubjectField): string => JSON.stringify([kind, scope, id, field])

/** Values by subject. Needs no key of its own for each subject: there may be a million. */
export class SubjectMap<Value> {
  readonly #byKind = new Map<string, Map<string, Map<string, Value>>>()

  get({ kind, scope, id }: ChangeSubject): Value | undefined {
    return this.#byKind.get(kind)?.get(scope)?.get(id)
  }

  set({ kind, scope, id }: ChangeSubject, value: Value): void {
    const byScope = this.#byKind.get(kind) ?? new Map<string, Map<string, Value>>()
    const byId = byScope.get(scope) ?? new Map<string, Value>()
    this.#byKind.set(kind, byScope)
    byScope.set(scope, byId)
    byId.set(id, value)
  }

  delete({ kind, scope, id }: ChangeSubject): void {
    this.#byKind.get(kind)?.get(scope)?.delete(id)
  }

  /** Values of a kind in an inbox. */
  within({ kind, scope }: Pick<ChangeSubject, 'kind' | 'scope'>): readonly Value[] {
    return [...(this.#byKind.get(kind)?.get(scope)?.values() ?? [])]
  }

  *keys(): Generator<ChangeSubject> {
    for (const [kind, byScope] of this.#byKind) {
      for (const [scope, byId] of byScope) for (const id of byId.keys()) yield { kind, scope, id }
    }
  }
}

export const dedupeSubjects = (subjects: Iterable<ChangeSubject>): readonly ChangeSubject[] => {
  const set = new SubjectMap<true>()
  for (const subject of subjects) set.set(subject, true)
  return [...set.keys()]
}

/** Remainder of a change whose sent value was accepted, or null. */
export const computeAcceptedRemainder = (change: WaitingChange): WaitingChange | null =>
  change.wanted === change.sending ? null : { ...change, sending: null }

/** Remainder of a change whose sent value was rejected: null unless the user has changed it since. */
export const computeRejectedRemainder = (change: WaitingChange, server: string | undefined): WaitingChange | null =>
  change.wanted === change.sending || change.wanted === server ? null : { ...change, sending: null }
