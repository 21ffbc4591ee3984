import type { DomainHandlers, LocalMailCount } from '../../shared/contract.ts'
import type { OpenAccount } from '../account.ts'
import type { BackgroundPart } from '../account-background.ts'
import type { MailPart } from '../account-mail.ts'
import type { OwnPart } from '../account-own.ts'
import { INBOX_GONE_MESSAGE } from '../platform/problem.ts'
import { readExcerpts } from '../mail/search/excerpt.ts'
import type { InboxRef } from '../store/inboxes.ts'
import { changeThreads } from '../mail/threads/change-threads.ts'
import { resolveSelection, type ThreadSelection } from '../mail/threads/selected-threads.ts'
import { requireQueryInbox, openList } from '../mail/threads/open-list.ts'
import { readInOrder } from '../mail/threads/read-in-order.ts'
import { openThread } from '../mail/threads/open-thread.ts'
import { processInSlices } from '../timing/turns.ts'
import { createProblem } from '../../shared/result.ts'

export const createThreadHandlers = (
  { cache, hub, outbox }: OwnPart,
  { freshness, localDeletion, sync, threads }: BackgroundPart,
  { searches, writing }: MailPart,
  { clock, signal }: Pick<OpenAccount, 'clock' | 'signal'>,
): DomainHandlers<'thread'> => {
  const parts = { cache, outbox, searches, threads, freshness, clock, remoteReplies: writing.remoteReplies }
  const inboxOf = (inboxId: string): InboxRef => cache.inboxes.require(inboxId)

  /** Processes local-only threads. @param each returns the number of e-mails to count */
  const forEachLocalOnly = async (
    inbox: InboxRef,
    names: ThreadSelection,
    each: (threadId: string) => number,
  ): Promise<LocalMailCount> => {
    const { threadIds, upTo } = await resolveSelection(parts, inbox, names, signal)
    const count = { threads: 0, emails: 0, others: 0 }
    await processInSlices(
      [...threadIds],
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

  const deleteLocalOnly = async (inbox: InboxRef, names: ThreadSelection): Promise<LocalMailCount> => {
    const lists = new Set<string>()
    try {
      return await forEachLocalOnly(inbox, names, (threadId) => {
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

  return {
    'thread.countKept': ({ inboxId, ...names }) => {
      const inbox = inboxOf(inboxId)
      return forEachLocalOnly(inbox, names, (id) => cache.emails.count(inbox, id))
    },
    'thread.deleteKept': ({ inboxId, ...names }) => deleteLocalOnly(inboxOf(inboxId), names),
    'thread.list': ({ query, order, offset, limit, localOnly, held, excerpts = 0 }) => {
      const [inboxId = null] = query.inboxIds
      sync.view(inboxId)
      const page = readInOrder({ query, order, now: clock.now() }, { offset, limit }, (window, part) => {
        const list = openList(parts, query, { localOnly, held, part })
        list.request(window.offset + window.limit)
        return {
          items: list.rows({ offset: window.offset }, window.limit),
          offset: window.offset,
          total: list.total(),
          hasMore: list.hasMore(),
          freshness: list.freshness(),
          searched: list.searched(),
        }
      })
      const found = page.items
        .slice(0, excerpts)
        .flatMap(({ id, match }) => (match?.by === 'computer' ? [{ threadId: id, emailId: match.emailId }] : []))
      return {
        ...page,
        ...(found.length > 0 && {
          excerpts: readExcerpts(cache.emails, requireQueryInbox(cache, query), query, found),
        }),
      }
    },
    'thread.excerpts': ({ query, found }) => readExcerpts(cache.emails, requireQueryInbox(cache, query), query, found),
    'thread.searchAgain': ({ query }) => searches.invalidate(query),
    'thread.countByFolder': ({ query }) => searches.countByFolder(requireQueryInbox(cache, query), query),
    'thread.matchedEmail': ({ query, threadId }) =>
      searches.matchedEmail(requireQueryInbox(cache, query), query, threadId),
    'thread.open': ({ inboxId, threadId }) => openThread(parts, inboxOf(inboxId), threadId),
    'thread.change': ({ inboxId, change, ...names }) => {
      const inbox = inboxOf(inboxId)
      if (cache.inboxes.get(inboxId)?.onServer !== true) throw createProblem('not_found', INBOX_GONE_MESSAGE)
      return changeThreads(parts, inbox, change, names, signal)
    },
  }
}
