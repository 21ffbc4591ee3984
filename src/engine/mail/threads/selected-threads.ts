import { resolveQueryFolders, type ThreadQuery } from '../../../shared/thread-query.ts'
import type { MailParts } from '../parts.ts'
import type { InboxRef } from '../../store/inboxes.ts'
import { idsOfList } from '../../store/thread-lists.ts'
import { findCachedList } from './open-list.ts'

const NAMED_AT_ONCE = 100

export interface SelectedThreads {
  readonly pages: Iterable<readonly string[]>
  /** Threads with later activity are skipped; milliseconds since the epoch. */
  readonly upTo: number
  /** True if the platform can't have any more matching threads. */
  readonly isWhole: boolean
}

export type ThreadSelection =
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

const withoutDuplicates = function* (
  pages: Iterable<readonly string[]>,
  except: readonly string[],
): Iterable<readonly string[]> {
  const seen = new Set(except)
  for (const ids of pages) {
    const fresh = ids.filter((id) => !seen.has(id))
    for (const id of fresh) seen.add(id)
    // Yield even without new threads, to end the turn.
    if (fresh.length === 0) yield []
    else yield* chunksOf(fresh)
  }
}

/** Resolves selected threads by ID or query, as far as they are known locally. */
export const resolveSelection = (
  { cache, outbox, searches, threads }: Pick<MailParts, 'cache' | 'outbox' | 'searches' | 'threads'>,
  inbox: InboxRef,
  names: ThreadSelection,
): SelectedThreads => {
  if ('threadIds' in names) {
    return { pages: chunksOf([...new Set(names.threadIds)]), upTo: Number.POSITIVE_INFINITY, isWhole: true }
  }
  const { query, upTo, except } = names.matching
  const list = findCachedList({ outbox }, inbox, query)
  const everything =
    list === null ? searches.everything(query) : idsOfList(cache.threadLists, inbox, list, NAMED_AT_ONCE)
  const areListed = (): boolean => resolveQueryFolders(query).every((folder) => threads.isListed(inbox, folder))
  return {
    upTo,
    isWhole: list === null ? searches.isWhole(query) : areListed(),
    pages: withoutDuplicates(everything, except),
  }
}
