/**
 * What a person keeps of a thread on this computer alone: the platform knows folders, labels and read state and nothing else.
 * In the cache a mark is a label that no platform has, so that lists, counts and search treat it as one.
 */

/** Each can be searched for by `is:`. `back` is a thread that has come back to the inbox by itself. */
export const MARKS = ['starred', 'muted', 'snoozed', 'reminder', 'back'] as const
export type Mark = (typeof MARKS)[number]

/** Why a thread came back: its snooze is over, or nobody has answered it in time. */
export const RETURN_REASONS = ['snoozed', 'unanswered'] as const
export type ReturnReason = (typeof RETURN_REASONS)[number]

/** The folder of this computer alone in which a snoozed thread is seen; the platform has it where it was. */
export const SNOOZED = 'snoozed'

/** Every time is in milliseconds since the epoch. */
export interface ThreadMarks {
  readonly isStarred: boolean
  readonly isMuted: boolean
  readonly snoozedUntil: number | null
  /** When it comes back unless somebody answers. */
  readonly remindAt: number | null
  /** That it came back, until it is put away again. */
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

/** The ID of the label that a mark is in the cache. Those of the platform are UUIDs (contract, Label). */
export const markLabelId = (mark: Mark): string => `${PREFIX}${mark}`

export const isMarkLabel = (labelId: string): boolean => labelId.startsWith(PREFIX)

export const marksOf = ({ isStarred, isMuted, snoozedUntil, remindAt, back }: ThreadMarks): readonly Mark[] => [
  ...(isStarred ? (['starred'] as const) : []),
  ...(isMuted ? (['muted'] as const) : []),
  ...(snoozedUntil === null ? [] : (['snoozed'] as const)),
  ...(remindAt === null ? [] : (['reminder'] as const)),
  ...(back === null ? [] : (['back'] as const)),
]
