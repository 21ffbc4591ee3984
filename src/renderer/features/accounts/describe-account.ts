import type { AccountName, ConnectedAccount, AccountsState } from '../../../shared/contract.ts'
import { formatCount } from '../../ui/format-quantity.ts'
import type { SyncStatus } from '../../../shared/model.ts'

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

/** An account's status, shown by an icon and text, never by colour alone. */
export interface AccountStatus {
  readonly sign: 'online' | 'syncing' | 'offline' | 'key' | 'problem'
  readonly words: string
  readonly detail: string | null
}

const percentOf = ({ done, total }: { readonly done: number; readonly total: number }): string =>
  total === 0 ? '' : ` ${Math.min(99, Math.floor((100 * done) / total))}%`

/** @param sync null until the engine reports it */
export const describeAccountStatus = (
  { isOpen, isKeyTested, problem }: Pick<ConnectedAccount, 'isOpen' | 'isKeyTested' | 'problem'>,
  sync: Pick<SyncStatus, 'connection' | 'progress' | 'problem'> | null,
): AccountStatus => {
  if (!isOpen) return { sign: 'problem', words: 'Could not be opened', detail: problem?.message ?? null }
  if (sync === null) return { sign: 'syncing', words: 'Connecting', detail: null }
  switch (sync.connection) {
    case 'needsKey':
      return { sign: 'key', words: 'Not signed in', detail: problem?.message ?? null }
    case 'refused':
      return { sign: 'key', words: 'Sign-in refused', detail: sync.problem }
    case 'offline':
      return {
        sign: 'offline',
        words: 'Offline',
        detail: sync.problem ?? (isKeyTested ? null : 'API key not verified yet.'),
      }
    case 'online':
      if (sync.problem !== null) return { sign: 'problem', words: 'Problem', detail: sync.problem }
      if (sync.progress !== null) return { sign: 'syncing', words: `Syncing${percentOf(sync.progress)}`, detail: null }
      return { sign: 'online', words: 'Online', detail: null }
  }
}

/** Explains, next to the key field, where Linnet stores API keys. */
export const describeKeyStorage = (keyStorage: AccountsState['keyStorage']): string =>
  keyStorage === 'keychain'
    ? 'API keys are encrypted in this computer’s keychain.'
    : 'API keys are kept in memory only, so you have to enter them again after a restart.'

/** Accounts with stored mail that aren't connected. */
export const listStoredAccounts = (state: Pick<AccountsState, 'accounts' | 'known'> | null): readonly AccountName[] =>
  (state?.known ?? []).filter(({ id }) => state?.accounts.some((account) => account.id === id) !== true)
