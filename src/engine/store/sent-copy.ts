import type { SentEmail } from '../../shared/model.ts'
import type { SentEmailStore } from './account-emails.ts'
import { isSameMessage } from './same-message.ts'

export interface ThreadMessage {
  readonly id: string
  readonly from: string
  readonly subject: string | null
  readonly messageId: string | null
  readonly receivedAt: number
}

/** Finds a thread's e-mail in the sent list, by ID if it is the same message, else by Message-ID. */
export const findSentCopy = (
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
