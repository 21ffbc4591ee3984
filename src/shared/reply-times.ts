/** Response times, computed from local mail. */

/** First replies to threads received within a number of days. */
export interface FirstReplies {
  readonly threads: number
  /** Milliseconds; null for none. */
  readonly median: number | null
}

export interface InboxAnswers {
  readonly inboxId: string
  readonly week: FirstReplies
  readonly month: FirstReplies
  /** The inbox thread from a person that has waited longest, or null. */
  readonly longest: { readonly threadId: string; readonly subject: string | null; readonly since: number } | null
}

export interface ReplyTimes {
  readonly inboxes: readonly InboxAnswers[]
  /** Local threads not analysed yet. */
  readonly waiting: number
}

/** Milliseconds since the epoch, unordered. */
export interface ThreadTimes {
  readonly received: readonly number[]
  readonly sent: readonly number[]
}

const least = (times: readonly number[]): number | null =>
  times.reduce<number | null>((first, time) => (first === null || time < first ? time : first), null)

/** Arrival of a thread and the time to its first reply; null if it was started here or never answered. */
export const firstReplyOf = ({
  received,
  sent,
}: ThreadTimes): { readonly at: number; readonly took: number } | null => {
  const at = least(received)
  const first = least(sent)
  return at === null || first === null || first < at ? null : { at, took: first - at }
}

/** Time of the oldest unanswered e-mail; null if the latest one is ours. */
export const waitingSince = ({ received, sent }: ThreadTimes): number | null => {
  const answered = sent.reduce((last, time) => Math.max(last, time), Number.NEGATIVE_INFINITY)
  return least(received.filter((time) => time > answered))
}

export const medianOf = (values: readonly number[]): number | null => {
  const ordered = values.toSorted((one, other) => one - other)
  const [low, high] = [ordered[Math.floor((ordered.length - 1) / 2)], ordered[Math.floor(ordered.length / 2)]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}
