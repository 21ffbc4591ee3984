import { FOLDERS, type Confirmations, type SyncStatus } from '../../shared/model.ts'
import { toProblem } from '../../shared/result.ts'
import type { Reach } from '../api/http-client.ts'
import { lacksOperation } from '../api/platform-problem.ts'
import { backOff } from '../timing/back-off.ts'
import type { EventHub } from '../event-hub.ts'
import type { Cache } from '../store/cache.ts'
import type { InboxRef } from '../store/inboxes.ts'
import type { Absence } from './absence.ts'
import { problem } from '../saying.ts'
import { ACCOUNT_LISTS, type AccountListSync } from './account-lists.ts'
import { Connection, isPassing } from './connection.ts'
import type { FailedLooks } from './failed-looks.ts'
import { BodyFetcher } from './fetch-bodies.ts'
import type { InboxPresence } from './inbox-presence.ts'
import { FolderLister } from './list-folders.ts'
import { OneLook } from './one-look.ts'
import { pollInterval, type Activity } from './pace.ts'
import type { ThreadSync } from './thread-sync.ts'
import { Watch } from './watch.ts'
import { NO_WORK, reckon } from './progress.ts'
import type { Clock } from '../timing/clock.ts'
import { Loop } from '../timing/loop.ts'

/** Questions about unexplained threads that one press of F5 waits for; the rest are asked behind it. */
const CHECKS_AT_ONCE = 200
/** While something is wrong with the key or the disk, only a person can help: look again seldom, at most hourly. */
const HELPLESS_MS = 60_000
const LONGEST_HELPLESS_MS = 60 * 60_000
/** The name of what a person asks for, beside those of the loops. */
const NOW = 'now'

const ALL_LOOPS = ['watch', 'list', 'check', 'read', 'rest'] as const
type LoopName = (typeof ALL_LOOPS)[number]
const SAFE_LOOPS: readonly LoopName[] = ['watch', 'check']

interface SyncParts {
  readonly cache: Cache
  readonly hub: EventHub
  readonly threads: ThreadSync
  readonly lists: AccountListSync
  readonly absence: Pick<Absence, 'inboxExists'>
  readonly presence: Pick<InboxPresence, 'isGone'>
  readonly failedLooks: Pick<FailedLooks, 'look' | 'all'>
  /** From when on the e-mails of threads are fetched, milliseconds since the epoch. */
  readonly since: () => number
  /** Whether it looks for news alone, and fetches nothing that it does not have to. */
  readonly isSafe?: boolean
  readonly clock: Clock
  readonly signal: AbortSignal
  /** The platform can be reached again. */
  readonly onOnline: () => void
  /** Something went wrong that is not the network's or the platform's doing. */
  readonly report: (thrown: unknown) => void
}

/**
 * Keeps the cache true, in five loops that share the request budget: `watch` looks for news at the pace of the window,
 * `list` walks the lists of threads to their end for the first time, `check` asks what became of what a list no longer
 * shows, `read` fetches bodies, newest first, and `rest` walks the account's own lists to their end when nothing newer is
 * left to fetch (docs/sync.md).
 */
export class Sync {
  readonly #parts: SyncParts
  readonly #isSafe: boolean
  readonly #loops: Readonly<Record<LoopName, Loop>>
  readonly #connection: Connection
  readonly #bodies: BodyFetcher
  readonly #lister: FolderLister
  readonly #watch: Watch
  readonly #oneLook: OneLook
  #activity: Activity = 'visible'
  #lastSyncAt: number | null
  /** Kept, as the status is asked for once a frame. */
  #confirmedAt: Confirmations
  #work = NO_WORK

  constructor(parts: SyncParts) {
    const { cache, hub, threads, lists, failedLooks, since, isSafe = false, clock, signal, onOnline, report } = parts
    this.#parts = parts
    this.#isSafe = isSafe
    this.#loops = {
      watch: new Loop(clock),
      list: new Loop(clock),
      check: new Loop(clock),
      read: new Loop(clock),
      rest: new Loop(clock),
    }
    this.#lastSyncAt = cache.facts.number('last sync')
    this.#confirmedAt = this.#confirmations()
    const inboxes = (): readonly InboxRef[] => this.#inboxes()
    const unlessGone = (inbox: InboxRef, task: () => Promise<unknown>): Promise<void> => this.#unlessGone(inbox, task)
    this.#bodies = new BodyFetcher({ backlog: cache.backlog, threads, inboxes, since, clock, signal })
    this.#connection = new Connection({
      changed: () => hub.sync(),
      report,
      onOnline: () => {
        this.#wake(...ALL_LOOPS)
        onOnline()
      },
    })
    this.#lister = new FolderLister({
      ...{ threads, lists, inboxes, unlessGone },
      fetched: (rows) => {
        this.#recount(rows)
        this.#bodies.restart()
        this.#wake('read', 'check')
      },
    })
    this.#watch = new Watch({
      ...{ threads, lists, inboxes, unlessGone, failedLooks },
      isListed: (inbox) => this.#isListed(inbox),
      lookedAtSome: () => {
        this.#bodies.restart()
        this.#wake('check', 'read')
      },
    })
    this.#oneLook = new OneLook(async () => {
      await this.#watch.lookEverywhere()
      this.#noteLook()
    })
  }

  state(): Omit<SyncStatus, 'pendingChanges' | 'waitingUntil'> {
    const { problem, ...health } = this.#connection.health()
    const failures = this.#parts.failedLooks.all()
    return {
      ...health,
      // What is not fetched in this run is not awaited either.
      progress: this.#isSafe ? null : this.#work.progress,
      lastSyncAt: this.#lastSyncAt,
      problem: problem?.message ?? null,
      confirmedAt: this.#confirmedAt,
      ...(failures !== undefined && { failures }),
    }
  }

  start(): void {
    this.#recount()
    for (const name of this.#isSafe ? SAFE_LOOPS : ALL_LOOPS) this.#keepRunning(name)
  }

  /** Looks for news now, at the newest page of every folder too. @throws ProblemError where that fails */
  async now(): Promise<void> {
    const { threads } = this.#parts
    try {
      await this.#oneLook.take()
      for (let asked = 0; asked < CHECKS_AT_ONCE && (await threads.check('screen')); asked += 1);
      this.#recount()
      for (const name of [NOW, 'watch']) this.#connection.succeed(name)
    } catch (thrown) {
      this.#connection.fail(NOW, thrown)
      throw thrown
    }
  }

  setActivity(next: Activity): void {
    const isSeenAgain = this.#activity === 'hidden' && next !== 'hidden'
    const isUsedNow = this.#activity !== 'focused' && next === 'focused'
    this.#activity = next
    if (isSeenAgain || isUsedNow) this.#wake('watch')
  }

  /** How a request went. */
  reach(reach: Reach): void {
    this.#connection.reach(reach)
  }

  /** There may be more to fetch than before. */
  nudge(): void {
    this.#bodies.restart()
    this.#recount()
    this.#wake(...ALL_LOOPS)
  }

  /** Resolves when the last request and write have ended, after the signal has. */
  async ended(): Promise<void> {
    await Promise.all([...ALL_LOOPS.map((name) => this.#loops[name].ended()), this.#oneLook.ended()])
  }

  #wake(...names: readonly LoopName[]): void {
    for (const name of names) this.#loops[name].wake()
  }

  #keepRunning(name: LoopName): void {
    this.#loops[name].start({
      step: async () => {
        const wait = await this.#step(name)
        this.#connection.succeed(name)
        if (name === 'watch') this.#connection.succeed(NOW)
        return wait
      },
      failed: (thrown, inARow) => {
        this.#connection.fail(name, thrown)
        if (isPassing(thrown)) return backOff(inARow + 1, Math.random())
        return toProblem(thrown).code.startsWith('key_')
          ? Math.min(HELPLESS_MS * 2 ** (inARow - 1), LONGEST_HELPLESS_MS)
          : HELPLESS_MS
      },
      signal: this.#parts.signal,
    })
  }

  /** One step of a loop. @returns milliseconds until its next one; null until it is woken */
  async #step(name: LoopName): Promise<number | null> {
    switch (name) {
      case 'watch':
        await this.#watch.look()
        this.#noteLook()
        return pollInterval(this.#activity)
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

  /** Asks about what lists should show and do not, until all of it is explained. */
  async #checkAll(): Promise<void> {
    const { threads, lists, signal } = this.#parts
    for (let isLeft = true; isLeft && !signal.aborted;) {
      isLeft = (await threads.check('sync')) || (await lists.check('sync'))
    }
  }

  /** Whether the newest mail is here, for which the rest waits. */
  #isTurnOfRest(): boolean {
    const { lists } = this.#parts
    if (lists.lookedAt('inboxes') === null) return false
    return this.#inboxes().every((inbox) => this.#isListed(inbox)) && this.#bodies.ahead() === 0
  }

  #inboxes(): readonly InboxRef[] {
    const { cache } = this.#parts
    return cache.inboxes.all().flatMap(({ key, inbox, onServer }) => (onServer ? [{ key, id: inbox.id }] : []))
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
      inboxes: lists.lookedAt('inboxes'),
      received: lists.lookedAt('received'),
      sent: lists.lookedAt('sent e-mails'),
      contacts: lists.lookedAt('contacts'),
      threads: Object.fromEntries(this.#inboxes().map((inbox) => [inbox.id, threads.lookedAt(inbox)])),
    }
  }

  #noteLook(): void {
    const { cache, clock } = this.#parts
    this.#lastSyncAt = clock.now()
    cache.facts.set('last sync', this.#lastSyncAt)
    this.#confirmedAt = this.#confirmations()
    this.#bodies.restart()
    this.#wake('list', 'check', 'read', 'rest')
    this.#recount()
  }

  /** Call when there is more to do, or less. */
  #recount(fetched = 0): void {
    const { hub, lists } = this.#parts
    const ofAccount = ACCOUNT_LISTS.filter((list) => !lists.isDone(list)).length
    const unfinished = this.#inboxes().reduce((count, inbox) => count + this.#unlisted(inbox), ofAccount)
    this.#work = reckon(this.#work, { lists: unfinished, bodies: this.#bodies.ahead() }, fetched)
    hub.sync()
  }

  /**
   * Where an inbox's threads are not found, the inbox itself is asked about: one that is gone is no trouble, and where it
   * is there the answer went astray.
   */
  async #unlessGone(inbox: InboxRef, task: () => Promise<unknown>): Promise<void> {
    const { absence, presence } = this.#parts
    try {
      await task()
    } catch (thrown) {
      if (!lacksOperation(thrown)) throw thrown
      if (!(await absence.inboxExists(inbox.id, 'screen'))) {
        presence.isGone(inbox.id)
        return
      }
      await task().catch((again: unknown) => {
        const message = 'The platform lists an inbox without its threads. Linnet tries again.'
        throw lacksOperation(again) ? problem('platform_failed', message, again) : again
      })
    }
  }
}
