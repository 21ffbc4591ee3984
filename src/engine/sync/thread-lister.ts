import type { Folder } from '../../shared/model.ts'
import type { CallOptions, MailPlatform } from '../api/mail-platform.ts'
import { PlatformRefusal } from '../api/platform-problem.ts'
import type { WirePage, WireThread } from '../api/wire.ts'

type ListThreads = (
  inboxId: string,
  folders: readonly Folder[],
  options: CallOptions & { readonly after?: string | undefined; readonly limit?: number },
) => Promise<WirePage<WireThread>>

export interface ThreadLister {
  /** A page of the threads in any of these folders, latest activity first. */
  readonly list: ListThreads
  /** Whether the inbox's platform offers the contract's six operations alone: neither single threads nor their e-mails. */
  readonly isContractAlone: (inboxId: string) => boolean
}

const mayLackTheList = (thrown: unknown): boolean =>
  thrown instanceof PlatformRefusal && (thrown.status === 404 || thrown.status === 405)

/**
 * Lists threads by the operation that is exact and current; where a platform offers only what the contract specifies,
 * by thread search, which takes the same folders in the same order and may lag by a minute (contract, Search threads).
 * Which of the two it is, is found out once for each inbox and start.
 */
export const createThreadLister = (platform: Pick<MailPlatform, 'listThreads' | 'searchThreads'>): ThreadLister => {
  const searched = new Set<string>()

  const search: ListThreads = async (inboxId, folders, options) => {
    const page = await platform.searchThreads(inboxId, { folders }, options)
    // Which e-mail matched belongs to a search, not to the thread.
    return { ...page, items: page.items.map(({ matched_email_id: _matched, ...thread }) => thread) }
  }

  const list: ListThreads = async (inboxId, folders, options) => {
    if (searched.has(inboxId)) return search(inboxId, folders, options)
    try {
      return await platform.listThreads(inboxId, { folders }, options)
    } catch (thrown) {
      // With a cursor, 404 may mean the cursor.
      if (options.after !== undefined || !mayLackTheList(thrown)) throw thrown
      const page = await search(inboxId, folders, options)
      searched.add(inboxId)
      return page
    }
  }

  return { list, isContractAlone: (inboxId) => searched.has(inboxId) }
}
