import { setImmediate as nextTurn } from 'node:timers/promises'
import type { KeptMailCount } from '../../shared/contract.ts'
import type { OpenAccount } from '../account.ts'
import type { InboxRef } from '../store/inboxes.ts'
import { inTurns } from '../timing/turns.ts'
import type { NamedThreads } from './named-threads.ts'

/**
 * Do something for those of the named threads that only this computer has, some in each turn.
 * @param each returns how many e-mails of the thread count
 */
const forThoseOnlyHere = async (
  { cache, signal }: Pick<OpenAccount, 'cache' | 'signal'>,
  inbox: InboxRef,
  { pages, upTo }: NamedThreads,
  each: (threadId: string) => number,
): Promise<KeptMailCount> => {
  const count = { threads: 0, emails: 0, others: 0 }
  // All of them first: what is deleted meanwhile is no place to go on from in a list.
  const threadIds: string[] = []
  for (const page of pages) {
    threadIds.push(...page)
    await nextTurn()
    signal.throwIfAborted()
  }
  await inTurns(
    threadIds,
    (some) => {
      for (const threadId of some) {
        const standing = cache.threads.standing(inbox, threadId)
        if (standing === undefined || standing.receivedAt > upTo) continue
        const emails = standing.onServer ? 0 : each(threadId)
        if (standing.onServer) count.others += 1
        else count.threads += 1
        count.emails += emails
      }
    },
    signal,
  )
  signal.throwIfAborted()
  return count
}

/** Count what `deleteOnlyHere` would delete. */
export const countOnlyHere = (account: OpenAccount, inbox: InboxRef, named: NamedThreads): Promise<KeptMailCount> =>
  forThoseOnlyHere(account, inbox, named, (id) => account.cache.emails.count(inbox, id))

/** Delete those of the named threads that only this computer has. */
export const deleteOnlyHere = async (
  account: OpenAccount,
  inbox: InboxRef,
  named: NamedThreads,
): Promise<KeptMailCount> => {
  const { deletion, hub } = account
  const lists = new Set<string>()
  try {
    return await forThoseOnlyHere(account, inbox, named, (threadId) => {
      const deleted = deletion.thread(inbox, threadId)
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
