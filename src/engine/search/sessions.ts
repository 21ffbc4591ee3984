import type { ThreadsByFolder } from '../../shared/model.ts'
import type { Problem } from '../../shared/result.ts'
import type { Clock } from '../../shared/search/date-bounds.ts'
import { wordTermsOf } from '../../shared/search/mark-words.ts'
import { threadQueryKey, type ThreadQuery } from '../../shared/thread-query.ts'
import type { MailPlatform } from '../api/mail-platform.ts'
import { isNotFound, PlatformRefusal } from '../api/platform-problem.ts'
import type { EventHub, SearchListener } from '../event-hub.ts'
import type { Cache } from '../store/cache.ts'
import type { PendingChanges } from '../store/pending-changes.ts'
import type { InboxRef } from '../store/inboxes.ts'
import type { Absence } from '../sync/absence.ts'
import type { InboxPresence } from '../sync/inbox-presence.ts'
import type { ThreadSync } from '../sync/thread-sync.ts'
import { clockHere } from './clock-here.ts'
import { addCounts, countByFolder, countFolders, NO_THREADS } from './count-by-folder.ts'
import { excerptOf } from './excerpt.ts'
import { knownFault } from './known-fault.ts'
import type { LocalSearch } from './local-search.ts'
import { isOurs, isPassing, searchProblem } from './search-problem.ts'
import {
  createSearchSession,
  CursorGone,
  SEARCH_LAG_MS,
  type SearchPorts,
  type SearchSession,
  type SearchWindow,
} from './search-session.ts'
import { systemClock, type Clock as Timing } from '../timing/clock.ts'

/** Searches that are remembered: those of some windows, and what was typed on the way to them. */
const MOST_SESSIONS = 32
/** One search over many inboxes is one of each of them: so many of these are remembered, however many inboxes there are. */
const MOST_OVER_INBOXES = 4
/** Threads of one page that are asked about because the cache has them elsewhere than the platform's search. */
const MOST_QUESTIONS = 5
const PAGE_LIMIT = 100
/** Milliseconds of one answer that go into excerpts: a formatted e-mail has to be read for its words first. */
export const EXCERPTS_MS = 10

/** The searches that windows show, by their keys. They last as long as the account is open, the newest ones. */
export interface SearchSessions extends SearchListener {
  readonly read: (
    inbox: InboxRef,
    query: ThreadQuery,
    window: { readonly offset: number; readonly limit: number },
    onlyHere: boolean,
    held?: readonly string[],
  ) => SearchWindow
  /** The platform is asked anew for one search, by a person who waits for it. */
  readonly askAgain: (query: ThreadQuery) => void
  /**
   * What stands around the words that a search found in e-mails of this computer, by thread; none where there is nothing
   * to show. Where that takes long the answer has the first of them, and the search is told to have changed.
   * @param until `performance.now()` from which on no more are made; a little while where it is left out
   */
  readonly excerpts: (
    inbox: InboxRef,
    query: ThreadQuery,
    rows: SearchWindow['rows'],
    until?: number,
  ) => ReadonlyMap<string, string>
  /**
   * The e-mail of an open thread for which a search found it, by the e-mail's own ID; null where that cannot be told. The
   * platform is asked only where this computer does not find the thread by itself.
   */
  readonly matchedEmail: (inbox: InboxRef, query: ThreadQuery, threadId: string) => Promise<string | null>
  /** Every thread that a search has found, and that this computer finds, some at a time; some may come twice. */
  readonly everything: (inbox: InboxRef, query: ThreadQuery) => Iterable<readonly string[]>
  /** How many threads a search finds in each folder, wherever it looks itself. A later count for the same inbox ends it. */
  readonly countByFolder: (inbox: InboxRef, query: ThreadQuery) => Promise<ThreadsByFolder>
  /** Whether nothing more would be found, neither here nor by the platform. */
  readonly isWhole: (query: ThreadQuery) => boolean
  /** The platform is asked anew for every search that a window still shows. */
  readonly askAllAgain: () => void
  /** The platform can be reached again: searches that it did not answer are asked anew. */
  readonly retryFailed: () => void
  /** This computer has more mail to search, or less, than before. */
  readonly searchHereAgain: () => void
  readonly close: () => void
}

interface Kept {
  readonly inboxId: string
  readonly session: SearchSession
  /** What was found to show of an e-mail of a thread, by thread; `text` is null for nothing. */
  readonly excerpts: Map<string, { readonly emailId: string; readonly text: string | null }>
}

/** @param parts `signal` ends every request */
export const createSearchSessions = (parts: {
  readonly platform: Pick<MailPlatform, 'searchThreads' | 'getThreadEmail'>
  readonly cache: Cache
  readonly hub: Pick<EventHub, 'threads' | 'searches'>
  readonly local: LocalSearch
  readonly pending: PendingChanges
  readonly threads: Pick<ThreadSync, 'verify' | 'areLabelsListed'>
  readonly absence: Pick<Absence, 'inboxExists' | 'sawInbox'>
  readonly presence: Pick<InboxPresence, 'isGone'>
  readonly clock?: Timing
  readonly signal: AbortSignal
  /** Something went wrong that is neither the network's nor the platform's doing. */
  readonly report: (thrown: unknown) => void
}): SearchSessions => {
  const {
    platform,
    cache,
    hub,
    local,
    pending,
    threads,
    absence,
    presence,
    clock: timing = systemClock,
    signal,
    report,
  } = parts
  const sessions = new Map<string, Kept>()
  /** Counts by folder that are under way, by inbox. */
  const counting = new Map<string, AbortController>()
  /** Keys of the searches that are to be told. */
  const changed = new Set<string>()
  /** What a search itself has brought is no news to searches. */
  let isKeeping = false

  const tell = (inboxId: string, key: string): void => {
    changed.add(key)
    hub.searches(inboxId)
  }

  const isJustChanged = (inboxId: string, threadId: string): boolean =>
    pending.overlay(inboxId, threadId) !== undefined ||
    pending.confirmedSince(inboxId, threadId, timing.elapsed() - SEARCH_LAG_MS)

  const fetchPage = async (
    inbox: InboxRef,
    query: ThreadQuery,
    ending: AbortSignal,
    clock: Clock,
    after: string | undefined,
  ): Promise<Awaited<ReturnType<SearchPorts['fetchPage']>>> => {
    const askedAt = timing.elapsed()
    const page = await platform
      .searchThreads(inbox.id, query, { priority: 'action', signal: ending, clock, after, limit: PAGE_LIMIT })
      .catch((thrown: unknown) => {
        const namesLabel =
          thrown instanceof PlatformRefusal &&
          query.labelIds.some((id) => String(thrown.problem.details?.platform).includes(id))
        throw after !== undefined && isNotFound(thrown) && !namesLabel ? new CursorGone() : thrown
      })
    absence.sawInbox(inbox.id)
    const found = page.items
    // Search lags behind the lists by up to a minute (contract, Search threads): it never overwrites newer mail.
    const news = found
      .map(({ thread }) => thread)
      .filter(({ id, receivedAt }) => (cache.threads.get(inbox, id)?.receivedAt ?? -1) < receivedAt)
    isKeeping = true
    try {
      hub.threads(inbox.id, cache.threads.storePage(inbox, news, { askedAt, inSent: false }))
    } finally {
      isKeeping = false
    }
    return {
      found: found.map(({ thread, matchedEmailId }) => ({
        id: thread.id,
        time: thread.receivedAt,
        emailId: matchedEmailId,
      })),
      isEnd: !page.hasMore || found.length === 0,
      isWhole: page.isWhole,
    }
  }

  const question = (inbox: InboxRef, threadIds: readonly string[]): void => {
    const doubtful = threadIds.filter((id) => !isJustChanged(inbox.id, id)).slice(0, MOST_QUESTIONS)
    for (const id of doubtful) {
      threads.verify(inbox, id, 'screen').catch((thrown: unknown) => {
        if (isOurs(thrown) && !signal.aborted) report(thrown)
      })
    }
  }

  const open = (inbox: InboxRef, query: ThreadQuery, key: string): Kept => {
    const problemOf = (thrown: unknown, isInboxGone: boolean): Problem => {
      const known = cache.inboxes.get(inbox.id)?.inbox
      return searchProblem(thrown, {
        query,
        isInboxGone,
        inboxName: known?.name ?? known?.emailAddress ?? inbox.id,
        labelName: (labelId) => cache.labels.byId(inbox.key).get(labelId)?.name,
        isSearchedHere: local.extent(inbox) !== null,
      })
    }
    const session = createSearchSession(query, {
      threadState: (threadId) => {
        const thread = cache.threads.get(inbox, threadId)
        return thread === undefined ? undefined : { ...thread, labelIds: thread.labels.map(({ id }) => id) }
      },
      local: {
        extent: () => local.extent(inbox),
        page: (clock, after, limit) => local.page(inbox, query, clock, after, limit),
        spellings: (clock) => local.spellings(inbox, query, clock),
        matching: (clock, threadIds) => local.matching(inbox, query, clock, threadIds),
      },
      fetchPage: (clock, after, ending) => fetchPage(inbox, query, AbortSignal.any([signal, ending]), clock, after),
      isJustChanged: (threadId) => isJustChanged(inbox.id, threadId),
      question: (threadIds) => question(inbox, threadIds),
      problemOf: async (thrown) => {
        if (isOurs(thrown) && !signal.aborted) report(thrown)
        const isInboxAsked = isNotFound(thrown) && !(thrown instanceof CursorGone)
        // Where that cannot be found out either, the answer just went astray.
        const isInboxGone = isInboxAsked && !(await absence.inboxExists(inbox.id, 'action').catch(() => true))
        if (isInboxGone) presence.isGone(inbox.id)
        return problemOf(thrown, isInboxGone)
      },
      knownFault: (clock) => {
        // What the platform has dropped it is never asked for.
        if (query.dropped === true) return null
        const labels = threads.areLabelsListed(inbox) ? cache.labels.byId(inbox.key) : null
        const hasLabel = labels && ((id: string): boolean => (labels.get(id) ?? null) !== null)
        const refusal = knownFault(query, clock, hasLabel)
        return refusal && problemOf(refusal, false)
      },
      changed: () => tell(inbox.id, key),
      clock: clockHere(timing.now),
      now: timing.now,
      after: (milliseconds, callback) => timing.after(milliseconds, callback, { unref: true }),
    })
    return { inboxId: inbox.id, session, excerpts: new Map() }
  }

  const forget = (key: string, { session }: Kept): void => {
    sessions.delete(key)
    session.close()
  }

  /** What was only typed goes first, then what was read longest ago. */
  const makeRoom = (): void => {
    const inboxes = new Set([...sessions.values()].map(({ inboxId }) => inboxId)).size
    if (sessions.size < Math.max(MOST_SESSIONS, MOST_OVER_INBOXES * inboxes)) return
    // Those of the other inboxes that are being read just now are to be asked, and stay.
    const oldest = [...sessions].slice(0, -inboxes).find(([, { session }]) => !session.isAsked()) ?? [...sessions][0]
    if (oldest !== undefined) forget(...oldest)
  }

  const find = (inbox: InboxRef, query: ThreadQuery): Kept => {
    const key = threadQueryKey(query)
    const kept = sessions.get(key) ?? open(inbox, query, key)
    sessions.delete(key)
    makeRoom()
    sessions.set(key, kept)
    return kept
  }

  const of = (inboxId: string): readonly (readonly [string, Kept])[] =>
    [...sessions].filter(([, kept]) => kept.inboxId === inboxId)

  return {
    read: (inbox, query, window, onlyHere, held) =>
      // What it has dropped the platform cannot find.
      find(inbox, query).session.read(window, onlyHere || query.dropped === true, held),
    excerpts: (inbox, query, rows, until = performance.now() + EXCERPTS_MS) => {
      const { excerpts } = find(inbox, query)
      const terms = wordTermsOf(query).filter(({ isExcluded }) => !isExcluded)
      if (terms.length === 0) return new Map()
      const found = new Map<string, string>()
      let isWhole = true
      for (const { id, match } of rows) {
        if (match?.by !== 'computer') continue
        const { emailId } = match
        if (excerpts.get(id)?.emailId !== emailId) {
          isWhole &&= performance.now() < until
          if (!isWhole) continue
          const email = cache.emails.searchable(inbox, id, emailId)
          excerpts.set(id, { emailId, text: email === undefined ? null : excerptOf(email, terms) })
        }
        const text = excerpts.get(id)?.text ?? null
        if (text !== null) found.set(id, text)
      }
      if (!isWhole) tell(inbox.id, threadQueryKey(query))
      return found
    },
    matchedEmail: async (inbox, query, threadId) => {
      const here =
        local.extent(inbox) === null ? undefined : local.matching(inbox, query, clockHere(timing.now)(), [threadId])
      const emailId = here?.get(threadId)?.emailId ?? null
      if (emailId !== null) return emailId
      const match = sessions.get(threadQueryKey(query))?.session.matchOf(threadId) ?? null
      if (match === null || match.by === 'computer') return match?.emailId ?? null
      const known = cache.emails.known(inbox, threadId).map(({ id }) => id)
      const found = await platform
        .getThreadEmail(inbox.id, threadId, match.emailId, { priority: 'action', signal })
        .catch(() => null)
      if (found === null) return null
      return known.includes(found.id) ? found.id : cache.emails.atTime(inbox, threadId, found.receivedAt)
    },
    askAgain: (query) => sessions.get(threadQueryKey(query))?.session.askAgain(),
    everything: function* (inbox, query) {
      yield sessions.get(threadQueryKey(query))?.session.listed() ?? []
      if (local.extent(inbox) === null) return
      const clock = clockHere(timing.now)()
      for (let page = local.page(inbox, query, clock, null, PAGE_LIMIT); ;) {
        yield page.matches.map(({ threadId }) => threadId)
        const last = page.matches.at(-1)
        if (page.isEnd || last === undefined) return
        page = local.page(inbox, query, clock, last, PAGE_LIMIT)
      }
    },
    countByFolder: async (inbox, query) => {
      counting.get(inbox.id)?.abort()
      const ending = new AbortController()
      counting.set(inbox.id, ending)
      const extent = local.extent(inbox)
      const clock = clockHere(timing.now)()
      const here =
        extent === null
          ? { folders: NO_THREADS, isWhole: false }
          : await countByFolder(
              (from, threads) => local.countByFolder(inbox, query, clock, from, threads),
              AbortSignal.any([signal, ending.signal]),
            )
      const beyond = (sessions.get(threadQueryKey(query))?.session.listedByPlatform() ?? []).flatMap(
        (id) => cache.threads.standing(inbox, id)?.folder ?? [],
      )
      return {
        folders: addCounts(here.folders, countFolders(beyond)),
        isWhole: here.isWhole && extent !== null && extent.emails >= extent.of,
      }
    },
    isWhole: (query) => sessions.get(threadQueryKey(query))?.session.isWhole() === true,
    askAllAgain: () => {
      for (const { session } of sessions.values()) session.askAgain()
    },
    retryFailed: () => {
      for (const { session } of sessions.values()) {
        const failure = session.failure()
        if (failure !== null && isPassing(failure)) session.askAgain()
      }
    },
    searchHereAgain: () => {
      for (const { session } of sessions.values()) session.searchHereAgain()
    },
    touched: (inboxId, threadIds, arrived) => {
      for (const [, { excerpts, session }] of of(inboxId)) {
        for (const id of threadIds) excerpts.delete(id)
        session.touch(threadIds, isKeeping ? new Set() : arrived)
      }
    },
    takeChanged: (inboxId) => {
      for (const [key, { session }] of of(inboxId)) if (session.takeChanged()) changed.add(key)
      const keys = of(inboxId).flatMap(([key]) => (changed.has(key) ? [key] : []))
      for (const key of keys) changed.delete(key)
      return keys
    },
    close: () => {
      for (const [key, kept] of [...sessions]) forget(key, kept)
    },
  }
}
