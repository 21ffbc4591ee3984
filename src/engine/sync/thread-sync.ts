import { FOLDERS, type Folder } from '../../shared/model.ts'
import { ProblemError, createProblem } from '../../shared/result.ts'
import { PAGE_LIMIT, type CallOptions, type ListPage } from '../platform/requests.ts'
import type { FetchedThread } from '../platform/resources/threads.ts'
import { isNotFound, lacksOperation } from '../platform/platform-problem.ts'
import type { Priority } from '../platform/request-budget.ts'
import type { InboxRef } from '../store/inboxes.ts'
import { NO_LIST_PROGRESS, type ListProgress } from '../store/list-progress.ts'
import type { CapabilityStatus } from '../platform/capabilities.ts'
import { changeLabels } from '../own/outbox/changes/label.ts'
import { pollNews } from './sync-watermark.ts'
import { MissingThreadResolver } from './missing-thread-resolver.ts'
import { ThreadEmailFetcher } from './thread-emails.ts'
import { RepeatedPageGuard } from '../own/repeated-pages.ts'
import { settleAll } from '../timing/settle-all.ts'
import { createTurnRunner, type TurnRunner } from '../timing/turns.ts'
import { toCrawledPage, type TimedRow, type CrawledPage } from './crawl-page.ts'
import type { AccountServices } from './account-services.ts'

/** Maximum threads to check at a time below the end of a list that may be truncated. */
const MAX_BELOW_END = 100
/** More threads are searched for on pages of the inbox first. */
const MAX_VERIFIED_SINGLY = 5
/** Tolerated difference between the times of an e-mail and its thread. */
const TIME_TOLERANCE_MS = 1_000

export interface CrawlStep {
  readonly rows: number
  /** True if the crawl has finished; the next one starts at the top. */
  readonly isEnd: boolean
  /** True if the cursor no longer exists, so the next step starts at the top. */
  readonly isLost?: boolean
}

export const formatCrawlName = (inbox: Pick<InboxRef, 'id'>, folder: Folder): string => `threads ${inbox.id} ${folder}`
/** Name of the time at which a webhook's log was last followed to its end. */
export const LOG_READ_AT = 'looked webhook events'
const polledAtKey = (inbox: InboxRef): string => `looked ${inbox.id}`
const labelsListedName = (inbox: InboxRef): string => `labels listed ${inbox.id}`

/** The platform has the thread but doesn't return its e-mails. */
export class EmailsUnsupportedError extends ProblemError {
  constructor(cause?: unknown) {
    super({ code: 'refused', message: 'This platform lists threads but does not return their messages.' }, { cause })
    this.name = 'EmailsUnsupportedError'
  }
}

const WITHHELD = 'The platform did not return this thread’s messages. Try again in a moment.'

interface ThreadPage extends ListPage<FetchedThread> {
  /** False for search, which may lag by a minute and ends after 10,000 threads (platform.md 9.6 and 9.17). */
  readonly isExact: boolean
}

type ListOptions = CallOptions & { readonly after?: string | undefined; readonly limit?: number }

const rowOf = ({ id, receivedAt }: FetchedThread): TimedRow => ({ id, time: receivedAt })

type ThreadSyncParts = Pick<
  AccountServices,
  'platform' | 'cache' | 'hub' | 'capabilities' | 'notFound' | 'presence' | 'problems' | 'clock' | 'signal'
>

/** Fetches threads and e-mails of inboxes into the cache, one request or page at a time. */
export class ThreadSync {
  readonly #parts: ThreadSyncParts
  readonly #inTurn: TurnRunner = createTurnRunner()
  readonly #emails: ThreadEmailFetcher
  readonly #checks: MissingThreadResolver
  readonly #repeatedPages: RepeatedPageGuard
  /** Threads reported once; a second report would bring back a dismissed problem. */
  readonly #reportedEndless = new Set<string>()
  /** Crawls that have finished at least once; names are never removed. */
  readonly #listed = new Set<string>()

  constructor(parts: ThreadSyncParts) {
    this.#parts = parts
    this.#repeatedPages = new RepeatedPageGuard(parts.problems)
    this.#emails = new ThreadEmailFetcher({
      ...parts,
      inTurn: this.#inTurn,
      storeThread: (inbox, thread, askedAt) => this.#storePage(inbox, [thread], { askedAt, inSent: false }),
      isEndless: (inbox, threadId, count) => this.#reportEndless(inbox, threadId, count),
    })
    this.#checks = new MissingThreadResolver({
      ...parts,
      fetchPage: (inbox, after, priority) => this.#fetchPage(inbox, { ...this.#options(priority), after }),
      verify: (inbox, threadId, priority) => this.verify(inbox, threadId, priority),
    })
  }

  /**
   * Fetches all activity newer than the watermark, with a single request if there is no new activity. Afterwards, only
   * changes that don't move a thread to the top may be missing.
   */
  async news(inbox: InboxRef, priority: Priority): Promise<void> {
    const { cache, clock } = this.#parts
    const isWhole = await pollNews(cache.accountMeta, inbox.id, clock, (range) =>
      this.#fetchPage(inbox, { ...this.#options(priority), ...range }),
    )
    if (isWhole) cache.accountMeta.set(polledAtKey(inbox), clock.now())
  }

  /** Crawls the next page of a folder. Cached threads that belong on the page but aren't there are left to `check`. */
  async crawl(inbox: InboxRef, folder: Folder, priority: Priority): Promise<CrawlStep> {
    const { listProgress } = this.#parts.cache
    const name = formatCrawlName(inbox, folder)
    const crawl = listProgress.get(name)
    const after = this.#cursorOf(inbox, folder, crawl)
    const askedAt = this.#parts.clock.elapsed()
    try {
      const page = await this.#repeatedPages.fetch(name, `threads in ${folder}`, after, (cursor) =>
        this.#listThreads(inbox.id, [folder], { ...this.#options(priority), after: cursor }),
      )
      return await this.#storeCrawledPage(inbox, folder, crawl, page, askedAt, (next) => listProgress.set(name, next))
    } catch (thrown) {
      if (after === undefined || !lacksOperation(thrown)) throw thrown
      // The cursor's thread has left the list. Start over rather than guess.
      listProgress.set(name, { ...NO_LIST_PROGRESS, rounds: crawl.rounds })
      return { rows: 0, isEnd: false, isLost: true }
    }
  }

  /** Checks the newest page of a folder, independently of its crawl. */
  async checkTop(inbox: InboxRef, folder: Folder, priority: Priority): Promise<void> {
    const askedAt = this.#parts.clock.elapsed()
    const page = await this.#listThreads(inbox.id, [folder], this.#options(priority))
    await this.#storeCrawledPage(inbox, folder, NO_LIST_PROGRESS, page, askedAt, () => undefined)
  }

  /** True if a folder was crawled completely at least once. */
  isListed(inbox: InboxRef, folder: Folder): boolean {
    const name = formatCrawlName(inbox, folder)
    if (!this.#listed.has(name) && this.#parts.cache.listProgress.get(name).rounds > 0) this.#listed.add(name)
    return this.#listed.has(name)
  }

  async labels(inbox: InboxRef, priority: Priority): Promise<void> {
    const { platform, cache, hub, capabilities } = this.#parts
    // A platform that only implements the contract has no such list. If the inbox is gone, its threads will show that.
    const labels = await capabilities.attempt(
      'list labels',
      () => platform.listLabels(inbox.id, this.#options(priority)),
      { scope: inbox.id },
    )
    if (labels === null) return
    changeLabels(cache.labels, hub, inbox, () => cache.labels.replaceAll(inbox.key, labels))
    if (!this.areLabelsListed(inbox)) cache.accountMeta.set(labelsListedName(inbox), 1)
  }

  /** True if the platform has listed the inbox's labels, so all are known. */
  areLabelsListed(inbox: InboxRef): boolean {
    return this.#parts.cache.accountMeta.number(labelsListedName(inbox)) === 1
  }

  /**
   * Fetches all e-mails of a thread, and the thread itself if it isn't cached.
   * @returns false for an empty list, which proves nothing: a thread has at least one e-mail
   * @throws EmailsUnsupportedError if the platform has the thread but returns no e-mails, `platform_failed` if it has
   * returned e-mails of this inbox before, `not_found` if the thread or its inbox is missing, which is then marked as
   * gone
   */
  emails(inbox: InboxRef, threadId: string, priority: Priority): Promise<boolean> {
    return this.#readEmails(inbox, threadId, priority, () => this.#emails.read(inbox, threadId, priority))
  }

  /** Fetches e-mails after the newest stored one, usually with one request, while the user waits. */
  readNewer(inbox: InboxRef, threadId: string, signal: AbortSignal): Promise<boolean> {
    return this.#emails.readNewer(inbox, threadId, { priority: 'action', signal })
  }

  /** Current belief about whether the platform returns the e-mails of the inbox's threads. */
  emailsBelief(inbox: InboxRef): CapabilityStatus {
    return this.#parts.capabilities.belief('list thread emails', inbox.id)
  }

  /** True if requesting the e-mails of its threads is worthwhile now. */
  mayOfferEmails(inbox: InboxRef): boolean {
    return this.#parts.capabilities.shouldProbe('list thread emails', inbox.id)
  }

  /** Checks some of the threads that are missing from a list. @returns false if none is left */
  check(priority: Priority): Promise<boolean> {
    return this.#checks.step(priority)
  }

  /**
   * Fetches a thread and its e-mails, ignoring the cache. Marks a missing thread as gone. If the platform has no
   * single-thread operation, the folders are crawled again.
   */
  async refetch(inbox: InboxRef, threadId: string, priority: Priority): Promise<void> {
    try {
      await this.#readEmails(inbox, threadId, priority, () => this.#emails.readAnew(inbox, threadId, priority))
    } catch (thrown) {
      if (isNotFound(thrown)) return
      if (!(thrown instanceof EmailsUnsupportedError)) throw thrown
      for (const folder of FOLDERS) this.#parts.cache.listProgress.set(formatCrawlName(inbox, folder), NO_LIST_PROGRESS)
    }
  }

  /** Determines a missing thread's state with whatever operation the platform supports. */
  async verify(inbox: InboxRef, threadId: string, priority: Priority): Promise<void> {
    const { cache, hub, capabilities, notFound, presence, clock } = this.#parts
    if (!capabilities.shouldProbe('retrieve thread', inbox.id)) {
      await this.#verifyBySearch(inbox, threadId, priority)
      return
    }
    const askedAt = clock.elapsed()
    const missing = await notFound.ofThread(inbox.id, threadId, priority)
    switch (missing.part) {
      case 'nothing':
        hub.threads(inbox.id, cache.threads.storeState(inbox, threadId, missing.summary, askedAt))
        break
      case 'thread':
        this.#markGone(inbox, threadId)
        break
      case 'inbox':
        presence.isGone(inbox.id)
        break
      case 'operation':
        await this.#verifyBySearch(inbox, threadId, priority)
        break
    }
  }

  /** Determines the state of cached threads, with at most one request per thread. The rest is left to `check`. */
  async verifyAll(inbox: InboxRef, threadIds: readonly string[], priority: Priority): Promise<void> {
    if (threadIds.length <= MAX_VERIFIED_SINGLY) {
      await settleAll(threadIds.map((id) => this.verify(inbox, id, priority)))
      return
    }
    const rows = threadIds.map((id) => ({ id, time: this.#parts.cache.threads.get(inbox, id)?.receivedAt ?? 0 }))
    this.#checks.add(inbox, rows, false)
    for (let asked = 0; asked < rows.length && (await this.#checks.step(priority)); asked += 1);
  }

  /**
   * Time at which the inbox's newest mail was last known to be stored, milliseconds since the epoch; null for never. The
   * lists of received and sent e-mails, or the log of a webhook, show that an inbox that was polled earlier has no new
   * mail.
   */
  polledAt(inbox: InboxRef): number | null {
    const { accountMeta } = this.#parts.cache
    const own = accountMeta.number(polledAtKey(inbox))
    const ofAccount = Math.min(
      accountMeta.number('looked received') ?? 0,
      accountMeta.number('looked sent e-mails') ?? 0,
    )
    return own === null ? null : Math.max(own, ofAccount, accountMeta.number(LOG_READ_AT) ?? 0)
  }

  #options(priority: Priority): CallOptions {
    return { priority, signal: this.#parts.signal }
  }

  /**
   * Lists threads. If the platform can't list them, searches with the same folders and order (platform.md 9). A single
   * fallback doesn't affect the next page: `capabilities` decides that from several responses.
   */
  async #listThreads(inboxId: string, folders: readonly Folder[], options: ListOptions): Promise<ThreadPage> {
    const { platform, capabilities, notFound } = this.#parts
    const belief = capabilities.belief('list threads', inboxId)
    // After the first page, a 404 may refer to the cursor. Only probe the capability at the top of a list.
    const shouldProbe = capabilities.shouldProbe('list threads', inboxId)
    if (!shouldProbe || (belief === 'seems missing' && options.after !== undefined)) {
      return this.#searchThreads(inboxId, folders, options)
    }
    const askedAt = capabilities.now()
    try {
      const page = await platform.listThreads(inboxId, { folders }, options)
      capabilities.recordSuccess('list threads', inboxId)
      notFound.noteInboxSeen(inboxId)
      return { ...page, isExact: true }
    } catch (thrown) {
      if (!lacksOperation(thrown) || (options.after !== undefined && belief === 'offered')) throw thrown
      const page = await this.#searchThreads(inboxId, folders, options)
      capabilities.recordRefusal('list threads', askedAt, inboxId)
      return page
    }
  }

  async #searchThreads(inboxId: string, folders: readonly Folder[], options: ListOptions): Promise<ThreadPage> {
    const { platform, notFound } = this.#parts
    const page = await platform.searchThreads(inboxId, { folders }, options)
    notFound.noteInboxSeen(inboxId)
    return { ...page, items: page.items.map(({ thread }) => thread), isExact: false }
  }

  async #fetchPage(
    inbox: InboxRef,
    options: ListOptions,
  ): Promise<{ readonly rows: readonly TimedRow[]; readonly hasMore: boolean }> {
    const askedAt = this.#parts.clock.elapsed()
    const page = await this.#listThreads(inbox.id, FOLDERS, options)
    await this.#storePage(inbox, page.items, { askedAt, inSent: false })
    return { rows: page.items.map(rowOf), hasMore: page.hasMore }
  }

  /** Stores a page in its own turn and announces the changes; `alongside` runs in the same transaction. */
  async #storePage(
    inbox: InboxRef,
    threads: readonly FetchedThread[],
    about: { readonly askedAt: number; readonly inSent: boolean },
    alongside: () => void = () => undefined,
  ): Promise<void> {
    const { cache, hub } = this.#parts
    const touched = await this.#inTurn(() =>
      cache.inTransaction(() => {
        alongside()
        return cache.threads.storePage(inbox, threads, about)
      }),
    )
    hub.threads(inbox.id, touched)
  }

  #markGone(inbox: InboxRef, threadId: string): void {
    const { cache, hub } = this.#parts
    hub.threads(inbox.id, cache.threads.markGone(inbox, threadId))
  }

  /**
   * Finds a thread by searching around its time, for when it can't be fetched. Results this few are never truncated.
   */
  async #verifyBySearch(inbox: InboxRef, threadId: string, priority: Priority): Promise<void> {
    const { platform, cache, notFound, clock } = this.#parts
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
      { ...this.#options(priority), limit: PAGE_LIMIT },
    )
    notFound.noteInboxSeen(inbox.id)
    const found = page.items.find(({ thread }) => thread.id === threadId)
    if (found !== undefined) await this.#storePage(inbox, [found.thread], { askedAt, inSent: false })
    else if (!page.hasMore) this.#markGone(inbox, threadId)
  }

  async #storeCrawledPage(
    inbox: InboxRef,
    folder: Folder,
    crawl: ListProgress,
    page: ThreadPage,
    askedAt: number,
    keep: (next: ListProgress) => void,
  ): Promise<CrawlStep> {
    const rows = page.items.map(rowOf)
    const { next, covers, met } = toCrawledPage(crawl, rows, page.hasMore)
    await this.#storePage(inbox, page.items, { askedAt, inSent: folder === 'sent' }, () => keep(next))
    this.#checks.add(inbox, this.#missingFrom(inbox, folder, page, covers, met), folder === 'sent')
    return { rows: rows.length, isEnd: next.cursor === null }
  }

  /** The cursor, or the crawled row above it if the cursor's thread has moved to the top. */
  #cursorOf(inbox: InboxRef, folder: Folder, { cursor, cursorTime, cursorTies }: ListProgress): string | undefined {
    const { threads, threadLists } = this.#parts.cache
    if (cursor === null || cursorTime === null) return undefined
    if (threads.get(inbox, cursor)?.receivedAt === cursorTime) return cursor
    const above = threadLists.rowsAbove(inbox, folder, cursorTime, PAGE_LIMIT)
    // A row with the same time may be below the cursor; continuing from it would skip the rows in between.
    return above.find(({ id, time }) => id !== cursor && (time > cursorTime || cursorTies.includes(id)))?.id ?? cursor
  }

  /** Cached threads that belong on a page but aren't there. */
  #missingFrom(
    inbox: InboxRef,
    folder: Folder,
    { items, hasMore, isExact, isWhole }: ThreadPage,
    { after, upTo }: CrawledPage['covers'],
    met: ReadonlySet<string>,
  ): readonly TimedRow[] {
    if (!isWhole) return []
    const { threadLists } = this.#parts.cache
    const rows = threadLists.rowsBetween(inbox, folder, after, upTo).filter(({ id }) => !met.has(id))
    if (isExact || hasMore) return rows
    // Search ends after 10,000 threads (platform.md 9.6), so threads below its end may well exist.
    const end = items.length === 0 ? upTo : Math.min(...items.map(({ receivedAt }) => receivedAt))
    const shown = rows.filter(({ time }) => time > end)
    return [...shown, ...rows.slice(shown.length, shown.length + MAX_BELOW_END)]
  }

  /** Reads a thread's e-mails. If they aren't found, determines what is missing. */
  async #readEmails(
    inbox: InboxRef,
    threadId: string,
    priority: Priority,
    read: () => Promise<boolean>,
  ): Promise<boolean> {
    const { capabilities, notFound, presence, clock } = this.#parts
    const askedAt = clock.elapsed()
    try {
      const isHere = await read()
      capabilities.recordSuccess('list thread emails', inbox.id)
      notFound.noteInboxSeen(inbox.id)
      return isHere
    } catch (thrown) {
      if (!lacksOperation(thrown)) throw thrown
      const missing = await notFound.ofThread(inbox.id, threadId, priority)
      switch (missing.part) {
        case 'thread':
          this.#markGone(inbox, threadId)
          throw thrown
        case 'inbox':
          presence.isGone(inbox.id)
          throw thrown
        case 'nothing':
        case 'operation':
          capabilities.recordRefusal('list thread emails', askedAt, inbox.id)
          // The platform has returned e-mails before, so this is a temporary failure.
          if (capabilities.belief('list thread emails', inbox.id) === 'offered')
            throw createProblem('platform_failed', WITHHELD, thrown)
          throw new EmailsUnsupportedError(thrown)
      }
    }
  }

  #reportEndless(inbox: InboxRef, threadId: string, count: number): void {
    const { cache, problems } = this.#parts
    if (this.#reportedEndless.has(threadId)) return
    this.#reportedEndless.add(threadId)
    const id = `endless-thread ${threadId}`
    const subject = cache.threads.get(inbox, threadId)?.subject ?? null
    const which = subject === null ? 'a thread without a subject' : `“${subject}”`
    const message = `The platform keeps sending more messages in ${which}. Linnet stored the first ${count.toLocaleString('en')} and stopped.`
    problems.raise({ id, code: 'platform_failed', message })
  }
}
