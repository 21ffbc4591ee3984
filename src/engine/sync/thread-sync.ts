import { FOLDERS, type Folder } from '../../shared/model.ts'
import { ProblemError } from '../../shared/result.ts'
import type { MailPlatform } from '../api/mail-platform.ts'
import { PAGE_LIMIT, type CallOptions, type ListPage } from '../api/requests.ts'
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
import { ThreadChecks } from './thread-checks.ts'
import { ThreadEmailReader } from './thread-emails.ts'
import { problem } from '../saying.ts'
import { RepeatedPages } from './repeated-pages.ts'
import { createTurns, type InTurn } from '../timing/turns.ts'
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

/** The name under which the walk through a folder is kept. */
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

const WITHHELD = 'The platform did not return this thread’s messages. Try again in a moment.'

/** A page of threads, and whether it came from the list, which is exact and current, or from thread search. */
interface ThreadPage extends ListPage<FetchedThread> {
  /** False for a page of thread search: it may lag by a minute and ends after 10,000 threads (contract, 2, rule 6). */
  readonly isExact: boolean
}

type ListThreads<Page> = (
  inboxId: string,
  folders: readonly Folder[],
  options: CallOptions & { readonly after?: string | undefined; readonly limit?: number },
) => Promise<Page>

/**
 * Lists threads by the operation that is exact and current; where a platform does not answer that, by thread search,
 * which takes the same folders in the same order (contract, Search threads). A page by search decides nothing for the
 * next one: `abilities` does, from several answers.
 */
const createThreadLister = (
  platform: Pick<MailPlatform, 'listThreads' | 'searchThreads'>,
  abilities: Abilities,
  absence: Pick<Absence, 'sawInbox'>,
): ListThreads<ThreadPage> => {
  const search: ListThreads<ThreadPage> = async (inboxId, folders, options) => {
    const page = await platform.searchThreads(inboxId, { folders }, options)
    absence.sawInbox(inboxId)
    return { ...page, items: page.items.map(({ thread }) => thread), isExact: false }
  }

  return async (inboxId, folders, options) => {
    const belief = abilities.belief(inboxId, 'list threads')
    // In the middle of a list, 404 may mean the cursor: an ability is asked about anew at the top of one.
    const isWorthAsking = abilities.isWorthAsking(inboxId, 'list threads')
    if (!isWorthAsking || (belief === 'seems missing' && options.after !== undefined)) {
      return search(inboxId, folders, options)
    }
    const askedAt = abilities.now()
    try {
      const page = await platform.listThreads(inboxId, { folders }, options)
      abilities.offered(inboxId, 'list threads')
      absence.sawInbox(inboxId)
      return { ...page, isExact: true }
    } catch (thrown) {
      if (!lacksOperation(thrown) || (options.after !== undefined && belief === 'offered')) throw thrown
      const page = await search(inboxId, folders, options)
      abilities.refused(inboxId, 'list threads', askedAt)
      return page
    }
  }
}

const rowOf = ({ id, receivedAt }: FetchedThread): TimedRow => ({ id, time: receivedAt })

interface ThreadSyncParts {
  readonly platform: MailPlatform
  readonly cache: Cache
  readonly hub: EventHub
  readonly abilities: Abilities
  readonly absence: Absence
  readonly presence: InboxPresence
  readonly problems: Pick<Problems, 'list' | 'raise' | 'clear'>
  readonly clock: Clock
  /** Ends every request. */
  readonly signal: AbortSignal
}

/** Fetches the threads and e-mails of inboxes into the cache, a request or a page at a time. */
export class ThreadSync {
  readonly #parts: ThreadSyncParts
  readonly #listThreads: ReturnType<typeof createThreadLister>
  readonly #inTurn: InTurn = createTurns()
  readonly #emails: ThreadEmailReader
  readonly #checks: ThreadChecks
  readonly #repeatedPages: RepeatedPages
  /** Told once, as a dismissed problem would come back. */
  readonly #toldEndless = new Set<string>()
  /** Walks that have come to their end once: that stays so. */
  readonly #listed = new Set<string>()

  constructor(parts: ThreadSyncParts) {
    const { platform, cache, hub, abilities, absence } = parts
    this.#parts = parts
    this.#listThreads = createThreadLister(platform, abilities, absence)
    this.#repeatedPages = new RepeatedPages(parts.problems)
    this.#emails = new ThreadEmailReader({
      ...parts,
      inTurn: this.#inTurn,
      storeThread: (inbox, thread, askedAt) => this.#storePage(inbox, [thread], { askedAt, inSent: false }),
      isEndless: (inbox, threadId, count) => this.#tellEndless(inbox, threadId, count),
    })
    this.#checks = new ThreadChecks({
      fetchPage: (inbox, after, priority) => this.#fetchPage(inbox, { ...this.#options(priority), after }),
      verify: (inbox, threadId, priority) => this.verify(inbox, threadId, priority),
      rowsAbove: (inbox, folder, time, limit) => cache.threads.rowsAbove(inbox, folder, time, limit),
      leaveSent: (inbox, { id }) => {
        const thread = cache.threads.get(inbox, id)
        if (thread?.onServer !== true) return
        hub.threads(inbox.id, cache.threads.leaveSent(inbox, id))
      },
      isGone: (inbox) => cache.inboxes.get(inbox.id)?.onServer !== true,
    })
  }

  /**
   * Fetches everything whose activity is newer than what was seen last, over as many pages as that takes: one request
   * where nothing is new. Afterwards only changes that bring no thread to the top can have been missed.
   */
  async news(inbox: InboxRef, priority: Priority): Promise<void> {
    const { cache, clock } = this.#parts
    const ground = groundOf(cache.facts, inbox.id)
    const seen = await lookForNews(ground, (after) => {
      const limit = after === undefined && ground !== null ? NEWS_LIMIT : PAGE_LIMIT
      return this.#fetchPage(inbox, { ...this.#options(priority), after, limit }).catch((thrown: unknown) => {
        if (after === undefined || !lacksOperation(thrown)) throw thrown
        return null
      })
    })
    // The thread at the end of a page has left in the meantime: the next look begins at the top again.
    if (seen === null) return
    keepGround(cache.facts, inbox.id, nextGround(ground, seen, clock.now()))
    cache.facts.set(lookedName(inbox), clock.now())
  }

  /** The next page of a folder's list. What the cache holds in that part and the page does not show is left to `check`. */
  async walk(inbox: InboxRef, folder: Folder, priority: Priority): Promise<WalkStep> {
    const { walks } = this.#parts.cache
    const name = walkName(inbox, folder)
    const walk = walks.get(name)
    const after = this.#cursorOf(inbox, folder, walk)
    const askedAt = this.#parts.clock.elapsed()
    try {
      const page = await this.#repeatedPages.fetch(name, `threads in ${folder}`, after, (cursor) =>
        this.#listThreads(inbox.id, [folder], { ...this.#options(priority), after: cursor }),
      )
      return await this.#keepPage(inbox, folder, walk, page, askedAt, (next) => walks.set(name, next))
    } catch (thrown) {
      if (after === undefined || !lacksOperation(thrown)) throw thrown
      // The cursor's thread has left the list: begin again rather than guess.
      walks.set(name, { ...FRESH_WALK, rounds: walk.rounds })
      return { rows: 0, isEnd: false, isLost: true }
    }
  }

  /** The newest page of a folder's list, wherever its walk stands. */
  async checkTop(inbox: InboxRef, folder: Folder, priority: Priority): Promise<void> {
    const askedAt = this.#parts.clock.elapsed()
    const page = await this.#listThreads(inbox.id, [folder], this.#options(priority))
    await this.#keepPage(inbox, folder, FRESH_WALK, page, askedAt, () => undefined)
  }

  /** Whether a folder's list was walked to its end at least once. */
  isListed(inbox: InboxRef, folder: Folder): boolean {
    const name = walkName(inbox, folder)
    if (!this.#listed.has(name) && this.#parts.cache.walks.get(name).rounds > 0) this.#listed.add(name)
    return this.#listed.has(name)
  }

  async labels(inbox: InboxRef, priority: Priority): Promise<void> {
    const { platform, cache, hub, abilities, clock } = this.#parts
    if (!abilities.isWorthAsking(inbox.id, 'list labels')) return
    const askedAt = clock.elapsed()
    try {
      const labels = await platform.listLabels(inbox.id, this.#options(priority))
      abilities.offered(inbox.id, 'list labels')
      keepLabels(cache.labels, hub, inbox, labels)
      if (!this.areLabelsListed(inbox)) cache.facts.set(labelsListedName(inbox), 1)
    } catch (thrown) {
      // A platform of the contract alone has no such list, and an inbox that is gone is found out by its threads.
      if (!lacksOperation(thrown)) throw thrown
      abilities.refused(inbox.id, 'list labels', askedAt)
    }
  }

  /** Whether the platform has listed the inbox's labels: then there are no others. */
  areLabelsListed(inbox: InboxRef): boolean {
    return this.#parts.cache.facts.number(labelsListedName(inbox)) === 1
  }

  /**
   * Fetches all e-mails of a thread, and the thread itself where the cache has never met it.
   * @returns false where the platform gives an empty list, which says nothing: a thread has an e-mail at least
   * @throws EmailsNotOffered where the platform has the thread and does not give its e-mails, `platform_failed` where
   *   it gives those of others; `not_found` where it does not have the thread, which is then marked
   */
  emails(inbox: InboxRef, threadId: string, priority: Priority): Promise<boolean> {
    return this.#readEmails(inbox, threadId, priority, () => this.#emails.read(inbox, threadId, priority))
  }

  /**
   * Fetches what has come into a thread after what is here of it: mostly one request, for a person who waits.
   * @param signal ends it sooner
   */
  readOn(inbox: InboxRef, threadId: string, signal: AbortSignal): Promise<boolean> {
    return this.#emails.readOn(inbox, threadId, { priority: 'action', signal })
  }

  /** Whether the platform gives the e-mails of an inbox's threads. */
  emailsBelief(inbox: InboxRef): Belief {
    return this.#parts.abilities.belief(inbox.id, 'list thread emails')
  }

  /** Whether there is a use in asking for them now. */
  mayOfferEmails(inbox: InboxRef): boolean {
    return this.#parts.abilities.isWorthAsking(inbox.id, 'list thread emails')
  }

  /** Asks about some of the threads that a list should show and does not. @returns false where none is left */
  check(priority: Priority): Promise<boolean> {
    return this.#checks.step(priority)
  }

  /**
   * Fetches a thread and its e-mails anew, whatever the cache says of them. Where the platform does not give single
   * threads, their lists are walked again; one that it does not have is marked.
   */
  async fetchAgain(inbox: InboxRef, threadId: string, priority: Priority): Promise<void> {
    try {
      await this.#readEmails(inbox, threadId, priority, () => this.#emails.readAnew(inbox, threadId, priority))
    } catch (thrown) {
      if (isNotFound(thrown)) return
      if (!(thrown instanceof EmailsNotOffered)) throw thrown
      for (const folder of FOLDERS) this.#parts.cache.walks.set(walkName(inbox, folder), FRESH_WALK)
    }
  }

  /** Asks what has become of one thread that a list, or another question, did not show, by whatever the platform answers. */
  async verify(inbox: InboxRef, threadId: string, priority: Priority): Promise<void> {
    const { cache, hub, abilities, absence, presence, clock } = this.#parts
    if (!abilities.isWorthAsking(inbox.id, 'retrieve thread')) {
      await this.#verifyBySearch(inbox, threadId, priority)
      return
    }
    const askedAt = clock.elapsed()
    const missing = await absence.ofThread(inbox.id, threadId, priority)
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

  /** When an inbox was last looked at, milliseconds since the epoch; null for never. */
  lookedAt(inbox: InboxRef): number | null {
    return this.#parts.cache.facts.number(lookedName(inbox))
  }

  #options(priority: Priority): CallOptions {
    return { priority, signal: this.#parts.signal }
  }

  /** Fetches and keeps a page of the threads of all folders. */
  async #fetchPage(
    inbox: InboxRef,
    options: Parameters<ReturnType<typeof createThreadLister>>[2],
  ): Promise<{ readonly rows: readonly TimedRow[]; readonly hasMore: boolean }> {
    const askedAt = this.#parts.clock.elapsed()
    const page = await this.#listThreads(inbox.id, FOLDERS, options)
    await this.#storePage(inbox, page.items, { askedAt, inSent: false })
    return { rows: page.items.map(rowOf), hasMore: page.hasMore }
  }

  /** Keeps a page in a turn of its own and tells what it changed; `alongside` is kept or lost with it. */
  async #storePage(
    inbox: InboxRef,
    threads: readonly FetchedThread[],
    about: { readonly askedAt: number; readonly inSent: boolean },
    alongside: () => void = () => undefined,
  ): Promise<void> {
    const { cache, hub } = this.#parts
    const touched = await this.#inTurn(() =>
      cache.together(() => {
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
   * Looks for a thread by its time, in all folders: how a platform of the contract alone is asked about one. A search for
   * so few e-mails is never cut off.
   */
  async #verifyBySearch(inbox: InboxRef, threadId: string, priority: Priority): Promise<void> {
    const { platform, cache, absence, clock } = this.#parts
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
    absence.sawInbox(inbox.id)
    const found = page.items.find(({ thread }) => thread.id === threadId)
    if (found !== undefined) await this.#storePage(inbox, [found.thread], { askedAt, inSent: false })
    else if (!page.hasMore) this.#markGone(inbox, threadId)
  }

  /** Stores a page of a folder's list. What it should show and does not is left to `check`. */
  async #keepPage(
    inbox: InboxRef,
    folder: Folder,
    walk: Walk,
    page: ThreadPage,
    askedAt: number,
    keep: (next: Walk) => void,
  ): Promise<WalkStep> {
    const rows = page.items.map(rowOf)
    const { next, covers, met } = walkPage(walk, rows, page.hasMore)
    await this.#storePage(inbox, page.items, { askedAt, inSent: folder === 'sent' }, () => keep(next))
    this.#checks.add(inbox, this.#missingFrom(inbox, folder, page, covers, met), folder === 'sent')
    return { rows: rows.length, isEnd: next.cursor === null }
  }

  /** Where to go on: the cursor, or the row above it that the walk has met where its thread has moved to the top since. */
  #cursorOf(inbox: InboxRef, folder: Folder, { cursor, cursorTime, cursorTies }: Walk): string | undefined {
    const { threads } = this.#parts.cache
    if (cursor === null || cursorTime === null) return undefined
    if (threads.get(inbox, cursor)?.receivedAt === cursorTime) return cursor
    const above = threads.rowsAbove(inbox, folder, cursorTime, PAGE_LIMIT)
    // One of the same time may stand below: what lies between would be passed over.
    return above.find(({ id, time }) => id !== cursor && (time > cursorTime || cursorTies.includes(id)))?.id ?? cursor
  }

  /** What the cache holds in the part of a list that a page covers, and the page does not show. */
  #missingFrom(
    inbox: InboxRef,
    folder: Folder,
    { items, hasMore, isExact, isWhole }: ThreadPage,
    { after, upTo }: WalkedPage['covers'],
    met: ReadonlySet<string>,
  ): readonly TimedRow[] {
    if (!isWhole) return []
    const { threads } = this.#parts.cache
    const rows = threads.rowsBetween(inbox, folder, after, upTo).filter(({ id }) => !met.has(id))
    if (isExact || hasMore) return rows
    // A search ends after 10,000 threads (contract, 2, rule 6): what lies below its end may well be there.
    const end = items.length === 0 ? upTo : Math.min(...items.map(({ receivedAt }) => receivedAt))
    const shown = rows.filter(({ time }) => time > end)
    return [...shown, ...rows.slice(shown.length, shown.length + MOST_BELOW_END)]
  }

  /** Reads the e-mails of a thread; where they are not found, it is found out what is missing. */
  async #readEmails(
    inbox: InboxRef,
    threadId: string,
    priority: Priority,
    read: () => Promise<boolean>,
  ): Promise<boolean> {
    const { abilities, absence, presence, clock } = this.#parts
    const askedAt = clock.elapsed()
    try {
      const isHere = await read()
      abilities.offered(inbox.id, 'list thread emails')
      absence.sawInbox(inbox.id)
      return isHere
    } catch (thrown) {
      if (!lacksOperation(thrown)) throw thrown
      const missing = await absence.ofThread(inbox.id, threadId, priority)
      switch (missing.part) {
        case 'thread':
          this.#markGone(inbox, threadId)
          throw thrown
        case 'inbox':
          presence.isGone(inbox.id)
          throw thrown
        case 'nothing':
        case 'operation':
          abilities.refused(inbox.id, 'list thread emails', askedAt)
          // A platform that has given e-mails before does not lack the ability: something went astray.
          if (abilities.belief(inbox.id, 'list thread emails') === 'offered')
            throw problem('platform_failed', WITHHELD, thrown)
          throw new EmailsNotOffered(thrown)
      }
    }
  }

  #tellEndless(inbox: InboxRef, threadId: string, count: number): void {
    const { cache, problems } = this.#parts
    if (this.#toldEndless.has(threadId)) return
    this.#toldEndless.add(threadId)
    const id = `endless-thread ${threadId}`
    const subject = cache.threads.get(inbox, threadId)?.subject ?? null
    const which = subject === null ? 'a thread without a subject' : `“${subject}”`
    const message = `The platform sends messages of ${which} without end. Linnet stored the first ${count.toLocaleString('en')} and stopped there.`
    problems.raise({ id, code: 'platform_failed', message })
  }
}
