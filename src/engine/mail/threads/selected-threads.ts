import { resolveQueryFolders, type ThreadQuery } from '../../../shared/thread-query.ts'
import type { MailParts } from '../parts.ts'
import type { InboxRef } from '../../store/inboxes.ts'
import { idsOfList } from '../../store/thread-lists.ts'
import { createYielder } from '../../timing/turns.ts'
import { findCachedList } from './open-list.ts'

const IDS_PER_PAGE = 1_000

export interface SelectedThreads {
  readonly threadIds: ReadonlySet<string>
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

/** Resolves selected threads by ID or query, as far as they are known locally, in turns of the event loop. */
export const resolveSelection = async (
  { cache, outbox, searches, threads }: Pick<MailParts, 'cache' | 'outbox' | 'searches' | 'threads'>,
  inbox: InboxRef,
  names: ThreadSelection,
  signal: AbortSignal,
): Promise<SelectedThreads> => {
  if ('threadIds' in names) {
    return { threadIds: new Set(names.threadIds), upTo: Number.POSITIVE_INFINITY, isWhole: true }
  }
  const { query, upTo, except } = names.matching
  const list = findCachedList({ outbox }, inbox, query)
  const pages = list === null ? searches.everything(query) : idsOfList(cache.threadLists, inbox, list, IDS_PER_PAGE)
  const areListed = (): boolean => resolveQueryFolders(query).every((folder) => threads.isListed(inbox, folder))
  const isWhole = list === null ? searches.isWhole(query) : areListed()
  const threadIds = new Set<string>()
  const yieldTurn = createYielder()
  for (const ids of pages) {
    for (const id of ids) threadIds.add(id)
    await yieldTurn()
    signal.throwIfAborted()
  }
  for (const id of except) threadIds.delete(id)
  return { threadIds, upTo, isWhole }
}
