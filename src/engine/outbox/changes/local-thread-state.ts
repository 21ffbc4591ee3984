import { RETURN_REASONS, type ReturnReason } from '../../../shared/thread-marks.ts'
import type { StateChange, ThreadState } from '../../../shared/thread-state.ts'
import type { StoredMarks as ShownMarks } from '../../store/pending-changes.ts'
import type { Change, SubjectState } from '../change.ts'
import type { ChangeType } from '../change-type.ts'
import { threadSubject } from './thread-change-base.ts'

/** Each mark is a field of the thread; empty text means none. */
const FIELDS = ['star', 'mute', 'snooze', 'remind', 'back', 'since'] as const
type MarkField = (typeof FIELDS)[number]

export interface StoredMarks extends ShownMarks {
  /** True if the snooze also archived the thread on the platform until it ends. */
  readonly isArchivedBySnooze: boolean
  /** The thread's activity time when its newest mark was set or last checked. Only later activity counts as new. */
  readonly since: number
}

const readTime = (text: string | undefined): number | null => {
  const time = text === undefined || text === '' ? Number.NaN : Number(text)
  return Number.isFinite(time) ? time : null
}

const writeBack = (at: number, why: ReturnReason, isSeen: boolean): string => `${at} ${why}${isSeen ? ' seen' : ''}`

const readBack = (text = ''): { readonly back: StoredMarks['back']; readonly isReturnSeen: boolean } => {
  const [time, named, seen] = text.split(' ')
  const at = readTime(time)
  const why = RETURN_REASONS.find((reason) => reason === named)
  return { back: at === null || why === undefined ? null : { at, why }, isReturnSeen: seen === 'seen' }
}

const writeSnooze = (until: number, isArchived: boolean): string => `${until}${isArchived ? ' archived' : ''}`

const readSnooze = (text = ''): Pick<StoredMarks, 'snoozedUntil' | 'isArchivedBySnooze'> => {
  const [time, archived] = text.split(' ')
  return { snoozedUntil: readTime(time), isArchivedBySnooze: archived === 'archived' }
}

export const readMarks = (kept: SubjectState): StoredMarks | undefined =>
  kept.size === 0
    ? undefined
    : {
        isStarred: kept.get('star') === 'true',
        isMuted: kept.get('mute') === 'true',
        ...readSnooze(kept.get('snooze')),
        remindAt: readTime(kept.get('remind')),
        ...readBack(kept.get('back')),
        since: readTime(kept.get('since')) ?? 0,
      }

const neverSent = (): Promise<never> => Promise.reject(new Error('Local thread marks are never sent.'))

/** Local-only marks such as stars and snoozes. @param show the change type that displays threads */
export const createThreadMarks = (show: Pick<ChangeType, 'show' | 'describe' | 'isDeleted'>): ChangeType => ({
  ...show,
  isNeverSent: true,
  owns: ({ kind, field }) => kind === 'thread' && FIELDS.some((own) => own === field),
  valueIn: (state, field) => state.get(field) ?? '',
  inverse: ({ before }) => before,
  serverState: () => new Map(),
  batch: (first) => [first],
  deliver: neverSent,
  look: neverSent,
  findMissing: neverSent,
  describeMissing: () => null,
  isGone: () => undefined,
})

const timeText = (time: number | null): string => (time === null ? '' : String(time))

/**
 * Changes to a thread's marks. Moving a thread ends its snooze and its return; moving it to the inbox unmutes it.
 * @param seen the thread as the user saw it
 */
export const threadMarkChanges = (
  inboxId: string,
  threadId: string,
  { folder, read, star, mute, snoozedUntil, remindAt }: StateChange,
  kept: StoredMarks | undefined,
  seen: (ThreadState & { readonly receivedAt: number }) | undefined,
): readonly Change[] => {
  const wanted: (readonly [MarkField, string])[] = []
  const looksOut = mute === true || typeof snoozedUntil === 'number' || typeof remindAt === 'number'
  if (star !== undefined) wanted.push(['star', star ? 'true' : ''])
  if (mute !== undefined) wanted.push(['mute', mute ? 'true' : ''])
  else if (folder === 'inbox') wanted.push(['mute', ''])
  if (typeof snoozedUntil === 'number') wanted.push(['snooze', writeSnooze(snoozedUntil, folder === 'archive')])
  else if (snoozedUntil === null) wanted.push(['snooze', ''])
  else if (folder !== undefined) wanted.push(['snooze', ''])
  if (remindAt !== undefined) wanted.push(['remind', timeText(remindAt)])
  if (folder !== undefined || typeof snoozedUntil === 'number') wanted.push(['back', ''])
  else if (read !== undefined && kept?.back) wanted.push(['back', writeBack(kept.back.at, kept.back.why, true)])
  if (looksOut && seen !== undefined) wanted.push(['since', String(seen.receivedAt)])
  const thread = threadSubject(inboxId, threadId)
  return wanted.map(([field, value]) => ({ ...thread, field, wanted: value }))
}

const FIELD_OF: Readonly<Record<ReturnReason, MarkField>> = { snoozed: 'snooze', unanswered: 'remind' }

/** @param at when the return was due, in milliseconds since the epoch */
export const returnChanges = (inboxId: string, threadId: string, at: number, why: ReturnReason): readonly Change[] => {
  const thread = threadSubject(inboxId, threadId)
  return [
    { ...thread, field: FIELD_OF[why], wanted: '' },
    { ...thread, field: 'back', wanted: writeBack(at, why, false) },
  ]
}

/** Changes for a thread that returned too early because the clock was ahead: it keeps waiting. */
export const revertReturnChanges = (
  inboxId: string,
  threadId: string,
  { at, why }: NonNullable<StoredMarks['back']>,
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
export const arrivalChanges = (
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
