import type { LocalSearchCoverage, PlatformSearchState, SearchCoverage } from '../../../shared/model.ts'
import type { Problem } from '../../../shared/result.ts'
import { type Clock, resolveDateBound } from '../../../shared/search/date-bounds.ts'
import { needsAssigneeCheck, selectLabelsToSend } from '../../../shared/search/search-parameters.ts'
import { isInScope, type ThreadQuery, PEOPLE_FIELDS } from '../../../shared/thread-query.ts'
import type { ResultList } from './result-list.ts'
import { CursorExpiredError, isTemporaryProblem } from './search-problem.ts'
import type { FoundThread, ThreadSearch } from '../../store/search-index/search-threads.ts'
import type { CurrentThreadState } from '../../store/threads.ts'
import { formatQueryText, SEARCH_LIMITS } from '../../../shared/search/parse-search.ts'
import { countCharacters, countTypedWords } from '../../../shared/search/word-tokenizer.ts'
import { toRefusal, type PlatformRefusalError } from '../../platform/platform-problem.ts'

/** Maximum delay before the platform's search finds new mail (platform.md 9.17). */
export const SEARCH_LAG_MS = 60_000
/** Maximum number of threads that the platform's search covers (platform.md 9.6). */
const PLATFORM_RESULT_LIMIT = 10_000
/**
 * Delays before retrying a search that failed temporarily, in milliseconds. It is only retried while a window shows it.
 */
const RETRY_MS = [30_000, 60_000, 120_000, 240_000, 480_000] as const
/** Maximum platform results to check locally. A word that is common in bodies may be rare in subjects. */
const MAX_CHECKED = 1_000

export const hasSubjectTerm = ({ text }: ThreadQuery): boolean => text.some(({ isInSubject }) => isInSubject === true)

export interface SearchPorts {
  /** Cached state, including pending changes. */
  readonly threadState: (threadId: string) => CurrentThreadState | undefined
  readonly subjectOf: (threadId: string) => string | null
  readonly threadSearch: Pick<ThreadSearch, 'page' | 'matching' | 'spellings'>
  readonly extent: () => LocalSearchCoverage
  /** Requests a page and caches it. E-mail IDs in the result are the platform's. @throws `CursorExpiredError` */
  readonly fetchPage: (
    clock: Clock,
    after: string | undefined,
    signal: AbortSignal,
  ) => Promise<{ readonly found: readonly FoundThread[]; readonly isEnd: boolean; readonly isWhole: boolean }>
  /** True if the platform's index may not include a confirmed change of this thread yet. */
  readonly isJustChanged: (threadId: string) => boolean
  /** Checks platform results that don't match according to the cache. */
  readonly question: (threadIds: readonly string[]) => void
  readonly problemOf: (thrown: unknown) => Promise<Problem>
  readonly predictRejection: (clock: Clock) => Problem | null
  readonly changed: () => void
  readonly clock: () => Clock
  /** Wall time, milliseconds since the epoch. */
  readonly now: () => number
  /** Calls back once after a delay, in milliseconds. Returns a function to cancel it. */
  readonly after: (milliseconds: number, callback: () => void) => () => void
}

/** The platform's side of one search: loads pages as windows need them, and retries after failures. */
export class PlatformSearch {
  readonly #query: ThreadQuery
  readonly #ports: SearchPorts
  readonly #list: ResultList
  readonly #reevaluate: (threadIds: readonly string[]) => void
  #clock: Clock
  #wanted = 0
  #isAsked = false
  #isStale = true
  #isClosed = false
  #currentRequest: AbortController | null = null
  /** True once the current request has restarted from the top. */
  #isRestarted = false
  #answeredAt: number | null = null
  #failure: Problem | null = null
  /** Failures since the last response or manual retry. */
  #failures = 0
  #cancelRetry: (() => void) | null = null
  /** True if a retry is due. The failure stays visible until the response arrives. */
  #isRetryDue = false
  #arrivedAt: number | null = null
  #cancelLagging: (() => void) | null = null

  /** @param look re-evaluates which of the given threads are listed */
  constructor(query: ThreadQuery, ports: SearchPorts, list: ResultList, look: (threadIds: readonly string[]) => void) {
    this.#query = query
    this.#ports = ports
    this.#list = list
    this.#reevaluate = look
    this.#clock = ports.clock()
  }

  /**
   * The clock for relative dates, in both the local and the platform's search. Set when the platform's results were
   * last read from the top.
   */
  clock(): Clock {
    return this.#clock
  }

  failure(): Problem | null {
    return this.#failure
  }

  isAsked(): boolean {
    return this.#isAsked
  }

  ensureLoaded(rows: number): void {
    this.#isAsked = true
    this.#wanted = Math.max(this.#wanted, rows)
    this.#askAfterLag()
    void this.#fetchPages()
  }

  isMoreThere(): boolean {
    return this.#isAsked && this.#failure === null && (this.#isStale || !this.#list.isAtEnd())
  }

  /** True if all of the platform's results are loaded. */
  isWhole(): boolean {
    return this.#isAsked && this.#failure === null && !this.#isStale && this.#list.isAtEnd()
  }

  searched(): Omit<SearchCoverage, 'computer'> {
    const [arrivedAt, answeredAt] = [this.#arrivedAt, this.#answeredAt]
    return {
      platform: this.#searchState(),
      isCapped: this.#list.isAtEnd() && this.#list.countOfRound() >= PLATFORM_RESULT_LIMIT,
      mayLag: arrivedAt !== null && answeredAt !== null && answeredAt - arrivedAt < SEARCH_LAG_MS,
    }
  }

  /** Makes the next read ask the platform again. Its previous results stay until then. */
  invalidate(): void {
    if (!this.#isAsked) return
    this.#abortRequest()
    this.#dropRetry()
    this.#failure = null
    this.#failures = 0
    this.#isStale = true
    this.#wanted = 0
    this.#ports.changed()
  }

  /** Call when new mail has arrived. Asks the platform again once its search index has caught up. */
  noteArrival(): void {
    this.#arrivedAt = this.#ports.now()
    if (this.#isAsked) this.#askAfterLag()
  }

  close(): void {
    this.#isClosed = true
    this.#abortRequest()
    this.#dropRetry()
    this.#cancelLagging?.()
  }

  #askAfterLag(): void {
    const wait = (this.#arrivedAt ?? -Infinity) + SEARCH_LAG_MS - this.#ports.now()
    if (wait <= 0 || this.#cancelLagging !== null) return
    this.#cancelLagging = this.#ports.after(Math.min(wait, SEARCH_LAG_MS), () => {
      this.#cancelLagging = null
      this.invalidate()
      // More mail may have arrived in the meantime, which this request may miss too.
      this.#askAfterLag()
    })
  }

  #searchState(): PlatformSearchState {
    // Report an invalid search even if the platform hasn't been asked or can't be reached.
    const fault =
      this.#isAsked && this.#failure?.code !== 'unreachable' ? null : this.#ports.predictRejection(this.#clock)
    if (fault !== null) return { state: 'failed', at: this.#answeredAt, problem: fault }
    if (!this.#isAsked) return { state: 'not asked' }
    if (this.#failure !== null) return { state: 'failed', at: this.#answeredAt, problem: this.#failure }
    const hasBegun = this.#list.countOfRound() > 0 || this.#list.isAtEnd()
    if (this.#isStale || !hasBegun || this.#answeredAt === null) {
      return { state: 'waiting', at: this.#answeredAt }
    }
    return { state: 'answered', at: this.#answeredAt }
  }

  #startRound(): void {
    this.#isStale = false
    this.#clock = this.#ports.clock()
    this.#list.beginRound()
  }

  #needsPage(): boolean {
    if (this.#isClosed) return false
    if (this.#isStale) return true
    // The platform supports neither subject words nor unassigned threads, so these results are checked locally.
    const isToCheck = hasSubjectTerm(this.#query) || needsAssigneeCheck(this.#query)
    const isChecked = isToCheck && this.#list.countOfRound() >= MAX_CHECKED
    return !this.#list.isAtEnd() && !isChecked && this.#list.countSettled() < this.#wanted
  }

  async #fetchPages(): Promise<void> {
    if (this.#currentRequest !== null || (this.#failure !== null && !this.#isRetryDue) || !this.#needsPage()) return
    this.#isRetryDue = false
    const question = new AbortController()
    this.#currentRequest = question
    this.#isRestarted = false
    // Ignore the result if a newer request has replaced this one.
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
      if (this.#currentRequest !== question) return
      this.#failure = problem
      this.#retryLater(problem)
      // Results may have changed by the time of the retry, so start again at the top.
      this.#isStale = true
    }
    if (this.#currentRequest !== question) return
    this.#currentRequest = null
    this.#ports.changed()
  }

  async #fetchNext(signal: AbortSignal): Promise<void> {
    const list = this.#list
    if (this.#isStale) this.#startRound()
    let isLast = false
    for (;;) {
      try {
        const { found, isEnd, isWhole } = await this.#ports.fetchPage(this.#clock, list.cursor(isLast), signal)
        if (signal.aborted) return
        const isOn = list.keepPage(found, {
          isEnd,
          // Keep hidden threads, whose words can't be checked, and just-changed ones, which the platform's index may
          // not include yet.
          spares: (id) => !isWhole || this.#ports.isJustChanged(id) || this.#isHidden(id),
        })
        this.#reevaluate(found.map(({ id }) => id))
        this.#ports.question(found.flatMap(({ id }) => (this.#isHidden(id) ? [id] : [])))
        this.#answeredAt = this.#ports.now()
        if (isOn || isEnd) return
        // The page had nothing new. Try once more after the very last thread, then stop.
        if (isLast) {
          list.keepPage([], { isEnd: true, spares: () => true })
          return
        }
        isLast = true
      } catch (thrown) {
        if (!(thrown instanceof CursorExpiredError) || this.#isRestarted || signal.aborted) throw thrown
        this.#isRestarted = true
        isLast = false
        this.#startRound()
      }
    }
  }

  /** True for a platform result that isn't listed because its cached state doesn't fit the query. */
  #isHidden(id: string): boolean {
    const thread = this.#ports.threadState(id)
    return thread !== undefined && this.#list.isOfPlatform(id) && !isInScope(this.#query, thread)
  }

  #retryLater(problem: Problem): void {
    this.#dropRetry()
    const wait = RETRY_MS[this.#failures]
    this.#failures += 1
    if (wait === undefined || !isTemporaryProblem(problem)) return
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

  #abortRequest(): void {
    this.#currentRequest?.abort()
    this.#currentRequest = null
  }
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

const invalid = (message: string): PlatformRefusalError => toRefusal(422, { name: 'validation_error', message })

/** Splits values at commas, as the platform does. */
const splitValues = (values: readonly string[]): readonly string[] =>
  values
    .join(',')
    .split(',')
    .filter((value) => value.trim() !== '')

/**
 * Predicts the platform's rejection of a search, with the same messages and order of checks (platform.md 10). The user
 * sees the same error either way.
 * @param mayHaveLabel true if the label exists, or if the labels are unknown @returns null if the search is valid
 */
export const predictRejection = (
  { text, since, until, ...query }: ThreadQuery,
  clock: Clock,
  mayHaveLabel: (labelId: string) => boolean,
): PlatformRefusalError | null => {
  const labelIds = selectLabelsToSend(query)
  const typed = formatQueryText(text)
  const [characters, words] = [countCharacters(typed), countTypedWords(typed)]
  if (characters > SEARCH_LIMITS.characters) {
    return invalid(
      `The \`query\` parameter must be at most ${SEARCH_LIMITS.characters} characters, but received ${characters}.`,
    )
  }
  if (words > SEARCH_LIMITS.words) {
    return invalid(`The \`query\` parameter must contain at most ${SEARCH_LIMITS.words} words, but received ${words}.`)
  }
  for (const field of PEOPLE_FIELDS) {
    const { length } = splitValues(query[field])
    if (length <= SEARCH_LIMITS.people) continue
    return invalid(
      `The \`${field}\` parameter must contain at most ${SEARCH_LIMITS.people} values, but received ${length}.`,
    )
  }
  if (since !== null && until !== null && resolveDateBound(since, clock) >= resolveDateBound(until, clock)) {
    return invalid('The `start_date` must be on or before the `end_date`.')
  }
  if (labelIds.length > SEARCH_LIMITS.labels) {
    return invalid(
      `The \`labels\` parameter must contain at most ${SEARCH_LIMITS.labels} label IDs, but received ${labelIds.length}.`,
    )
  }
  const unknown = labelIds.find((id) => !mayHaveLabel(id))
  if (unknown === undefined) return null
  return UUID.test(unknown)
    ? toRefusal(404, { name: 'not_found', message: `Label "${unknown}" not found.` })
    : invalid(`The \`labels\` value "${unknown}" must be a valid UUID.`)
}
