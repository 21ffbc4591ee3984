import type { DraftState, DraftSummary, Recipient } from '../../../shared/writing.ts'
import { countOf } from '../../ui/format-quantity.ts'
import { formatFullDate, type DateStyle } from '../../ui/format-date.ts'

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

/** Where a draft stands, in words. @param isOnline whether the platform can be reached */
export const stateWords = (state: DraftState, isOnline: boolean, style: DateStyle): string | null => {
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
