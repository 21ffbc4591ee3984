import { FOLDERS, type SyncStatus } from '../../shared/model.ts'
import { toProblem, type Problem, type ProblemCode } from '../../shared/result.ts'
import type { Reach } from '../api/http-client.ts'
import { PAGE_LIMIT } from '../api/mail-platform.ts'
import { isNotFound } from '../api/platform-problem.ts'
import { backOff } from '../api/retry-time.ts'
import type { EventHub } from '../event-hub.ts'
import type { Cache } from '../store/cache.ts'
import { inStorageWords, isCorrupt } from '../store/storage-problem.ts'
import type { InboxRef, ThreadToRead } from '../store/threads.ts'
import { ACCOUNT_LISTS, type AccountList, type AccountListSync } from './account-lists.ts'
import { createBell, type Bell } from './bell.ts'
import { bodiesSince } from './depth.ts'
import { pollInterval, type Activity } from './pace.ts'
import { advance, type Progress } from './progress.ts'
import type { ThreadSync, WalkStep } from './thread-sync.ts'

/** Bodies that are fetched at the same time. */
const BODIES_AT_ONCE = 8
/** A thread whose e-mails the platform fails to give so often is left alone until it changes or Linnet starts again. */
const MAX_BODY_FAILURES = 3
/** While something is wrong with the key or the disk, only a person can help: look again seldom. */
const HELPLESS_MS = 60_000
const KEY_TROUBLE: ReadonlySet<ProblemCode> = new Set([
  'key_rejected',
  'key_restricted',
  'key_of_another_account',
] as const)
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

const bodyKey = ({ inboxId, threadId, receivedAt }: ThreadToRead): string =>
  JSON.stringify([inboxId, threadId, receivedAt])

/** Waits for all, then throws what the first failure threw. */
const all = async (work: readonly Promise<unknown>[]): Promise<void> => {
  const results = await Promise.allSettled(work)
  const failure = results.find((result) => result.status === 'rejected')
  if (failure !== undefined) throw failure.reason
}

/**
 * Keeps the cache true, in four loops that share the request budget: `watch` looks for news at the pace of the window,
 * `list` walks the lists of threads to their end for the first time, `read` fetches bodies, newest first, and `rest`
 * walks the account's own lists to their end when nothing newer is left to fetch (docs/sync.md).
 */
export const createSync = (parts: {
  readonly cache: Cache
  readonly hub: EventHub
  readonly threads: ThreadSync
  readonly lists: AccountListSync
  readonly signal: AbortSignal
  /** The platform can be reached again. */
  readonly onOnline: () => void
  /** The cache's file turns out to be damaged. */
  readonly onCorrupt: () => void
  /** Something went wrong that is not the network's or the platform's doing. */
  readonly report: (thrown: unknown) => void
}): Sync => {
  const { cache, hub, threads, lists, signal, onOnline, onCorrupt, report } = parts
  const isEnding = (): boolean => signal.aborted
  const bells = { watch: createBell(), list: createBell(), read: createBell(), rest: createBell() }
  const loops: Promise<void>[] = []
  let activity: Activity = 'visible'
  let connection: SyncStatus['connection'] = 'online'
  let problem: Problem | null = null
  let turn = 0

  const inboxes = (): readonly InboxRef[] =>
    cache.inboxes.all().flatMap(({ key, inbox, onServer }) => (onServer ? [{ key, id: inbox.id }] : []))
  const isListed = (inbox: InboxRef): boolean => FOLDERS.every((folder) => threads.isListed(inbox, folder))

  // What is left to do, and how far it has come.

  /** Threads whose e-mails are being fetched, and those whose e-mails the platform fails to give. */
  const reading = new Set<string>()
  const failed = new Map<string, number>()
  const givenUp = (): number => [...failed.values()].filter((count) => count >= MAX_BODY_FAILURES).length
  let episode: { readonly done: number; readonly shown: Progress | null } = { done: 0, shown: null }

  const unfinishedWalks = (): number =>
    inboxes().reduce(
      (count, inbox) => count + FOLDERS.filter((folder) => !threads.isListed(inbox, folder)).length,
      ACCOUNT_LISTS.filter((list) => !lists.isListed(list)).length,
    )
  const bodiesAhead = (): number => Math.max(0, cache.threads.countWithoutEmails(bodiesSince(cache.facts)) - givenUp())
  /** A list that goes on is expected to go on by one page: its length is known when its end is. */
  const ahead = (): number => unfinishedWalks() * PAGE_LIMIT + bodiesAhead()
  const nextProgress = (): Progress | null => {
    const remaining = ahead()
    const { done, shown } = episode
    const isOver = shown === null || shown.done === shown.total
    return remaining === 0 && isOver ? null : advance(shown, done, remaining)
  }
  const fetched = (rows: number): void => {
    episode = { ...episode, done: episode.done + rows }
    hub.sync()
  }

  // How it goes.

  /** Puts a failure where the status line finds it. */
  const fail = (thrown: unknown): Problem => {
    const failure = toProblem(inStorageWords(thrown))
    if (failure.code === 'internal') report(thrown)
    if (isCorrupt(thrown)) onCorrupt()
    const isKey = KEY_TROUBLE.has(failure.code)
    connection = failure.code === 'unreachable' ? 'offline' : isKey ? 'refused' : connection
    // Being offline is said by the connection itself.
    problem = failure.code === 'unreachable' ? null : failure
    hub.sync()
    return failure
  }
  const succeed = (): void => {
    if (problem === null && connection === 'online') return
    problem = null
    connection = 'online'
    hub.sync()
  }

  /** An inbox that is gone is no trouble: its mail stays, and the list of inboxes will say so. */
  const unlessGone = async (inbox: InboxRef, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (thrown) {
      if (!isNotFound(thrown)) throw thrown
      cache.inboxes.markGone(inbox.id)
      hub.inboxes()
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

  const looked = (): void => {
    cache.facts.set('last sync', Date.now())
    for (const bell of [bells.list, bells.read, bells.rest]) bell.ring()
    hub.sync()
  }

  /** Three requests for an account of one inbox where nothing is new. */
  const watch = async (): Promise<number | null> => {
    const step = turn
    turn += 1
    const isOthersTurn = step % 2 === 1 && inboxes().length > 0
    const other = step % 4 === 1 ? 'received' : 'sent e-mails'
    await (isOthersTurn ? lists.emailNews(other, 'screen') : lists.inboxes('screen'))
    const known = inboxes()
    await all(
      known.map((inbox) =>
        unlessGone(inbox, async () => {
          await threads.news(inbox, 'screen')
          if (isListed(inbox)) await checkStep(inbox, step)
        }),
      ),
    )
    if (known.length === 0) await all(ACCOUNT_LISTS.map((name) => lists.walk(name, 'sync')))
    looked()
    return pollInterval(activity)
  }

  const walkOnce = async (step: () => Promise<WalkStep>): Promise<WalkStep> => {
    const taken = await step()
    fetched(taken.rows)
    bells.read.ring()
    return taken
  }
  const walkToEnd = async (step: () => Promise<WalkStep>): Promise<void> => {
    while (!(await walkOnce(step)).isEnd);
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
    hub.sync()
    return null
  }

  const nextToRead = (): ThreadToRead | undefined =>
    cache.threads
      .withoutEmails(bodiesSince(cache.facts), reading.size + failed.size + 1)
      .find((thread) => !reading.has(bodyKey(thread)) && (failed.get(bodyKey(thread)) ?? 0) < MAX_BODY_FAILURES)

  const readOne = async (thread: ThreadToRead): Promise<void> => {
    const inbox = cache.inboxes.get(thread.inboxId)
    if (inbox === undefined) return
    const ref = { key: inbox.key, id: thread.inboxId }
    if (!threads.offersEmails(ref)) {
      cache.threads.giveUpReading(ref, thread.threadId)
      return
    }
    try {
      await threads.emails(ref, thread.threadId, 'backfill')
    } catch (thrown) {
      if (!isNotFound(thrown)) throw thrown
      await threads.verify(ref, thread.threadId, 'backfill')
      cache.threads.giveUpReading(ref, thread.threadId)
    }
  }

  const readCounting = async (thread: ThreadToRead): Promise<void> => {
    const key = bodyKey(thread)
    reading.add(key)
    try {
      await readOne(thread)
      failed.delete(key)
      fetched(1)
    } catch (thrown) {
      const { code } = toProblem(thrown)
      if (code !== 'unreachable' && PASSING.has(code)) failed.set(key, (failed.get(key) ?? 0) + 1)
      throw thrown
    } finally {
      reading.delete(key)
    }
  }

  /** Fetches the e-mails of one thread after the other, the newest first, until none is left. */
  const readOn = async (): Promise<void> => {
    for (let next = nextToRead(); next !== undefined && !isEnding(); next = nextToRead()) await readCounting(next)
  }

  const read = async (): Promise<null> => {
    if (nextToRead() !== undefined) await all(Array.from({ length: BODIES_AT_ONCE }, readOn))
    bells.rest.ring()
    hub.sync()
    return null
  }

  /** A page of what can wait until the newest mail is here. */
  const rest = async (): Promise<number | null> => {
    const left = accountLists(lists.isListed)
    const isItsTurn = lists.lookedAt('inboxes') !== null && inboxes().every(isListed) && bodiesAhead() === 0
    if (left.length === 0 || !isItsTurn) return null
    await all(left.map((name) => walkOnce(() => lists.walk(name, 'backfill'))))
    return 0
  }

  const keepRunning = async (bell: Bell, step: () => Promise<number | null>): Promise<void> => {
    let failures = 0
    while (!isEnding()) {
      let wait: number | null
      try {
        wait = await step()
        failures = 0
        succeed()
      } catch (thrown) {
        if (isEnding()) return
        failures += 1
        wait = PASSING.has(fail(thrown).code) ? backOff(failures + 1, Math.random()) : HELPLESS_MS
      }
      await bell.wait(wait, signal)
    }
  }

  /** What a person asks for: the news, and whether anything changed that brought no thread to the top. */
  const lookEverywhere = async (): Promise<void> => {
    await all([
      lists.inboxes('screen'),
      lists.emailNews('received', 'screen'),
      lists.emailNews('sent e-mails', 'screen'),
    ])
    await all(
      inboxes().map((inbox) =>
        unlessGone(inbox, async () => {
          await threads.news(inbox, 'screen')
          const checks = FOLDERS.map((folder) => threads.checkTop(inbox, folder, 'screen'))
          await all([threads.labels(inbox, 'screen'), ...checks])
        }),
      ),
    )
    looked()
  }
  let looking: Promise<void> = Promise.resolve()

  return {
    state: () => {
      const shown = nextProgress()
      episode = shown === null ? { done: 0, shown } : { ...episode, shown }
      // The end is shown once, then nothing is.
      if (shown !== null && shown.done === shown.total) hub.sync()
      return {
        connection,
        progress: shown,
        lastSyncAt: cache.facts.number('last sync'),
        problem: problem?.message ?? null,
      }
    },
    start: () => {
      loops.push(
        keepRunning(bells.watch, watch),
        keepRunning(bells.list, list),
        keepRunning(bells.read, read),
        keepRunning(bells.rest, rest),
      )
    },
    now: async () => {
      looking = looking.catch(() => undefined).then(lookEverywhere)
      try {
        await looking
        succeed()
      } catch (thrown) {
        fail(thrown)
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
        if (connection === 'online') {
          connection = 'offline'
          hub.sync()
        }
        return
      }
      if (connection !== 'offline') return
      connection = 'online'
      hub.sync()
      for (const bell of Object.values(bells)) bell.ring()
      onOnline()
    },
    nudge: () => {
      for (const bell of Object.values(bells)) bell.ring()
    },
    ended: async () => {
      await Promise.all([...loops, looking.catch(() => undefined)])
    },
  }
}
