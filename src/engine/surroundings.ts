import type { LinnetEvent } from '../shared/contract.ts'
import type { InboxName } from '../shared/engine-link.ts'
import type { CacheFileState } from './open-account-files.ts'
import type { Network } from './network/network.ts'
import type { Clock } from './timing/clock.ts'

/** What an account is opened with, beside what is its own. */
export interface Surroundings {
  readonly network: Pick<Network, 'open'>
  readonly emit: (event: LinnetEvent) => void
  /** Called when a key that had not been tried yet turns out to be the account's, with its inboxes. */
  readonly keyAccepted: (apiKey: string, inboxes: readonly InboxName[]) => void
  readonly keyRenewed: (was: string, now: string) => Promise<void>
  /** Called with what went wrong and is neither the network's nor the platform's doing. */
  readonly report: (thrown: unknown) => void
  readonly onCorrupt: () => void
  readonly cacheFile: CacheFileState
  /** The file of the thread in which originals are taken apart. */
  readonly partsWorker: string
  readonly backupWorker: string
  /** Whether it does as little as possible (docs/crashes.md). */
  readonly isSafe?: boolean
  readonly clock: Clock
}
