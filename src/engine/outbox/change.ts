/**
 * What the queue of changes is made of: texts that say what is to become of a field, whatever it is a field of. What they
 * mean is known to the types of changes alone (`changes/`).
 */

/** What a change is about: a thread, a contact, a label. Its changes are sent one after the other. */
export interface Subject {
  readonly kind: string
  /** The inbox of a thread or a label; empty for what belongs to the whole account. */
  readonly scope: string
  readonly id: string
}

/** A field of a subject: what is changed and undone by itself. */
export interface Field extends Subject {
  readonly field: string
}

/** What a person wants a field to be. Every value is text: `true`, `archive`, `opt_in`. */
export interface Change extends Field {
  readonly wanted: string
  /** The ID of the large change of which it is a part; left out for what a person changed by itself. */
  readonly large?: string | undefined
}

/** A change that the platform has not confirmed yet. */
export interface WaitingChange extends Change {
  /** The value that was sent and not answered yet. */
  readonly sending: string | null
}

/** A change as it was made: what was there before it and what was there after it, so that it can be undone. */
export interface MadeChange extends Field {
  readonly before: string
  readonly after: string
}

/** The ID that undoes the inverse, `nothing` where there was nothing left to undo; null for changes that are not known. */
export type Undone = { readonly changeId: string } | 'nothing' | null

/** A subject's fields, by their names, as the platform has them; what is not there has no entry. */
export type SubjectState = ReadonlyMap<string, string>

/** One field as it is to be kept: `change` null where nothing is left to send. */
export interface ChangeWrite {
  readonly target: Field
  readonly change: WaitingChange | null
  /** What is kept of a field that stays on this computer (`ChangeType.staysOwn`), empty for nothing; left out for others. */
  readonly own?: string
}

/** A field that stays on this computer, as it is kept. */
export interface OwnField extends Field {
  readonly value: string
}

/** A subject that the platform knows by another ID than it had here. */
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

/** Each of them once. */
export const uniqueSubjects = (subjects: readonly Subject[]): readonly Subject[] => [
  ...new Map(subjects.map((subject) => [subjectKey(subject), subjectOf(subject)])).values(),
]

/**
 * What is left of a change after the platform has taken what was sent.
 * @returns null where that was all
 */
export const confirm = (change: WaitingChange): WaitingChange | null =>
  change.wanted === change.sending ? null : { ...change, sending: null }

/**
 * What is left of a change after the platform has refused what was sent: nothing, unless the person has changed their
 * mind since.
 */
export const refuse = (change: WaitingChange, server: string | undefined): WaitingChange | null =>
  change.wanted === change.sending || change.wanted === server ? null : { ...change, sending: null }
