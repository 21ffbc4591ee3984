import type { MadeShareLink } from '../../../shared/contract.ts'
import type { Route } from '../../kernel/route.ts'
import { routeOfThread } from '../threads/open-conversation.ts'
import { formatMoment, type DateStyle } from '../../ui/format-date.ts'
import { formatDuration } from '../../ui/format-quantity.ts'

const MINUTE = 60_000

/** Remaining lifetime; times in milliseconds since the epoch. A clock set back doesn't extend it. */
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

/** Route of the shared e-mail, in its thread if possible. Null if it isn't stored locally. */
export const routeOfShared = ({ of, isHere, inThread }: MadeShareLink): Route | null => {
  if (inThread !== null && inThread !== 'unknown') return routeOfThread(inThread.thread, inThread.emailId)
  return isHere && of.list !== 'threads' ? { view: of.list, id: of.emailId } : null
}
