import { addressKey } from '../../../shared/recipients.ts'
import { detectMailAuthor } from '../../store/search-index/mail-kind.ts'
import { parsePerson } from '../../store/search-index/searchable-email.ts'
import type { Cache } from '../../store/cache.ts'
import type { InboxRef } from '../../store/inboxes.ts'
import { ownAddressKey } from '../../store/thread-senders.ts'

const addressOf = (from: string | null): string => parsePerson(from ?? '').address

/**
 * True if moving the thread or marking it read would hide unread mail from a person whose mail the rule doesn't match.
 * @param matched IDs of messages that the rule matches
 * @param isDone true for messages that the rule has already acted on
 */
export const hasOtherUnread = (
  { emails, inboxes }: Pick<Cache, 'emails' | 'inboxes'>,
  inbox: InboxRef,
  threadId: string,
  matched: readonly string[],
  isDone: (emailId: string) => boolean,
): boolean => {
  const senders = new Set(matched.map((id) => addressKey(addressOf(emails.senderOf(inbox, threadId, id) ?? null))))
  return emails.unread(inbox, threadId).some(({ id, from, subject }) => {
    const address = addressOf(from)
    return (
      !matched.includes(id) &&
      !isDone(id) &&
      !senders.has(addressKey(address)) &&
      !inboxes.ownAddresses().has(ownAddressKey(address.toLowerCase())) &&
      detectMailAuthor({ from: from ?? '', subject, headers: null }) === 'person'
    )
  })
}
