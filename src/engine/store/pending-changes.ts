import type { ThreadMarks } from '../../shared/thread-marks.ts'
import type { StateChange } from '../../shared/thread-state.ts'

/** Local marks of a thread, which the cache applies to the platform's state. */
export interface StoredMarks extends ThreadMarks {
  /** True if it was read since it returned. */
  readonly isReturnSeen: boolean
}

/**
 * Pending thread changes, applied so that no response makes the user's change flicker. Created in
 * `open-account-files.ts`, implemented by `Outbox.threadOverlay`.
 */
export interface PendingChanges {
  /** Unconfirmed changes of a thread, shown to the user right away. */
  readonly overlay: (inboxId: string, threadId: string) => StateChange | undefined
  readonly marks: (inboxId: string, threadId: string) => StoredMarks | undefined
  /**
   * True if a change was confirmed after this time by `Clock.elapsed`. A response requested earlier may be outdated.
   */
  readonly confirmedSince: (inboxId: string, threadId: string, askedAt: number) => boolean
}
