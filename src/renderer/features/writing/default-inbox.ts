import { parseAddress } from '../../../shared/address.ts'
import { mailboxKey } from '../../../shared/recipients.ts'
import { toUnifiedInboxId, parseUnifiedThreadId } from '../../../shared/unified-ids.ts'
import type { Session } from '../../kernel/session.ts'

/** Default inbox for new messages: the displayed one or, for combined inboxes, the open conversation's; else null. */
export const findDefaultInbox = ({
  inbox,
  mailboxes,
  conversation,
}: Pick<Session, 'inbox' | 'mailboxes' | 'conversation'>): string | null => {
  const shown = mailboxes.sender(inbox.inbox?.id ?? '')
  const at = conversation.threadId === null ? null : parseUnifiedThreadId(conversation.threadId)
  const ofOpen = at === null ? undefined : mailboxes.sender(toUnifiedInboxId(at.accountId, at.inboxId))
  return (shown ?? ofOpen ?? mailboxes.senders[0])?.id ?? null
}

/** The user's first inbox among the addresses of an e-mail. @param headers raw address headers */
export const findInboxByAddress = <Inbox extends { readonly address: string }>(
  inboxes: readonly Inbox[],
  headers: readonly string[],
): Inbox | undefined => {
  const named = headers.map((header) => mailboxKey(parseAddress(header).address))
  return inboxes.find(({ address }) => named.includes(mailboxKey(address)))
}
