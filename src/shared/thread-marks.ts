/**
 * Local marks of a thread, which the platform doesn't have: it knows only folders, labels and read state. The cache
 * stores a mark as a label with a reserved ID, so lists, counts and search treat it like any label.
 */

/** Marks that `is:` can search for. `back` marks a thread that returned to the inbox automatically. */
export const MARKS = ['starred', 'muted', 'snoozed', 'reminder', 'back'] as const
export type Mark = (typeof MARKS)[number]

/** Why a thread returned: its snooze ended, or nobody replied in time. */
export const RETURN_REASONS = ['snoozed', 'unanswered'] as const
export type ReturnReason = (typeof RETURN_REASONS)[number]

/** Local folder that shows snoozed threads. On the platform, they are in another folder. */
export const SNOOZED = 'snoozed'

/** All times are in milliseconds since the epoch. */
export interface ThreadMarks {
  readonly isStarred: boolean
  readonly isMuted: boolean
  readonly snoozedUntil: number | null
  /** When the thread returns unless somebody replies. */
  readonly remindAt: number | null
  /** Set when the thread returns, until it is moved or snoozed. */
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

/** Label ID of a mark in the cache. It can't collide with the platform's IDs, which are UUIDs (contract, Label). */
export const markLabelId = (mark: Mark): string => `${PREFIX}${mark}`

export const isMarkLabel = (labelId: string): boolean => labelId.startsWith(PREFIX)

export const marksOf = ({ isStarred, isMuted, snoozedUntil, remindAt, back }: ThreadMarks): readonly Mark[] => [
  ...(isStarred ? (['starred'] as const) : []),
  ...(isMuted ? (['muted'] as const) : []),
  ...(snoozedUntil === null ? [] : (['snoozed'] as const)),
  ...(remindAt === null ? [] : (['reminder'] as const)),
  ...(back === null ? [] : (['back'] as const)),
]
