import { toVisibleText } from '../../../shared/visible-text.ts'
import type { UnsubscribeRecord, UnsubscribeOffer, UnsubscribeMethod } from '../../../shared/unsubscribe.ts'
import { formatClock, formatDay, formatShortDateTime, type DateStyle } from '../../ui/format-date.ts'

const DAY_MS = 24 * 60 * 60_000

/** `at 14:02` today, `on Sun, 3 May, 14:02` earlier, with the year if long ago. */
const momentOf = (at: number, now: number, style: DateStyle): string => {
  if (formatDay(at, style) === formatDay(now, style)) return `at ${formatClock(at, style)}`
  return Math.abs(now - at) < 300 * DAY_MS ? `on ${formatShortDateTime(at, style)}` : `on ${formatDay(at, style)}`
}

/** Describes the result of an unsubscribe request. Hosts appear in ASCII, so none can imitate another. */
export const describeUnsubscribeResult = (asked: UnsubscribeRecord, now: number, style: DateStyle): string => {
  const to = toVisibleText(asked.to)
  const when = momentOf(asked.at, now, style)
  switch (asked.outcome) {
    case 'accepted':
      return `Unsubscribed from ${to} ${when}.`
    case 'sent':
      return `Sent an unsubscribe message to ${to} ${when}.`
    case 'begun':
      return `An unsubscribe message to ${to} is in your drafts.`
    case 'declined': {
      const why =
        asked.leadsTo === null
          ? `It returned error ${asked.status ?? ''}.`
          : `It redirected to ${toVisibleText(asked.leadsTo)}, which Linnet did not follow.`
      return `${to} did not accept your unsubscribe request ${when}. ${why}`
    }
    case 'unanswered':
      return `${to} did not respond to your unsubscribe request ${when}. It may have worked.`
  }
}

export const describeNextStep = (others: readonly UnsubscribeMethod[]): string => {
  const kinds = others.map(({ kind }) => kind)
  if (kinds.includes('mail')) return 'Try sending a message instead.'
  if (kinds.includes('page')) return 'Try the list’s web page instead.'
  return 'If mail keeps coming, mark it as spam.'
}

/** Warning about the sender before anything is sent; null if verified. */
export const describeUnverifiedSender = ({ sender }: Pick<UnsubscribeOffer, 'sender'>): string | null => {
  switch (sender) {
    case 'verified':
      return null
    case 'unverified':
      return 'The sender is not verified. If you do not know this list, mark it as spam instead: unsubscribing tells the sender that someone reads your mail.'
    case 'forged':
      return 'The sender failed verification, so this message may be forged. Mark it as spam instead: unsubscribing tells the sender that someone reads your mail.'
  }
}
