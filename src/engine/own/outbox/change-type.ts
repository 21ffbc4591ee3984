import type { Problem } from '../../../shared/result.ts'
import type {
  Change,
  ChangeWrite,
  SubjectField,
  UndoableChange,
  ChangeSubject,
  SubjectState,
  WaitingChange,
} from './change.ts'

/**
 * The missing thing behind a not-found response, determined by further requests: the `subject` itself, its `inbox`,
 * only the target of the `change` (a label of a thread, a topic, an operation that isn't offered), or `nothing` if the
 * platform contradicts itself.
 */
export type MissingResource = 'subject' | 'inbox' | 'change' | 'nothing'

/** A change that the platform rejected for good and that was rolled back. */
export interface RejectedChange {
  readonly problem: Problem
  readonly missing: MissingResource
  /** Fields reset to the platform's values. */
  readonly fields: readonly string[]
  /** Values that the user wanted for them. */
  readonly wanted: readonly string[]
}

export interface ChangeResponse {
  readonly store: () => void
  /** The platform's ID, if it differs from the local one. */
  readonly id?: string
}

/** The pure part of a change type: no files, no requests. */
export interface ChangeTypeRules {
  /** Kind of the subjects whose fields it owns. */
  readonly kind: string
  readonly owns: (field: SubjectField) => boolean
  /** The platform's value of a field, if known. */
  readonly valueIn: (state: SubjectState, field: string) => string | undefined
  /** Displayed value with pending changes; undefined if unknown. Default: the field's own pending change counts. */
  readonly shown?: (
    waiting: ReadonlyMap<string, WaitingChange>,
    field: string,
    server: () => SubjectState,
  ) => string | undefined
  /**
   * Folds a newer change into the pending ones. Default: the newest change of a field wins (`keepNewestValue`).
   * @param waiting unconfirmed changes of this type, by field
   * @returns the fields to write
   */
  readonly fold?: (
    waiting: ReadonlyMap<string, WaitingChange>,
    next: Change,
    server: SubjectState,
  ) => readonly ChangeWrite[]
  /** Changes to send in one request, including the first. @param candidates sendable ones, oldest first */
  readonly batch: (first: WaitingChange, candidates: readonly WaitingChange[]) => readonly WaitingChange[]
  /** Value that undoes a change. @param isSending true if a value of the field is in flight */
  readonly inverse: (made: UndoableChange, server: string | undefined, isSending: boolean) => string
  /** True if a value set earlier is still in effect and can be undone. Default: if the values are equal. */
  readonly isInEffect?: (field: string, now: string, set: string) => boolean
  /** Field whose change must be confirmed before this one is sent, if any. */
  readonly waitsFor?: (change: SubjectField) => SubjectField | undefined
  /** Returns the same field after the thing it refers to got another ID. */
  readonly withId?: (field: SubjectField, id: string) => SubjectField
}

export interface ChangeType extends ChangeTypeRules {
  /** True for local-only changes, whose values are stored next to the queue. An empty string means no value. */
  readonly isNeverSent?: true
  /** True if large changes must read the platform before they are sent: for the old value, and to skip matches. */
  readonly readsBeforeWrite?: true
  /** The platform's state of a subject, as cached. */
  readonly serverState: (subject: ChangeSubject) => SubjectState
  /** Sends the changes in one request. */
  readonly deliver: (
    subject: ChangeSubject,
    changes: readonly WaitingChange[],
    signal: AbortSignal,
  ) => Promise<ChangeResponse>
  /**
   * State after a lost response; null if it can't be determined. A change has arrived if the state contains its
   * `sending` value.
   */
  readonly look: (
    subject: ChangeSubject,
    changes: readonly WaitingChange[],
    signal: AbortSignal,
  ) => Promise<(ChangeResponse & { readonly state: SubjectState }) | null>
  /** Finds out what is missing after a not-found rejection. @throws if that can't be determined now */
  readonly findMissing: (
    subject: ChangeSubject,
    changes: readonly WaitingChange[],
    signal: AbortSignal,
  ) => Promise<MissingResource>
  /**
   * Side effects that the change has on other subjects on the platform, to be undone along with it. Pending changes
   * that depend on the field are dropped. Undefined if there are none.
   * @param dependents the pending changes that depend on the field, oldest first
   */
  readonly cascades?: (change: Change, dependents: readonly Change[]) => readonly UndoableChange[] | undefined
  /** True if what a field refers to is gone or being deleted, so it can't be changed. */
  readonly isObsolete?: (field: SubjectField) => boolean
  /** Updates views in the cache and notifies windows. Omitted if another type of the same kind does. */
  readonly show?: (subjects: readonly ChangeSubject[]) => void
  /** Describes a subject's changes, to be used in mid-sentence: `change to “Lunch”`. */
  readonly describe: (subject: ChangeSubject, wanted: readonly string[]) => string
  /** Reason for the rejection, as the end of a sentence; null if the platform's own message says it. */
  readonly describeMissing: (refusal: RejectedChange) => string | null
  /** Called when the platform no longer has the subject. */
  readonly isGone?: (subject: ChangeSubject) => void
  /** True if a subject dropped by the platform is kept locally: its changes are applied here instead of rolled back. */
  readonly isLocalOnly?: (subject: ChangeSubject) => boolean
  /** True if the user deleted the only copy of a subject, so its changes can't be undone. */
  readonly isDeleted?: (subject: ChangeSubject) => boolean
}

/** The usual rules: a field's value is in the state, is sent alone, and is undone by restoring the earlier one. */
export const COMMON_RULES = {
  valueIn: (state, field) => state.get(field),
  batch: (first) => [first],
  inverse: ({ before }) => before,
} satisfies Partial<ChangeTypeRules>

export const describeMissing =
  (subjectIsGone: string, changeIsGone = 'the platform does not support this kind of change.') =>
  ({ missing, problem }: Pick<RejectedChange, 'missing' | 'problem'>): string | null => {
    if (missing === 'subject') return subjectIsGone
    return problem.code === 'not_found' ? changeIsGone : null
  }
