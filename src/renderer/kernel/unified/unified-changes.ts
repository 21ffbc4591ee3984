import type { CommandInput, CommandOutput, LocalMailCount } from '../../../shared/contract.ts'
import type { ChangeProgress } from '../../../shared/model.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { joinIds, parseUnifiedThreadId, splitIds, type AccountScopedId } from './unified-ids.ts'
import type { UnifiedLabels } from './unified-labels.ts'
import type { OpenAccounts } from './open-accounts.ts'
import type { OpenInbox, OpenInboxes } from './open-inboxes.ts'
import { combineResults, collectSuccesses, mapResult, sum } from './results.ts'

type ThreadsChange = CommandInput<'thread.change'>
type LocalOnlySelection = CommandInput<'thread.deleteKept'>
type Undone = CommandOutput<'change.undo'>

interface Part {
  readonly place: OpenInbox
  readonly named: { readonly threadIds: string[] } | { readonly matching: MatchingSelection }
}
type MatchingSelection = Extract<ThreadsChange, { readonly matching: unknown }>['matching']

const THREAD_NOT_FOUND = fail('not_found', 'This thread no longer exists. Nothing was changed.')

const sumProgress = (a: ChangeProgress, b: ChangeProgress): Pick<ChangeProgress, 'total' | 'sent'> => ({
  total: a.total + b.total,
  sent: a.sent + b.sent,
})

/** Changes to threads in several inboxes. Each appears as a single change. */
export class UnifiedChanges {
  readonly #accounts: OpenAccounts
  readonly #places: OpenInboxes
  readonly #labels: UnifiedLabels
  /** ID of the combined change by the ID of each of its parts, for changes with several parts. */
  readonly #combinedIds = new Map<string, string>()

  constructor(accounts: OpenAccounts, places: OpenInboxes, labels: UnifiedLabels) {
    this.#accounts = accounts
    this.#places = places
    this.#labels = labels
  }

  /** If one inbox rejects its part, the other parts are undone: all or nothing. */
  async change(asked: ThreadsChange): Promise<Result<CommandOutput<'thread.change'>>> {
    const parts =
      'threadIds' in asked ? await this.#partsOf(asked.threadIds) : await this.#matchingParts(asked.matching)
    if (parts === null) return THREAD_NOT_FOUND
    const results = await Promise.all(parts.map((part) => this.#changeIn(part, asked.change)))
    const all = combineResults(results.map(({ result }) => result))
    const made = results.flatMap((each) => each.made)
    if (!all.ok) {
      await this.#undoAll(made)
      return all
    }
    return ok({
      changeId: this.join(made),
      threads: sum(all.data.map(({ threads }) => threads)),
      isWhole: all.data.every(({ isWhole }) => isWhole),
    })
  }

  /** Counts or deletes the local-only mail of the chosen threads, in each inbox. */
  async runLocalOnly(
    name: 'thread.countKept' | 'thread.deleteKept',
    chosen: LocalOnlySelection,
  ): Promise<Result<LocalMailCount>> {
    const parts =
      'threadIds' in chosen ? await this.#partsOf(chosen.threadIds) : await this.#matchingParts(chosen.matching)
    if (parts === null) return THREAD_NOT_FOUND
    const all = combineResults(
      await Promise.all(
        parts.map(({ place: { accountId, inbox }, named }) =>
          this.#accounts.of(accountId).call(name, { inboxId: inbox.id, ...named }),
        ),
      ),
    )
    return mapResult(all, (counts) => ({
      threads: sum(counts.map(({ threads }) => threads)),
      emails: sum(counts.map(({ emails }) => emails)),
      others: sum(counts.map(({ others }) => others)),
    }))
  }

  /** Joins change IDs, oldest first. */
  join(parts: readonly AccountScopedId[]): string {
    const whole = joinIds(parts)
    if (parts.length > 1) for (const part of parts) this.#combinedIds.set(joinIds([part]), whole)
    return whole
  }

  async undo(changeId: string): Promise<Result<Undone>> {
    if (this.#labels.toggleCreation(changeId)) return ok({ undone: true, changeId })
    const parts = splitIds(changeId)
    // The change had no parts, so there is nothing to undo.
    if (parts.length === 0) return ok({ undone: true, changeId })
    const results = await this.#undoAll(parts)
    const any = collectSuccesses(results.map(({ result }) => result))
    if (!any.ok) return any
    const inverse = results.flatMap(({ accountId, result }) =>
      result.ok && result.data.undone ? [{ accountId, id: result.data.changeId }] : [],
    )
    return ok(inverse.length === 0 ? { undone: false } : { undone: true, changeId: this.join(inverse) })
  }

  async cancel(changeId: string): Promise<Result<CommandOutput<'change.cancel'>>> {
    const results = await Promise.all(
      splitIds(changeId).map(({ accountId, id }) =>
        this.#accounts.of(accountId).call('change.cancel', { changeId: id }),
      ),
    )
    return mapResult(collectSuccesses(results), (parts) => ({ threads: sum(parts.map(({ threads }) => threads)) }))
  }

  async running(): Promise<Result<readonly ChangeProgress[]>> {
    const any = await this.#accounts.gather(async (account, accountId) =>
      mapResult(await account.call('change.underWay', {}), (all) =>
        all.map((each) => this.#withCombinedIds(accountId, each)),
      ),
    )
    if (!any.ok) return any
    const whole = new Map<string, ChangeProgress>()
    for (const progress of any.data.flat()) {
      const before = whole.get(progress.changeId)
      whole.set(progress.changeId, before === undefined ? progress : { ...progress, ...sumProgress(before, progress) })
    }
    return ok([...whole.values()])
  }

  #withCombinedIds(accountId: string, progress: ChangeProgress): ChangeProgress {
    const wholeOf = (id: string): string => {
      const part = joinIds([{ accountId, id }])
      return this.#combinedIds.get(part) ?? part
    }
    const { changeId, undoes } = progress
    return { ...progress, changeId: wholeOf(changeId), undoes: undoes === null ? null : wholeOf(undoes) }
  }

  /** Newest first and one by one: a new label can be removed only once no thread carries it. */
  async #undoAll(parts: readonly AccountScopedId[]): Promise<readonly { accountId: string; result: Result<Undone> }[]> {
    const results: { accountId: string; result: Result<Undone> }[] = []
    for (const { accountId, id } of parts.toReversed()) {
      results.push({ accountId, result: await this.#accounts.of(accountId).call('change.undo', { changeId: id }) })
    }
    this.#places.forgetLabels()
    return results
  }

  async #changeIn(
    { place, named }: Part,
    wanted: ThreadsChange['change'],
  ): Promise<{ readonly made: readonly AccountScopedId[]; readonly result: Result<CommandOutput<'thread.change'>> }> {
    const here = await this.#labels.translateChange(place, wanted)
    if (!here.ok) return { made: [], result: here }
    const { change, made } = here.data
    if (change === null) return { made, result: ok({ changeId: '', threads: 0, isWhole: true }) }
    const { accountId, inbox } = place
    const result = await this.#accounts.of(accountId).call('thread.change', { inboxId: inbox.id, ...named, change })
    return { made: result.ok ? [...made, { accountId, id: result.data.changeId }] : made, result }
  }

  /** Groups threads by inbox, in order of first appearance; null if the inbox of any thread is missing. */
  async #partsOf(threadIds: readonly string[]): Promise<readonly Part[] | null> {
    const all = await this.#places.all()
    const parts = new Map<OpenInbox, string[]>()
    for (const id of threadIds) {
      const at = parseUnifiedThreadId(id)
      const place = all.find(({ accountId, inbox }) => accountId === at?.accountId && inbox.id === at.inboxId)
      if (at === null || place === undefined) return null
      const here = parts.get(place)
      if (here === undefined) parts.set(place, [at.threadId])
      else here.push(at.threadId)
    }
    return [...parts].map(([place, here]) => ({ place, named: { threadIds: here } }))
  }

  async #matchingParts({ query, upTo, except }: MatchingSelection): Promise<readonly Part[]> {
    const left = except.flatMap((id) => parseUnifiedThreadId(id) ?? [])
    // In an inbox that the platform has deleted, threads can only be changed one by one.
    const parts = (await this.#labels.partsOf(query)).filter(({ place }) => place.inbox.onServer)
    return parts.map(({ place, query: here }) => {
      const { accountId, inbox } = place
      const localExcept = left.flatMap((at) =>
        at.accountId === accountId && at.inboxId === inbox.id ? [at.threadId] : [],
      )
      return { place, named: { matching: { query: here, upTo, except: localExcept } } }
    })
  }
}
