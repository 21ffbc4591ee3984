import { findExceededPeriod, type UsageReport } from '../../../shared/usage.ts'
import type { Backend } from '../../kernel/backend.ts'
import { formatAgo, detectDateStyle } from '../../ui/format-date.ts'
import { formatCount, formatNumber } from '../../ui/format-quantity.ts'

/** Older usage data is refreshed before a message is sent. */
const MAX_AGE_MS = 10 * 60_000
/** Maximum milliseconds that the quota check may delay a message. */
const MAX_WAIT_MS = 1_000

/** Warning that a message exceeds the quota; null if it fits or the quota is unknown. */
export const describeQuotaExcess = (usage: UsageReport | null, recipients: number, now: number): string | null => {
  const over = findExceededPeriod(usage, recipients, now)
  if (over === null) return null
  const left = over.left === 0 ? 'none' : formatNumber(over.left)
  const when = over.period === 'day' ? 'today' : 'this month'
  const age = formatAgo(over.at, now, detectDateStyle())
  return `This message counts as ${formatCount(recipients, 'message')}, but you have ${left} left ${when} (as of ${age}). The platform may not send it.`
}

/** Checks the quota before sending; requests usage only if the known data is old. Never delays a message for long. */
export const checkSendQuota = async (
  backend: Pick<Backend, 'call'>,
  inboxId: string,
  recipients: number,
): Promise<string | null> => {
  const known = await backend.call('usage.get', { inboxId, maxAge: MAX_AGE_MS, timeoutMs: MAX_WAIT_MS })
  return known.ok ? describeQuotaExcess(known.data.usage, recipients, Date.now()) : null
}
