import type { LocalExtent, PlatformAnswer, Searched, ThreadMatch } from '../../shared/model.ts'
import { ProblemError, type Problem } from '../../shared/result.ts'
import type { Clock } from '../../shared/search/date-bounds.ts'
import { hasSubjectWords } from '../../shared/search/mark-words.ts'
import { isInScope, type ThreadQuery } from '../../shared/thread-query.ts'
import type { LocalMatch, LocalSearch, Matches } from './local-search.ts'
import { CURSOR_GONE, passesByItself } from './search-problem.ts'
import { createResultList, type FoundThread, type ResultRow } from './result-list.ts'

/** The most threads that the platform's search covers (contract, Search threads, rule 6). */
const PLATFORM_COVERS = 10_000
/** How long the platform's search may not know of new mail (contract, Limits, "search index delay"). */
export const SEARCH_LAG_MS = 60_000
/**
 * After how long a search that failed in passing is sent again by itself; after each further failure twice as long. It is
 * only sent where a window shows it.
 */
const RETRY_MS = [30_000, 60_000, 120_000, 240_000, 480_000] as const
/** Threads that change at once, above which finding anew what this computer has costs less than looking at each. */
const MANY = 500
/**
 * The platform's threads whose subjects are checked on this computer: its search has no subjects, so that a word that is in many
 * e-mails and in few subjects would lead through all of them.
 */
const MOST_CHECKED = 1_000
/** Rows that this computer is asked for at once, at least. */
const LEAST_PAGE = 50

/** A thread of the cache, as far as a search needs to know it. */
export interface ThreadState {
  readonly receivedAt: number
  readonly folder: string
  readonly read: boolean
  readonly labelIds: readonly string[]
  readonly hasOutbound: boolean
  readonly onServer: boolean
  readonly subject: string | null
}

export interface SearchWindow {
  readonly rows: readonly ResultRow[]
  /** Rows found so far. */
  readonly total: number
  readonly hasMore: boolean
  readonly searched: Searched
}

/** How a session reaches the platform and the cache. */
export interface SearchPorts {
  /** As the cache has it, pending changes included. */
  readonly threadState: (threadId: string) => ThreadState | undefined
  readonly local: {
    readonly extent: () => ReturnType<LocalSearch['extent']>
    readonly page: (clock: Clock, after: LocalMatch | null, limit: number) => ReturnType<LocalSearch['page']>
    readonly spellings: (clock: Clock) => readonly string[]
    readonly matching: (clock: Clock, threadIds: readonly string[]) => Matches
  }
  /**
   * Asks the platform for a page and keeps its threads in the cache.
   * @throws `CursorGone` where `after` is not among the results any more
   */
  readonly fetchPage: (
    clock: Clock,
    after: string | undefined,
    signal: AbortSignal,
  ) => Promise<{ readonly found: readonly FoundThread[]; readonly isEnd: boolean; readonly isWhole: boolean }>
  /** Whether the platform's search may not know of a change of the thread that it has confirmed. */
  readonly isJustChanged: (threadId: string) => boolean
  /** The platform finds threads that by the cache do not match: they are asked about. */
  readonly question: (threadIds: readonly string[]) => void
  readonly problemOf: (thrown: unknown) => Promise<Problem>
  /** What the platform would refuse the search for, as far as that is known without asking it; null where nothing is. */
  readonly knownFault: (clock: Clock) => Problem | null
  /** The list, or what was searched, is another than before. */
  readonly changed: () => void
  /** Where and when dates are meant. */
  readonly clock: () => Clock
  /** Wall time, milliseconds since the epoch. */
  readonly now: () => number
  /** Calls once after a time in milliseconds; returns what cancels it. */
  readonly after: (milliseconds: number, callback: () => void) => () => void
}

/** The thread to go on after has left the results. */
export class CursorGone extends ProblemError {
  constructor() {
    super(CURSOR_GONE)
  }
}

/** One search that windows show: what is known of it, and what is still being asked. */
export interface SearchSession {
  /**
   * A window of the list, answered at once.
   * @param onlyHere the platform is not asked
   * @param held threads that stay where only their being read or unread keeps them out of the list
   */
  readonly read: (
    window: { readonly offset: number; readonly limit: number },
    onlyHere: boolean,
    held?: readonly string[],
  ) => SearchWindow
  /** The platform is asked again when the list is next read. What it found stays until then. */
  readonly askAgain: () => void
  /** Threads of the cache have changed; `arrived` are those of them that are new or have new activity. */
  readonly touch: (threadIds: readonly string[], arrived: ReadonlySet<string>) => void
  /** This computer has more mail to search, or less, than before. */
  readonly searchHereAgain: () => void
  /**
   * Looks at what was touched. @returns whether the list, or how much was searched here, is another than when this was last
   * asked, whoever has read it since
   */
  readonly takeChanged: () => boolean
  readonly failure: () => Problem | null
  /** Every thread that is listed, as far as either source was asked. */
  readonly listed: () => readonly string[]
  /** Those of them that the platform alone has found. */
  readonly listedByPlatform: () => readonly string[]
  /** Whether nothing more would be found, neither here nor by the platform. */
  readonly isWhole: () => boolean
  /** The e-mail for which a thread was found; null where that is not known. */
  readonly matchOf: (threadId: string) => ThreadMatch | null
  /** Whether the platform was ever asked. */
  readonly isAsked: () => boolean
  readonly close: () => void
}

export const createSearchSession = (query: ThreadQuery, ports: SearchPorts): SearchSession => {
  const list = createResultList()
  let clock = ports.clock()
  /** The last row of what this computer was asked for; null at the top. */
  let here: { readonly last: LocalMatch | null; readonly isEnd: boolean } = { last: null, isEnd: false }
  const touched = new Set<string>()
  /** Threads that the window which read last holds. */
  let heldIds: ReadonlySet<string> = new Set()
  let isTouchedAll = false
  /** Changed since the last `threads.changed`; not announced yet. */
  let isUntold = false
  /** How much was searched here by what windows were last told. */
  let told: LocalExtent | null = null
  /** Rows down to which windows have asked for the platform's. */
  let wanted = 0
  let isAsked = false
  let isStale = true
  /** The question that is on its way. */
  let asking: AbortController | null = null
  let isClosed = false
  let answeredAt: number | null = null
  let failure: Problem | null = null
  let arrivedAt: number | null = null
  let cancelLagging: (() => void) | null = null
  /** Failures since the last answer, and since somebody asked. */
  let failures = 0
  let cancelRetry: (() => void) | null = null
  /** It is time to ask again: what failed is said until there is an answer. */
  let isRetryDue = false
  /** The question that is on its way has begun at the top again. */
  let isRestarted = false

  const hasSubject = query.text.some(({ isInSubject }) => isInSubject === true)
  /** What the platform cannot be asked for. */
  const fits = ({ subject }: ThreadState): boolean => !hasSubject || hasSubjectWords(query, subject)

  const standOf = (id: string, isHere: boolean): boolean => {
    const thread = ports.threadState(id)
    return list.stand(id, {
      time: thread?.receivedAt ?? 0,
      isListed: thread !== undefined && (isHere || (list.isOfPlatform(id) && isInScope(query, thread) && fits(thread))),
    })
  }

  const spelled = (): Pick<LocalExtent, 'spellings'> => {
    const spellings = ports.local.spellings(clock)
    return spellings.length === 0 ? {} : { spellings }
  }

  const isBelowHere = ({ time }: LocalMatch): boolean => !here.isEnd && (here.last === null || time < here.last.time)

  /** Rows down to the last one that this computer was asked for. */
  const countHere = (): number => (here.last === null ? 0 : list.countSince(here.last.time))

  /** Has this computer find as many rows as a window needs. */
  const searchHere = (rows: number): void => {
    if (ports.local.extent() === null) return
    // Rows of the platform may lie below what this computer was asked for: what is missing comes between them.
    while (!here.isEnd && countHere() < rows) {
      const { matches, isEnd } = ports.local.page(clock, here.last, Math.max(LEAST_PAGE, rows - countHere()))
      list.keepComputer(matches.map(({ threadId, time, emailId }) => ({ id: threadId, time, emailId })))
      for (const { threadId } of matches) standOf(threadId, true)
      here = { last: matches.at(-1) ?? here.last, isEnd: isEnd || matches.length === 0 }
    }
  }

  /** Keeps what this computer now says of threads. */
  const askHere = (ids: readonly string[]): void => {
    if (ports.local.extent() === null) return
    const matches = ports.local.matching(clock, ids)
    for (const id of ids) {
      const match = matches.get(id)
      if (match === undefined) list.dropComputer(id)
      // What lies below the rows that this computer was asked for is found when they are scrolled to.
      else if (list.isKnown(id) || !isBelowHere(match)) {
        list.keepComputer([{ id, time: match.time, emailId: match.emailId }])
      }
    }
  }

  /** Looks at threads anew. @returns whether the list is another */
  const look = (ids: readonly string[]): boolean => {
    const known = new Set(ids.filter((id) => list.isKnown(id)))
    askHere(ids)
    const others = ids.filter(
      (id) => standOf(id, list.isOfComputer(id)) || (known.has(id) && !list.isKnown(id)) || heldIds.has(id),
    )
    return others.length > 0
  }

  /** Has this computer find anew what it had found, as far down as before. */
  const lookHereAgain = (): void => {
    const rows = countHere()
    list.forgetComputer()
    here = { last: null, isEnd: false }
    look(list.ids())
    searchHere(rows)
  }

  const settle = (): void => {
    const ids = [...touched]
    touched.clear()
    if (isTouchedAll) {
      isTouchedAll = false
      lookHereAgain()
      isUntold = true
    } else if (ids.length > 0 && look(ids)) isUntold = true
  }

  const begin = (): void => {
    isStale = false
    clock = ports.clock()
    list.beginRound()
  }

  const mayGoOn = (): boolean => !list.isAtEnd() && !(hasSubject && list.countOfRound() >= MOST_CHECKED)
  const needsPage = (): boolean => !isClosed && (isStale || (mayGoOn() && list.countSettled() < wanted))

  const fetchNext = async (signal: AbortSignal): Promise<void> => {
    if (isStale) begin()
    let isLast = false
    for (;;) {
      const after = list.cursor(isLast)
      try {
        const { found, isEnd, isWhole } = await ports.fetchPage(clock, after, signal)
        if (signal.aborted) return
        const isOn = list.keepPage(found, {
          isEnd,
          // A thread that is hidden by a change says nothing of its words, and the index may lag behind that change.
          spares: (id) => !isWhole || ports.isJustChanged(id) || isHidden(id),
        })
        look(found.map(({ id }) => id))
        ports.question(found.flatMap(({ id }) => (isHidden(id) ? [id] : [])))
        answeredAt = ports.now()
        if (isOn || isEnd) return
        // A page that leads nowhere: once more from the very last thread, and then that is the end.
        if (isLast) {
          list.keepPage([], { isEnd: true, spares: () => true })
          return
        }
        isLast = true
      } catch (thrown) {
        if (!(thrown instanceof CursorGone) || isRestarted || signal.aborted) throw thrown
        isRestarted = true
        isLast = false
        begin()
      }
    }
  }

  /** A thread that the platform finds and that its state, as the cache has it, keeps out of the list. */
  const isHidden = (id: string): boolean => {
    const thread = ports.threadState(id)
    return thread !== undefined && list.isOfPlatform(id) && !isInScope(query, thread)
  }

  const dropRetry = (): void => {
    cancelRetry?.()
    cancelRetry = null
    isRetryDue = false
  }

  const retryLater = (problem: Problem): void => {
    dropRetry()
    const wait = RETRY_MS[failures]
    failures += 1
    if (wait === undefined || !passesByItself(problem)) return
    cancelRetry = ports.after(wait, () => {
      cancelRetry = null
      isRetryDue = true
      ports.changed()
    })
  }

  const ask = async (): Promise<void> => {
    if (asking !== null || (failure !== null && !isRetryDue) || !needsPage()) return
    isRetryDue = false
    const question = new AbortController()
    asking = question
    isRestarted = false
    // Where somebody has asked anew, what becomes of this question is no concern any more.
    const isOver = (): boolean => question.signal.aborted
    try {
      while (needsPage()) {
        await fetchNext(question.signal)
        if (isOver()) return
        failure = null
        failures = 0
        ports.changed()
      }
    } catch (thrown) {
      if (isOver()) return
      const problem = await ports.problemOf(thrown)
      if (asking !== question) return
      failure = problem
      retryLater(problem)
      // What comes next is asked for from the top: the results may be others by then.
      isStale = true
    }
    if (asking !== question) return
    asking = null
    ports.changed()
  }

  /** Nobody waits for the question any more. */
  const letGo = (): void => {
    asking?.abort()
    asking = null
  }

  const answer = (): PlatformAnswer => {
    // What is wrong with the search is wrong whether the platform is asked, can be reached, or not.
    const fault = isAsked && failure?.code !== 'unreachable' ? null : ports.knownFault(clock)
    if (fault !== null) return { state: 'failed', at: answeredAt, problem: fault }
    if (!isAsked) return { state: 'not asked' }
    if (failure !== null) return { state: 'failed', at: answeredAt, problem: failure }
    if (isStale || !list.hasBegun() || answeredAt === null) return { state: 'waiting', at: answeredAt }
    return { state: 'answered', at: answeredAt }
  }

  const askAgain = (): void => {
    if (!isAsked) return
    letGo()
    dropRetry()
    failure = null
    failures = 0
    isStale = true
    wanted = 0
    ports.changed()
  }

  /** New mail: what the platform knows of it now, and what it knows when its index has caught up. */
  const noteArrival = (): void => {
    arrivedAt = ports.now()
    if (!isAsked || cancelLagging !== null) return
    const askedWith = arrivedAt
    if (ports.local.extent() === null) askAgain()
    cancelLagging = ports.after(SEARCH_LAG_MS, () => {
      cancelLagging = null
      askAgain()
      // What came in since may lag behind this question, too.
      if (arrivedAt !== null && arrivedAt > askedWith) noteArrival()
    })
  }

  /** Those of some threads that would be listed if nobody had read them since, or marked them as unread. */
  const heldOf = (ids: readonly string[]): readonly { readonly id: string; readonly time: number }[] =>
    ids.flatMap((id) => {
      const thread = ports.threadState(id)
      return thread !== undefined && isInScope({ ...query, read: null }, thread)
        ? [{ id, time: thread.receivedAt }]
        : []
    })

  const listed = (): readonly string[] => {
    settle()
    return list.rows().map(({ id }) => id)
  }

  return {
    read: ({ offset, limit }, onlyHere, held = []) => {
      heldIds = new Set(held)
      settle()
      searchHere(offset + limit)
      if (!onlyHere) {
        isAsked = true
        wanted = Math.max(wanted, offset + limit)
        void ask()
      }
      const rows = list.rows(query.read === null ? [] : heldOf(held))
      const extent = ports.local.extent()
      told ??= extent
      const isMoreThere = isAsked && failure === null && (isStale || !list.isAtEnd())
      return {
        rows: rows.slice(offset, offset + limit),
        total: rows.length,
        hasMore: isMoreThere || (extent !== null && !here.isEnd),
        searched: {
          computer: extent === null ? null : { ...extent, ...spelled() },
          platform: answer(),
          isCapped: list.isAtEnd() && list.countOfRound() >= PLATFORM_COVERS,
          mayLag: arrivedAt !== null && answeredAt !== null && answeredAt - arrivedAt < SEARCH_LAG_MS,
        },
      }
    },
    askAgain,
    touch: (threadIds, arrived) => {
      const isSearchedHere = ports.local.extent() !== null
      for (const id of threadIds) if (isSearchedHere || list.isKnown(id)) touched.add(id)
      isTouchedAll ||= isSearchedHere && touched.size > MANY
      const since = ports.now() - 60 * SEARCH_LAG_MS
      const isNews = [...arrived].some((id) => {
        const thread = ports.threadState(id)
        return thread !== undefined && thread.receivedAt > since && isInScope(query, thread)
      })
      if (isNews) noteArrival()
    },
    searchHereAgain: () => {
      isTouchedAll = true
      ports.changed()
    },
    takeChanged: () => {
      settle()
      const extent = ports.local.extent()
      const isChanged = isUntold || extent?.emails !== told?.emails || extent?.of !== told?.of
      isUntold = false
      told = extent
      return isChanged
    },
    failure: () => failure,
    listed,
    listedByPlatform: () => listed().filter((id) => !list.isOfComputer(id)),
    isWhole: () => {
      const extent = ports.local.extent()
      const isAnswered = query.dropped === true || (isAsked && failure === null && !isStale && list.isAtEnd())
      return isAnswered && extent !== null && extent.emails >= extent.of
    },
    matchOf: list.matchOf,
    isAsked: () => isAsked,
    close: () => {
      isClosed = true
      letGo()
      dropRetry()
      cancelLagging?.()
    },
  }
}
