import type { CreatedShareLink } from '../../../shared/contract.ts'
import type { Route } from '../../kernel/route.ts'
import { routeOfThread } from '../threads/open-conversation.ts'
import { formatShortDateTime, type DateStyle } from '../../ui/format-date.ts'
import { formatDuration } from '../../ui/format-quantity.ts'

const MINUTE_MS = 60_000

/** Remaining lifetime, also without the time of its end. Times are in milliseconds since the epoch. A clock set back doesn't extend it. */
export const describeTimeLeft = (
  { madeAt, expiresAt }: Pick<CreatedShareLink, 'madeAt' | 'expiresAt'>,
  now: number,
  style: DateStyle,
): { readonly works: boolean; readonly short: string; readonly words: string } => {
  const left = expiresAt - Math.max(now, madeAt)
  const moment = formatShortDateTime(expiresAt, style)
  if (left <= 0) return { works: false, short: 'Expired', words: `Expired ${moment}` }
  const time = left < MINUTE_MS ? 'less than a minute' : formatDuration(Math.round(left / MINUTE_MS) * MINUTE_MS)
  const short = `Works for ${time}`
  return { works: true, short, words: `${short}, until ${moment}` }
}

/** Route of the shared e-mail, in its thread if possible. Null if it isn't stored locally. */
export const routeOfSharedEmail = ({ of, isHere, inThread }: CreatedShareLink): Route | null => {
  if (inThread !== null && inThread !== 'unknown') return routeOfThread(inThread.thread, inThread.emailId)
  return isHere && of.list !== 'threads' ? { view: of.list, id: of.emailId } : null
}
