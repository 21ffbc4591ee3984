import type { MadeShareLink } from '../../../shared/contract.ts'
import type { Route } from '../../kernel/route.ts'
import { routeOfThread } from '../threads/open-conversation.ts'
import { formatMoment, type DateStyle } from '../../ui/format-date.ts'
import { formatDuration } from '../../ui/format-quantity.ts'

const MINUTE = 60_000

/**
 * How long a link still works, in words, and whether it does; times in milliseconds since the epoch. After the clock was put
 * back it works no longer than it did when it was made.
 */
export const describeTimeLeft = (
  { madeAt, expiresAt }: Pick<MadeShareLink, 'madeAt' | 'expiresAt'>,
  now: number,
  style: DateStyle,
): { readonly works: boolean; readonly words: string } => {
  const left = expiresAt - Math.max(now, madeAt)
  const moment = formatMoment(expiresAt, style)
  if (left <= 0) return { works: false, words: `Expired ${moment}` }
  const time = left < MINUTE ? 'less than a minute' : formatDuration(Math.round(left / MINUTE) * MINUTE)
  return { works: true, words: `Works for ${time}, until ${moment}` }
}

/** Where the shared e-mail is opened: in its thread where it has one; null where it is not on this computer. */
export const routeOfShared = ({ of, isHere, inThread }: MadeShareLink): Route | null => {
  if (inThread !== null && inThread !== 'unknown') return routeOfThread(inThread.thread, inThread.emailId)
  return isHere && of.list !== 'threads' ? { view: of.list, id: of.emailId } : null
}
