import { periodOver, type Usage } from '../../../shared/usage.ts'
import type { Backend } from '../../kernel/backend.ts'
import { formatAgo, localDateStyle } from '../../ui/format-date.ts'
import { countOf, formatNumber } from '../../ui/format-quantity.ts'

/** Older usage data is refreshed before a message is sent. */
const MAX_AGE_MS = 10 * 60_000
/** Maximum milliseconds that the quota check may delay a message. */
const PATIENCE_MS = 1_000

/** Warning that a message exceeds the quota; null if it fits or the quota is unknown. */
export const quotaSentence = (usage: Usage | null, recipients: number, now: number): string | null => {
  const over = periodOver(usage, recipients, now)
  if (over === null) return null
  const left = over.left === 0 ? 'none' : formatNumber(over.left)
  const when = over.period === 'day' ? 'today' : 'this month'
  const age = formatAgo(over.at, now, localDateStyle())
  return `This message counts as ${countOf(recipients, 'message')}, but you have ${left} left ${when} (as of ${age}). The platform may not send it.`
}

/** Checks the quota before sending; requests usage only if the known data is old. Never delays a message for long. */
export const quotaWarning = async (
  backend: Pick<Backend, 'call'>,
  inboxId: string,
  recipients: number,
): Promise<string | null> => {
  const known = await backend.call('usage.get', { inboxId, maxAge: MAX_AGE_MS, timeoutMs: PATIENCE_MS })
  return known.ok ? quotaSentence(known.data.usage, recipients, Date.now()) : null
}
