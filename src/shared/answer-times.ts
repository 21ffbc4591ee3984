/** How long people waited for an answer, as the mail on this computer shows it. */

/** First answers to the threads that came in within some days. */
export interface FirstAnswers {
  readonly threads: number
  /** Half of them were answered sooner, milliseconds; null for none. */
  readonly median: number | null
}

export interface InboxAnswers {
  readonly inboxId: string
  readonly week: FirstAnswers
  readonly month: FirstAnswers
  /** The thread of a person that has waited longest in the folder inbox; null where none waits. */
  readonly longest: { readonly threadId: string; readonly subject: string | null; readonly since: number } | null
}

export interface AnswerTimes {
  readonly inboxes: readonly InboxAnswers[]
  /** Threads on this computer that are not looked through yet. */
  readonly waiting: number
}

/** When the e-mails of a thread came in and were sent, milliseconds since the epoch, in any order. */
export interface ThreadTimes {
  readonly received: readonly number[]
  readonly sent: readonly number[]
}

const least = (times: readonly number[]): number | null =>
  times.reduce<number | null>((first, time) => (first === null || time < first ? time : first), null)

/** When a thread came in and how long its first answer took; null for one that was begun here, or was never answered. */
export const firstAnswerOf = ({
  received,
  sent,
}: ThreadTimes): { readonly at: number; readonly took: number } | null => {
  const at = least(received)
  const first = least(sent)
  return at === null || first === null || first < at ? null : { at, took: first - at }
}

/** Since when a thread has waited for an answer; null where the last word is ours. */
export const waitingSince = ({ received, sent }: ThreadTimes): number | null => {
  const answered = sent.reduce((last, time) => Math.max(last, time), Number.NEGATIVE_INFINITY)
  return least(received.filter((time) => time > answered))
}

/** The middle one, or between the two in the middle; null for none. */
export const medianOf = (values: readonly number[]): number | null => {
  const ordered = values.toSorted((one, other) => one - other)
  const [low, high] = [ordered[Math.floor((ordered.length - 1) / 2)], ordered[Math.floor(ordered.length / 2)]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}
