import { FOLDERS, type Confirmations, type SyncStatus } from '../../shared/model.ts'
import { toProblem, type Problem, type ProblemCode } from '../../shared/result.ts'
import type { Reach } from '../api/http-client.ts'
import { PAGE_LIMIT } from '../api/mail-platform.ts'
import { lacksOperation } from '../api/platform-problem.ts'
import { backOff } from '../api/retry-time.ts'
import type { EventHub } from '../event-hub.ts'
import type { Cache } from '../store/cache.ts'
import { inStorageWords } from '../store/storage-problem.ts'
import type { InboxRef } from '../store/threads.ts'
import { InboxWithheld, type Absence } from './absence.ts'
import { ACCOUNT_LISTS, type AccountList, type AccountListSync } from './account-lists.ts'
import { createBell } from './bell.ts'
import { all, createBodyFetcher } from './bodies.ts'
import { bodiesSince } from './depth.ts'
import type { InboxPresence } from './inbox-presence.ts'
import { pollInterval, type Activity } from './pace.ts'
import { advance, type Progress } from './progress.ts'
import { healthOf } from './sync-health.ts'
import { ListCutOff, type ThreadSync, type WalkStep } from './thread-sync.ts'

/** Questions about unexplained threads that one press of F5 waits for; the rest are asked behind it. */
const CHECKS_AT_ONCE = 200
/** Inboxes of which one look reads a page of the rolling check. */
const MOST_CHECKED_INBOXES = 4
/** While something is wrong with the key or the disk, only a person can help: look again seldom. */
const HELPLESS_MS = 60_000
/** The name of what a person asks for, beside those of the loops. */
const NOW = 'now'
/** A list that lost its place begins again after this: it may lose it at the same place each time. */
const LOST_MS = 30_000
const PASSING: ReadonlySet<ProblemCode> = new Set(['unreachable', 'platform_failed', 'rate_limited'] as const)

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
  readonly signal: AbortSignal
  /** The platform can be reached again. */
  readonly onOnline: () => void
  /** Something went wrong that is not the network's or the platform's doing. */
  readonly report: (thrown: unknown) => void
}): Sync => {
  const { cache, hub, threads, lists, absence, presence, signal, onOnline, report } = parts
  const isEnding = (): boolean => signal.aborted
  const bells = {
    watch: createBell(),
    list: createBell(),
    check: createBell(),
    read: createBell(),
    rest: createBell(),
  }
  const loops: Promise<void>[] = []
  let activity: Activity = 'visible'
  /** Whether the platform could be reached when that was last tried. */
  let isReached = true
  /** By what failed the last time that it was tried. */
  const failures = new Map<string, Problem>()
  let turn = 0
  let lastSyncAt = cache.facts.number('last sync')

  const inboxes = (): readonly InboxRef[] =>
    cache.inboxes.all().flatMap(({ key, inbox, onServer }) => (onServer ? [{ key, id: inbox.id }] : []))
  const isListed = (inbox: InboxRef): boolean => FOLDERS.every((folder) => threads.isListed(inbox, folder))

  const confirmations = (): Confirmations => ({
    inboxes: lists.lookedAt('inboxes'),
    received: lists.lookedAt('received'),
    sent: lists.lookedAt('sent e-mails'),
    contacts: lists.lookedAt('contacts'),
    threads: Object.fromEntries(inboxes().map((inbox) => [inbox.id, threads.lookedAt(inbox)])),
  })
  /** Kept, as the status is asked for once a frame. */
  let confirmedAt = confirmations()

  // What is left to do, and how far it has come.

  let done = 0
  let progress: Progress | null = null

  const unfinishedWalks = (): number =>
    inboxes().reduce(
      (count, inbox) => count + FOLDERS.filter((folder) => !threads.isListed(inbox, folder)).length,
      ACCOUNT_LISTS.filter((list) => !lists.isDone(list)).length,
    )
  /** Call when there is more to do, or less. A list that goes on is expected to go on by one page. */
  const reckon = (): void => {
    const ahead = unfinishedWalks() * PAGE_LIMIT + bodies.ahead()
    progress = ahead === 0 ? null : advance(progress, done, ahead)
    if (progress === null) done = 0
    hub.sync()
  }
  const fetched = (rows: number): void => {
    done += rows
    reckon()
  }

  const bodies = createBodyFetcher({
    backlog: cache.backlog,
    threads,
    inboxes,
    since: () => bodiesSince(cache.facts),
    fetched: () => fetched(1),
    isPassing: (thrown) => PASSING.has(toProblem(thrown).code),
    signal,
  })

  // How it goes.

  /** Puts a failure where the status line finds it, until the same work succeeds. */
  const fail = (source: string, thrown: unknown): Problem => {
    const failure = toProblem(inStorageWords(thrown))
    if (failure.code === 'internal') report(thrown)
    if (failure.code === 'unreachable') isReached = false
    failures.set(source, failure)
    hub.sync()
    return failure
  }
  const succeed = (source: string): void => {
    if (failures.delete(source)) hub.sync()
  }

  /**
   * Where an inbox's threads are not found, the inbox itself is asked about: one that is gone is no trouble, and where it
   * is there the answer went astray.
   */
  const unlessGone = async (inbox: InboxRef, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (thrown) {
      if (!lacksOperation(thrown)) throw thrown
      if (!(await absence.inboxExists(inbox.id, 'screen'))) {
        presence.isGone(inbox.id)
        return
      }
      await work().catch((again: unknown) => {
        throw lacksOperation(again) ? new InboxWithheld(again) : again
      })
    }
  }

  // The loops.

  /** One page of what is checked in turn: docs/sync.md says how long a whole turn takes. */
  const checkStep = async (inbox: InboxRef, step: number): Promise<void> => {
    if (step % 2 === 0) {
      await threads.walk(inbox, 'inbox', 'sync')
      return
    }
    const others = [
      ...(['archive', 'sent', 'labels', 'archive', 'spam', 'received'] as const),
      ...(['archive', 'trash', 'contacts', 'archive', 'sent e-mails'] as const),
    ]
    const other = others[((step - 1) / 2) % others.length] ?? 'labels'
    if (other === 'labels') await threads.labels(inbox, 'sync')
    else if (other === 'received' || other === 'sent e-mails' || other === 'contacts') await lists.walk(other, 'sync')
    else await threads.walk(inbox, other, 'sync')
  }

  const endLook = (): void => {
    lastSyncAt = Date.now()
    cache.facts.set('last sync', lastSyncAt)
    confirmedAt = confirmations()
    bodies.restart()
    for (const bell of [bells.list, bells.check, bells.read, bells.rest]) bell.ring()
    reckon()
  }

  /** Looks at each inbox by itself: what some brought is fetched, though others could not be looked at. */
  const lookAt = async (known: readonly InboxRef[], look: (inbox: InboxRef) => Promise<unknown>): Promise<void> => {
    const looks = known.map((inbox) => unlessGone(inbox, () => look(inbox)))
    const outcomes = await Promise.allSettled(looks)
    if (outcomes.some(({ status }) => status === 'fulfilled')) {
      bodies.restart()
      for (const bell of [bells.check, bells.read]) bell.ring()
    }
    await all(looks)
  }

  /** Three requests for an account of one inbox where nothing is new. */
  const watch = async (): Promise<number | null> => {
    const step = turn
    turn += 1
    const isOthersTurn = step % 2 === 1 && inboxes().length > 0
    const other = step % 4 === 1 ? 'received' : 'sent e-mails'
    await (isOthersTurn ? lists.news(other, 'screen') : lists.inboxes('screen'))
    const known = inboxes()
    const isChecked = (index: number): boolean =>
      known.length <= MOST_CHECKED_INBOXES ||
      (index + step * MOST_CHECKED_INBOXES) % known.length < MOST_CHECKED_INBOXES
    // Wherever the rolling check stands, what is new comes first.
    const looked = new Set<InboxRef>()
    const news = lookAt(known, async (inbox) => {
      await threads.news(inbox, 'screen')
      looked.add(inbox)
    })
    await Promise.allSettled([news])
    const checked = known.filter((inbox, index) => looked.has(inbox) && isChecked(index) && isListed(inbox))
    await all([news, ...checked.map((inbox) => unlessGone(inbox, () => checkStep(inbox, step)))])
    if (known.length === 0) await all(ACCOUNT_LISTS.map((name) => lists.walk(name, 'sync')))
    endLook()
    return pollInterval(activity)
  }

  const walkOnce = async (step: () => Promise<WalkStep>): Promise<WalkStep> => {
    const taken = await step()
    fetched(taken.rows)
    bodies.restart()
    bells.read.ring()
    bells.check.ring()
    return taken
  }
  /** @throws ListCutOff where the walk is lost again before it came further than the time before */
  const walkToEnd = async (step: () => Promise<WalkStep>): Promise<void> => {
    for (let reached = 0, furthest = -1; ;) {
      const { rows, isEnd, isLost = false } = await walkOnce(step)
      if (isEnd) return
      reached += rows
      if (!isLost) continue
      if (reached <= furthest) throw new ListCutOff()
      furthest = reached
      reached = 0
    }
  }
  const accountLists = (isDone: (list: AccountList) => boolean): readonly AccountList[] =>
    ACCOUNT_LISTS.filter((name) => !isDone(name))

  const list = async (): Promise<null> => {
    const ofInboxes = inboxes().flatMap((inbox) => {
      const unlisted = FOLDERS.filter((folder) => !threads.isListed(inbox, folder))
      if (unlisted.length === 0) return []
      return [
        unlessGone(inbox, () => threads.labels(inbox, 'screen')),
        ...unlisted.map((folder) =>
          unlessGone(inbox, async () => {
            // The newest page of each folder is what a person looks at; the rest can come after all of those.
            const { isEnd } = await walkOnce(() => threads.walk(inbox, folder, 'screen'))
            if (!isEnd) await walkToEnd(() => threads.walk(inbox, folder, 'sync'))
          }),
        ),
      ]
    })
    await all([...ofInboxes, ...accountLists(lists.isBegun).map((name) => walkOnce(() => lists.walk(name, 'sync')))])
    bells.read.ring()
    bells.rest.ring()
    reckon()
    return null
  }

  /** Asks about what lists should show and do not, until all of it is explained. */
  const check = async (): Promise<null> => {
    for (let isLeft = true; isLeft && !isEnding();) {
      isLeft = (await threads.check('sync')) || (await lists.check('sync'))
    }
    reckon()
    return null
  }

  const read = async (): Promise<null> => {
    try {
      await bodies.fetchAll()
    } finally {
      reckon()
    }
    bells.rest.ring()
    return null
  }

  /** A page of what can wait until the newest mail is here. */
  const rest = async (): Promise<number | null> => {
    const left = accountLists(lists.isDone)
    const isItsTurn = lists.lookedAt('inboxes') !== null && inboxes().every(isListed) && bodies.ahead() === 0
    if (left.length === 0 || !isItsTurn) return null
    const steps: WalkStep[] = []
    await all(left.map(async (name) => steps.push(await walkOnce(() => lists.walk(name, 'backfill')))))
    return steps.some(({ isLost }) => isLost === true) ? LOST_MS : 0
  }

  const keepRunning = async (name: keyof typeof bells, step: () => Promise<number | null>): Promise<void> => {
    const bell = bells[name]
    let inARow = 0
    while (!isEnding()) {
      let wait: number | null
      try {
        wait = await step()
        inARow = 0
        succeed(name)
        if (name === 'watch') succeed(NOW)
      } catch (thrown) {
        if (isEnding()) return
        inARow += 1
        wait = PASSING.has(fail(name, thrown).code) ? backOff(inARow + 1, Math.random()) : HELPLESS_MS
      }
      await bell.wait(wait, signal)
    }
  }

  /** What a person asks for: the news, and whether anything changed that brought no thread to the top. */
  const lookEverywhere = async (): Promise<void> => {
    await all([lists.inboxes('screen'), ...ACCOUNT_LISTS.map((name) => lists.news(name, 'screen'))])
    await lookAt(inboxes(), async (inbox) => {
      await threads.news(inbox, 'screen')
      const checks = FOLDERS.map((folder) => threads.checkTop(inbox, folder, 'screen'))
      await all([threads.labels(inbox, 'screen'), ...checks])
    })
    endLook()
  }
  /** The look that is under way, and the one that follows it where somebody asked for one in the meantime. */
  let looking: Promise<void> | null = null
  let following: Promise<void> | null = null
  const startLook = (): Promise<void> => {
    const look = lookEverywhere().finally(() => {
      looking = null
    })
    looking = look
    return look
  }
  /** What somebody asks for during a look may have changed behind it: one more look is for all who ask until it starts. */
  const lookOnce = (): Promise<void> => {
    if (looking === null) return startLook()
    following ??= looking
      .catch(() => undefined)
      .then(() => {
        following = null
        return startLook()
      })
    return following
  }

  return {
    state: () => {
      const { connection, problem } = healthOf(isReached, failures)
      return { connection, progress, lastSyncAt, problem: problem?.message ?? null, confirmedAt }
    },
    start: () => {
      reckon()
      loops.push(
        keepRunning('watch', watch),
        keepRunning('list', list),
        keepRunning('check', check),
        keepRunning('read', read),
        keepRunning('rest', rest),
      )
    },
    now: async () => {
      try {
        await lookOnce()
        for (let asked = 0; asked < CHECKS_AT_ONCE && (await threads.check('screen')); asked += 1);
        reckon()
        for (const name of [NOW, 'watch']) succeed(name)
      } catch (thrown) {
        fail(NOW, thrown)
        throw thrown
      }
    },
    setActivity: (next) => {
      const isSeenAgain = activity === 'hidden' && next !== 'hidden'
      const isUsedNow = activity !== 'focused' && next === 'focused'
      activity = next
      if (isSeenAgain || isUsedNow) bells.watch.ring()
    },
    reach: (reach) => {
      if (reach === 'unreachable') {
        if (isReached) {
          isReached = false
          hub.sync()
        }
        return
      }
      if (isReached) return
      isReached = true
      hub.sync()
      for (const bell of Object.values(bells)) bell.ring()
      onOnline()
    },
    nudge: () => {
      bodies.restart()
      reckon()
      for (const bell of Object.values(bells)) bell.ring()
    },
    ended: async () => {
      await Promise.all([...loops, looking?.catch(() => undefined), following?.catch(() => undefined)])
    },
  }
}
