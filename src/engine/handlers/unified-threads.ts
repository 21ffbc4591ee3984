import type { UnifiedCommand, Handlers, ParsedInput } from '../../shared/contract.ts'
import type {
  Freshness,
  LocalSearchCoverage,
  PlatformSearchState,
  SearchCoverage,
  UnifiedThread,
  UnifiedThreadPage,
} from '../../shared/model.ts'
import { type ProblemError, toProblem, type Problem, createProblem } from '../../shared/result.ts'
import type { ReopeningAccount } from '../reopening-account.ts'
import { toStorageError } from '../store/storage-problem.ts'
import { watchCalls } from '../store/watch-database.ts'
import { openList, type OpenList } from '../mail/threads/open-list.ts'
import { splitWindow, mergeRows } from '../mail/unified-threads/merge-lists.ts'

type Input = ParsedInput<'thread.listAcross'>

type ReadAccount = Pick<ReopeningAccount, 'current' | 'whenReady' | 'isReopening'>

interface ListOfAccount {
  readonly accountId: string
  readonly list: OpenList
}

const reopening = (): ProblemError =>
  createProblem('storage_failed', 'This account is reopening. Its mail will appear in a moment.')

/** Error of one account's list; the other lists are still shown. */
class ListFailure extends Error {
  readonly accountId: string

  constructor(accountId: string, cause: unknown) {
    super('The account’s list could not be read.', { cause })
    this.accountId = accountId
  }
}

const earliest = (times: readonly (number | null)[]): number | null => {
  const known = times.filter((time) => time !== null)
  return known.length === 0 ? null : Math.min(...known)
}

/** Combined freshness: that of the stalest list. */
const mergeFreshness = (all: readonly Freshness[]): Freshness => {
  if (all.length === 0 || all.some(({ state }) => state === 'never')) return { state: 'never', at: null }
  const state = all.every((each) => each.state === 'live') ? 'live' : 'cached'
  return { state, at: earliest(all.map(({ at }) => at)) }
}

const mergeExtents = (extents: readonly (LocalSearchCoverage | null)[]): LocalSearchCoverage | null => {
  const known = extents.filter((extent) => extent !== null)
  if (known.length === 0) return null
  const spellings = [...new Set(known.flatMap((extent) => extent.spellings ?? []))]
  const { emails, of } = known.reduce((sum, each) => ({ emails: sum.emails + each.emails, of: sum.of + each.of }))
  return { emails, of, ...(spellings.length > 0 && { spellings }) }
}

/** A waiting search may still bring rows. If no search is waiting, report a failed one, which the user can act on. */
const mergePlatforms = (answers: readonly PlatformSearchState[]): PlatformSearchState => {
  const at = earliest(answers.map((answer) => (answer.state === 'not asked' ? null : answer.at)))
  if (answers.some(({ state }) => state === 'waiting')) return { state: 'waiting', at }
  const failed = answers.find((answer) => answer.state === 'failed')
  if (failed !== undefined) return { ...failed, at }
  return at === null || answers.some(({ state }) => state === 'not asked')
    ? { state: 'not asked' }
    : { state: 'answered', at }
}

/** Combined status of several searches; null if there are none. */
const mergeSearched = (all: readonly (SearchCoverage | null)[]): SearchCoverage | null => {
  const searches = all.filter((searched) => searched !== null)
  if (searches.length === 0) return null
  return {
    computer: mergeExtents(searches.map(({ computer }) => computer)),
    platform: mergePlatforms(searches.map(({ platform }) => platform)),
    isCapped: searches.some(({ isCapped }) => isCapped),
    mayLag: searches.some(({ mayLag }) => mayLag),
  }
}

const readWindow = (lists: readonly ListOfAccount[], { offset, limit }: Input): Omit<UnifiedThreadPage, 'failed'> => {
  const parts = splitWindow(
    lists.map(({ list }) => list),
    { offset, limit },
  )
  // Ask for one more row than shown, as the platform may have rows that belong above it.
  lists.forEach(({ list }, at) => list.request((parts[at]?.offset ?? 0) + (parts[at]?.rows ?? 0) + 1))
  const rows = lists.map(({ accountId, list }, at): readonly UnifiedThread[] => {
    const part = parts[at]
    if (part === undefined || part.rows === 0) return []
    return list.rows(part.place, part.rows).map((row) => ({ ...row, accountId }))
  })
  return {
    items: mergeRows(rows),
    offset,
    total: lists.reduce((sum, { list }) => sum + list.total(), 0),
    hasMore: lists.some(({ list }) => list.hasMore()),
    freshness: mergeFreshness(lists.map(({ list }) => list.freshness())),
    searched: mergeSearched(lists.map(({ list }) => list.searched())),
  }
}

/** Each read finishes in one turn, so no write can interfere. @param find throws ProblemError `no_account` */
export const createUnifiedHandlers = (
  find: (accountId: string) => ReadAccount,
  report: (thrown: unknown) => void,
): Handlers<UnifiedCommand> => ({
  'thread.listAcross': (input) => {
    const failed = new Map<string, Problem>()
    const fail = (accountId: string, thrown: unknown): void => {
      const problem = toProblem(toStorageError(thrown))
      if (problem.code === 'internal') report(thrown)
      if (!failed.has(accountId)) failed.set(accountId, problem)
    }

    const held = Map.groupBy(input.held ?? [], ({ accountId }) => accountId)
    const open = ({ accountId, query }: Input['lists'][number]): readonly ListOfAccount[] => {
      try {
        const account = find(accountId)
        // Don't wait for a reopening account: it emits an event once open. An account that failed to open is retried.
        void account.whenReady()
        if (account.isReopening()) throw reopening()
        const { own, background, mail } = account.current()
        const { cache, outbox } = own
        const { threads, freshness } = background
        const heldIds = (held.get(accountId) ?? []).map(({ threadId }) => threadId)
        const list = openList({ cache, outbox, threads, freshness, searches: mail.searches }, query, {
          localOnly: input.localOnly,
          held: heldIds,
        })
        const failing = (thrown: unknown): never => {
          throw new ListFailure(accountId, thrown)
        }
        return [{ accountId, list: watchCalls(list, failing) }]
      } catch (thrown) {
        fail(accountId, thrown)
        return []
      }
    }

    let lists = input.lists.flatMap(open)
    for (;;) {
      try {
        const page = readWindow(lists, input)
        return { ...page, failed: [...failed].map(([accountId, problem]) => ({ accountId, problem })) }
      } catch (thrown) {
        if (!(thrown instanceof ListFailure)) throw thrown
        fail(thrown.accountId, thrown.cause)
        lists = lists.filter(({ accountId }) => accountId !== thrown.accountId)
      }
    }
  },
})
