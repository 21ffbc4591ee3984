import { MAX_MAIL_NOTIFICATIONS, type ArrivedMail } from '../../shared/arrived-mail.ts'
import type { Thread } from '../../shared/model.ts'
import type { AccountMetaStore } from '../store/account-meta.ts'
import { isCorruptionError } from '../store/storage-problem.ts'
import { countsAsUnread } from '../store/thread-list-changes.ts'
import type { Clock } from '../timing/clock.ts'
import { createThrottle } from '../timing/throttle.ts'

/** Mail that arrives within this time is announced together. In milliseconds. */
const GATHER_MS = 1_000

/** Allowed difference between the platform's clock and the local clock, in milliseconds. */
const MAX_CLOCK_SKEW_MS = 10 * 60_000

/** Maximum number of times a notification waits for the rules to finish. */
const MAX_WAITS = 10

const nameOf = (inboxId: string): string => `told of ${inboxId}`

/** @param threads newest first */
export const toArrivedMail = (inboxId: string, threads: readonly Thread[]): ArrivedMail => ({
  inboxId,
  count: threads.length,
  threads: threads.slice(0, MAX_MAIL_NOTIFICATIONS).map(({ id, from, subject, snippet, labels }) => ({
    ...{ threadId: id, from, subject, snippet },
    labelNames: labels.map(({ name }) => name),
  })),
})

interface NewMailNoticesParts {
  readonly accountMeta: Pick<AccountMetaStore, 'number' | 'set'>
  readonly thread: (inboxId: string, threadId: string) => Thread | undefined
  /** A rule's choice to announce a thread or not; null if no rule decided, `wait` while rules still have to run. */
  readonly wanted: (inboxId: string, threadId: string) => boolean | 'wait' | null
  readonly announce: (mail: ArrivedMail) => void
  readonly signal: AbortSignal
  readonly clock: Clock
}

/**
 * Announces new mail, each thread once per arrival. Each inbox stores the time up to which its mail was announced;
 * later mail is new. Mail from before the inbox was added isn't new, however late it is synced; mail that arrived while
 * Linnet was closed is.
 */
export class NewMailNotices {
  readonly #parts: NewMailNoticesParts
  /** Threads to announce by inbox, and how often they have waited for rules. */
  readonly #waiting = new Map<string, { readonly threadIds: ReadonlySet<string>; readonly waits: number }>()
  readonly #until = new Map<string, number>()
  readonly #announceSoon: () => void

  constructor(parts: NewMailNoticesParts) {
    this.#parts = parts
    this.#announceSoon = createThrottle(() => this.#announceWaiting(), parts.clock, parts.signal, {
      everyMs: GATHER_MS,
    })
  }

  /** Call for new or newly active threads. @param threads times of latest activity by thread ID */
  onArrival(inboxId: string, threads: ReadonlyMap<string, number>): void {
    if (threads.size === 0 || this.#parts.signal.aborted) return
    // On the first call this is now, so old mail isn't announced.
    const since = this.#announcedUntil(inboxId)
    const news = [...threads].flatMap(([id, receivedAt]) => (receivedAt > since ? [id] : []))
    if (news.length > 0) this.#gather(inboxId, news, 0)
  }

  #gather(inboxId: string, threadIds: Iterable<string>, waits: number): void {
    const before = this.#waiting.get(inboxId) ?? { threadIds: [], waits: 0 }
    this.#waiting.set(inboxId, {
      threadIds: new Set([...before.threadIds, ...threadIds]),
      waits: Math.max(before.waits, waits),
    })
    this.#announceSoon()
  }

  #announceWaiting(): void {
    const all = [...this.#waiting]
    this.#waiting.clear()
    try {
      for (const [inboxId, { threadIds, waits }] of all) {
        // All mail of an inbox waits together: announcing the newest first would make the rest look old.
        const isWaiting = waits < MAX_WAITS && [...threadIds].some((id) => this.#parts.wanted(inboxId, id) === 'wait')
        if (isWaiting) this.#gather(inboxId, threadIds, waits + 1)
        else this.#announceMail(inboxId, threadIds)
      }
    } catch (thrown) {
      // A damaged cache is reopened; its mail is announced then.
      if (!isCorruptionError(thrown)) throw thrown
    }
  }

  #announceMail(inboxId: string, threadIds: ReadonlySet<string>): void {
    const { thread, announce, clock, wanted } = this.#parts
    const since = this.#announcedUntil(inboxId)
    const news = [...threadIds]
      .flatMap((id) => thread(inboxId, id) ?? [])
      // Skip mail that was read or moved in the meantime, on any device.
      .filter((each) => {
        const wish = wanted(inboxId, each.id)
        return wish !== false && (wish === true || countsAsUnread(each)) && each.onServer && each.receivedAt > since
      })
      .toSorted((a, b) => b.receivedAt - a.receivedAt)
    const [newest] = news
    if (newest === undefined) return
    // Store this before announcing: a crash may lose a notice but never repeats one. The limit keeps a far-future date
    // from silencing later mail.
    this.#storeAnnouncedUntil(inboxId, Math.min(newest.receivedAt, clock.now() + MAX_CLOCK_SKEW_MS))
    announce(toArrivedMail(inboxId, news))
  }

  #announcedUntil(inboxId: string): number {
    const { accountMeta, clock } = this.#parts
    const known = this.#until.get(inboxId) ?? accountMeta.number(nameOf(inboxId))
    if (known !== null) return known
    const since = clock.now()
    this.#storeAnnouncedUntil(inboxId, since)
    return since
  }

  #storeAnnouncedUntil(inboxId: string, time: number): void {
    this.#until.set(inboxId, time)
    try {
      this.#parts.accountMeta.set(nameOf(inboxId), time)
    } catch (thrown) {
      // With a full disk, a notice may repeat after a restart. Code that needs the disk reports the problem.
      if (isCorruptionError(thrown)) throw thrown
    }
  }
}
