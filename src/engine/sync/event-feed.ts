import { catchMissing, lacksOperation, PlatformRefusalError } from '../platform/platform-problem.ts'
import { eachPage, PAGE_LIMIT, type CallOptions } from '../platform/requests.ts'
import type { Outbox } from '../own/outbox/outbox.ts'
import { buildThreadLabelChanges } from '../own/outbox/changes/thread-labels.ts'
import { buildThreadStateChanges } from '../own/outbox/changes/thread-state.ts'
import type { EventLabel, EventPayload, LoggedEvent, Webhook } from '../platform/resources/webhooks.ts'
import type { InboxRef } from '../store/inboxes.ts'
import { ProblemError, toProblem } from '../../shared/result.ts'
import { isDeliveryFailure } from '../../shared/delivery.ts'
import { ASSIGNMENT_EVENTS, FEED_EVENTS, type FeedState } from '../../shared/webhooks.ts'
import { EVENT_STATES, type StoredPayload } from '../store/webhook-events.ts'
import { limitConcurrency } from '../timing/limit-concurrency.ts'
import { settleAll } from '../timing/settle-all.ts'
import type { AccountListSync } from './account-lists.ts'
import type { AccountServices } from './account-services.ts'
import { LOG_READ_AT, type ThreadSync } from './thread-sync.ts'
import type { ActivityLevel } from './viewer-activity.ts'

/** Interval between reads of the log. */
const READ_MS: Readonly<Record<ActivityLevel, number>> = { focused: 5_000, visible: 15_000, hidden: 60_000 }
/** Interval at which the webhooks are listed again while one is read, and while none is. */
const LIST_MS = 60_000
const UNUSED_LIST_MS = 10 * 60_000
const MAX_RETRY_MS = 60_000
/** After more failures in a row, one ordinary poll replaces the events that wait. */
const MAX_FAILURES = 3
/** The log is trusted again this long after a gap or a burst. Until then, the lists are polled as usual. */
const DISTRUST_MS = 30 * 60_000
/** Events handled per step. If more wait, the next step follows at once. */
const MAX_HANDLED = 30
/** More events at once become one poll of everything. Up to this many payloads are read anyway, for the history. */
const MAX_WAITING = 200
/** Page size of a usual read, and the maximum number of pages. */
const NEWS_LIMIT = 20
const MAX_PAGES = 100
/** Payloads requested at the same time: if none is answered, the polls still find slots. Per step for the history. */
const MAX_REQUESTED = 4

/** Events without which the ordinary polls can't be relaxed. */
const NEEDED_EVENTS = ['inbox.email.received', 'inbox.thread.folder.updated', 'inbox.thread.labels.updated'] as const
const isUseful = (type: string): boolean => type.startsWith('inbox.') || type.startsWith('email.')

/** Name of the stored ID of the webhook whose log is read. */
const READ_WEBHOOK = 'webhook'

interface EventFeedParts extends Pick<
  AccountServices,
  'platform' | 'cache' | 'hub' | 'capabilities' | 'clock' | 'signal'
> {
  readonly threads: Pick<ThreadSync, 'news' | 'verify' | 'verifyAll' | 'labels'>
  readonly lists: Pick<AccountListSync, 'inboxes' | 'news' | 'refetch'>
  readonly runForInbox: (inbox: InboxRef, work: () => Promise<unknown>) => Promise<void>
  /** Polls everything that may have changed. */
  readonly pollAll: () => Promise<void>
  readonly outbox: Pick<Outbox, 'causedEvent'>
  /** Called when an inbox's drafts have changed on the platform. */
  readonly draftsChanged: (inboxId: string) => void
  /** Called when there may be more to fetch. */
  readonly fetched: () => void
}

const covers = ({ events }: Webhook, type: string): boolean => events === null || events.includes(type)
const countUseful = ({ events }: Webhook): number => (events === null ? Infinity : events.filter(isUseful).length)

const isNotOffered = (thrown: unknown): boolean =>
  lacksOperation(thrown) || (thrown instanceof PlatformRefusalError && thrown.status === 403)

/**
 * Reads the event log of one of the team's webhooks. An event only says where to look: the lists stay the truth.
 */
export class EventFeed {
  readonly #parts: EventFeedParts
  readonly #inTurn = limitConcurrency(MAX_REQUESTED)
  #webhook: Webhook | null = null
  #listedAt = Number.NEGATIVE_INFINITY
  /** Webhooks that are gone or may not be read, with the time when they were tried (`Clock.elapsed`). */
  readonly #unreadable = new Map<string, number>()
  /** Consecutive failed steps. */
  #failures = 0
  #distrustedUntil = Number.NEGATIVE_INFINITY
  #state: FeedState = { kind: 'unknown' }
  #activity: ActivityLevel = 'visible'

  constructor(parts: EventFeedParts) {
    this.#parts = parts
  }

  state(): FeedState {
    return this.#state
  }

  /** True if the log tells of new mail and changes to threads, so that lists are polled less often. */
  isHealthy(): boolean {
    const age = this.#state.kind === 'read' ? this.#parts.clock.now() - this.#state.readAt : Infinity
    return age >= 0 && age < 3 * READ_MS[this.#activity]
  }

  /** Reads the log and follows new events. @returns milliseconds until the next step */
  async step(activity: ActivityLevel): Promise<number> {
    this.#activity = activity
    const startedAt = this.#parts.clock.elapsed()
    let webhook: Webhook | null = null
    try {
      webhook = await this.#current()
      if (webhook === null) return UNUSED_LIST_MS
      await this.#tryLog(webhook)
      const isLeft = await this.#handleNew(webhook)
      this.#failures = 0
      if (isLeft) return 0
      if (this.#state.kind === 'read') this.#parts.cache.accountMeta.set(LOG_READ_AT, this.#parts.clock.now())
      return READ_MS[activity] - (this.#parts.clock.elapsed() - startedAt)
    } catch (thrown) {
      // A rejected key concerns the whole account.
      const isKeyRejected = toProblem(thrown).code.startsWith('key_') && !isNotOffered(thrown)
      if (!(thrown instanceof ProblemError) || isKeyRejected) throw thrown
      return this.#fail(webhook, thrown, READ_MS[activity])
    }
  }

  /** The lists are polled as usual until the log can be read again. @returns milliseconds until the next attempt */
  #fail(webhook: Webhook | null, thrown: ProblemError, interval: number): number {
    this.#failures += 1
    this.#setState({ kind: 'failing', endpoint: webhook?.endpoint ?? null, reason: thrown.problem.message })
    return Math.min(interval * 2 ** this.#failures, MAX_RETRY_MS)
  }

  /** If the webhook is gone, or the key may not read it, another one may be readable. */
  async #tryLog(webhook: Webhook): Promise<void> {
    try {
      await this.#readLog(webhook)
    } catch (thrown) {
      if (isNotOffered(thrown)) {
        this.#unreadable.set(webhook.id, this.#parts.clock.elapsed())
        this.#webhook = null
        this.#listedAt = Number.NEGATIVE_INFINITY
      }
      throw thrown
    }
  }

  /** Creates a webhook whose log is read from then on. */
  async create(endpoint: string): Promise<void> {
    const { platform, capabilities } = this.#parts
    await platform.createWebhook(endpoint, FEED_EVENTS, this.#options('action'))
    capabilities.recordSuccess('list webhooks')
    this.#listedAt = Number.NEGATIVE_INFINITY
  }

  /** The webhook to read: of the enabled ones, the one that covers most. */
  async #current(): Promise<Webhook | null> {
    const { platform, capabilities, clock } = this.#parts
    const age = clock.elapsed() - this.#listedAt
    if (age < (this.#webhook === null ? UNUSED_LIST_MS : LIST_MS)) return this.#webhook
    const listed = await capabilities.attempt('list webhooks', () => platform.listWebhooks(this.#options('sync')), {
      isLacking: isNotOffered,
    })
    this.#listedAt = clock.elapsed()
    const useful = (listed ?? [])
      .filter((webhook) => countUseful(webhook) > 0 && !this.#isUnreadable(webhook))
      .toSorted((a, b) => countUseful(b) - countUseful(a))
    this.#webhook = useful.find(({ isEnabled }) => isEnabled) ?? null
    if (this.#webhook !== null) return this.#webhook
    const [disabled] = useful
    if (disabled !== undefined) this.#setState({ kind: 'disabled', endpoint: disabled.endpoint })
    else if (!(listed ?? []).some((webhook) => this.#isUnreadable(webhook)))
      this.#setState({ kind: listed === null ? 'not offered' : 'none' })
    return null
  }

  #isUnreadable({ id }: Webhook): boolean {
    return this.#parts.clock.elapsed() - (this.#unreadable.get(id) ?? Number.NEGATIVE_INFINITY) < UNUSED_LIST_MS
  }

  /** Stores the events since the last read. */
  async #readLog(webhook: Webhook): Promise<void> {
    const { platform, cache, clock } = this.#parts
    const { accountMeta, webhookEvents } = cache
    const before = accountMeta.get(READ_WEBHOOK)
    const isFirst = before !== webhook.id
    const fresh = new Map<string, LoggedEvent>()
    let isMet = false
    const fetchPage = (after: string | undefined) =>
      platform.listWebhookEvents(webhook.id, {
        ...this.#options('screen'),
        after,
        limit: after === undefined && !isFirst ? NEWS_LIMIT : PAGE_LIMIT,
      })
    for await (const { items } of eachPage(fetchPage, MAX_PAGES)) {
      for (const event of items) if (!webhookEvents.isKnown(event.id)) fresh.set(event.id, event)
      isMet = items.some(({ id }) => webhookEvents.isKnown(id))
      if (isMet) break
    }
    // The log has lost the events that were read last, or is too long to be read.
    const isGap = !isFirst && !isMet && webhookEvents.areAny(webhook.id)
    // The log of another webhook doesn't tell what the first one would have told since it was read. After a crash, a gap
    // must be found again, so its events are stored last.
    const isPolled = isGap || (isFirst && before !== undefined)
    if (isPolled) await this.#pollAll()
    webhookEvents.add(
      webhook.id,
      [...fresh.values()],
      isFirst || isPolled ? EVENT_STATES.toRead : EVENT_STATES.toHandle,
    )
    if (isFirst) accountMeta.set(READ_WEBHOOK, webhook.id)
    const isComplete = NEEDED_EVENTS.every((type) => covers(webhook, type))
    const isDistrusted = clock.elapsed() < this.#distrustedUntil
    this.#setState({
      kind: isDistrusted ? 'distrusted' : isComplete ? 'read' : 'partial',
      ...{ endpoint: webhook.endpoint, readAt: clock.now() },
    })
  }

  /** @returns true if more events wait */
  async #handleNew(webhook: Webhook): Promise<boolean> {
    const { webhookEvents } = this.#parts.cache
    const waiting = webhookEvents.inState(EVENT_STATES.toHandle, MAX_WAITING + 1)
    // A payload that can't be read, or a look that fails again and again, must not hold up the events after it.
    const isTooMuch = waiting.length > MAX_WAITING || this.#failures > MAX_FAILURES
    if (isTooMuch) {
      await this.#pollAll()
      webhookEvents.postpone()
    } else if (waiting.length > 0) await this.#handle(webhook, waiting.slice(0, MAX_HANDLED))
    if (!isTooMuch && waiting.length > MAX_HANDLED) return true
    await this.#readPayloads(
      webhook,
      webhookEvents.inState(EVENT_STATES.toRead, MAX_REQUESTED),
      'backfill',
      EVENT_STATES.done,
    )
    return false
  }

  async #handle(webhook: Webhook, events: readonly LoggedEvent[]): Promise<void> {
    const { cache, fetched } = this.#parts
    // A burst leaves slots for clicks.
    const priority = events.length < MAX_HANDLED ? 'screen' : 'sync'
    const payloads = await this.#readPayloads(webhook, events, priority, EVENT_STATES.toHandle)
    const changes = Map.groupBy(
      events.flatMap(({ id, type }) => (type.startsWith('inbox.thread.') ? (payloads.get(id) ?? []) : [])),
      ({ inboxId }) => inboxId,
    )
    const work = new Map<string, () => Promise<unknown>>()
    for (const event of events.toReversed()) {
      const payload = payloads.get(event.id) ?? null
      const inboxChanges = changes.get(payload?.inboxId ?? null) ?? []
      for (const [name, run] of this.#workFor(event, payload, inboxChanges)) work.set(name, run)
    }
    await settleAll([...work.values()].map((run) => run()))
    fetched()
    for (const { id } of events) cache.webhookEvents.store(id, payloads.get(id) ?? null, EVENT_STATES.done)
  }

  /**
   * For events that the log has lost, or that are too many. Changes below the newest page of a list are left to the
   * rolling check, which runs as usual until the log is trusted again. Until then, another gap or burst costs nothing.
   */
  async #pollAll(): Promise<void> {
    const { pollAll, clock } = this.#parts
    // If one inbox can't be polled, the others must not be polled again and again.
    if (clock.elapsed() >= this.#distrustedUntil) await this.#tryAgain(pollAll())
    this.#distrustedUntil = clock.elapsed() + DISTRUST_MS
  }

  /** @returns null for work that has failed several times in a row. @throws before that, so that it is tried again */
  #tryAgain<Value>(work: Promise<Value>): Promise<Value | null> {
    return work.catch((thrown: unknown) => {
      if (this.#failures <= MAX_FAILURES || this.#parts.signal.aborted) throw thrown
      return null
    })
  }

  /** Reads and stores payloads. The platform may no longer have some. */
  async #readPayloads(
    webhook: Webhook,
    events: readonly LoggedEvent[],
    priority: CallOptions['priority'],
    state: number,
  ): Promise<ReadonlyMap<string, StoredPayload>> {
    const { platform, cache, hub } = this.#parts
    const payloads = new Map<string, StoredPayload>()
    await settleAll(
      events.map(async ({ id, type }) => {
        const get = () => platform.getWebhookEvent(webhook.id, id, this.#options(priority))
        // One payload that can never be read must not hold up the log.
        const read = await this.#tryAgain(catchMissing(this.#inTurn(get)))
        const payload = read && { ...read, isOwn: this.#isOwn(id, read) }
        cache.webhookEvents.store(id, payload, state)
        if (payload === null) return
        payloads.set(id, payload)
        if (payload.inboxId !== null && payload.threadId !== null) hub.history(payload.inboxId, payload.threadId)
        if (ASSIGNMENT_EVENTS.includes(type)) this.#showAssignee(payload)
        // The list may have told of the failure before, without the reason.
        if (payload.failure !== null) hub.sentEmails()
      }),
    )
    return payloads
  }

  /** Only events tell about assignments. */
  #showAssignee({ inboxId, threadId }: EventPayload): void {
    const { cache, hub } = this.#parts
    const inbox = cache.inboxes.get(inboxId ?? '')
    if (inbox === undefined || threadId === null) return
    const touched = cache.threads.project(inbox, [threadId])
    hub.threads(inbox.id, touched)
    if (touched.threadIds.size > 0) hub.assignees()
  }

  #isOwn(eventId: string, { source, inboxId, threadId, to, added, removed }: EventPayload): boolean {
    if (source !== 'api' || inboxId === null || threadId === null) return false
    const idsOf = (labels: readonly EventLabel[]): readonly string[] => labels.map(({ id }) => id)
    const labels = { addLabels: idsOf(added), removeLabels: idsOf(removed) }
    const changes = [
      ...buildThreadStateChanges(inboxId, threadId, { folder: to ?? undefined }),
      ...buildThreadLabelChanges(inboxId, threadId, labels),
    ]
    return changes.length > 0 && changes.every((change) => this.#parts.outbox.causedEvent(change, eventId))
  }

  /** Named, so that several events about one thing cause one look. */
  *#workFor(
    { type }: LoggedEvent,
    payload: EventPayload | null,
    inboxChanges: readonly EventPayload[],
  ): Generator<readonly [string, () => Promise<unknown>]> {
    const { threads, lists, draftsChanged, cache, runForInbox } = this.#parts
    const of =
      (inboxId: string | null, work: (inbox: InboxRef) => Promise<unknown>): (() => Promise<unknown>) =>
      async () => {
        const inbox = inboxId === null ? undefined : cache.inboxes.get(inboxId)
        if (inbox === undefined) await lists.inboxes('screen')
        else await runForInbox(inbox, () => work(inbox))
      }
    const inboxId = payload?.inboxId ?? null
    const [area = '', part] = type.split('.')
    if (area === 'contact') yield ['contacts', () => lists.news('contacts', 'sync')]
    else if (area === 'email') {
      if (part === 'received') yield ['received', () => lists.news('received', 'screen')]
      else yield ['sent', () => lists.news('sent e-mails', 'screen')]
      // An older e-mail isn't on the newest page.
      const sentId = payload?.emailId ?? null
      if (sentId !== null && isDeliveryFailure(part ?? null))
        yield [`sent ${sentId}`, () => lists.refetch('sent e-mails', sentId, 'screen')]
    } else if (area !== 'inbox') {
      // Topics, suppressions, domains, and types of the future: read when they are shown, or found by the rolling check.
    } else if (part === 'draft') {
      if (inboxId !== null) draftsChanged(inboxId)
      if (type === 'inbox.draft.sent') yield [`news ${inboxId}`, of(inboxId, (inbox) => threads.news(inbox, 'screen'))]
    } else if (part === 'email') {
      yield [`news ${inboxId}`, of(inboxId, (inbox) => threads.news(inbox, 'screen'))]
    } else if (part === 'thread') {
      if (ASSIGNMENT_EVENTS.includes(type)) return
      yield [`threads ${inboxId}`, of(inboxId, (inbox) => this.#verify(inbox, inboxChanges))]
    } else yield ['inboxes', () => lists.inboxes('screen')]
  }

  /** Looks up changed threads. If one has an unknown label, the inbox's labels are read first. */
  async #verify(inbox: InboxRef, changes: readonly EventPayload[]): Promise<void> {
    const { threads, cache } = this.#parts
    const known = cache.labels.byId(inbox.key)
    if (changes.some(({ added }) => added.some(({ id }) => !known.has(id)))) await threads.labels(inbox, 'screen')
    const changed = [...new Set(changes.map(({ threadId }) => threadId ?? ''))]
    const cached = changed.filter((id) => cache.threads.currentState(inbox, id) !== undefined)
    if (cached.length < changed.length) await threads.news(inbox, 'screen')
    await threads.verifyAll(inbox, cached, 'screen')
  }

  #options(priority: CallOptions['priority']): CallOptions {
    return { priority, signal: this.#parts.signal }
  }

  #setState(next: FeedState): void {
    const isOther = next.kind !== this.#state.kind
    this.#state = next
    if (isOther) this.#parts.hub.sync()
  }
}
