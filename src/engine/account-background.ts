import { toFreshness } from '../shared/freshness.ts'
import type { Freshness, SyncStatus } from '../shared/model.ts'
import type { AccountContext } from './account-context.ts'
import type { OwnPart } from './account-own.ts'
import type { PlatformPart } from './account-platform.ts'
import { Authentications } from './mail/authentications.ts'
import { Reminders } from './mail/threads/reminders.ts'
import { StoredBlobs } from './store/blobs.ts'
import { AccountListSync } from './sync/account-lists.ts'
import { LocalMailDeleter } from './sync/delete-local-mail.ts'
import { Deliveries } from './sync/deliveries.ts'
import { prefetchStartTime } from './sync/plan-prefetch.ts'
import { PrefetchChoiceStore } from './sync/prefetch-choices.ts'
import { EmailPrefetcher } from './sync/prefetch-email.ts'
import { Prefetcher } from './sync/prefetcher.ts'
import { RawMessages } from './sync/raw-messages.ts'
import { SyncScheduler } from './sync/scheduler.ts'
import { StorageBudget } from './sync/storage-budget.ts'
import { SyncErrors } from './sync/sync-errors.ts'
import { ThreadSync } from './sync/thread-sync.ts'
import { createThrottle } from './timing/throttle.ts'

/** Work that keeps the cache up to date, and what it fetches on demand. */
export const createBackgroundPart = (
  { directory, emit, report, readParts, isSafe, clock, signal }: AccountContext,
  { access, api, capabilities, notFound, downloads }: PlatformPart,
  { cache, data, hub, outbox, problems, presence }: OwnPart,
  { onOnline, draftsChanged }: { readonly onOnline: () => void; readonly draftsChanged: (inboxId: string) => void },
) => {
  const blobs = new StoredBlobs(directory, cache.blobs, signal, { now: clock.now })
  const parts = {
    ...{ platform: api, cache, hub, capabilities, notFound, presence, problems, downloads, blobs },
    ...{ readParts, report, clock, signal },
    syncErrors: new SyncErrors(() => hub.sync(), signal),
  }
  const threads = new ThreadSync(parts)
  const lists = new AccountListSync(parts)
  const rawMessages = new RawMessages(parts)
  const authentications = new Authentications({ ...parts, listReceived: () => lists.news('received', 'sync') })
  const choices = new PrefetchChoiceStore(data)
  const sync = new SyncScheduler({
    ...{ ...parts, threads, lists, outbox, isSafe, onOnline, draftsChanged },
    since: () => prefetchStartTime(choices.get().days, clock.now()),
  })
  const budget = new StorageBudget(
    () => choices.get().bytes,
    () => cache.keeping.fileBytes(),
  )
  const prefetcher = new Prefetcher({
    ...{ rows: cache.keeping, choices, budget, problems, isSafe, report, clock, signal },
    emails: new EmailPrefetcher({
      ...{ ...parts, budget },
      received: createThrottle(hub.receivedEmails, clock, signal),
      sent: createThrottle(hub.sentEmails, clock, signal),
    }),
    isBusy: () => {
      const { connection, progress, lastSyncAt } = sync.state()
      return connection === 'online' && (progress !== null || lastSyncAt === null)
    },
    changed: hub.keeping,
  })
  const reminders = new Reminders({
    ...{ cache, outbox, threads, report, clock, signal, authorOf: (of) => authentications.author(of) },
    announce: (payload) => emit({ name: 'mail.arrived', payload }),
    lastSyncAt: () => sync.state().lastSyncAt,
  })
  const connection = (): SyncStatus['connection'] =>
    access.isKeyMissing() ? 'needsKey' : sync.connection.health().connection
  return {
    ...{ blobs, threads, lists, rawMessages, authentications, sync, prefetcher, reminders, connection },
    deliveries: new Deliveries({ ...parts, lists }),
    localDeletion: new LocalMailDeleter(cache, blobs),
    /** See `MailParts`. */
    freshness: (at: number | null, inboxId?: string): Freshness => {
      const freshness = toFreshness(at, connection(), clock.now())
      const isThere = inboxId === undefined || cache.inboxes.get(inboxId)?.onServer === true
      return freshness.state === 'live' && !isThere ? { state: 'cached', at } : freshness
    },
  }
}

export type BackgroundPart = ReturnType<typeof createBackgroundPart>
