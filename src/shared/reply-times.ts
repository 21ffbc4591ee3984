/** First replies to the threads that arrived within a number of days. */
export interface FirstReplies {
  readonly threads: number
  /** Median time to reply in milliseconds; null if there are no replies. */
  readonly median: number | null
}

export interface InboxReplyTimes {
  readonly inboxId: string
  readonly week: FirstReplies
  readonly month: FirstReplies
  /**
   * The thread in the inbox that has waited longest for a reply, not counting automated mail; null if there is none.
   */
  readonly longest: { readonly threadId: string; readonly subject: string | null; readonly since: number } | null
}

export interface ReplyTimes {
  readonly inboxes: readonly InboxReplyTimes[]
  /** Number of local threads that aren't analysed yet. */
  readonly waiting: number
}

/** Times of a thread's e-mails, milliseconds since the epoch, unordered. */
export interface ThreadTimes {
  readonly received: readonly number[]
  readonly sent: readonly number[]
}

const minimum = (times: readonly number[]): number | null =>
  times.reduce<number | null>((first, time) => (first === null || time < first ? time : first), null)

/**
 * When a thread arrived and how long its first reply took; null if the user started the thread, or if it was never
 * answered.
 */
export const findFirstReply = ({
  received,
  sent,
}: ThreadTimes): { readonly at: number; readonly took: number } | null => {
  const at = minimum(received)
  const first = minimum(sent)
  return at === null || first === null || first < at ? null : { at, took: first - at }
}

/** Time of the oldest unanswered e-mail; null if the newest e-mail was sent by the user. */
export const findOldestUnansweredTime = ({ received, sent }: ThreadTimes): number | null => {
  const answered = sent.reduce((last, time) => Math.max(last, time), Number.NEGATIVE_INFINITY)
  return minimum(received.filter((time) => time > answered))
}

export const computeMedian = (values: readonly number[]): number | null => {
  const ordered = values.toSorted((one, other) => one - other)
  const [low, high] = [ordered[Math.floor((ordered.length - 1) / 2)], ordered[Math.floor(ordered.length / 2)]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}
