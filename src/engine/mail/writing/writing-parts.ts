import type { MailPlatform } from '../../platform/mail-platform.ts'
import type { Attachments } from '../attachments/attachments.ts'
import type { Blobs } from '../../store/blobs.ts'
import type { Deliveries } from '../../sync/deliveries.ts'
import type { EventHub } from '../../own/event-hub.ts'
import type { Outbox } from '../../own/outbox/outbox.ts'
import type { Problems } from '../../own/problems.ts'
import type { Cache } from '../../store/cache.ts'
import type { AccountListSync } from '../../sync/account-lists.ts'
import type { ThreadSync } from '../../sync/thread-sync.ts'
import type { Clock } from '../../timing/clock.ts'
import type { AccountUsage } from '../../own/account-usage.ts'
import type { DraftStore } from '../../own/drafts/draft-store.ts'

/** The account's services that writing needs, and the drafts' own files. */
export interface WritingParts {
  readonly files: DraftStore
  readonly platform: MailPlatform
  readonly cache: Cache
  readonly blobs: Blobs
  readonly hub: EventHub
  readonly outbox: Outbox
  readonly attachments: Attachments
  readonly deliveries: Deliveries
  readonly threads: ThreadSync
  readonly lists: AccountListSync
  readonly usage: AccountUsage
  readonly problems: Pick<Problems, 'raise' | 'clear'>
  readonly isOnline: () => boolean
  readonly report: (thrown: unknown) => void
  readonly clock: Clock
  readonly signal: AbortSignal
}
