import type { DraftSummary, Recipient } from '../../../shared/drafts.ts'
import { formatCount, formatBytes } from '../../ui/format-quantity.ts'
import { formatFullDate, type DateStyle } from '../../ui/format-date.ts'
import { quoteSubject } from '../threads/describe-threads.ts'
import { describeObjection } from './describe-remote-replies.ts'

const nameOf = ({ name, address }: Recipient): string => name ?? address

export const describeRecipients = ({ to }: Pick<DraftSummary, 'to'>): string => {
  const [first, ...others] = to
  if (first === undefined) return 'No recipient yet'
  return `To ${nameOf(first)}${others.length === 0 ? '' : ` and ${formatCount(others.length, 'other')}`}`
}

/** Message about a draft that the platform has rejected, or null. */
export const describeSaveProblem = ({ notKept }: Pick<DraftSummary, 'notKept'>): string | null =>
  notKept === null ? null : `On this computer only. ${notKept.message}`

type Upload = NonNullable<DraftSummary['upload']>

/** At most 99 %: sent bytes may still be in system buffers until the platform confirms. */
const describeProgress = ({ done, total }: Upload): string =>
  `${Math.min(99, Math.floor((100 * done) / total))}% of ${formatBytes(total)}`

/** Upload progress of a message being sent. Null for drafts, because nobody waits for their uploads. */
const sendingUpload = ({ state, upload }: Pick<DraftSummary, 'state' | 'upload'>): Upload | null =>
  state.kind === 'sending' ? upload : null

/** Progress of a large message, such as `42% of 26 MB`; null if nothing is being uploaded. */
export const describeUpload = (draft: Pick<DraftSummary, 'state' | 'upload'>): string | null => {
  const upload = sendingUpload(draft)
  return upload === null ? null : describeProgress(upload)
}

/** Total upload progress for the status line; null if nothing is being uploaded. */
export const describeSending = (drafts: readonly Pick<DraftSummary, 'state' | 'upload'>[]): string | null => {
  const uploads = drafts.flatMap((draft) => sendingUpload(draft) ?? [])
  if (uploads.length === 0) return null
  const all = uploads.reduce((sum, { done, total }) => ({ done: sum.done + done, total: sum.total + total }))
  return `Sending ${describeProgress(all)}`
}

/** True if the message is being uploaded and can still be stopped. */
export const canStopSending = ({ state, upload }: Pick<DraftSummary, 'state' | 'upload'>): boolean =>
  state.kind === 'sending' && upload !== null && upload.done < upload.total

/** True if the message has not left yet, or its upload can be stopped. */
export const canTakeBack = (draft: Pick<DraftSummary, 'state' | 'upload'>): boolean =>
  draft.state.kind !== 'sending' || !draft.state.mayHaveLeft || canStopSending(draft)

/** True if the connection broke, so the message can be resent unchanged. */
export const canResend = ({ state }: Pick<DraftSummary, 'state'>): boolean =>
  state.kind === 'refused' && state.reason.isLineBroken === true

export const describeDraftState = (
  draft: Pick<DraftSummary, 'state' | 'upload'>,
  isOnline: boolean,
  { now, style }: { readonly now: number; readonly style: DateStyle },
): string | null => {
  const { state } = draft
  const upload = describeUpload(draft)
  if (upload !== null) return `Sending… ${upload}`
  switch (state.kind) {
    case 'open':
      return null
    case 'held':
      return state.objection === undefined
        ? `Sending in ${Math.max(1, Math.ceil((state.at - now) / 1_000))} s`
        : `Not sent yet: ${describeObjection(state.objection, now, style)}`
    case 'sending':
      if (isOnline) return 'Sending…'
      return !state.mayHaveLeft
        ? 'Waiting for a connection'
        : 'Connection lost while sending. When you are back online, Linnet will check whether the message was sent.'
    case 'scheduled':
      return `Scheduled for ${formatFullDate(state.at, style)}`
    case 'refused':
      return `Not sent: ${state.reason.message}`
  }
}

/**
 * True for a draft that waits for approval: a reply started elsewhere, by the agent or a colleague. The platform
 * doesn't report the author (platform.md 14.1).
 */
export const isAwaitingApproval = ({ isOurs, kind, state }: Pick<DraftSummary, 'isOurs' | 'kind' | 'state'>): boolean =>
  !isOurs && (kind === 'reply' || kind === 'replyAll') && state.kind === 'open'

/** True for drafts that the user can still edit: neither being sent nor scheduled. */
export const isEditableDraft = ({ state }: Pick<DraftSummary, 'state'>): boolean =>
  state.kind === 'open' || state.kind === 'refused'

export const formatDraftName = (subject: string | null): string =>
  subject === null || subject.trim() === '' ? 'draft' : `draft ${quoteSubject(subject)}`
