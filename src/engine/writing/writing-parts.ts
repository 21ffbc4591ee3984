import type { MailPlatform } from '../api/mail-platform.ts'
import type { Attachments } from '../attachments/attachments.ts'
import type { Blobs } from '../blobs/blobs.ts'
import type { Deliveries } from '../delivery/deliveries.ts'
import type { EventHub } from '../event-hub.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Problems } from '../problems/problems.ts'
import type { Cache } from '../store/cache.ts'
import type { AccountListSync } from '../sync/account-lists.ts'
import type { ThreadSync } from '../sync/thread-sync.ts'
import type { Clock } from '../timing/clock.ts'
import type { AccountUsage } from '../usage/account-usage.ts'
import type { DraftStore } from './draft-store.ts'

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
