import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Label } from '../../../shared/model.ts'
import { mayHideMail } from '../../../shared/rule-actions.ts'
import type { ListedRule, Rule } from '../../../shared/rules.ts'
import type { Clock as SearchClock } from '../../../shared/search/date-bounds.ts'
import type { EventHub } from '../event-hub.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { RuleRun } from '../outbox/rule-runs.ts'
import { WRITE_RETRY_MS } from '../outbox/outbox-file.ts'
import type { ResolvedFilter } from '../../store/search-index/search-query.ts'
import type { StoredEmail } from '../../store/search-index/incoming-mail.ts'
import { labelsIn } from '../inbox-lookups.ts'
import type { Cache } from '../../store/cache.ts'
import type { InboxRef } from '../../store/inboxes.ts'
import type { LocalLists } from '../local-list.ts'
import { SavedSearchLabels } from '../saved-searches/saved-search-labels.ts'
import type { Clock } from '../../timing/clock.ts'
import { Loop, type EngineService, type EventListeners } from '../../timing/loop.ts'
import { createRecentMap } from '../../timing/recent-map.ts'
import { createThrottle } from '../../timing/throttle.ts'
import { combineRuleEffects, hasOtherUnread } from './combine-rule-effects.ts'
import { RuleStore, validateRule, type StoredRule, type RuleInput } from './rule-store.ts'
import { resolveRule, listActiveRules, findDependentRule, type ActiveRule } from './active-rules.ts'
import { createProblem } from '../../../shared/result.ts'

/** Messages per batch. Large, as planning a search costs as much as running it on hundreds of messages. */
const BATCH_SIZE = 2_000
/** Time budget per turn of the event loop, in milliseconds. */
const TURN_MS = 8
const CHANGE_BATCH_SIZE = 20
/** Delay before incoming mail is checked, in milliseconds, so that mail from one request is handled together. */
const CHECK_DELAY_MS = 200
/** Minimum interval between list reloads in a window, in milliseconds. */
const NOTIFY_INTERVAL_MS = 500
/** Interval for checking an index that is still being built, in milliseconds. */
const INDEX_WAIT_MS = 2_000
/** Longest wait for a thread's other messages, in milliseconds. */
const MESSAGES_WAIT_MS = 60_000
const NOTICES = 2_000

/** Metadata entry for the newest message that the rules have checked: its key, plus its ID to detect a reused key. */
const LAST_CHECKED = 'rules looked up to'

const nameOf = (inboxId: string, threadId: string): string => JSON.stringify([inboxId, threadId])

interface Match {
  readonly rule: ActiveRule
  readonly emails: readonly StoredEmail[]
}

export interface RulesDependencies {
  readonly own: LocalLists
  readonly cache: Pick<Cache, 'inboxes' | 'labels' | 'threads' | 'emails' | 'incoming' | 'accountMeta'>
  readonly outbox: Outbox
  readonly hub: Pick<EventHub, 'rules'>
  readonly report: (thrown: unknown) => void
  readonly today: () => SearchClock
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * Runs rules on incoming mail. The platform's arrival time decides which mail is new. Rule runs are stored in the
 * outbox together with the changes. Progress is stored in the cache; if it is lost, all mail is checked again, but no
 * rule acts twice (docs/rules.md).
 */
export class Rules implements EngineService {
  readonly listeners: EventListeners = {
    'labels.changed': (payload) => {
      this.#running = null
      this.#searchLabels.labelsChanged(payload)
    },
    'emails.changed': () => this.#scheduleCheck(),
    'threads.changed': () => this.#scheduleCheck(),
    'inboxes.changed': () => this.#scheduleCheck(),
  }
  readonly store: RuleStore
  readonly #parts: RulesDependencies
  readonly #loop: Loop
  readonly #scheduleCheck: () => void
  readonly #scheduleNotify: () => void
  #running: ReadonlyMap<string, readonly ActiveRule[]> | null = null
  readonly #searchLabels: SavedSearchLabels
  /** Threads with missing messages, and when the wait for them started (`Clock.elapsed`). */
  #waiting: ReadonlyMap<string, number> = new Map()
  /** Notification settings that rules applied, for mail up to `upTo`: later mail may be from someone else. */
  readonly #notices = createRecentMap<{ readonly notify: boolean | null; readonly upTo: number }>(NOTICES)

  constructor(parts: RulesDependencies) {
    this.#parts = parts
    this.#loop = new Loop(parts.clock, { unref: true })
    this.#scheduleCheck = createThrottle(() => this.#loop.wake(), parts.clock, parts.signal, {
      everyMs: CHECK_DELAY_MS,
      unref: true,
    })
    this.#scheduleNotify = createThrottle(parts.hub.rules, parts.clock, parts.signal, {
      everyMs: NOTIFY_INTERVAL_MS,
      unref: true,
    })
    this.#searchLabels = new SavedSearchLabels({
      inboxIds: () => this.store.entries.map(({ inboxId }) => inboxId),
      rewrite: (inboxId, rename, idNow) => this.#rewrite(inboxId, rename, idNow),
      ...{ cache: parts.cache, report: parts.report, signal: parts.signal },
    })
    this.store = new RuleStore(parts.own, () => {
      this.#running = null
      this.#searchLabels.note()
      parts.hub.rules()
      this.#scheduleCheck()
    })
  }

  start(): void {
    const { signal, report } = this.#parts
    this.#searchLabels.note()
    this.#loop.start({
      step: () => this.#step(),
      ...{ report, retryIn: WRITE_RETRY_MS },
      signal,
    })
  }

  ended(): Promise<void> {
    return this.#loop.ended()
  }

  list(): readonly ListedRule[] {
    const rules = this.store.entries
    const threads = this.#parts.outbox.ruleRuns.threadsByRule()
    return rules.map(({ since: _since, ...rule }) => ({
      ...rule,
      problem: this.#problemOf(rule),
      threads: threads.get(rule.id) ?? 0,
    }))
  }

  /** @throws ProblemError `invalid_input` for an invalid search, `not_found` for missing labels */
  save(typed: RuleInput, before?: string | null): Rule {
    const rule = validateRule(typed)
    this.check(rule, this.store.entries)
    // The first rule doesn't act on existing mail, so skip it.
    if (this.#runningNow().size === 0) this.#setLastCheckedKey(this.#parts.cache.incoming.last())
    const { since: _since, ...saved } = this.store.save(rule, this.newFrom(rule.inboxId), before)
    return saved
  }

  /** @throws ProblemError `invalid_input`, `not_found` */
  check(rule: Rule, rules: readonly Rule[]): void {
    this.filterOf(rule, rules)
    const waiting = findDependentRule(rule, rules, this.labelsOf(rule.inboxId), this.#parts.today())
    if (waiting !== null) {
      const message = `The rule “${waiting.name}” looks for the label “${waiting.label}”. Rules see mail only as it arrived, so one rule can’t depend on another.`
      throw createProblem('invalid_input', message)
    }
    if (rule.addLabels.some((id) => this.#isLabelGone(rule.inboxId, id))) {
      throw createProblem('not_found', 'A label of this rule no longer exists. Choose another.')
    }
  }

  /** A rule's resolved search. @throws ProblemError `invalid_input` if the rule can't run */
  filterOf(rule: Parameters<typeof resolveRule>[0], rules: readonly Rule[] = this.store.entries): ResolvedFilter {
    const filter = resolveRule(rule, rules, this.labelsOf(rule.inboxId), this.#parts.today())
    if (typeof filter === 'string') throw createProblem('invalid_input', filter)
    return filter
  }

  /** Mail after this time, by the platform's clock, counts as new to a rule created now. */
  newFrom(inboxId: string): number {
    const { cache, clock } = this.#parts
    return Math.min(clock.now(), cache.incoming.newestActivity(inboxId) ?? Number.POSITIVE_INFINITY)
  }

  labelsOf(inboxId: string): readonly Label[] {
    return labelsIn(this.#parts.cache, inboxId)
  }

  /** The notification setting that rules chose for a thread; null if none did, `wait` if they haven't run yet. */
  notificationFor(inboxId: string, threadId: string): boolean | 'wait' | null {
    const { inboxes, threads, incoming } = this.#parts.cache
    const inbox = inboxes.get(inboxId)
    if (inbox === undefined || !this.#runningNow().has(inboxId)) return null
    if (!threads.emailsComplete(inbox, threadId) || incoming.last() > this.#lastCheckedKey()) return 'wait'
    const notice = this.#notices.get(nameOf(inboxId, threadId))
    const newest = threads.currentState(inbox, threadId)?.receivedAt ?? 0
    return notice === undefined || newest > notice.upTo ? null : notice.notify
  }

  async #step(): Promise<number | null> {
    const { cache, signal } = this.#parts
    const waiting = new Map<string, number>()
    for (let looked = this.#lastCheckedKey(); !signal.aborted && this.#runningNow().size > 0;) {
      if (!cache.incoming.isReady()) return INDEX_WAIT_MS
      const stored = cache.incoming.after(looked, BATCH_SIZE)
      const last = stored.at(-1)
      if (last === undefined) break
      if (await this.#checkBatch(stored, waiting)) {
        looked = last.emailKey
        // Don't record progress past a waiting message, so that the next step checks it again.
        if (waiting.size === 0) this.#setLastCheckedKey(looked)
      }
      await nextTurn()
    }
    this.#waiting = waiting
    return waiting.size > 0 ? MESSAGES_WAIT_MS : null
  }

  /**
   * @param waiting collects threads that lack messages @returns false if the rules changed or the account is closing
   */
  async #checkBatch(stored: readonly StoredEmail[], waiting: Map<string, number>): Promise<boolean> {
    const { signal, outbox } = this.#parts
    const running = this.#runningNow()
    const floor = outbox.ruleRuns.floor() ?? Number.NEGATIVE_INFINITY
    const isOver = (): boolean => signal.aborted || this.#running !== running
    for (const [inboxId, emails] of Map.groupBy(stored, (email) => email.inboxId)) {
      const rules = (running.get(inboxId) ?? []).map((rule) => ({ ...rule, since: Math.max(rule.since, floor) }))
      const since = rules.reduce((least, rule) => Math.min(least, rule.since), Number.POSITIVE_INFINITY)
      const news = emails.filter(({ isOutbound, receivedAt }) => !isOutbound && receivedAt > since)
      const matched = await this.#match(news, rules, isOver)
      const threads = [...matched]
      for (let at = 0; at < threads.length; at += CHANGE_BATCH_SIZE) {
        if (isOver()) return false
        this.#applyMatches(inboxId, threads.slice(at, at + CHANGE_BATCH_SIZE), waiting)
        await nextTurn()
      }
      if (isOver()) return false
    }
    return true
  }

  /** Matches by thread, each thread's in the rules' order. */
  async #match(
    news: readonly StoredEmail[],
    rules: readonly ActiveRule[],
    isOver: () => boolean,
  ): Promise<ReadonlyMap<string, readonly Match[]>> {
    const { incoming } = this.#parts.cache
    const byKey = new Map(news.map((email) => [email.emailKey, email]))
    const keys = [...byKey.keys()]
    const matched = new Map<string, Match[]>()
    for (let asked = 0; asked < rules.length && keys.length > 0 && !isOver();) {
      const next = rules.slice(asked)
      const { found } = incoming.match(
        keys,
        next.map(({ filter }) => filter),
        TURN_MS,
      )
      for (const [at, emailKeys] of found.entries()) {
        const rule = next[at]
        if (rule === undefined) continue
        const emails = emailKeys.flatMap((key) => byKey.get(key) ?? []).filter((each) => each.receivedAt > rule.since)
        for (const [threadId, ofThread] of Map.groupBy(emails, (email) => email.threadId)) {
          matched.set(threadId, [...(matched.get(threadId) ?? []), { rule, emails: ofThread }])
        }
      }
      asked += found.length
      if (asked < rules.length) await nextTurn()
    }
    return matched
  }

  #applyMatches(
    inboxId: string,
    matched: readonly (readonly [threadId: string, matches: readonly Match[]])[],
    waiting: Map<string, number>,
  ): void {
    const { cache, outbox, clock } = this.#parts
    const inbox = cache.inboxes.get(inboxId)
    if (inbox === undefined) return
    const changes = matched.flatMap(([threadId, matches]) => {
      const currentState = cache.threads.currentState(inbox, threadId)
      if (currentState?.onServer !== true) return []
      const labelIds = currentState.labelIds.map((id) => outbox.labelIdNow(inboxId, id))
      const runsBefore = outbox.ruleRuns.ofThread(inboxId, threadId)
      const fresh = matches.flatMap(({ rule, emails }) => {
        const { filter } = rule
        const isLabelled = filter.labelIds.length === 0 || filter.labelIds.some((each) => labelIds.includes(each))
        const ids = emails.flatMap(({ emailKey }) => {
          const id = cache.incoming.idAt(emailKey)
          return id === undefined || runsBefore.isDone(rule.id, id) ? [] : [id]
        })
        const upTo = Math.max(...emails.map(({ receivedAt }) => receivedAt))
        return isLabelled && ids.length > 0 ? [{ rule, ids, upTo }] : []
      })
      if (fresh.length === 0) return []
      const mayHide = fresh.some(({ rule }) => mayHideMail(rule))
      const isKnown = this.#isKnown(inbox, threadId, currentState.receivedAt)
      if (mayHide && !isKnown && this.#shouldWaitForMessages(inbox, threadId, waiting)) return []
      const acting = fresh.map(({ rule, ids, upTo }) => ({
        ...{ ...rule, upTo, addLabels: this.#labelsNow(inboxId, rule.addLabels) },
        isHeld:
          !isKnown ||
          (!currentState.read && hasOtherUnread(cache, inbox, threadId, ids, (id) => runsBefore.isDone(rule.id, id))),
      }))
      const { change, outcomes } = combineRuleEffects(acting, { ...currentState, labelIds })
      const notifier = acting.find(({ notify, isHeld }) => notify === true || (notify === false && !isHeld))
      if (notifier !== undefined) this.#notices.put(nameOf(inboxId, threadId), notifier)
      const runs = fresh.flatMap(({ rule, ids }, at): readonly Omit<RuleRun, 'changeId'>[] =>
        ids.map((email) => ({
          ...{ rule: rule.id, scope: inboxId, thread: threadId, email, at: clock.now() },
          did: JSON.stringify(outcomes[at]),
        })),
      )
      return [{ changes: outbox.changesOf(inboxId, { threadId, change }), runs }]
    })
    if (changes.length === 0) return
    outbox.changeByRules(changes)
    this.#scheduleNotify()
  }

  /** True if all messages of a thread are stored and its row is current. */
  #isKnown(inbox: InboxRef, threadId: string, rowAt: number): boolean {
    const { threads, emails } = this.#parts.cache
    return threads.emailsComplete(inbox, threadId) && emails.arrivedSince(inbox, threadId, rowAt).length === 0
  }

  /** Waits a limited time for missing messages: one of them may be unread and from a person. */
  #shouldWaitForMessages(inbox: InboxRef, threadId: string, waiting: Map<string, number>): boolean {
    const { clock } = this.#parts
    const name = nameOf(inbox.id, threadId)
    const since = this.#waiting.get(name) ?? clock.elapsed()
    if (clock.elapsed() - since >= MESSAGES_WAIT_MS) return false
    waiting.set(name, since)
    return true
  }

  /** Current label IDs, without deleted labels. */
  #labelsNow(inboxId: string, labelIds: readonly string[]): readonly string[] {
    return labelIds.flatMap((id) =>
      this.#isLabelGone(inboxId, id) ? [] : [this.#parts.outbox.labelIdNow(inboxId, id)],
    )
  }

  #isLabelGone(inboxId: string, labelId: string): boolean {
    const { inboxes, labels } = this.#parts.cache
    const inbox = inboxes.get(inboxId)
    const id = this.#parts.outbox.labelIdNow(inboxId, labelId)
    return inbox !== undefined && labels.byId(inbox.key).get(id) === null
  }

  #problemOf(rule: StoredRule | Rule): string | null {
    const { inboxes } = this.#parts.cache
    if (inboxes.get(rule.inboxId) === undefined) return 'Its inbox is no longer in this account, so it doesn’t run.'
    const filter = resolveRule(rule, this.store.entries, this.labelsOf(rule.inboxId), this.#parts.today())
    if (typeof filter === 'string') return `It doesn’t run: ${filter}`
    const isLabelGone = rule.addLabels.some((id) => this.#isLabelGone(rule.inboxId, id))
    return isLabelGone ? 'One of its labels was deleted, so it is no longer added.' : null
  }

  #runningNow(): ReadonlyMap<string, readonly ActiveRule[]> {
    this.#running ??= listActiveRules(this.store.entries, (inboxId) => this.labelsOf(inboxId), this.#parts.today())
    return this.#running
  }

  /** Key of the newest message that the rules have checked; 0 if uncertain. */
  #lastCheckedKey(): number {
    const { accountMeta, incoming } = this.#parts.cache
    const [key, id] = (accountMeta.get(LAST_CHECKED) ?? '').split(' ', 2)
    const number = Number(key)
    // Keys of deleted messages may be reused.
    return Number.isSafeInteger(number) && number > 0 && incoming.idAt(number) === id ? number : 0
  }

  #setLastCheckedKey(emailKey: number): void {
    const id = this.#parts.cache.incoming.idAt(emailKey)
    if (id !== undefined) this.#parts.cache.accountMeta.set(LAST_CHECKED, `${emailKey} ${id}`)
  }

  #rewrite(inboxId: string, rename: (text: string) => string, idNow: (id: string) => string): void {
    this.store.rewrite((rule) => {
      if (rule.inboxId !== inboxId) return rule
      const [text, addLabels] = [rename(rule.text), rule.addLabels.map(idNow)]
      return text === rule.text && addLabels.join() === rule.addLabels.join() ? rule : { ...rule, text, addLabels }
    })
  }
}
