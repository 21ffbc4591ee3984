/** Types of the change queue. Values are text; only the change types (`changes/`) know their meaning. */

/** A thread, contact or label, for example. Its changes are sent one after the other. */
export interface Subject {
  readonly kind: string
  /** Inbox of a thread or label; empty for account-wide subjects. */
  readonly scope: string
  readonly id: string
}

/** Fields are changed and undone independently. */
export interface Field extends Subject {
  readonly field: string
}

/** Values are always text: `true`, `archive`, `opt_in`. */
export interface Change extends Field {
  readonly wanted: string
  /** ID of the large change it belongs to, if any. */
  readonly large?: string | undefined
}

export interface WaitingChange extends Change {
  /** Value being sent, or null. */
  readonly sending: string | null
}

export interface UndoableChange extends Field {
  readonly before: string
  readonly after: string
}

/** ID that redoes the change; `nothing` if nothing was left to undo; null for an unknown change. */
export type Undone = { readonly changeId: string } | 'nothing' | null

/** The platform's field values by name; missing fields have no entry. */
export type SubjectState = ReadonlyMap<string, string>

/** A field to write; `change` is null if nothing is left to send. */
export interface ChangeWrite {
  readonly target: Field
  readonly change: WaitingChange | null
  /** Value of a local-only field (`ChangeType.isNeverSent`), empty for none; omitted for other fields. */
  readonly own?: string
}

/** A stored local-only field. */
export interface LocalField extends Field {
  readonly value: string
}

/** A subject whose ID on the platform differs from its first, local one. */
export interface ReplacedId {
  readonly kind: string
  readonly scope: string
  readonly was: string
  readonly id: string
}

export const subjectOf = ({ kind, scope, id }: Subject): Subject => ({ kind, scope, id })
export const subjectKey = ({ kind, scope, id }: Subject): string => JSON.stringify([kind, scope, id])
export const subjectOfKey = (key: string): Subject => {
  const [kind = '', scope = '', id = ''] = JSON.parse(key) as readonly string[]
  return { kind, scope, id }
}
export const fieldKey = ({ kind, scope, id, field }: Field): string => JSON.stringify([kind, scope, id, field])

export const uniqueSubjects = (subjects: readonly Subject[]): readonly Subject[] => [
  ...new Map(subjects.map((subject) => [subjectKey(subject), subjectOf(subject)])).values(),
]

/** Remainder of a change whose sent value was accepted, or null. */
export const remainderIfAccepted = (change: WaitingChange): WaitingChange | null =>
  change.wanted === change.sending ? null : { ...change, sending: null }

/** Remainder of a change whose sent value was rejected: null unless the user has changed it since. */
export const remainderIfRejected = (change: WaitingChange, server: string | undefined): WaitingChange | null =>
  change.wanted === change.sending || change.wanted === server ? null : { ...change, sending: null }
