import type { Freshness } from '../../shared/model.ts'
import type { EventHub } from '../own/event-hub.ts'
import type { Outbox } from '../own/outbox/outbox.ts'
import type { MailPlatform } from '../platform/mail-platform.ts'
import type { Cache } from '../store/cache.ts'
import type { AccountListSync } from '../sync/account-lists.ts'
import type { ThreadSync } from '../sync/thread-sync.ts'
import type { Clock } from '../timing/clock.ts'
import type { SearchSessions } from './search/sessions.ts'
import type { Suppressions } from './suppressions.ts'
import type { RemoteReplyCheck } from './writing/remote-replies.ts'

/** Parts of an open account with which mail is read and changed. */
export interface MailParts {
  readonly platform: MailPlatform
  readonly cache: Cache
  readonly hub: EventHub
  readonly clock: Clock
  readonly outbox: Outbox
  readonly threads: ThreadSync
  readonly lists: AccountListSync
  readonly searches: SearchSessions
  readonly suppressions: Suppressions
  readonly remoteReplies: RemoteReplyCheck
  /**
   * Freshness of data that the platform confirmed at this time; null for never. An inbox's data is never live if the
   * platform no longer has the inbox.
   */
  readonly freshness: (at: number | null, inboxId?: string) => Freshness
}
