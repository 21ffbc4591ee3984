import type { AccountName, ConnectedAccount } from '../../../shared/contract.ts'
import { countOf } from '../../ui/format-quantity.ts'

const SHOWN = 2

/** An account by the addresses of its inboxes, or by its platform where it has none: `ada@mail.example and 2 more inboxes`. */
export const accountWords = ({ addresses, baseUrl }: AccountName): string => {
  if (addresses.length === 0) return baseUrl === null ? 'Mail without an inbox' : `Mail of ${new URL(baseUrl).host}`
  const rest = addresses.length - SHOWN
  if (rest > 0) return `${addresses.slice(0, SHOWN).join(', ')} and ${countOf(rest, 'more inbox', 'more inboxes')}`
  return addresses.join(' and ')
}

/** How an account is called: by the name that its person gave it, else by its inboxes. */
export const accountName = ({ id, name, kind, baseUrl, addresses }: ConnectedAccount): string => {
  if (name !== null) return name
  return kind === 'demo' ? 'Demo' : accountWords({ id, baseUrl, addresses })
}
