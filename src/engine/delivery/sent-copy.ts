import type { SentEmail } from '../../shared/model.ts'
import type { SentEmailStore } from '../store/account-emails.ts'
import { isSameMessage } from '../store/same-message.ts'

/** What of an e-mail of a thread names it as a message. */
export interface ThreadMessage {
  readonly id: string
  readonly from: string
  readonly subject: string | null
  readonly messageId: string | null
  readonly receivedAt: number
}

/**
 * The message of an e-mail of a thread among the account's sent ones, as far as it is here: by the same ID, else by its
 * Message-ID, as platforms may name it otherwise there. Another message under the same ID would tell a lie.
 */
export const sentCopyOf = (
  sentEmails: Pick<SentEmailStore, 'listed' | 'withMessageId'>,
  email: ThreadMessage,
): SentEmail | undefined => {
  const same = sentEmails.listed(email.id)
  if (same !== undefined && isSameMessage(same, email)) return same
  const copy = sentEmails
    .withMessageId(email.messageId ?? '', email.receivedAt)
    .find((each) => each.id !== email.id && isSameMessage(each, email))
  return copy === undefined ? undefined : sentEmails.listed(copy.id)
}
