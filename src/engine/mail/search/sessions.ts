import type { ThreadCountsByFolder } from '../../../shared/model.ts'
import { ProblemError, type Problem } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/search/date-bounds.ts'
import { selectLabelsToSend } from '../../../shared/search/search-parameters.ts'
import { isLocalOnlyQuery, threadQueryKey, type ThreadQuery } from '../../../shared/thread-query.ts'
import { isNotFound, PlatformRefusalError } from '../../platform/platform-problem.ts'
import type { SearchListener } from '../../own/event-hub.ts'
import { resolveQuery } from '../../store/search-index/search-query.ts'
import { iterateMatchPages } from '../../store/search-index/search-threads.ts'
import type { Cache } from '../../store/cache.ts'
import type { InboxRef } from '../../store/inboxes.ts'
import type { MailParts } from '../parts.ts'
import { createLocalClock } from '../../timing/clock.ts'
import { addFolderCounts, countByFolder, countFolders } from './count-by-folder.ts'
import { clearsOnReconnect, CursorExpiredError, toSearchProblem } from './search-problem.ts'
import { SEARCH_LAG_MS, predictRejection, type SearchPorts } from './platform-search.ts'
import { SearchSession, type SearchWindow } from './search-session.ts'

const MAX_SESSIONS = 32
/** Raises `MAX_SESSIONS` to this many per inbox, because a search of all inboxes opens a session in each. */
const MAX_SESSIONS_PER_INBOX = 4
/** Maximum threads of a page to verify if the cache disagrees with the platform's search. */
const MAX_VERIFIED = 5
const PAGE_LIMIT = 100
/** Maximum threads with new mail to check if a search opens within `SEARCH_LAG_MS`. */
const MAX_ARRIVALS = 100

interface SessionEntry {
  readonly inboxId: string
  readonly session: SearchSession
}

type SearchSessionsParts = Pick<
  MailParts,
  'platform' | 'cache' | 'hub' | 'pending' | 'threads' | 'notFound' | 'presence' | 'clock' | 'signal' | 'report'
>

export class SearchSessions implements SearchListener {
  readonly #parts: SearchSessionsParts
  readonly #cache: Cache
  readonly #clock: () => Clock
  readonly #sessions = new Map<string, SessionEntry>()
  readonly #counting = new Map<string, AbortController>()
  /** Recently arrived threads by inbox, with the time of the last arrival. */
  readonly #arrivals = new Map<string, { readonly ids: readonly string[]; readonly at: number }>()
  /** True while a search caches its own results, which don't count as new mail. */
  #isCachingResults = false

  constructor(parts: SearchSessionsParts) {
    this.#parts = parts
    this.#cache = parts.cache
    this.#clock = createLocalClock(parts.clock.now)
  }

  read(
    inbox: InboxRef,
    query: ThreadQuery,
    window: { readonly offset: number; readonly limit: number },
    localOnly: boolean,
    held?: readonly string[],
  ): SearchWindow {
    // The user typed another letter, so the previous count is obsolete.
    if (localOnly && this.#findExisting(query) === undefined) this.#counting.get(inbox.id)?.abort()
    return this.#find(inbox, query).session.read(window, localOnly || isLocalOnlyQuery(query), held)
  }

  invalidate(query: ThreadQuery): void {
    this.#findExisting(query)?.platform.invalidate()
  }

  /** The matching e-mail's own ID, or null. Asks the platform only if the local search doesn't find the thread. */
  async matchedEmail(inbox: InboxRef, query: ThreadQuery, threadId: string): Promise<string | null> {
    const { platform, signal } = this.#parts
    const [local] = this.#cache.threadSearch.matching(resolveQuery(query, this.#clock()), [threadId])
    if (local !== undefined && local.emailId !== null) return local.emailId
    const match = this.#findExisting(query)?.list.matchOf(threadId) ?? null
    if (match === null || match.by === 'computer') return match?.emailId ?? null
    const known = this.#cache.emails.known(inbox, threadId).map(({ id }) => id)
    const found = await platform
      .getThreadEmail(inbox.id, threadId, match.emailId, { priority: 'action', signal })
      .catch(() => null)
    if (found === null) return null
    return known.includes(found.id) ? found.id : this.#cache.emails.atTime(inbox, threadId, found.receivedAt)
  }

  /** Threads in the list of an open search, including those that only the platform has found. */
  found(query: ThreadQuery): readonly string[] {
    return this.#findExisting(query)?.listed() ?? []
  }

  /** IDs of all threads found, in batches, possibly with duplicates. */
  *everything(query: ThreadQuery): Generator<readonly string[], void> {
    yield this.found(query)
    yield* iterateMatchPages(this.#cache.threadSearch, resolveQuery(query, this.#clock()))
  }

  /** Counts results in each folder, regardless of the folders in the query. Cancels any previous count in the inbox. */
  async countByFolder(inbox: InboxRef, query: ThreadQuery): Promise<ThreadCountsByFolder> {
    this.#counting.get(inbox.id)?.abort()
    const ending = new AbortController()
    this.#counting.set(inbox.id, ending)
    const { search, threadSearch } = this.#cache
    const { emails, of } = search.extent(inbox.key)
    const asked = resolveQuery(query, this.#clock())
    const local = await countByFolder(
      (from, threads) => threadSearch.countByFolder(asked, from, threads),
      AbortSignal.any([this.#parts.signal, ending.signal]),
    )
    const beyond = (this.#findExisting(query)?.listedByPlatform() ?? []).flatMap(
      (id) => this.#cache.threads.currentState(inbox, id)?.folder ?? [],
    )
    return {
      folders: addFolderCounts(local.folders, countFolders(beyond)),
      isWhole: local.isWhole && emails >= of,
    }
  }

  isWhole(query: ThreadQuery): boolean {
    return this.#findExisting(query)?.isWhole() === true
  }

  invalidateAll(): void {
    for (const { session } of this.#sessions.values()) session.platform.invalidate()
  }

  retryFailed(): void {
    for (const { session } of this.#sessions.values()) {
      const failure = session.platform.failure()
      if (failure !== null && clearsOnReconnect(failure)) session.platform.invalidate()
    }
  }

  /** Call when local mail was added or removed. */
  invalidateLocal(): void {
    for (const { session } of this.#sessions.values()) session.invalidateLocal()
  }

  touched(inboxId: string, threadIds: readonly string[], arrived: { readonly keys: () => Iterable<string> }): void {
    for (const [, { session }] of this.#sessionsOf(inboxId))
      session.touch(threadIds, this.#isCachingResults ? new Set() : arrived)
    if (this.#isCachingResults) return
    const ids = [...this.#arrivalsOf(inboxId), ...arrived.keys()].slice(-MAX_ARRIVALS)
    if (ids.length > 0) this.#arrivals.set(inboxId, { ids, at: this.#parts.clock.now() })
  }

  takeChanged(inboxId: string): readonly string[] {
    return this.#sessionsOf(inboxId).flatMap(([key, { session }]) => (session.takeChanged() ? [key] : []))
  }

  close(): void {
    for (const [key, kept] of [...this.#sessions]) this.#forget(key, kept)
  }

  /** Threads with new mail that the platform's search may not include yet. */
  #arrivalsOf(inboxId: string): readonly string[] {
    const { ids, at } = this.#arrivals.get(inboxId) ?? { ids: [], at: 0 }
    return this.#parts.clock.now() - at < SEARCH_LAG_MS ? ids : []
  }

  #findExisting(query: ThreadQuery): SearchSession | undefined {
    return this.#sessions.get(threadQueryKey(query))?.session
  }

  #sessionsOf(inboxId: string): readonly (readonly [string, SessionEntry])[] {
    return [...this.#sessions].filter(([, kept]) => kept.inboxId === inboxId)
  }

  #find(inbox: InboxRef, query: ThreadQuery): SessionEntry {
    const key = threadQueryKey(query)
    const kept = this.#sessions.get(key) ?? this.#open(inbox, query)
    this.#sessions.delete(key)
    this.#makeRoom()
    this.#sessions.set(key, kept)
    return kept
  }

  /** Evicts one session: first a search that the user was typing, otherwise the one least recently read. */
  #makeRoom(): void {
    const sessions = this.#sessions
    const inboxes = new Set([...sessions.values()].map(({ inboxId }) => inboxId)).size
    if (sessions.size < Math.max(MAX_SESSIONS, MAX_SESSIONS_PER_INBOX * inboxes)) return
    // Keep sessions just opened in other inboxes for the same search: they haven't asked the platform yet.
    const oldest =
      [...sessions].slice(0, -inboxes).find(([, { session }]) => !session.platform.isAsked()) ?? [...sessions][0]
    if (oldest !== undefined) this.#forget(...oldest)
  }

  #forget(key: string, { session }: SessionEntry): void {
    this.#sessions.delete(key)
    session.platform.close()
  }

  #open(inbox: InboxRef, query: ThreadQuery): SessionEntry {
    const session = new SearchSession(query, {
      threadState: (threadId) => {
        const currentState = this.#cache.threads.currentState(inbox, threadId)
        if (currentState === undefined) return undefined
        const known = this.#cache.labels.byId(inbox.key)
        const labelIds = currentState.labelIds.flatMap((id) =>
          known.get(id) === null ? [] : (known.get(id)?.id ?? id),
        )
        return { ...currentState, labelIds }
      },
      subjectOf: (threadId) => this.#cache.threads.get(inbox, threadId)?.subject ?? null,
      threadSearch: this.#cache.threadSearch,
      extent: () => this.#cache.search.extent(inbox.key),
      fetchPage: (clock, after, ending) =>
        this.#fetchPage(inbox, query, AbortSignal.any([this.#parts.signal, ending]), clock, after),
      isJustChanged: (threadId) => this.#isJustChanged(inbox.id, threadId),
      question: (threadIds) => this.#verifyDoubtful(inbox, threadIds),
      problemOf: (thrown) => this.#diagnoseFailure(inbox, query, thrown),
      predictRejection: (clock) => this.#predictRejection(inbox, query, clock),
      changed: () => this.#parts.hub.searches(inbox.id),
      clock: this.#clock,
      now: this.#parts.clock.now,
      after: (milliseconds, callback) => this.#parts.clock.after(milliseconds, callback, { unref: true }),
    })
    session.touch([], new Set(this.#arrivalsOf(inbox.id)))
    return { inboxId: inbox.id, session }
  }

  async #fetchPage(
    inbox: InboxRef,
    query: ThreadQuery,
    ending: AbortSignal,
    clock: Clock,
    after: string | undefined,
  ): Promise<Awaited<ReturnType<SearchPorts['fetchPage']>>> {
    const { platform, notFound, hub } = this.#parts
    const askedAt = this.#parts.clock.elapsed()
    const page = await platform
      .searchThreads(inbox.id, query, { priority: 'action', signal: ending, clock, after, limit: PAGE_LIMIT })
      .catch((thrown: unknown) => {
        const namesLabel =
          thrown instanceof PlatformRefusalError &&
          selectLabelsToSend(query).some((id) => String(thrown.problem.details?.platform).includes(id))
        throw after !== undefined && isNotFound(thrown) && !namesLabel ? new CursorExpiredError() : thrown
      })
    notFound.noteInboxSeen(inbox.id)
    const found = page.items
    // The platform's search lags behind its lists by up to a minute (platform.md 9.17), so its results must not
    // overwrite newer mail.
    const news = found
      .map(({ thread }) => thread)
      .filter(({ id, receivedAt }) => (this.#cache.threads.get(inbox, id)?.receivedAt ?? -1) < receivedAt)
    this.#isCachingResults = true
    try {
      hub.threads(inbox.id, this.#cache.threads.storePage(inbox, news, { askedAt, inSent: false }))
    } finally {
      this.#isCachingResults = false
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

  #isJustChanged(inboxId: string, threadId: string): boolean {
    const { pending } = this.#parts
    const since = this.#parts.clock.elapsed() - SEARCH_LAG_MS
    const marks = pending.marks(inboxId, threadId)
    const isSeenElsewhere = marks !== undefined && (marks.snoozedUntil !== null || marks.back !== null)
    return (
      isSeenElsewhere ||
      pending.overlay(inboxId, threadId) !== undefined ||
      pending.confirmedSince(inboxId, threadId, since)
    )
  }

  #verifyDoubtful(inbox: InboxRef, threadIds: readonly string[]): void {
    const doubtful = threadIds.filter((id) => !this.#isJustChanged(inbox.id, id)).slice(0, MAX_VERIFIED)
    for (const id of doubtful) {
      this.#parts.threads.verify(inbox, id, 'screen').catch((thrown: unknown) => this.#reportUnexpected(thrown))
    }
  }

  #reportUnexpected(thrown: unknown): void {
    if (!(thrown instanceof ProblemError) && !this.#parts.signal.aborted) this.#parts.report(thrown)
  }

  async #diagnoseFailure(inbox: InboxRef, query: ThreadQuery, thrown: unknown): Promise<Problem> {
    const { notFound, presence } = this.#parts
    this.#reportUnexpected(thrown)
    const isInboxAsked = isNotFound(thrown) && !(thrown instanceof CursorExpiredError)
    // If the inbox still exists, only this request failed.
    const isInboxGone = isInboxAsked && !(await notFound.inboxExists(inbox.id, 'action').catch(() => true))
    if (isInboxGone) presence.isGone(inbox.id)
    return this.#problemOf(inbox, query, thrown, isInboxGone)
  }

  #predictRejection(inbox: InboxRef, query: ThreadQuery, clock: Clock): Problem | null {
    // The platform isn't asked for these queries, so its limits don't apply.
    if (isLocalOnlyQuery(query)) return null
    const { threads } = this.#parts
    const mayHaveLabel = (id: string): boolean =>
      !threads.areLabelsListed(inbox) || (this.#cache.labels.byId(inbox.key).get(id) ?? null) !== null
    const refusal = predictRejection(query, clock, mayHaveLabel)
    return refusal && this.#problemOf(inbox, query, refusal, false)
  }

  #problemOf(inbox: InboxRef, query: ThreadQuery, thrown: unknown, isInboxGone: boolean): Problem {
    const known = this.#cache.inboxes.get(inbox.id)?.inbox
    return toSearchProblem(thrown, {
      query,
      isInboxGone,
      inboxName: known?.name ?? known?.emailAddress ?? inbox.id,
      labelName: (labelId) => this.#cache.labels.byId(inbox.key).get(labelId)?.name,
    })
  }
}
