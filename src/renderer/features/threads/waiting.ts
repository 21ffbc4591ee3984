import { MAX_WAIT_MS } from '../../../shared/list-order.ts'
import type { Thread } from '../../../shared/model.ts'
import { formatAge } from '../../ui/format-date.ts'
import { formatCount } from '../../ui/format-quantity.ts'

const HOUR = 60 * 60 * 1_000
const DAY = 24 * HOUR

/** True if the thread, as displayed, waits for an answer. Changes that are being sent may have moved it. */
export const isWaiting = (thread: Pick<Thread, 'isWaiting' | 'folder' | 'receivedAt'>, now: number): boolean =>
  thread.isWaiting === true && thread.folder === 'inbox' && thread.receivedAt >= now - MAX_WAIT_MS

/** How long a waiting thread has waited. Null below an hour, which is not worth a mark. */
export const describeWait = (
  thread: Pick<Thread, 'isWaiting' | 'folder' | 'receivedAt'>,
  now: number,
): { readonly short: string; readonly spoken: string } | null => {
  const age = now - thread.receivedAt
  if (!isWaiting(thread, now) || age < HOUR) return null
  const time = age < DAY ? formatCount(Math.floor(age / HOUR), 'hour') : formatCount(Math.floor(age / DAY), 'day')
  return { short: formatAge(thread.receivedAt, now), spoken: `waiting for an answer for ${time}` }
}
