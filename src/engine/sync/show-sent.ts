import type { StoredInbox } from '../store/inboxes.ts'
import type { AccountListSync } from './account-lists.ts'
import { settleAll } from '../timing/settle-all.ts'
import type { ThreadSync } from './thread-sync.ts'

/** Reads anew what a message that was just sent changes: its thread, the list in which that stands, and the sent e-mails. */
export const showSent = async (
  {
    threads,
    lists,
    inboxOf,
  }: {
    readonly threads: Pick<ThreadSync, 'fetchAgain' | 'news'>
    readonly lists: Pick<AccountListSync, 'news'>
    readonly inboxOf: (id: string) => Pick<StoredInbox, 'key'> | undefined
  },
  { inboxId, threadId }: { readonly inboxId: string; readonly threadId: string | null },
): Promise<void> => {
  const key = inboxOf(inboxId)?.key
  if (key === undefined) return
  const inbox = { key, id: inboxId }
  await settleAll([
    threadId === null ? threads.news(inbox, 'screen') : threads.fetchAgain(inbox, threadId, 'screen'),
    lists.news('sent e-mails', 'sync'),
  ])
}
