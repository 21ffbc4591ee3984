import type { Folder } from '../../shared/model.ts'
import type { MailPlatform } from '../api/mail-platform.ts'
import type { CallOptions, ListPage } from '../api/requests.ts'
import type { FetchedThread } from '../api/threads.ts'
import { lacksOperation } from '../api/platform-problem.ts'
import type { Abilities } from './abilities.ts'
import type { Absence } from './absence.ts'

/** A page of threads, and whether it came from the list, which is exact and current, or from thread search. */
export interface ThreadPage extends ListPage<FetchedThread> {
  /** False for a page of thread search: it may lag by a minute and ends after 10,000 threads (contract, 2, rule 6). */
  readonly isExact: boolean
}

type ListThreads<Page> = (
  inboxId: string,
  folders: readonly Folder[],
  options: CallOptions & { readonly after?: string | undefined; readonly limit?: number },
) => Promise<Page>

/**
 * Lists threads by the operation that is exact and current; where a platform does not answer that, by thread search,
 * which takes the same folders in the same order (contract, Search threads). A page by search decides nothing for the
 * next one: `abilities` does, from several answers.
 */
export const createThreadLister = (
  platform: Pick<MailPlatform, 'listThreads' | 'searchThreads'>,
  abilities: Abilities,
  absence: Pick<Absence, 'sawInbox'>,
): ListThreads<ThreadPage> => {
  const search: ListThreads<ThreadPage> = async (inboxId, folders, options) => {
    const page = await platform.searchThreads(inboxId, { folders }, options)
    absence.sawInbox(inboxId)
    return { ...page, items: page.items.map(({ thread }) => thread), isExact: false }
  }

  return async (inboxId, folders, options) => {
    const belief = abilities.belief(inboxId, 'list threads')
    // In the middle of a list, 404 may mean the cursor: an ability is asked about anew at the top of one.
    const isWorthAsking = abilities.isWorthAsking(inboxId, 'list threads')
    if (!isWorthAsking || (belief === 'seems missing' && options.after !== undefined)) {
      return search(inboxId, folders, options)
    }
    const askedAt = abilities.now()
    try {
      const page = await platform.listThreads(inboxId, { folders }, options)
      abilities.offered(inboxId, 'list threads')
      absence.sawInbox(inboxId)
      return { ...page, isExact: true }
    } catch (thrown) {
      if (!lacksOperation(thrown) || (options.after !== undefined && belief === 'offered')) throw thrown
      const page = await search(inboxId, folders, options)
      abilities.refused(inboxId, 'list threads', askedAt)
      return page
    }
  }
}
