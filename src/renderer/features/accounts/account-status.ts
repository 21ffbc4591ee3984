import type { ConnectedAccount } from '../../../shared/contract.ts'
import type { SyncStatus } from '../../../shared/model.ts'

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
