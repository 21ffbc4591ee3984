import type { ConnectedAccount } from '../../shared/contract.ts'
import type { SyncStatus } from '../../shared/model.ts'

export interface KeyProblem {
  readonly words: string
  /** Label of the button, or null if the user can only wait. */
  readonly action: string | null
}

export const describeKeyProblem = (
  { connection, problem }: Pick<SyncStatus, 'connection' | 'problem'>,
  account: Pick<ConnectedAccount, 'isKeyTested' | 'isSignedIn' | 'problem'>,
): KeyProblem | null => {
  if (connection === 'needsKey') {
    return { words: account.problem?.message ?? 'Sign in or enter an API key to sync.', action: 'Connect' }
  }
  if (connection === 'refused') {
    return account.isSignedIn
      ? { words: problem ?? 'You were signed out.', action: 'Sign in again' }
      : { words: problem ?? 'The platform does not accept this API key.', action: 'Enter a new key' }
  }
  if (connection === 'offline' && !account.isKeyTested) {
    return { words: 'Your API key has not been verified yet: the platform cannot be reached.', action: null }
  }
  return null
}
