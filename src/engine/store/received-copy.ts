import type { FetchedReceivedEmail } from '../api/received-emails.ts'
import type { ReceivedEmailStore } from './account-emails.ts'
import type { KeptEmail } from './emails.ts'
import { isSameMessage } from './same-message.ts'

/**
 * The account-wide copy of a thread's received e-mail, if stored. Only finds copies with another ID, which platforms
 * may use there.
 */
export const receivedCopyOf = (
  receivedEmails: Pick<ReceivedEmailStore, 'withMessageId'>,
  email: KeptEmail,
): FetchedReceivedEmail | undefined =>
  receivedEmails
    .withMessageId(email.messageId ?? '', email.receivedAt)
    .find((copy) => copy.id !== email.id && isSameMessage(copy, email))

/** The same message in the account's received e-mails, with the same ID or another one. */
export const asReceived = (
  receivedEmails: Pick<ReceivedEmailStore, 'get' | 'withMessageId'>,
  email: KeptEmail,
): Pick<FetchedReceivedEmail, 'id' | 'attachments'> | undefined => {
  const same = receivedEmails.get(email.id)
  return same !== undefined && isSameMessage(same, email) ? same : receivedCopyOf(receivedEmails, email)
}
