import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'
import { INBOX_GONE, problem } from '../saying.ts'
import { readExcerpts } from '../search/read-excerpts.ts'
import type { InboxRef } from '../store/inboxes.ts'
import { changeThreads } from './change-threads.ts'
import { namedThreads, type NamedThreads, type ThreadNames } from './named-threads.ts'
import { inboxOfQuery, openList } from './open-list.ts'
import { openThread } from './open-thread.ts'
import { countOnlyHere, deleteOnlyHere } from './threads-only-here.ts'

export const threadHandlers = (access: AccountAccess): HandlersOf<'thread'> => {
  const { current, inboxOf } = access
  const named = (inbox: InboxRef, names: ThreadNames): NamedThreads => namedThreads(current(), inbox, names)

  return {
    'thread.countKept': ({ inboxId, ...names }) => {
      const inbox = inboxOf(inboxId)
      return countOnlyHere(current(), inbox, named(inbox, names))
    },
    'thread.deleteKept': ({ inboxId, ...names }) => {
      const inbox = inboxOf(inboxId)
      return deleteOnlyHere(current(), inbox, named(inbox, names))
    },
    'thread.list': ({ query, offset, limit, onlyHere, held, excerpts = 0 }) => {
      const list = openList(access, query, { onlyHere, held })
      list.ask(offset + limit)
      const items = list.rows({ offset }, limit)
      const found = items
        .slice(0, excerpts)
        .flatMap(({ id, match }) => (match?.by === 'computer' ? [{ threadId: id, emailId: match.emailId }] : []))
      return {
        items,
        offset,
        total: list.total(),
        hasMore: list.hasMore(),
        freshness: list.freshness(),
        searched: list.searched(),
        ...(found.length > 0 && {
          excerpts: readExcerpts(current().cache.emails, inboxOfQuery(access, query), query, found),
        }),
      }
    },
    'thread.excerpts': ({ query, found }) =>
      readExcerpts(current().cache.emails, inboxOfQuery(access, query), query, found),
    'thread.searchAgain': ({ query }) => {
      current().searches.askAgain(query)
      return null
    },
    'thread.countByFolder': ({ query }) => current().searches.countByFolder(inboxOfQuery(access, query), query),
    'thread.matchedEmail': ({ query, threadId }) =>
      current().searches.matchedEmail(inboxOfQuery(access, query), query, threadId),
    'thread.open': ({ inboxId, threadId }) => openThread(access, inboxId, threadId),
    'thread.change': ({ inboxId, change, ...names }) => {
      const inbox = inboxOf(inboxId)
      if (current().cache.inboxes.get(inboxId)?.onServer !== true) throw problem('not_found', INBOX_GONE)
      return changeThreads(current(), inbox, change, names)
    },
  }
}
