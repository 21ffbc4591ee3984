import type { Freshness } from '../../shared/model.ts'
import type { AccountUsage } from '../own/account-usage.ts'
import type { OwnFile } from '../own/own-file.ts'
import type { Outbox } from '../own/outbox/outbox.ts'
import type { Network } from '../platform/network.ts'
import type { PendingChanges } from '../store/pending-changes.ts'
import type { AccountListSync } from '../sync/account-lists.ts'
import type { AccountServices } from '../sync/account-services.ts'
import type { Deliveries } from '../sync/deliveries.ts'
import type { RawMessages } from '../sync/raw-messages.ts'
import type { ThreadSync } from '../sync/thread-sync.ts'
import type { Authentications } from './authentications.ts'
import type { Attachments } from './attachments/attachments.ts'
import type { SearchSessions } from './search/sessions.ts'
import type { Suppressions } from './suppressions.ts'
import type { RemoteReplyCheck } from './writing/remote-replies.ts'

/** Services with which mail is read, changed and written. */
export interface MailParts extends AccountServices {
  readonly network: Pick<Network, 'open'>
  readonly own: Pick<OwnFile, 'table' | 'list' | 'writeList'>
  readonly pending: PendingChanges
  readonly outbox: Outbox
  readonly threads: ThreadSync
  readonly lists: AccountListSync
  readonly rawMessages: RawMessages
  readonly authentications: Authentications
  readonly deliveries: Deliveries
  readonly attachments: Attachments
  readonly searches: SearchSessions
  readonly suppressions: Suppressions
  readonly remoteReplies: RemoteReplyCheck
  readonly usage: AccountUsage
  readonly isOnline: () => boolean
  /**
   * Freshness of data that the platform confirmed at this time; null for never. An inbox's data is never live if the
   * platform no longer has the inbox.
   */
  readonly freshness: (at: number | null, inboxId?: string) => Freshness
}
