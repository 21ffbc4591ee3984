import { RETURN_REASONS, type ReturnReason } from '../../../shared/thread-marks.ts'
import type { StateChange, ThreadState } from '../../../shared/thread-state.ts'
import type { KeptMarks as ShownMarks } from '../../store/pending-changes.ts'
import type { Change, SubjectState } from '../change.ts'
import type { ChangeType } from '../change-type.ts'
import { threadSubject } from './thread-answers.ts'

/** Every mark is a field of a thread; none is an empty text. */
const FIELDS = ['star', 'mute', 'snooze', 'remind', 'back', 'since'] as const
type MarkField = (typeof FIELDS)[number]

/** What is kept of a thread. */
export interface KeptMarks extends ShownMarks {
  /** Whether the platform has it in the archive until its snooze is over: it was put there by the same change. */
  readonly isArchivedMeanwhile: boolean
  /** Later activity is news to the marks: the thread's own time when the newest of them was made, or last looked after. */
  readonly since: number
}

const readTime = (text: string | undefined): number | null => {
  const time = text === undefined || text === '' ? Number.NaN : Number(text)
  return Number.isFinite(time) ? time : null
}

/** When it came back, why, and whether it was read since. */
const writeBack = (at: number, why: ReturnReason, isSeen: boolean): string => `${at} ${why}${isSeen ? ' seen' : ''}`

const readBack = (text = ''): { readonly back: KeptMarks['back']; readonly isBackSeen: boolean } => {
  const [time, named, seen] = text.split(' ')
  const at = readTime(time)
  const why = RETURN_REASONS.find((reason) => reason === named)
  return { back: at === null || why === undefined ? null : { at, why }, isBackSeen: seen === 'seen' }
}

/** Until when, and whether it was archived with it. */
const writeSnooze = (until: number, isArchived: boolean): string => `${until}${isArchived ? ' archived' : ''}`

const readSnooze = (text = ''): Pick<KeptMarks, 'snoozedUntil' | 'isArchivedMeanwhile'> => {
  const [time, archived] = text.split(' ')
  return { snoozedUntil: readTime(time), isArchivedMeanwhile: archived === 'archived' }
}

/** What fields say; undefined for none. */
export const readMarks = (kept: SubjectState): KeptMarks | undefined =>
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

const neverSent = (): Promise<never> => Promise.reject(new Error('A mark stays on this computer.'))

/** Stars, snoozes and the like: they stay here. @param show what shows the threads */
export const createThreadMarks = (show: Pick<ChangeType, 'show' | 'words' | 'isDeleted'>): ChangeType => ({
  ...show,
  staysOwn: true,
  owns: ({ kind, field }) => kind === 'thread' && FIELDS.some((own) => own === field),
  valueIn: (state, field) => state.get(field) ?? '',
  inverse: ({ before }) => before,
  serverState: () => new Map(),
  together: (first) => [first],
  deliver: neverSent,
  look: neverSent,
  inquire: neverSent,
  goneWords: () => null,
  isGone: () => undefined,
})

const timeText = (time: number | null): string => (time === null ? '' : String(time))

/**
 * The marks that a change of a thread makes or ends. Whoever moves a thread has dealt with it: it is snoozed no more and is
 * not back, and one that is fetched into the inbox is not muted.
 * @param seen the thread as the person saw it
 */
export const threadMarkChanges = (
  inboxId: string,
  threadId: string,
  { folder, read, star, mute, snoozedUntil, remindAt }: StateChange,
  kept: KeptMarks | undefined,
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

/** A thread has come back. @param at when that was due, milliseconds since the epoch */
export const backChanges = (inboxId: string, threadId: string, at: number, why: ReturnReason): readonly Change[] => {
  const thread = threadSubject(inboxId, threadId)
  return [
    { ...thread, field: FIELD_OF[why], wanted: '' },
    { ...thread, field: 'back', wanted: writeBack(at, why, false) },
  ]
}

/** It came back before its time, as the computer's clock was ahead: it waits on. */
export const awayAgainChanges = (
  inboxId: string,
  threadId: string,
  { at, why }: NonNullable<KeptMarks['back']>,
): readonly Change[] => {
  const thread = threadSubject(inboxId, threadId)
  return [
    { ...thread, field: FIELD_OF[why], wanted: String(at) },
    { ...thread, field: 'back', wanted: '' },
  ]
}

/** Ends a thread's snooze and reminder without bringing it back. */
export const stopWaitingChanges = (inboxId: string, threadId: string): readonly Change[] => {
  const thread = threadSubject(inboxId, threadId)
  return (['snooze', 'remind'] as const).map((field) => ({ ...thread, field, wanted: '' }))
}

/** Mail has come into a thread. @param upTo the thread's activity. @param over the marks that this ends */
export const answeredChanges = (
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
