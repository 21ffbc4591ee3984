import { FOLDERS, type Confirmations, type SyncStatus } from '../../shared/model.ts'
import type { Outbox } from '../own/outbox/outbox.ts'
import { toProblem, createProblem } from '../../shared/result.ts'
import { lacksOperation } from '../platform/platform-problem.ts'
import { computeBackOffMs } from '../timing/back-off.ts'
import type { InboxRef, StoredInbox } from '../store/inboxes.ts'
import { ACCOUNT_LISTS, type AccountListSync } from './account-lists.ts'
import { Connection, isTemporaryError } from './connection.ts'
import type { SyncErrors } from './sync-errors.ts'
import { BodyFetcher } from './body-fetcher.ts'
import { FolderLister } from './folder-lister.ts'
import { pollInterval, type ActivityLevel } from './viewer-activity.ts'
import type { ThreadSync } from './thread-sync.ts'
import { EventFeed } from './event-feed.ts'
import { Poller, SharedPoll } from './poller.ts'
import { NO_SYNC_WORK, updateSyncWork } from './progress.ts'
import { Loop } from '../timing/loop.ts'
import type { AccountServices } from './account-services.ts'

/** The log of a webhook is first read this long after the start. */
const FIRST_FEED_MS = 5_000
/** Maximum unexplained threads to check during a manual refresh; the rest are checked in the background. */
const CHECKS_AT_ONCE = 200
/** Retry delays for key and disk problems, which only the user can solve: from a minute up to an hour. */
const USER_FIX_RETRY_MS = 60_000
const MAX_USER_FIX_RETRY_MS = 60 * 60_000
/** Name under which the connection tracks a manual refresh; its other tasks are the loops. */
const NOW = 'now'

const ALL_LOOPS = ['watch', 'feed', 'list', 'check', 'read', 'rest'] as const
type LoopName = (typeof ALL_LOOPS)[number]
const SAFE_LOOPS: readonly LoopName[] = ['watch', 'check']

interface SyncParts extends Pick<
  AccountServices,
  'platform' | 'capabilities' | 'cache' | 'hub' | 'notFound' | 'presence' | 'report' | 'clock' | 'signal'
> {
  readonly threads: ThreadSync
  readonly lists: AccountListSync
  readonly syncErrors: Pick<SyncErrors, 'poll' | 'all'>
  readonly outbox: Pick<Outbox, 'causedEvent'>
  /** Start of the period for fetching e-mails, milliseconds since the epoch. */
  readonly since: () => number
  /** True in safe mode: only polls for new mail, without optional fetches. */
  readonly isSafe: boolean
  /** Called when the platform is reachable again. */
  readonly onOnline: () => void
  /** Called when an inbox's drafts have changed on the platform. */
  readonly draftsChanged: (inboxId: string) => void
}

/**
 * Keeps the cache up to date in five loops that share the request budget (docs/sync.md). `watch` polls for new mail.
 * `list` crawls each thread list completely once. `check` finds out why a list lacks rows. `read` fetches bodies,
 * newest first. `rest` crawls the account-wide lists when nothing newer is left to fetch.
 */
export class SyncScheduler {
  readonly #parts: SyncParts
  readonly #loops: Readonly<Record<LoopName, Loop>>
  readonly connection: Connection
  readonly #bodies: BodyFetcher
  readonly #lister: FolderLister
  readonly #watch: Poller
  readonly feed: EventFeed
  readonly #sharedPoll: SharedPoll
  #activity: ActivityLevel = 'visible'
  #viewed: string | null = null
  #lastSyncAt: number | null
  /** Cached, because the status is read once a frame. */
  #confirmedAt: Confirmations
  #work = NO_SYNC_WORK

  constructor(parts: SyncParts) {
    const { cache, hub, threads, lists, syncErrors, since, clock, signal, onOnline, report } = parts
    this.#parts = parts
    this.#loops = {
      watch: new Loop(clock),
      feed: new Loop(clock),
      list: new Loop(clock),
      check: new Loop(clock),
      read: new Loop(clock),
      rest: new Loop(clock),
    }
    this.#lastSyncAt = cache.accountMeta.number('last sync')
    this.#confirmedAt = this.#confirmations()
    const inboxes = (): readonly StoredInbox[] => this.#inboxes()
    const runForInbox = (inbox: InboxRef, task: () => Promise<unknown>): Promise<void> => this.#runForInbox(inbox, task)
    this.#bodies = new BodyFetcher({ backlog: cache.backlog, threads, inboxes, since, clock, signal })
    this.connection = new Connection({
      changed: () => hub.sync(),
      report,
      onOnline: () => {
        this.#wake(...ALL_LOOPS)
        onOnline()
      },
    })
    this.#lister = new FolderLister({
      ...{ threads, lists, inboxes, runForInbox },
      fetched: (rows) => {
        this.#recount(rows)
        this.#bodies.restart()
        this.#wake('read', 'check')
      },
    })
    this.#watch = new Poller({
      ...{ threads, lists, inboxes, runForInbox, syncErrors },
      viewed: () => this.#viewed,
      isListed: (inbox) => this.#isListed(inbox),
      onPolled: () => {
        this.#bodies.restart()
        this.#wake('check', 'read')
      },
    })
    this.feed = new EventFeed({
      ...{ ...parts, runForInbox },
      pollAll: () => this.#sharedPoll.join(),
      fetched: () => {
        this.#bodies.restart()
        this.#wake('read', 'check')
      },
    })
    this.#sharedPoll = new SharedPoll(async () => {
      await this.#watch.refreshAll()
      this.#notePoll()
    })
  }

  state(): Omit<SyncStatus, 'pendingChanges' | 'waitingUntil'> {
    const { problem, ...health } = this.connection.health()
    const failures = this.#parts.syncErrors.all()
    return {
      ...health,
      // Safe mode fetches nothing else, so there is no progress to show.
      progress: this.#parts.isSafe ? null : this.#work.progress,
      lastSyncAt: this.#lastSyncAt,
      problem: problem?.message ?? null,
      confirmedAt: this.#confirmedAt,
      ...(failures !== undefined && { failures }),
    }
  }

  start(): void {
    this.#recount()
    for (const name of this.#parts.isSafe ? SAFE_LOOPS : ALL_LOOPS) this.#keepRunning(name)
  }

  /** Polls now, including the newest page of every folder. @throws ProblemError on failure */
  async now(): Promise<void> {
    const { threads } = this.#parts
    try {
      await this.#sharedPoll.join()
      for (let asked = 0; asked < CHECKS_AT_ONCE && (await threads.check('screen')); asked += 1);
      this.#recount()
      for (const name of [NOW, 'watch']) this.connection.succeed(name)
    } catch (thrown) {
      this.connection.fail(NOW, thrown)
      throw thrown
    }
  }

  async createWebhook(endpoint: string): Promise<null> {
    await this.feed.create(endpoint)
    this.#wake('feed')
    return null
  }

  setActivity(next: ActivityLevel): void {
    const isSeenAgain = this.#activity === 'hidden' && next !== 'hidden'
    const isUsedNow = this.#activity !== 'focused' && next === 'focused'
    this.#activity = next
    if (isSeenAgain || isUsedNow) this.#wake('watch', 'feed')
  }

  /** Call when a window reads a list of an inbox, which is then polled more often than the others. */
  view(inboxId: string | null): void {
    this.#viewed = inboxId
  }

  /** Call when there may be more to fetch. */
  nudge(): void {
    this.#bodies.restart()
    this.#recount()
    this.#wake(...ALL_LOOPS)
  }

  /** After the signal, resolves when the last request and write have finished. */
  async ended(): Promise<void> {
    await Promise.all([...ALL_LOOPS.map((name) => this.#loops[name].ended()), this.#sharedPoll.ended()])
  }

  #wake(...names: readonly LoopName[]): void {
    for (const name of names) this.#loops[name].wake()
  }

  #keepRunning(name: LoopName): void {
    this.#loops[name].start({
      // A click soon after the start needs the first requests.
      ...(name === 'feed' && { firstIn: FIRST_FEED_MS }),
      step: async () => {
        const wait = await this.#step(name)
        this.connection.succeed(name)
        if (name === 'watch') this.connection.succeed(NOW)
        return wait
      },
      failed: (thrown, inARow) => {
        this.connection.fail(name, thrown)
        if (isTemporaryError(thrown)) return computeBackOffMs(inARow + 1, Math.random())
        return toProblem(thrown).code.startsWith('key_')
          ? Math.min(USER_FIX_RETRY_MS * 2 ** (inARow - 1), MAX_USER_FIX_RETRY_MS)
          : USER_FIX_RETRY_MS
      },
      signal: this.#parts.signal,
    })
  }

  /** Runs one step of a loop. @returns milliseconds until the next step; null to wait for a wake-up */
  async #step(name: LoopName): Promise<number | null> {
    switch (name) {
      case 'watch':
        await this.#watch.poll(this.feed.isHealthy())
        this.#notePoll()
        return pollInterval(this.#activity, this.feed.isHealthy())
      case 'feed': {
        const wait = await this.feed.step(this.#activity)
        this.#confirmedAt = this.#confirmations()
        if (this.feed.isHealthy()) this.#parts.hub.sync()
        return wait
      }
      case 'list':
        await this.#lister.listAll()
        this.#wake('read', 'rest')
        this.#recount()
        return null
      case 'check':
        await this.#checkAll()
        this.#recount()
        return null
      case 'read':
        try {
          await this.#bodies.fetchAll(() => this.#recount(1))
        } finally {
          this.#recount()
        }
        this.#wake('rest')
        return null
      case 'rest':
        return this.#isTurnOfRest() ? await this.#lister.listRest() : null
    }
  }

  async #checkAll(): Promise<void> {
    const { threads, lists, signal } = this.#parts
    for (let isLeft = true; isLeft && !signal.aborted;) {
      isLeft = (await threads.check('sync')) || (await lists.check('sync'))
    }
  }

  /** True once the newest mail is stored. */
  #isTurnOfRest(): boolean {
    const { lists } = this.#parts
    if (lists.polledAt('inboxes') === null) return false
    return this.#inboxes().every((inbox) => this.#isListed(inbox)) && this.#bodies.ahead() === 0
  }

  #inboxes(): readonly StoredInbox[] {
    const { cache } = this.#parts
    return cache.inboxes.all().filter(({ onServer }) => onServer)
  }

  #unlisted(inbox: InboxRef): number {
    return FOLDERS.filter((folder) => !this.#parts.threads.isListed(inbox, folder)).length
  }

  #isListed(inbox: InboxRef): boolean {
    return this.#unlisted(inbox) === 0
  }

  #confirmations(): Confirmations {
    const { threads, lists } = this.#parts
    return {
      inboxes: lists.polledAt('inboxes'),
      received: lists.polledAt('received'),
      sent: lists.polledAt('sent e-mails'),
      contacts: lists.polledAt('contacts'),
      threads: Object.fromEntries(this.#inboxes().map((inbox) => [inbox.id, threads.polledAt(inbox)])),
    }
  }

  #notePoll(): void {
    const { cache, clock } = this.#parts
    this.#lastSyncAt = clock.now()
    cache.accountMeta.set('last sync', this.#lastSyncAt)
    this.#confirmedAt = this.#confirmations()
    this.#bodies.restart()
    this.#wake('list', 'check', 'read', 'rest')
    this.#recount()
  }

  /** Call when the amount of remaining work has changed. */
  #recount(fetched = 0): void {
    const { hub, lists } = this.#parts
    const ofAccount = ACCOUNT_LISTS.filter((list) => !lists.isDone(list)).length
    const unfinished = this.#inboxes().reduce((count, inbox) => count + this.#unlisted(inbox), ofAccount)
    this.#work = updateSyncWork(this.#work, { lists: unfinished, bodies: this.#bodies.ahead() }, fetched)
    hub.sync()
  }

  /**
   * Runs a task for an inbox. After a 404, checks the inbox itself. A missing inbox isn't an error; otherwise the task
   * is retried once.
   */
  async #runForInbox(inbox: InboxRef, task: () => Promise<unknown>): Promise<void> {
    const { notFound, presence } = this.#parts
    try {
      await task()
    } catch (thrown) {
      if (!lacksOperation(thrown)) throw thrown
      if (!(await notFound.inboxExists(inbox.id, 'screen'))) {
        presence.isGone(inbox.id)
        return
      }
      await task().catch((again: unknown) => {
        const message = 'The platform returned an inbox without its threads. Linnet will try again.'
        throw lacksOperation(again) ? createProblem('platform_failed', message, again) : again
      })
    }
  }
}
