import type { Delivery, Email, SentEmail } from '../../shared/model.ts'
import {
  explainDeliveryFailure,
  findFailedAddress,
  isDeliveryFailure,
  isDeliveryFinal,
  isDeliveryPending,
  nameAffected,
} from '../../shared/delivery.ts'
import { toShortText } from '../../shared/visible-text.ts'
import { type Problem, ProblemError } from '../../shared/result.ts'
import type { FetchedSentEmail } from '../platform/resources/sent-emails.ts'
import { isNotFound } from '../platform/platform-problem.ts'
import type { Priority } from '../platform/request-budget.ts'
import type { Problems } from '../own/problems.ts'
import type { TrackedDelivery } from '../store/deliveries.ts'
import { isSameMessage, findSentCopy } from '../store/same-message.ts'
import type { AccountListSync } from './account-lists.ts'
import { Loop, type EngineService, type EventListeners } from '../timing/loop.ts'
import { parseRecipient } from '../../shared/recipients.ts'
import type { AccountServices } from './account-services.ts'

/** Number of newest sent e-mails that one list request covers. */
const NEWEST_PAGE_SIZE = 25
/** Maximum e-mails of a thread to check per window request, newest first. */
const MAX_CHECKED = 5
/** Minimum wait after a failed request. */
const AFTER_FAILURE_MS = 30_000

interface DeliveryParts extends Pick<
  AccountServices,
  'platform' | 'cache' | 'hub' | 'capabilities' | 'problems' | 'report' | 'clock' | 'signal'
> {
  readonly lists: Pick<AccountListSync, 'news'>
}

/** ID prefix of delivery problems. */
const NOT_DELIVERED = 'not-delivered '
/** Beyond this number, problems are merged so that they don't displace others. */
const MAX_PROBLEMS = 5
/** Maximum characters of a subject or address in a problem. */
const MAX_TEXT_LENGTH = 80

const MORE: Problem & { readonly id: string } = {
  id: `${NOT_DELIVERED}more`,
  code: 'refused',
  message: 'More messages were not delivered. Check their status in “All sent”.',
}

const FAILURE_TEXTS: Readonly<Record<string, string>> = {
  bounced: 'was not delivered',
  complained: 'was marked as spam',
  failed: 'was not sent',
  suppressed: 'was not sent',
}

const cut = (text: string): string => toShortText(text, MAX_TEXT_LENGTH)

/** Details of a message. Callers pass null if they know only that it was sent. */
type AboutMessage = Pick<SentEmail, 'subject' | 'to' | 'failure'>

const describeMessage = (about: AboutMessage | null): string => {
  if (about === null) return 'A message you sent'
  const subject = (about.subject ?? '').trim()
  const [first = null, ...others] = about.to.map((entry) => cut(parseRecipient(entry)?.address ?? entry))
  const whom = first === null ? '' : others.length === 0 ? ` to ${first}` : ` to ${first} and ${others.length} more`
  return `${subject === '' ? 'Your message' : `“${cut(subject)}”`}${whom}`
}

/**
 * @param place IDs of the sent e-mail and, if known, of its inbox and thread
 * @returns null if the event isn't a failure
 */
export const createDeliveryProblem = (
  place: NonNullable<Problem['details']>,
  event: string | null,
  about: AboutMessage | null,
): (Problem & { readonly id: string }) | null => {
  const { failure, to } = about ?? { failure: null, to: [] }
  const explanation = explainDeliveryFailure(event, failure)
  if (event === null || explanation === null) return null
  const { reason, quote, advice, isSuppressed } = explanation
  const isOfOne = event !== 'failed' && to.length > 1
  const whom = isOfOne ? ` for ${nameAffected(failure, to.length) ?? 'at least one recipient'}` : ''
  const outcome = `${describeMessage(about)} ${FAILURE_TEXTS[event]}${whom}: ${reason}.`
  const address = isSuppressed ? findFailedAddress(failure, to) : null
  return {
    id: `${NOT_DELIVERED}${place.sentId}`,
    code: 'refused',
    message: [outcome, quote, advice].filter((part) => part !== null).join(' '),
    details: { ...place, ...(address !== null && { suppressedAddress: address }) },
  }
}

/** Raises a problem that stays until dismissed, since no window may be open at the time. */
export const reportDeliveryFailure = (
  problems: Pick<Problems, 'list' | 'raise'>,
  problem: Problem & { readonly id: string },
): void => {
  const told = problems.list().filter(({ id }) => id.startsWith(NOT_DELIVERED) && id !== problem.id && id !== MORE.id)
  problems.raise(told.length < MAX_PROBLEMS ? problem : MORE)
}

const SECOND = 1_000
const HOUR = 60 * 60 * SECOND
const DAY = 24 * HOUR

/** Servers retry for a few days (RFC 5321, 4.5.4.1), and spam is reported when read. */
export const DELIVERY_TRACKING_MS = 5 * DAY
/** How long the platform keeps an e-mail (platform.md 2.6). */
const RETENTION_MS = 30 * DAY

/** Polling interval: half the time since sending, within these bounds. */
const BOUNDS = {
  inFlight: { shortest: 2 * SECOND, longest: HOUR },
  /** After delivery, no other event is expected. */
  arrived: { shortest: HOUR, longest: DAY },
} as const

/** Polling state of a sent e-mail. Times are milliseconds since the epoch. */
interface PollState {
  readonly sentAt: number
  readonly lastEvent: string | null
  /** Last response; null for never. */
  readonly respondedAt: number | null
  /** Last request, successful or not; null for never. */
  readonly askedAt: number | null
}

/** Time of the next request; null if the outcome is final. */
export const computeNextPollTime = ({ sentAt, lastEvent, respondedAt, askedAt }: PollState): number | null => {
  // Scheduled messages are exempt, as they are sent later.
  const isLastWord = respondedAt !== null && respondedAt - sentAt > DELIVERY_TRACKING_MS && lastEvent !== 'scheduled'
  if (isLastWord || isDeliveryFinal(lastEvent)) return null
  const { shortest, longest } = BOUNDS[isDeliveryPending(lastEvent) ? 'inFlight' : 'arrived']
  const last = respondedAt === null || askedAt === null ? (respondedAt ?? askedAt) : Math.max(respondedAt, askedAt)
  if (last === null) return sentAt + shortest
  return last + Math.min(Math.max((last - sentAt) / 2, shortest), longest)
}

export class Deliveries implements Required<EngineService> {
  readonly listeners: EventListeners = {
    'sentEmails.changed': () => this.#sentEmailsChanged(),
  }
  readonly #parts: DeliveryParts
  readonly #following: Loop
  /** Last request and last failure by ID. */
  readonly #askedAt = new Map<string, number>()
  readonly #failedAt = new Map<string, number>()
  /** E-mails that the platform doesn't know by the ID they have in their thread. */
  readonly #unknown = new Set<string>()
  /** IDs in the sent list by the ID in the thread; null if the e-mail isn't in the sent list. */
  readonly #copies = new Map<string, string | null>()
  readonly #inFlight = new Map<string, Promise<void>>()

  constructor(parts: DeliveryParts) {
    this.#parts = parts
    this.#following = new Loop(parts.clock, { unref: true })
  }

  /** Known deliveries of a thread. If `mayAsk`, also fetches changes and then emits `sentEmails.changed`. */
  ofThread(inboxId: string, threadId: string, mayAsk: boolean): readonly Delivery[] {
    const { cache } = this.#parts
    const inbox = cache.inboxes.get(inboxId)
    if (inbox === undefined) return []
    const sent = cache.emails
      .ofThread(inbox, threadId, true)
      .filter(({ direction }) => direction === 'outbound')
      .map((email) => ({ email, copy: this.#copyOf(email) }))
    const toAsk = sent.filter(({ email, copy }) =>
      copy === undefined
        ? !this.#unknown.has(email.id) && this.#isDue(email.id, email.receivedAt, null)
        : copy.onServer && this.#isDue(copy.id, email.receivedAt, copy.lastEvent),
    )
    for (const { email, copy } of mayAsk ? toAsk.slice(-MAX_CHECKED) : []) {
      void (copy === undefined ? this.#refreshByThreadId(email) : this.#refreshStatus(copy.id, 'screen'))
    }
    return sent.flatMap(({ email, copy }) => (copy === undefined ? [] : [this.#toDelivery(email, copy)]))
  }

  /** Follows a sent message for some days, and raises a problem if delivery fails. */
  follow(sent: Pick<TrackedDelivery, 'sentId' | 'inboxId' | 'threadId'>): void {
    const { cache, clock, report } = this.#parts
    try {
      cache.deliveries.follow({ ...sent, sentAt: clock.now() })
      this.#reportFailures()
      this.#following.wake()
    } catch (thrown) {
      // The message is sent; failing to follow it must not undo that.
      report(thrown)
    }
  }

  #sentEmailsChanged(): void {
    for (const [id, copy] of this.#copies) if (copy === null) this.#copies.delete(id)
    const { signal, report } = this.#parts
    try {
      this.#reportFailures()
      this.#following.wake()
    } catch (thrown) {
      if (!signal.aborted) report(thrown)
    }
  }

  /** Call when the platform is reachable again. */
  nudge(): void {
    this.#failedAt.clear()
    this.#following.wake()
  }

  start(): void {
    const { signal, report } = this.#parts
    this.#reportFailures()
    this.#following.start({
      step: async () => {
        await this.#refreshTracked().catch((thrown: unknown) => {
          if (!signal.aborted) report(thrown)
        })
        return this.#untilDue()
      },
      report,
      // The cache may be damaged; reopening it restarts this.
      retryIn: null,
      signal,
    })
  }

  async ended(): Promise<void> {
    await this.#following.ended()
    await Promise.allSettled(this.#inFlight.values())
  }

  #nextAt(id: string, sentAt: number, lastEvent: string | null): number | null {
    const respondedAt = this.#parts.cache.deliveries.get(id)?.confirmedAt ?? null
    const at = computeNextPollTime({ sentAt, lastEvent, respondedAt, askedAt: this.#askedAt.get(id) ?? null })
    const failed = this.#failedAt.get(id)
    return at === null || failed === undefined ? at : Math.max(at, failed + AFTER_FAILURE_MS)
  }

  #isDue(id: string, sentAt: number, lastEvent: string | null): boolean {
    const now = this.#parts.clock.now()
    if (now - sentAt > RETENTION_MS) return false
    const at = this.#nextAt(id, sentAt, lastEvent)
    return at !== null && at <= now
  }

  #followed(): readonly TrackedDelivery[] {
    const { cache, clock } = this.#parts
    return cache.deliveries
      .followed(clock.now() - DELIVERY_TRACKING_MS)
      .filter(({ sentId }) => !this.#unknown.has(sentId))
  }

  #due(): readonly TrackedDelivery[] {
    return this.#followed().filter(({ sentId, sentAt, lastEvent }) => this.#isDue(sentId, sentAt, lastEvent))
  }

  /** Milliseconds until the next request; null if none. */
  #untilDue(): number | null {
    const times = this.#followed().flatMap(
      ({ sentId, sentAt, lastEvent }) => this.#nextAt(sentId, sentAt, lastEvent) ?? [],
    )
    const next = Math.min(...times)
    return Number.isFinite(next) ? next - this.#parts.clock.now() : null
  }

  /** One list request covers the newest e-mails; others take a request each. */
  async #refreshTracked(): Promise<void> {
    const { cache, lists, clock, signal } = this.#parts
    const found = this.#due()
    if (found.length === 0) return
    const oldestNews = cache.sentEmails.list({ offset: NEWEST_PAGE_SIZE - 1, limit: 1 })[0]?.createdAt ?? 0
    const inNews = found.filter(({ sentAt }) => sentAt >= oldestNews)
    if (inNews.length > 0) {
      const before = clock.now()
      await lists.news('sent e-mails', 'sync').catch((thrown: unknown) => {
        for (const { sentId } of inNews) this.#failedAt.set(sentId, clock.now())
        if (!(thrown instanceof ProblemError)) throw thrown
      })
      for (const { sentId } of inNews) {
        if ((cache.deliveries.get(sentId)?.confirmedAt ?? 0) >= before) this.#askedAt.set(sentId, clock.now())
      }
    }
    for (const { sentId } of this.#due()) {
      if (signal.aborted) return
      await this.#refreshStatus(sentId, 'sync')
    }
  }

  /** Raises each failed delivery once. A problem that is still listed gets the reason when an event tells it. */
  #reportFailures(): void {
    const { cache, problems, clock } = this.#parts
    for (const { sentId, inboxId, threadId, lastEvent } of cache.deliveries.followed(clock.now() - RETENTION_MS)) {
      if (!isDeliveryFailure(lastEvent)) continue
      const place = threadId === null ? { sentId, inboxId } : { sentId, inboxId, threadId }
      const problem = createDeliveryProblem(place, lastEvent, cache.sentEmails.listed(sentId) ?? null)
      if (problem !== null) reportDeliveryFailure(problems, problem)
      cache.deliveries.told(sentId)
    }
    for (const { id, message, details = {} } of problems.list()) {
      const listed = id.startsWith(NOT_DELIVERED) ? cache.sentEmails.listed(String(details.sentId)) : undefined
      const problem = listed?.failure ? createDeliveryProblem(details, listed.lastEvent, listed) : null
      if (problem !== null && problem.message !== message) problems.raise(problem)
    }
  }

  #refreshStatus(id: string, priority: Priority): Promise<void> {
    const { platform, cache, hub, signal } = this.#parts
    return this.#requestOnce(id, async () => {
      try {
        this.#storeEmail(await platform.getSentEmail(id, { priority, signal }))
      } catch (thrown) {
        if (!isNotFound(thrown)) throw thrown
        this.#unknown.add(id)
        if (!cache.sentEmails.has(id)) return
        cache.sentEmails.markGone(id)
        hub.sentEmails()
      }
    })
  }

  /** For an e-mail that is missing from the sent list: some platforms know it by the ID that it has in its thread. */
  #refreshByThreadId(email: Email): Promise<void> {
    const { platform, capabilities, signal } = this.#parts
    return this.#requestOnce(email.id, async () => {
      const fetched = await capabilities.attempt(
        'retrieve sent thread message',
        () => platform.getSentEmail(email.id, { priority: 'screen', signal }),
        { isEvidence: email.onServer },
      )
      if (fetched !== null && isSameMessage(fetched, email)) this.#storeEmail(fetched)
      else this.#unknown.add(email.id)
    })
  }

  /** Deduplicates concurrent requests and retries failed ones later. */
  #requestOnce(id: string, work: () => Promise<void>): Promise<void> {
    const { clock, signal, report } = this.#parts
    const asking =
      this.#inFlight.get(id) ??
      work()
        .then(() => {
          this.#failedAt.delete(id)
        })
        .catch((thrown: unknown) => {
          this.#failedAt.set(id, clock.now())
          if (!signal.aborted && !(thrown instanceof ProblemError)) report(thrown)
        })
        .finally(() => this.#inFlight.delete(id))
    this.#inFlight.set(id, asking)
    this.#askedAt.set(id, clock.now())
    return asking
  }

  #storeEmail(fetched: FetchedSentEmail): void {
    const { cache, hub } = this.#parts
    const before = cache.sentEmails.listed(fetched.id)
    cache.sentEmails.storeWhole(fetched)
    const isAsBefore = before?.lastEvent === fetched.lastEvent && before.scheduledAt === fetched.scheduledAt
    if (!isAsBefore) hub.sentEmails()
  }

  /** Cached `findSentCopy`, which is slow on platforms that use other IDs in threads. */
  #copyOf(email: Email): SentEmail | undefined {
    const { sentEmails } = this.#parts.cache
    const known = this.#copies.get(email.id)
    if (known === null) return undefined
    const copy = known === undefined ? findSentCopy(sentEmails, email) : sentEmails.listed(known)
    this.#copies.set(email.id, copy?.id ?? null)
    return copy
  }

  #toDelivery(email: Email, { id, lastEvent, failure, scheduledAt }: SentEmail): Delivery {
    const kept = this.#parts.cache.deliveries.get(id)
    const isSame = kept?.lastEvent === lastEvent
    return {
      emailId: email.id,
      lastEvent,
      failure,
      scheduledAt,
      learnedAt: isSame ? kept.learnedAt : null,
      confirmedAt: isSame ? kept.confirmedAt : null,
    }
  }
}
