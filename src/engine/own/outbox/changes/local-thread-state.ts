import { RESURFACE_REASONS, type ResurfaceReason } from '../../../../shared/thread-marks.ts'
import type { ThreadStateChange, ThreadState } from '../../../../shared/thread-state.ts'
import type { StoredMarks as ShownMarks } from '../../../store/pending-changes.ts'
import type { Change, SubjectState } from '../change.ts'
import { COMMON_RULES, type ChangeType } from '../change-type.ts'
import { threadSubject, type ThreadChangeBase } from './thread-change-base.ts'

/** Each mark is a field of the thread; empty text means none. */
const FIELDS = ['star', 'mute', 'snooze', 'remind', 'back', 'since'] as const
type MarkField = (typeof FIELDS)[number]

export interface StoredThreadMarks extends ShownMarks {
  /** True if the snooze also archived the thread on the platform until it ends. */
  readonly isArchivedBySnooze: boolean
  /** The thread's activity time when its newest mark was set or last checked. Only later activity counts as new. */
  readonly since: number
}

const parseTime = (text: string | undefined): number | null => {
  const time = text === undefined || text === '' ? Number.NaN : Number(text)
  return Number.isFinite(time) ? time : null
}

const serializeReturn = (at: number, why: ResurfaceReason, isSeen: boolean): string =>
  `${at} ${why}${isSeen ? ' seen' : ''}`

const parseReturn = (text = ''): { readonly back: StoredThreadMarks['back']; readonly isReturnSeen: boolean } => {
  const [time, named, seen] = text.split(' ')
  const at = parseTime(time)
  const why = RESURFACE_REASONS.find((reason) => reason === named)
  return { back: at === null || why === undefined ? null : { at, why }, isReturnSeen: seen === 'seen' }
}

const serializeSnooze = (until: number, isArchived: boolean): string => `${until}${isArchived ? ' archived' : ''}`

const parseSnooze = (text = ''): Pick<StoredThreadMarks, 'snoozedUntil' | 'isArchivedBySnooze'> => {
  const [time, archived] = text.split(' ')
  return { snoozedUntil: parseTime(time), isArchivedBySnooze: archived === 'archived' }
}

export const toThreadMarks = (kept: SubjectState): StoredThreadMarks | undefined =>
  kept.size === 0
    ? undefined
    : {
        isStarred: kept.get('star') === 'true',
        isMuted: kept.get('mute') === 'true',
        ...parseSnooze(kept.get('snooze')),
        remindAt: parseTime(kept.get('remind')),
        ...parseReturn(kept.get('back')),
        since: parseTime(kept.get('since')) ?? 0,
      }

const neverSent = (): Promise<never> => Promise.reject(new Error('Local thread marks are never sent.'))

/** Local-only marks such as stars and snoozes. */
export const createThreadMarkChangeType = ({ common }: Pick<ThreadChangeBase, 'common'>): ChangeType => ({
  ...COMMON_RULES,
  ...common,
  isNeverSent: true,
  kind: 'thread',
  owns: ({ kind, field }) => kind === 'thread' && FIELDS.some((own) => own === field),
  valueIn: (state, field) => state.get(field) ?? '',
  deliver: neverSent,
  findMissing: neverSent,
  describeMissing: () => null,
})

/** Values of some marks as stored. */
type MarkValues = Readonly<Partial<Record<MarkField, string>>>

export const buildMarkChanges = (inboxId: string, threadId: string, marks: MarkValues): readonly Change[] =>
  Object.entries(marks).map(([field, wanted]) => ({ ...threadSubject(inboxId, threadId), field, wanted }))

/**
 * Marks that a user's change sets. Moving a thread ends its snooze and its return; moving it to the inbox unmutes it.
 * @param seen the thread as the user saw it
 */
export const marksOfChange = (
  { folder, read, star, mute, snoozedUntil, remindAt }: ThreadStateChange,
  kept: StoredThreadMarks | undefined,
  seen: (ThreadState & { readonly receivedAt: number }) | undefined,
): MarkValues => {
  const isSnoozed = typeof snoozedUntil === 'number'
  const looksOut = mute === true || isSnoozed || typeof remindAt === 'number'
  const isMoved = folder !== undefined
  const marks: MarkValues = {
    ...(star !== undefined && { star: star ? 'true' : '' }),
    ...(folder === 'inbox' && { mute: '' }),
    ...(mute !== undefined && { mute: mute ? 'true' : '' }),
    ...((snoozedUntil === null || isMoved) && { snooze: '' }),
    ...(isSnoozed && { snooze: serializeSnooze(snoozedUntil, folder === 'archive') }),
    ...(remindAt !== undefined && { remind: remindAt === null ? '' : String(remindAt) }),
    ...(read !== undefined && kept?.back && { back: serializeReturn(kept.back.at, kept.back.why, true) }),
    ...((isMoved || isSnoozed) && { back: '' }),
    ...(looksOut && seen !== undefined && { since: String(seen.receivedAt) }),
  }
  // Most threads have no marks to remove.
  return kept === undefined ? Object.fromEntries(Object.entries(marks).filter(([, value]) => value !== '')) : marks
}

const FIELD_OF: Readonly<Record<ResurfaceReason, MarkField>> = { snoozed: 'snooze', unanswered: 'remind' }

/** Ends a snooze or a reminder with the thread's return. @param at when it was due, in milliseconds since the epoch */
export const returned = (at: number, why: ResurfaceReason): MarkValues => ({
  [FIELD_OF[why]]: '',
  back: serializeReturn(at, why, false),
})

/** Reverses `returned`, for a thread that returned too early because the clock was ahead. */
export const notReturned = ({ at, why }: NonNullable<StoredThreadMarks['back']>): MarkValues => ({
  [FIELD_OF[why]]: String(at),
  back: '',
})
