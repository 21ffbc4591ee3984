import type { ReturnReason } from './thread-marks.ts'

/** An unseen thread with new mail, for a desktop notification. */
export interface ArrivedThread {
  readonly threadId: string
  /** From header of the newest e-mail. */
  readonly from: string | null
  readonly subject: string | null
  /** Start of the newest e-mail's text, if stored locally. */
  readonly snippet: string | null
  readonly labelNames: readonly string[]
}

export interface ArrivedMail {
  readonly inboxId: string
  /** Newest first, at most MAX_ARRIVED. */
  readonly threads: readonly ArrivedThread[]
  /** Total, including omitted ones. */
  readonly count: number
  /** Reason for returning without new mail: the snooze ended, or nobody replied. Omitted for new mail. */
  readonly why?: ReturnReason
}

/** More notifications than these go unread. */
export const MAX_ARRIVED = 5
