import type { LinnetEvent } from '../../shared/contract.ts'
import type { Delivery, Email, SentEmail } from '../../shared/model.ts'
import { isDeliveryFault } from '../../shared/delivery.ts'
import { ProblemError } from '../../shared/result.ts'
import type { MailPlatform } from '../api/mail-platform.ts'
import type { FetchedSentEmail } from '../api/sent-emails.ts'
import { isNotFound } from '../api/platform-problem.ts'
import type { Priority } from '../api/request-budget.ts'
import type { EventHub } from '../event-hub.ts'
import type { Problems } from '../problems/problems.ts'
import type { Cache } from '../store/cache.ts'
import { isSameMessage } from '../store/same-message.ts'
import type { Abilities } from '../sync/abilities.ts'
import type { AccountListSync } from '../sync/account-lists.ts'
import { askIfOffered } from '../sync/ask-if-offered.ts'
import { notDelivered, raiseNotDelivered } from './not-delivered.ts'
import { sentCopyOf } from './sent-copy.ts'
import { FOLLOWED_FOR_MS, KEPT_FOR_MS, nextAskAt } from './when-to-ask.ts'
import type { Service } from '../service.ts'
import type { Clock } from '../timing/clock.ts'
import { Loop } from '../timing/loop.ts'

/** The list's newest e-mails, of all of which one look for news tells. */
const IN_NEWS = 25
/** Of how many e-mails of a thread the platform is asked when a window asks: of the newest. */
const MOST_ASKED = 5
/** Nothing is asked again sooner after it could not be asked. */
const AFTER_FAILURE_MS = 30_000

/** What became of what the account has sent. */
export interface Deliveries extends Required<Service> {
  /**
   * What is known of the e-mails of a thread, without those of which nothing is. Where the platform may be asked, what may be
   * another by now is asked for behind it; `sentEmails.changed` is told where it is.
   */
  readonly ofThread: (inboxId: string, threadId: string, mayAsk: boolean) => readonly Delivery[]
  /** A message has left this computer: it is followed for some days, and its person told where it comes to nothing. */
  readonly follow: (message: {
    readonly inboxId: string
    readonly threadId: string | null
    readonly emailId: string
  }) => void
  /** Where the account's sent e-mails are others than before, so may be what became of them. */
  readonly onEvent: (event: LinnetEvent) => void
  /** The platform can be reached again. */
  readonly nudge: () => void
}

export const createDeliveries = ({
  platform,
  cache,
  lists,
  hub,
  abilities,
  problems,
  signal,
  report,
  clock,
}: {
  readonly platform: Pick<MailPlatform, 'getSentEmail'>
  readonly cache: Pick<Cache, 'inboxes' | 'emails' | 'sentEmails' | 'deliveries'>
  readonly lists: Pick<AccountListSync, 'news'>
  readonly hub: Pick<EventHub, 'sentEmails'>
  readonly abilities: Abilities
  readonly problems: Pick<Problems, 'list' | 'raise'>
  readonly signal: AbortSignal
  readonly report: (thrown: unknown) => void
  readonly clock: Clock
}): Deliveries => {
  const { now } = clock
  /** When each was last asked about, and when it could not be. */
  const askedAt = new Map<string, number>()
  const failedAt = new Map<string, number>()
  /** What the platform does not know by the ID that it has in its thread. */
  const unknown = new Set<string>()
  /** By the ID of an e-mail of a thread the one that it has among the sent e-mails; null where none of these is it. */
  const copies = new Map<string, string | null>()
  const underWay = new Map<string, Promise<void>>()

  const nextAt = (id: string, sentAt: number, lastEvent: string | null): number | null => {
    const heardAt = cache.deliveries.get(id)?.confirmedAt ?? null
    const at = nextAskAt({ sentAt, lastEvent, heardAt, askedAt: askedAt.get(id) ?? null })
    const failed = failedAt.get(id)
    return at === null || failed === undefined ? at : Math.max(at, failed + AFTER_FAILURE_MS)
  }

  const keep = (fetched: FetchedSentEmail): void => {
    const before = cache.sentEmails.listed(fetched.id)
    cache.sentEmails.storeWhole(fetched)
    const isAsBefore = before?.lastEvent === fetched.lastEvent && before.scheduledAt === fetched.scheduledAt
    if (!isAsBefore) hub.sentEmails()
  }

  /** Asks once at a time about each; what cannot be asked now is asked later. */
  const ask = (id: string, work: () => Promise<void>): Promise<void> => {
    const asking =
      underWay.get(id) ??
      work()
        .then(() => {
          failedAt.delete(id)
        })
        .catch((thrown: unknown) => {
          failedAt.set(id, now())
          if (!signal.aborted && !(thrown instanceof ProblemError)) report(thrown)
        })
        .finally(() => underWay.delete(id))
    underWay.set(id, asking)
    askedAt.set(id, now())
    return asking
  }

  const askAbout = (id: string, priority: Priority): Promise<void> =>
    ask(id, async () => {
      try {
        keep(await platform.getSentEmail(id, { priority, signal }))
      } catch (thrown) {
        if (!isNotFound(thrown)) throw thrown
        unknown.add(id)
        if (!cache.sentEmails.has(id)) return
        cache.sentEmails.markGone(id)
        hub.sentEmails()
      }
    })

  /** Of an e-mail that no list has told of: platforms may know it by the ID that it has in its thread. */
  const askByThreadId = (email: Email): Promise<void> =>
    ask(email.id, async () => {
      const fetched = await askIfOffered(
        abilities,
        'retrieve thread sent',
        () => platform.getSentEmail(email.id, { priority: 'screen', signal }),
        () => null,
        { isEvidence: email.onServer },
      )
      if (fetched !== null && isSameMessage(fetched, email)) keep(fetched)
      else unknown.add(email.id)
    })

  /** The same as `sentCopyOf`, which takes time where platforms name e-mails otherwise in their threads. */
  const copyOf = (email: Email): SentEmail | undefined => {
    const known = copies.get(email.id)
    if (known === null) return undefined
    const copy = known === undefined ? sentCopyOf(cache.sentEmails, email) : cache.sentEmails.listed(known)
    copies.set(email.id, copy?.id ?? null)
    return copy
  }

  const isDue = (id: string, sentAt: number, lastEvent: string | null): boolean => {
    if (now() - sentAt > KEPT_FOR_MS) return false
    const at = nextAt(id, sentAt, lastEvent)
    return at !== null && at <= now()
  }

  /** Tells of what was sent from here and came to nothing, each once. */
  const tell = (): void => {
    for (const followed of cache.deliveries.followed(now() - KEPT_FOR_MS)) {
      const { sentId, lastEvent } = followed
      if (lastEvent === null || !isDeliveryFault(lastEvent)) continue
      const listed = cache.sentEmails.listed(sentId)
      raiseNotDelivered(problems, notDelivered(followed, lastEvent, listed ?? null))
      cache.deliveries.told(sentId)
    }
  }

  /** Milliseconds until one of what is followed is to be asked about; null for never. */
  const untilDue = (): number | null => {
    const times = cache.deliveries
      .followed(now() - FOLLOWED_FOR_MS)
      .flatMap(({ sentId, sentAt, lastEvent }) =>
        unknown.has(sentId) ? [] : (nextAt(sentId, sentAt, lastEvent) ?? []),
      )
    const next = Math.min(...times)
    return Number.isFinite(next) ? next - now() : null
  }

  const due = () =>
    cache.deliveries
      .followed(now() - FOLLOWED_FOR_MS)
      .filter(({ sentId, sentAt, lastEvent }) => !unknown.has(sentId) && isDue(sentId, sentAt, lastEvent))

  /** One look at the list tells of all of its newest, without their texts; the others are asked about one by one. */
  const lookAtFollowed = async (): Promise<void> => {
    const found = due()
    if (found.length === 0) return
    const oldestNews = cache.sentEmails.list({ offset: IN_NEWS - 1, limit: 1 })[0]?.createdAt ?? 0
    const inNews = found.filter(({ sentAt }) => sentAt >= oldestNews)
    if (inNews.length > 0) {
      const before = now()
      await lists.news('sent e-mails', 'sync').catch((thrown: unknown) => {
        for (const { sentId } of inNews) failedAt.set(sentId, now())
        if (!(thrown instanceof ProblemError)) throw thrown
      })
      for (const { sentId } of inNews) {
        if ((cache.deliveries.get(sentId)?.confirmedAt ?? 0) >= before) askedAt.set(sentId, now())
      }
    }
    for (const { sentId } of due()) {
      if (signal.aborted) return
      await askAbout(sentId, 'sync')
    }
  }

  const following = new Loop(clock, { unref: true })

  const toDelivery = (email: Email, { id, lastEvent, scheduledAt }: SentEmail): Delivery => {
    const kept = cache.deliveries.get(id)
    const isSame = kept?.lastEvent === lastEvent
    return {
      emailId: email.id,
      lastEvent,
      scheduledAt,
      learnedAt: isSame ? kept.learnedAt : null,
      confirmedAt: isSame ? kept.confirmedAt : null,
    }
  }

  return {
    ofThread: (inboxId, threadId, mayAsk) => {
      const key = cache.inboxes.get(inboxId)?.key
      if (key === undefined) return []
      const sent = cache.emails
        .ofThread({ key, id: inboxId }, threadId, true)
        .filter(({ direction }) => direction === 'outbound')
        .map((email) => ({ email, copy: copyOf(email) }))
      const toAsk = sent.filter(({ email, copy }) =>
        copy === undefined
          ? !unknown.has(email.id) && isDue(email.id, email.receivedAt, null)
          : copy.onServer && isDue(copy.id, email.receivedAt, copy.lastEvent),
      )
      for (const { email, copy } of mayAsk ? toAsk.slice(-MOST_ASKED) : []) {
        void (copy === undefined ? askByThreadId(email) : askAbout(copy.id, 'screen'))
      }
      return sent.flatMap(({ email, copy }) => (copy === undefined ? [] : [toDelivery(email, copy)]))
    },
    follow: ({ inboxId, threadId, emailId }) => {
      try {
        cache.deliveries.follow({ sentId: emailId, sentAt: now(), inboxId, threadId })
        tell()
        following.wake()
      } catch (thrown) {
        // The message has left: that it is not followed does not keep it from being over.
        report(thrown)
      }
    },
    onEvent: ({ name }) => {
      if (name !== 'sentEmails.changed') return
      for (const [id, copy] of copies) if (copy === null) copies.delete(id)
      try {
        tell()
        following.wake()
      } catch (thrown) {
        if (!signal.aborted) report(thrown)
      }
    },
    nudge: () => {
      failedAt.clear()
      following.wake()
    },
    start: () => {
      tell()
      following.start({
        step: async () => {
          await lookAtFollowed().catch((thrown: unknown) => {
            if (!signal.aborted) report(thrown)
          })
          return untilDue()
        },
        failed: (thrown) => {
          report(thrown)
          // The cache may be damaged: then it is opened anew, and all of this with it.
          return null
        },
        signal,
      })
    },
    ended: async () => {
      await following.ended()
      await Promise.allSettled(underWay.values())
    },
  }
}
