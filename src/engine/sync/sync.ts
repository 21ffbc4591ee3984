import { FOLDERS, type SyncStatus } from '../../shared/model.ts'
import { isNotFound } from '../api/platform-problem.ts'
import type { Reach } from '../api/http-client.ts'
import { backOff } from '../api/retry-time.ts'
import { toProblem, type Problem } from '../../shared/result.ts'
import type { EventHub } from '../event-hub.ts'
import type { Cache } from '../store/cache.ts'
import { inStorageWords } from '../store/storage-problem.ts'
import type { InboxRef } from '../store/threads.ts'
import { ACCOUNT_LISTS, type AccountListSync } from './account-lists.ts'
import { createBell, type Bell } from './bell.ts'
import { type Activity, pollInterval } from './pace.ts'
import { advance, type Progress } from './progress.ts'
import type { ThreadSync } from './thread-sync.ts'
import { PAGE_LIMIT } from '../api/mail-platform.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** How far back bodies are fetched without being asked for. */
const DEFAULT_DEPTH_DAYS = 30
/** Bodies that are fetched at the same time. */
const BODIES_AT_ONCE = 8
/** While something is wrong with the key or the disk, only a person can help: look again seldom. */
const HELPLESS_MS = 60_000

type SyncState = Pick<SyncStatus, 'connection' | 'progress' | 'lastSyncAt' | 'problem'>

export interface Sync {
  readonly state: () => SyncState
  readonly start: () => void
  /** Looks for news now. Resolves when that is done. @throws ProblemError where it cannot be */
  readonly now: () => Promise<void>
  readonly setActivity: (activity: Activity) => void
  /** How a request went. */
  readonly reach: (reach: Reach) => void
  /** Resolves when the last request and write have ended, after the signal has. */
  readonly ended: () => Promise<void>
}

/**
 * Keeps the cache true, in three loops that share the request budget: `watch` looks for news at the pace of the window,
 * `list` walks lists to their end for the first time, `read` fetches bodies, newest first (docs/sync.md).
 */
export const createSync = (parts: {
  readonly cache: Cache
  readonly hub: EventHub
  readonly threads: ThreadSync
  readonly lists: AccountListSync
  readonly signal: AbortSignal
  /** The platform can be reached again. */
  readonly onOnline: () => void
  /** Something went wrong that is not the network's or the platform's doing. */
  readonly report: (thrown: unknown) => void
}): Sync => {
  const { cache, hub, threads, lists, signal, onOnline, report } = parts
  const isEnding = (): boolean => signal.aborted
  const bells = { watch: createBell(), list: createBell(), read: createBell() }
  const loops: Promise<void>[] = []
  let activity: Activity = 'visible'
  let connection: SyncStatus['connection'] = 'online'
  let problem: Problem | null = null
  let turn = 0
  let episode = { done: 0, shown: null as Progress | null }

  const inboxes = (): readonly InboxRef[] =>
    cache.inboxes.all().flatMap(({ key, inbox, onServer }) => (onServer ? [{ key, id: inbox.id }] : []))
  const bodiesSince = (): number => {
    const days = cache.facts.number('depth days') ?? DEFAULT_DEPTH_DAYS
    return Date.now() - days * DAY_MS
  }

  const unfinishedWalks = (): number =>
    inboxes().reduce(
      (count, inbox) => count + FOLDERS.filter((folder) => !threads.isListed(inbox, folder)).length,
      ACCOUNT_LISTS.filter((list) => !lists.isListed(list)).length,
    )
  const ahead = (): number => unfinishedWalks() * PAGE_LIMIT + cache.threads.countWithoutEmails(bodiesSince())

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

  /** Puts a failure where the status line finds it. */
  const fail = (thrown: unknown): Problem => {
    const failure = toProblem(inStorageWords(thrown))
    if (failure.code === 'internal') report(thrown)
    const isKey = failure.code === 'key_rejected' || failure.code === 'key_restricted'
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

  /** An inbox that is gone is no trouble: the list of inboxes will say so. */
  const unlessGone = async (inbox: InboxRef, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (thrown) {
      if (!isNotFound(thrown)) throw thrown
      cache.inboxes.markGone(inbox.id)
      hub.inboxes()
    }
  }

  const all = async (work: readonly Promise<unknown>[]): Promise<void> => {
    const results = await Promise.allSettled(work)
    const failure = results.find((result) => result.status === 'rejected')
    if (failure !== undefined) throw failure.reason
  }

  /** One page of what is checked in turn: see docs/sync.md for how long a whole turn takes. */
  const checkStep = async (inbox: InboxRef, step: number): Promise<void> => {
    if (FOLDERS.some((folder) => !threads.isListed(inbox, folder))) return
    if (step % 2 === 0) {
      await threads.walk(inbox, 'inbox', 'sync')
      return
    }
    const others = [...FOLDERS.filter((folder) => folder !== 'inbox'), 'labels', ...ACCOUNT_LISTS] as const
    const other = others[((step - 1) / 2) % others.length] ?? 'labels'
    if (other === 'labels') await threads.labels(inbox, 'sync')
    else if (other === 'received' || other === 'contacts') await lists.walk(other, 'sync')
    else await threads.walk(inbox, other, 'sync')
  }

  const look = async (): Promise<void> => {
    const step = turn
    turn += 1
    await (step % 2 === 0 ? lists.inboxes('screen') : lists.receivedNews('screen'))
    await all(
      inboxes().map((inbox) =>
        unlessGone(inbox, async () => {
          await threads.news(inbox, 'screen')
          await checkStep(inbox, step)
        }),
      ),
    )
    cache.facts.set('last sync', Date.now())
    bells.list.ring()
    bells.read.ring()
    hub.sync()
  }

  const watch = async (): Promise<number | null> => {
    await look()
    return pollInterval(activity)
  }

  const walkToEnd = async (step: () => Promise<'more' | 'end'>): Promise<void> => {
    const result = await step()
    fetched(PAGE_LIMIT)
    bells.read.ring()
    if (result === 'more') await walkToEnd(step)
  }

  const list = async (): Promise<null> => {
    const ofInboxes = inboxes().flatMap((inbox) => {
      const unlisted = FOLDERS.filter((folder) => !threads.isListed(inbox, folder))
      if (unlisted.length === 0) return []
      return [
        unlessGone(inbox, () => threads.labels(inbox, 'screen')),
        ...unlisted.map((folder) =>
          unlessGone(inbox, async () => {
            // The newest page of each folder is what a person looks at; the rest can come after all of those.
            const first = await threads.walk(inbox, folder, 'screen')
            fetched(PAGE_LIMIT)
            if (first === 'more') await walkToEnd(() => threads.walk(inbox, folder, 'sync'))
          }),
        ),
      ]
    })
    const ofAccount = ACCOUNT_LISTS.filter((name) => !lists.isListed(name)).map((name) =>
      walkToEnd(() => lists.walk(name, 'sync')),
    )
    await all([...ofInboxes, ...ofAccount])
    hub.sync()
    return null
  }

  const read = async (): Promise<number | null> => {
    const next = cache.threads.withoutEmails(bodiesSince(), BODIES_AT_ONCE)
    if (next.length === 0) {
      hub.sync()
      return null
    }
    await all(
      next.map(async ({ inboxId, threadId }) => {
        const inbox = cache.inboxes.get(inboxId)
        if (inbox === undefined) return
        const ref = { key: inbox.key, id: inboxId }
        try {
          await threads.emails(ref, threadId, 'backfill')
        } catch (thrown) {
          if (!isNotFound(thrown)) throw thrown
          await threads.verify(ref, threadId, 'backfill')
          threads.giveUpEmails(ref, threadId)
        }
        fetched(1)
      }),
    )
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
        const { code } = fail(thrown)
        const isPassing =
          code === 'unreachable' ||
          code === 'platform_failed' ||
          code === 'rate_limited' ||
          code === 'not_a_mail_platform'
        wait = isPassing ? backOff(failures + 1, Math.random()) : HELPLESS_MS
      }
      if (wait !== 0) await bell.wait(wait, signal)
    }
  }

  return {
    state: () => {
      episode = { ...episode, shown: nextProgress() }
      if (episode.shown === null) episode = { done: 0, shown: null }
      // The end is shown once, then nothing is.
      else if (episode.shown.done === episode.shown.total) hub.sync()
      return {
        connection,
        progress: episode.shown,
        lastSyncAt: cache.facts.number('last sync'),
        problem: problem?.message ?? null,
      }
    },
    start: () => {
      loops.push(keepRunning(bells.watch, watch), keepRunning(bells.list, list), keepRunning(bells.read, read))
    },
    now: async () => {
      try {
        await look()
        succeed()
      } catch (thrown) {
        fail(thrown)
        throw inStorageWords(thrown)
      }
    },
    setActivity: (next) => {
      const wasHidden = activity === 'hidden'
      activity = next
      if (wasHidden || next === 'focused') bells.watch.ring()
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
    ended: async () => {
      await Promise.all(loops)
    },
  }
}
