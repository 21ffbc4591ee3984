import type { ThreadMarks } from '../../shared/thread-marks.ts'
import type { ThreadStateChange } from '../../shared/thread-state.ts'

/** Local marks of a thread, which the cache applies to the platform's state. */
export interface StoredMarks extends ThreadMarks {
  /** True if the thread was read after it returned to the inbox. */
  readonly isReturnSeen: boolean
}

/**
 * Pending thread changes. The cache applies them, so that responses can't make the user's changes flicker. Created in
 * `open-account-files.ts`, implemented by `Outbox.threadOverlay`.
 */
export interface PendingChanges {
  /** Unconfirmed changes to a thread, shown to the user right away. */
  readonly overlay: (inboxId: string, threadId: string) => ThreadStateChange | undefined
  readonly marks: (inboxId: string, threadId: string) => StoredMarks | undefined
  /**
   * True if a change was confirmed after this `Clock.elapsed` time. If so, a response requested earlier may be
   * outdated.
   */
  readonly confirmedSince: (inboxId: string, threadId: string, askedAt: number) => boolean
}
