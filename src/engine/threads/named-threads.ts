import { scopeOf, type KeptThreadList, type ThreadQuery } from '../../shared/thread-query.ts'
import type { OpenAccount } from '../account.ts'
import type { InboxRef } from '../store/inboxes.ts'
import type { ThreadStore } from '../store/threads.ts'
import { keptListNow } from './open-list.ts'

/** Threads that are named in one turn of the engine's thread. */
const NAMED_AT_ONCE = 100

export interface NamedThreads {
  readonly pages: Iterable<readonly string[]>
  /** Those with later activity are left alone: milliseconds since the epoch. */
  readonly upTo: number
  /** Whether the platform cannot hold more of them. */
  readonly isWhole: boolean
}

/** How a window names threads. */
export type ThreadNames =
  | { readonly threadIds: readonly string[] }
  | {
      readonly matching: {
        readonly query: ThreadQuery
        readonly upTo: number
        readonly except: readonly string[]
      }
    }

const chunksOf = function* (ids: readonly string[]): Iterable<readonly string[]> {
  for (let at = 0; at < ids.length; at += NAMED_AT_ONCE) yield ids.slice(at, at + NAMED_AT_ONCE)
}

/** All threads of a list that the cache keeps, in its order. */
const idsOfList = function* (
  threads: Pick<ThreadStore, 'after'>,
  inbox: InboxRef,
  list: KeptThreadList,
): Iterable<readonly string[]> {
  for (let page = threads.after(inbox, list, null, NAMED_AT_ONCE); page.length > 0;) {
    yield page.map(({ id }) => id)
    page = threads.after(inbox, list, page.at(-1) ?? null, NAMED_AT_ONCE)
  }
}

const eachOnce = function* (
  pages: Iterable<readonly string[]>,
  except: readonly string[],
): Iterable<readonly string[]> {
  const seen = new Set(except)
  for (const ids of pages) {
    const fresh = ids.filter((id) => !seen.has(id))
    for (const id of fresh) seen.add(id)
    // Nothing new is a turn all the same.
    if (fresh.length === 0) yield []
    else yield* chunksOf(fresh)
  }
}

/** The threads that a window names, by their IDs or by a query, as far as they are known on this computer. */
export const namedThreads = (
  { cache, outbox, searches, threads }: Pick<OpenAccount, 'cache' | 'outbox' | 'searches' | 'threads'>,
  inbox: InboxRef,
  names: ThreadNames,
): NamedThreads => {
  if ('threadIds' in names) {
    return { pages: chunksOf([...new Set(names.threadIds)]), upTo: Number.POSITIVE_INFINITY, isWhole: true }
  }
  const { query, upTo, except } = names.matching
  const list = keptListNow({ outbox }, inbox, query)
  const everything = list === null ? searches.everything(query) : idsOfList(cache.threads, inbox, list)
  const areListed = (): boolean => scopeOf(query).every((folder) => threads.isListed(inbox, folder))
  return {
    upTo,
    isWhole: list === null ? searches.isWhole(query) : areListed(),
    pages: eachOnce(everything, except),
  }
}
