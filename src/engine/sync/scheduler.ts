import { FOLDERS, type Confirmations, type SyncStatus } from '../../shared/model.ts'
import type { Reach } from '../api/http-client.ts'
import { lacksOperation } from '../api/platform-problem.ts'
import { backOff } from '../timing/back-off.ts'
import type { EventHub } from '../event-hub.ts'
import type { Cache } from '../store/cache.ts'
import type { InboxRef } from '../store/inboxes.ts'
import { InboxWithheld, type Absence } from './absence.ts'
import { ACCOUNT_LISTS, type AccountListSync } from './account-lists.ts'
import { createConnection, isPassing } from './connection.ts'
import type { FailedLooks } from './failed-looks.ts'
import { createBodyFetcher } from './fetch-bodies.ts'
import type { InboxPresence } from './inbox-presence.ts'
import { createFolderLister } from './list-folders.ts'
import { createOneLook } from './one-look.ts'
import { pollInterval, type Activity } from './pace.ts'
import type { ThreadSync } from './thread-sync.ts'
import { createWatch } from './watch.ts'
import { NO_WORK, reckon } from './work-ahead.ts'
import type { Clock } from '../timing/clock.ts'
import { Loop } from '../timing/loop.ts'

/** Questions about unexplained threads that one press of F5 waits for; the rest are asked behind it. */
const CHECKS_AT_ONCE = 200
/** While something is wrong with the key or the disk, only a person can help: look again seldom. */
const HELPLESS_MS = 60_000
/** The name of what a person asks for, beside those of the loops. */
const NOW = 'now'

export interface Sync {
  readonly state: () => Omit<SyncStatus, 'pendingChanges' | 'waitingUntil'>
  readonly start: () => void
  /** Looks for news now, at the newest page of every folder too. @throws ProblemError where that fails */
  readonly now: () => Promise<void>
  readonly setActivity: (activity: Activity) => void
  /** How a request went. */
  readonly reach: (reach: Reach) => void
  /** There may be more to fetch than before. */
  readonly nudge: () => void
  /** Resolves when the last request and write have ended, after the signal has. */
  readonly ended: () => Promise<void>
}

/**
 * Keeps the cache true, in five loops that share the request budget: `watch` looks for news at the pace of the window,
 * `list` walks the lists of threads to their end for the first time, `check` asks what became of what a list no longer
 * shows, `read` fetches bodies, newest first, and `rest` walks the account's own lists to their end when nothing newer is
 * left to fetch (docs/sync.md).
 */
export const createSync = (parts: {
  readonly cache: Cache
  readonly hub: EventHub
  readonly threads: ThreadSync
  readonly lists: AccountListSync
  readonly absence: Pick<Absence, 'inboxExists'>
  readonly presence: Pick<InboxPresence, 'isGone'>
  readonly failedLooks: FailedLooks
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
}): Sync => {
  const {
    cache,
    hub,
    threads,
    lists,
    absence,
    presence,
    failedLooks,
    since,
    isSafe = false,
    clock,
    signal,
    onOnline,
    report,
  } = parts
  const isEnding = (): boolean => signal.aborted
  const loops = {
    watch: new Loop(clock),
    list: new Loop(clock),
    check: new Loop(clock),
    read: new Loop(clock),
    rest: new Loop(clock),
  }
  type LoopName = keyof typeof loops
  const ALL_LOOPS: readonly LoopName[] = ['watch', 'list', 'check', 'read', 'rest']
  const SAFE_LOOPS: readonly LoopName[] = ['watch', 'check']
  const wake = (...names: readonly LoopName[]): void => {
    for (const name of names) loops[name].wake()
  }
  let activity: Activity = 'visible'
  let lastSyncAt = cache.facts.number('last sync')

  const inboxes = (): readonly InboxRef[] =>
    cache.inboxes.all().flatMap(({ key, inbox, onServer }) => (onServer ? [{ key, id: inbox.id }] : []))
  const unlisted = (inbox: InboxRef): number => FOLDERS.filter((folder) => !threads.isListed(inbox, folder)).length
  const isListed = (inbox: InboxRef): boolean => unlisted(inbox) === 0

  const confirmations = (): Confirmations => ({
    inboxes: lists.lookedAt('inboxes'),
    received: lists.lookedAt('received'),
    sent: lists.lookedAt('sent e-mails'),
    contacts: lists.lookedAt('contacts'),
    threads: Object.fromEntries(inboxes().map((inbox) => [inbox.id, threads.lookedAt(inbox)])),
  })
  /** Kept, as the status is asked for once a frame. */
  let confirmedAt = confirmations()
  let work = NO_WORK

  const bodies = createBodyFetcher({
    backlog: cache.backlog,
    threads,
    inboxes,
    since,
    isPassing,
    clock,
    signal,
  })

  /** Call when there is more to do, or less. */
  const recount = (fetched = 0): void => {
    const ofAccount = ACCOUNT_LISTS.filter((list) => !lists.isDone(list)).length
    const unfinished = inboxes().reduce((count, inbox) => count + unlisted(inbox), ofAccount)
    work = reckon(work, { lists: unfinished, bodies: bodies.ahead() }, fetched)
    hub.sync()
  }

  const connection = createConnection({
    changed: hub.sync,
    report,
    onOnline: () => {
      wake(...ALL_LOOPS)
      onOnline()
    },
  })

  /**
   * Where an inbox's threads are not found, the inbox itself is asked about: one that is gone is no trouble, and where it
   * is there the answer went astray.
   */
  const unlessGone = async (inbox: InboxRef, task: () => Promise<unknown>): Promise<void> => {
    try {
      await task()
    } catch (thrown) {
      if (!lacksOperation(thrown)) throw thrown
      if (!(await absence.inboxExists(inbox.id, 'screen'))) {
        presence.isGone(inbox.id)
        return
      }
      await task().catch((again: unknown) => {
        throw lacksOperation(again) ? new InboxWithheld(again) : again
      })
    }
  }

  const lister = createFolderLister({
    threads,
    lists,
    inboxes,
    unlessGone,
    fetched: (rows) => {
      recount(rows)
      bodies.restart()
      wake('read', 'check')
    },
  })
  const watch = createWatch({
    threads,
    lists,
    inboxes,
    isListed,
    unlessGone,
    failedLooks,
    lookedAtSome: () => {
      bodies.restart()
      wake('check', 'read')
    },
  })

  const looked = (): void => {
    lastSyncAt = clock.now()
    cache.facts.set('last sync', lastSyncAt)
    confirmedAt = confirmations()
    bodies.restart()
    wake('list', 'check', 'read', 'rest')
    recount()
  }

  /** One step of each loop. @returns milliseconds until its next one; null until it is woken */
  const steps: Readonly<Record<LoopName, () => Promise<number | null>>> = {
    watch: async () => {
      await watch.look()
      looked()
      return pollInterval(activity)
    },
    list: async () => {
      await lister.listAll()
      wake('read', 'rest')
      recount()
      return null
    },
    // Asks about what lists should show and do not, until all of it is explained.
    check: async () => {
      for (let isLeft = true; isLeft && !isEnding();) {
        isLeft = (await threads.check('sync')) || (await lists.check('sync'))
      }
      recount()
      return null
    },
    read: async () => {
      try {
        await bodies.fetchAll(() => recount(1))
      } finally {
        recount()
      }
      wake('rest')
      return null
    },
    // What can wait until the newest mail is here.
    rest: async () => {
      const isItsTurn = lists.lookedAt('inboxes') !== null && inboxes().every(isListed) && bodies.ahead() === 0
      return isItsTurn ? await lister.listRest() : null
    },
  }

  const keepRunning = (name: LoopName): void =>
    loops[name].start({
      step: async () => {
        const wait = await steps[name]()
        connection.succeed(name)
        if (name === 'watch') connection.succeed(NOW)
        return wait
      },
      failed: (thrown, inARow) => {
        connection.fail(name, thrown)
        return isPassing(thrown) ? backOff(inARow + 1, Math.random()) : HELPLESS_MS
      },
      signal,
    })

  const oneLook = createOneLook(async () => {
    await watch.lookEverywhere()
    looked()
  })

  return {
    state: () => {
      const { connection: reached, problem } = connection.health()
      const failures = failedLooks.all()
      return {
        connection: reached,
        // What is not fetched in this run is not awaited either.
        progress: isSafe ? null : work.progress,
        lastSyncAt,
        problem: problem?.message ?? null,
        confirmedAt,
        ...(failures !== undefined && { failures }),
      }
    },
    start: () => {
      recount()
      for (const name of isSafe ? SAFE_LOOPS : ALL_LOOPS) keepRunning(name)
    },
    now: async () => {
      try {
        await oneLook.take()
        for (let asked = 0; asked < CHECKS_AT_ONCE && (await threads.check('screen')); asked += 1);
        recount()
        for (const name of [NOW, 'watch']) connection.succeed(name)
      } catch (thrown) {
        connection.fail(NOW, thrown)
        throw thrown
      }
    },
    setActivity: (next) => {
      const isSeenAgain = activity === 'hidden' && next !== 'hidden'
      const isUsedNow = activity !== 'focused' && next === 'focused'
      activity = next
      if (isSeenAgain || isUsedNow) wake('watch')
    },
    reach: connection.reach,
    nudge: () => {
      bodies.restart()
      recount()
      wake(...ALL_LOOPS)
    },
    ended: async () => {
      await Promise.all([...ALL_LOOPS.map((name) => loops[name].ended()), oneLook.ended()])
    },
  }
}
