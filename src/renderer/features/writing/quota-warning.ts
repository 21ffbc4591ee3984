import { periodOver, type Usage } from '../../../shared/usage.ts'
import type { Backend } from '../../kernel/backend.ts'
import { formatAgo, localDateStyle } from '../../ui/format-date.ts'
import { countOf, formatNumber } from '../../ui/format-quantity.ts'

/** An older answer is asked for again before a message leaves. */
const MOST_AGE_MS = 10 * 60_000
/** Nobody waits longer for their message to leave. */
const PATIENCE_MS = 1_000

/** What a message to so many recipients goes over, as a sentence; null where it fits, or that is not known. */
export const quotaSentence = (usage: Usage | null, recipients: number, now: number): string | null => {
  const over = periodOver(usage, recipients, now)
  if (over === null) return null
  const left = over.left === 0 ? 'none is' : `${formatNumber(over.left)} ${over.left === 1 ? 'is' : 'are'}`
  const when = over.period === 'day' ? 'today' : 'this month'
  const age = formatAgo(over.at, now, localDateStyle())
  return `This message counts as ${countOf(recipients, 'e-mail')}, and ${left} left of your quota ${when} (as of ${age}). The platform may not send it.`
}

/**
 * Whether a message goes over what its account may send, before it leaves. Asks the platform only where what is known is old,
 * and never holds a message up: what is not known soon is not said.
 */
export const quotaWarning = async (
  backend: Pick<Backend, 'call'>,
  inboxId: string,
  recipients: number,
): Promise<string | null> => {
  const known = await backend.call('usage.get', { inboxId, maxAge: MOST_AGE_MS, patience: PATIENCE_MS })
  return known.ok ? quotaSentence(known.data.usage, recipients, Date.now()) : null
}
