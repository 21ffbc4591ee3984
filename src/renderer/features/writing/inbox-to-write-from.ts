import { parseAddress } from '../../../shared/address.ts'
import { mailboxKey } from '../../../shared/recipients.ts'
import { inboxIdAcross, placeOfThread } from '../../kernel/across/across-ids.ts'
import type { Session } from '../../kernel/session.ts'

/**
 * The inbox that a new message is from unless another one is chosen: the one on the screen; where several are shown as one, that
 * of the conversation that is open. Null where there is none.
 */
export const inboxToWriteFrom = ({
  inbox,
  mailboxes,
  conversation,
}: Pick<Session, 'inbox' | 'mailboxes' | 'conversation'>): string | null => {
  const shown = mailboxes.sender(inbox.inbox?.id ?? '')
  const at = conversation.threadId === null ? null : placeOfThread(conversation.threadId)
  const ofOpen = at === null ? undefined : mailboxes.sender(inboxIdAcross(at.accountId, at.inboxId))
  return (shown ?? ofOpen ?? mailboxes.senders[0])?.id ?? null
}

/** The first of a person's inboxes whose address is among those of an e-mail. @param headers its addresses, as they came */
export const inboxAmong = <Inbox extends { readonly address: string }>(
  inboxes: readonly Inbox[],
  headers: readonly string[],
): Inbox | undefined => {
  const named = headers.map((header) => mailboxKey(parseAddress(header).address))
  return inboxes.find(({ address }) => named.includes(mailboxKey(address)))
}
