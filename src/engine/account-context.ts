import type { LinnetEvent } from '../shared/contract.ts'
import type { InboxIdentity } from '../shared/engine-api.ts'
import type { CacheFileState } from './own/open-account-files.ts'
import type { Network } from './platform/network.ts'
import type { AccountServices } from './sync/account-services.ts'
import type { Clock } from './timing/clock.ts'

/** Given to an account by the engine. */
export interface AccountDependencies {
  readonly network: Pick<Network, 'open'>
  readonly emit: (event: LinnetEvent) => void
  /** Called with the account's inboxes when an untested key turns out to belong to it. */
  readonly keyAccepted: (apiKey: string, inboxes: readonly InboxIdentity[]) => void
  readonly keyRenewed: (was: string, now: string) => Promise<void>
  /** Logs an unexpected error. The context's doesn't log those of damaged files. */
  readonly report: (thrown: unknown) => void
  readonly onCorrupt: () => void
  readonly cacheFile: CacheFileState
  /** Script of the worker thread that parses raw e-mails. */
  readonly partsWorker: string
  /** Script of the worker thread for backups and exports. */
  readonly filesWorker: string
  /** True in safe mode, which avoids optional work (docs/crashes.md). */
  readonly isSafe: boolean
  readonly clock: Clock
}

/** Given to each part of an account. */
export interface AccountContext extends AccountDependencies {
  readonly baseUrl: string
  readonly directory: string
  readonly readParts: AccountServices['readParts']
  /** Aborted when the account closes, which cancels all requests. */
  readonly signal: AbortSignal
}
