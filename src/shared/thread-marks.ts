/**
 * Local marks of a thread, which the platform doesn't have: it knows only folders, labels and read state. The cache
 * stores a mark as a label with a reserved ID, so lists, counts and search treat it like any label.
 */

/** Marks that `is:` can search for. `back` marks a thread that returned to the inbox automatically. */
export const THREAD_MARKS = ['starred', 'muted', 'snoozed', 'reminder', 'back'] as const
export type ThreadMark = (typeof THREAD_MARKS)[number]

/** Why a thread returned: its snooze ended, or nobody replied in time. */
export const RESURFACE_REASONS = ['snoozed', 'unanswered'] as const
export type ResurfaceReason = (typeof RESURFACE_REASONS)[number]

/** Local folder that shows snoozed threads. On the platform, they are in another folder. */
export const SNOOZED_FOLDER = 'snoozed'

/** All times are in milliseconds since the epoch. */
export interface ThreadMarks {
  readonly isStarred: boolean
  readonly isMuted: boolean
  readonly snoozedUntil: number | null
  /** When the thread returns unless somebody replies. */
  readonly remindAt: number | null
  /** Set when the thread returns, until it is moved or snoozed. */
  readonly back: { readonly at: number; readonly why: ResurfaceReason } | null
}

export const NO_THREAD_MARKS: ThreadMarks = {
  isStarred: false,
  isMuted: false,
  snoozedUntil: null,
  remindAt: null,
  back: null,
}

const PREFIX = 'mark:'

/** Label ID of a mark in the cache. It can't collide with the platform's IDs, which are UUIDs (platform.md 8.3). */
export const toMarkLabelId = (mark: ThreadMark): string => `${PREFIX}${mark}`

const ASSIGNMENT = `${PREFIX}assigned:`

/** Label ID, in the cache, of threads that are assigned to this address in the platform's dashboard. */
export const toAssignmentLabelId = (address: string): string => ASSIGNMENT + address

/** The address in an ID from `toAssignmentLabelId`; null for other labels. */
export const parseAssignmentLabelId = (labelId: string): string | null =>
  labelId.startsWith(ASSIGNMENT) ? labelId.slice(ASSIGNMENT.length) : null

export const isMarkLabel = (labelId: string): boolean => labelId.startsWith(PREFIX)

export const listThreadMarks = ({
  isStarred,
  isMuted,
  snoozedUntil,
  remindAt,
  back,
}: ThreadMarks): readonly ThreadMark[] => [
  ...(isStarred ? (['starred'] as const) : []),
  ...(isMuted ? (['muted'] as const) : []),
  ...(snoozedUntil === null ? [] : (['snoozed'] as const)),
  ...(remindAt === null ? [] : (['reminder'] as const)),
  ...(back === null ? [] : (['back'] as const)),
]
