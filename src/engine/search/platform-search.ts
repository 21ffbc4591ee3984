import type { PlatformAnswer, Searched } from '../../shared/model.ts'
import type { Problem } from '../../shared/result.ts'
import type { Clock } from '../../shared/search/date-bounds.ts'
import { isAssigneeChecked } from '../../shared/search/search-parameters.ts'
import { isInScope, type ThreadQuery } from '../../shared/thread-query.ts'
import type { ResultList } from './result-list.ts'
import { CursorGone, type SearchPorts } from './search-ports.ts'
import { passesByItself } from './search-problem.ts'

/** How long the platform's search may not know of new mail (contract, Limits, "search index delay"). */
export const SEARCH_LAG_MS = 60_000
/** The most threads that the platform's search covers (contract, Search threads, rule 6). */
const PLATFORM_COVERS = 10_000
/**
 * After how long a search that failed in passing is sent again by itself; after each further failure twice as long. It is
 * only sent where a window shows it.
 */
const RETRY_MS = [30_000, 60_000, 120_000, 240_000, 480_000] as const
/**
 * The platform's threads that are checked on this computer: its search has no subjects, so that a word that is in many e-mails and
 * in few subjects would lead through all of them; nor does it know of threads that nobody has.
 */
const MOST_CHECKED = 1_000

/** Whether a query asks for words of the subject. */
export const hasSubjectOf = ({ text }: ThreadQuery): boolean => text.some(({ isInSubject }) => isInSubject === true)

/** Whether a query asks for what the platform cannot be asked for: words of the subject, or that nobody has a thread. */
const isCheckedHere = (query: ThreadQuery): boolean => hasSubjectOf(query) || isAssigneeChecked(query)

/** What the platform is asked for one search: page by page as far as windows need it, and again after a failure. */
export class PlatformSearch {
  readonly #query: ThreadQuery
  readonly #ports: SearchPorts
  readonly #list: ResultList
  readonly #look: (threadIds: readonly string[]) => void
  #clock: Clock
  /** Rows down to which windows have asked for the platform's. */
  #wanted = 0
  #isAsked = false
  #isStale = true
  #isClosed = false
  /** The question that is on its way. */
  #asking: AbortController | null = null
  /** It has begun at the top again. */
  #isRestarted = false
  #answeredAt: number | null = null
  #failure: Problem | null = null
  /** Failures since the last answer, and since somebody asked. */
  #failures = 0
  #cancelRetry: (() => void) | null = null
  /** It is time to ask again: the failure is shown until there is an answer. */
  #isRetryDue = false
  #arrivedAt: number | null = null
  #cancelLagging: (() => void) | null = null

  /**
   * @param list receives what the platform finds
   * @param look decides anew how threads stand in the list
   */
  constructor(query: ThreadQuery, ports: SearchPorts, list: ResultList, look: (threadIds: readonly string[]) => void) {
    this.#query = query
    this.#ports = ports
    this.#list = list
    this.#look = look
    this.#clock = ports.clock()
  }

  /** What dates mean, on both sides: as it was when the platform was last asked from the top. */
  clock(): Clock {
    return this.#clock
  }

  failure(): Problem | null {
    return this.#failure
  }

  /** Whether the platform was ever asked. */
  isAsked(): boolean {
    return this.#isAsked
  }

  /** A window needs so many rows. */
  want(rows: number): void {
    this.#isAsked = true
    this.#wanted = Math.max(this.#wanted, rows)
    this.#askAfterLag()
    void this.#ask()
  }

  /** Whether the platform may find more. */
  isMoreThere(): boolean {
    return this.#isAsked && this.#failure === null && (this.#isStale || !this.#list.isAtEnd())
  }

  /** Whether the platform was asked to its end. */
  isWhole(): boolean {
    return this.#isAsked && this.#failure === null && !this.#isStale && this.#list.isAtEnd()
  }

  /** What a window says of the platform's side. */
  searched(): Omit<Searched, 'computer'> {
    const [arrivedAt, answeredAt] = [this.#arrivedAt, this.#answeredAt]
    return {
      platform: this.#answer(),
      isCapped: this.#list.isAtEnd() && this.#list.countOfRound() >= PLATFORM_COVERS,
      mayLag: arrivedAt !== null && answeredAt !== null && answeredAt - arrivedAt < SEARCH_LAG_MS,
    }
  }

  /** The platform is asked again when the list is next read. What it found stays until then. */
  askAgain(): void {
    if (!this.#isAsked) return
    this.#letGo()
    this.#dropRetry()
    this.#failure = null
    this.#failures = 0
    this.#isStale = true
    this.#wanted = 0
    this.#ports.changed()
  }

  /** Call for new mail: the platform is asked again when its index has caught up. */
  noteArrival(): void {
    this.#arrivedAt = this.#ports.now()
    if (this.#isAsked) this.#askAfterLag()
  }

  close(): void {
    this.#isClosed = true
    this.#letGo()
    this.#dropRetry()
    this.#cancelLagging?.()
  }

  #askAfterLag(): void {
    const wait = (this.#arrivedAt ?? -Infinity) + SEARCH_LAG_MS - this.#ports.now()
    if (wait <= 0 || this.#cancelLagging !== null) return
    this.#cancelLagging = this.#ports.after(Math.min(wait, SEARCH_LAG_MS), () => {
      this.#cancelLagging = null
      this.askAgain()
      // Mail that came in since may lag behind this question, too.
      this.#askAfterLag()
    })
  }

  #answer(): PlatformAnswer {
    // What is wrong with the search is wrong whether the platform is asked, can be reached, or not.
    const fault = this.#isAsked && this.#failure?.code !== 'unreachable' ? null : this.#ports.knownFault(this.#clock)
    if (fault !== null) return { state: 'failed', at: this.#answeredAt, problem: fault }
    if (!this.#isAsked) return { state: 'not asked' }
    if (this.#failure !== null) return { state: 'failed', at: this.#answeredAt, problem: this.#failure }
    if (this.#isStale || !this.#list.hasBegun() || this.#answeredAt === null) {
      return { state: 'waiting', at: this.#answeredAt }
    }
    return { state: 'answered', at: this.#answeredAt }
  }

  #begin(): void {
    this.#isStale = false
    this.#clock = this.#ports.clock()
    this.#list.beginRound()
  }

  #needsPage(): boolean {
    if (this.#isClosed) return false
    if (this.#isStale) return true
    const isChecked = isCheckedHere(this.#query) && this.#list.countOfRound() >= MOST_CHECKED
    return !this.#list.isAtEnd() && !isChecked && this.#list.countSettled() < this.#wanted
  }

  async #ask(): Promise<void> {
    if (this.#asking !== null || (this.#failure !== null && !this.#isRetryDue) || !this.#needsPage()) return
    this.#isRetryDue = false
    const question = new AbortController()
    this.#asking = question
    this.#isRestarted = false
    // Where somebody has asked anew, what becomes of this question is no concern any more.
    const isOver = (): boolean => question.signal.aborted
    try {
      while (this.#needsPage()) {
        await this.#fetchNext(question.signal)
        if (isOver()) return
        this.#failure = null
        this.#failures = 0
        this.#ports.changed()
      }
    } catch (thrown) {
      if (isOver()) return
      const problem = await this.#ports.problemOf(thrown)
      if (this.#asking !== question) return
      this.#failure = problem
      this.#retryLater(problem)
      // What comes next is asked for from the top: the results may be others by then.
      this.#isStale = true
    }
    if (this.#asking !== question) return
    this.#asking = null
    this.#ports.changed()
  }

  async #fetchNext(signal: AbortSignal): Promise<void> {
    const list = this.#list
    if (this.#isStale) this.#begin()
    let isLast = false
    for (;;) {
      try {
        const { found, isEnd, isWhole } = await this.#ports.fetchPage(this.#clock, list.cursor(isLast), signal)
        if (signal.aborted) return
        const isOn = list.keepPage(found, {
          isEnd,
          // A thread that is hidden by a change says nothing of its words, and the index may lag behind that change.
          spares: (id) => !isWhole || this.#ports.isJustChanged(id) || this.#isHidden(id),
        })
        this.#look(found.map(({ id }) => id))
        this.#ports.question(found.flatMap(({ id }) => (this.#isHidden(id) ? [id] : [])))
        this.#answeredAt = this.#ports.now()
        if (isOn || isEnd) return
        // A page that leads nowhere: once more from the very last thread, and then that is the end.
        if (isLast) {
          list.keepPage([], { isEnd: true, spares: () => true })
          return
        }
        isLast = true
      } catch (thrown) {
        if (!(thrown instanceof CursorGone) || this.#isRestarted || signal.aborted) throw thrown
        this.#isRestarted = true
        isLast = false
        this.#begin()
      }
    }
  }

  /** A thread that the platform finds and that its state, as the cache has it, keeps out of the list. */
  #isHidden(id: string): boolean {
    const thread = this.#ports.threadState(id)
    return thread !== undefined && this.#list.isOfPlatform(id) && !isInScope(this.#query, thread)
  }

  #retryLater(problem: Problem): void {
    this.#dropRetry()
    const wait = RETRY_MS[this.#failures]
    this.#failures += 1
    if (wait === undefined || !passesByItself(problem)) return
    this.#cancelRetry = this.#ports.after(wait, () => {
      this.#cancelRetry = null
      this.#isRetryDue = true
      this.#ports.changed()
    })
  }

  #dropRetry(): void {
    this.#cancelRetry?.()
    this.#cancelRetry = null
    this.#isRetryDue = false
  }

  /** Nobody waits for the question any more. */
  #letGo(): void {
    this.#asking?.abort()
    this.#asking = null
  }
}
