import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Cache } from '../../store/cache.ts'
import type { Clock } from '../../timing/clock.ts'
import type { RuleReceipt } from '../../../shared/contract/rules.ts'
import type { Rule } from '../../../shared/rules.ts'
import type { Outbox, ThreadToChange } from '../outbox/outbox.ts'
import type { RuleRun } from '../outbox/rule-runs.ts'
import type { ResolvedFilter } from '../../store/search-index/search-query.ts'
import { iterateMatchPages } from '../../store/search-index/search-threads.ts'
import { combineRuleEffects, hasOtherUnread } from './combine-rule-effects.ts'
import { createProblem } from '../../../shared/result.ts'

const FOLDERS = ['inbox', 'archive'] as const

/** Pages of local threads with the IDs of matching messages. The same thread may appear on several pages. */
const matchingPages = function* (
  { threadSearch, incoming }: Pick<Cache, 'threadSearch' | 'incoming'>,
  inboxId: string,
  filter: ResolvedFilter,
): Iterable<ReadonlyMap<string, readonly string[]>> {
  for (const ids of iterateMatchPages(threadSearch, { ...filter, inboxId, folders: FOLDERS })) {
    yield incoming.matchingIn(inboxId, ids, filter)
  }
}

export const countMatchingThreads = async (
  { cache }: { readonly cache: Cache },
  inboxId: string,
  filter: ResolvedFilter,
  signal: AbortSignal,
): Promise<number> => {
  const threads = new Set<string>()
  for (const matching of matchingPages(cache, inboxId, filter)) {
    for (const id of matching.keys()) threads.add(id)
    await nextTurn()
    if (signal.aborted) throw createProblem('cancelled', 'A newer search replaced this one.')
  }
  return threads.size
}

/** Makes one large change, stored together with the rule runs. Skips threads that the rule has already acted on. */
export const runOnExistingMail = async (
  { cache, outbox, clock }: { readonly cache: Cache; readonly outbox: Outbox; readonly clock: Clock },
  rule: Rule,
  filter: ResolvedFilter,
  signal: AbortSignal,
): Promise<RuleReceipt> => {
  const { inboxId } = rule
  const inbox = cache.inboxes.get(inboxId)
  if (inbox?.onServer !== true) throw createProblem('not_found', 'The inbox of this rule is no longer on the platform.')
  const runs: Omit<RuleRun, 'changeId'>[] = []
  const threads = new Map<string, ThreadToChange>()
  for (const matching of matchingPages(cache, inboxId, filter)) {
    for (const [threadId, matched] of matching) {
      const seen = cache.threads.currentState(inbox, threadId)
      if (seen?.onServer !== true || threads.has(threadId)) continue
      if (outbox.ruleRuns.ofThread(inboxId, threadId).hasRun(rule.id)) continue
      const isKnown = cache.threads.emailsComplete(inbox, threadId)
      const isHeld = !seen.read && (!isKnown || hasOtherUnread(cache, inbox, threadId, matched, () => false))
      const { change, outcomes } = combineRuleEffects([{ ...rule, isHeld }], seen)
      const did = JSON.stringify(outcomes[0])
      for (const email of matched) {
        runs.push({ rule: rule.id, scope: inboxId, thread: threadId, email, at: clock.now(), did })
      }
      threads.set(threadId, { threadId, seen, change })
    }
    await nextTurn()
    signal.throwIfAborted()
  }
  const { changeId, changed } = outbox.changeManyThreads(inboxId, threads.values(), (id) =>
    runs.map((run) => ({ ...run, changeId: id })),
  )
  return { changeId: changed === 0 ? null : changeId, threads: changed }
}
