import type { SentEmail } from '../../shared/model.ts'
import type { SentEmailStore, ReceivedEmailStore } from './account-emails.ts'
import type { FetchedReceivedEmail } from '../platform/resources/received-emails.ts'
import type { CachedEmail } from './emails.ts'

/** Maximum difference between a message's dates in the platform's threads and lists, in milliseconds. */
export const MAX_DATE_DIFFERENCE_MS = 24 * 60 * 60_000

/** Fields that tell messages with the same Message-ID apart, since anyone can copy a Message-ID. */
interface Message {
  readonly from: string
  readonly subject: string | null
}

interface IdentifiedMessage extends Message {
  readonly id: string
  readonly messageId: string | null
}

const addressIn = (sender: string): string => (/<([^<>]*)>\s*$/.exec(sender)?.[1] ?? sender).trim().toLowerCase()

/** Returns true if sender address and subject match. */
export const isSameMessage = (one: Message, other: Message): boolean =>
  addressIn(one.from) === addressIn(other.from) && (one.subject ?? '').trim() === (other.subject ?? '').trim()

/** A Message-ID without angle brackets: only some sources include them. */
export const normalizeMessageId = (messageId: string | null): string =>
  (messageId ?? '').replace(/^[\s<]+|[\s>]+$/g, '')

/**
 * Returns true if a thread's e-mail and a received e-mail are the same message: same ID, or same Message-ID, sender and
 * subject.
 */
export const isCopyOf = (one: IdentifiedMessage, other: IdentifiedMessage): boolean => {
  if (one.id === other.id) return true
  const name = normalizeMessageId(one.messageId)
  return name !== '' && name === normalizeMessageId(other.messageId) && isSameMessage(one, other)
}

/** Equal for messages that `isCopyOf` matches by Message-ID; null without one. */
export const identifyMessage = ({ messageId, from, subject }: Message & Pick<IdentifiedMessage, 'messageId'>) => {
  const name = normalizeMessageId(messageId)
  return name === '' ? null : JSON.stringify([name, addressIn(from), (subject ?? '').trim()])
}

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

/**
 * The account-wide copy of a thread's received e-mail, if stored. Only finds copies with another ID, which platforms
 * may use there.
 */
export const findReceivedCopy = (
  receivedEmails: Pick<ReceivedEmailStore, 'withMessageId'>,
  email: ThreadMessage,
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
