import { FOLDERS, type Folder } from '../../shared/model.ts'
import { toTime } from '../api/model-from-wire.ts'
import { type CallOptions, type MailPlatform, PAGE_LIMIT } from '../api/mail-platform.ts'
import { isNotFound } from '../api/platform-problem.ts'
import type { Priority } from '../api/request-budget.ts'
import type { WireEmail, WirePage, WireThread, WireThreadSummary } from '../api/wire.ts'
import type { EventHub } from '../event-hub.ts'
import type { Cache } from '../store/cache.ts'
import { snippetOf } from '../store/snippet.ts'
import type { InboxRef } from '../store/threads.ts'
import { FRESH_WALK, type Walk } from '../store/walks.ts'
import { createThreadLister } from './thread-lister.ts'
import { createTurns } from './turns.ts'
import { walkPage } from './walk-page.ts'

/** Rows of a look for news when there is none: enough to see what a quiet half minute brings. */
const NEWS_LIMIT = 25

/** What one page of a walk brought. */
export interface WalkStep {
  readonly rows: number
  /** Whether the walk has come to the list's end; the next one begins at the top. */
  readonly isEnd: boolean
}

/** Fetches the threads and e-mails of inboxes into the cache, a request or a page at a time. */
export interface ThreadSync {
  /**
   * Fetches everything whose activity is newer than what was seen last, over as many pages as that takes: one request
   * where nothing is new. Afterwards only changes that bring no thread to the top can have been missed.
   */
  readonly news: (inbox: InboxRef, priority: Priority) => Promise<void>
  /** The next page of a folder's list. What the cache holds in that part of it and the page does not show is asked about. */
  readonly walk: (inbox: InboxRef, folder: Folder, priority: Priority) => Promise<WalkStep>
  /** The newest page of a folder's list, wherever its walk stands. */
  readonly checkTop: (inbox: InboxRef, folder: Folder, priority: Priority) => Promise<void>
  /** Whether a folder's list was walked to its end at least once. */
  readonly isListed: (inbox: InboxRef, folder: Folder) => boolean
  readonly labels: (inbox: InboxRef, priority: Priority) => Promise<void>
  /** Fetches all e-mails of a thread, and the thread itself where the cache has never met it. */
  readonly emails: (inbox: InboxRef, threadId: string, priority: Priority) => Promise<void>
  /** Whether the platform gives the e-mails of threads. */
  readonly offersEmails: (inbox: InboxRef) => boolean
  /** Asks about one thread that a list no longer shows where the cache has it. */
  readonly verify: (inbox: InboxRef, threadId: string, priority: Priority) => Promise<void>
  /** When an inbox was last looked at, milliseconds since the epoch; null for never. */
  readonly lookedAt: (inbox: InboxRef) => number | null
}

const walkName = (inbox: InboxRef, folder: Folder): string => `threads ${inbox.id} ${folder}`
const newsName = (inbox: InboxRef): string => `news ${inbox.id}`
const lookedName = (inbox: InboxRef): string => `looked ${inbox.id}`

/** A thread that no list has shown yet, put together from what the platform says of it alone. */
const threadOf = (summary: WireThreadSummary, emails: readonly WireEmail[]): WireThread => {
  const newest = emails.at(-1)
  const { id, subject, folder, labels, read } = summary
  return {
    id,
    subject,
    folder,
    labels,
    read,
    from: newest?.from,
    to: newest?.to,
    cc: newest?.cc,
    bcc: newest?.bcc,
    email_count: emails.length,
    has_attachment: (newest?.attachments ?? []).length > 0,
    received_at: newest?.received_at,
  }
}

/** @param signal ends every request */
export const createThreadSync = (
  platform: MailPlatform,
  cache: Cache,
  hub: EventHub,
  signal: AbortSignal,
): ThreadSync => {
  const options = (priority: Priority): CallOptions => ({ priority, signal })
  const lister = createThreadLister(platform)
  const inTurn = createTurns()

  /** Keeps a page in a turn of its own and tells what it changed; `alongside` is kept or lost with it. */
  const storePage = async (
    inbox: InboxRef,
    { items }: Pick<WirePage<WireThread>, 'items'>,
    about: { readonly askedAt: number; readonly inSent: boolean },
    alongside: () => void = () => undefined,
  ): Promise<void> => {
    const touched = await inTurn(() =>
      cache.together(() => {
        alongside()
        return cache.threads.storePage(inbox, items, about)
      }),
    )
    hub.threads(inbox.id, touched)
  }

  const looked = (inbox: InboxRef): void => cache.facts.set(lookedName(inbox), Date.now())

  const verify = async (inbox: InboxRef, threadId: string, priority: Priority): Promise<void> => {
    if (lister.isContractAlone(inbox.id)) {
      // There is no asking for one thread: the list of the folder that it has gone to, if any, brings it back.
      hub.threads(inbox.id, cache.threads.markGone(inbox, threadId))
      return
    }
    const askedAt = performance.now()
    try {
      const summary = await platform.getThread(inbox.id, threadId, options(priority))
      hub.threads(inbox.id, cache.threads.storeState(inbox, threadId, summary, askedAt))
    } catch (thrown) {
      if (!isNotFound(thrown)) throw thrown
      hub.threads(inbox.id, cache.threads.markGone(inbox, threadId))
    }
  }

  const newsPage = async (
    inbox: InboxRef,
    priority: Priority,
    frontier: number | null,
    after: string | undefined,
  ): Promise<number | null> => {
    const askedAt = performance.now()
    const limit = after === undefined && frontier !== null ? NEWS_LIMIT : PAGE_LIMIT
    const page = await lister.list(inbox.id, FOLDERS, { ...options(priority), after, limit })
    await storePage(inbox, page, { askedAt, inSent: false })
    const times = page.items.map(({ received_at: time }) => toTime(time))
    const last = page.items.at(-1)
    const isCaughtUp = frontier === null || !page.hasMore || times.some((time) => time < frontier)
    if (!isCaughtUp && last !== undefined) await newsPage(inbox, priority, frontier, last.id)
    return times[0] ?? null
  }

  /** Where to go on: the cursor, or its neighbour where its thread has moved to the top since. */
  const cursorOf = (inbox: InboxRef, folder: Folder, { cursor, cursorTime }: Walk): string | undefined => {
    if (cursor === null || cursorTime === null) return undefined
    return cache.threads.get(inbox, cursor)?.receivedAt === cursorTime
      ? cursor
      : (cache.threads.idAbove(inbox, folder, cursorTime, cursor) ?? cursor)
  }

  const walkFrom = async (
    inbox: InboxRef,
    folder: Folder,
    walk: Walk,
    after: string | undefined,
    priority: Priority,
    keep: (next: Walk) => void,
  ): Promise<WalkStep> => {
    const askedAt = performance.now()
    const page = await lister.list(inbox.id, [folder], { ...options(priority), after })
    const rows = page.items.map(({ id, received_at: time }) => ({ id, time: toTime(time) }))
    const { next, covers, met } = walkPage(walk, rows, page.hasMore)
    await storePage(inbox, page, { askedAt, inSent: folder === 'sent' }, () => keep(next))
    const missing = cache.threads.idsBetween(inbox, folder, covers.after, covers.upTo).filter((id) => !met.has(id))
    for (const threadId of missing) {
      await verify(inbox, threadId, priority)
      if (folder === 'sent') hub.threads(inbox.id, cache.threads.leaveSent(inbox, threadId))
    }
    return { rows: rows.length, isEnd: next.cursor === null }
  }

  return {
    news: async (inbox, priority) => {
      const frontier = cache.facts.number(newsName(inbox))
      const newest = await newsPage(inbox, priority, frontier, undefined)
      if (newest !== null && newest !== frontier) cache.facts.set(newsName(inbox), newest)
      else if (frontier === null) cache.facts.set(newsName(inbox), 0)
      looked(inbox)
    },
    walk: async (inbox, folder, priority) => {
      const name = walkName(inbox, folder)
      const walk = cache.walks.get(name)
      const after = cursorOf(inbox, folder, walk)
      try {
        return await walkFrom(inbox, folder, walk, after, priority, (next) => cache.walks.set(name, next))
      } catch (thrown) {
        if (after === undefined || !isNotFound(thrown)) throw thrown
        // The cursor's thread has left the list: begin again rather than guess.
        cache.walks.set(name, { ...FRESH_WALK, rounds: walk.rounds })
        return { rows: 0, isEnd: false }
      }
    },
    checkTop: async (inbox, folder, priority) => {
      await walkFrom(inbox, folder, FRESH_WALK, undefined, priority, () => undefined)
    },
    isListed: (inbox, folder) => cache.walks.get(walkName(inbox, folder)).rounds > 0,
    labels: async (inbox, priority) => {
      try {
        const labels = await platform.listLabels(inbox.id, options(priority))
        if (cache.labels.replaceAll(inbox.key, labels)) hub.labels(inbox.id)
      } catch (thrown) {
        // A platform of the contract alone has no such list, and an inbox that is gone is found out by its threads.
        if (!isNotFound(thrown)) throw thrown
      }
    },
    emails: async (inbox, threadId, priority) => {
      const askedAt = performance.now()
      const before = cache.threads.get(inbox, threadId)
      const summary = before === undefined ? await platform.getThread(inbox.id, threadId, options(priority)) : undefined
      const wires = await platform.listThreadEmails(inbox.id, threadId, options(priority))
      if (summary !== undefined) {
        await storePage(inbox, { items: [threadOf(summary, wires)] }, { askedAt, inSent: false })
      }
      const newest = wires.at(-1)
      if (newest === undefined && before !== undefined) {
        // A thread has an e-mail at least: an answer without any says nothing about it.
        cache.threads.giveUpReading(inbox, threadId)
        return
      }
      const { isChanged, touched } = cache.together(() => ({
        isChanged: cache.emails.storeThread(inbox, threadId, wires),
        touched: cache.threads.storeReading(inbox, threadId, {
          emailsAt: before?.receivedAt ?? toTime(newest?.received_at),
          snippet: newest === undefined ? null : snippetOf({ text: newest.text ?? null, html: newest.html ?? null }),
          hasOutbound: wires.some(({ direction }) => direction === 'outbound'),
        }),
      }))
      if (isChanged) hub.emails(inbox.id, [threadId])
      hub.threads(inbox.id, touched)
    },
    offersEmails: (inbox) => !lister.isContractAlone(inbox.id),
    verify,
    lookedAt: (inbox) => cache.facts.number(lookedName(inbox)),
  }
}
