import type { DraftContent, SendObjection, SendRefusal } from '../../../shared/drafts.ts'
import { ProblemError, createProblem } from '../../../shared/result.ts'
import { isDraftEditable, type FailedUploads, type LocalDraft, hasGivenUp } from '../../own/drafts/local-draft.ts'
import type { SendMethod, SendRecord } from '../../own/drafts/send-record.ts'
import { withToldReplies } from './send-objection.ts'
import { resetUploadAttempts } from './draft-transfers.ts'
import { describeFailedSend } from './sending-refusal.ts'

export type DraftStateKind = LocalDraft['state']['kind']

/** Everything that can happen to a draft. Times are milliseconds since the epoch. */
export type DraftEvent =
  /** The user changes the content. `revision` is the one that the edit is based on. */
  | { kind: 'edit'; revision: number; content: DraftContent; inboxId: string | undefined; at: number }
  | SendEvent
  /** The user consents to an objection, or repeats a message whose upload was interrupted. */
  | { kind: 'sendAgain'; fault: SendRefusal | null }
  /** The user chooses another time for a scheduled message. `key` replaces its Idempotency-Key. */
  | { kind: 'reschedule'; scheduledAt: number; key: string; fault: SendRefusal | null }
  | { kind: 'takeBack' }
  /** The undo period is over. */
  | { kind: 'due' }
  | { kind: 'objected'; objection: SendObjection }
  /** The check found no objection. */
  | { kind: 'cleared' }
  /** A request that sends the message is about to be made. `key` is its Idempotency-Key. */
  | { kind: 'asking'; key: string; way: SendMethod; at: number }
  /** The platform has the message: it sent it, or will at its scheduled time if that is after `at`. */
  | { kind: 'accepted'; emailId: string; way: SendMethod | null; at: number }
  | { kind: 'refused'; reason: SendRefusal }
  /**
   * A try ended without success. `askedAt` is the first time that a request may have arrived; null for never. `next`
   * replaces the Idempotency-Key and the method, which is chosen anew if null.
   */
  | { kind: 'lost'; askedAt: number | null; broken: FailedUploads | undefined; next?: Pick<SendRecord, 'key' | 'way'> }
  /** The platform has cancelled a scheduled message. */
  | { kind: 'cancelled' }
  /** The platform has another time for a scheduled message. */
  | { kind: 'moved'; at: number }

interface SendEvent {
  readonly kind: 'send'
  readonly revision: number
  /** The latest content and sender, to save with the message. */
  readonly content: DraftContent | undefined
  readonly inboxId: string | undefined
  readonly archive: boolean
  readonly scheduledAt: number | null
  /** The end of the undo period; null for none. */
  readonly holdUntil: number | null
  /** True to hold the message for consent if there is an objection. */
  readonly asksFirst: boolean
  /** A new Idempotency-Key. */
  readonly key: string
  /** Why the message cannot be sent as it is, or null. */
  readonly fault: SendRefusal | null
  readonly at: number
}

/**
 * Work that follows an event. `unarchive` comes before the draft is written, so that a crash can't leave the thread
 * hidden; everything else comes after, and can be repeated.
 * - `archive`, `unarchive`: move the draft's thread
 * - `continue`: look for objections, send the message, or finish a sent one, when the platform is reachable
 * - `save`: update the platform's copy
 * - `cancel`, `move`: cancel a scheduled message on the platform, or change its time
 */
export type DraftEffect = 'archive' | 'unarchive' | 'continue' | 'save' | 'cancel' | 'move'

export interface DraftStep {
  readonly draft: LocalDraft
  readonly effects: readonly DraftEffect[]
}

type Cell<Kind extends DraftEvent['kind']> = (
  draft: LocalDraft,
  event: Extract<DraftEvent, { readonly kind: Kind }>,
) => DraftStep

const BEING_SENT = 'This message is being sent. Undo sending before you change it.'
const ALREADY_SENDING = 'This message is already being sent.'
const CHANGED_IN_WINDOW = 'This draft was changed in another window. Open it again to see the changes.'
const TOO_LATE_TO_UNDO = 'This message is being sent or was already sent. It is too late to undo.'
const TAKEN_BACK = 'This message is no longer being sent.'
const CANCELLED_ELSEWHERE: SendRefusal = {
  field: 'schedule',
  message: 'This message was cancelled elsewhere. It was not sent.',
}

const step = (draft: LocalDraft, ...effects: readonly DraftEffect[]): DraftStep => ({ draft, effects })
const stay = (draft: LocalDraft): DraftStep => step(draft)
const conflict = (message: string) => (): never => {
  throw createProblem('conflict', message)
}
const throwFault = (fault: SendRefusal | null): void => {
  if (fault === null) return
  throw new ProblemError({ code: 'refused', message: fault.message, details: { field: fault.field } })
}
const notScheduled = conflict('This message is not scheduled, or is already being sent.')

const withContent = (
  { isUntouched: _before, ...draft }: LocalDraft,
  { content, inboxId, at }: Pick<Extract<DraftEvent, { kind: 'edit' }>, 'content' | 'inboxId' | 'at'>,
): LocalDraft => ({
  ...{ ...draft, content, inboxId: inboxId ?? draft.inboxId, revision: draft.revision + 1 },
  // The edit may have fixed what was rejected; the next attempt to send will show.
  ...{ state: { kind: 'open' }, sending: null, updatedAt: at },
})

/** Returns a message to its writer. Its thread returns with it. */
const reopen = (draft: LocalDraft): DraftStep =>
  step({ ...draft, state: { kind: 'open' }, sending: null }, 'unarchive', 'save')

const refuse = (draft: LocalDraft, reason: SendRefusal, sending: SendRecord | null = null): DraftStep =>
  step({ ...draft, state: { kind: 'refused', reason }, sending }, 'unarchive')

const withoutArchiving = (sending: SendRecord): SendRecord => ({ ...sending, archivedBy: undefined })

const edit: Cell<'edit'> = (draft, event) => {
  if (draft.revision !== event.revision) throw createProblem('conflict', CHANGED_IN_WINDOW)
  return step(withContent(draft, event), 'save')
}

const send: Cell<'send'> = (before, event) => {
  const { content, inboxId, archive, scheduledAt, holdUntil, asksFirst, at } = event
  if (before.revision !== event.revision) throw createProblem('conflict', CHANGED_IN_WINDOW)
  if (before.theirs !== null) {
    throw createProblem('conflict', 'This draft was also changed elsewhere. Choose a version, then send it.')
  }
  throwFault(event.fault)
  const { isUntouched: _before, ...draft } =
    content === undefined ? before : withContent(before, { content, inboxId, at })
  // If the message may have arrived, repeat the same request.
  const { key, way, askedAt } =
    draft.sending?.scheduledAt === scheduledAt ? draft.sending : { key: event.key, way: null, askedAt: null }
  const sending: SendRecord = { key, archive, scheduledAt, way, askedAt, ...(asksFirst && { asksFirst }) }
  const next = { ...draft, ...resetUploadAttempts(draft), sending }
  return asksFirst || holdUntil !== null
    ? step(
        { ...next, state: { kind: 'held', at: holdUntil ?? at } },
        'archive',
        ...(asksFirst ? ['continue' as const] : []),
      )
    : step({ ...next, state: { kind: 'sending' } }, 'continue', 'archive')
}

const sendAgain: Cell<'sendAgain'> = (draft, { fault }) => {
  const { state, sending } = draft
  const isObjected = state.kind === 'held' && state.at === null
  const isBroken = state.kind === 'refused' && state.reason.isLineBroken === true
  if (sending === null || !(isObjected || isBroken)) {
    throw createProblem('conflict', 'This message was changed or is already being sent. Open it to check.')
  }
  throwFault(fault)
  const consented = { ...sending, asksFirst: undefined }
  return step(
    { ...draft, ...resetUploadAttempts(draft), state: { kind: 'sending' }, sending: consented },
    'continue',
    'archive',
  )
}

/** Changes the time of a message that is still here, so its request changes and gets a new key. */
const rescheduleHere: Cell<'reschedule'> = (draft, { scheduledAt, key, fault }) => {
  const { sending, state } = draft
  if (typeof sending?.scheduledAt !== 'number' || sending.askedAt !== null) return notScheduled()
  throwFault(fault)
  return step(
    { ...draft, sending: { ...sending, key, scheduledAt, way: null } },
    ...(state.kind === 'sending' ? (['continue'] as const) : []),
  )
}

const objected: Cell<'objected'> = (draft, { objection }) => {
  const { sending } = draft
  if (sending?.askedAt !== null) return stay(draft)
  return step(
    {
      ...withToldReplies(draft, objection.replies),
      ...{ state: { kind: 'held', at: null, objection }, sending: withoutArchiving(sending) },
    },
    'unarchive',
  )
}

const cleared: Cell<'cleared'> = (draft) =>
  step({ ...draft, sending: draft.sending && { ...draft.sending, asksFirst: undefined } })

const notBeingSent = (): never => {
  throw createProblem('cancelled', TAKEN_BACK)
}

const asking: Cell<'asking'> = (draft, { key, way, at }) => {
  const { sending } = draft
  // It may have been taken back and sent again.
  if (sending?.key !== key) return notBeingSent()
  return step({ ...draft, sending: { ...sending, way, askedAt: sending.askedAt ?? at } })
}

const accepted: Cell<'accepted'> = (draft, { emailId, way, at }) => {
  const sending = draft.sending && { ...draft.sending, way: way ?? draft.sending.way }
  const scheduledAt = sending?.scheduledAt ?? null
  return step(
    scheduledAt !== null && scheduledAt > at
      ? { ...draft, sending, state: { kind: 'scheduled', at: scheduledAt, emailId } }
      : { ...draft, sending, state: { kind: 'sent', emailId } },
  )
}

const lost: Cell<'lost'> = (draft, { askedAt, broken, next: request }) => {
  if (draft.sending === null) return stay(draft)
  const sending = { ...draft.sending, askedAt, ...request }
  const next = { ...draft, broken, sending }
  if (!hasGivenUp(next)) return step(next)
  // If an earlier try may have arrived, only repeating the same request avoids a duplicate.
  if (broken?.isStopped === true && askedAt === null) return reopen(next)
  return refuse(next, describeFailedSend(next), withoutArchiving(sending))
}

type Row = { readonly [Kind in DraftEvent['kind']]: Cell<Kind> }

/** Late news about a message that is no longer being sent. */
const IGNORED = {
  due: stay,
  objected: stay,
  cleared: stay,
  accepted: stay,
  refused: stay,
  lost: stay,
  cancelled: stay,
  moved: stay,
} as const

const WRITABLE: Row = {
  ...{ edit, send, sendAgain, reschedule: notScheduled, takeBack: stay, ...IGNORED },
  asking: notBeingSent,
}

const UNDER_WAY = {
  edit: conflict(BEING_SENT),
  send: conflict(ALREADY_SENDING),
  sendAgain,
  ...IGNORED,
} as const

/** The rules of writing and sending: for each state of a draft, what each event does to it. */
export const DRAFT_TABLE: Readonly<Record<DraftStateKind, Row>> = {
  open: WRITABLE,
  refused: WRITABLE,
  held: {
    ...UNDER_WAY,
    reschedule: rescheduleHere,
    takeBack: (draft) => reopen(draft),
    due: (draft) =>
      draft.state.kind === 'held' && draft.state.at === null
        ? stay(draft)
        : step({ ...draft, state: { kind: 'sending' } }, 'continue'),
    objected,
    cleared,
    asking: notBeingSent,
  },
  sending: {
    ...UNDER_WAY,
    reschedule: rescheduleHere,
    takeBack: (draft) => (draft.sending?.askedAt === null ? reopen(draft) : conflict(TOO_LATE_TO_UNDO)()),
    objected,
    cleared,
    asking,
    accepted,
    refused: (draft, { reason }) => refuse(draft, reason),
    lost,
  },
  scheduled: {
    ...UNDER_WAY,
    reschedule: (draft, { fault }) => {
      throwFault(fault)
      return step(draft, 'move')
    },
    // Written before the request: after a crash or a lost response, the cancellation still counts as ours.
    takeBack: (draft) =>
      draft.state.kind === 'scheduled'
        ? step({ ...draft, state: { ...draft.state, isCancelAsked: true } }, 'cancel')
        : stay(draft),
    asking: notBeingSent,
    accepted: (draft, { emailId }) => step({ ...draft, state: { kind: 'sent', emailId } }, 'continue'),
    refused: (draft, { reason }) => refuse(draft, reason),
    cancelled: (draft) =>
      draft.state.kind === 'scheduled' && draft.state.isCancelAsked === true
        ? reopen(draft)
        : refuse(draft, CANCELLED_ELSEWHERE),
    moved: (draft, { at }) =>
      draft.state.kind === 'scheduled' && draft.sending !== null
        ? step({ ...draft, state: { ...draft.state, at }, sending: { ...draft.sending, scheduledAt: at } })
        : stay(draft),
  },
  sent: {
    ...UNDER_WAY,
    reschedule: notScheduled,
    takeBack: conflict(TOO_LATE_TO_UNDO),
    asking: notBeingSent,
  },
}

/**
 * Applies an event to a draft.
 * @throws ProblemError `conflict` if the state doesn't allow it, `refused` with the field if the message cannot be sent
 * as it is, `cancelled` if a message to send was taken back
 */
export const applyToDraft = <Kind extends DraftEvent['kind']>(
  draft: LocalDraft,
  event: Extract<DraftEvent, { readonly kind: Kind }>,
): DraftStep => {
  const cell = DRAFT_TABLE[draft.state.kind][event.kind] as Cell<Kind>
  return cell(draft, event)
}

/** @throws ProblemError `conflict` while the draft is being sent */
export const checkWritable = (draft: LocalDraft): void => {
  if (!isDraftEditable(draft)) throw createProblem('conflict', BEING_SENT)
}
