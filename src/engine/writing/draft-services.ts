import type { Thread } from '../../shared/model.ts'
import type { Attachments } from '../attachments/attachments.ts'
import type { MailPlatform } from '../api/mail-platform.ts'
import type { Blobs } from '../blobs/blobs.ts'
import type { Deliveries } from '../delivery/deliveries.ts'
import type { EventHub } from '../event-hub.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Problems } from '../problems/problems.ts'
import type { EngineService } from '../service.ts'
import type { Cache } from '../store/cache.ts'
import type { AccountListSync } from '../sync/account-lists.ts'
import type { ThreadSync } from '../sync/thread-sync.ts'
import type { Clock } from '../timing/clock.ts'
import type { AccountUsage } from '../usage/account-usage.ts'
import { RemoteReplyCheck } from './remote-replies.ts'
import { DraftStore } from './draft-store.ts'
import { DraftSync } from './draft-sync.ts'
import { DraftTransfers } from './draft-transfers.ts'
import { Drafts } from './drafts.ts'
import { PlatformDrafts, withReplySubjects } from './platform-drafts.ts'
import { DraftSender } from './draft-sender.ts'
import { countWaitingDrafts } from './waiting-drafts.ts'

const DRAFTS_FACT = 'drafts kept'

interface WritingParts {
  readonly directory: string
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

export class DraftServices {
  readonly files: DraftStore
  readonly sync: DraftSync
  readonly drafts: Drafts
  readonly sending: DraftSender
  readonly remoteReplies: RemoteReplyCheck
  /** In start order. */
  readonly services: readonly EngineService[]
  readonly #clock: Clock

  constructor(given: WritingParts) {
    const { directory, cache, hub, report, clock, signal } = given
    const threadHere = (inboxId: string, threadId: string): Pick<Thread, 'subject'> | undefined => {
      const inbox = cache.inboxes.get(inboxId)
      return inbox === undefined ? undefined : cache.threads.get({ key: inbox.key, id: inboxId }, threadId)
    }
    const parts = { ...given, platform: withReplySubjects(given.platform, threadHere) }
    const changed = (inboxIds: readonly string[]): void => {
      hub.drafts(inboxIds)
      // The number of waiting drafts may have changed.
      hub.sync()
    }
    this.#clock = clock
    this.files = new DraftStore(directory, changed, report, {
      count: () => cache.accountMeta.number(DRAFTS_FACT) ?? 0,
      remember: (count) => cache.accountMeta.set(DRAFTS_FACT, count),
    })
    const theirs = new PlatformDrafts({
      ...parts,
      inboxIds: () => cache.inboxes.all().map(({ inbox }) => inbox.id),
      changed: (inboxIds) => hub.drafts(inboxIds),
    })
    const { files } = this
    const transfers = new DraftTransfers((inboxIds) => hub.drafts(inboxIds), clock, signal)
    const remoteReplies = new RemoteReplyCheck({ ...parts, files, theirs })
    this.remoteReplies = remoteReplies
    this.sync = new DraftSync({ ...parts, files, theirs, transfers })
    this.drafts = new Drafts({ ...parts, files, theirs, remoteReplies, transfers, sync: this.sync, now: clock.now })
    this.sending = new DraftSender({ ...parts, files, theirs, remoteReplies, transfers, sync: this.sync })
    this.services = [theirs, this.sync]
  }

  /** Number of messages held for undo plus drafts waiting for the platform. */
  waiting(isOnline: boolean): number {
    return this.sending.held() + countWaitingDrafts(this.files.all(), isOnline, this.#clock.now())
  }
}
