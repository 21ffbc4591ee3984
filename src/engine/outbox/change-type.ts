import type { Problem } from '../../shared/result.ts'
import type { Change, ChangeWrite, Field, MadeChange, Subject, SubjectState, WaitingChange } from './change.ts'

/**
 * What is gone where the platform says that something is, found out by asking: the `subject` itself (the thread, contact
 * or label), its `inbox`, only what the `change` speaks of (a label of a thread, a topic, an operation that the platform
 * does not offer), or `nothing`: the platform contradicts itself.
 */
export type Missing = 'subject' | 'inbox' | 'change' | 'nothing'

/** A change that the platform will never take, and that was taken back. */
export interface Refusal {
  readonly problem: Problem
  readonly missing: Missing
  /** The fields that are as the platform has them again. */
  readonly fields: readonly string[]
  /** What a person wanted of each of them. */
  readonly wanted: readonly string[]
}

/** What the platform says of a subject. */
export interface Answer {
  readonly keep: () => void
  /** The platform's ID of the subject, where it was known here by another one. */
  readonly id?: string
}

/** The rules of a type of changes, free of files and requests. */
export interface ChangeRules {
  readonly owns: (field: Field) => boolean
  /** The platform's value of a field; undefined where it is not known. */
  readonly valueIn: (state: SubjectState, field: string) => string | undefined
  /**
   * A field as a person sees it: with what waits laid over what the platform has; undefined where neither is known. Left out
   * where that is what waits of the field itself, else the platform's value.
   */
  readonly shown?: (
    waiting: ReadonlyMap<string, WaitingChange>,
    field: string,
    server: () => SubjectState,
  ) => string | undefined
  /**
   * How a newer change folds onto what waits of its subject. Left out where the fields know nothing of each other: the newest
   * change of each is the one that counts (`lastWins`).
   * @param waiting the subject's changes of this type, by field, none of them confirmed
   * @param server the subject as the platform has it, as far as that is known
   * @returns the fields that are to be written anew
   */
  readonly fold?: (
    waiting: ReadonlyMap<string, WaitingChange>,
    next: Change,
    server: SubjectState,
  ) => readonly ChangeWrite[]
  /**
   * What goes in one request with the first of a subject's changes: itself at least.
   * @param candidates all of this type that may go now, in the order in which they were made, the first included
   */
  readonly together: (first: WaitingChange, candidates: readonly WaitingChange[]) => readonly WaitingChange[]
  /**
   * The inverse of a change: what is to be wanted so that it is undone.
   * @param server the platform's value; @param isSending whether a value of the field is on its way there
   */
  readonly inverse: (made: MadeChange, server: string | undefined, isSending: boolean) => string
  /** The field whose change has to be confirmed before this one can be sent; undefined where there is none. */
  readonly waitsFor?: (change: Field) => Field | undefined
  /** The same field where the subject that it speaks of has another ID. */
  readonly withId?: (field: Field, id: string) => Field
}

/** A type of changes: its rules, and how it speaks to the platform and to a person. */
export interface ChangeType extends ChangeRules {
  /**
   * A person's own: the changes of this type never go to the platform. What is wanted of a field is kept beside what waits;
   * an empty text is nothing. Left out for all others.
   */
  readonly staysOwn?: true
  /**
   * What is known here of a field does not count for a large change: the platform is asked right before each of its parts is
   * sent, what was there is kept to be undone, and nothing is sent where it is so already. Left out where it counts.
   */
  readonly asksFirst?: true
  /** What the cache knows of the platform's own state of a subject. */
  readonly serverState: (subject: Subject) => SubjectState
  /** Sends changes that go together, in one request. */
  readonly deliver: (subject: Subject, changes: readonly WaitingChange[], signal: AbortSignal) => Promise<Answer>
  /**
   * Asks the platform what has become of changes whose answer was lost. Null where it has no way to tell.
   * @param changes as they were sent: a state in which one of them has its `sending` says that it arrived
   */
  readonly look: (
    subject: Subject,
    changes: readonly WaitingChange[],
    signal: AbortSignal,
  ) => Promise<(Answer & { readonly state: SubjectState }) | null>
  /**
   * Asks the platform what is gone after it refused changes because something is.
   * @throws where that cannot be told now
   */
  readonly inquire: (subject: Subject, changes: readonly WaitingChange[], signal: AbortSignal) => Promise<Missing>
  /**
   * What a change does to other subjects by the platform's own doing, so that it is undone with it; all that waits for its
   * field is dropped. Undefined where it does nothing of the kind.
   * @param coming asks for what waits for the field, and what of large changes will, oldest first
   */
  readonly takesAlong?: (change: Change, coming: () => readonly Change[]) => readonly MadeChange[] | undefined
  /** Whether what a field speaks of is gone, or is to go: nothing can be wanted of it. */
  readonly isMoot?: (field: Field) => boolean
  /**
   * Lays what waits over the cache, and tells windows. Left out where another type shows the same subjects, or nothing is.
   * @param subjects of every kind; a type shows those of its own
   */
  readonly show?: (subjects: readonly Subject[]) => void
  /** What a person calls changes of a subject, in the middle of a sentence: `change to “Lunch”`. */
  readonly words: (subject: Subject, wanted: readonly string[]) => string
  /** Why the platform refused, where something is gone: the end of a sentence. Null where its own words say it. */
  readonly goneWords: (refusal: Refusal) => string | null
  /** The platform does not have the subject any more. */
  readonly isGone: (subject: Subject) => void
  /**
   * Whether a subject that the platform does not have any more is kept on this computer: its changes are not taken back
   * then but delivered here. Left out where nothing of the kind is.
   */
  readonly staysHere?: (subject: Subject) => boolean
  /** Whether a person has deleted the only copy of a subject: nothing of it can be undone. Left out where nobody can. */
  readonly isDeleted?: (subject: Subject) => boolean
}
