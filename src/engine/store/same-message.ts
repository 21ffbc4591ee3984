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
