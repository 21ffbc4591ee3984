import type { ThreadMarks } from '../../shared/thread-marks.ts'
import type { StateChange } from '../../shared/thread-state.ts'

/** What is kept of a thread, as the cache lays it over what the platform says. */
export interface KeptMarks extends ThreadMarks {
  /** Whether it was read since it came back. */
  readonly isBackSeen: boolean
}

/**
 * What the cache asks the outbox, so that no answer of the platform makes a person's change flicker. Made in
 * `open-account-files.ts`, answered by `Outbox.threadOverlay`.
 */
export interface PendingChanges {
  /** The changes of a thread that are on their way: what a person sees before the platform has confirmed them. */
  readonly overlay: (inboxId: string, threadId: string) => StateChange | undefined
  /** What a person keeps of a thread on this computer alone; undefined for nothing. */
  readonly marks: (inboxId: string, threadId: string) => KeptMarks | undefined
  /**
   * Whether a change of the thread was confirmed after this moment: an answer that was asked for before it may bring
   * the old state. Milliseconds of `Clock.elapsed`.
   */
  readonly confirmedSince: (inboxId: string, threadId: string, askedAt: number) => boolean
}
