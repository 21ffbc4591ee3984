import type { DraftSummary, Recipient } from '../../../shared/writing.ts'
import { countOf, formatBytes } from '../../ui/format-quantity.ts'
import { formatFullDate, type DateStyle } from '../../ui/format-date.ts'
import { quotedSubject } from '../threads/named-threads.ts'

const nameOf = ({ name, address }: Recipient): string => name ?? address

/** Whom a draft goes to, in a few words. */
export const recipientWords = ({ to }: Pick<DraftSummary, 'to'>): string => {
  const [first, ...others] = to
  if (first === undefined) return 'No recipient yet'
  return `To ${nameOf(first)}${others.length === 0 ? '' : ` and ${countOf(others.length, 'other')}`}`
}

/** That the platform does not keep a draft, in words; null where it does, or is to. */
export const notKeptWords = ({ notKept }: Pick<DraftSummary, 'notKept'>): string | null =>
  notKept === null ? null : `On this computer only. ${notKept.message}`

type Upload = NonNullable<DraftSummary['upload']>

/** What has left Linnet may still lie in the system's buffers: it is whole once the platform says so. */
const farWords = ({ done, total }: Upload): string =>
  `${Math.min(99, Math.floor((100 * done) / total))}% of ${formatBytes(total)}`

/** Of a message on its way; of a draft that is only kept on the platform nobody waits for it. */
const leavingUpload = ({ state, upload }: Pick<DraftSummary, 'state' | 'upload'>): Upload | null =>
  state.kind === 'waiting' || state.kind === 'sending' ? upload : null

/** How far a large message is: `42% of 26 MB`; null where it is not on its way, or not for long. */
export const uploadWords = (draft: Pick<DraftSummary, 'state' | 'upload'>): string | null => {
  const upload = leavingUpload(draft)
  return upload === null ? null : farWords(upload)
}

/** The same of all that are on their way, for the status line; null where none is. */
export const sendingWords = (drafts: readonly Pick<DraftSummary, 'state' | 'upload'>[]): string | null => {
  const uploads = drafts.flatMap((draft) => leavingUpload(draft) ?? [])
  if (uploads.length === 0) return null
  const all = uploads.reduce((sum, { done, total }) => ({ done: sum.done + done, total: sum.total + total }))
  return `Sending ${farWords(all)}`
}

/** Whether a message is on its way, and can be stopped there. */
export const canStop = ({ state, upload }: Pick<DraftSummary, 'state' | 'upload'>): boolean =>
  state.kind === 'sending' && upload !== null && upload.done < upload.total

/** Whether the line broke it off, so that it can be sent again as it is. */
export const canSendAgain = ({ state }: Pick<DraftSummary, 'state'>): boolean =>
  state.kind === 'refused' && state.reason.isLineBroken === true

/** Where a draft stands, in words. @param isOnline whether the platform can be reached */
export const stateWords = (
  draft: Pick<DraftSummary, 'state' | 'upload'>,
  isOnline: boolean,
  style: DateStyle,
): string | null => {
  const { state } = draft
  const upload = uploadWords(draft)
  if (upload !== null) return `Sending… ${upload}`
  switch (state.kind) {
    case 'open':
      return null
    case 'held':
      return 'Sending in a moment'
    case 'waiting':
      return isOnline ? 'Sending…' : 'Waiting for the connection'
    case 'sending':
      return isOnline ? 'Sending…' : 'Connection lost while sending. Linnet checks when it is back.'
    case 'scheduled':
      return `Scheduled for ${formatFullDate(state.at, style)}`
    case 'refused':
      return `Not sent: ${state.reason.message}`
  }
}

/** Whether it is with the person: not on its way, and not scheduled. */
export const isWritten = ({ state }: Pick<DraftSummary, 'state'>): boolean =>
  state.kind === 'open' || state.kind === 'refused'

export const namedDraft = (subject: string | null): string =>
  subject === null || subject.trim() === '' ? 'draft' : `draft ${quotedSubject(subject)}`
