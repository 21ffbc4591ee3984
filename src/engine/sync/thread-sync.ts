import { FOLDERS, type Folder } from '../../shared/model.ts'
import { ProblemError } from '../../shared/result.ts'
import type { MailPlatform } from '../api/mail-platform.ts'
import { PAGE_LIMIT, type CallOptions } from '../api/requests.ts'
import type { FetchedThread } from '../api/threads.ts'
import { isNotFound, lacksOperation } from '../api/platform-problem.ts'
import type { Priority } from '../api/request-budget.ts'
import type { EventHub } from '../event-hub.ts'
import type { Cache } from '../store/cache.ts'
import type { InboxRef } from '../store/inboxes.ts'
import { FRESH_WALK, type Walk } from '../store/walks.ts'
import type { Abilities, Belief } from './abilities.ts'
import type { Absence } from './absence.ts'
import type { InboxPresence } from './inbox-presence.ts'
import { keepLabels } from './keep-labels.ts'
import type { Problems } from '../problems/problems.ts'
import { groundOf, keepGround, lookForNews, nextGround } from './known-ground.ts'
import { createThreadChecks } from './thread-checks.ts'
import { createThreadEmailReader, type ThreadEmailReader } from './thread-emails.ts'
import { createThreadLister, type ThreadPage } from './thread-lister.ts'
import { createTurns } from '../timing/turns.ts'
import { walkPage, type TimedRow, type WalkedPage } from './walk-page.ts'
import type { Clock } from '../timing/clock.ts'

/** Rows of a look for news when there is none: enough to see what a quiet half minute brings. */
const NEWS_LIMIT = 25
/** Of what lies below the end of a list that may be cut off, this many threads are asked about at a time. */
const MOST_BELOW_END = 100
/** By how much the time of an e-mail and that of its thread may differ. */
const TIME_TOLERANCE_MS = 1_000

/** What one page of a walk brought. */
export interface WalkStep {
  readonly rows: number
  /** Whether the walk has come to the list's end; the next one begins at the top. */
  readonly isEnd: boolean
  /** Whether the platform knows the walk's place no more, so that the next step begins at the top. */
  readonly isLost?: boolean
}

/** A list of which the platform gives no more than its beginning, however often it is walked. */
export class ListCutOff extends ProblemError {
  constructor() {
    super({ code: 'platform_failed', message: 'The platform sent an incomplete list. Linnet tries again.' })
    this.name = 'ListCutOff'
  }
}

/** Fetches the threads and e-mails of inboxes into the cache, a request or a page at a time. */
export interface ThreadSync {
  /**
   * Fetches everything whose activity is newer than what was seen last, over as many pages as that takes: one request
   * where nothing is new. Afterwards only changes that bring no thread to the top can have been missed.
   */
  readonly news: (inbox: InboxRef, priority: Priority) => Promise<void>
  /** The next page of a folder's list. What the cache holds in that part and the page does not show is left to `check`. */
  readonly walk: (inbox: InboxRef, folder: Folder, priority: Priority) => Promise<WalkStep>
  /** The newest page of a folder's list, wherever its walk stands. */
  readonly checkTop: (inbox: InboxRef, folder: Folder, priority: Priority) => Promise<void>
  /** Whether a folder's list was walked to its end at least once. */
  readonly isListed: (inbox: InboxRef, folder: Folder) => boolean
  readonly labels: (inbox: InboxRef, priority: Priority) => Promise<void>
  /**
   * Fetches all e-mails of a thread, and the thread itself where the cache has never met it.
   * @returns false where the platform gives an empty list, which says nothing: a thread has an e-mail at least
   * @throws EmailsNotOffered where the platform has the thread and does not give its e-mails, `platform_failed` where
   *   it gives those of others; `not_found` where it does not have the thread, which is then marked
   */
  readonly emails: (inbox: InboxRef, threadId: string, priority: Priority) => Promise<boolean>
  /** Whether the platform gives the e-mails of an inbox's threads. */
  readonly emailsBelief: (inbox: InboxRef) => Belief
  /** Whether there is a use in asking for them now. */
  readonly mayOfferEmails: (inbox: InboxRef) => boolean
  /** Asks about some of the threads that a list should show and does not. @returns false where none is left */
  readonly check: (priority: Priority) => Promise<boolean>
  /**
   * Fetches a thread and its e-mails anew, whatever the cache says of them. Where the platform does not give single
   * threads, their lists are walked again; one that it does not have is marked.
   */
  readonly fetchAgain: (inbox: InboxRef, threadId: string, priority: Priority) => Promise<void>
  /** Asks what has become of one thread, by whatever question the platform answers. */
  readonly verify: (inbox: InboxRef, threadId: string, priority: Priority) => Promise<void>
  /** When an inbox was last looked at, milliseconds since the epoch; null for never. */
  readonly lookedAt: (inbox: InboxRef) => number | null
  /** Whether the platform has listed the inbox's labels: then there are no others. */
  readonly areLabelsListed: (inbox: InboxRef) => boolean
}

/** Under which name the walk through a folder is kept. */
export const walkName = (inbox: Pick<InboxRef, 'id'>, folder: Folder): string => `threads ${inbox.id} ${folder}`
const lookedName = (inbox: InboxRef): string => `looked ${inbox.id}`
const labelsListedName = (inbox: InboxRef): string => `labels listed ${inbox.id}`

/** The platform has the thread and does not give its e-mails. */
export class EmailsNotOffered extends ProblemError {
  constructor(cause?: unknown) {
    super({ code: 'refused', message: 'This platform lists threads without their messages.' }, { cause })
    this.name = 'EmailsNotOffered'
  }
}

/** The platform has the thread, gives e-mails of others, and not of this one. */
class EmailsWithheld extends ProblemError {
  constructor(cause: unknown) {
    super(
      {
        code: 'platform_failed',
        message: 'The platform did not return this thread’s messages. Try again in a moment.',
      },
      { cause },
    )
    this.name = 'EmailsWithheld'
  }
}

const rowOf = ({ id, receivedAt }: FetchedThread): TimedRow => ({ id, time: receivedAt })

/** @param parts `signal` ends every request */
export const createThreadSync = (parts: {
  readonly platform: MailPlatform
  readonly cache: Cache
  readonly hub: EventHub
  readonly abilities: Abilities
  readonly absence: Absence
  readonly presence: InboxPresence
  readonly problems: Pick<Problems, 'list' | 'raise'>
  readonly clock: Clock
  readonly signal: AbortSignal
}): ThreadSync => {
  const { platform, cache, hub, abilities, absence, presence, problems, clock, signal } = parts
  const options = (priority: Priority): CallOptions => ({ priority, signal })
  const listThreads = createThreadLister(platform, abilities, absence)
  const inTurn = createTurns()
  /** Walks that have come to their end once: that stays so. */
  const listed = new Set<string>()

  /** Keeps a page in a turn of its own and tells what it changed; `alongside` is kept or lost with it. */
  const storePage = async (
    inbox: InboxRef,
    threads: readonly FetchedThread[],
    about: { readonly askedAt: number; readonly inSent: boolean },
    alongside: () => void = () => undefined,
  ): Promise<void> => {
    const touched = await inTurn(() =>
      cache.together(() => {
        alongside()
        return cache.threads.storePage(inbox, threads, about)
      }),
    )
    hub.threads(inbox.id, touched)
  }

  const tellEndless = (inbox: InboxRef, threadId: string, count: number): void => {
    const id = `endless-thread ${threadId}`
    // Said once, and not each time that it is read.
    if (problems.list().some((known) => known.id === id)) return
    const subject = cache.threads.get(inbox, threadId)?.subject ?? null
    const which = subject === null ? 'a thread without a subject' : `“${subject}”`
    const message = `The platform sends messages of ${which} without end. Linnet stored the first ${count.toLocaleString('en')} and stopped there.`
    problems.raise({ id, code: 'platform_failed', message })
  }

  const emails = createThreadEmailReader(
    platform,
    cache,
    hub,
    inTurn,
    (inbox, thread, askedAt) => storePage(inbox, [thread], { askedAt, inSent: false }),
    tellEndless,
    signal,
    clock,
  )

  const looked = (inbox: InboxRef): void => cache.facts.set(lookedName(inbox), clock.now())

  const markGone = (inbox: InboxRef, threadId: string): void =>
    hub.threads(inbox.id, cache.threads.markGone(inbox, threadId))

  /**
   * Looks for a thread by its time, in all folders: how a platform of the contract alone is asked about one. A search for
   * so few e-mails is never cut off.
   */
  const verifyBySearch = async (inbox: InboxRef, threadId: string, priority: Priority): Promise<void> => {
    const time = cache.threads.get(inbox, threadId)?.receivedAt ?? 0
    if (time <= 0) return
    const askedAt = clock.elapsed()
    const page = await platform.searchThreads(
      inbox.id,
      {
        folders: FOLDERS,
        since: { kind: 'instant', at: time - TIME_TOLERANCE_MS },
        until: { kind: 'instant', at: time + TIME_TOLERANCE_MS + 1 },
      },
      { ...options(priority), limit: PAGE_LIMIT },
    )
    absence.sawInbox(inbox.id)
    const found = page.items.find(({ thread }) => thread.id === threadId)
    if (found !== undefined) await storePage(inbox, [found.thread], { askedAt, inSent: false })
    else if (!page.hasMore) markGone(inbox, threadId)
  }

  /** Asks about one thread that a list, or another question, did not show. */
  const verify = async (inbox: InboxRef, threadId: string, priority: Priority): Promise<void> => {
    if (!abilities.isWorthAsking(inbox.id, 'retrieve thread')) {
      await verifyBySearch(inbox, threadId, priority)
      return
    }
    const askedAt = clock.elapsed()
    const missing = await absence.ofThread(inbox.id, threadId, priority)
    switch (missing.part) {
      case 'nothing':
        hub.threads(inbox.id, cache.threads.storeState(inbox, threadId, missing.summary, askedAt))
        break
      case 'thread':
        markGone(inbox, threadId)
        break
      case 'inbox':
        presence.isGone(inbox.id)
        break
      case 'operation':
        await verifyBySearch(inbox, threadId, priority)
        break
    }
  }

  const checks = createThreadChecks({
    fetchPage: async (inbox, after, priority) => {
      const askedAt = clock.elapsed()
      const page = await listThreads(inbox.id, FOLDERS, { ...options(priority), after })
      await storePage(inbox, page.items, { askedAt, inSent: false })
      return { rows: page.items.map(rowOf), hasMore: page.hasMore }
    },
    verify,
    rowsAbove: (inbox, folder, time, limit) => cache.threads.rowsAbove(inbox, folder, time, limit),
    leaveSent: (inbox, { id }) => {
      const thread = cache.threads.get(inbox, id)
      if (thread?.onServer !== true) return
      hub.threads(inbox.id, cache.threads.leaveSent(inbox, id))
    },
    isGone: (inbox) => cache.inboxes.get(inbox.id)?.onServer !== true,
  })

  const areLabelsListed = (inbox: InboxRef): boolean => cache.facts.number(labelsListedName(inbox)) === 1

  /** Where to go on: the cursor, or the row above it that the walk has met where its thread has moved to the top since. */
  const cursorOf = (inbox: InboxRef, folder: Folder, { cursor, cursorTime, cursorTies }: Walk): string | undefined => {
    if (cursor === null || cursorTime === null) return undefined
    if (cache.threads.get(inbox, cursor)?.receivedAt === cursorTime) return cursor
    const above = cache.threads.rowsAbove(inbox, folder, cursorTime, PAGE_LIMIT)
    // One of the same time may stand below: what lies between would be passed over.
    return above.find(({ id, time }) => id !== cursor && (time > cursorTime || cursorTies.includes(id)))?.id ?? cursor
  }

  const walkFrom = async (
    inbox: InboxRef,
    folder: Folder,
    walk: Walk,
    after: string | undefined,
    priority: Priority,
    keep: (next: Walk) => void,
  ): Promise<WalkStep> => {
    const askedAt = clock.elapsed()
    const page = await listThreads(inbox.id, [folder], { ...options(priority), after })
    const rows = page.items.map(rowOf)
    const { next, covers, met } = walkPage(walk, rows, page.hasMore)
    await storePage(inbox, page.items, { askedAt, inSent: folder === 'sent' }, () => keep(next))
    checks.add(inbox, missingFrom(inbox, folder, page, covers, met), folder === 'sent')
    return { rows: rows.length, isEnd: next.cursor === null }
  }

  /** What the cache holds in the part of a list that a page covers, and the page does not show. */
  const missingFrom = (
    inbox: InboxRef,
    folder: Folder,
    { items, hasMore, isExact, isWhole }: ThreadPage,
    { after, upTo }: WalkedPage['covers'],
    met: ReadonlySet<string>,
  ): readonly TimedRow[] => {
    if (!isWhole) return []
    const rows = cache.threads.rowsBetween(inbox, folder, after, upTo).filter(({ id }) => !met.has(id))
    if (isExact || hasMore) return rows
    // A search ends after 10,000 threads (contract, 2, rule 6): what lies below its end may well be there.
    const end = items.length === 0 ? upTo : Math.min(...items.map(({ receivedAt }) => receivedAt))
    const shown = rows.filter(({ time }) => time > end)
    return [...shown, ...rows.slice(shown.length, shown.length + MOST_BELOW_END)]
  }

  /** Reads the e-mails of a thread; where they are not found, it is found out what is missing. */
  const readEmails = async (
    inbox: InboxRef,
    threadId: string,
    priority: Priority,
    read: ThreadEmailReader['read'],
  ): Promise<boolean> => {
    const askedAt = clock.elapsed()
    try {
      const isHere = await read(inbox, threadId, priority)
      abilities.offered(inbox.id, 'list thread emails')
      absence.sawInbox(inbox.id)
      return isHere
    } catch (thrown) {
      if (!lacksOperation(thrown)) throw thrown
      const missing = await absence.ofThread(inbox.id, threadId, priority)
      switch (missing.part) {
        case 'thread':
          markGone(inbox, threadId)
          throw thrown
        case 'inbox':
          presence.isGone(inbox.id)
          throw thrown
        case 'nothing':
        case 'operation':
          abilities.refused(inbox.id, 'list thread emails', askedAt)
          // A platform that has given e-mails before does not lack the ability: something went astray.
          if (abilities.belief(inbox.id, 'list thread emails') === 'offered') throw new EmailsWithheld(thrown)
          throw new EmailsNotOffered(thrown)
      }
    }
  }

  return {
    news: async (inbox, priority) => {
      const ground = groundOf(cache.facts, inbox.id)
      const seen = await lookForNews(ground, async (after) => {
        const askedAt = clock.elapsed()
        const limit = after === undefined && ground !== null ? NEWS_LIMIT : PAGE_LIMIT
        const page = await listThreads(inbox.id, FOLDERS, { ...options(priority), after, limit }).catch(
          (thrown: unknown) => {
            if (after === undefined || !lacksOperation(thrown)) throw thrown
            return null
          },
        )
        if (page === null) return null
        await storePage(inbox, page.items, { askedAt, inSent: false })
        return { rows: page.items.map(rowOf), hasMore: page.hasMore }
      })
      // The thread at the end of a page has left in the meantime: the next look begins at the top again.
      if (seen === null) return
      keepGround(cache.facts, inbox.id, nextGround(ground, seen, clock.now()))
      looked(inbox)
    },
    walk: async (inbox, folder, priority) => {
      const name = walkName(inbox, folder)
      const walk = cache.walks.get(name)
      const after = cursorOf(inbox, folder, walk)
      try {
        return await walkFrom(inbox, folder, walk, after, priority, (next) => cache.walks.set(name, next))
      } catch (thrown) {
        if (after === undefined || !lacksOperation(thrown)) throw thrown
        // The cursor's thread has left the list: begin again rather than guess.
        cache.walks.set(name, { ...FRESH_WALK, rounds: walk.rounds })
        return { rows: 0, isEnd: false, isLost: true }
      }
    },
    checkTop: async (inbox, folder, priority) => {
      await walkFrom(inbox, folder, FRESH_WALK, undefined, priority, () => undefined)
    },
    isListed: (inbox, folder) => {
      const name = walkName(inbox, folder)
      if (!listed.has(name) && cache.walks.get(name).rounds > 0) listed.add(name)
      return listed.has(name)
    },
    labels: async (inbox, priority) => {
      if (!abilities.isWorthAsking(inbox.id, 'list labels')) return
      const askedAt = clock.elapsed()
      try {
        const labels = await platform.listLabels(inbox.id, options(priority))
        abilities.offered(inbox.id, 'list labels')
        keepLabels(cache.labels, hub, inbox, labels)
        if (!areLabelsListed(inbox)) cache.facts.set(labelsListedName(inbox), 1)
      } catch (thrown) {
        // A platform of the contract alone has no such list, and an inbox that is gone is found out by its threads.
        if (!lacksOperation(thrown)) throw thrown
        abilities.refused(inbox.id, 'list labels', askedAt)
      }
    },
    emails: (inbox, threadId, priority) => readEmails(inbox, threadId, priority, emails.read),
    fetchAgain: async (inbox, threadId, priority) => {
      try {
        await readEmails(inbox, threadId, priority, emails.readAnew)
      } catch (thrown) {
        if (isNotFound(thrown)) return
        if (!(thrown instanceof EmailsNotOffered)) throw thrown
        for (const folder of FOLDERS) cache.walks.set(walkName(inbox, folder), FRESH_WALK)
      }
    },
    emailsBelief: (inbox) => abilities.belief(inbox.id, 'list thread emails'),
    mayOfferEmails: (inbox) => abilities.isWorthAsking(inbox.id, 'list thread emails'),
    check: checks.step,
    verify,
    lookedAt: (inbox) => cache.facts.number(lookedName(inbox)),
    areLabelsListed,
  }
}
