import type { BouncedEmail, AddressSuppression } from '../../../shared/suppressions.ts'
import { toVisibleText } from '../../../shared/visible-text.ts'
import { formatDay, type DateStyle } from '../../ui/format-date.ts'

/** Outcomes, keyed by the platform's origin of a suppression or by an e-mail's last event. */
const OUTCOMES: ReadonlyMap<string, string> = new Map([
  ['bounce', 'was returned'],
  ['complaint', 'was marked as spam'],
  ['bounced', 'was returned'],
  ['complained', 'was marked as spam'],
  ['suppressed', 'was held back by the platform'],
])

const NEVER_SENT = 'the platform won’t send to this address'

const onDay = (at: number | null, style: DateStyle): string => (at === null ? '' : ` on ${formatDay(at, style)}`)

const describeReturnEvent = ({ event, at }: BouncedEmail, address: string, style: DateStyle): string =>
  `The last message to ${address} ${OUTCOMES.get(event) ?? 'could not be delivered'}${onDay(at, style)}.`

/** Explains why an address receives no mail; null if it does, or if that is unknown. */
export const describeSuppression = (
  { address: given, suppression }: Pick<AddressSuppression, 'address' | 'suppression'>,
  style: DateStyle,
): string | null => {
  if (suppression === null) return null
  const address = toVisibleText(given)
  const { origin, since } = suppression
  const happened = OUTCOMES.get(origin)
  if (happened !== undefined) return `Mail to ${address} ${happened}${onDay(since, style)}: ${NEVER_SENT}.`
  if (since === null) return `${address} is on the suppression list: ${NEVER_SENT}.`
  return `${address} has been on the suppression list since ${formatDay(since, style)}: ${NEVER_SENT}.`
}

export const describeSuppressionState = (known: AddressSuppression, style: DateStyle): string | null => {
  const { suppression, freshness, isWaiting, returned } = known
  const address = toVisibleText(known.address)
  const words = describeSuppression(known, style)
  if (words !== null) return isWaiting ? `${words} Waiting to sync.` : words
  if (isWaiting) return `${address} was removed from the suppression list (waiting to sync).`
  if (returned === null || suppression !== null) return null
  const isKnown = freshness.state !== 'never'
  const now = isKnown
    ? 'The address is not on the suppression list.'
    : 'Linnet doesn’t know yet whether the platform will send to this address.'
  return `${describeReturnEvent(returned, address, style)} ${now}`
}
