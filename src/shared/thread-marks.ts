/**
 * Local marks of a thread: the platform knows only folders, labels and read state. In the cache, a mark is a label that
 * no platform has, so lists, counts and search treat it as one.
 */

/** Each can be searched with `is:`. `back` is a thread that came back to the inbox on its own. */
export const MARKS = ['starred', 'muted', 'snoozed', 'reminder', 'back'] as const
export type Mark = (typeof MARKS)[number]

/** Why a thread came back: its snooze ended, or nobody replied in time. */
export const RETURN_REASONS = ['snoozed', 'unanswered'] as const
export type ReturnReason = (typeof RETURN_REASONS)[number]

/** Local folder that shows snoozed threads; the platform has them in another one. */
export const SNOOZED = 'snoozed'

/** All times are in milliseconds since the epoch. */
export interface ThreadMarks {
  readonly isStarred: boolean
  readonly isMuted: boolean
  readonly snoozedUntil: number | null
  /** When it comes back unless somebody replies. */
  readonly remindAt: number | null
  /** Set when it came back, until it is moved or snoozed. */
  readonly back: { readonly at: number; readonly why: ReturnReason } | null
}

export const NO_MARKS: ThreadMarks = {
  isStarred: false,
  isMuted: false,
  snoozedUntil: null,
  remindAt: null,
  back: null,
}

const PREFIX = 'mark:'

/** Label ID of a mark in the cache. The platform's are UUIDs (contract, Label). */
export const markLabelId = (mark: Mark): string => `${PREFIX}${mark}`

export const isMarkLabel = (labelId: string): boolean => labelId.startsWith(PREFIX)

export const marksOf = ({ isStarred, isMuted, snoozedUntil, remindAt, back }: ThreadMarks): readonly Mark[] => [
  ...(isStarred ? (['starred'] as const) : []),
  ...(isMuted ? (['muted'] as const) : []),
  ...(snoozedUntil === null ? [] : (['snoozed'] as const)),
  ...(remindAt === null ? [] : (['reminder'] as const)),
  ...(back === null ? [] : (['back'] as const)),
]
