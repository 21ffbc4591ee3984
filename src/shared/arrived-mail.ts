import type { ResurfaceReason } from './thread-marks.ts'

/** An unseen thread with new mail, for a desktop notification. */
export interface ArrivedThread {
  readonly threadId: string
  /** From header of the thread's newest e-mail, or null. */
  readonly from: string | null
  readonly subject: string | null
  /** Start of the newest e-mail's text, if stored locally. */
  readonly snippet: string | null
  readonly labelNames: readonly string[]
}

export interface ArrivedMail {
  readonly inboxId: string
  /** Newest first, at most MAX_MAIL_NOTIFICATIONS. */
  readonly threads: readonly ArrivedThread[]
  /** Total number of threads, including omitted ones. */
  readonly count: number
  /** Why the thread returned without new mail: the snooze ended, or nobody replied. Omitted for new mail. */
  readonly why?: ResurfaceReason
}

/** Nobody reads more notifications than this at once. */
export const MAX_MAIL_NOTIFICATIONS = 5
