import type { ReturnReason } from './thread-marks.ts'

/** A thread with new mail that nobody has seen, as a notice of the desktop tells of it. */
export interface ArrivedThread {
  readonly threadId: string
  /** Address, perhaps with a display name, of the newest e-mail's sender. */
  readonly from: string | null
  readonly subject: string | null
  /** The beginning of the newest e-mail's text, where that is here. */
  readonly snippet: string | null
  readonly labelNames: readonly string[]
}

export interface ArrivedMail {
  readonly inboxId: string
  /** Newest first, MOST_ARRIVED at most. */
  readonly threads: readonly ArrivedThread[]
  /** How many there are, also of those that are left out. */
  readonly count: number
  /** Why they are back, where no mail came: their snooze is over, or nobody answered. Left out for new mail. */
  readonly why?: ReturnReason
}

/** Nobody reads more notices than these one by one. */
export const MOST_ARRIVED = 5
