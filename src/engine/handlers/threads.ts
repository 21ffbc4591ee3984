import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DomainHandlers, LocalMailCount } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'
import { INBOX_GONE_MESSAGE, createProblem } from '../platform/problem.ts'
import { readExcerpts } from '../mail/search/excerpt.ts'
import type { InboxRef } from '../store/inboxes.ts'
import { changeThreads } from '../mail/threads/change-threads.ts'
import { resolveSelection, type SelectedThreads, type ThreadSelection } from '../mail/threads/selected-threads.ts'
import { requireQueryInbox, openList } from '../mail/threads/open-list.ts'
import type { OpenAccount } from '../account.ts'
import { openThread } from '../mail/threads/open-thread.ts'
import { processInSlices } from '../timing/turns.ts'

/** Processes local-only threads. @param each returns the number of e-mails to count */
const forEachLocalOnly = async (
  { cache, signal }: Pick<OpenAccount, 'cache' | 'signal'>,
  inbox: InboxRef,
  { pages, upTo }: SelectedThreads,
  each: (threadId: string) => number,
): Promise<LocalMailCount> => {
  const count = { threads: 0, emails: 0, others: 0 }
  // Collect the IDs first: a deleted thread couldn't serve as a cursor.
  const threadIds: string[] = []
  for (const page of pages) {
    threadIds.push(...page)
    await nextTurn()
    signal.throwIfAborted()
  }
  await processInSlices(
    threadIds,
    (some) => {
      for (const threadId of some) {
        const currentState = cache.threads.currentState(inbox, threadId)
        if (currentState === undefined || currentState.receivedAt > upTo) continue
        const emails = currentState.onServer ? 0 : each(threadId)
        if (currentState.onServer) count.others += 1
        else count.threads += 1
        count.emails += emails
      }
    },
    signal,
  )
  signal.throwIfAborted()
  return count
}

const countLocalOnly = (account: OpenAccount, inbox: InboxRef, named: SelectedThreads): Promise<LocalMailCount> =>
  forEachLocalOnly(account, inbox, named, (id) => account.cache.emails.count(inbox, id))

const deleteLocalOnly = async (
  account: OpenAccount,
  inbox: InboxRef,
  named: SelectedThreads,
): Promise<LocalMailCount> => {
  const { localDeletion, hub } = account
  const lists = new Set<string>()
  try {
    return await forEachLocalOnly(account, inbox, named, (threadId) => {
      const deleted = localDeletion.thread(inbox, threadId)
      if (deleted === null) return 0
      hub.threads(inbox.id, deleted.touched)
      for (const list of deleted.lists) lists.add(list)
      return deleted.emails
    })
  } finally {
    if (lists.has('received')) hub.receivedEmails()
    if (lists.has('sent')) hub.sentEmails()
    hub.keeping()
  }
}

export const createThreadHandlers = (access: AccountAccess): DomainHandlers<'thread'> => {
  const { current, inboxOf } = access
  const named = (inbox: InboxRef, names: ThreadSelection): SelectedThreads => resolveSelection(current(), inbox, names)

  return {
    'thread.countKept': ({ inboxId, ...names }) => {
      const inbox = inboxOf(inboxId)
      return countLocalOnly(current(), inbox, named(inbox, names))
    },
    'thread.deleteKept': ({ inboxId, ...names }) => {
      const inbox = inboxOf(inboxId)
      return deleteLocalOnly(current(), inbox, named(inbox, names))
    },
    'thread.list': ({ query, offset, limit, localOnly, held, excerpts = 0 }) => {
      const list = openList(access, query, { localOnly, held })
      list.request(offset + limit)
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
          excerpts: readExcerpts(current().cache.emails, requireQueryInbox(access, query), query, found),
        }),
      }
    },
    'thread.excerpts': ({ query, found }) =>
      readExcerpts(current().cache.emails, requireQueryInbox(access, query), query, found),
    'thread.searchAgain': ({ query }) => current().searches.invalidate(query),
    'thread.countByFolder': ({ query }) => current().searches.countByFolder(requireQueryInbox(access, query), query),
    'thread.matchedEmail': ({ query, threadId }) =>
      current().searches.matchedEmail(requireQueryInbox(access, query), query, threadId),
    'thread.open': ({ inboxId, threadId }) => openThread(access, inboxId, threadId),
    'thread.change': ({ inboxId, change, ...names }) => {
      const inbox = inboxOf(inboxId)
      if (current().cache.inboxes.get(inboxId)?.onServer !== true) throw createProblem('not_found', INBOX_GONE_MESSAGE)
      return changeThreads(current(), inbox, change, names)
    },
  }
}
