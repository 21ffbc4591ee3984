import type { ConnectedAccount } from '../../../shared/contract.ts'
import type { Inbox } from '../../../shared/model.ts'
import type { AccountManager } from '../../kernel/account-manager.svelte.ts'

/** An inbox, and whose it is. */
export interface AccountInbox {
  readonly account: ConnectedAccount
  readonly inbox: Inbox
}

/** How many inboxes have a key. */
export const NUMBERED_INBOXES = 9

/** The inboxes of all accounts that are open: accounts in the person's order, the inboxes of each in its platform's. */
export const allInboxes = (accounts: Pick<AccountManager, 'all' | 'watch'>): readonly AccountInbox[] =>
  accounts.all.flatMap((account) =>
    (accounts.watch(account.id)?.inboxes ?? []).map((inbox): AccountInbox => ({ account, inbox })),
  )

/**
 * The number of an inbox among those that have a key.
 * @returns from 1; null for the tenth and those after it
 */
export const numberOfInbox = (inboxes: readonly AccountInbox[], accountId: string, inboxId: string): number | null => {
  const index = inboxes.findIndex(({ account, inbox }) => account.id === accountId && inbox.id === inboxId)
  return index === -1 || index >= NUMBERED_INBOXES ? null : index + 1
}

/** Shows an inbox, of whichever account it is. */
export const showInbox = (accounts: Pick<AccountManager, 'show'>, { account, inbox }: AccountInbox): void =>
  accounts.show(account.id, { view: 'folder', inboxId: inbox.id, folder: 'inbox', threadId: null })
