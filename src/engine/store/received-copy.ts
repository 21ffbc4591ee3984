import type { FetchedReceivedEmail } from '../platform/resources/received-emails.ts'
import type { ReceivedEmailStore } from './account-emails.ts'
import type { CachedEmail } from './emails.ts'
import { isSameMessage } from './same-message.ts'

/**
 * The account-wide copy of a thread's received e-mail, if stored. Only finds copies with another ID, which platforms
 * may use there.
 */
export const findReceivedCopy = (
  receivedEmails: Pick<ReceivedEmailStore, 'withMessageId'>,
  email: CachedEmail,
): FetchedReceivedEmail | undefined =>
  receivedEmails
    .withMessageId(email.messageId ?? '', email.receivedAt)
    .find((copy) => copy.id !== email.id && isSameMessage(copy, email))

/** The same message in the account's received e-mails, with the same ID or another one. */
export const findReceivedEmail = (
  receivedEmails: Pick<ReceivedEmailStore, 'get' | 'withMessageId'>,
  email: CachedEmail,
): Pick<FetchedReceivedEmail, 'id' | 'attachments'> | undefined => {
  const same = receivedEmails.get(email.id)
  return same !== undefined && isSameMessage(same, email) ? same : findReceivedCopy(receivedEmails, email)
}
