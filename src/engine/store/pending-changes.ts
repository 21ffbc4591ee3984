import type { StateChange } from '../../shared/thread-state.ts'

/**
 * What the cache asks the outbox, so that no answer of the platform makes a person's change flicker. Made in
 * `open-account-files.ts`, answered by `Outbox.threadOverlay`.
 */
export interface PendingChanges {
  /** The changes of a thread that are on their way: what a person sees before the platform has confirmed them. */
  readonly overlay: (inboxId: string, threadId: string) => StateChange | undefined
  /**
   * Whether a change of the thread was confirmed after this moment: an answer that was asked for before it may bring
   * the old state. Milliseconds of `Clock.elapsed`.
   */
  readonly confirmedSince: (inboxId: string, threadId: string, askedAt: number) => boolean
}
