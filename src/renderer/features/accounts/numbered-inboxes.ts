import type { AccountInbox, AccountManager } from '../../kernel/account-manager.svelte.ts'
import { ALL_INBOXES } from '../../../shared/unified-ids.ts'

export const MAX_NUMBERED_INBOXES = 9

/** An inbox's shortcut number, from 1. Null from the tenth on. */
export const findInboxNumber = (
  inboxes: readonly AccountInbox[],
  accountId: string,
  inboxId: string,
): number | null => {
  const index = inboxes.findIndex(({ account, inbox }) => account.id === accountId && inbox.id === inboxId)
  return index === -1 || index >= MAX_NUMBERED_INBOXES ? null : index + 1
}

export const showAllInboxes = (accounts: Pick<AccountManager, 'show'>): void =>
  accounts.show(ALL_INBOXES, { view: 'folder', inboxId: ALL_INBOXES, folder: 'inbox', threadId: null })

export const showInbox = (accounts: Pick<AccountManager, 'show'>, { account, inbox }: AccountInbox): void =>
  accounts.show(account.id, { view: 'folder', inboxId: inbox.id, folder: 'inbox', threadId: null })
