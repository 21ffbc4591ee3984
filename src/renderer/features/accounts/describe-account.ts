import type { AccountName, ConnectedAccount } from '../../../shared/contract.ts'
import { formatCount } from '../../ui/format-quantity.ts'

const SHOWN = 2

/** Names an account by its inboxes or, without any, its platform: `ada@mail.example and 2 more inboxes`. */
export const describeAccount = ({ addresses, baseUrl }: AccountName): string => {
  if (addresses.length === 0) return baseUrl === null ? 'Mail without an inbox' : `Mail on ${new URL(baseUrl).host}`
  const rest = addresses.length - SHOWN
  if (rest > 0) return `${addresses.slice(0, SHOWN).join(', ')} and ${formatCount(rest, 'more inbox', 'more inboxes')}`
  return addresses.join(' and ')
}

/** The account's name: the one the user chose, or else one derived from its inboxes. */
export const formatAccountName = ({ id, name, kind, baseUrl, addresses }: ConnectedAccount): string => {
  if (name !== null) return name
  return kind === 'demo' ? 'Demo' : describeAccount({ id, baseUrl, addresses })
}
