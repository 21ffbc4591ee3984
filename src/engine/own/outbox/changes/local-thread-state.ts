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

const timeText = (time: number | null): string => (time === null ? '' : String(time))

/**
 * Changes to a thread's marks. Moving a thread ends its snooze and its return; moving it to the inbox unmutes it.
 * @param seen the thread as the user saw it
 */
export const buildThreadMarkChanges = (
  inboxId: string,
  threadId: string,
  { folder, read, star, mute, snoozedUntil, remindAt }: ThreadStateChange,
  kept: StoredThreadMarks | undefined,
  seen: (ThreadState & { readonly receivedAt: number }) | undefined,
): readonly Change[] => {
  const wanted: (readonly [MarkField, string])[] = []
  const looksOut = mute === true || typeof snoozedUntil === 'number' || typeof remindAt === 'number'
  if (star !== undefined) wanted.push(['star', star ? 'true' : ''])
  if (mute !== undefined) wanted.push(['mute', mute ? 'true' : ''])
  else if (folder === 'inbox') wanted.push(['mute', ''])
  if (typeof snoozedUntil === 'number') wanted.push(['snooze', serializeSnooze(snoozedUntil, folder === 'archive')])
  else if (snoozedUntil === null) wanted.push(['snooze', ''])
  else if (folder !== undefined) wanted.push(['snooze', ''])
  if (remindAt !== undefined) wanted.push(['remind', timeText(remindAt)])
  if (folder !== undefined || typeof snoozedUntil === 'number') wanted.push(['back', ''])
  else if (read !== undefined && kept?.back) wanted.push(['back', serializeReturn(kept.back.at, kept.back.why, true)])
  if (looksOut && seen !== undefined) wanted.push(['since', String(seen.receivedAt)])
  const thread = threadSubject(inboxId, threadId)
  // Most threads have no marks to remove.
  const effective = kept === undefined ? wanted.filter(([, value]) => value !== '') : wanted
  return effective.map(([field, value]) => ({ ...thread, field, wanted: value }))
}

const FIELD_OF: Readonly<Record<ResurfaceReason, MarkField>> = { snoozed: 'snooze', unanswered: 'remind' }

/** @param at when the return was due, in milliseconds since the epoch */
export const buildResurfaceChanges = (
  inboxId: string,
  threadId: string,
  at: number,
  why: ResurfaceReason,
): readonly Change[] => {
  const thread = threadSubject(inboxId, threadId)
  return [
    { ...thread, field: FIELD_OF[why], wanted: '' },
    { ...thread, field: 'back', wanted: serializeReturn(at, why, false) },
  ]
}

/** Changes for a thread that returned too early because the clock was ahead: it keeps waiting. */
export const revertResurfaceChanges = (
  inboxId: string,
  threadId: string,
  { at, why }: NonNullable<StoredThreadMarks['back']>,
): readonly Change[] => {
  const thread = threadSubject(inboxId, threadId)
  return [
    { ...thread, field: FIELD_OF[why], wanted: String(at) },
    { ...thread, field: 'back', wanted: '' },
  ]
}

/** Ends a thread's snooze and reminder without bringing it back. */
export const cancelReminderChanges = (inboxId: string, threadId: string): readonly Change[] => {
  const thread = threadSubject(inboxId, threadId)
  return (['snooze', 'remind'] as const).map((field) => ({ ...thread, field, wanted: '' }))
}

/**
 * Changes to a thread's marks when mail arrives in it. @param upTo time of the thread's latest activity @param over
 * marks that the mail ends
 */
export const buildArrivalChanges = (
  inboxId: string,
  threadId: string,
  upTo: number,
  over: { readonly snooze: boolean; readonly remind: boolean; readonly unanswered: boolean },
): readonly Change[] => {
  const thread = threadSubject(inboxId, threadId)
  return [
    ...(over.snooze ? [{ ...thread, field: 'snooze', wanted: '' }] : []),
    ...(over.remind ? [{ ...thread, field: 'remind', wanted: '' }] : []),
    ...(over.unanswered ? [{ ...thread, field: 'back', wanted: '' }] : []),
    { ...thread, field: 'since', wanted: String(upTo) },
  ]
}
