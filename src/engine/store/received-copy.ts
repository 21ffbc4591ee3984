import type { FetchedReceivedEmail } from '../api/answers/account-emails.ts'
import type { ReceivedEmailStore } from './account-emails.ts'
import type { KeptEmail } from './emails.ts'

/** What tells one message from another that bears its Message-ID: anybody can write that of somebody else's. */
type Message = Pick<KeptEmail, 'from' | 'subject'>

const addressIn = (sender: string): string => (/<([^<>]*)>\s*$/.exec(sender)?.[1] ?? sender).trim().toLowerCase()

/** Whether an e-mail of a thread and a received one are the same message, as far as people would say so. */
export const isSameMessage = (one: Message, other: Message): boolean =>
  addressIn(one.from) === addressIn(other.from) && (one.subject ?? '').trim() === (other.subject ?? '').trim()

/**
 * The message of a thread's e-mail among the account's received e-mails, as far as it is here: platforms may name it
 * otherwise there.
 */
export const receivedCopyOf = (
  receivedEmails: Pick<ReceivedEmailStore, 'withMessageId'>,
  email: KeptEmail,
): FetchedReceivedEmail | undefined =>
  receivedEmails
    .withMessageId(email.messageId ?? '', email.receivedAt)
    .find((copy) => copy.id !== email.id && isSameMessage(copy, email))
